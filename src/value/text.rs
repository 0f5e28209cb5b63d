//! Strings of a value: bytes that are usually UTF-8.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use zeroize::{Zeroize, Zeroizing};

/// A shared byte string, normally UTF-8. Ordered and compared bytewise.
///
/// Engines let providers put any bytes into a string, so UTF-8 is not guaranteed.
#[derive(Clone)]
pub struct Text(Bytes);

#[derive(Clone)]
enum Bytes {
    /// UTF-8, which was checked when the text was made: nearly all texts.
    Utf8(Arc<str>),
    Rare(Arc<Rare>),
}

enum Rare {
    NotUtf8(Box<[u8]>),
    /// Zeroed when the last owner drops them.
    Wiped(Zeroizing<Box<[u8]>>),
}

impl Text {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Bytes::Utf8(text) => text.as_bytes(),
            Bytes::Rare(bytes) => match &**bytes {
                Rare::NotUtf8(bytes) => bytes,
                Rare::Wiped(bytes) => bytes,
            },
        }
    }

    /// The text, or `None` if the bytes are not UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Bytes::Utf8(text) => Some(text),
            Bytes::Rare(_) => std::str::from_utf8(self.as_bytes()).ok(),
        }
    }

    /// The text, with U+FFFD for invalid UTF-8. For showing only.
    pub fn to_str_lossy(&self) -> Cow<'_, str> {
        match self.as_str() {
            Some(text) => Cow::Borrowed(text),
            None => String::from_utf8_lossy(self.as_bytes()),
        }
    }

    /// True if both are the same text in memory.
    pub(crate) fn is_shared_with(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Bytes::Utf8(one), Bytes::Utf8(other)) => Arc::ptr_eq(one, other),
            (Bytes::Rare(one), Bytes::Rare(other)) => Arc::ptr_eq(one, other),
            (Bytes::Utf8(_), Bytes::Rare(_)) | (Bytes::Rare(_), Bytes::Utf8(_)) => false,
        }
    }

    /// True if there is more than one line. A line break at the end does not begin another line.
    pub fn is_multi_line(&self) -> bool {
        let bytes = self.as_bytes();
        let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        memchr::memchr(b'\n', body).is_some()
    }

    /// The same bytes in memory that is zeroed when the last owner drops it. The memory here is zeroed at once, unless it is
    /// shared.
    #[must_use]
    pub fn into_wiped(self) -> Self {
        if self.is_wiped() {
            return self;
        }
        let wiped = Zeroizing::new(Box::from(self.as_bytes()));
        match self.0 {
            Bytes::Utf8(mut text) => {
                if let Some(text) = Arc::get_mut(&mut text) {
                    text.zeroize();
                }
            }
            Bytes::Rare(mut bytes) => {
                if let Some(Rare::NotUtf8(bytes)) = Arc::get_mut(&mut bytes) {
                    bytes.zeroize();
                }
            }
        }
        Self(Bytes::Rare(Arc::new(Rare::Wiped(wiped))))
    }

    /// True if the bytes are zeroed when the last owner drops them.
    pub fn is_wiped(&self) -> bool {
        matches!(&self.0, Bytes::Rare(bytes) if matches!(**bytes, Rare::Wiped(_)))
    }
}

impl Default for Text {
    fn default() -> Self {
        Self::from("")
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Text {}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(Bytes::Utf8(Arc::from(text)))
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::from(text.into_bytes())
    }
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Self {
        Self(match std::str::from_utf8(bytes) {
            Ok(text) => Bytes::Utf8(Arc::from(text)),
            Err(_) => Bytes::Rare(Arc::new(Rare::NotUtf8(bytes.into()))),
        })
    }
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Self {
        // The bytes may be a secret, and they are copied.
        let bytes = Zeroizing::new(bytes);
        Self::from(bytes.as_slice())
    }
}

impl std::fmt::Debug for Text {
    /// Prints the length only, because a text does not know whether it is secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Text({} bytes)", self.as_bytes().len())
    }
}
