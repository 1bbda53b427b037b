//! `host-runner config`: every setting, its value, where that comes from, and what it means.

use super::{
    Failure,
    session::{self, print},
};
use crate::config::{Config, KEYS, Source, file_path};
use board_text::cli as texts;
use board_text::config as words;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write;

/// Arguments of `config`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("json", |json| json.help("Print one JSON object")))]
pub(super) struct Args {
    #[command(flatten)]
    output: session::Output,
    /// Print the path of the configuration file and nothing else. The file need not exist.
    #[arg(long, conflicts_with = "json")]
    path: bool,
}

/// One setting as printed.
#[derive(Debug, Serialize)]
struct Setting {
    key: &'static str,
    value: Value,
    source: Source,
    variable: String,
    takes: String,
    unit: Option<&'static str>,
    meaning: &'static str,
    counts: &'static str,
}

/// Everything, as printed.
#[derive(Debug, Serialize)]
struct Everything {
    path: Option<String>,
    settings: Vec<Setting>,
    warnings: Vec<String>,
}

/// Carries the command out.
pub(super) fn run(args: Args) -> Result<(), Failure> {
    let path = file_path(|name| std::env::var_os(name));
    if args.path {
        let path = path.ok_or_else(|| Failure::Usage(texts::config_no_directory().into()))?;
        return print(&format!("{}\n", path.display()));
    }
    let everything = everything(&Config::load(), path.map(|path| path.to_string_lossy().into_owned()));
    if args.output.json {
        return session::print_json(&everything);
    }
    print(&text(&everything))
}

fn everything(config: &Config, path: Option<String>) -> Everything {
    let settings = KEYS.iter().map(|key| Setting {
        key: key.name,
        value: key.kind.value(config),
        source: config.source(key),
        variable: key.variable(),
        takes: key.kind.takes(),
        unit: key.unit.map(|unit| unit()),
        meaning: (key.meaning)(),
        counts: key.consumer.counts(),
    });
    Everything { path, settings: settings.collect(), warnings: config.warnings().to_vec() }
}

/// As lines of the file itself, with comments: what is printed can be put into it.
fn text(everything: &Everything) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "# {}", everything.path.as_deref().unwrap_or(words::no_directory()));
    for warning in &everything.warnings {
        let _ = writeln!(out, "# {}", words::warning(warning));
    }
    for setting in &everything.settings {
        let unit = setting.unit.map(|unit| format!(" ({unit})")).unwrap_or_default();
        let _ = writeln!(
            out,
            "\n# {}\n# {}",
            setting.meaning,
            words::takes(&setting.takes, unit, setting.counts)
        );
        let source = match setting.source {
            Source::Default => words::source_default().to_owned(),
            Source::File => words::source_file().to_owned(),
            Source::Environment => words::source_environment(&setting.variable),
        };
        let _ = match &setting.value {
            Value::Null => writeln!(out, "# {}  # {source}", words::is_unset(setting.key)),
            value => writeln!(out, "{} = {value}  # {source}", setting.key),
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_a_file_that_says_the_same() {
        let given = "shell = \"/bin/zsh\"\nsize = \"90x30\"\nhistory_lines = 1";
        let config = Config::parse(Some(given), |name| (name == "AGENT_BOARD_LAYOUT").then(|| "dev".into()));
        let printed = text(&everything(&config, None));
        let again = Config::parse(Some(&printed), |_| None);
        assert!(again.warnings().is_empty(), "{:?}", again.warnings());
        for key in &KEYS {
            assert_eq!(key.kind.value(&again), key.kind.value(&config), "{}", key.name);
        }
        assert!(printed.contains("layout = \"dev\"  # environment: AGENT_BOARD_LAYOUT"), "{printed}");
    }
}
