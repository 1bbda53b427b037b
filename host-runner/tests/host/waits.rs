//! Terminals of agents and the waits on them, at a real host with a real PTY (reference G).

use crate::support::{
    Agent, Board,
    agent::{found, terminal},
};

#[test]
fn g1_text_that_is_there_already_is_found_at_once_and_text_that_comes_later_when_it_comes() {
    let board = Board::new();
    let host = terminal(&board, "echo one; read -r line; echo \"got <$line>\"; read -r line");
    let mut agent = Agent::connect(&host);
    assert_eq!(agent.see("o.e"), (0, 0, "one".into()));
    assert_eq!(agent.see("^ne|one$"), (0, 0, "one".into()), "again: it is still there");
    let id = agent.wait_for(r"got <(\w+)>");
    agent.send("words\r");
    let (line, column, matched) = found(agent.end(id));
    assert_eq!((line, column, matched.as_str()), (2, 0, "got <words>"));
    let page = agent.read(Some(0), 10);
    assert_eq!(page.lines, ["one", "words", "got <words>"]);
    assert_eq!((page.from, page.total_lines, page.oldest_line), (0, 3, 0));
}
