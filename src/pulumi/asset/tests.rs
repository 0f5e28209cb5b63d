use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::Arc;

use super::*;
use crate::value::{Member, Text};

/// Files in memory; a folder exists if there are files below it.
#[derive(Default)]
struct Memory(BTreeMap<String, Vec<u8>>);

impl Files for Memory {
    fn open(&self, path: &str) -> io::Result<Opened> {
        let bytes = self.0.get(path).ok_or(io::ErrorKind::NotFound)?.clone();
        Ok(Opened {
            length: bytes.len() as u64,
            bytes: Box::new(Cursor::new(bytes)),
        })
    }

    fn walk(&self, path: &str) -> io::Result<Option<Vec<String>>> {
        let names: Vec<_> = self
            .0
            .keys()
            .filter_map(|name| name.strip_prefix(path)?.strip_prefix('/'))
            .map(str::to_owned)
            .collect();
        Ok((!names.is_empty()).then_some(names))
    }
}

fn text(text: &str) -> Member {
    Member::Asset(Arc::new(Asset {
        text: Some(text.into()),
        ..Asset::default()
    }))
}

fn archive(members: &[(&str, Member)]) -> Archive {
    Archive {
        assets: Some(
            members
                .iter()
                .map(|(name, member)| (Arc::from(*name), member.clone()))
                .collect(),
        ),
        ..Archive::default()
    }
}

fn at(path: &str) -> Archive {
    Archive {
        path: path.into(),
        ..Archive::default()
    }
}

fn tar_of(archive: &Archive, files: &Memory) -> Vec<u8> {
    let mut tar = Vec::new();
    write_tar(archive, files, &mut tar, &mut unwatched).expect("a tar stream");
    tar
}

/// Names and contents, as another reader of tar sees them.
fn read_back(tar: &[u8]) -> Vec<(String, String)> {
    let mut archive = tar::Archive::new(tar);
    let entries = archive.entries().expect("entries");
    entries
        .map(|entry| {
            let mut entry = entry.expect("an entry");
            let name = String::from_utf8(entry.path_bytes().into_owned()).expect("UTF-8");
            let mut contents = String::new();
            entry.read_to_string(&mut contents).expect("contents");
            (name, contents)
        })
        .collect()
}

#[test]
fn another_reader_of_tar_gets_every_name_back() {
    let names = [
        "a".to_owned(),
        "ü".to_owned(),
        "n".repeat(100),
        "n".repeat(101),
        format!("{}/{}", "p".repeat(60), "n".repeat(90)),
        format!("{}/{}", "p".repeat(155), "n".repeat(100)),
        format!("{}/{}", "p".repeat(156), "n".repeat(100)),
        format!("{}/{}ü", "p".repeat(60), "n".repeat(90)),
        "d/".repeat(700) + "n",
    ];
    for name in names {
        let tar = tar_of(&archive(&[(&name, text("x"))]), &Memory::default());
        assert_eq!(read_back(&tar), [(name, "x".to_owned())]);
        assert_eq!(tar.len() % 512, 0);
    }
}

#[test]
fn archives_inside_are_flattened_and_the_first_name_wins() {
    let mut files = Memory::default();
    files.0.insert("dir/b".to_owned(), b"bee".to_vec());
    files.0.insert("dir/a/c".to_owned(), b"sea".to_vec());
    let inner = archive(&[("x", text("1")), ("../y", text("2"))]);
    let packed = tar_of(&inner, &files);
    files.0.insert("inner.tar".to_owned(), packed);
    let outer = archive(&[
        ("z/x", text("late")),
        ("z", Member::Archive(Arc::new(at("inner.tar")))),
        ("m", Member::Archive(Arc::new(at("dir")))),
    ]);
    let members = read_back(&tar_of(&outer, &files));
    let names: Vec<_> = members
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    assert_eq!(
        names,
        [("m/a/c", "sea"), ("m/b", "bee"), ("y", "2"), ("z/x", "1")]
    );
}

#[test]
fn a_file_in_a_known_format_hashes_to_its_bytes() {
    let mut files = Memory::default();
    files.0.insert("a.zip".to_owned(), b"hello\n".to_vec());
    let hash = hash_archive(&at("a.zip"), &files, &mut unwatched).expect("a hash");
    assert_eq!(
        hash,
        "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"
    );
    let empty = hash_archive(&archive(&[]), &files, &mut unwatched).expect("a hash");
    assert_eq!(empty, EMPTY_ARCHIVE);
}

#[track_caller]
fn check_refused(archive: &Archive, want: &str) {
    let err = hash_archive(archive, &NoFiles, &mut unwatched).expect_err("refused");
    assert_eq!(err.to_string(), want);
}

#[test]
fn unreadable_assets_have_a_reason() {
    let remote = Archive {
        uri: "https://example.com/a.zip".into(),
        ..Archive::default()
    };
    check_refused(
        &remote,
        "the contents are at \"https://example.com/a.zip\", which is not fetched",
    );
    let placeholder = Archive {
        hash: "abcd".into(),
        ..Archive::default()
    };
    check_refused(
        &placeholder,
        "the contents are not recorded, only their hash is",
    );
    check_refused(&at("gone.tar"), "cannot read \"gone.tar\"");
    check_refused(
        &archive(&[("d/", text("x"))]),
        "a member has a name that does not fit into a tar file: \"d/\"",
    );
    let mut nested = archive(&[]);
    for _ in 0..=MAX_NESTING {
        nested = archive(&[("d", Member::Archive(Arc::new(nested)))]);
    }
    check_refused(&nested, "archives nest deeper than 64");
}

#[test]
fn work_stops_when_cancelled() {
    let asset = Asset {
        path: "big".into(),
        ..Asset::default()
    };
    let mut files = Memory::default();
    files.0.insert("big".to_owned(), vec![0; 1 << 20]);
    let mut progress = Vec::new();
    let err = hash_asset(&asset, &files, &mut |n| {
        progress.push(n);
        ControlFlow::Break(())
    });
    assert!(matches!(err, Err(AccessError::Stopped)));
    assert_eq!(progress, [128 << 10]);
}

#[test]
fn file_urls_are_paths_of_this_machine() {
    let mut files = Memory::default();
    files.0.insert("/a b".to_owned(), b"hello\n".to_vec());
    let uri = |uri: &str| Asset {
        uri: uri.into(),
        text: Some(Text::default()),
        ..Asset::default()
    };
    assert!(hash_asset(&uri("file:///a%20b"), &files, &mut unwatched).is_ok());
    for refused in ["file://host/a", "file:///a?x", "ftp://a", "a"] {
        assert!(
            hash_asset(&uri(refused), &files, &mut unwatched).is_err(),
            "{refused}"
        );
    }
}

fn opened(bytes: Vec<u8>) -> Opened {
    Opened {
        length: bytes.len() as u64,
        bytes: Box::new(Cursor::new(bytes)),
    }
}

#[test]
fn listings_flag_names_that_lie_outside() {
    let members = archive(&[
        ("a/../../x", text("1")),
        ("/etc/passwd", text("22")),
        ("c:\\x", text("")),
        ("ok/y", text("333")),
        (&"long/".repeat(80), text("")),
    ]);
    let tar = tar_of(&members, &Memory::default());
    let listing =
        list("a.tar", Format::Tar, opened(tar.clone()), &mut unwatched).expect("a listing");
    let shown: Vec<_> = listing
        .entries
        .iter()
        .map(|entry| (entry.name.len(), entry.size, entry.is_outside))
        .collect();
    assert_eq!(
        shown,
        [
            (11, 2, true),
            (9, 1, true),
            (4, 0, true),
            (400, 0, false),
            (4, 3, false)
        ]
    );
    assert_eq!(listing.stopped, None);

    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&tar).expect("packed");
    let packed = packed.finish().expect("packed");
    let same = list(
        "a.tgz",
        Format::TarGz,
        opened(packed.clone()),
        &mut unwatched,
    );
    assert_eq!(same.expect("a listing"), listing);
    let cut = list(
        "a.tgz",
        Format::TarGz,
        opened(packed[..packed.len() - 40].to_vec()),
        &mut unwatched,
    );
    assert!(matches!(
        cut,
        Ok(Listing {
            stopped: Some(Stopped::Broken(_)),
            ..
        }) | Err(AccessError::Malformed { .. })
    ));
}

#[test]
fn zip_files_are_listed_and_walked() {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    writer.add_directory("d/", options).expect("a folder");
    writer.start_file("d/b", options).expect("a file");
    writer.write_all(b"bee").expect("contents");
    writer.start_file("a", options).expect("a file");
    writer.write_all(b"ay").expect("contents");
    let bytes = writer.finish().expect("a zip").into_inner();
    let listing =
        list("x.jar", Format::Zip, opened(bytes.clone()), &mut unwatched).expect("a listing");
    let shown: Vec<_> = listing
        .entries
        .iter()
        .map(|entry| (entry.name.as_str(), entry.kind, entry.size))
        .collect();
    assert_eq!(
        shown,
        [
            ("d/", EntryKind::Folder, 0),
            ("d/b", EntryKind::File, 3),
            ("a", EntryKind::File, 2)
        ]
    );
    let mut files = Memory::default();
    files.0.insert("x.jar".to_owned(), bytes);
    let outer = archive(&[("in", Member::Archive(Arc::new(at("x.jar"))))]);
    let members = read_back(&tar_of(&outer, &files));
    assert_eq!(
        members,
        [
            ("in/d/b".to_owned(), "bee".to_owned()),
            ("in/a".to_owned(), "ay".to_owned())
        ]
    );
}

#[test]
fn broken_archives_are_refused_and_no_more() {
    let tar = tar_of(
        &archive(&[("a", text("hello")), ("ü", text("x"))]),
        &Memory::default(),
    );
    for end in (0..tar.len()).step_by(61) {
        for format in [Format::Tar, Format::TarGz, Format::Zip] {
            let _ = list("x", format, opened(tar[..end].to_vec()), &mut unwatched);
        }
    }
}

#[test]
fn names_are_cleaned() {
    for (given, want) in [
        ("", "."),
        ("a//b/./c", "a/b/c"),
        ("a/../..", ".."),
        ("/../a", "/a"),
        ("x/../y", "y"),
    ] {
        assert_eq!(name::clean(given), want);
    }
    assert_eq!(name::join("d/", "f"), "d/f");
    assert_eq!(name::join("", "./f"), "f");
}
