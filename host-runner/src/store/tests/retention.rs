//! A journal that stays short and never loses its fold.

use super::*;
use crate::store::{GROWTH_BYTES, KEPT_MS, MAX_JOURNAL_BYTES};
use proptest::prelude::*;

/// A time at which everything that the samples say happened is older than a day.
const LATER: UnixMs = UnixMs(KEPT_MS + 1_000_000);

fn rename(id: &str, at: u64, name: &str) -> Fact {
    fact(id, at, FactKind::SessionRenamed { name: name.into() })
}

fn rows(store: &Store, table: &str) -> i64 {
    store.connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

fn prune_all(store: &mut Store, now: UnixMs, sessions: &Sessions) -> usize {
    let mut damages = 0;
    loop {
        let pruned = store.prune(now, sessions).unwrap();
        damages += pruned.damages.len();
        if !pruned.more {
            return damages;
        }
    }
}

fn assert_folds(store: &Store, sessions: &Sessions) {
    let replayed = store.replay(None).unwrap();
    assert_eq!(replayed.unreadable, Vec::<i64>::new());
    assert_eq!(&replayed.sessions, sessions);
}

#[test]
fn old_facts_go_into_the_checkpoint_and_young_ones_stay() {
    let directory = tempfile::tempdir().unwrap();
    let mut sessions = twenty(directory.path());
    let Opened { mut store, .. } = open(directory.path());
    let young = LATER.0 - 5;
    commit(&mut store, &mut sessions, vec![rename(&id(3), young, "young")]);
    commit(&mut store, &mut sessions, vec![fact(&id(4), young, FactKind::SessionRemoved)]);
    assert_eq!(rows(&store, "journal"), 62);
    assert_eq!(prune_all(&mut store, LATER, &sessions), 0);
    assert_eq!(rows(&store, "journal"), 2, "what is younger than a day stays");
    assert_folds(&store, &sessions);
    // Everything old now: only the checkpoint is left, and numbers go on.
    assert_eq!(prune_all(&mut store, UnixMs(LATER.0 + KEPT_MS), &sessions), 0);
    assert_eq!(rows(&store, "journal"), 0);
    assert_folds(&store, &sessions);
    assert!(store.ever_knew(&session(&id(4))).unwrap(), "a removed session stays known");
    drop(store);
    let Opened { mut store, loaded } = open(directory.path());
    assert_eq!((&loaded.sessions, loaded.warnings), (&sessions, Vec::new()));
    commit(&mut store, &mut sessions, vec![rename(&id(3), young, "again")]);
    let seq: i64 = store.connection.query_row("SELECT seq FROM journal", [], |row| row.get(0)).unwrap();
    assert_eq!(seq, 63);
    assert_folds(&store, &sessions);
}

#[test]
fn a_look_comes_after_growth_and_not_before() {
    let directory = tempfile::tempdir().unwrap();
    let Opened { mut store, .. } = open(directory.path());
    let mut sessions = Sessions::new();
    commit(&mut store, &mut sessions, vec![begin(&id(1), "one")]);
    assert!(!store.wants_pruning());
    let mut written = 0;
    while written < GROWTH_BYTES {
        assert!(!store.must_prune());
        let facts: Vec<Fact> = (0..50).map(|n| rename(&id(1), n, "a name")).collect();
        written += facts.iter().map(|fact| serde_json::to_string(fact).unwrap().len() as u64).sum::<u64>();
        commit(&mut store, &mut sessions, facts);
    }
    assert!(store.wants_pruning());
    prune_all(&mut store, LATER, &sessions);
    assert!(!store.wants_pruning());
    assert_folds(&store, &sessions);
}

#[test]
fn a_damaged_record_is_mended_from_the_checkpoint() {
    let directory = tempfile::tempdir().unwrap();
    let sessions = twenty(directory.path());
    let Opened { mut store, .. } = open(directory.path());
    prune_all(&mut store, LATER, &sessions);
    drop(store);
    sql(directory.path(), "UPDATE sessions SET record = 'garbage' WHERE session = '0000000007'");
    let Opened { loaded, .. } = open(directory.path());
    assert_eq!(loaded.sessions, sessions);
    assert_eq!(loaded.damages.len(), 1);
    assert_eq!((&loaded.damages[0].0, loaded.damages[0].1), (&session(&id(7)), "record_rebuilt"));
}

// Field report A30: one record in twenty is damaged.
#[test]
fn a30_a_damaged_fact_or_checkpoint_is_quarantined_and_costs_no_row() {
    let directory = tempfile::tempdir().unwrap();
    let sessions = twenty(directory.path());
    sql(directory.path(), "UPDATE journal SET fact = '{\"oops' WHERE session = '0000000007' AND at_ms = 20");
    let Opened { mut store, .. } = open(directory.path());
    let damages = store.prune(LATER, &sessions).unwrap().damages;
    assert_eq!(damages.len(), 1, "{damages:?}");
    assert_eq!(damages[0].0, session(&id(7)));
    assert_folds(&store, &sessions);
    assert_eq!(rows(&store, "quarantine"), 1);
    // The same with the checkpoint's record, which is met when the session's next fact is folded.
    drop(store);
    sql(directory.path(), "UPDATE checkpoint SET record = 'garbage' WHERE session = '0000000008'");
    let Opened { mut store, .. } = open(directory.path());
    let mut sessions = sessions;
    commit(&mut store, &mut sessions, vec![rename(&id(8), 50, "eight")]);
    assert_eq!(prune_all(&mut store, LATER, &sessions), 1);
    assert_folds(&store, &sessions);
}

// Field report F8: an endless loop of events filled the disk. A fifth of the report's million, through the same code and in
// batches as large as the daemon's; a year of them, so that most are old when they are looked at.
#[test]
fn f8_the_file_stays_under_its_cap_however_many_events_come() {
    /// How many come; AGENT_BOARD_F8_EVENTS says another number.
    const EVENTS: u64 = 200_000;
    const BATCH: u64 = 512;
    /// The journal's bytes with their index, the log beside it, and as much again for pages that are free between two looks.
    const CAP_BYTES: u64 = 4 * MAX_JOURNAL_BYTES;
    let events = std::env::var("AGENT_BOARD_F8_EVENTS").map_or(EVENTS, |text| text.parse().unwrap());
    let directory = tempfile::tempdir().unwrap();
    let Opened { mut store, .. } = open(directory.path());
    let mut sessions = Sessions::new();
    let ids: Vec<String> = (0..20).map(id).collect();
    commit(&mut store, &mut sessions, ids.iter().map(|id| begin(id, "sample")).collect());
    let size = |directory: &Path| -> u64 {
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum()
    };
    let mut largest = 0;
    let long = "w".repeat(400);
    for first in (0..events).step_by(BATCH as usize) {
        // All within one day: only the limit of bytes can end it.
        let facts = (first..events.min(first + BATCH))
            .map(|n| rename(&ids[(n % 20) as usize], 1_000 + n, &format!("{n} {long}")))
            .collect();
        commit(&mut store, &mut sessions, facts);
        while store.wants_pruning() {
            store.prune(UnixMs(events), &sessions).unwrap();
        }
        largest = largest.max(size(directory.path()));
    }
    assert!(largest < CAP_BYTES, "{largest} bytes");
    assert!(rows(&store, "journal") > 1000, "the young ones are still there");
    assert_folds(&store, &sessions);
}

// On a network file system there is no WAL, and a reader that stays would keep the writer out.
#[test]
fn an_export_without_a_write_ahead_log_reads_a_copy_and_leaves_none() {
    let directory = tempfile::tempdir().unwrap();
    let mut sessions = twenty(directory.path());
    let Opened { mut store, .. } = open(directory.path());
    store.connection.pragma_update(None, "journal_mode", "TRUNCATE").unwrap();
    let mut export = store.export(UnixMs(5)).unwrap();
    commit(&mut store, &mut sessions, vec![rename(&id(3), 50, "too late")]);
    let page = export.page().unwrap();
    assert!(page.last && !page.unfinished);
    assert_eq!(page.lines.len(), 1 + 60 + 20 + 1, "header, facts, records, end");
    assert!(!page.lines.concat().contains("too late"));
    assert!(!directory.path().join("board.db.export").exists());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    // Whatever happened, and whenever somebody looked in between: checkpoint and journal fold into the records.
    #[test]
    fn pruning_at_any_moment_keeps_the_fold(steps in proptest::collection::vec((0..6_usize, 0..5_u8, any::<bool>()), 1..60)) {
        let directory = tempfile::tempdir().unwrap();
        let Opened { mut store, .. } = open(directory.path());
        let mut sessions = Sessions::new();
        for (n, (number, what, prune)) in steps.into_iter().enumerate() {
            let (id, at) = (id(number), n as u64 * (KEPT_MS / 20));
            let kind = match what {
                0 => begin(&id, "sample").kind,
                1 => started(n as u64),
                2 => exited(n as u64, Exit::Code(1)),
                3 => FactKind::SessionRemoved,
                _ => FactKind::SessionRenamed { name: n.to_string() },
            };
            commit(&mut store, &mut sessions, vec![fact(&id, at, kind)]);
            if prune {
                store.prune(UnixMs(at), &sessions).unwrap();
            }
            let replayed = store.replay(None).unwrap();
            prop_assert_eq!(&replayed.sessions, &sessions);
        }
    }
}
