//! Strict parsing of resource instance addresses: accepts the same texts as Terraform.

use std::cmp::Ordering;
use std::fmt;

use super::quote_key;
use super::scan::{Key, Scan};
use crate::text::ParseError;

/// A module call on the path to a resource, with its instance key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ModuleStep {
    /// The name of the module call.
    pub name: String,
    /// The instance key; `None` if the call has a single instance.
    pub key: Option<Key>,
}

/// The kind of resource in an address.
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
/// Addresses have Terraform's order: those nearer to the root come first. Then they are ordered by module, data sources first,
/// and by type, name and key (no key, then numbers, then texts).
///
/// # Source
///
/// hashicorp/terraform 1.11, `addrs.AbsResourceInstance.Less`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// The modules that contain the resource, outermost first.
    pub module: Vec<ModuleStep>,
    /// The kind of resource.
    pub mode: AddressMode,
    /// The resource type.
    pub ty: String,
    /// The name in the configuration.
    pub name: String,
    /// The instance key; `None` if the resource has a single instance.
    pub key: Option<Key>,
}

/// Reserved names, which no resource type can have.
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

/// Words before the type of a resource.
const BEFORE_TYPE: [&str; 4] = ["data", "ephemeral", "list", "resource"];

/// True for a type that an address can only name behind the word `resource`.
fn is_word(ty: &str) -> bool {
    RESERVED.contains(&ty) || BEFORE_TYPE.contains(&ty)
}

impl Address {
    /// Parses an address. White space is allowed between its parts.
    ///
    /// # Errors
    ///
    /// If the text is not an address: the column and the expected token.
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
            // Terraform does not define an order here.
            .then_with(|| self.mode.cmp(&other.mode))
    }
}

impl PartialOrd for Address {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Parses the module steps at the start of an address.
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
            AddressMode::Managed if is_word(&self.ty) => "resource.",
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
    fn a_type_that_is_a_word_of_the_language_is_behind_another_word() {
        for text in [
            "resource.path.w",
            "resource.data.x[0]",
            "module.a.resource.resource.b",
        ] {
            assert_eq!(Address::parse(text).unwrap().to_string(), text);
        }
        let plain = Address::parse("resource.aws_x.y").unwrap();
        assert_eq!(plain.to_string(), "aws_x.y");
    }

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
