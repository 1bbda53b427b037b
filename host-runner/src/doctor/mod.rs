//! The doctor: looks at everything that the board needs and says what to do. It changes nothing, starts no daemon, and
//! takes seconds at most.
//!
//! Called by `host-runner doctor`. One check a file; each takes the [`Scene`] and returns what it found. Rendering is
//! [`finding`]'s.

mod agents;
mod board;
mod daemon;
mod file_system;
mod finding;
mod leftovers;
mod links;
mod login;
mod orphans;
mod permission;
mod plugin;
mod root;
mod scene;
mod settings;
mod sockets;
mod store;
mod zellij;

pub(crate) use finding::{Finding, Status, as_text};
pub(crate) use scene::Scene;

/// Every check, in the order in which a person mends things: what is missing first, what was left behind last.
pub(crate) fn examine(scene: &Scene) -> Vec<Finding> {
    let mut daemon = daemon::look(scene);
    let mut found = vec![
        zellij::binary(scene),
        zellij::server(),
        plugin::check(),
        permission::check(scene),
        root::check(scene),
        file_system::check(scene),
        sockets::check(scene),
        store::check(scene, &daemon),
        daemon::check(&daemon),
    ];
    found.extend(daemon::check_sweep(scene, &daemon));
    found.extend(board::check(scene, &mut daemon));
    found.extend(orphans::check(scene, &mut daemon));
    found.extend(links::check(scene));
    found.extend(settings::check(scene));
    found.extend(agents::check(scene));
    found.extend(login::check(scene));
    found.extend(leftovers::check(scene, &daemon));
    found
}

#[cfg(test)]
mod tests;
