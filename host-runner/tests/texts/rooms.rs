//! What the search for texts leaves out, each with the reason.
//!
//! Whoever adds a literal that the search finds and that is for nobody to read names its file, or the literal, here.

/// Rooms whose texts are written down or sent in English, and said in the reader's language where they are shown. Each of
/// them has to be one that `board_text::retold` knows.
pub(crate) const TOLD: [&str; 26] = [
    "host-runner/src/coordinator/adopt",
    "host-runner/src/coordinator/classifying",
    "host-runner/src/coordinator/consulting",
    "host-runner/src/coordinator/ended",
    "host-runner/src/coordinator/flood",
    "host-runner/src/coordinator/hearing",
    "host-runner/src/coordinator/listen",
    "host-runner/src/coordinator/mirror",
    "host-runner/src/coordinator/queues",
    "host-runner/src/coordinator/report",
    "host-runner/src/coordinator/stall",
    "host-runner/src/coordinator/sweep",
    "host-runner/src/agents/questions",
    "host-runner/src/model/agent",
    "host-runner/src/model/auto_state",
    "host-runner/src/model/consult",
    "host-runner/src/model/evidence/fold",
    "host-runner/src/model/explain",
    "host-runner/src/model/news",
    "host-runner/src/model/planning",
    "host-runner/src/model/queue",
    "host-runner/src/model/reduce",
    "host-runner/src/model/run",
    "host-runner/src/model/session",
    "host-runner/src/model/summary",
    "host-runner/src/model/tool_words",
];

/// Files and rooms in which no literal is for people.
pub(crate) const NOT_FOR_PEOPLE: [(&str, &str); 32] = [
    ("host-runner/src/mcp", AGENTS),
    ("host-runner/src/coordinator/owned", AGENTS),
    ("host-runner/src/coordinator/terminals", AGENTS),
    ("host-runner/src/host/owned", AGENTS),
    ("host-runner/src/host/waits", AGENTS),
    ("host-runner/src/terminal/needle", AGENTS),
    ("host-runner/src/model/plan/prompts", AGENTS),
    ("host-runner/src/daemon/consult", LOG),
    ("host-runner/src/host/client", LOG),
    ("host-runner/src/host/reclaim", LOG),
    ("host-runner/src/host/screen_log", LOG),
    ("host-runner/src/host/serve", LOG),
    ("host-runner/src/run/drive", LOG),
    ("host-runner/src/run/mod", LOG),
    ("host-runner/src/run/notes", LOG),
    ("host-runner/src/spool", LOG),
    ("host-runner/src/coordinator/validate", PROGRAMS),
    ("host-runner/src/daemon/connection", PROGRAMS),
    ("host-runner/src/agents/claude/events", WORDS_OF_OTHERS),
    ("host-runner/src/agents/claude/settings", WORDS_OF_OTHERS),
    ("host-runner/src/agents/pi/events", WORDS_OF_OTHERS),
    ("host-runner/src/model/auto_state/words", WORDS_OF_OTHERS),
    ("host-runner/src/model/evidence/calls", WORDS_OF_OTHERS),
    ("host-runner/src/model/needs_input/phrases", WORDS_OF_OTHERS),
    ("host-runner/src/refs/provider", WORDS_OF_OTHERS),
    ("host-runner/src/model/tool_commands", WORDS_OF_OTHERS),
    ("host-runner/src/agents/claude/launch", SCRIPT),
    ("host-runner/src/agents/terminals", SCRIPT),
    ("plugin/board/src/machine/anywhere", SCRIPT),
    ("plugin/board/src/machine/permission", SCRIPT),
    ("plugin/board/src/keymap/table", "names of keys; what they do is in the catalogue"),
    (
        "host-runner/protocol/src/state/table",
        "the words of states as they are stored; `label` and `said` translate them",
    ),
];

const AGENTS: &str = "agents read it, and what agents read is English";
const LOG: &str =
    "lines of logs, which are English everywhere: whoever helps has to find them in the sources";
const PROGRAMS: &str = "it answers a program of ours that says something which it never should";
const WORDS_OF_OTHERS: &str = "words that are looked for in what other programs print";
const SCRIPT: &str = "source text for another program";

/// Literals that are no text for people, by their beginning.
pub(crate) const NO_TEXT: [(&str, &str); 45] = [
    ("SELECT ", SQL),
    ("INSERT ", SQL),
    ("UPDATE ", SQL),
    ("DELETE ", SQL),
    ("PRAGMA ", SQL),
    ("CREATE ", SQL),
    ("ORDER BY ", SQL),
    ("session = ?1", SQL),
    ("it names another session", QUARANTINE),
    ("it is a number", QUARANTINE),
    ("\\x1b", SEQUENCE),
    ("\\x18\\x1b", SEQUENCE),
    ("\\r\\x1b[2K {line}", SEQUENCE),
    ("host-runner: {", NAME),
    ("  {} {}  {from}{}", NAME),
    ("run --turn", NAME),
    ("host-runner run", NAME),
    ("host-runner start", NAME),
    ("config.toml: {name}", NAME),
    ("not taken: {other", "a line of the log of hooks"),
    ("cannot serve the agent", "what an agent's own log says when its tools cannot be served"),
    ("Agent Board", NAME),
    ("Claude Code", NAME),
    ("npm install -g ", COMMAND),
    ("loginctl show-user ", COMMAND),
    ("agent pi", CHECK),
    ("agent claude", CHECK),
    ("agent codex", CHECK),
    ("agent opencode", CHECK),
    ("idle agents", CHECK),
    ("file system", CHECK),
    ("dead sockets", CHECK),
    ("dead locks", CHECK),
    ("damaged stores", CHECK),
    ("link environment", CHECK),
    ("zellij server", CHECK),
    ("your shell", LABEL),
    ("web search", LABEL),
    ("branch summary", LABEL),
    ("[Request interrupted by user", "a line in the transcripts of Claude Code"),
    ("# AGENTS.md instructions", "a line in the transcripts of Codex"),
    ("Exit code ", "how Claude Code begins to say that a command failed"),
    ("no event: {", "an event of an agent that cannot be read, for the log"),
    ("queued", "words of filters, the same in every language"),
    ("keys {keys} draws {draws}", "figures for whoever measures the plugin"),
];

const SQL: &str = "SQL";
const QUARANTINE: &str = "the reason in the table of damaged records, for whoever looks into that";
const SEQUENCE: &str = "a sequence for a terminal";
const NAME: &str = "a name, and what is in the catalogue already";
const COMMAND: &str = "a command";
const CHECK: &str = "a name by which a text of check.ftl is found";
const LABEL: &str = "a label of a transcript as scripts get it; `label_said` translates it";

/// Words with a capital letter that are no label for people, whole.
pub(crate) const NO_LABEL: [(&str, &str); 7] = [
    ("Reconnecting... ", "how Codex begins to say that it tries again"),
    ("Codex", "a name"),
    ("Error", "how programs begin to say why they failed"),
    ("Usage:", "how clap begins what it says about a command line; it is taken away"),
    ("Ctrl", "a key"),
    ("Reconfigure", "a permission of zellij's, by its name there"),
    ("Sessions", "the name of a pane in the side layout"),
];
