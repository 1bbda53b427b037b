//! A child on a pseudo terminal of its own: the one place of the harness with `unsafe`.

use board_protocol::ids::Size;
use rustix::{
    process::{ioctl_tiocsctty, setsid},
    pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt},
    termios::{Winsize, tcsetwinsize},
};
use std::{
    io,
    os::{fd::OwnedFd, unix::process::CommandExt},
    process::{Child, Command},
};

/// Starts a command as the leader of a session of its own whose controlling terminal is a new PTY of this size.
pub(crate) fn spawn(mut command: Command, size: Size) -> io::Result<(OwnedFd, Child)> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let master = openpt(flags)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    resize(&master, size)?;
    let terminal = ioctl_tiocgptpeer(&master, flags)?;
    command.stdin(terminal.try_clone()?).stdout(terminal.try_clone()?).stderr(terminal);
    // SAFETY: between fork and exec only two system calls are made, which are async-signal-safe; nothing is allocated
    // and no lock is taken.
    #[expect(unsafe_code, reason = "a controlling terminal can only be taken between fork and exec")]
    unsafe {
        command.pre_exec(|| {
            setsid()?;
            ioctl_tiocsctty(rustix::stdio::stdin())?;
            Ok(())
        });
    }
    Ok((master, command.spawn()?))
}

/// Gives the terminal another size; the kernel tells its foreground group.
pub(crate) fn resize(master: &OwnedFd, size: Size) -> io::Result<()> {
    // 8 by 16 pixels a cell: zellij asks for it.
    let size = Winsize {
        ws_row: size.rows,
        ws_col: size.cols,
        ws_xpixel: size.cols.saturating_mul(8),
        ws_ypixel: size.rows.saturating_mul(16),
    };
    Ok(tcsetwinsize(master, size)?)
}
