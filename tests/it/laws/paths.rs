//! Property paths and URNs.

use proptest::prelude::*;
use stacklens::path::{Glob, Path};
use stacklens::pulumi::legacy_path::{LegacyPath, LegacySegment, Strictness};
use stacklens::pulumi::urn::{self, Urn};

use super::generate::{Kinds, glob, map, path, value};

proptest! {
    #[test]
    fn printed_paths_read_back(path in path(), glob in glob()) {
        prop_assert_eq!(&Glob::parse_tolerant(&path.to_tolerant()).unwrap().as_path(), &Some(path.clone()));
        prop_assert_eq!(&Glob::parse_tolerant(&glob.to_tolerant()).unwrap(), &glob);
        if !path.0.is_empty() {
            prop_assert_eq!(&Path::parse(&path.to_string()).unwrap(), &path);
        }
        if !glob.0.is_empty() {
            prop_assert_eq!(&Glob::parse(&glob.to_string()).unwrap(), &glob);
        }
    }

    #[test]
    fn the_older_language_reads_back(path in path()) {
        let path = LegacyPath::from(&path);
        // It has no notation for an empty key, nor for a backslash before a quote.
        let can_print = path.0.iter().all(|segment| match segment {
            LegacySegment::Key(key) => !key.is_empty() && !key.contains('\\'),
            LegacySegment::Index(_) => true,
        });
        if can_print {
            for strictness in [Strictness::Loose, Strictness::Strict] {
                prop_assert_eq!(&LegacyPath::parse(&path.to_string(), strictness).unwrap(), &path);
            }
        }
    }

    #[test]
    fn errors_are_at_a_character(text in "[ab.\\[\\]\"*0-9\\\\ é-]{0,16}") {
        let globs = [Glob::parse, Glob::parse_tolerant].map(|parse| parse(&text).err());
        let legacy = [Strictness::Loose, Strictness::Strict].map(|it| LegacyPath::parse(&text, it).err());
        for error in globs.into_iter().chain(legacy).flatten() {
            prop_assert!(text.is_char_boundary(error.offset), "{:?}", error);
        }
    }

    #[test]
    fn a_value_that_was_set_is_found(value in value(Kinds::Pulumi), path in path(), to in value(Kinds::Pulumi)) {
        match path.set(&value, &to) {
            Ok(changed) => {
                prop_assert_eq!(path.get(&changed), Some(&to));
                prop_assert_eq!(path.set(&changed, &to), Ok(changed));
            }
            Err(miss) => {
                prop_assert!(path.get(&value).is_none());
                prop_assert!(miss.n_steps < path.0.len());
            }
        }
        prop_assert_eq!(path.get(&value), path.find(&value).ok());
        if let Ok(rest) = path.delete(&value) {
            prop_assert!(path.get(&value).is_some());
            prop_assert!(path.0.is_empty() || rest != value || path.get(&rest).is_some());
        }
    }

    #[test]
    fn globs_agree_with_paths(value in value(Kinds::Pulumi), glob in glob(), path in path()) {
        let as_glob = Glob::from(&path);
        prop_assert_eq!(as_glob.find(&value).first().map(|(_, found)| *found), path.get(&value));
        prop_assert!(as_glob.matches(&path));
        let found = glob.find(&value);
        for (path, found) in &found {
            prop_assert_eq!(path.get(&value), Some(*found));
            prop_assert!(glob.matches(path));
        }
        if let Ok(all) = glob.get(&value) {
            prop_assert_eq!(all, found);
        }
    }

    #[test]
    fn the_older_operations_agree_with_each_other(map in map(Kinds::Pulumi), path in path(), to in value(Kinds::Plain)) {
        let path = LegacyPath::from(&path);
        let value = stacklens::value::Value::from(map.clone());
        if let Some(changed) = path.set(&value, &to) {
            prop_assert_eq!(path.get(&changed), Some(&to));
            prop_assert!(path.delete(&value).is_some());
        }
        if let Some(changed) = path.add(&value, &to) {
            prop_assert_eq!(path.get(&changed), Some(&to));
        }
        if let Some(reset) = path.reset(&map, &map) {
            prop_assert_eq!(reset, map);
        }
        prop_assert!(path.contains(&path));
    }

    #[test]
    fn urns_are_their_parts(text in "urn:pulumi:[a-c:$/]{0,20}") {
        let urn = Urn::from(text.as_str());
        if let Ok(strict) = urn::parse_strict(&text) {
            prop_assert_eq!(Some(strict), urn.parts());
        }
        let n_separators = text["urn:pulumi:".len()..].matches("::").count();
        if let Some(parts) = urn.parts().filter(|_| n_separators >= 3) {
            prop_assert_eq!(parts.to_urn(), urn.clone());
            let renamed = urn.rename("other::name");
            prop_assert_eq!(renamed.name(), "other::name");
        }
    }
}
