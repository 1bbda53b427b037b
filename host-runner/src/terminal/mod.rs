//! The canonical terminal: vt100 behind one file, snapshots, output ring. Pure.
