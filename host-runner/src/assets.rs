//! What the binary brings along for zellij: the plugin and the layouts, and where they are put.
//!
//! Called by `up` (which writes them) and by the link (which tells the plugin which build lies on disk). The plugin has
//! one stable path without a version: zellij keeps permissions by path. A file is only replaced by a rename, and only
//! when its bytes differ, so that a zellij that reads it meets the old one or the new one.

use crate::{program::runner_path, root::BoardRoot};
use board_text::assets as texts;
use std::{
    borrow::Cow,
    fs, io,
    os::unix::fs::DirBuilderExt,
    path::{Component, Path, PathBuf},
};

include!(concat!(env!("OUT_DIR"), "/plugin.rs"));

/// The plugin's file name, beside the binary and in the data directory.
const PLUGIN: &str = "agent-board.wasm";

/// A layout that the binary brings along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Layout {
    /// The board in a tab of its own.
    #[default]
    AgentBoard,
    /// The board beside the sessions that are entered.
    #[value(alias = "side")]
    AgentBoardSide,
    /// The board with the daemon's log, for work on Agent Board itself.
    Dev,
}

impl Layout {
    const ALL: [Self; 3] = [Self::AgentBoard, Self::AgentBoardSide, Self::Dev];

    /// The word that names it on the command line and in the configuration.
    pub(crate) fn word(self) -> &'static str {
        self.file().0.trim_end_matches(".kdl")
    }

    const fn file(self) -> (&'static str, &'static str) {
        match self {
            Self::AgentBoard => ("agent-board.kdl", include_str!("../../layouts/agent-board.kdl")),
            Self::AgentBoardSide => {
                ("agent-board-side.kdl", include_str!("../../layouts/agent-board-side.kdl"))
            }
            Self::Dev => ("dev.kdl", include_str!("../../layouts/dev.kdl")),
        }
    }
}

/// Where the plugin shows sessions that are entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum AttachIn {
    /// As the layout is made for.
    #[default]
    Layout,
    /// In a tab of their own.
    Tab,
    /// Beside the board.
    Beside,
    /// In the board's place.
    InPlace,
    /// In a floating pane.
    Floating,
}

impl AttachIn {
    /// Every one of them.
    pub(crate) const ALL: [Self; 5] = [Self::Layout, Self::Tab, Self::Beside, Self::InPlace, Self::Floating];

    /// The word of the configuration, and of the plugin's own setting.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Layout => "layout",
            Self::Tab => "tab",
            Self::Beside => "beside",
            Self::InPlace => "in_place",
            Self::Floating => "floating",
        }
    }

    /// What is written into a layout.
    const fn within(self, layout: Layout) -> &'static str {
        match (self, layout) {
            (Self::Layout, Layout::AgentBoardSide) => Self::Beside.word(),
            (Self::Layout, Layout::AgentBoard | Layout::Dev) => Self::Tab.word(),
            _ => self.word(),
        }
    }
}

/// Why plugin or layouts cannot be put in place.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AssetError {
    /// There is no plugin to install.
    #[error("{}", texts::no_plugin(.0.display()))]
    NoPlugin(PathBuf),
    /// A path cannot be said in a layout or on zellij's command line.
    #[error("{}", texts::inexpressible(.what, format!("{path:?}"), format!("{character:?}"), .hint))]
    Inexpressible {
        /// What the path is for.
        what: &'static str,
        /// The path.
        path: String,
        /// What is in the way.
        character: char,
        /// Which setting moves it.
        hint: &'static str,
    },
    /// No data directory is known.
    #[error("{}", texts::no_data_directory())]
    NoDataDirectory,
    /// The file system says no.
    #[error("{}", texts::cannot_write(.path.display(), .source))]
    Io {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Plugin and layouts on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Installed {
    directory: PathBuf,
    /// The URL of the plugin, as layouts and pipes name it.
    pub(crate) plugin_url: String,
}

impl Installed {
    /// The written layout.
    pub(crate) fn layout(&self, layout: Layout) -> PathBuf {
        self.directory.join(layout.file().0)
    }
}

/// Writes what is missing or differs. `attach_in` is where the plugin opens attach panes.
pub(crate) fn install(root: &BoardRoot, attach_in: AttachIn) -> Result<Installed, AssetError> {
    let runner = runner_path().map_err(|source| AssetError::Io { path: "/proc/self/exe".into(), source })?;
    install_into(&data_directory()?, &plugin()?, &runner, root.directory(), attach_in)
}

fn install_into(
    directory: &Path,
    plugin: &[u8],
    runner: &Path,
    root: &Path,
    attach_in: AttachIn,
) -> Result<Installed, AssetError> {
    let file = directory.join(PLUGIN);
    // zellij takes the location for a URL and expands variables in it.
    let in_a_url = ['%', '?', '#', '$', '\\', ','];
    let plugin_path = sayable(texts::plugin_path(), &file, &in_a_url, texts::hint_plugin())?;
    let runner = sayable(texts::runner_path(), runner, &[','], texts::hint_runner())?;
    let root = sayable(texts::board_root(), root, &[','], texts::hint_root())?;
    let plugin_url = format!("file:{plugin_path}");
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .map_err(|source| AssetError::Io { path: directory.to_owned(), source })?;
    replace(&file, plugin)?;
    let installed = Installed { directory: directory.to_owned(), plugin_url };
    for layout in Layout::ALL {
        let text = layout
            .file()
            .1
            .replace("{{plugin}}", &quoted(&installed.plugin_url))
            .replace("{{runner}}", &quoted(runner))
            .replace("{{root}}", &quoted(root))
            .replace("{{attach_in}}", attach_in.within(layout))
            // zellij takes panes without a frame for bars, and leaves no room for floating ones between them (measured).
            .replace("{{borderless}}", if attach_in == AttachIn::Floating { "false" } else { "true" });
        replace(&installed.layout(layout), text.as_bytes())?;
    }
    Ok(installed)
}

/// How the plugin file on disk compares with this build's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnDisk {
    /// There is none.
    Missing,
    /// It is the same.
    Same,
    /// It is another one.
    Other,
}

/// Where the plugin lies for zellij.
pub(crate) fn plugin_path() -> Result<PathBuf, AssetError> {
    Ok(data_directory()?.join(PLUGIN))
}

/// Compares the file at `path` with the plugin of this build. Nothing is written.
pub(crate) fn on_disk(path: &Path) -> Result<OnDisk, AssetError> {
    let ours = plugin()?;
    match fs::read(path) {
        Ok(theirs) if *theirs == *ours => Ok(OnDisk::Same),
        Ok(_) => Ok(OnDisk::Other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(OnDisk::Missing),
        Err(source) => Err(AssetError::Io { path: path.to_owned(), source }),
    }
}

/// The build of the plugin that this binary puts in place: an instance of another one reloads itself. Empty when it is not
/// embedded: a file that lies beside the binary does not say what it was built as, and then nothing is to be reloaded.
pub(crate) fn plugin_build() -> String {
    EMBEDDED.map_or_else(String::new, |(_, build)| build.to_owned())
}

/// The plugin that belongs to this binary: embedded, else beside it.
fn plugin() -> Result<Cow<'static, [u8]>, AssetError> {
    if let Some((bytes, _)) = EMBEDDED {
        return Ok(Cow::Borrowed(bytes));
    }
    let beside = runner_path()
        .ok()
        .and_then(|path| path.parent().map(|directory| directory.join(PLUGIN)))
        .unwrap_or_else(|| PathBuf::from(PLUGIN));
    fs::read(&beside).map(Cow::Owned).map_err(|_| AssetError::NoPlugin(beside))
}

/// `$XDG_DATA_HOME/agent-board`, else `~/.local/share/agent-board`. Relative values do not count.
fn data_directory() -> Result<PathBuf, AssetError> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/share")))
        .ok_or(AssetError::NoDataDirectory)?;
    // Two slashes in front would make a host name of the first directory.
    Ok(data.components().filter(|part| *part != Component::CurDir).collect::<PathBuf>().join("agent-board"))
}

/// A path as text, if zellij can be given it.
fn sayable<'a>(
    what: &'static str,
    path: &'a Path,
    forbidden: &[char],
    hint: &'static str,
) -> Result<&'a str, AssetError> {
    let refuse =
        |character| AssetError::Inexpressible { what, path: path.display().to_string(), character, hint };
    let text = path.to_str().ok_or_else(|| refuse(char::REPLACEMENT_CHARACTER))?;
    match text.chars().find(|c| c.is_control() || forbidden.contains(c)) {
        Some(character) => Err(refuse(character)),
        None => Ok(text),
    }
}

/// Text inside a KDL string. Control characters were refused before.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Writes a file beside the old one and renames it over it, unless the bytes are the same.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), AssetError> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let io_error = |source| AssetError::Io { path: path.to_owned(), source };
    let mut name = path.file_name().unwrap_or_default().to_owned();
    // Two that write at the same time must not share a file.
    name.push(format!(".{}", std::process::id()));
    let next = path.with_file_name(name);
    fs::write(&next, bytes).and_then(|()| fs::rename(&next, path)).map_err(|source| {
        let _ = fs::remove_file(&next);
        io_error(source)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn install_at(directory: &Path, runner: &str, root: &str) -> Result<Installed, AssetError> {
        install_into(directory, b"\0asm", Path::new(runner), Path::new(root), AttachIn::Layout)
    }

    #[test]
    fn layouts_are_filled_in_with_absolute_paths() {
        let data = tempfile::tempdir().unwrap();
        let installed = install_at(&data.path().join("agent-board"), "/b/host \"r\"", "/root dir").unwrap();
        assert!(installed.plugin_url.starts_with("file:/"));
        for layout in Layout::ALL {
            let text = fs::read_to_string(installed.layout(layout)).unwrap();
            assert!(!text.contains("{{"), "{text}");
            assert!(text.contains(&format!("location=\"{}\"", installed.plugin_url)));
            assert!(text.contains(r#"runner "/b/host \"r\"""#));
            assert!(text.contains(r#"root "/root dir""#));
            assert!(text.contains("new_tab_template"));
            assert!(text.contains("close_on_exit=true"));
            assert!(text.contains(r#"bind "Ctrl Alt g""#));
        }
    }

    #[test]
    fn a_path_that_zellij_cannot_be_given_is_refused_with_what_to_do() {
        let data = tempfile::tempdir().unwrap();
        for (directory, runner, root, hint) in [
            ("a,b", "/r", "/root", "XDG_DATA_HOME"),
            ("a%20b", "/r", "/root", "XDG_DATA_HOME"),
            ("a", "/r,s", "/root", "install host-runner elsewhere"),
            ("a", "/r", "/ro,ot", "--root"),
            ("a", "/r", "/ro\not", "--root"),
        ] {
            let error = install_at(&data.path().join(directory), runner, root).unwrap_err().to_string();
            assert!(error.contains(hint), "{error}");
            assert!(!data.path().join(directory).join(PLUGIN).exists());
        }
    }

    #[test]
    fn a_file_is_only_replaced_when_it_differs() {
        use std::os::unix::fs::MetadataExt;
        let data = tempfile::tempdir().unwrap();
        let inode = || fs::metadata(data.path().join(PLUGIN)).unwrap().ino();
        install_at(data.path(), "/r", "/root").unwrap();
        let first = inode();
        let open = fs::File::open(data.path().join(PLUGIN)).unwrap();
        install_at(data.path(), "/r", "/root").unwrap();
        assert_eq!(inode(), first);
        install_into(data.path(), b"other", Path::new("/r"), Path::new("/root"), AttachIn::Layout).unwrap();
        assert_ne!(inode(), first);
        // Whoever reads the old file still has it whole.
        assert_eq!(io::read_to_string(open).unwrap(), "\0asm");
        assert_eq!(fs::read_dir(data.path()).unwrap().count(), 4);
    }
}
