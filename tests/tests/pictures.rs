//! The pictures of the README and of docs do not lie: a run of today shows what they show.

use e2e::pictures::{SIZE, normal, take};
use std::{collections::BTreeSet, fs, path::Path};

#[test]
fn i6_pictures_show_what_a_run_of_today_shows() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
    let mut names = BTreeSet::new();
    let mut lies = Vec::new();
    for picture in take(SIZE) {
        names.insert(picture.name.to_owned());
        let drawn =
            fs::read_to_string(directory.join(picture.name).with_extension("txt")).unwrap_or_default();
        let shown = normal(&picture.screen);
        if drawn != shown {
            lies.push(format!("{}: the picture says\n{drawn}\na run of today shows\n{shown}", picture.name));
        }
        assert!(
            directory.join(picture.name).with_extension("svg").is_file(),
            "{} is not drawn",
            picture.name
        );
    }
    assert!(lies.is_empty(), "`make pictures` draws them anew; look at them then.\n{}", lies.join("\n"));
    // What no run makes any more is no picture of anything.
    let drawn: BTreeSet<String> = fs::read_dir(&directory)
        .unwrap()
        .map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(drawn, names);
}
