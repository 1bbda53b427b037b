//! Whose size the session has: pure.
//!
//! The size belongs to the interactive client that typed last, or attached first while nobody typed; when it leaves, to
//! the most recent of the others (field reports E1, E5). Readers never decide. With nobody left the size stays.

use super::client::ClientId;
use board_protocol::ids::Size;

/// What one interactive client wants.
#[derive(Debug)]
struct Claim {
    id: ClientId,
    size: Size,
    /// The size of its pane, while it has asked for one cell less so that the program draws (reference E.12).
    shrunk_from: Option<Size>,
}

/// The interactive clients, and who decides.
#[derive(Debug, Default)]
pub(super) struct SizePolicy {
    /// In the order of their claim: the last one decides.
    claims: Vec<Claim>,
    /// What a client that is gone meant to give back.
    given_back: Option<Size>,
    /// What the agent that owns the terminal asked for: it counts while no person decides.
    asked: Option<Size>,
}

impl SizePolicy {
    /// An interactive client came. It decides only if it is alone.
    pub(super) fn attached(&mut self, id: ClientId, size: Size) {
        self.claims.insert(0, Claim { id, size, shrunk_from: None });
    }

    /// It typed: from here on it decides.
    pub(super) fn typed(&mut self, id: ClientId) {
        if self.owner() == Some(id) {
            return;
        }
        if let Some(at) = self.claims.iter().position(|claim| claim.id == id) {
            let claim = self.claims.remove(at);
            self.claims.push(claim);
        }
    }

    /// Its pane has another size, or it has the program draw.
    pub(super) fn resized(&mut self, id: ClientId, size: Size, sight: Sight) {
        if let Some(claim) = self.claims.iter_mut().find(|claim| claim.id == id) {
            let shrinks = sight == Sight::Unnumbered && is_one_less(size, claim.size);
            claim.shrunk_from = shrinks.then_some(claim.size);
            claim.size = size;
        }
    }

    /// The agent that owns the terminal wants this size.
    pub(super) fn asked(&mut self, size: Size) {
        self.asked = Some(size);
    }

    /// It is gone. One that was killed while it held the size a cell smaller leaves the size of its pane, as it would have
    /// done itself.
    pub(super) fn left(&mut self, id: ClientId) {
        if let Some(at) = self.claims.iter().position(|claim| claim.id == id) {
            self.given_back = self.claims.remove(at).shrunk_from;
        }
    }

    /// Who decides.
    pub(super) fn owner(&self) -> Option<ClientId> {
        self.claims.last().map(|claim| claim.id)
    }

    /// The size that the session should have; `None` leaves it alone.
    pub(super) fn wanted(&mut self) -> Option<Size> {
        let given_back = self.given_back.take();
        self.claims.last().map(|claim| claim.size).or(self.asked).or(given_back).map(Size::clamped)
    }
}

/// How a client sees the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    /// By snapshots: it never shrinks a session that it only looks at.
    Snapshots,
    /// As output comes: the program has to draw for it.
    Unnumbered,
}

/// Whether a size is what the controller of reference E.12 asks for in a pane of the other one.
fn is_one_less(size: Size, pane: Size) -> bool {
    let less = |now: u16, before: u16| now == before || now.checked_add(1) == Some(before);
    size != pane && less(size.cols, pane.cols) && less(size.rows, pane.rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: ClientId = ClientId(1);
    const B: ClientId = ClientId(2);
    const C: ClientId = ClientId(3);

    fn size(cols: u16) -> Size {
        Size { cols, rows: 30 }
    }

    // Field report E1: the size followed whoever attached last, and stayed when they left.
    #[test]
    fn e1_the_first_client_decides_until_another_types_and_again_when_that_one_leaves() {
        let mut policy = SizePolicy::default();
        assert_eq!(policy.wanted(), None);
        policy.attached(A, size(80));
        policy.attached(B, size(200));
        assert_eq!(policy.wanted(), Some(size(80)));
        policy.typed(B);
        assert_eq!(policy.wanted(), Some(size(200)));
        policy.left(B);
        assert_eq!(policy.wanted(), Some(size(80)));
        policy.left(A);
        assert_eq!(policy.wanted(), None);
    }

    #[test]
    fn only_the_owners_resize_counts_and_the_last_typist_inherits() {
        let mut policy = SizePolicy::default();
        for (id, cols) in [(A, 80), (B, 90), (C, 100)] {
            policy.attached(id, size(cols));
        }
        policy.resized(B, size(91), Sight::Snapshots);
        assert_eq!(policy.wanted(), Some(size(80)));
        policy.typed(C);
        policy.typed(B);
        assert_eq!(policy.wanted(), Some(size(91)));
        policy.left(B);
        assert_eq!(policy.owner(), Some(C));
        policy.typed(ClientId(9));
        assert_eq!(policy.owner(), Some(C), "an unknown client decides nothing");
        policy.resized(C, Size { cols: 1, rows: 1 }, Sight::Snapshots);
        assert_eq!(policy.wanted(), Some(Size { cols: 20, rows: 5 }));
    }

    // A client without snapshots was killed while it held the size: the session stayed a cell too small.
    #[test]
    fn who_is_gone_while_it_holds_a_smaller_size_gives_it_back() {
        let whole = Size { cols: 80, rows: 24 };
        for less in [Size { cols: 79, rows: 23 }, Size { cols: 80, rows: 23 }, Size { cols: 79, rows: 24 }] {
            let mut policy = SizePolicy::default();
            policy.attached(A, whole);
            policy.resized(A, less, Sight::Unnumbered);
            assert_eq!(policy.wanted(), Some(less));
            policy.left(A);
            assert_eq!(policy.wanted(), Some(whole), "{less:?}");
            assert_eq!(policy.wanted(), None, "once");
        }
        // A pane that became smaller, one that became a cell smaller with a snapshot in it, and one that was given back.
        let table = [
            (vec![Size { cols: 78, rows: 24 }], Sight::Unnumbered),
            (vec![Size { cols: 79, rows: 24 }], Sight::Snapshots),
            (vec![Size { cols: 79, rows: 23 }, whole], Sight::Unnumbered),
        ];
        for (sizes, sight) in table {
            let mut policy = SizePolicy::default();
            policy.attached(A, whole);
            for size in &sizes {
                policy.resized(A, *size, sight);
            }
            policy.left(A);
            assert_eq!(policy.wanted(), None, "{sizes:?}");
        }
        // Another client decides then.
        let mut policy = SizePolicy::default();
        policy.attached(A, whole);
        policy.attached(B, size(100));
        policy.resized(A, Size { cols: 79, rows: 23 }, Sight::Unnumbered);
        policy.left(A);
        assert_eq!(policy.wanted(), Some(size(100)));
        policy.left(B);
        assert_eq!(policy.wanted(), None);
    }

    #[test]
    fn g4_what_the_agent_asked_for_counts_while_nobody_is_attached() {
        let mut policy = SizePolicy::default();
        policy.asked(Size { cols: 2000, rows: 1 });
        assert_eq!(policy.wanted(), Some(Size { cols: 1000, rows: 5 }));
        policy.attached(A, size(80));
        assert_eq!(policy.wanted(), Some(size(80)));
        policy.asked(size(200));
        assert_eq!(policy.wanted(), Some(size(80)), "a person decides");
        policy.left(A);
        assert_eq!(policy.wanted(), Some(size(200)));
    }
}
