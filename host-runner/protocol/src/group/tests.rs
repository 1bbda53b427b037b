//! Where rows stand, whatever the order in which they come.

use super::*;
use crate::samples::row;
use proptest::prelude::*;

fn shape<'a>(groups: &[Group<'a>]) -> Vec<(SemanticState, &'a str, Vec<&'a str>)> {
    let folders = groups.iter().flat_map(|group| group.folders.iter().map(|folder| (group.state, folder)));
    folders
        .map(|(state, folder)| (state, folder.cwd, folder.rows.iter().map(|row| row.name.as_str()).collect()))
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

fn any_rows() -> impl Strategy<Value = Vec<Row>> {
    let one = (0_usize..8, 0_u8..4, any::<bool>(), 0_u64..5, any::<u64>());
    prop::collection::vec(one, 0..40).prop_map(|rows| {
        let row = |(n, (state, folder, pinned, created, active))| Row {
            pinned,
            last_activity_at_ms: UnixMs(active),
            ..at(n, SemanticState::ALL[state], &format!("/{folder}"), created)
        };
        (0..).zip(rows).map(row).collect()
    })
}

proptest! {
    #[test]
    fn every_row_stands_once_and_neither_activity_nor_arrival_moves_it(rows in any_rows(), turn in 0_usize..40) {
        let groups = grouped(&rows);
        let mut names: Vec<_> = shape(&groups).into_iter().flat_map(|(_, _, names)| names).collect();
        prop_assert_eq!(names.len(), rows.len());
        let mut other: Vec<Row> = rows.iter().cloned().map(|row| Row { last_activity_at_ms: UnixMs(1), ..row }).collect();
        if !other.is_empty() {
            let by = turn % other.len();
            other.rotate_left(by);
        }
        prop_assert_eq!(shape(&groups), shape(&grouped(&other)));
        names.sort_unstable();
        names.dedup();
        prop_assert_eq!(names.len(), rows.len());
        prop_assert!(groups.is_sorted_by_key(|group| group.state));
    }
}
