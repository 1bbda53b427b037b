//! Measures what the board costs, beside what people would use instead, and prints one table. `make bench` calls it.
//!
//! `bench [--quick] [--json] [--list] [NAME…]`: only these subjects; a look instead of figures; for a program.

use e2e::bench::{Effort, SUBJECTS, Subject, machine::Machine, report};
use std::{panic::AssertUnwindSafe, process::ExitCode};

fn main() -> ExitCode {
    let (options, names): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.starts_with("--"));
    if options.iter().any(|option| option == "--list" || option == "--help") {
        println!("bench [--quick] [--json] [NAME…]");
        SUBJECTS.iter().for_each(|subject| println!("  {:<12} {}", subject.name, subject.about));
        return ExitCode::SUCCESS;
    }
    let known_option = |option: &&String| ["--quick", "--json"].contains(&option.as_str());
    let known_name = |name: &&String| SUBJECTS.iter().any(|subject| subject.name == name.as_str());
    if let Some(word) =
        options.iter().find(|option| !known_option(option)).or(names.iter().find(|name| !known_name(name)))
    {
        eprintln!("bench: {word:?} is not known; see bench --list");
        return ExitCode::from(2);
    }
    let has = |option: &str| options.iter().any(|given| given == option);
    let effort = if has("--quick") { Effort::Quick } else { Effort::Full };
    let mut machine = Machine::look();
    let wanted = |subject: &&Subject| names.is_empty() || names.iter().any(|name| name == subject.name);
    let mut lines = Vec::new();
    let mut failed = false;
    for subject in SUBJECTS.iter().filter(wanted) {
        eprintln!("bench: {}: {}", subject.name, subject.about);
        // One subject that cannot be measured costs only itself; the panic's text says why.
        match std::panic::catch_unwind(AssertUnwindSafe(|| (subject.measure)(effort))) {
            Ok(found) => lines.extend(found),
            Err(_) => {
                eprintln!("bench: {} could not be measured", subject.name);
                failed = true;
            }
        }
    }
    machine.look_again();
    let text = if has("--json") { report::json(&machine, &lines) } else { report::table(&machine, &lines) };
    print!("{text}");
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
