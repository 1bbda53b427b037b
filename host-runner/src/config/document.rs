//! `docs/configuration.md`, written from the table of settings so that it cannot say anything else.

use super::{Config, KEYS};
use serde_json::Value;
use std::fmt::Write;

/// The whole page.
pub(crate) fn page() -> String {
    let mut page = String::from(HEAD);
    for key in &KEYS {
        let default = match key.kind.value(&Config::default()) {
            Value::Null => "unset".to_owned(),
            value => format!("`{value}`"),
        };
        let takes = match key.unit {
            Some(unit) => format!("{} ({})", key.kind.takes(), unit()),
            None => key.kind.takes(),
        };
        // Writing to a String cannot fail.
        let _ = write!(
            page,
            "\n## `{}`\n\n{}\n\n- Takes: {takes}\n- Default: {default}\n- Environment: `{}`\n- A change counts {}.\n",
            key.name,
            (key.meaning)(),
            key.variable(),
            key.consumer.counts(),
        );
    }
    page
}

const HEAD: &str = "\
# Configuration

Everything works without a configuration. What can be set stands in `$XDG_CONFIG_HOME/agent-board/config.toml`
(`~/.config/agent-board/config.toml` where that variable is unset), one `key = value` a line:

```toml
history_lines = 5000
size = \"160x48\"
```

The environment wins over the file, and the file over the default. An unknown key, a bad value or a file that is no TOML
is a warning on the board and in `host-runner doctor`; nothing refuses to start because of it. A number outside its range
is pulled into it.

`host-runner config` prints every key with its value and where that comes from, `host-runner config --path` the path of
the file.

This page is generated: change the table in `host-runner/src/config/keys.rs`, then run
`UPDATE_DOCS=1 cargo test -p host-runner --lib config::`.
";
