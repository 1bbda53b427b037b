//! What processes used of the processors, as the kernel counts it: a busy machine makes everything slower, and changes little of this.

use crate::processes::Process;
use std::fs;

/// Processor time of a process in milliseconds, counted in two ways that fail in different places.
#[derive(Debug, Clone, Copy)]
pub struct Cpu {
    /// Of the threads that it has now, exactly. What a thread used that has ended since is lost: a daemon has such threads.
    of_threads: f64,
    /// Of the whole process, ended threads included, in steps of 10 ms: too coarse for a host, and two hundred of them
    /// could hide seconds.
    of_process: f64,
}

impl Cpu {
    /// What it used so far.
    ///
    /// # Panics
    /// It has ended.
    pub fn of(process: &Process) -> Self {
        let pid = process.identity.pid;
        let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        let nanoseconds = threads.filter_map(|thread| {
            let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            text.split(' ').next()?.parse::<f64>().ok()
        });
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("a process of ours");
        // The name may have blanks: fields count from its end. The twelfth and thirteenth are utime and stime.
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let ticks: f64 = fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
        Self { of_threads: nanoseconds.sum::<f64>() / 1e6, of_process: ticks * 10.0 }
    }

    /// Milliseconds that were used since `before`: neither way counts too much, so the larger one is nearer.
    pub fn since(self, before: Self) -> f64 {
        (self.of_threads - before.of_threads).max(self.of_process - before.of_process)
    }
}
