//! Names of objects: the address of a resource instance, and the key of a deposed object of it.

use std::borrow::Cow;
use std::fmt;

use super::config_address;

/// The name of an object, written `ADDRESS` or `ADDRESS (deposed KEY)`.
///
/// ```
/// use stacklens::terraform::address::ObjectName;
/// let name = ObjectName::parse(r#"aws_x.a["b (deposed c"] (deposed 1234abcd)"#);
/// assert_eq!(name.address, r#"aws_x.a["b (deposed c"]"#);
/// assert_eq!(name.deposed, Some("1234abcd"));
/// assert_eq!(name.config_address(), "aws_x.a");
/// assert_eq!(name.to_string(), r#"aws_x.a["b (deposed c"] (deposed 1234abcd)"#);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObjectName<'a> {
    /// The address of the resource instance.
    pub address: &'a str,
    /// The key of a deposed object; `None` for the current object.
    pub deposed: Option<&'a str>,
}

impl<'a> ObjectName<'a> {
    /// Parses a name. Every text is one: without a deposed key the whole of it is the address.
    pub fn parse(name: &'a str) -> Self {
        // A quoted instance key may contain the same words, but it ends with a bracket.
        let parts = name
            .strip_suffix(')')
            .and_then(|name| name.rsplit_once(" (deposed "));
        Self {
            address: parts.map_or(name, |(address, _)| address),
            deposed: parts.map(|(_, key)| key),
        }
    }

    /// The address of the resource in the configuration.
    pub fn config_address(self) -> Cow<'a, str> {
        config_address(self.address)
    }
}

impl fmt::Display for ObjectName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.address)?;
        match self.deposed {
            Some(key) => write!(f, " (deposed {key})"),
            None => Ok(()),
        }
    }
}
