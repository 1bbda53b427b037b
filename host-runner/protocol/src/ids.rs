//! Names, numbers and times that cross a process boundary, each in a type of its own.
//!
//! Ids are made by the shells (`uuid`, the kernel), never here; here they are only carried and parsed.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

macro_rules! sequence {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl $name {
            /// The number that follows this one.
            pub fn next(self) -> Self {
                Self(self.0.saturating_add(1))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    };
}

text_id! {
    /// One session (a row of the board): ten lowercase hexadecimal digits, never reused.
    SessionId
}
text_id! {
    /// One command, chosen by who sends it; the same id is never carried out twice, restarts included.
    CommandId
}
text_id! {
    /// One boot of a daemon or of a host (a UUID). Sequence numbers count inside a generation only.
    Generation
}
text_id! {
    /// Words of a person that wait for an agent: ten lowercase hexadecimal digits, unique on the board.
    QueueItemId
}
text_id! {
    /// One headless run of a session, chosen by who starts it; never reused.
    RunId
}
text_id! {
    /// The secret that an event must carry to be believed as this session's (32 hexadecimal digits).
    Token
}
sequence! {
    /// The number of an output chunk of one host, from 1, without gaps inside a generation.
    OutputSeq
}
sequence! {
    /// The number of a state of the board inside one daemon generation.
    BoardSeq
}
sequence! {
    /// The number of a fact that a host reports, from 1 inside a generation; what makes a second delivery harmless.
    FactSeq
}

impl SessionId {
    /// Digits of an id.
    pub const LENGTH: usize = 10;

    /// Parses a complete id. `None` when it is not ten lowercase hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let well_formed =
            text.len() == Self::LENGTH && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        well_formed.then(|| Self(text.to_owned()))
    }
}

/// A moment of the wall clock: milliseconds since 1970-01-01 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnixMs(pub u64);

impl UnixMs {
    /// Milliseconds from `earlier` to this moment; zero when the clock went backwards between them.
    pub fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// A process that cannot be confused with a later one that got the same pid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ProcessIdentity {
    /// The kernel's process id.
    pub pid: u32,
    /// Field 22 of `/proc/<pid>/stat`: clock ticks between machine boot and the start of the process.
    pub start_ticks: u64,
}

/// A size in terminal cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Size {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
}

impl Size {
    /// The size of a session that nobody looked at yet (reference A.6).
    pub const DEFAULT: Self = Self { cols: 120, rows: 36 };

    /// Pulls a size into what a session's terminal may have: 20 to 1000 columns, 5 to 500 rows (reference D.5).
    pub fn clamped(self) -> Self {
        Self { cols: self.cols.clamp(20, 1000), rows: self.rows.clamp(5, 500) }
    }

    /// Parses `COLSxROWS`, as `start --size` takes it.
    pub fn parse(text: &str) -> Option<Self> {
        let (cols, rows) = text.split_once(['x', 'X'])?;
        Some(Self { cols: cols.parse().ok()?, rows: rows.parse().ok()? })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.cols, self.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_id_is_ten_lowercase_hex_digits() {
        assert!(SessionId::parse("0123456789").is_some());
        for bad in ["", "012345678", "01234567890", "ABCDEF0123", "012345678g", "../../etc/"] {
            assert_eq!(SessionId::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn sizes_are_parsed_and_clamped() {
        assert_eq!(Size::parse("80x24"), Some(Size { cols: 80, rows: 24 }));
        for bad in ["", "80", "x", "80x", "-1x5", "80x24x2", "99999999x1"] {
            assert_eq!(Size::parse(bad), None, "{bad:?}");
        }
        assert_eq!(Size { cols: 1, rows: 9999 }.clamped(), Size { cols: 20, rows: 500 });
    }
}
