//! Provider addresses: the provider configuration that a resource belongs to.

use std::fmt;

use super::parse::modules;
use super::scan::Scan;
use crate::text::ParseError;

/// The registry of a source without a host.
const DEFAULT_HOST: &str = "registry.terraform.io";

/// The address of a provider configuration: `module.a.provider["registry.terraform.io/hashicorp/aws"].west`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProviderAddress {
    /// The module path, without keys, "" at the root.
    pub module: String,
    /// The host of the registry, in display form.
    pub host: String,
    /// The namespace; `-` in addresses from before namespaces existed.
    pub namespace: String,
    /// The provider type.
    pub ty: String,
    /// The alias, "" for the default configuration.
    pub alias: String,
}

impl ProviderAddress {
    /// Parses an address.
    ///
    /// # Errors
    ///
    /// If the text is not an address, or is one from before Terraform 0.13 (see [`Self::parse_legacy`]).
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Self::parse_around(text, |scan| {
            scan.expect("[", "`[`")?;
            let at = scan.start();
            if !text[at..].starts_with('"') {
                return Err(scan.error_at(at, "a quoted source"));
            }
            let source = parts(&scan.quoted()?);
            let source = source.ok_or_else(|| scan.error_at(at, "a provider source"))?;
            scan.expect("]", "`]`")?;
            Ok(source)
        })
    }

    /// Parses an address from before Terraform 0.13: `module.a.provider.aws.west`.
    ///
    /// # Errors
    ///
    /// If the text is not such an address.
    pub fn parse_legacy(text: &str) -> Result<Self, ParseError> {
        Self::parse_around(text, |scan| {
            scan.dot()?;
            let ty = scan.name("a provider")?.to_lowercase();
            Ok((DEFAULT_HOST.to_owned(), "-".to_owned(), ty))
        })
    }

    /// Parses an address in which `source` reads the host, namespace and type.
    fn parse_around(
        text: &str,
        source: impl FnOnce(&mut Scan<'_>) -> Result<(String, String, String), ParseError>,
    ) -> Result<Self, ParseError> {
        let mut scan = Scan::new(text);
        let module = module(&mut scan)?;
        let start = scan.start();
        if !scan.word("provider") {
            return Err(scan.error_at(start, "`provider`"));
        }
        let (host, namespace, ty) = source(&mut scan)?;
        let alias = if scan.take(".") {
            scan.name("an alias")?
        } else {
            String::new()
        };
        scan.end()?;
        Ok(Self {
            module,
            host,
            namespace,
            ty,
            alias,
        })
    }

    /// The provider in any text of a file: an address, one from before Terraform 0.13, or a bare source. `None` if it is
    /// something else.
    pub fn named(text: &str) -> Option<Self> {
        named(text).map(|(address, _)| address)
    }

    /// The host in ASCII (punycode), which distinguishes letters that look alike.
    pub fn ascii_host(&self) -> String {
        idna::domain_to_ascii(&self.host).unwrap_or_else(|_| self.host.clone())
    }

    /// The full source: `registry.terraform.io/hashicorp/aws`.
    pub fn source(&self) -> String {
        format!("{}/{}/{}", self.host, self.namespace, self.ty)
    }

    /// The source for display: without the default host.
    pub fn for_display(&self) -> String {
        if self.host == DEFAULT_HOST {
            format!("{}/{}", self.namespace, self.ty)
        } else {
            self.source()
        }
    }
}

/// True if two texts may mean the same provider configuration. States have the address of the configuration, plans in JSON only
/// its source. Files from before Terraform 0.13 have only its type, and old states nothing.
///
/// ```
/// use stacklens::terraform::address::is_same_provider;
/// let west = r#"module.a.provider["registry.terraform.io/hashicorp/aws"].west"#;
/// assert!(is_same_provider(west, "registry.terraform.io/hashicorp/aws"));
/// assert!(is_same_provider(west, "module.a.provider.aws.west"));
/// assert!(!is_same_provider(west, r#"provider["registry.terraform.io/hashicorp/aws"]"#));
/// assert!(!is_same_provider(west, "registry.terraform.io/acme/aws"));
/// ```
pub fn is_same_provider(one: &str, other: &str) -> bool {
    if one == other || one.is_empty() || other.is_empty() {
        return true;
    }
    let (Some((one, one_is_source)), Some((other, other_is_source))) = (named(one), named(other))
    else {
        return false;
    };
    let is_legacy = one.namespace == "-" || other.namespace == "-";
    let is_same_source = (&one.host, &one.namespace) == (&other.host, &other.namespace);
    let is_same_configuration = (&one.module, &one.alias) == (&other.module, &other.alias);
    one.ty == other.ty
        && (is_legacy || is_same_source)
        && (one_is_source || other_is_source || is_same_configuration)
}

/// The provider in a text, and true if the text is a bare source.
fn named(text: &str) -> Option<(ProviderAddress, bool)> {
    let address = ProviderAddress::parse(text).or_else(|_| ProviderAddress::parse_legacy(text));
    if let Ok(address) = address {
        return Some((address, false));
    }
    let (host, namespace, ty) = parts(text)?;
    let is_bare = !text.contains('/');
    let address = ProviderAddress {
        module: String::new(),
        host,
        namespace: if is_bare { "-".to_owned() } else { namespace },
        ty,
        alias: String::new(),
    };
    Some((address, true))
}

fn module(scan: &mut Scan<'_>) -> Result<String, ParseError> {
    let start = scan.start();
    let steps = modules(scan)?;
    if steps.iter().any(|step| step.key.is_some()) {
        return Err(scan.error_at(start, "modules without keys"));
    }
    let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
    Ok(steps.join("."))
}

/// Host, namespace and type of a source, in lower case. `None` if the text is not a source.
fn parts(source: &str) -> Option<(String, String, String)> {
    let parts: Vec<String> = source.split('/').map(str::to_lowercase).collect();
    let is_name = |name: &String| {
        !name.is_empty()
            && !name.starts_with('-')
            && !name.ends_with('-')
            && !name.contains("--")
            && name
                .chars()
                .all(|char| char.is_alphanumeric() || matches!(char, '-' | '_'))
    };
    let (host, namespace, ty) = match parts.as_slice() {
        [ty] => (DEFAULT_HOST.to_owned(), "hashicorp".to_owned(), ty.clone()),
        [namespace, ty] => (DEFAULT_HOST.to_owned(), namespace.clone(), ty.clone()),
        [host, namespace, ty] => (host.clone(), namespace.clone(), ty.clone()),
        _ => return None,
    };
    let is_legacy = namespace == "-";
    let is_host = host.split('.').all(|label| {
        !label.is_empty()
            && label.split(':').all(|part| {
                part.chars()
                    .all(|char| char.is_alphanumeric() || char == '-')
            })
    });
    (is_host && (is_legacy || is_name(&namespace)) && is_name(&ty)).then_some((host, namespace, ty))
}

impl fmt::Display for ProviderAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.module.is_empty() {
            write!(f, "{}.", self.module)?;
        }
        write!(f, "provider[\"{}\"]", self.source())?;
        if !self.alias.is_empty() {
            write!(f, ".{}", self.alias)?;
        }
        Ok(())
    }
}
