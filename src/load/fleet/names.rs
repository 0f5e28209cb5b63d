//! Short names of members.
//!
//! A name is the path from the folder that all roots share, without the parts that say nothing: `.pulumi/stacks`,
//! `terraform.tfstate.d`, `terraform.tfstate`, and extensions. A name that would repeat an earlier one is the whole path from there.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use super::super::folder::role::without_compression;
use super::super::remote::Address;
use super::{Place, Role, Roots, is_archive};

/// The folder from which members are named.
pub struct Base {
    folder: PathBuf,
    /// True if all members are in one archive, which then is not part of their names.
    is_one_archive: bool,
}

/// The names that were given so far.
pub(super) struct Names {
    base: Base,
    given: HashSet<String>,
}

/// Folders that every backend has.
const FOLDERS: [&str; 3] = [".pulumi", "stacks", "terraform.tfstate.d"];

/// Extensions of states and plans.
const EXTENSIONS: [&str; 4] = [".tfstate", ".tfplan.json", ".json", ".tfplan"];

impl Base {
    /// The folder that these places share.
    pub fn of(roots: &Roots) -> Self {
        Self {
            folder: roots.base(),
            is_one_archive: matches!(&roots.places[..], [only] if is_archive(&Address::public(only))),
        }
    }

    /// The path of a member from here, with `/` between its parts.
    pub fn place(&self, place: &Place) -> String {
        let path = self.relative(place);
        let parts = path.components().filter_map(|part| match part {
            Component::Normal(_) | Component::ParentDir | Component::Prefix(_) => {
                Some(part.as_os_str().to_string_lossy())
            }
            Component::CurDir | Component::RootDir => None,
        });
        parts.collect::<Vec<_>>().join("/")
    }

    /// The path from the base, through the archive if there are several.
    fn relative(&self, place: &Place) -> PathBuf {
        let below = |path: &Path| {
            path.strip_prefix(&self.folder)
                .unwrap_or(path)
                .to_path_buf()
        };
        match place {
            Place::Entry { archive, name } if !self.is_one_archive => below(archive.path()).join(
                // An absolute name would replace the path before it.
                name.trim_start_matches('/'),
            ),
            Place::File(_) | Place::Entry { .. } | Place::Object(_) | Place::Stdin => {
                below(place.path())
            }
        }
    }
}

impl Names {
    pub(super) fn new(roots: &Roots) -> Self {
        Self {
            base: Base::of(roots),
            given: HashSet::new(),
        }
    }

    /// The name of the next member.
    pub(super) fn name(&mut self, place: &Place, role: Role) -> String {
        let path = self.base.relative(place);
        let whole = match path.to_string_lossy() {
            // A root that cannot be read.
            empty if empty.is_empty() => place.to_string(),
            whole => whole.into_owned(),
        };
        let short = if role.is_older_copy() {
            whole.clone()
        } else {
            let in_backend = self.base.folder.iter().any(|part| part == ".pulumi");
            short(&path, in_backend)
        };
        let mut name = [short, whole.clone()]
            .into_iter()
            .find(|name| !name.is_empty() && !self.given.contains(name))
            .unwrap_or_default();
        let mut n = 1;
        while name.is_empty() || self.given.contains(&name) {
            n += 1;
            name = format!("{whole}#{n}");
        }
        self.given.insert(name.clone());
        name
    }
}

/// The short name for a path from the base, which itself may lie in a backend.
fn short(path: &Path, in_backend: bool) -> String {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
        Component::ParentDir => Some("..".to_owned()),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    });
    let mut parts: Vec<String> = parts.collect();
    let Some(file) = parts.pop() else {
        return String::new();
    };
    let in_backend = in_backend || parts.iter().any(|part| part == ".pulumi");
    parts.retain(|part| match part.as_str() {
        "stacks" => !in_backend,
        part => !FOLDERS.contains(&part),
    });
    let file = without_compression(&file);
    let stem = EXTENSIONS.iter().find_map(|end| file.strip_suffix(end));
    let stem = stem.filter(|stem| !stem.is_empty()).unwrap_or(file);
    // The folder says which stack it is.
    if file != "terraform.tfstate" || parts.is_empty() {
        parts.push(stem.to_owned());
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(roots: &[&str], files: &[(&str, &str)]) {
        let roots = Roots::new(roots.iter().map(PathBuf::from));
        let mut names = Names::new(&roots);
        for (file, want) in files {
            let place = match file.split_once('!') {
                Some((archive, entry)) => Place::Entry {
                    archive: super::super::Archive::File(archive.into()),
                    name: entry.to_owned(),
                },
                None => Place::File(file.into()),
            };
            let role = super::super::super::folder::role::of_path(place.path());
            let role = role.map_or(Role::Other, |named| named.role);
            assert_eq!(names.name(&place, role), *want, "{file}");
        }
    }

    #[test]
    fn names_say_what_differs() {
        check(
            &["states/a.tfstate", "states/b.json"],
            &[("states/a.tfstate", "a"), ("states/b.json", "b")],
        );
        check(
            &["x/prod.tfstate", "x/net/dev.json"],
            &[("x/prod.tfstate", "prod"), ("x/net/dev.json", "net/dev")],
        );
        check(
            &[
                "b/.pulumi/stacks/net/prod.json",
                "b/c/stacks/terraform.tfstate",
            ],
            &[
                ("b/.pulumi/stacks/net/prod.json", "net/prod"),
                ("b/c/stacks/terraform.tfstate", "c/stacks"),
                (
                    "b/c/stacks/terraform.tfstate.d/blue/terraform.tfstate",
                    "c/stacks/blue",
                ),
            ],
        );
    }

    #[test]
    fn a_name_is_given_once() {
        check(
            &["x/a.json", "x/a.tfstate"],
            &[
                ("x/a.json", "a"),
                ("x/a.tfstate", "a.tfstate"),
                ("x/a.json", "a.json"),
                ("x/a.json", "a.json#2"),
                ("x/a.json.bak", "a.json.bak"),
            ],
        );
    }

    #[test]
    fn an_archive_is_part_of_the_name_if_there_are_several() {
        check(&["x/s.zip"], &[("x/s.zip!net/../prod.json", "net/../prod")]);
        check(
            &["x/s.zip", "x/t.zip"],
            &[("x/s.zip!/prod.json", "s.zip/prod")],
        );
    }
}
