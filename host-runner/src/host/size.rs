//! Whose size the session has: pure.
//!
//! The size belongs to the interactive client that typed last, or attached first while nobody typed; when it leaves, to
//! the most recent of the others (field reports E1, E5). Readers never decide. With nobody left the size stays.

use super::client::ClientId;
use board_protocol::ids::Size;

/// The interactive clients, and who decides.
#[derive(Debug, Default)]
pub(super) struct SizePolicy {
    /// In the order of their claim: the last one decides.
    claims: Vec<(ClientId, Size)>,
    /// What the agent that owns the terminal asked for: it counts while no person decides.
    asked: Option<Size>,
}

impl SizePolicy {
    /// An interactive client came. It decides only if it is alone.
    pub(super) fn attached(&mut self, id: ClientId, size: Size) {
        self.claims.insert(0, (id, size));
    }

    /// It typed: from here on it decides.
    pub(super) fn typed(&mut self, id: ClientId) {
        if self.owner() == Some(id) {
            return;
        }
        if let Some(at) = self.claims.iter().position(|(claim, _)| *claim == id) {
            let claim = self.claims.remove(at);
            self.claims.push(claim);
        }
    }

    /// Its pane has another size.
    pub(super) fn resized(&mut self, id: ClientId, size: Size) {
        if let Some(claim) = self.claims.iter_mut().find(|(claim, _)| *claim == id) {
            claim.1 = size;
        }
    }

    /// The agent that owns the terminal wants this size.
    pub(super) fn asked(&mut self, size: Size) {
        self.asked = Some(size);
    }

    /// It is gone.
    pub(super) fn left(&mut self, id: ClientId) {
        self.claims.retain(|(claim, _)| *claim != id);
    }

    /// Who decides.
    pub(super) fn owner(&self) -> Option<ClientId> {
        self.claims.last().map(|(id, _)| *id)
    }

    /// The size that the session should have; `None` leaves it alone.
    pub(super) fn wanted(&self) -> Option<Size> {
        self.claims.last().map(|(_, size)| *size).or(self.asked).map(Size::clamped)
    }
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
        policy.resized(B, size(91));
        assert_eq!(policy.wanted(), Some(size(80)));
        policy.typed(C);
        policy.typed(B);
        assert_eq!(policy.wanted(), Some(size(91)));
        policy.left(B);
        assert_eq!(policy.owner(), Some(C));
        policy.typed(ClientId(9));
        assert_eq!(policy.owner(), Some(C), "an unknown client decides nothing");
        policy.resized(C, Size { cols: 1, rows: 1 });
        assert_eq!(policy.wanted(), Some(Size { cols: 20, rows: 5 }));
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
