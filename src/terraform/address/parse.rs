//! Resource addresses, strictly: what Terraform itself takes as the address of a resource instance.

use std::cmp::Ordering;
use std::fmt;

use super::quote_key;
use super::scan::{Key, ParseError, Scan};

/// A module call on the way to a resource, with the instance of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ModuleStep {
    /// The name of the call.
    pub name: String,
    /// Which instance; `None` where the call has one only.
    pub key: Option<Key>,
}

/// How a resource is managed, as addresses tell it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AddressMode {
    /// `TYPE.NAME`.
    Managed,
    /// `data.TYPE.NAME`.
    Data,
    /// `ephemeral.TYPE.NAME`.
    Ephemeral,
    /// `list.TYPE.NAME`.
    List,
}

/// The address of a resource instance.
///
/// Addresses are ordered as Terraform lists them: what is nearer to the root first, then by module, data sources before others, by
/// type, name and key (no key, then numbers, then texts).
///
/// # Source
///
/// hashicorp/terraform 1.11, `addrs.AbsResourceInstance.Less`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// The modules around it, outermost first.
    pub module: Vec<ModuleStep>,
    /// How it is managed.
    pub mode: AddressMode,
    /// The resource type.
    pub ty: String,
    /// The name in the configuration.
    pub name: String,
    /// Which instance; `None` where there is one only.
    pub key: Option<Key>,
}

/// Names with a meaning of their own, which no resource type can have.
const RESERVED: &[&str] = &[
    "action",
    "arg",
    "count",
    "each",
    "lazy",
    "local",
    "module",
    "path",
    "self",
    "template",
    "terraform",
    "var",
];

impl Address {
    /// Reads an address. White space may stand between its parts.
    ///
    /// # Errors
    ///
    /// If it is none: the column and what was expected there.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut scan = Scan::new(text);
        let module = modules(&mut scan)?;
        let first = scan.start();
        let word = scan.name("a resource type")?;
        let mode = match &*word {
            "data" => AddressMode::Data,
            "ephemeral" => AddressMode::Ephemeral,
            "list" => AddressMode::List,
            _ => AddressMode::Managed,
        };
        let ty = if mode == AddressMode::Managed && word != "resource" {
            if RESERVED.contains(&&*word) {
                return Err(scan.error_at(first, "a resource type"));
            }
            word
        } else {
            scan.dot()?;
            scan.name("a resource type")?
        };
        scan.dot()?;
        let name = scan.name("a resource name")?;
        let key = scan.key()?;
        scan.end()?;
        Ok(Self {
            module,
            mode,
            ty,
            name,
            key,
        })
    }
}

impl Ord for Address {
    fn cmp(&self, other: &Self) -> Ordering {
        let depth = self.module.len().cmp(&other.module.len());
        let is_resource = |address: &Self| address.mode != AddressMode::Data;
        depth
            .then_with(|| self.module.cmp(&other.module))
            .then_with(|| is_resource(self).cmp(&is_resource(other)))
            .then_with(|| self.ty.cmp(&other.ty))
            .then_with(|| self.name.cmp(&other.name))
            .then_with(|| self.key.cmp(&other.key))
            // Terraform has no order here.
            .then_with(|| self.mode.cmp(&other.mode))
    }
}

impl PartialOrd for Address {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The module steps at the start of an address.
pub(super) fn modules(scan: &mut Scan<'_>) -> Result<Vec<ModuleStep>, ParseError> {
    let mut module = Vec::new();
    while scan.word("module") {
        scan.dot()?;
        let name = scan.name("a module name")?;
        let key = scan.key()?;
        scan.dot()?;
        module.push(ModuleStep { name, key });
    }
    Ok(module)
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "[{number}]"),
            Self::Text(text) => write!(f, "[{}]", quote_key(text)),
        }
    }
}

impl fmt::Display for ModuleStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "module.{}", self.name)?;
        self.key.as_ref().map_or(Ok(()), |key| key.fmt(f))
    }
}

/// The canonical spelling.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.module {
            write!(f, "{step}.")?;
        }
        f.write_str(match self.mode {
            AddressMode::Managed => "",
            AddressMode::Data => "data.",
            AddressMode::Ephemeral => "ephemeral.",
            AddressMode::List => "list.",
        })?;
        write!(f, "{}.{}", self.ty, self.name)?;
        self.key.as_ref().map_or(Ok(()), |key| key.fmt(f))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_come_after_the_root_and_data_first() {
        let want = [
            "data.z.z",
            "a.b",
            "a.b[0]",
            "a.b[2]",
            "a.b[10]",
            r#"a.b["0"]"#,
            "b.a",
            "module.a[0].z.z",
            "module.a[1].a.a",
            "module.b.a.a",
            "module.a[0].module.a.a.a",
        ];
        let mut addresses = want.map(|text| Address::parse(text).unwrap());
        addresses.reverse();
        addresses.sort();
        assert_eq!(addresses.map(|address| address.to_string()), want);
    }
}
