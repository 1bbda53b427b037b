//! Records what real programs print, for the tests of the terminal: `recordings DIRECTORY [NAME…]`, all of them if none is
//! named. `make recordings` calls it with the directory that the tests read.

use e2e::recordings::SCENARIOS;
use std::{path::Path, process::ExitCode};

/// Larger ones do not go into the repository.
const MAX_BYTES: usize = 100 * 1024;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(directory) = arguments.next() else {
        eprintln!("recordings: say where to: recordings DIRECTORY [NAME…]");
        return ExitCode::from(2);
    };
    let names: Vec<String> = arguments.collect();
    let mut failed = false;
    for scenario in
        SCENARIOS.iter().filter(|scenario| names.is_empty() || names.iter().any(|name| name == scenario.name))
    {
        // What one program does not do must not keep the others from being recorded.
        let Ok(recording) = std::panic::catch_unwind(scenario.record) else {
            eprintln!("recordings: {} failed", scenario.name);
            failed = true;
            continue;
        };
        let bytes = recording.bytes.len();
        println!("{}: {bytes} bytes, {} sizes", scenario.name, recording.sizes.len());
        if bytes > MAX_BYTES {
            eprintln!("recordings: {} is larger than {MAX_BYTES} bytes and was not written", scenario.name);
            failed = true;
        } else if let Err(error) = recording.write(Path::new(&directory), scenario.name) {
            eprintln!("recordings: cannot write {}: {error}", scenario.name);
            failed = true;
        }
    }
    ExitCode::from(u8::from(failed))
}
