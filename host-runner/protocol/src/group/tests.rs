//! Where rows stand, whatever the order in which they come.

use super::*;
use crate::samples::row;
use proptest::prelude::*;

fn shape<'a>(groups: &[Group<'a>]) -> Vec<(SemanticState, &'a str, Vec<&'a str>)> {
    let folders = groups.iter().flat_map(|group| group.folders.iter().map(|folder| (group.state, folder)));
    folders
        .map(|(state, folder)| {
            (state, folder.cwd, folder.rows.iter().map(|nest| nest.row.name.as_str()).collect())
        })
        .collect()
}

fn at(n: u32, state: SemanticState, cwd: &str, created: u64) -> Row {
    Row { state, cwd: cwd.into(), created_at_ms: UnixMs(created), ..row(n) }
}

#[test]
fn states_then_folders_then_rows() {
    use SemanticState as S;
    let mut rows = [
        at(1, S::Failed, "/b", 5),
        at(2, S::Working, "/b", 9),
        at(3, S::Working, "/a", 7),
        at(4, S::Working, "/b", 8),
        at(5, S::Working, "/c", 6),
        at(6, S::Queued, "/a", 50),
    ];
    let order = [
        (S::Queued, "/a", vec!["task-6"]),
        (S::Working, "/c", vec!["task-5"]),
        (S::Working, "/a", vec!["task-3"]),
        (S::Working, "/b", vec!["task-4", "task-2"]),
        (S::Failed, "/b", vec!["task-1"]),
    ];
    let groups = grouped(&rows);
    assert_eq!(shape(&groups), order);
    assert_eq!(groups.iter().map(Group::spans_folders).collect::<Vec<_>>(), [false, true, false]);
    assert_eq!(groups.iter().map(Group::len).sum::<usize>(), rows.len());
    // A pinned row comes first in its folder, and its folder first in the state.
    rows[1].pinned = true;
    let working: Vec<_> =
        shape(&grouped(&rows)).into_iter().filter(|(state, ..)| *state == S::Working).collect();
    assert_eq!(working[0], (S::Working, "/b", vec!["task-2", "task-4"]));
    assert!(grouped(&[]).is_empty());
}

/// A terminal of the session with that number.
fn below(parent: u32, terminal: Row) -> Row {
    Row { parent: Some(row(parent).id), ..terminal }
}

/// Every row by its name as a list shows it, terminals behind a blank.
fn lines(groups: &[Group<'_>]) -> Vec<String> {
    let nests = groups.iter().flat_map(|group| &group.folders).flat_map(|folder| &folder.rows);
    nests
        .flat_map(|nest| {
            let terminals = nest.terminals.iter().map(|terminal| format!(" {}", terminal.name));
            std::iter::once(nest.row.name.clone()).chain(terminals)
        })
        .collect()
}

#[test]
fn g3_terminals_stand_below_their_session_and_in_no_group() {
    use SemanticState as S;
    // The terminals come in any order, run while their session is idle, are elsewhere, and one is pinned: none of it moves them.
    let rows = [
        Row { pinned: true, ..below(2, at(5, S::Working, "/elsewhere", 30)) },
        at(1, S::Idle, "/a", 1),
        below(2, at(4, S::Failed, "/a", 20)),
        at(2, S::Idle, "/a", 2),
        below(2, at(3, S::Working, "/a", 10)),
        at(6, S::Idle, "/a", 3),
    ];
    let groups = grouped(&rows);
    assert_eq!(lines(&groups), ["task-1", "task-2", " task-3", " task-4", " task-5", "task-6"]);
    assert_eq!(groups.iter().map(|group| (group.state, group.len())).collect::<Vec<_>>(), [(S::Idle, 3)]);
    // A filter asks about sessions: theirs come and go with them.
    let running = |row: &Row| row.state == S::Working;
    assert!(grouped_where(&rows, running).is_empty());
    let second = |row: &Row| row.name == "task-2";
    assert_eq!(lines(&grouped_where(&rows, second)), ["task-2", " task-3", " task-4", " task-5"]);
}

#[test]
fn g3_a_terminal_without_its_session_stands_behind_the_rows_of_its_state() {
    use SemanticState as S;
    let rows = [
        Row { pinned: true, ..below(9, at(1, S::Working, "/a", 1)) },
        below(9, at(2, S::Working, "/orphans", 2)),
        at(3, S::Working, "/a", 8),
        at(4, S::Working, "/b", 9),
        // Its session is a terminal itself: there is one level.
        below(1, at(5, S::Working, "/b", 3)),
    ];
    let groups = grouped(&rows);
    assert_eq!(
        shape(&groups),
        [
            (S::Working, "/a", vec!["task-3", "task-1"]),
            (S::Working, "/b", vec!["task-4", "task-5"]),
            (S::Working, "/orphans", vec!["task-2"]),
        ]
    );
    assert_eq!(groups[0].len(), 5);
    assert_eq!(lines(&grouped_where(&rows, |row| row.cwd == "/orphans")), ["task-2"]);
}

#[test]
fn g3_places_say_where_the_board_has_to_put_its_own_rows() {
    use SemanticState as S;
    let rows = [
        below(2, at(1, S::Idle, "/", 9)),
        at(2, S::Idle, "/", 3),
        below(2, at(3, S::Idle, "/", 4)),
        below(8, at(4, S::Idle, "/", 1)),
    ];
    let nesting = Nesting::of(rows.iter());
    let standings: Vec<Standing> = (0..rows.len()).map(|place| nesting.standing(place)).collect();
    assert_eq!(standings, [Standing::Below, Standing::Own, Standing::Below, Standing::Orphan]);
    assert_eq!(nesting.below(1), [2, 0]);
    assert!(nesting.below(0).is_empty());
    assert_eq!(Nesting::of(rows[1..2].iter()), Nesting::default());
}

fn any_rows() -> impl Strategy<Value = Vec<Row>> {
    let owner = prop::option::of(0_u32..50);
    let one = (0_usize..8, 0_u8..4, any::<bool>(), 0_u64..5, any::<u64>(), owner);
    prop::collection::vec(one, 0..40).prop_map(|rows| {
        let row = |(n, (state, folder, pinned, created, active, owner))| Row {
            pinned,
            last_activity_at_ms: UnixMs(active),
            parent: Option::<u32>::map(owner, |owner| row(owner).id),
            ..at(n, SemanticState::ALL[state], &format!("/{folder}"), created)
        };
        (0..).zip(rows).map(row).collect()
    })
}

proptest! {
    #[test]
    fn every_row_stands_once_and_neither_activity_nor_arrival_moves_it(rows in any_rows(), turn in 0_usize..40) {
        let groups = grouped(&rows);
        let mut names = lines(&groups);
        prop_assert_eq!(names.len(), rows.len());
        let mut other: Vec<Row> = rows.iter().cloned().map(|row| Row { last_activity_at_ms: UnixMs(1), ..row }).collect();
        if !other.is_empty() {
            let by = turn % other.len();
            other.rotate_left(by);
        }
        prop_assert_eq!(shape(&groups), shape(&grouped(&other)));
        prop_assert_eq!(&names, &lines(&grouped(&other)));
        for name in &mut names {
            *name = name.trim_start().to_owned();
        }
        names.sort_unstable();
        names.dedup();
        prop_assert_eq!(names.len(), rows.len());
        prop_assert!(groups.is_sorted_by_key(|group| group.state));
    }
}
