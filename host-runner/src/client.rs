//! A client of the daemon that starts it where the caller may (decision 17).
