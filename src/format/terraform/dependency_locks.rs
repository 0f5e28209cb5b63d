//! Dependency locks: `.terraform.lock.hcl`, in which Terraform and OpenTofu record the chosen version of each provider.
//!
//! # Source
//!
//! hashicorp/terraform `internal/depsfile`, opentofu/opentofu the same.

use crate::terraform::hcl::{self, Block, Syntax};
use crate::value::{Map, Number, Value};

/// The selected provider version for a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lock {
    /// The source: `registry.terraform.io/hashicorp/aws`.
    pub(crate) provider: String,
    /// The version, "" if the file does not give it.
    pub(crate) version: String,
    /// The constraints in the configuration, "" if it has none.
    pub(crate) constraints: String,
    /// The hashes of its packages.
    pub(crate) hashes: Vec<String>,
}

/// The locks in file order. Entries that cannot be parsed are left out.
pub(crate) fn read(text: &str) -> Vec<Lock> {
    let file = hcl::read(text, Syntax::Native);
    file.body.blocks("provider").filter_map(lock).collect()
}

fn lock(block: &Block<'_>) -> Option<Lock> {
    let [provider] = block.labels.as_slice() else {
        return None;
    };
    let constant = |name: &str| {
        let expression = block.body.attribute(name);
        expression.and_then(hcl::Expression::constant_text)
    };
    let hashes = block.body.attribute("hashes").into_iter();
    let hashes = hashes.flat_map(|hashes| &hashes.literals);
    Some(Lock {
        provider: provider.to_string(),
        version: constant("version").unwrap_or_default(),
        constraints: constant("constraints").unwrap_or_default(),
        hashes: hashes.map(|hash| hash.decode().into_owned()).collect(),
    })
}

/// The locks as shown in a document, with the number of hashes instead of the hashes.
pub(crate) fn to_value(locks: &[Lock]) -> Value {
    let lock = |lock: &Lock| {
        Value::from(Map::from_iter([
            ("provider", Value::from(&*lock.provider)),
            ("version", (&*lock.version).into()),
            ("constraints", (&*lock.constraints).into()),
            ("hashes", Number::from(lock.hashes.len() as u64).into()),
        ]))
    };
    locks.iter().map(lock).collect::<Vec<_>>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_list_versions_constraints_and_hashes() {
        let text = "# made by init\n\nprovider \"registry.terraform.io/acme/lab\" {\n  version     = \"1.2.3\"\n  \
            constraints = \">= 1.0.0, < 2.0.0\"\n  hashes = [\n    \"h1:AAAA=\",\n    \"zh:00\",\n  ]\n}\n\n\
            provider \"registry.opentofu.org/acme/odd\" {\n}\n";
        let locks = read(text);
        assert_eq!(locks.len(), 2);
        assert_eq!(locks[0].hashes, ["h1:AAAA=", "zh:00"]);
        let value = to_value(&locks).to_string();
        assert_eq!(
            value,
            "[{provider: \"registry.terraform.io/acme/lab\", version: \"1.2.3\", constraints: \">= 1.0.0, < 2.0.0\", hashes: 2}, \
             {provider: \"registry.opentofu.org/acme/odd\", version: \"\", constraints: \"\", hashes: 0}]"
        );
        assert!(read("provider {").is_empty() && read("").is_empty());
    }
}
