//! Families of members: a stack with its older copies and versions.

use std::path::Path;

use super::super::folder::{self, role};
use super::{Member, Place};

/// The ends that tools and people give to older copies.
const ENDS: [&str; 2] = [".bak", ".backup"];

/// Minimum number of digits of a time in a name.
const MIN_TIME: usize = 9;

impl Member {
    /// The stack that it belongs to: older copies have the same one as their original, and so have versions of a state.
    pub fn family(&self) -> String {
        if let Some(version) = &self.version {
            let place = self.place.to_string();
            let (folder, _) = place.rsplit_once(['/', '\\']).unwrap_or_default();
            return [folder, &version.recorded.lineage].join("\n");
        }
        let of_backend = match &self.place {
            Place::File(path) => folder::place(path),
            Place::Object(address) => folder::place(address.path()),
            Place::Entry { .. } | Place::Stdin => None,
        };
        match of_backend {
            Some(stack) => {
                let backend = stack.backend.display().to_string();
                [backend, stack.project.unwrap_or_default(), stack.stack].join("\n")
            }
            None => without_ends(&self.place.to_string()).to_owned(),
        }
    }

    /// True if it is the state of the workspace in use, in a folder with several.
    pub fn is_in_use(&self) -> bool {
        match &self.place {
            Place::File(path) => folder::is_in_use(path),
            Place::Object(_) | Place::Entry { .. } | Place::Stdin => false,
        }
    }

    /// The name of its file.
    pub fn file_name(&self) -> String {
        let path = match &self.place {
            Place::File(path) => path,
            Place::Object(address) => address.path(),
            Place::Entry { name, .. } => Path::new(name),
            Place::Stdin => Path::new("-"),
        };
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// A path without the ends of older copies: `a.tfstate.1700000000.backup` is a copy of `a.tfstate`.
fn without_ends(path: &str) -> &str {
    let bare = role::without_compression(path);
    let end = ENDS.iter().find_map(|end| bare.strip_suffix(end));
    let bare = role::without_compression(end.unwrap_or(bare));
    match bare.rsplit_once('.') {
        Some((before, time)) if time.len() >= MIN_TIME && is_number(time) => before,
        Some(_) | None => bare,
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::without_ends;

    #[test]
    fn a_copy_has_the_name_of_its_original() {
        for (copy, want) in [
            ("a/terraform.tfstate.backup", "a/terraform.tfstate"),
            ("terraform.tfstate.1700000000.backup", "terraform.tfstate"),
            ("prod.json.bak", "prod.json"),
            ("prod.json.gz.bak", "prod.json"),
            ("prod.json.1699999999", "prod.json"),
            ("prod.json", "prod.json"),
            ("prod.json.zst", "prod.json"),
            ("v1.2", "v1.2"),
        ] {
            assert_eq!(without_ends(copy), want);
        }
    }
}
