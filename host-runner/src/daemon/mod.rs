//! The daemon: sockets, hosts, spool, supervision.
