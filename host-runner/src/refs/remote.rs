//! The address of a remote repository: its host and its path, whatever the spelling. Pure.
//!
//! Called by [`super::git`]; [`super::provider`] compares what it gives. A spelling that it does not know is no remote.

/// Longest address that is read, in bytes.
const MAX_ADDRESS: usize = 2_000;

/// A repository on some host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// The host in lower case, without user and port.
    pub host: String,
    /// The path without `.git`, with all its groups: `group/subgroup/project`.
    pub path: String,
}

impl Remote {
    /// Reads `https://host/owner/name.git`, `ssh://git@host:22/owner/name` or `git@host:owner/name.git`. `None` for a
    /// directory, and for anything else that names no host.
    pub fn parse(address: &str) -> Option<Self> {
        let address = address.trim();
        if address.len() > MAX_ADDRESS || address.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return None;
        }
        let (authority, path) = match address.split_once("://") {
            Some(("http" | "https" | "ssh" | "git" | "git+ssh", rest)) => rest.split_once('/')?,
            Some(_) => return None,
            // The form of scp: a host and a path with a colon between them. A slash before it makes it a file name.
            None => address.split_once(':').filter(|(host, _)| !host.contains('/'))?,
        };
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let host = host.split(':').next().unwrap_or_default().to_lowercase();
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        let named = host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))
            && host.contains(|c: char| c.is_ascii_alphanumeric());
        (named && path.contains('/')).then(|| Self { host, path: path.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a12_every_spelling_of_a_remote_gives_its_host_and_all_its_groups() {
        let table = [
            ("https://github.com/o/r.git", Some(("github.com", "o/r"))),
            ("https://GitHub.com/o/r/", Some(("github.com", "o/r"))),
            ("https://user:secret@git.example.org:8443/a/b/c.git", Some(("git.example.org", "a/b/c"))),
            ("git@gitlab.com:group/sub/project.git", Some(("gitlab.com", "group/sub/project"))),
            ("ssh://git@gitlab.example.org:2222/group/p", Some(("gitlab.example.org", "group/p"))),
            ("  git@h:o/r\n", Some(("h", "o/r"))),
            ("/srv/git/o/r.git", None),
            ("./a:b/c", None),
            ("file:///srv/o/r", None),
            ("https://github.com", None),
            ("git@h:r", None),
            ("git@h:o/r x", None),
            ("", None),
        ];
        for (address, expected) in table {
            let found = Remote::parse(address);
            let found = found.as_ref().map(|remote| (remote.host.as_str(), remote.path.as_str()));
            assert_eq!(found, expected, "{address:?}");
        }
        assert_eq!(Remote::parse(&format!("git@h:o/{}", "r".repeat(3_000))), None);
    }
}
