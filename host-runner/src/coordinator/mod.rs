//! Which commands are allowed (pure), and the single writer of state.
