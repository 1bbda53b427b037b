//! `host-runner doctor`: prints what the checks found. Exit code 1 when something does not work.

use super::{
    Failure, root_directory,
    session::{self, print},
};
use crate::doctor::{Finding, Scene, Status, as_text, examine};
use board_text::cli as texts;
use serde::Serialize;

/// Arguments of `doctor`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("json", |json| json.help("Print one JSON object")))]
pub(super) struct Args {
    #[command(flatten)]
    output: session::Output,
}

/// Everything, as printed for programs.
#[derive(Debug, Serialize)]
struct Report<'a> {
    build: &'static str,
    failed: usize,
    findings: &'a [Finding],
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let findings = examine(&Scene::of_this_process(root_directory()));
    let failed = findings.iter().filter(|finding| finding.status == Status::Fail).count();
    if args.output.json {
        let report = Report { build: crate::BUILD, failed, findings: &findings };
        session::print_json(&report)?;
    } else {
        print(&as_text(&findings))?;
    }
    if failed == 0 {
        return Ok(());
    }
    Err(Failure::Other(anyhow::Error::msg(texts::doctor_failed(failed))))
}
