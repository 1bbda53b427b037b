//! The zellij link: two pipes and the daemon.
