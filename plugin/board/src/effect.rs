//! Everything that a board can ask its shell to do. The shell carries effects out in order and decides nothing.

use crate::input::Mode;
use board_protocol::ids::SessionId;
use std::collections::BTreeMap;

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Subscribe to the events that become inputs.
    Subscribe,
    /// Ask the person for the permissions, all of them at once.
    RequestPermissions,
    /// Keep a pipe child in its receive loop, so that it prints what is sent later.
    BlockPipe(String),
    /// Let a pipe child go.
    UnblockPipe(String),
    /// Print one line through a pipe child.
    SendUp {
        /// The pipe's id.
        pipe: String,
        /// The line, without its newline.
        line: String,
    },
    /// Open a tab with an attach client; answered by [`crate::input::Input::AttachOpened`].
    OpenAttachTab(AttachTab),
    /// Open a pane with an attach client where the board is, or over what the person looks at; answered by
    /// [`crate::input::Input::AttachOpened`].
    OpenAttachPane {
        /// What runs in it.
        attach: AttachTab,
        /// Where it goes.
        place: PanePlace,
    },
    /// Bring a terminal pane, and its tab, before the person.
    FocusTerminal(u32),
    /// Bring the board's own pane before the person. One that another pane has replaced comes back in its place.
    FocusSelf,
    /// Close a terminal pane.
    CloseTerminal(u32),
    /// Ask how a pane stands; answered by [`crate::input::Input::PaneChecked`].
    CheckPane(u32),
    /// Switch this client's input mode.
    SwitchMode(Mode),
    /// Name a terminal pane. The empty name gives the pane's title to OSC 2 (measured).
    RenamePane {
        /// The pane.
        pane: u32,
        /// The name.
        name: String,
    },
    /// Name a tab.
    RenameTab {
        /// The tab's stable id.
        tab: u64,
        /// The name.
        name: String,
    },
    /// Name a tab anew, unless the person has given it another name than `from` meanwhile.
    RetitleTab {
        /// The tab's stable id.
        tab: u64,
        /// The name that it was given last.
        from: String,
        /// The name.
        to: String,
    },
    /// Run the command of a pane that waits for a key.
    RerunTerminal(u32),
    /// Start a link without a terminal; its end comes as [`crate::input::Input::LinkEnded`].
    RunLink(LinkCommand),
    /// Ask what this instance's client looks at; answered by [`crate::input::Input::FocusFound`].
    FindFocus,
    /// Change this client's configuration, without writing it to a file.
    Reconfigure(String),
    /// Wake the board with [`crate::input::Input::Timer`] after so many milliseconds.
    SetTimer {
        /// From now.
        after_ms: u64,
    },
    /// Remember `wanted_build` for this pane and this server, then load the plugin file anew. If it cannot be
    /// remembered, nothing is loaded and [`crate::input::Input::ReloadImpossible`] follows: else a plugin file that
    /// never becomes newer would be loaded for ever.
    ReloadSelf {
        /// The build that the file on disk is said to have.
        wanted_build: String,
    },
    /// Say something to every plugin of this zellij session.
    Broadcast(String),
    /// Close the instance: it has no pane.
    CloseSelf,
    /// The frame has changed.
    Render,
}

impl Effect {
    /// Whether it may be carried out before the person has answered the permission question. Value-returning calls
    /// trap then, and zellij drops the others.
    pub fn needs_no_permission(&self) -> bool {
        matches!(self, Self::Subscribe | Self::RequestPermissions | Self::Render)
    }
}

/// Where a pane with an attach client goes, if not into a tab of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PanePlace {
    /// Somewhere in the board's tab; zellij finds the room.
    Near,
    /// In the board's tab, on the stack of this pane.
    Stacked(u32),
    /// Instead of this pane, which comes back afterwards.
    Instead(u32),
    /// Instead of the board's own pane, which comes back afterwards.
    InsteadOfBoard,
    /// In a floating pane of the tab that the person looks at.
    Floating,
}

/// An attach client, and by itself one in a tab of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttachTab {
    /// The session to attach.
    pub session: SessionId,
    /// The absolute path of the runner: zellij's PATH is that of whoever made the server.
    pub runner: String,
    /// Its arguments.
    pub args: Vec<String>,
}

/// A link to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkCommand {
    /// The absolute path of the runner.
    pub runner: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// What zellij would have set in a pane.
    pub environment: BTreeMap<String, String>,
}
