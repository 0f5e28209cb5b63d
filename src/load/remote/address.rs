//! Addresses: URLs in place of files.
//!
//! # Source
//!
//! Go CDK `blob/s3blob`, `blob/gcsblob`, `blob/azureblob` (options of Pulumi's backends: `?region=`, `?endpoint=`, …).

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A URL in place of a file.
///
/// Its `Debug` and `Display` show neither the user, nor the password, nor what stands behind `?`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Address(Arc<Parts>);

#[derive(Clone, PartialEq, Eq, Hash)]
struct Parts {
    scheme: Scheme,
    /// The URL without secrets.
    shown: String,
    /// The bucket or container; for HTTP the host with its port.
    container: String,
    /// The name of the object, or the prefix of many; for HTTP the path.
    key: String,
    /// The account of Azure, as the URL names it.
    account: Option<String>,
    /// The options of the bucket behind `?`.
    options: Vec<(String, String)>,
    /// The version of the object, if the URL names one.
    version: Option<String>,
    /// The whole URL, for HTTP.
    whole: Option<String>,
}

/// The kind of a store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scheme {
    /// Amazon S3, and what speaks its protocol.
    S3,
    /// Google Cloud Storage.
    Gs,
    /// Azure Blob Storage.
    Az,
    /// A single state behind HTTP.
    Http,
}

impl Scheme {
    fn of(name: &str) -> Option<Self> {
        match name {
            "s3" | "s3a" => Some(Self::S3),
            "gs" => Some(Self::Gs),
            "az" | "azblob" | "abfs" | "abfss" => Some(Self::Az),
            "http" | "https" => Some(Self::Http),
            _ => None,
        }
    }
}

/// The option that names a version of an object.
const VERSION: &str = "versionId";

/// Options of a bucket's URL. Anything else behind a `?` belongs to the name of the object.
const OPTIONS: [&str; 10] = [
    VERSION,
    "region",
    "endpoint",
    "profile",
    "anonymous",
    "disableSSL",
    "disable_https",
    "s3ForcePathStyle",
    "use_path_style",
    "storage_account",
];

impl Address {
    /// The address that a path is; `None` for a path of this machine.
    pub fn of(path: &Path) -> Option<Self> {
        let text = path.to_str()?;
        let (name, rest) = text.split_once("://")?;
        let scheme = Scheme::of(name)?;
        let (rest, options) = match scheme {
            Scheme::Http => (&rest[..rest.find(['?', '#']).unwrap_or(rest.len())], None),
            Scheme::S3 | Scheme::Gs | Scheme::Az => {
                let parts = rest.rsplit_once('?');
                let parts = parts.and_then(|(before, behind)| Some((before, options(behind)?)));
                parts.map_or((rest, None), |(before, options)| (before, Some(options)))
            }
        };
        let (authority, key) = rest.split_once('/').unwrap_or((rest, ""));
        let (container, account) = match (scheme, authority.rsplit_once('@')) {
            // `abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/KEY`
            (Scheme::Az, Some((container, host))) => {
                (container, Some(host.split('.').next().unwrap_or(host)))
            }
            (Scheme::Http, Some((_, host))) => (host, None),
            _ => (authority, None),
        };
        if container.is_empty() {
            return None;
        }
        let mut options = options.unwrap_or_default();
        let version = options.iter().position(|(known, _)| known == VERSION);
        let version = version.map(|at| options.remove(at).1);
        let at_version = version.as_ref().map(|it| format!("?{VERSION}={it}"));
        Some(Self(Arc::new(Parts {
            scheme,
            shown: format!(
                "{name}://{container}/{key}{}",
                at_version.unwrap_or_default()
            ),
            container: container.to_owned(),
            key: key.to_owned(),
            account: account.map(str::to_owned),
            options,
            version,
            whole: (scheme == Scheme::Http).then(|| text.to_owned()),
        })))
    }

    /// The path as it may be shown: a URL loses its user, password and query.
    pub fn public(path: &Path) -> Cow<'_, Path> {
        match Self::of(path) {
            Some(address) => Cow::Owned(address.path().to_path_buf()),
            None => Cow::Borrowed(path),
        }
    }

    /// The kind of its store.
    pub fn scheme(&self) -> Scheme {
        self.0.scheme
    }

    /// True if it can name many objects.
    pub fn is_bucket(&self) -> bool {
        self.0.scheme != Scheme::Http
    }

    /// True if its text says that objects are below it.
    pub(super) fn names_folder(&self) -> bool {
        self.0.key.is_empty() || self.0.key.ends_with('/')
    }

    /// The URL without secrets, as a path: it names the object wherever a file has a path.
    pub fn path(&self) -> &Path {
        Path::new(&self.0.shown)
    }

    /// The path of the folder that it names, or that it is in.
    pub fn folder(&self) -> &Path {
        let path = self.path();
        if self.names_folder() {
            path
        } else {
            path.parent().unwrap_or(path)
        }
    }
}

#[cfg(feature = "remote")]
impl Address {
    /// An object of the same bucket.
    #[must_use]
    pub fn object(&self, key: &str) -> Self {
        let parts = &*self.0;
        let own = parts.shown.split_once("://").unwrap_or_default();
        let shown = format!("{}://{}/{key}", own.0, parts.container);
        Self(Arc::new(Parts {
            shown,
            key: key.to_owned(),
            version: None,
            ..Parts::clone(parts)
        }))
    }

    /// The object in this version.
    pub(super) fn at(&self, version: String) -> Self {
        let shown = format!("{}?{VERSION}={version}", self.object(&self.0.key));
        Self(Arc::new(Parts {
            shown,
            version: Some(version),
            ..Parts::clone(&self.0)
        }))
    }

    /// The version of the object, if the URL names one.
    pub(super) fn version(&self) -> Option<&str> {
        self.0.version.as_deref()
    }

    /// The bucket or container; for HTTP the host with its port.
    pub(super) fn container(&self) -> &str {
        &self.0.container
    }

    /// The name of the object, or the prefix of many.
    pub(super) fn key(&self) -> &str {
        &self.0.key
    }

    /// The account of Azure, if the URL names it.
    pub(super) fn account(&self) -> Option<&str> {
        self.0.account.as_deref().or(self.option("storage_account"))
    }

    /// The value of an option of the URL.
    pub(super) fn option(&self, name: &str) -> Option<&str> {
        let found = self.0.options.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// True if an option of the URL is set.
    pub(super) fn is_set(&self, name: &str) -> bool {
        matches!(self.option(name), Some("true" | "1"))
    }

    /// The whole URL with its secrets, for HTTP.
    pub(super) fn whole(&self) -> &str {
        self.0.whole.as_deref().unwrap_or_default()
    }

    /// The part that all objects of a store share.
    pub(super) fn store(&self) -> Self {
        match self.0.scheme {
            Scheme::Http => self.clone(),
            Scheme::S3 | Scheme::Gs | Scheme::Az => self.object(""),
        }
    }
}

/// The options in `text`; `None` if something else stands there.
fn options(text: &str) -> Option<Vec<(String, String)>> {
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        let value = percent_encoding::percent_decode_str(value)
            .decode_utf8()
            .ok()?;
        OPTIONS
            .contains(&name)
            .then(|| (name.to_owned(), value.into_owned()))
    };
    text.split('&').map(pair).collect()
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.shown)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({:?})", self.0.shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        Address::of(Path::new(text)).unwrap()
    }

    #[test]
    fn paths_of_this_machine_are_no_addresses() {
        for path in [
            "a.json",
            "/s3/a",
            "-",
            "c:\\states",
            "ftp://host/a",
            "s3://",
            "s3:/b/k",
        ] {
            assert_eq!(Address::of(Path::new(path)), None, "{path}");
        }
    }

    #[test]
    fn secrets_of_a_url_are_never_shown() {
        let urls = [
            (
                "https://me:pass@host:8443/state?sig=abc#x",
                "https://host:8443/state",
            ),
            ("http://tok@host", "http://host/"),
            ("az://c/k?storage_account=acc", "az://c/k"),
            ("abfss://c@acc.dfs.core.windows.net/k", "abfss://c/k"),
        ];
        for (url, shown) in urls {
            let address = address(url);
            assert_eq!(address.to_string(), shown);
            assert_eq!(format!("{address:?}"), format!("Address({shown:?})"));
            assert_eq!(address.path(), Path::new(shown));
            assert_eq!(Address::public(Path::new(url)), Path::new(shown));
        }
    }

    #[test]
    fn only_options_are_cut_from_the_name_of_an_object() {
        assert_eq!(address("s3://b/k?region=eu").to_string(), "s3://b/k");
        assert_eq!(address("s3://b?region=eu&profile=p").to_string(), "s3://b/");
        assert_eq!(address("s3://b/what?").to_string(), "s3://b/what?");
        assert_eq!(address("s3://b/k?other=1").to_string(), "s3://b/k?other=1");
        let version = address("s3://b/k?versionId=v%201&region=eu");
        assert_eq!(version.to_string(), "s3://b/k?versionId=v 1");
    }

    #[cfg(feature = "remote")]
    #[test]
    fn an_object_stands_in_the_bucket() {
        let bucket = address("s3://b/prod/?region=eu");
        assert_eq!(
            bucket.object("prod/a.json").to_string(),
            "s3://b/prod/a.json"
        );
        assert_ne!(bucket.object("x"), address("s3://b/x"));
        let version = address("s3://b/k?versionId=v&region=eu");
        assert_eq!(version.version(), Some("v"));
        assert_eq!(version.store(), address("s3://b/?region=eu"));
    }
}
