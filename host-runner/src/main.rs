//! The binary: hands the command line to [`host_runner::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    host_runner::cli::main()
}
