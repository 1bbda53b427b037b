//! Every key by the table: default, file, environment, bad values, ranges; and the page that follows from it.

use super::*;
use serde_json::{Value, json};
use std::{collections::BTreeSet, fs};

fn nothing(_: &str) -> Option<OsString> {
    None
}

fn key(name: &str) -> &'static Key {
    KEYS.iter().find(|key| key.name == name).unwrap()
}

fn value(config: &Config, name: &str) -> Value {
    key(name).kind.value(config)
}

/// Of one key: its name and its default; a good value as TOML with what follows, another good value as text with what
/// follows, and values that are bad in the file.
type Sample = (&'static str, Value, Good, Good, Vec<&'static str>);
/// A value as it is written, and as it is used.
type Good = (&'static str, Value);

fn command_sample(name: &'static str) -> Sample {
    (
        name,
        Value::Null,
        ("[\"/opt/judge\", \"--quick\"]", json!(["/opt/judge", "--quick"])),
        ("ask | head -1", json!("ask | head -1")),
        vec!["\"\"", "\"  \"", "[]", "[\"\"]", "[1]", "1", "true", "\"a\\u0000b\"", "{ argv = [] }"],
    )
}

fn paint_sample(name: &'static str) -> Sample {
    let bad = vec!["\"purple\"", "\"256\"", "\"#12345\"", "\"\"", "true", "[1]", "1.5"];
    (name, json!("default"), ("\"bright-blue\"", json!("bright-blue")), ("12", json!("bright-blue")), bad)
}

fn samples() -> Vec<Sample> {
    vec![
        (
            "history_lines",
            json!(2000),
            ("0", json!(0)),
            (" 77 ", json!(77)),
            vec!["\"77\"", "1.5", "true", "[1]", "\"many\""],
        ),
        (
            "default_agent",
            json!("generic"),
            ("\"generic\"", json!("generic")),
            ("generic", json!("generic")),
            vec!["\"nobody\"", "\"\"", "1"],
        ),
        (
            "size",
            json!("120x36"),
            ("\"80x24\"", json!("80x24")),
            ("200X50", json!("200x50")),
            vec!["80", "\"80\"", "\"x\"", "\"80x24x2\"", "\"-1x5\"", "[80, 24]"],
        ),
        (
            "stop_grace_ms",
            json!(4000),
            ("1500", json!(1500)),
            ("0", json!(0)),
            vec!["\"4s\"", "4.0", "{ ms = 4 }"],
        ),
        ("screen_log_days", json!(7), ("30", json!(30)), ("0", json!(0)), vec!["\"a week\"", "1.5", "true"]),
        ("stalled_after", json!(300), ("60", json!(60)), ("0", json!(0)), vec!["\"5m\"", "4.5", "true"]),
        ("max_warm_hosts", json!(4), ("2", json!(2)), ("0", json!(0)), vec!["\"two\"", "2.5", "true"]),
        (
            "warm_host_ttl_ms",
            json!(600_000),
            ("60000", json!(60_000)),
            ("0", json!(0)),
            vec!["\"10m\"", "1.5"],
        ),
        (
            "warm_host_grace_ms",
            json!(30_000),
            ("5000", json!(5_000)),
            ("0", json!(0)),
            vec!["\"30s\"", "1.5"],
        ),
        ("sweep_interval_ms", json!(60_000), ("5000", json!(5_000)), ("0", json!(0)), vec!["\"1m\"", "1.5"]),
        (
            "shell",
            Value::Null,
            ("\"/bin/zsh\"", json!("/bin/zsh")),
            ("/bin/my shell", json!("/bin/my shell")),
            vec!["\"zsh\"", "\"\"", "\"~/zsh\"", "\"/a\\u0000b\"", "7"],
        ),
        (
            "pi_command",
            Value::Null,
            ("\"/opt/pi\"", json!("/opt/pi")),
            ("/usr/bin/pi", json!("/usr/bin/pi")),
            vec!["\"pi\"", "\"\"", "1"],
        ),
        (
            "claude_command",
            Value::Null,
            ("\"/opt/pi\"", json!("/opt/pi")),
            ("/usr/bin/claude", json!("/usr/bin/claude")),
            vec!["\"claude\"", "\"\"", "1"],
        ),
        (
            "codex_command",
            Value::Null,
            ("\"/opt/codex\"", json!("/opt/codex")),
            ("/usr/bin/codex", json!("/usr/bin/codex")),
            vec!["\"codex\"", "\"\"", "1"],
        ),
        (
            "question_tools",
            json!([]),
            ("[\"ask_user\", \"choose\"]", json!(["ask_user", "choose"])),
            ("ask_user, choose", json!(["ask_user", "choose"])),
            vec!["\"ask_user\"", "[1]", "[\"a b\"]", "[\"\"]", "true"],
        ),
        (
            "auto_state",
            json!("on"),
            ("false", json!("off")),
            ("0", json!("off")),
            vec!["\"maybe\"", "\"\"", "2", "[]"],
        ),
        (
            "auto_state_done",
            json!("off"),
            ("\"on\"", json!("on")),
            ("yes", json!("on")),
            vec!["\"maybe\"", "\"\"", "2", "[]"],
        ),
        command_sample("auto_state_command"),
        command_sample("title_command"),
        command_sample("summary_command"),
        (
            "notify",
            json!(["osc9", "bell"]),
            ("[]", json!([])),
            ("bell", json!(["bell"])),
            vec!["\"horn\"", "[1]", "[\"osc9\", \"horn\"]", "true"],
        ),
        command_sample("notify_command"),
        (
            "quiet_hours",
            Value::Null,
            ("\"22:00-07:00\"", json!("22:00-07:00")),
            ("12:00-13:30", json!("12:00-13:30")),
            vec!["\"22-07\"", "\"24:00-07:00\"", "22", "true"],
        ),
        (
            "reply_to_ended",
            json!("resume"),
            ("\"headless\"", json!("headless")),
            ("wait", json!("wait")),
            vec!["\"typed\"", "true", "1"],
        ),
        (
            "language",
            json!("auto"),
            ("\"zh\"", json!("zh")),
            ("ja", json!("ja")),
            vec!["\"zh_CN\"", "\"English\"", "\"\"", "1"],
        ),
        (
            "glyphs",
            json!("unicode"),
            ("\"ascii\"", json!("ascii")),
            ("ascii", json!("ascii")),
            vec!["\"ASCII\"", "\"\"", "true"],
        ),
        (
            "colours",
            json!("theme"),
            ("\"classic\"", json!("classic")),
            ("none", json!("none")),
            vec!["\"Classic\"", "\"\"", "false"],
        ),
        paint_sample("role_accent"),
        paint_sample("role_warning"),
        paint_sample("role_success"),
        paint_sample("role_error"),
        paint_sample("role_muted"),
        paint_sample("role_dim"),
        (
            "row_density",
            json!("compact"),
            ("\"comfortable\"", json!("comfortable")),
            ("comfortable", json!("comfortable")),
            vec!["\"two\"", "2", "true"],
        ),
        (
            "attach_locked",
            json!("on"),
            ("false", json!("off")),
            ("off", json!("off")),
            vec!["\"maybe\"", "[1]"],
        ),
        (
            "status_bar",
            json!("off"),
            ("\"zjstatus\"", json!("zjstatus:agent_board")),
            ("zjstatus:pipe_jobs", json!("zjstatus:jobs")),
            vec!["\"on\"", "\"zjstatus:\"", "\"zjstatus:a::b\"", "\"zjstatus:a b\"", "true", "1"],
        ),
        (
            "status_bar_format",
            json!("{groups}"),
            ("\"jobs {working}\"", json!("jobs {working}")),
            ("{unread}/{total}", json!("{unread}/{total}")),
            vec!["\"\"", "\"{runing}\"", "true", "[1]"],
        ),
        (
            "detach_keys",
            json!(["ctrl+\\", "ctrl+left"]),
            ("[\"ctrl+d\", \"Alt+Q\"]", json!(["ctrl+d", "alt+q"])),
            ("ctrl+\\ f12", json!(["ctrl+\\", "f12"])),
            vec!["\"ctrl+d\"", "[]", "[\"q\"]", "[1]", "[\"ctrl+m\"]", "true"],
        ),
        (
            "skip_keys",
            json!(["alt+w"]),
            ("[\"f9\", \"Ctrl+Alt+K\"]", json!(["f9", "ctrl+alt+k"])),
            ("alt+w f12", json!(["alt+w", "f12"])),
            vec!["\"alt+w\"", "[]", "[\"w\"]", "[1]", "[\"ctrl+m\"]", "true"],
        ),
        (
            "ime_fix",
            json!("on"),
            ("false", json!("off")),
            ("0", json!("off")),
            vec!["\"maybe\"", "\"\"", "2", "[]"],
        ),
        (
            "code_refs",
            json!("on"),
            ("false", json!("off")),
            ("off", json!("off")),
            vec!["\"maybe\"", "\"\"", "2", "[]"],
        ),
        (
            "agent_terminals",
            json!("on"),
            ("false", json!("off")),
            ("0", json!("off")),
            vec!["\"maybe\"", "\"\"", "2", "[]"],
        ),
        (
            "terminal_snapshot",
            json!("on"),
            ("\"off\"", json!("off")),
            ("0", json!("off")),
            vec!["\"maybe\"", "\"\"", "2", "[]"],
        ),
        (
            "log",
            json!("info"),
            ("\"warn\"", json!("warn")),
            ("info,host_runner::coordinator=debug", json!("info,host_runner::coordinator=debug")),
            vec!["\"loud=very=much\"", "[]"],
        ),
        (
            "zellij",
            Value::Null,
            ("\"/opt/z\"", json!("/opt/z")),
            ("/usr/bin/zellij", json!("/usr/bin/zellij")),
            vec!["\"zellij\"", "false"],
        ),
        (
            "zellij_session",
            json!("agent-board"),
            ("\"work\"", json!("work")),
            ("a.b_2", json!("a.b_2")),
            vec!["\"a b\"", "\"../x\"", "\"-x\"", "\"\"", "\"a/b\"", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\""],
        ),
        (
            "layout",
            json!("agent-board"),
            ("\"agent-board-side\"", json!("agent-board-side")),
            ("dev", json!("dev")),
            vec!["\"Dev\"", "\"\"", "1", "\"dev.kdl\""],
        ),
        (
            "attach_in",
            json!("layout"),
            ("\"beside\"", json!("beside")),
            ("in_place", json!("in_place")),
            vec!["\"Tab\"", "\"\"", "1", "\"moon\""],
        ),
    ]
}

#[test]
fn every_key_has_a_sample_and_a_name_of_its_own() {
    let sampled: Vec<_> = samples().iter().map(|sample| sample.0).collect();
    assert_eq!(KEYS.iter().map(|key| key.name).collect::<Vec<_>>(), sampled);
    let variables: BTreeSet<_> = KEYS.iter().map(Key::variable).collect();
    assert_eq!(variables.len(), KEYS.len());
    // These say who a process is; a setting of that name would be read out of a session's environment.
    for taken in ["ROOT", "SESSION", "SOCKET", "TOKEN", "MCP_TOKEN"].map(|name| format!("AGENT_BOARD_{name}"))
    {
        assert!(!variables.contains(&taken), "{taken}");
    }
}

#[test]
fn environment_wins_over_file_and_file_over_default() {
    for (name, default, (in_file, from_file), (in_environment, from_environment), _) in samples() {
        let key = key(name);
        let config = Config::parse(None, nothing);
        assert_eq!((value(&config, name), config.source(key)), (default, Source::Default), "{name}");

        let file = format!("{name} = {in_file}");
        let config = Config::parse(Some(&file), nothing);
        assert_eq!((value(&config, name), config.source(key)), (from_file, Source::File), "{name}");
        assert!(config.warnings().is_empty(), "{:?}", config.warnings());

        let environment = |asked: &str| (asked == key.variable()).then(|| in_environment.into());
        let config = Config::parse(Some(&file), environment);
        assert_eq!(
            (value(&config, name), config.source(key)),
            (from_environment, Source::Environment),
            "{name}"
        );
        assert!(config.warnings().is_empty(), "{:?}", config.warnings());
    }
}

#[test]
fn a_bad_value_is_a_warning_and_the_next_source_counts() {
    for (name, default, _, (good, from_environment), bad) in samples() {
        let key = key(name);
        for bad in bad {
            let file = format!("{name} = {bad}");
            let config = Config::parse(Some(&file), nothing);
            assert_eq!(
                (value(&config, name), config.source(key)),
                (default.clone(), Source::Default),
                "{file}"
            );
            let [warning] = config.warnings() else { panic!("{file}: {:?}", config.warnings()) };
            assert!(warning.contains(name) && warning.contains(&key.kind.takes()), "{warning}");
            // A good variable makes the bad line harmless, but it is still said.
            let config = Config::parse(Some(&file), |asked| (asked == key.variable()).then(|| good.into()));
            assert_eq!(value(&config, name), from_environment);
            assert_eq!(config.warnings().len(), 1);
        }
    }
}

#[test]
fn the_variable_that_forbids_done_is_the_opposite_of_the_setting() {
    let read = |words: &'static [(&'static str, &'static str)]| {
        Config::parse(Some("auto_state_done = false"), move |asked| {
            words.iter().find(|(name, _)| *name == asked).map(|(_, word)| word.into())
        })
    };
    const OPPOSITE: &str = "AGENT_BOARD_AUTO_STATE_NO_DONE";
    for (words, done, source) in [
        (&[(OPPOSITE, "0")][..], "on", Source::Environment),
        (&[(OPPOSITE, "false")], "on", Source::Environment),
        (&[(OPPOSITE, "OFF")], "on", Source::Environment),
        (&[(OPPOSITE, "no")], "on", Source::Environment),
        (&[(OPPOSITE, "1")], "off", Source::Environment),
        (&[(OPPOSITE, "")], "off", Source::File),
        (&[(OPPOSITE, "0"), ("AGENT_BOARD_AUTO_STATE_DONE", "off")], "off", Source::Environment),
    ] {
        let config = read(words);
        let key = key("auto_state_done");
        assert_eq!((value(&config, key.name), config.source(key)), (json!(done), source), "{words:?}");
        assert!(config.warnings().is_empty(), "{:?}", config.warnings());
    }
    let config = read(&[(OPPOSITE, "maybe")]);
    assert_eq!(value(&config, "auto_state_done"), json!("off"));
    let [warning] = config.warnings() else { panic!("{:?}", config.warnings()) };
    assert!(warning.starts_with("AGENT_BOARD_AUTO_STATE_NO_DONE: \"maybe\" is not used"), "{warning}");
}

#[test]
fn a_bad_variable_names_itself_and_the_file_counts() {
    let config =
        Config::parse(Some("size = \"90x30\""), |name| (name == "AGENT_BOARD_SIZE").then(|| "big".into()));
    assert_eq!(config.size, Size { cols: 90, rows: 30 });
    assert_eq!(config.source(key("size")), Source::File);
    let [warning] = config.warnings() else { panic!("{:?}", config.warnings()) };
    assert!(warning.starts_with("AGENT_BOARD_SIZE: \"big\" is not used"), "{warning}");
}

#[test]
fn a_variable_may_be_empty_or_no_text() {
    use std::os::unix::ffi::OsStringExt;
    let empty = Config::parse(None, |_| Some(OsString::new()));
    assert_eq!(empty, Config::default());
    let garbage = Config::parse(None, |_| Some(OsString::from_vec(vec![0xff, 0xfe])));
    // One variable more than there are settings: the one that says the opposite.
    assert_eq!(garbage.warnings().len(), KEYS.len() + 1);
    assert_eq!(Config { warnings: Vec::new(), ..garbage }, Config::default());
}

#[test]
fn numbers_and_sizes_are_pulled_into_their_range_with_a_warning() {
    for (file, name, used) in [
        ("history_lines = -1", "history_lines", json!(0)),
        ("history_lines = 9223372036854775807", "history_lines", json!(MAX_HISTORY_LINES)),
        ("stop_grace_ms = 3600000", "stop_grace_ms", json!(MAX_STOP_GRACE_MS)),
        ("size = \"1x1\"", "size", json!("20x5")),
        ("size = \"65535x65535\"", "size", json!("1000x500")),
    ] {
        let config = Config::parse(Some(file), nothing);
        assert_eq!((value(&config, name), config.source(key(name))), (used.clone(), Source::File), "{file}");
        let [warning] = config.warnings() else { panic!("{file}: {:?}", config.warnings()) };
        let used = used.as_str().map_or_else(|| used.to_string(), str::to_owned);
        assert!(warning.contains(&format!("{used} is used")), "{warning}");
    }
}

#[test]
fn unknown_keys_and_broken_files_cost_nothing_but_a_warning() {
    let config =
        Config::parse(Some("colour = 1\nhistory_lines = 5\n[table]\nx = 2\n\"a\\u001b[2J\" = 3"), nothing);
    assert_eq!(config.history_lines, 5);
    assert_eq!(config.warnings().len(), 2, "{:?}", config.warnings());
    assert!(config.warnings().iter().all(|warning| !warning.contains('\u{1b}')));
    assert!(config.warnings()[0].contains("\"colour\""));

    let config = Config::parse(Some("history_lines = 5\nsize"), nothing);
    assert_eq!(config.history_lines, 2000);
    let [warning] = config.warnings() else { panic!("{:?}", config.warnings()) };
    assert!(warning.contains("line 2"), "{warning}");
    assert!(!warning.contains('\n'), "{warning}");
    assert_eq!(Config::parse(Some(""), nothing), Config::default());
}

#[test]
fn the_file_lies_below_an_absolute_directory() {
    let path = |pairs: &[(&str, &str)]| {
        file_path(|name| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).into()))
    };
    let below = |directory: &str| Some(PathBuf::from(directory).join("agent-board/config.toml"));
    assert_eq!(path(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/c")]), below("/c"));
    assert_eq!(path(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "c")]), below("/h/.config"));
    assert_eq!(path(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "")]), below("/h/.config"));
    assert_eq!(path(&[("HOME", "h")]), None);
}

#[test]
fn only_a_plain_file_of_a_sane_length_is_read() {
    let directory = tempfile::tempdir().unwrap();
    assert!(read(directory.path()).unwrap_err().to_string().contains("no file"));
    let long = directory.path().join("long");
    fs::File::create(&long).unwrap().set_len(MAX_FILE_BYTES + 1).unwrap();
    assert!(read(&long).unwrap_err().to_string().contains("longer"));
    assert_eq!(read(&directory.path().join("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
}

#[test]
fn host_settings_follow() {
    let config = Config::parse(Some("history_lines = 9\nstop_grace_ms = 8\nscreen_log_days = 3"), nothing);
    assert_eq!(
        config.host_settings(),
        HostSettings { history_lines: 9, stop_grace_ms: 8, screen_log_days: 3 }
    );
    assert_eq!(Config::default().host_settings(), HostSettings::default());
}

/// The page in the tree is the one that follows from the table; `UPDATE_DOCS=1` writes it.
#[test]
fn the_page_about_the_configuration_is_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/configuration.md");
    let page = document::page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "docs/configuration.md is stale. Write it anew: UPDATE_DOCS=1 cargo test -p host-runner --lib config::"
    );
}

#[test]
fn the_board_looks_as_the_settings_say_and_has_no_colours_where_none_are_wanted() {
    use board_protocol::look::{Colouring, Density, Paint, Roles};
    let none = |_: &str| None::<OsString>;
    let no_color = |value: &'static str| move |name: &str| (name == "NO_COLOR").then(|| value.into());
    let config = |text| Config::parse(Some(text), nothing);
    let set = config("role_accent = 4\nrow_density = \"comfortable\"");
    assert_eq!(set.warnings(), [""; 0]);
    let look = set.look(none);
    assert_eq!((look.colours, look.density), (Colouring::Coloured, Density::Comfortable));
    assert_eq!(look.roles, Roles { accent: Paint::Indexed(4), ..Roles::default() });
    assert_eq!(config("colours = \"classic\"").look(none).roles, Roles::CLASSIC);
    assert_eq!(config("colours = \"none\"").look(none).colours, Colouring::Plain);
    assert_eq!(set.look(no_color("1")).colours, Colouring::Plain);
    assert_eq!(set.look(no_color("")).colours, Colouring::Coloured, "an empty one says nothing");
}
