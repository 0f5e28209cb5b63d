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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

impl AddressMode {
    /// Data sources come first; the others have no order among them but that of their names.
    fn rank(self) -> u8 {
        match self {
            Self::Data => 0,
            Self::Managed => 1,
            Self::Ephemeral => 2,
            Self::List => 3,
        }
    }
}

/// The address of a resource instance.
///
/// Addresses are ordered as Terraform lists them: what is nearer to the root first, then by module, data sources before others, by
/// type, name and key.
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
        depth
            .then_with(|| self.module.cmp(&other.module))
            .then_with(|| self.mode.rank().cmp(&other.mode.rank()))
            .then_with(|| self.ty.cmp(&other.ty))
            .then_with(|| self.name.cmp(&other.name))
            .then_with(|| self.key.cmp(&other.key))
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
