//! Where a run was made, and how busy that machine was: without it a figure says nothing.

use super::{stats::Samples, way};
use serde::Serialize;
use std::{
    ffi::OsStr,
    fmt, fs,
    io::Write,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

/// How often the disk is asked to write through.
const DISK_SAMPLES: usize = 100;

/// The machine of a run.
#[derive(Debug, Clone, Serialize)]
pub struct Machine {
    /// The date, UTC.
    pub date: String,
    /// Processor cores that this run may use.
    pub cores: usize,
    /// What they are.
    pub processor: String,
    /// The kernel's release.
    pub kernel: String,
    /// Load averages of 1, 5 and 15 minutes before the run.
    pub load_before: String,
    /// The same after it; empty until then.
    pub load_after: String,
    /// 95th percentile of an `fdatasync` of 4 KiB where the worlds lie, in milliseconds.
    pub fdatasync_p95_ms: f64,
    /// The rivals that are installed, with their versions.
    pub rivals: Vec<String>,
}

impl Machine {
    /// Looks around.
    pub fn look() -> Self {
        let tmux = said("tmux", &["-V"]);
        let dtach = said("dtach", &["--version"]).map(|text| text.split(',').next().unwrap_or("").to_owned());
        let shpool = way::find("shpool").and_then(|program| said(&program, &["version"]));
        Self {
            date: said("date", &["-u", "+%Y-%m-%d %H:%M UTC"]).unwrap_or_default(),
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get),
            processor: processor().unwrap_or_default(),
            kernel: fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default().trim().to_owned(),
            load_before: load(),
            load_after: String::new(),
            fdatasync_p95_ms: fdatasync_p95_ms(Path::new("/tmp")).unwrap_or(f64::NAN),
            rivals: [tmux, dtach, shpool].into_iter().flatten().collect(),
        }
    }

    /// The run is over.
    pub fn look_again(&mut self) {
        self.load_after = load();
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}; {} cores ({}); Linux {}; load {}",
            self.date, self.cores, self.processor, self.kernel, self.load_before
        )?;
        if !self.load_after.is_empty() {
            write!(f, " before, {} after", self.load_after)?;
        }
        let rivals = if self.rivals.is_empty() { "none".to_owned() } else { self.rivals.join(", ") };
        write!(f, "; fdatasync p95 {:.2} ms; installed beside it: {rivals}", self.fdatasync_p95_ms)
    }
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn said(program: impl AsRef<OsStr>, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().next().map(|line| line.trim().to_owned())
}

fn fdatasync_p95_ms(directory: &Path) -> std::io::Result<f64> {
    let mut file = tempfile::tempfile_in(directory)?;
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..DISK_SAMPLES {
        file.write_all(&[1; 4096])?;
        let start = Instant::now();
        file.sync_data()?;
        times.push(start.elapsed());
    }
    Ok(Samples::of_times(&times).percentile(95))
}
