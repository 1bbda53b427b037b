//! The checks on scenes of their own.
