//! Objects in buckets, and states behind HTTP.
//!
//! An [`Address`] is a URL in place of a file: `s3://`, `gs://` and `az://` name an object or everything below a prefix, `http://` and
//! `https://` one state, as Terraform's HTTP backend serves it. Only what a person names is connected to, and only a build with the
//! feature `remote` can: the default build has no code for it, and says how to get the other one.
//!
//! Objects are read, never written. A URL may hold a password or a signature, so only its path is ever shown.

#[cfg(not(feature = "remote"))]
mod absent;
mod address;
#[cfg(feature = "remote")]
mod client;
#[cfg(feature = "remote")]
mod credentials;
#[cfg(feature = "remote")]
mod trouble;
#[cfg(feature = "remote")]
mod versions;

use std::io;

#[cfg(not(feature = "remote"))]
use absent as client;
pub use address::{Address, Scheme};

use crate::text::Limit;

/// An object of a bucket, as it is listed.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its address.
    pub address: Address,
    /// Size in bytes.
    pub bytes: u64,
    /// Time of the last write in seconds since 1970.
    pub modified: Option<u64>,
}

/// The objects below an address.
pub struct Listed {
    /// The objects that were listed, in the order of their names.
    pub objects: Vec<Object>,
    /// The reason why others were not.
    pub trouble: Option<io::Error>,
}

/// Decides from the first bytes of an object whether the rest is worth reading.
pub type Judge<'j> = dyn Fn(&[u8]) -> bool + Sync + 'j;

/// An object to read, with the judge if its name does not tell what it is.
pub type Wanted<'j> = (Object, Option<&'j Judge<'j>>);

impl Address {
    /// True if objects are below it: it ends with `/`, is a whole bucket, or no object has its name.
    ///
    /// # Errors
    ///
    /// If the store cannot be asked.
    pub fn is_folder(&self) -> io::Result<bool> {
        match self.scheme() {
            Scheme::Http => Ok(false),
            Scheme::S3 | Scheme::Gs | Scheme::Az if self.names_folder() => Ok(true),
            Scheme::S3 | Scheme::Gs | Scheme::Az => client::is_object(self).map(|is| !is),
        }
    }

    /// The bytes of the object.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or has more bytes than the limit.
    pub fn read(&self, limit: Limit) -> io::Result<Vec<u8>> {
        if self.is_bucket() && self.names_folder() {
            return Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "this is a place with many objects, expected one object",
            ));
        }
        client::read(self, limit)
    }

    /// The objects below it, in the order of their names.
    ///
    /// # Errors
    ///
    /// If there can be no connection.
    pub fn list(&self) -> io::Result<Listed> {
        client::list(self)
    }

    /// The objects in the same folder as this one, itself too.
    ///
    /// # Errors
    ///
    /// If they cannot be listed.
    pub fn siblings(&self) -> io::Result<Vec<Object>> {
        client::siblings(self)
    }

    /// The older versions of this object that its bucket keeps: of S3, and at most a thousand. Other stores have none here.
    ///
    /// # Errors
    ///
    /// If they cannot be listed.
    pub fn versions(&self) -> io::Result<Vec<Object>> {
        client::versions(self)
    }
}

/// The first bytes of several objects of one store, at most `n_bytes` of each, read at the same time.
pub fn heads(objects: &[&Object], n_bytes: u64) -> Vec<io::Result<Vec<u8>>> {
    client::heads(objects, n_bytes)
}

/// The bytes of several objects of one store, read at the same time; `None` for one that its judge refuses.
pub fn read_all(wanted: &[Wanted<'_>]) -> Vec<io::Result<Option<Vec<u8>>>> {
    client::read_all(wanted)
}
