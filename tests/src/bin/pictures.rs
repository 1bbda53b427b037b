//! Writes the pictures of the README and of docs: as SVG, and their text, which a test compares with what the board shows.
//!
//! `make pictures` calls it with the directory to write to. A second argument is another size: `80x24`.

use board_protocol::ids::Size;
use e2e::{
    picture::svg,
    pictures::{SIZE, normal, take},
};
use std::{fs, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let Some(directory) = std::env::args().nth(1) else {
        eprintln!("pictures: say where to: pictures DIRECTORY");
        return ExitCode::from(2);
    };
    let size = std::env::args().nth(2);
    let size = size.as_deref().and_then(|size| size.split_once('x'));
    let size =
        size.and_then(|(cols, rows)| Some(Size { cols: cols.parse().ok()?, rows: rows.parse().ok()? }));
    let directory = Path::new(&directory);
    let mut code = ExitCode::SUCCESS;
    for picture in take(size.unwrap_or(SIZE)) {
        let path = directory.join(picture.name).with_extension("svg");
        let written = fs::create_dir_all(directory)
            .and_then(|()| fs::write(&path, svg(picture.screen.cells())))
            .and_then(|()| fs::write(path.with_extension("txt"), normal(&picture.screen)));
        match written {
            Ok(()) => println!("{}", path.display()),
            Err(error) => {
                eprintln!("pictures: cannot write {}: {error}", path.display());
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}
