use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
        fs::write(path, text).expect("written");
    };
    write("hello", "hello\n");
    write("site/b.txt", "bee");
    write("site/a/c.txt", "sea");
    write("site/.pulumi/state", "left out");
    folder
}

fn asset(path: &str, hash: &str) -> Asset {
    Asset {
        path: path.into(),
        hash: hash.into(),
        ..Asset::default()
    }
}

const HELLO: &str = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";

#[track_caller]
fn check(asset: &Asset, want: &Verdict) {
    let folder = folder();
    let verdict = verify(
        Blob::Asset(asset),
        &Disk::new(folder.path()),
        &mut asset::unwatched,
    );
    assert_eq!(&verdict.expect("a verdict"), want);
}

#[test]
fn verdicts_are_four() {
    let found = HELLO.to_owned();
    check(&asset("hello", HELLO), &Verdict::Match);
    check(&asset("hello", &HELLO.to_uppercase()), &Verdict::Match);
    check(
        &asset("hello", "00"),
        &Verdict::Mismatch {
            found: found.clone(),
        },
    );
    check(&asset("hello", ""), &Verdict::NotRecorded { found });
    check(&asset("gone", HELLO), &Verdict::Missing);
}

#[test]
fn folders_and_remote_assets_are_errors() {
    let folder = folder();
    let disk = Disk::new(folder.path());
    let verdict = |asset: &Asset| verify(Blob::Asset(asset), &disk, &mut asset::unwatched);
    assert!(verdict(&asset("site", HELLO)).is_err());
    let far = Asset {
        uri: "https://example.com/x".into(),
        ..Asset::default()
    };
    assert!(matches!(verdict(&far), Err(AccessError::Remote(_))));
}

#[test]
fn folders_are_archives_without_bookkeeping() {
    let folder = folder();
    let disk = Disk::new(folder.path());
    assert_eq!(
        disk.walk("site").expect("a folder"),
        Some(vec!["a/c.txt".to_owned(), "b.txt".to_owned()])
    );
    assert_eq!(disk.walk("hello").expect("a file"), None);
    let archive = Archive {
        path: "site".into(),
        ..Archive::default()
    };
    assert_eq!(size(Blob::Archive(&archive), &disk), Some(6));
    assert_eq!(size(Blob::Asset(&asset("hello", "")), &disk), Some(6));
    assert!(hash(Blob::Archive(&archive), &disk, &mut asset::unwatched).is_ok());
    assert!(list("hello", &disk, &mut asset::unwatched).is_err());
}

#[cfg(unix)]
#[test]
fn links_to_folders_are_left_out_and_links_to_files_are_read() {
    let folder = folder();
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(
            folder.path().join(to),
            folder.path().join("site").join(name),
        )
        .expect("a link");
    };
    link("site", "z-round");
    link("hello", "z-hello");
    let names = Disk::new(folder.path()).walk("site").expect("a folder");
    assert_eq!(
        names.expect("names"),
        ["a/c.txt", "b.txt", "z-hello"].map(str::to_owned)
    );
}

#[test]
fn a_flag_stops_the_work() {
    let folder = folder();
    let flag = AtomicBool::new(true);
    let mut n_seen = 0;
    let stopped = verify(
        Blob::Asset(&asset("hello", HELLO)),
        &Disk::new(folder.path()),
        &mut stop_at(&flag, |n_read| n_seen = n_read),
    );
    assert!(matches!(stopped, Err(AccessError::Stopped)));
    assert_eq!(n_seen, 6);
    assert!(flag.load(Ordering::Relaxed));
}
