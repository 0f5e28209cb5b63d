//! Fingerprints tell twins: files with the same contents, or with the same version of the same stack.

use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{self, Read};
use std::sync::LazyLock;

use hashbrown::DefaultHashBuilder;
use sha2::{Digest as _, Sha256};

use super::super::Document;
use super::scan::fill;
use crate::text::hex;
use crate::value::Value;

/// Keys that nobody knows who makes files, so that no two are made to collide.
static HASHER: LazyLock<DefaultHashBuilder> = LazyLock::new(DefaultHashBuilder::default);

/// The hash of a text.
pub(super) fn hash(text: &str) -> u64 {
    HASHER.hash_one(text)
}

/// Number of bytes that are hashed at once.
const PIECE: usize = 1 << 18;

/// Two members with the same one are twins.
///
/// A state that records its version is told by it: lineage and serial, or stack and time. So a copy in another form is a twin as well.
/// The number of resources and outputs has to agree, because copies that were edited by hand keep the version.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of a version of a stack; `None` if the file records none, or is damaged.
    pub(super) fn of_version(document: &Document) -> Option<Self> {
        Some(Self(hash(&version_words(document)?)))
    }

    /// The fingerprint of the contents of a file.
    pub(super) fn of_contents(reader: impl Read) -> io::Result<Self> {
        let mut hasher = HASHER.build_hasher();
        in_pieces(reader, &mut |piece| hasher.write(piece))?;
        Ok(Self(hasher.finish()))
    }
}

/// The SHA-256 of the contents of a file, in hexadecimal digits.
pub(super) fn digest(reader: impl Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    in_pieces(reader, &mut |piece| hasher.update(piece))?;
    Ok(hex(&hasher.finalize()))
}

/// Passes the bytes on in full pieces, so that the same bytes have the same hash however they arrive.
fn in_pieces(mut reader: impl Read, take: &mut dyn FnMut(&[u8])) -> io::Result<()> {
    let mut piece = vec![0; PIECE];
    loop {
        match fill(&mut reader, &mut piece, 0)? {
            0 => return Ok(()),
            n_read => take(&piece[..n_read]),
        }
    }
}

/// The words of [`Fingerprint::of_version`].
pub(super) fn version_words(document: &Document) -> Option<String> {
    let stack = &document.stack;
    let [of, at, time] = version(document)?;
    let (n_resources, n_outputs) = (stack.len(), stack.outputs.len());
    let kind = stack.header.kind.name();
    Some(format!(
        "{of}\n{at}\n{time}\n{n_resources}\n{n_outputs}\n{kind}"
    ))
}

/// The words that identify one version of one stack: of a damaged file, none.
fn version(document: &Document) -> Option<[String; 3]> {
    let header = &document.stack.header;
    if header.kind.has_changes() || document.stack.damage.is_some() {
        return None;
    }
    let field = |name: &str| {
        let (_, value) = header.fields.iter().find(|(key, _)| key == name)?;
        Some(value)
    };
    if header.kind.is_pulumi() {
        let manifest = field("manifest")?.as_map()?;
        let time = manifest.get("time").and_then(Value::as_str)?;
        let is_known = !time.is_empty() && !time.starts_with("0001-01-01");
        return is_known.then(|| {
            [
                header.project.clone(),
                header.stack.clone(),
                time.to_owned(),
            ]
        });
    }
    let lineage = field("lineage")?.as_str().filter(|it| !it.is_empty())?;
    let serial = field("serial")?.as_number()?;
    Some([lineage.to_owned(), serial.to_string(), String::new()])
}
