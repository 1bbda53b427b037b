//! `host-runner doctor`: prints what the checks found. Exit code 1 when something does not work.

use super::{Failure, root_directory, session::print};
use crate::doctor::{Finding, Scene, Status, as_text, examine};
use serde::Serialize;

/// Arguments of `doctor`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
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
    if args.json {
        let report = Report { build: crate::BUILD, failed, findings: &findings };
        let json = serde_json::to_string_pretty(&report).map_err(anyhow::Error::new)?;
        print(&format!("{json}\n"))?;
    } else {
        print(&as_text(&findings))?;
    }
    if failed == 0 {
        return Ok(());
    }
    let what = if failed == 1 { "1 check failed".to_owned() } else { format!("{failed} checks failed") };
    Err(Failure::Other(anyhow::anyhow!("{what}; what to do is said above")))
}
