//! Puts the plugin into the binary when the build is told where it is: `AGENT_BOARD_PLUGIN_WASM` names the file by its
//! absolute path, and `AGENT_BOARD_BUILD` the build that it was made as. Without them nothing is embedded, so that the
//! crate builds on its own; the plugin is never built here.

use std::{env, error::Error, fs, path::Path};

const PLUGIN: &str = "AGENT_BOARD_PLUGIN_WASM";
const BUILD: &str = "AGENT_BOARD_BUILD";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed={PLUGIN}");
    println!("cargo::rerun-if-env-changed={BUILD}");
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR")?;
    let embedded = match env::var(PLUGIN) {
        Ok(path) if !path.is_empty() => embed(Path::new(&path), Path::new(&out))?,
        _ => "None".to_owned(),
    };
    let code = format!(
        "/// The plugin and its build, where this build was told about it.\nconst EMBEDDED: Option<(&[u8], &str)> = {embedded};\n"
    );
    fs::write(Path::new(&out).join("plugin.rs"), code)?;
    Ok(())
}

fn embed(path: &Path, out: &Path) -> Result<String, Box<dyn Error>> {
    let name = path.display();
    if !path.is_absolute() {
        return Err(format!("{PLUGIN}={name} is not an absolute path").into());
    }
    println!("cargo::rerun-if-changed={name}");
    let plugin = fs::read(path).map_err(|error| {
        format!("cannot read {name} ({PLUGIN}): {error}. Build the plugin first: make plugin, or unset it")
    })?;
    // As the plugin does: the version, unless the build has a name of its own.
    let build = env::var(BUILD).or_else(|_| env::var("CARGO_PKG_VERSION"))?;
    if !plugin.windows(build.len()).any(|window| window == build.as_bytes()) {
        let why = format!(
            "{name} was not built as {build} ({BUILD}): it would reload itself for nothing. Build it: make plugin"
        );
        return Err(why.into());
    }
    fs::write(out.join("agent-board.wasm"), plugin)?;
    Ok(format!("Some((include_bytes!(concat!(env!(\"OUT_DIR\"), \"/agent-board.wasm\")), {build:?}))"))
}
