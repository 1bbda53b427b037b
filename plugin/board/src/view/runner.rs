//! The page about what the board stands on: versions, permission, link, daemon, and what to do. Any key leaves it.

use super::{MARGIN, page::wrapped};
use crate::{
    frame::{Line, Style},
    input::{Key, KeyCode},
    machine::{Board, Permission, Standing},
    notice::Level,
    region::Target,
};
use board_protocol::{pipe::DaemonHealth, state::ColourRole};
use board_text::view as texts;

/// Room for what a line is about.
const LABEL_COLUMNS: usize = 12;

pub(super) fn lines(board: &Board, rows: usize, columns: usize) -> Vec<Line> {
    let mut lines = vec![
        Line::new(columns).pad_to(MARGIN).put(Style::of(ColourRole::Accent).bold(), texts::runner_title()),
        Line::new(columns),
    ];
    for (label, text) in facts(board) {
        for (index, part) in
            wrapped(&text, columns.saturating_sub(LABEL_COLUMNS + 2 * MARGIN)).iter().enumerate()
        {
            let label = if index == 0 { label } else { "" };
            let line = Line::new(columns).pad_to(MARGIN).put_column(Style::FAINT, label, LABEL_COLUMNS);
            lines.push(line.put(Style::PLAIN, part));
        }
    }
    let troubles = board.troubles();
    lines.push(Line::new(columns));
    let title = if troubles.is_empty() { texts::nothing_to_mend() } else { texts::what_to_do() };
    lines.push(Line::new(columns).pad_to(MARGIN).put(Style::BOLD, title));
    for (level, text) in troubles {
        let style = if level == Level::Error { Style::of(ColourRole::Error) } else { Style::PLAIN };
        for part in wrapped(&text, columns.saturating_sub(2 * MARGIN)) {
            lines.push(Line::new(columns).pad_to(MARGIN).put(style, &part));
        }
    }
    let more = texts::doctor();
    lines.push(Line::new(columns));
    for part in wrapped(more, columns.saturating_sub(2 * MARGIN)) {
        lines.push(Line::new(columns).pad_to(MARGIN).put(Style::FAINT, &part));
    }
    let bottom = rows.saturating_sub(1);
    lines.truncate(bottom);
    lines.resize_with(bottom, || Line::new(columns));
    let foot = texts::any_key(board.page.title());
    let foot = Line::new(columns).pad_to(MARGIN).put(Style::FAINT, &foot);
    lines.push(foot.linked(Target::Key(Key::plain(KeyCode::Esc))));
    lines
}

fn facts(board: &Board) -> Vec<(&'static str, String)> {
    let link = match (board.link.standing(), board.heard_ago_ms()) {
        (Standing::Unknown, None) => texts::link_none().to_owned(),
        (_, None) => texts::link_silent().to_owned(),
        (_, Some(ms)) => texts::link_heard(ms / 1_000),
    };
    let daemon = match board.link.daemon() {
        Some(DaemonHealth::Connected { build }) => texts::daemon_connected(build),
        Some(
            DaemonHealth::Unreachable { text }
            | DaemonHealth::Incompatible { text }
            | DaemonHealth::ShutDown { text },
        ) => text.clone(),
        None => texts::not_known().to_owned(),
    };
    let permission = match board.permission {
        Permission::Granted => texts::granted(),
        Permission::Denied => texts::refused(),
        Permission::Unasked | Permission::Asked => texts::asked_for(),
    };
    let (runner, root) = board.runner().unwrap_or((texts::runner_not_known(), None));
    let model = &board.model;
    let hosts = (0..model.len()).filter_map(|at| model.row_at(at)).filter(|row| row.has_process()).count();
    let doubtful =
        (0..model.len()).filter_map(|at| model.row_at(at)).filter(|row| row.says.starts_with("? ")).count();
    vec![
        (texts::label_plugin(), board.build.clone()),
        (texts::label_runner(), board.link.runner_build().unwrap_or(texts::not_known()).to_owned()),
        (texts::label_path(), runner.to_owned()),
        (texts::label_root(), root.unwrap_or(texts::root_default()).to_owned()),
        (texts::label_permission(), permission.to_owned()),
        (texts::label_link(), link),
        (texts::label_daemon(), daemon),
        (texts::label_sessions(), texts::sessions_counted(model.len(), hosts, doubtful)),
    ]
}
