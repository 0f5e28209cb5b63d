//! A member while it is asked.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::AtomicBool;

use super::super::folder::is_recognised;
use super::super::{Document, Input, LoadError, Origin, load_within, memory, prepare, run};
use super::workers::n_workers;
use super::{Archive, Asked, Candidate, Fingerprint, Fleet, Place, Version, fingerprint, scan};
use crate::format;
use crate::search::Prefilter;
use crate::stack::Kind;

/// A member while it is asked, on a worker.
pub struct Opened<'o> {
    fleet: &'o Fleet,
    candidate: &'o Candidate,
    /// Bytes of files that are looked at without being loaded, one after another.
    buffer: &'o RefCell<Vec<u8>>,
    cancel: &'o AtomicBool,
}

/// True for files about a stack. Schemas of providers are not.
fn is_of_stack(kind: Kind) -> bool {
    kind != Kind::ProviderSchemas
}

impl<'o> Opened<'o> {
    pub(super) fn new(
        fleet: &'o Fleet,
        candidate: &'o Candidate,
        buffer: &'o RefCell<Vec<u8>>,
        cancel: &'o AtomicBool,
    ) -> Self {
        Self {
            fleet,
            candidate,
            buffer,
            cancel,
        }
    }

    /// Its place.
    pub fn place(&self) -> &Place {
        &self.candidate.place
    }

    /// The flag that ends the work early.
    pub fn cancel(&self) -> &'o AtomicBool {
        self.cancel
    }

    /// False for a pipe, and for what would have to be fetched again.
    pub(super) fn can_be_read_again(&self) -> bool {
        match &self.candidate.place {
            Place::File(_) => self.candidate.is_regular,
            Place::Entry { archive, .. } => matches!(archive, Archive::File(_)),
            Place::Object(_) | Place::Stdin => false,
        }
    }

    /// The input that opens it.
    pub fn input(&self) -> Input {
        let place = &self.candidate.place;
        let origin = match (place, &self.candidate.contents) {
            (_, Some(bytes)) => Origin::Bytes {
                name: place.to_string(),
                bytes: bytes.clone(),
            },
            (Place::File(path), None) => Origin::Path(path.clone()),
            (Place::Object(address), None) => Origin::Object(address.clone()),
            (Place::Stdin | Place::Entry { .. }, None) => Origin::Stdin,
        };
        Input {
            origin,
            ..self.fleet.like.clone()
        }
    }

    /// False only if it certainly holds no hit of the query of `filter`. The file is not parsed.
    pub fn may_hit(&self, filter: &Prefilter) -> bool {
        let mut buffer = self.buffer.borrow_mut();
        match (&self.candidate.place, &self.candidate.contents) {
            (_, Some(bytes)) => scan::may_hit(&bytes[..], filter, &mut buffer),
            (Place::File(path), None) if self.candidate.is_regular => match File::open(path) {
                Ok(file) => scan::may_hit(file, filter, &mut buffer),
                // Loading meets the same error, and reports it.
                Err(_) => true,
            },
            (Place::File(_) | Place::Object(_) | Place::Stdin | Place::Entry { .. }, None) => true,
        }
    }

    /// Loads it.
    ///
    /// # Errors
    ///
    /// If nothing of it can be shown, or if it is not about a stack.
    pub fn load(&self) -> Result<Document, LoadError> {
        let input = self.input();
        // The others may need as much at the same time.
        memory::expect_bytes(self.candidate.bytes.saturating_mul(n_workers() as u64));
        let document = load_within(&input, self.fleet.like.limits, self.cancel)?;
        if is_of_stack(document.stack.header.kind) {
            return Ok(document);
        }
        let message = "these are the schemas of providers, expected a state or a plan";
        let place = self.candidate.place.to_string();
        Err(LoadError::unreadable(&place, message.to_owned()))
    }

    /// Loads it, and does `work`.
    ///
    /// # Errors
    ///
    /// As [`Opened::load`].
    pub fn ask<T>(&self, work: impl FnOnce(&Document) -> T) -> Result<Asked<T>, LoadError> {
        let document = self.load()?;
        Ok(Asked {
            result: work(&document),
            fingerprint: self.fingerprint(&document),
        })
    }

    /// The fingerprint by which twins are found; `None` if the bytes are gone.
    pub fn fingerprint(&self, document: &Document) -> Option<Fingerprint> {
        let of_contents = || match (&self.candidate.place, &self.candidate.contents) {
            (_, Some(bytes)) => Fingerprint::of_contents(&bytes[..]).ok(),
            (Place::File(path), None) if self.candidate.is_regular => {
                Fingerprint::of_contents(File::open(path).ok()?).ok()
            }
            (Place::File(_) | Place::Object(_) | Place::Stdin | Place::Entry { .. }, None) => None,
        };
        let own = self.rival().and_then(|version| version.contents);
        own.or_else(|| Fingerprint::of_version(document))
            .or_else(of_contents)
    }

    /// Its version, if a state beside it has the same serial, but other contents. Then the serial does not tell it.
    fn rival(&self) -> Option<&Version> {
        let version = self.candidate.version.as_ref();
        version.filter(|version| version.unlike.is_some())
    }

    /// The SHA-256 of its bytes in hexadecimal digits; `None` for a pipe, which can be read only once.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn digest(&self) -> Result<Option<String>, LoadError> {
        let digest = match (&self.candidate.place, &self.candidate.contents) {
            (_, Some(bytes)) => fingerprint::digest(&bytes[..]),
            (Place::File(path), None) if self.candidate.is_regular => {
                File::open(path).and_then(fingerprint::digest)
            }
            (Place::Object(_), None) => {
                let bytes = prepare::read_whole(&self.input(), self.fleet.like.limits)?;
                fingerprint::digest(&bytes[..])
            }
            (Place::File(_) | Place::Stdin | Place::Entry { .. }, None) => return Ok(None),
        };
        let failed = |source| LoadError::reading(&self.candidate.place.to_string(), source);
        digest.map(Some).map_err(failed)
    }

    /// A text that its twins have too, whose [`Fingerprint`] is the same. `digest` is its own; `None` for an older copy.
    pub fn twin_key(&self, document: &Document, digest: &str) -> Option<String> {
        let is_copy = self.candidate.role.is_older_copy();
        let words = || {
            let words = fingerprint::version_words(document);
            words.filter(|_| self.rival().is_none())
        };
        let of_words = |words: String| fingerprint::digest(words.as_bytes()).ok();
        (!is_copy).then(|| {
            words()
                .and_then(of_words)
                .unwrap_or_else(|| digest.to_owned())
        })
    }

    /// False only if it is certainly no member, by a look at its first bytes.
    pub(super) fn may_be_member(&self) -> bool {
        if self.candidate.is_sure {
            return true;
        }
        let mut head = self.buffer.borrow_mut();
        match self.read_head(&mut head) {
            Ok(()) => format::may_be_known(&head),
            // The work meets the same error, and reports it.
            Err(_) => true,
        }
    }

    /// True if it is a member even if it cannot be read.
    pub(super) fn is_member(&self) -> bool {
        self.candidate.is_sure || is_recognised(&self.input(), is_of_stack)
    }

    fn read_head(&self, head: &mut Vec<u8>) -> io::Result<()> {
        head.clear();
        if let Some(bytes) = &self.candidate.contents {
            head.extend_from_slice(&bytes[..bytes.len().min(run::HEAD)]);
        } else {
            let file = File::open(self.candidate.place.path())?;
            file.take(run::HEAD as u64).read_to_end(head)?;
        }
        Ok(())
    }
}
