//! The binary: hands the command line to [`host_runner::cli`].

fn main() {}
