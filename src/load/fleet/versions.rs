//! Versions of a Terraform state: the states of one lineage in one folder, of a disk, an archive or a bucket, in the order of their serials.
//!
//! A state counts if its first bytes have its lineage and serial, as the tools write them. A copy with the same contents as another
//! version is not one more version. White space and packing make no other contents.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::super::folder::role::{self, Role};
use super::super::workers::in_parts;
use super::super::{Limits, Origin, prepare};
use super::{Address, Fingerprint, Place, archive, bucket, n_workers};
use crate::json::{Reader, Token};

/// Number of bytes in which a state has its lineage and serial.
pub(super) const HEAD: usize = 4096;

/// Minimum number of files for which a thread is started.
const MIN_EACH: usize = 64;

/// The version of a state as the file records it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The lineage: states with the same one are of one stack.
    pub lineage: String,
    /// The serial, which grows with each change.
    pub serial: u64,
    /// The version of the tool that wrote it, "" if it is not recorded before the lineage.
    pub tool_version: String,
}

/// A state among the versions of its stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    /// The version as the file records it.
    pub recorded: Recorded,
    /// The time of the last write.
    pub modified: Option<SystemTime>,
    /// Number of versions of the stack: two or more.
    pub n_all: usize,
    /// True if a state that is no backup has a higher serial.
    pub is_older: bool,
    /// True if a version before this one has the same contents.
    pub is_repeated: bool,
    /// The file of another version with the same serial and other contents.
    pub unlike: Option<String>,
    /// The fingerprint of its contents, if another state has its serial.
    pub(super) contents: Option<Fingerprint>,
}

impl Version {
    /// The order of two versions; `None` if they are of two stacks.
    pub fn order(&self, other: &Self) -> Option<Ordering> {
        let [one, other] = [self, other].map(|it| &it.recorded);
        (one.lineage == other.lineage).then(|| one.serial.cmp(&other.serial))
    }

    /// The file of another version with the same serial, if no version before this one has the same contents.
    pub fn rival(&self) -> Option<&str> {
        self.unlike.as_deref().filter(|_| !self.is_repeated)
    }

    /// Its serial in words, with a remark if another state has it too.
    pub fn words(&self) -> String {
        let serial = self.recorded.serial;
        match self.rival() {
            Some(_) => format!("serial {serial}, other contents"),
            None => format!("serial {serial}"),
        }
    }
}

/// A version of a state that can be opened.
pub struct PastState {
    /// The name of its file.
    pub file: String,
    /// The version.
    pub version: Version,
    /// Its contents; `None` if they are too large to be held in memory.
    pub origin: Option<Origin>,
}

impl Place {
    /// The versions of the state that is here, in the order of their serials: those in its folder, or in the same folder of its archive
    /// or bucket. None if there is only one.
    ///
    /// # Errors
    ///
    /// If there are none because a bucket does not list them.
    pub fn versions(&self, limits: Limits) -> io::Result<Vec<PastState>> {
        Ok(match self {
            Self::File(path) => of_file(path).unwrap_or_default(),
            Self::Entry { archive, name } => {
                let all = archive::versions(archive, limits);
                let wanted = of_same_stack(all, Path::new(name));
                let contents = archive::read_all(archive, &wanted, limits);
                let past = wanted.into_iter().zip(contents);
                past.map(|((path, version), bytes)| {
                    let name = archive.entry_name(&path.to_string_lossy());
                    past_state(
                        &path,
                        version,
                        bytes.map(|bytes| Origin::Bytes { name, bytes }),
                    )
                })
                .collect()
            }
            Self::Object(address) => of_object(address, limits)?,
            Self::Stdin => Vec::new(),
        })
    }
}

fn of_file(path: &Path) -> Option<Vec<PastState>> {
    let path = std::path::absolute(path).ok()?;
    let entries = fs::read_dir(path.parent()?).ok()?;
    let files = entries.flatten().map(|entry| entry.path());
    let wanted = of_same_stack(among(files.filter(|it| it.is_file())), &path);
    let past = wanted.into_iter().map(|(path, version)| {
        let origin = Origin::Path(path.clone());
        past_state(&path, version, Some(origin))
    });
    Some(past.collect())
}

fn of_object(address: &Address, limits: Limits) -> io::Result<Vec<PastState>> {
    let mut objects = Vec::new();
    let mut outcome = Ok(());
    for list in [address.siblings(), address.versions()] {
        match list {
            Ok(found) => objects.extend(found),
            Err(trouble) => outcome = outcome.and(Err(trouble)),
        }
    }
    let wanted = of_same_stack(bucket::versions(&objects, limits), address.path());
    let past = wanted.into_iter().map(|(path, version)| {
        let object = objects.iter().find(|it| it.address.path() == path);
        let origin = object.map(|it| Origin::Object(it.address.clone()));
        past_state(&path, version, origin)
    });
    let past: Vec<PastState> = past.collect();
    if past.is_empty() {
        outcome?;
    }
    Ok(past)
}

fn past_state(path: &Path, version: Version, origin: Option<Origin>) -> PastState {
    let file = path.file_name().unwrap_or_default();
    PastState {
        file: file.to_string_lossy().into_owned(),
        version,
        origin,
    }
}

/// The different versions of the stack that a state belongs to, in the order of their serials.
fn of_same_stack(all: HashMap<PathBuf, Version>, state: &Path) -> Vec<(PathBuf, Version)> {
    let Some(own) = all.get(state).cloned() else {
        return Vec::new();
    };
    let is_same = |(path, version): &(PathBuf, Version)| {
        path.parent() == state.parent() && version.order(&own).is_some() && !version.is_repeated
    };
    let mut same: Vec<_> = all.into_iter().filter(is_same).collect();
    same.sort_by(|(one, of_one), (other, of_other)| {
        let key = |it: &Version| (it.recorded.serial, it.modified);
        key(of_one).cmp(&key(of_other)).then_with(|| one.cmp(other))
    });
    same
}

/// A state in a folder, an archive or a bucket.
pub(super) struct StateFile {
    pub(super) path: PathBuf,
    /// True for a file of this machine.
    pub(super) is_here: bool,
    pub(super) modified: Option<SystemTime>,
    pub(super) recorded: Recorded,
    /// The fingerprint of its contents, if it is known already.
    pub(super) contents: Option<Fingerprint>,
}

impl Recorded {
    /// The version in the first bytes of a state.
    pub(super) fn in_head(head: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(head);
        if reader.next().ok()? != Some(Token::MapStart) {
            return None;
        }
        let (mut lineage, mut serial, mut tool_version) = (None, None, String::new());
        while let Ok(Some(Token::Key(key))) = reader.next() {
            let value = match ["lineage", "serial", "terraform_version"].map(|it| key.is(it)) {
                [false, false, false] => reader.skip_value().map(|_| None),
                [..] => reader.next(),
            };
            match value {
                Ok(Some(Token::String(text))) if key.is("lineage") => {
                    lineage = Some(text.decode_lossy().into_owned());
                }
                Ok(Some(Token::String(text))) if key.is("terraform_version") => {
                    tool_version = text.decode_lossy().into_owned();
                }
                Ok(Some(Token::Number(number))) if key.is("serial") => serial = number.parse().ok(),
                Ok(None) => {}
                Ok(Some(_)) | Err(_) => break,
            }
            if lineage.is_some() && serial.is_some() && !tool_version.is_empty() {
                break;
            }
        }
        Some(Self {
            lineage: lineage.filter(|it| !it.is_empty())?,
            serial: serial?,
            tool_version,
        })
    }
}

/// The versions of the stacks among the files of a folder, by path. A stack with one version is left out.
pub(super) fn among(files: impl IntoIterator<Item = PathBuf>) -> HashMap<PathBuf, Version> {
    let named = files.into_iter().filter(|file| may_be_state(file));
    let named: Vec<_> = named.collect();
    if named.len() < 2 {
        return HashMap::new();
    }
    // Opening many files is mostly waiting.
    let states = |part: &[PathBuf]| -> Vec<StateFile> {
        part.iter().filter_map(|path| state(path)).collect()
    };
    let found = in_parts(&named, (n_workers(), MIN_EACH), &states);
    rank(found.into_iter().flatten().collect())
}

/// The state that a file is.
fn state(path: &Path) -> Option<StateFile> {
    Some(StateFile {
        recorded: Recorded::in_head(&head(path)?)?,
        is_here: true,
        modified: None,
        contents: None,
        path: path.to_path_buf(),
    })
}

/// True if a state may have such a name.
pub(super) fn may_be_state(file: &Path) -> bool {
    let name = file.file_name().map(OsStr::to_string_lossy);
    name.is_some_and(|it| it.contains(".tfstate") || it.contains(".json"))
}

/// The first bytes of a file, unpacked.
fn head(path: &Path) -> Option<Vec<u8>> {
    let mut head = vec![0; HEAD];
    let n_read = File::open(path).ok()?.read(&mut head).ok()?;
    head.truncate(n_read);
    Some(unpacked(head))
}

/// The first bytes of a state, unpacked. That they end in the middle is no error.
pub(super) fn unpacked(head: Vec<u8>) -> Vec<u8> {
    if !head.starts_with(b"\x1f\x8b") && !head.starts_with(b"\x28\xb5") {
        return head;
    }
    let mut bytes = Vec::new();
    if let Ok(packed) = prepare::unpacking(Box::new(Cursor::new(head)), Limits::default()) {
        _ = packed.take(HEAD as u64).read_to_end(&mut bytes);
    }
    bytes
}

/// The bytes of a file, unpacked.
fn open(path: &Path) -> Option<Box<dyn Read + Send>> {
    prepare::unpacking(Box::new(File::open(path).ok()?), Limits::default()).ok()
}

/// The fingerprint of a state without the white space between its values.
pub(super) fn contents(state: impl Read) -> Option<Fingerprint> {
    let compact = Compact {
        state,
        is_text: false,
        is_escaped: false,
    };
    Fingerprint::of_contents(compact).ok()
}

/// JSON without white space between its values.
struct Compact<R> {
    state: R,
    is_text: bool,
    is_escaped: bool,
}

impl<R: Read> Read for Compact<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let n_read = self.state.read(buffer)?;
            let mut n_kept = 0;
            for at in 0..n_read {
                let byte = buffer[at];
                if self.is_text || !byte.is_ascii_whitespace() {
                    buffer[n_kept] = byte;
                    n_kept += 1;
                }
                let is_quote = byte == b'"' && !self.is_escaped;
                self.is_text ^= is_quote;
                self.is_escaped = self.is_text && byte == b'\\' && !self.is_escaped;
            }
            if n_kept > 0 || n_read == 0 {
                return Ok(n_kept);
            }
        }
    }
}

/// Puts the states of each folder and lineage in the order of their serials, and says what each is among them.
pub(super) fn rank(mut files: Vec<StateFile>) -> HashMap<PathBuf, Version> {
    let order = |one: &StateFile, other: &StateFile| {
        let by_lineage = one.recorded.lineage.cmp(&other.recorded.lineage);
        by_lineage.then_with(|| one.path.parent().cmp(&other.path.parent()))
    };
    files.sort_by(order);
    let stacks = files.chunk_by_mut(|one, other| order(one, other).is_eq());
    let several = stacks.filter(|states| states.len() > 1);
    several.flat_map(versions).collect()
}

/// The versions of one stack; none if its states all have the same contents.
fn versions(states: &mut [StateFile]) -> Vec<(PathBuf, Version)> {
    for state in &mut *states {
        let of_file = || modified(&state.path).filter(|_| state.is_here);
        state.modified = state.modified.or_else(of_file);
    }
    states.sort_by(|one, other| {
        let key = |it: &StateFile| (it.recorded.serial, it.modified);
        key(one).cmp(&key(other)).then(one.path.cmp(&other.path))
    });
    let counts = |it: &&StateFile| matches!(role_of(&it.path), Role::State | Role::Other);
    let newest = states.iter().filter(counts).map(|it| it.recorded.serial);
    let newest = newest.max();
    let mut ranked: Vec<(PathBuf, Version)> = Vec::new();
    for equal in states.chunk_by(|one, other| one.recorded.serial == other.recorded.serial) {
        let contents: Vec<_> = match equal {
            [_] => vec![None],
            several => several.iter().map(contents_of).collect(),
        };
        for (at, state) in equal.iter().enumerate() {
            let is_repeated = contents[at].is_some() && contents[..at].contains(&contents[at]);
            let other = contents.iter().position(|other| *other != contents[at]);
            let unlike = other.and_then(|other| Some(equal[other].path.file_name()?.to_owned()));
            let is_older = counts(&state) && newest > Some(state.recorded.serial);
            let version = Version {
                recorded: state.recorded.clone(),
                modified: state.modified,
                n_all: 0,
                is_older,
                is_repeated,
                unlike: unlike.map(|name| name.to_string_lossy().into_owned()),
                contents: contents[at],
            };
            ranked.push((state.path.clone(), version));
        }
    }
    let n_all = ranked.iter().filter(|(_, it)| !it.is_repeated).count();
    if n_all < 2 {
        return Vec::new();
    }
    for (_, version) in &mut ranked {
        version.n_all = n_all;
    }
    ranked
}

fn role_of(path: &Path) -> Role {
    role::of_path(path).map_or(Role::Other, |named| named.role)
}

/// The time of the last write.
pub(super) fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|it| it.modified()).ok()
}

/// The fingerprint of the contents of a state.
fn contents_of(state: &StateFile) -> Option<Fingerprint> {
    let in_file = || contents(open(&state.path).filter(|_| state.is_here)?);
    state.contents.or_else(in_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_of_a_state_have_its_version() {
        let told = |head: &str| {
            let it = Recorded::in_head(head.as_bytes())?;
            Some(format!("{} {} {}", it.lineage, it.serial, it.tool_version))
        };
        for (head, want) in [
            (
                r#"{"version":4,"terraform_version":"1.9.0","serial":7,"lineage":"a","outp"#,
                Some("a 7 1.9.0"),
            ),
            (
                r#"{"serial":2,"lineage":"a","meta":{"key_provider.pbkdf2.a":"e30="},"encrypted_data":"AA"#,
                Some("a 2 "),
            ),
            (
                r#"{"lineage":"a","outputs":{"serial":3},"resources":[{"serial":1"#,
                None,
            ),
            (
                r#"{"version":4,"serial":7,"lineage":"","outputs":{}}"#,
                None,
            ),
            (r#"{"version":4,"serial":-1,"lineage":"a"}"#, None),
            (r#"{"version":4,"serial":[1],"lineage":"a"}"#, None),
            ("[1, 2]", None),
            ("", None),
        ] {
            assert_eq!(told(head).as_deref(), want, "{head}");
        }
    }

    #[test]
    fn white_space_is_no_other_contents() {
        let of = |text: &str| contents(text.as_bytes()).unwrap();
        let state = r#"{"a": "b \" c", "d": [1]}"#;
        assert_eq!(of(state), of("{\n  \"a\":\"b \\\" c\",\n\"d\":[ 1 ]}\n"));
        assert_ne!(of(state), of(r#"{"a":"b\" c","d":[1]}"#));
        assert_ne!(of(state), of(r#"{"a": "b \"c", "d": [1]}"#));
    }
}
