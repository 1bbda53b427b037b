//! Looks for code references: one thread that asks git about directories and reads the person's own providers.
//!
//! Called by `dispatch`; what was found goes into the inbox. A look that finds no place in the queue is dropped: the end of
//! the next turn asks again. It decides nothing.

use crate::{
    config,
    coordinator::{Input, LookForReferences},
    refs::{
        Snapshot,
        custom::Cache,
        extract::{Ran, Sources, extract},
        git::{self, Checkout},
        provider::Provider,
    },
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    time::{Duration, Instant},
};
use tokio::sync::mpsc;

/// Looks that wait: more turns than this do not end at once.
const WAITING: usize = 64;
/// How long the answer of git about a directory counts (reference A.12).
const FRESH_FOR: Duration = Duration::from_secs(60);
/// Directories whose answer is remembered.
const REMEMBERED: usize = 256;

/// The thread that looks.
#[derive(Debug)]
pub(super) struct Referrer {
    /// `None` where nobody wants references.
    looks: Option<SyncSender<LookForReferences>>,
}

impl Referrer {
    /// Starts the thread, if it is wanted.
    pub(super) fn new(wanted: config::CodeRefs, inbox: mpsc::Sender<Input>) -> Self {
        if wanted == config::CodeRefs::Off {
            return Self { looks: None };
        }
        let (looks, waiting) = sync_channel(WAITING);
        let worker = Worker {
            inbox,
            providers: Cache::default(),
            directory: config::directory(),
            checkouts: BTreeMap::new(),
        };
        let started =
            std::thread::Builder::new().name("references".to_owned()).spawn(move || worker.work(&waiting));
        if let Err(error) = &started {
            tracing::warn!(%error, "no thread that looks for references");
        }
        Self { looks: started.is_ok().then_some(looks) }
    }

    /// Takes a look, or drops it. Never waits.
    pub(super) fn look(&self, look: LookForReferences) {
        if let Some(looks) = &self.looks {
            let _ = looks.try_send(look);
        }
    }
}

struct Worker {
    inbox: mpsc::Sender<Input>,
    providers: Cache,
    directory: Option<PathBuf>,
    checkouts: BTreeMap<String, (Instant, Checkout)>,
}

impl Worker {
    /// Until the daemon ends.
    fn work(mut self, looks: &Receiver<LookForReferences>) {
        while let Ok(look) = looks.recv() {
            let checkout = self.checkout(&look.cwd);
            let (providers, complaints) = self.providers.providers(self.directory.as_deref());
            let found = found(&look, &checkout, providers);
            let told = Input::ReferencesFound { session: look.session, found: Box::new(found), complaints };
            if self.inbox.blocking_send(told).is_err() {
                return;
            }
        }
    }

    /// What git says about a directory, once a minute.
    fn checkout(&mut self, cwd: &str) -> Checkout {
        if let Some((at, known)) = self.checkouts.get(cwd)
            && at.elapsed() < FRESH_FOR
        {
            return known.clone();
        }
        let path = std::env::var_os("PATH");
        let checkout = git::look(Path::new(cwd), path.as_deref());
        if self.checkouts.len() >= REMEMBERED {
            self.checkouts.clear();
        }
        self.checkouts.insert(cwd.to_owned(), (Instant::now(), checkout.clone()));
        checkout
    }
}

fn found(look: &LookForReferences, checkout: &Checkout, providers: &[Provider]) -> Snapshot {
    let Some(provider) = Provider::of(providers, checkout.remote.as_ref()) else {
        return Snapshot::default();
    };
    let commands: Vec<_> = look.commands.iter().map(|(line, output)| Ran { line, output }).collect();
    let texts: Vec<_> = look.texts.iter().map(String::as_str).collect();
    let sources = Sources {
        commands: &commands,
        texts: &texts,
        branch: checkout.branch.as_deref(),
        worktree: checkout.worktree.as_deref(),
        remote: checkout.remote.as_ref(),
    };
    extract(&sources, provider)
}
