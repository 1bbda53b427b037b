//! Puts the plugin into the binary when the build is told where it is: `AGENT_BOARD_PLUGIN_WASM` names the file by its
//! absolute path. Without it nothing is embedded, so that the crate builds on its own; the plugin is never built here.

use std::{env, error::Error, fs, path::Path};

const VARIABLE: &str = "AGENT_BOARD_PLUGIN_WASM";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR")?;
    let code = match env::var(VARIABLE) {
        Ok(path) if !path.is_empty() => {
            if !Path::new(&path).is_absolute() {
                return Err(format!("{VARIABLE}={path} is not an absolute path").into());
            }
            println!("cargo::rerun-if-changed={path}");
            let copy = Path::new(&out).join("agent-board.wasm");
            fs::copy(&path, &copy).map_err(|error| {
                format!(
                    "cannot read {path} ({VARIABLE}): {error}. Build the plugin first: make plugin, or unset it"
                )
            })?;
            "Some(include_bytes!(concat!(env!(\"OUT_DIR\"), \"/agent-board.wasm\")))"
        }
        _ => "None",
    };
    fs::write(
        Path::new(&out).join("plugin.rs"),
        format!(
            "/// The plugin, where the build was told about it.\nconst EMBEDDED: Option<&[u8]> = {code};\n"
        ),
    )?;
    Ok(())
}
