//! How to address a pipe to exactly the plugin instances that spoke: their URL and configuration, or not at all.
//!
//! Used by [`super::machine`]. Pure. An address that matches no instance would make zellij load an invisible one, so it
//! is only ever made from what instances said about themselves.

use board_protocol::pipe::PluginHello;

/// The address of plugin instances on zellij's command line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Address {
    /// The URL under which they were loaded.
    pub(crate) location: String,
    /// Their configuration as `k=v,k=v`; `None` when it is empty.
    pub(crate) configuration: Option<String>,
}

impl Address {
    /// The address of an instance; `None` where zellij's command line cannot say it (a comma anywhere, an equals sign in
    /// a key, a line break), or where it would not mean the same (an alias carries a directory that nobody can name).
    pub(crate) fn of(hello: &PluginHello) -> Option<Self> {
        let sayable = |text: &str| !text.contains([',', '\n', '\r', '\0']);
        let plain = hello.configuration.iter().all(|(key, value)| {
            sayable(key) && sayable(value) && !key.is_empty() && !key.contains('=') && !value.is_empty()
        });
        let located = hello.location.starts_with("file:/") && !hello.location.contains(['\n', '\r', '\0']);
        if !plain || !located {
            return None;
        }
        let pairs: Vec<String> =
            hello.configuration.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let configuration = (!pairs.is_empty()).then(|| pairs.join(","));
        Some(Self { location: hello.location.clone(), configuration })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board_protocol::hello::BOARD_PROTOCOL;

    fn hello(location: &str, configuration: &[(&str, &str)]) -> PluginHello {
        PluginHello {
            versions: BOARD_PROTOCOL,
            build: "0".into(),
            server_pid: 1,
            client_id: 1,
            location: location.into(),
            configuration: configuration.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect(),
            session_name: None,
            up_pipe: String::new(),
        }
    }

    #[test]
    fn only_what_the_command_line_can_say_is_an_address() {
        let said =
            Address::of(&hello("file:/d/a b.wasm", &[("root", "/r=1"), ("attach_in", "tab")])).unwrap();
        assert_eq!(said.configuration.as_deref(), Some("attach_in=tab,root=/r=1"));
        assert_eq!(Address::of(&hello("file:/p.wasm", &[])).unwrap().configuration, None);
        for (location, key, value) in [
            ("file:/p.wasm", "root", "/a,b"),
            ("file:/p.wasm", "ro=ot", "x"),
            ("file:/p.wasm", "", "x"),
            ("file:/p.wasm", "root", ""),
            ("file:/p.wasm", "root", "a\nb"),
            ("agent-board", "root", "/r"),
            ("file:/p\n.wasm", "root", "/r"),
        ] {
            assert_eq!(Address::of(&hello(location, &[(key, value)])), None, "{location} {key} {value}");
        }
    }
}
