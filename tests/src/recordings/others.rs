//! Agents that the product has no adapter for, as far as they talk to a model of the chat dialect. Nothing else tests them, so only
//! `make recordings` installs them.

use super::{
    SIZE,
    agents::{ANSWER, say},
};
use crate::{
    Terminal, World,
    agents::cache,
    keys,
    model_server::{MODEL, ModelServer, Step},
    pi_stage::DEADLINE,
    recording::Recording,
};
use serde_json::json;
use std::fs;

fn stage(agent: &str, version: &str) -> (World, ModelServer) {
    let mut world = World::new();
    let model = ModelServer::start().unwrap();
    model.push(Step::text(ANSWER));
    let bin = cache().unwrap().join(format!("agents/{agent}-{version}/node_modules/.bin/{agent}"));
    world.install(agent, &bin);
    world.set_variable("FAKE_KEY", "x");
    (world, model)
}

fn ended(mut terminal: Terminal) -> Recording {
    terminal.send("\x03");
    terminal.send("\x03");
    terminal.wait_ended();
    terminal.recording().expect("a recorded terminal")
}

pub(super) fn codex() -> Recording {
    let (world, model) = stage("codex", "0.63.0");
    let (home, work) = (world.home().join(".codex"), world.home().join("work").canonicalize().unwrap());
    fs::create_dir_all(&home).unwrap();
    let settings = format!(
        "model = {MODEL:?}\nmodel_provider = \"loopback\"\napproval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\n\
         check_for_update_on_startup = false\n[model_providers.loopback]\nname = \"loopback\"\nbase_url = {:?}\nwire_api = \"chat\"\n\
         env_key = \"FAKE_KEY\"\n[projects.{:?}]\ntrust_level = \"trusted\"\n",
        model.base_url(),
        work.display().to_string(),
    );
    fs::write(home.join("config.toml"), settings).unwrap();
    let terminal = world.recorded_terminal("codex", SIZE, &["sh", "-c", "cd work && exec codex"]);
    terminal.wait_within(DEADLINE, "Codex's composer", |screen| screen.has("›"));
    say(&terminal, "say something", "The end of the first answer.");
    terminal.send("/").wait_within(DEADLINE, "the commands", |screen| screen.has("/model"));
    terminal.send(keys::ESC).send(keys::BACKSPACE);
    ended(terminal)
}

pub(super) fn opencode() -> Recording {
    let (mut world, model) = stage("opencode", "1.18.33");
    for name in
        ["OPENCODE_DISABLE_AUTOUPDATE", "OPENCODE_DISABLE_MODELS_FETCH", "OPENCODE_DISABLE_LSP_DOWNLOAD"]
    {
        world.set_variable(name, "1");
    }
    let directory = world.home().join(".config/opencode");
    fs::create_dir_all(&directory).unwrap();
    let settings = json!({"model": format!("loopback/{MODEL}"), "small_model": format!("loopback/{MODEL}"), "share": "disabled",
        "autoupdate": false, "provider": {"loopback": {"npm": "@ai-sdk/openai-compatible", "name": "loopback",
        "options": {"baseURL": model.base_url(), "apiKey": "x"}, "models": {MODEL: {"name": MODEL}}}}});
    fs::write(directory.join("opencode.json"), settings.to_string()).unwrap();
    let terminal = world.recorded_terminal("opencode", SIZE, &["sh", "-c", "cd work && exec opencode"]);
    terminal.wait_within(DEADLINE, "its editor", |screen| screen.has("Ask anything"));
    model.push(Step::text(ANSWER));
    say(&terminal, "say something", "The end of the first answer.");
    ended(terminal)
}
