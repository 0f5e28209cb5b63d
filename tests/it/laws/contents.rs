//! Contents that only their owner can open, and packed contents.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::sync::Arc;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use stacklens::pulumi::asset::{self, Format, NoFiles, Opened};
use stacklens::pulumi::passphrase;
use stacklens::terraform::encryption::{Config, Envelope};
use stacklens::value::{Archive, Asset, Member, Text};

fn archive(members: &BTreeMap<String, Vec<u8>>) -> Archive {
    let assets = members.iter().map(|(name, bytes)| {
        let asset = Asset {
            text: Some(Text::from(bytes.clone())),
            ..Asset::default()
        };
        (Arc::from(name.as_str()), Member::Asset(Arc::new(asset)))
    });
    Archive {
        assets: Some(assets.collect()),
        ..Archive::default()
    }
}

fn opened(bytes: Vec<u8>) -> Opened {
    Opened {
        length: bytes.len() as u64,
        bytes: Box::new(Cursor::new(bytes)),
    }
}

/// Names of files: without NUL, which a tar file cannot hold, and without a slash at the end, which would be a folder.
fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c/]{0,12}[a-c]", "[a-zü☃/]{90,320}x", "\\PC{1,20}x"]
}

proptest! {
    #[test]
    fn another_reader_gets_every_member_back(members in btree_map(name(), vec(any::<u8>(), 0..1200), 0..5)) {
        let mut tar = Vec::new();
        asset::write_tar(&archive(&members), &NoFiles, &mut tar, &mut asset::unwatched).unwrap();
        let mut reader = tar::Archive::new(&tar[..]);
        let mut found = Vec::new();
        for entry in reader.entries().unwrap() {
            let mut entry = entry.unwrap();
            let name = String::from_utf8(entry.path_bytes().into_owned()).unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            found.push((name, bytes));
        }
        let want: Vec<_> = members.clone().into_iter().collect();
        prop_assert_eq!(&found, &want);

        let listing = asset::list("x.tar", Format::Tar, opened(tar), &mut asset::unwatched).unwrap();
        let listed: Vec<_> = listing.entries.iter().map(|entry| (&*entry.name, entry.size)).collect();
        let want: Vec<_> = members.iter().map(|(name, bytes)| (&**name, bytes.len() as u64)).collect();
        prop_assert_eq!(listed, want);
    }

    #[test]
    fn listings_of_anything_end(bytes in vec(any::<u8>(), 0..2000)) {
        for format in [Format::Tar, Format::TarGz, Format::Zip] {
            let _ = asset::list("x", format, opened(bytes.clone()), &mut asset::unwatched);
        }
    }

    #[test]
    fn listings_of_changed_archives_end(
        members in btree_map(name(), vec(any::<u8>(), 0..600), 1..4),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut tar = Vec::new();
        asset::write_tar(&archive(&members), &NoFiles, &mut tar, &mut asset::unwatched).unwrap();
        let at = at.index(tar.len());
        tar[at] = byte;
        let _ = asset::list("x", Format::Tar, opened(tar), &mut asset::unwatched);
    }

    #[test]
    fn salts_and_envelopes_of_anything_are_refused(text in "\\PC{0,60}", salt in "(v1:)?[A-Za-z0-9+/=:]{0,40}") {
        prop_assert!(passphrase::unlock(b"x", &text).is_err());
        // A salt of the right form would take a second to refuse.
        if salt.matches(':').count() < 4 {
            prop_assert!(passphrase::unlock(b"x", &salt).is_err());
        }
        prop_assert!(Envelope::read(text.as_bytes()).is_err());
    }

    #[test]
    fn configurations_of_anything_end(text in "[a-z{}\\[\\]=\"$<#/*.,:0-9\n \\\\-]{0,80}", rest in "\\PC{0,30}") {
        let _ = Config::parse(&text);
        let _ = Config::parse(&rest);
        let _ = Config::parse(&format!("{{{text}"));
        let _ = Config::parse(&format!("a = \"{rest}"));
        let _ = Config::parse(&format!("a = <<{text}\n{rest}"));
    }
}
