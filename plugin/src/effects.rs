//! The board's effects as zellij's calls, one to one. Some answer at once with another input.

use crate::{Plugin, events::pane_ref, now, reload};
use board_view::{
    Effect, Input,
    effect::{AttachTab, LinkCommand, PanePlace},
    input::{AttachOpened, Mode, PaneRef, PaneStanding},
};
use std::{collections::BTreeMap, path::PathBuf};
use zellij_tile::prelude::*;

/// Everything that the project will ever ask for, in one question: a larger set would make zellij ask people again.
///
/// Not asked for: `WriteToStdin` and `InterceptInput` (nothing is ever typed into a pane from here: attach clients
/// write to their own host), `ReadPaneContents` (hosts know their screens), `OpenFiles`, `WebAccess`, `FullHdAccess`.
const PERMISSIONS: [PermissionType; 7] = [
    // Panes, modes and clients: which pane is ours, who looks where, which session this is.
    PermissionType::ReadApplicationState,
    // Focus, close and rename panes and tabs; switch between Normal and Locked; load a newer plugin file.
    PermissionType::ChangeApplicationState,
    // Attach clients in panes of their own; a link where the layout has none.
    PermissionType::RunCommands,
    // The board as a floating or a neighbouring pane of the tab that the person is in.
    PermissionType::OpenTerminalsOrPlugins,
    // The two pipes of the link.
    PermissionType::ReadCliPipes,
    // A key that brings the board up from anywhere reaches it as a message.
    PermissionType::MessageAndLaunchOtherPlugins,
    // Ctrl+G goes to the session while one is entered, and that key from anywhere.
    PermissionType::Reconfigure,
];

/// What becomes an input.
const EVENTS: [EventType; 13] = [
    EventType::PermissionRequestResult,
    EventType::Key,
    EventType::Mouse,
    EventType::PastedText,
    EventType::Timer,
    EventType::Visible,
    EventType::ModeUpdate,
    EventType::PaneUpdate,
    EventType::InitialKeybinds,
    EventType::CommandPaneExited,
    EventType::PaneClosed,
    EventType::RunCommandResult,
    EventType::BeforeClose,
];

/// Marks the result of the link among results of commands.
pub(crate) const LINK_CONTEXT: (&str, &str) = ("agent-board", "link");

/// The name of messages to status bars. zjstatus reads the payload alone.
const BAR_MESSAGE: &str = "zjstatus";

impl Plugin {
    /// Carries an effect out; returns the answer, if zellij gives one at once.
    pub(crate) fn carry_out(&mut self, effect: Effect) -> Option<Input> {
        match effect {
            Effect::Subscribe => subscribe(&EVENTS),
            Effect::RequestPermissions => request_permission(&PERMISSIONS),
            Effect::BlockPipe(pipe) => block_cli_pipe_input(&pipe),
            Effect::UnblockPipe(pipe) => unblock_cli_pipe_input(&pipe),
            Effect::SendUp { pipe, line } => cli_pipe_output(&pipe, &format!("{line}\n")),
            Effect::OpenAttachTab(tab) => return Some(open_tab(tab)),
            Effect::OpenAttachPane { attach, place } => return Some(self.open_pane(attach, place)),
            Effect::FocusTerminal(pane) => focus_terminal_pane(pane, false, false),
            Effect::FocusSelf => focus_plugin_pane(self.plugin_id, false, true),
            Effect::CloseTerminal(pane) => close_terminal_pane(pane),
            Effect::CheckPane(pane) => return Some(check_pane(pane)),
            Effect::SwitchMode(Mode::Locked) => switch_to_input_mode(&InputMode::Locked),
            Effect::SwitchMode(Mode::Normal | Mode::Other) => switch_to_input_mode(&InputMode::Normal),
            Effect::RenamePane { pane, name } => rename_terminal_pane(pane, name),
            Effect::RenameTab { tab, name } => rename_tab_with_id(tab, name),
            Effect::RetitleTab { tab, from, to } => retitle_tab(tab, &from, to),
            Effect::RerunTerminal(pane) => rerun_command_pane(pane),
            Effect::RunLink(link) => run_link(&link),
            Effect::FindFocus => return Some(Input::FocusFound(find_focus())),
            Effect::Reconfigure(kdl) => reconfigure(kdl, false),
            // The shortest time that matters here is a hundredth of a second.
            Effect::SetTimer { after_ms } => {
                set_timeout(std::time::Duration::from_millis(after_ms).as_secs_f64())
            }
            Effect::ReloadSelf { wanted_build } => {
                if reload::remember(self.server_pid, self.plugin_id, &wanted_build, now()).is_err() {
                    return Some(Input::ReloadImpossible);
                }
                reload_plugin_with_id(self.plugin_id);
            }
            // With neither a URL nor an id it reaches every plugin (read in zellij 0.45.1, `pipe_to_all_plugins`).
            Effect::Broadcast(text) => {
                pipe_message_to_plugin(MessageToPlugin::new(BAR_MESSAGE).with_payload(text));
            }
            Effect::CloseSelf => close_self(),
            Effect::Render => {}
        }
        None
    }

    fn open_pane(&self, attach: AttachTab, place: PanePlace) -> Input {
        let run = command(attach.runner, attach.args);
        let near = |run| open_command_pane_near_plugin(run, BTreeMap::new());
        let pane = match place {
            PanePlace::Near => near(run),
            PanePlace::Stacked(root) => {
                let pane = near(run);
                if let Some(pane) = pane {
                    stack_panes(vec![PaneId::Terminal(root), pane]);
                }
                pane
            }
            // The pane may be gone since zellij listed it.
            PanePlace::Instead(replaced) => {
                let replaced = PaneId::Terminal(replaced);
                open_command_pane_in_place_of_pane_id(replaced, run.clone(), false, BTreeMap::new())
                    .or_else(|| near(run))
            }
            PanePlace::InsteadOfBoard => open_command_pane_in_place_of_plugin(run, false, BTreeMap::new()),
            PanePlace::Floating => open_command_pane_floating(run, floating_place(), BTreeMap::new()),
        };
        Input::AttachOpened(AttachOpened {
            session: attach.session,
            tab: None,
            pane: pane.and_then(terminal),
        })
    }
}

/// Most of the screen: an agent needs room, and what lies below can still be seen around it.
fn floating_place() -> Option<FloatingPaneCoordinates> {
    let percent = |part: &str| Some(part.to_owned());
    FloatingPaneCoordinates::new(percent("5%"), percent("5%"), percent("90%"), percent("90%"), None, None)
}

fn run_link(link: &LinkCommand) {
    let mut command = vec![link.runner.as_str()];
    command.extend(link.args.iter().map(String::as_str));
    let context = BTreeMap::from([(LINK_CONTEXT.0.to_owned(), LINK_CONTEXT.1.to_owned())]);
    // The plugin's own directory. An absolute path would not do: zellij takes one below /tmp, /host, /data or /cache for
    // a path inside the plugin's sandbox (measured: the command then fails with "No such file or directory").
    let cwd = PathBuf::from(".");
    run_command_with_env_variables_and_cwd(&command, link.environment.clone(), cwd, context);
}

fn open_tab(tab: AttachTab) -> Input {
    let (tab_id, pane) = open_command_pane_in_new_tab(command(tab.runner, tab.args), BTreeMap::new());
    let pane = pane.and_then(terminal);
    let tab_id = tab_id.and_then(|tab| u64::try_from(tab).ok());
    Input::AttachOpened(AttachOpened { session: tab.session, tab: tab_id, pane })
}

/// The plugin's own directory is where the board was opened; the attach client needs none.
fn command(runner: String, args: Vec<String>) -> CommandToRun {
    CommandToRun { path: PathBuf::from(runner), args, cwd: None }
}

fn terminal(pane: PaneId) -> Option<u32> {
    match pane {
        PaneId::Terminal(pane) => Some(pane),
        PaneId::Plugin(_) => None,
    }
}

fn retitle_tab(tab: u64, from: &str, to: String) {
    let index = usize::try_from(tab).ok();
    if index.and_then(get_tab_info).is_some_and(|info| info.name == from) {
        rename_tab_with_id(tab, to);
    }
}

/// `None` when the client is not connected.
fn find_focus() -> Option<PaneRef> {
    get_focused_pane_info().ok().map(|(_, pane)| pane_ref(pane))
}

fn check_pane(pane: u32) -> Input {
    let standing = match get_pane_info(PaneId::Terminal(pane)) {
        None => PaneStanding::Gone,
        Some(info) if info.is_held || info.exited => PaneStanding::Waiting,
        Some(_) => PaneStanding::Running,
    };
    Input::PaneChecked { pane, standing }
}
