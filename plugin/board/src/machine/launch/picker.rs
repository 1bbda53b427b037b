//! The list under the folder field: favourites, or the directories that what is typed could go on with. Pure data; the
//! rules of Tab (reference I.6) are here, who asks the link for directories is a neighbour.

use crate::editor::Editor;
use board_protocol::daemon::FavouriteDirectory;

/// What is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Offer {
    /// What the field becomes if it is chosen.
    pub(crate) path: String,
    /// Starts in it; `None` for a directory that was only found.
    pub(crate) uses: Option<u64>,
}

/// Directories as the link listed them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    /// For which text.
    pub(crate) asked: String,
    /// Their names, sorted.
    pub(crate) names: Vec<String>,
    /// So many more are there.
    pub(crate) more: u32,
    /// Why there is none.
    pub(crate) problem: Option<String>,
}

impl Listing {
    /// Whether it tells everything about a text: the same directory, and names that begin at least so.
    pub(crate) fn covers(&self, text: &str) -> bool {
        if self.asked == text {
            return true;
        }
        let ((base, leaf), (asked_base, asked_leaf)) = (parts(text), parts(&self.asked));
        base == asked_base
            && leaf.starts_with(asked_leaf)
            && self.more == 0
            && self.problem.is_none()
            && leaf.starts_with('.') == asked_leaf.starts_with('.')
    }

    /// The names that a text could go on with.
    fn fitting<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a str> {
        let leaf = parts(text).1;
        self.names.iter().map(String::as_str).filter(move |name| name.starts_with(leaf))
    }
}

/// A typed path as its directory, with the last `/`, and the beginning of a name.
fn parts(text: &str) -> (&str, &str) {
    match text.rfind('/') {
        Some(at) => text.split_at_checked(at + 1).unwrap_or((text, "")),
        // The home directory itself, on its way to `~/`.
        None if text == "~" => ("~", ""),
        None => ("", text),
    }
}

/// What Tab leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tabbed {
    /// Another text.
    Text(String),
    /// The first of several is selected: nothing else could be added.
    Select,
    /// Nothing begins so.
    Nothing,
}

/// The open list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Picker {
    /// The field as it was before: Esc brings it back.
    pub(crate) before: String,
    /// What is selected; nothing, as long as the text itself is meant.
    pub(crate) selected: Option<usize>,
    /// What is offered.
    pub(crate) source: Source,
}

/// Where offers come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Source {
    /// Every favourite: nothing was typed yet.
    #[default]
    Favourites,
    /// Favourites that have what was typed, else directories.
    Typed,
    /// Directories: the person is on the way through them.
    Directories,
}

impl Picker {
    /// Favourites that are offered for a text; `None` where directories are.
    fn favourites<'a>(
        &self,
        text: &str,
        favourites: &'a [FavouriteDirectory],
    ) -> Option<Vec<&'a FavouriteDirectory>> {
        match self.source {
            Source::Directories => None,
            Source::Favourites => Some(favourites.iter().collect()),
            Source::Typed if text.is_empty() => Some(favourites.iter().collect()),
            Source::Typed if text.contains('/') || text.starts_with(['~', '.']) => None,
            Source::Typed => {
                let wanted = text.to_lowercase();
                let fitting: Vec<_> = favourites
                    .iter()
                    .filter(|favourite| favourite.path.to_lowercase().contains(&wanted))
                    .collect();
                (!fitting.is_empty()).then_some(fitting)
            }
        }
    }

    /// Whether directories are offered, and not favourites.
    pub(crate) fn browses(&self, text: &str, favourites: &[FavouriteDirectory]) -> bool {
        self.favourites(text, favourites).is_none()
    }

    /// What is offered, best first.
    pub(crate) fn offers(
        &self,
        text: &str,
        favourites: &[FavouriteDirectory],
        listing: Option<&Listing>,
    ) -> Vec<Offer> {
        if let Some(favourites) = self.favourites(text, favourites) {
            let offer =
                |known: &&FavouriteDirectory| Offer { path: known.path.clone(), uses: Some(known.uses) };
            return favourites.iter().map(offer).collect();
        }
        let Some(listing) = listing.filter(|listing| listing.covers(text)) else { return Vec::new() };
        let base = base(text);
        let found = |name: &str| Offer { path: format!("{base}{name}"), uses: None };
        listing.fitting(text).map(found).collect()
    }

    /// Tab: the longest beginning that all have in common, then into the directory that is selected, the only one, or the
    /// one that is typed in full.
    pub(crate) fn tab(&self, text: &str, offers: &[Offer], listing: &Listing) -> Tabbed {
        if let Some(offer) = self.selected.and_then(|at| offers.get(at)) {
            return Tabbed::Text(inside(&offer.path));
        }
        if text == "~" {
            return Tabbed::Text("~/".to_owned());
        }
        let names: Vec<&str> = listing.fitting(text).collect();
        let (base, leaf) = (base(text), parts(text).1);
        let Some(common) = common_beginning(&names) else { return Tabbed::Nothing };
        if common.len() > leaf.len() {
            return Tabbed::Text(format!("{base}{common}"));
        }
        if !leaf.is_empty() && names.contains(&leaf) {
            return Tabbed::Text(inside(text));
        }
        Tabbed::Select
    }
}

fn base(text: &str) -> String {
    match parts(text) {
        ("~", _) => "~/".to_owned(),
        (base, _) => base.to_owned(),
    }
}

/// The same directory with the `/` behind which its own directories are listed.
fn inside(path: &str) -> String {
    format!("{}/", path.trim_end_matches('/'))
}

/// The longest text with which all names begin; `None` without a name.
fn common_beginning(names: &[&str]) -> Option<String> {
    let (first, others) = names.split_first()?;
    let common = others.iter().fold(first.chars().collect::<Vec<char>>(), |common, name| {
        common.into_iter().zip(name.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
    });
    Some(common.into_iter().collect())
}

/// The directory above what is typed, with its `/`.
pub(crate) fn above(text: &str) -> String {
    let trimmed = text.trim_end_matches('/');
    match trimmed.rsplit_once('/') {
        _ if trimmed == "~" || trimmed == ".." || trimmed.ends_with("/..") => format!("{trimmed}/../"),
        Some((above, _)) => format!("{above}/"),
        None if text.starts_with('/') => "/".to_owned(),
        None if trimmed.is_empty() => "../".to_owned(),
        None => String::new(),
    }
}

/// A path as it is started in: without a `/` at its end.
pub(crate) fn chosen(text: &str) -> Editor {
    let trimmed = text.trim().trim_end_matches('/');
    Editor::with(if trimmed.is_empty() && text.contains('/') { "/" } else { trimmed })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn favourite(path: &str, uses: u64) -> FavouriteDirectory {
        FavouriteDirectory { path: path.into(), uses, last_used_ms: None }
    }

    fn listing(asked: &str, names: &[&str]) -> Listing {
        Listing {
            asked: asked.into(),
            names: names.iter().map(ToString::to_string).collect(),
            ..Listing::default()
        }
    }

    fn paths(offers: &[Offer]) -> Vec<&str> {
        offers.iter().map(|offer| offer.path.as_str()).collect()
    }

    // Reference F.8: favourites while nothing is typed or what is typed is in one of them, else directories.
    #[test]
    fn f8_favourites_come_first_and_directories_where_none_fits() {
        let favourites = [favourite("/srv/Web", 3), favourite("/home/me/board", 1), favourite("/home/me", 0)];
        let list = listing("", &["webby", "zoo"]);
        let typed = Picker { source: Source::Typed, ..Picker::default() };
        let table: [(Source, &str, &[&str]); 7] = [
            (Source::Favourites, "/anything", &["/srv/Web", "/home/me/board", "/home/me"]),
            (Source::Typed, "", &["/srv/Web", "/home/me/board", "/home/me"]),
            (Source::Typed, "web", &["/srv/Web"]),
            (Source::Typed, "me", &["/home/me/board", "/home/me"]),
            (Source::Typed, "zo", &["zoo"]),
            (Source::Typed, "/srv/", &[]),
            (Source::Directories, "", &["webby", "zoo"]),
        ];
        for (source, text, expected) in table {
            let picker = Picker { source, ..Picker::default() };
            assert_eq!(
                paths(&picker.offers(text, &favourites, Some(&list))),
                expected,
                "{source:?} {text:?}"
            );
        }
        assert!(typed.browses("/srv/", &favourites) && typed.browses("~", &favourites));
        assert!(!typed.browses("board", &favourites));
    }

    // Reference I.6: Tab completes the longest common beginning, Tab again drills.
    #[test]
    fn i6_tab_completes_then_goes_inside() {
        let picker = Picker { source: Source::Directories, ..Picker::default() };
        let text = |text: &str| Tabbed::Text(text.into());
        let table: [(&str, Listing, Tabbed); 11] = [
            ("/srv/w", listing("/srv/w", &["web-api", "web-site"]), text("/srv/web-")),
            ("/srv/web-", listing("/srv/w", &["web-api", "web-site"]), Tabbed::Select),
            ("/srv/a", listing("/srv/", &["api", "web"]), text("/srv/api")),
            ("/srv/api", listing("/srv/", &["api", "web"]), text("/srv/api/")),
            ("/srv/web", listing("/srv/web", &["web", "web-site"]), text("/srv/web/")),
            ("/srv/", listing("/srv/", &["only"]), text("/srv/only")),
            ("/srv/x", listing("/srv/", &["api"]), Tabbed::Nothing),
            ("~", listing("~", &["work"]), text("~/")),
            ("~/w", listing("~/", &["work"]), text("~/work")),
            ("wo", listing("", &["work"]), text("work")),
            ("/漢", listing("/", &["漢字", "漢和"]), Tabbed::Select),
        ];
        for (typed, list, expected) in table {
            let offers = picker.offers(typed, &[], Some(&list));
            assert_eq!(picker.tab(typed, &offers, &list), expected, "{typed:?}");
        }
        let selecting = Picker { selected: Some(1), ..picker };
        let list = listing("/srv/", &["api", "web"]);
        let offers = selecting.offers("/srv/", &[], Some(&list));
        assert_eq!(selecting.tab("/srv/", &offers, &list), text("/srv/web/"));
    }

    #[test]
    fn i6_shift_tab_goes_up_a_level() {
        let table = [
            ("/srv/web/", "/srv/"),
            ("/srv/web", "/srv/"),
            ("/srv/", "/"),
            ("/srv", "/"),
            ("/", "/"),
            ("~/work/", "~/"),
            ("~/", "~/../"),
            ("~/../", "~/../../"),
            ("a/b", "a/"),
            ("a/", ""),
            ("", "../"),
            ("../", "../../"),
        ];
        for (from, to) in table {
            assert_eq!(above(from), to, "{from:?}");
        }
        for (typed, path) in [("/srv/", "/srv"), ("/", "/"), (" ~/a// ", "~/a"), ("", ""), ("//", "/")] {
            assert_eq!(chosen(typed).text(), path, "{typed:?}");
        }
    }

    #[test]
    fn a_list_is_used_as_long_as_it_tells_everything() {
        let whole = listing("/srv/w", &["web"]);
        let cut = Listing { more: 3, ..whole.clone() };
        let table = [
            (&whole, "/srv/w", true),
            (&whole, "/srv/we", true),
            (&whole, "/srv/", false),
            (&whole, "/srv/w/", false),
            (&cut, "/srv/w", true),
            (&cut, "/srv/we", false),
        ];
        for (list, text, covers) in table {
            assert_eq!(list.covers(text), covers, "{text:?}");
        }
        assert!(!listing("/srv/", &[]).covers("/srv/.g"), "hidden ones were not listed");
        assert!(listing("~", &["work"]).covers("~") && !listing("~", &["work"]).covers("~/"));
    }
}
