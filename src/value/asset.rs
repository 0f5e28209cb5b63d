//! Assets, archives and resource references: the payloads that refer to something outside the value.

use std::sync::Arc;

use indexmap::IndexMap;

use super::{Map, Payload, Text, Value};

/// A blob: a literal text, a local file or a URL, with the SHA-256 of its bytes. Fields that the file leaves out are empty.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Asset {
    /// The literal contents; `None` if the file has no text.
    pub text: Option<Text>,
    /// A path on the machine that ran the program.
    pub path: Text,
    /// A URL.
    pub uri: Text,
    /// Lower-case hexadecimal SHA-256 of the bytes, "" if not recorded.
    pub hash: Text,
}

/// A collection of blobs: literal members, a local file or folder, or a URL. Fields that the file leaves out are empty.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Archive {
    /// The members, by name; `None` is not the same as no members.
    pub assets: Option<IndexMap<Arc<str>, Member>>,
    /// A path on the machine that ran the program.
    pub path: Text,
    /// A URL.
    pub uri: Text,
    /// Lower-case hexadecimal SHA-256, "" if not recorded.
    pub hash: Text,
}

/// A member of an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Member {
    /// A blob.
    Asset(Arc<Asset>),
    /// An archive inside the archive.
    Archive(Arc<Archive>),
}

impl Asset {
    /// The same asset with its text zeroed when the last owner drops it.
    pub(super) fn into_wiped(self: Arc<Self>) -> Arc<Self> {
        let mut asset = Arc::unwrap_or_clone(self);
        asset.text = asset.text.map(Text::into_wiped);
        Arc::new(asset)
    }
}

impl Archive {
    /// The same archive with the texts of its members zeroed when the last owner drops it.
    pub(super) fn into_wiped(self: Arc<Self>) -> Arc<Self> {
        let mut archive = Arc::unwrap_or_clone(self);
        for member in archive.assets.iter_mut().flat_map(IndexMap::values_mut) {
            *member = match member {
                Member::Asset(asset) => Member::Asset(Asset::into_wiped(asset.clone())),
                Member::Archive(archive) => Member::Archive(Self::into_wiped(archive.clone())),
            };
        }
        Arc::new(archive)
    }
}

/// A link to a resource.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reference {
    /// The URN as written.
    pub urn: Text,
    /// The id of a custom resource.
    pub id: ReferenceId,
    /// The version of the provider, "" if not recorded.
    pub package_version: Text,
    /// The name, "" if not recorded. Derived from the URN if that is valid.
    pub name: Text,
    /// The type token, "" if not recorded. Derived from the URN if that is valid.
    pub resource_type: Text,
}

/// The id that a reference carries.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ReferenceId {
    /// The reference is to a component.
    None,
    /// The id is not known yet.
    Unknown,
    /// The id is known.
    Known(Text),
}

impl Value {
    /// The fields of an asset or archive as a map, by the names that files use, for printing and for paths. `None` for other
    /// values.
    pub fn fields(&self) -> Option<Self> {
        let present = |text: &Text| (!text.as_bytes().is_empty()).then(|| Self::from(text.clone()));
        let (first, path, uri, hash) = match self.payload() {
            Payload::Asset(asset) => {
                let text = asset.text.clone().map(Self::from);
                (("text", text), &asset.path, &asset.uri, &asset.hash)
            }
            Payload::Archive(archive) => {
                let assets = archive.assets.as_ref().map(|assets| {
                    let members = assets.iter();
                    let members = members.map(|(name, member)| (name.clone(), member.into()));
                    Self::from(members.collect::<Map>())
                });
                (
                    ("assets", assets),
                    &archive.path,
                    &archive.uri,
                    &archive.hash,
                )
            }
            _ => return None,
        };
        let fields = [
            first,
            ("path", present(path)),
            ("uri", present(uri)),
            ("hash", present(hash)),
        ];
        let fields = fields.into_iter();
        let fields = fields.filter_map(|(name, value)| Some((name, value?)));
        Some(Self::from(fields.collect::<Map>()))
    }
}

impl From<&Member> for Value {
    fn from(member: &Member) -> Self {
        Self::new(match member {
            Member::Asset(asset) => Payload::Asset(Arc::clone(asset)),
            Member::Archive(archive) => Payload::Archive(Arc::clone(archive)),
        })
    }
}
