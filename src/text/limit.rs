//! Reading with a limit: what is larger is refused, and never cut off without a word.

use std::io::{self, ErrorKind, Read};

/// The most bytes that are read, and what a person can do about more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// Maximum number of bytes. A file of exactly this size is read.
    pub bytes: u64,
    /// The advice to a person with a larger file.
    pub advice: &'static str,
}

impl Limit {
    /// Everything that a reader has.
    ///
    /// ```
    /// use stacklens::text::Limit;
    /// let limit = Limit { bytes: 1024, advice: "split it" };
    /// assert_eq!(limit.read(&[7; 1024][..]).unwrap().len(), 1024);
    /// assert_eq!(limit.read(&[7; 1025][..]).unwrap_err().to_string(), "more than 1 KiB; split it");
    /// ```
    ///
    /// # Errors
    ///
    /// If it has more bytes than the limit, or the system refuses.
    pub fn read(self, reader: impl Read) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.read_to(reader, &mut bytes)?;
        Ok(bytes)
    }

    /// Adds everything that a reader has to `bytes`, which may hold the beginning already and counts too.
    ///
    /// # Errors
    ///
    /// If there are more bytes than the limit, or the system refuses.
    pub fn read_to(self, reader: impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
        let room = self.bytes.saturating_sub(bytes.len() as u64);
        // One byte more tells that there is more.
        reader.take(room.saturating_add(1)).read_to_end(bytes)?;
        self.check(bytes.len() as u64)
    }

    /// The text that a reader has.
    ///
    /// # Errors
    ///
    /// If it has more bytes than the limit or is not UTF-8, or the system refuses.
    pub fn read_text(self, reader: impl Read) -> io::Result<String> {
        let text = String::from_utf8(self.read(reader)?);
        text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "this is not text in UTF-8"))
    }

    /// Refuses more bytes than the limit.
    ///
    /// # Errors
    ///
    /// If there are more.
    pub fn check(self, n_bytes: u64) -> io::Result<()> {
        if n_bytes <= self.bytes {
            return Ok(());
        }
        let message = format!("more than {}; {}", size(self.bytes), self.advice);
        Err(io::Error::new(ErrorKind::FileTooLarge, message))
    }
}

/// A number of bytes in the largest unit that leaves it whole.
fn size(n_bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let whole = |(shift, _): &&(u32, &str)| n_bytes > 0 && n_bytes.is_multiple_of(1 << shift);
    match units.iter().find(whole) {
        Some((shift, unit)) => format!("{} {unit}", n_bytes >> shift),
        None => format!("{n_bytes} bytes"),
    }
}
