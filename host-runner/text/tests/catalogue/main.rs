//! The generator on good and bad files, and the real catalogue: what is made of it, and that all of it is used.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the catalogue has to fail")]

#[path = "../../generator/mod.rs"]
mod generator;

mod made;
mod real;
mod refused;

use generator::{Catalogue, LANGUAGES};
use std::collections::BTreeMap;

/// A catalogue of one file, `area.ftl`, in each language.
fn catalogue(english: &str, chinese: &str, japanese: &str) -> Catalogue {
    LANGUAGES
        .into_iter()
        .zip([english, chinese, japanese])
        .map(|(language, text)| (language, BTreeMap::from([("area".to_owned(), text.to_owned())])))
        .collect()
}
