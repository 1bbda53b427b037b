//! Makes one function of each message in `texts/`, or says what is wrong with them.

#[path = "generator/mod.rs"]
mod generator;

use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=texts");
    println!("cargo::rerun-if-changed=generator");
    println!("cargo::rerun-if-changed=build.rs");
    let catalogue = generator::read(Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("texts").as_path())?;
    match generator::code(&catalogue) {
        Ok(code) => fs::write(Path::new(&env::var("OUT_DIR")?).join("texts.rs"), code)?,
        Err(faults) => {
            for fault in &faults {
                println!("cargo::error={fault}");
            }
            return Err(format!("the catalogue of texts has {} faults", faults.len()).into());
        }
    }
    Ok(())
}
