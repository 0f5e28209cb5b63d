//! The arguments of resources in the configuration of a plan, by their address there.

use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::path::{Path, walk};
use crate::terraform::address::{Address, config_address};
use crate::value::{Array, Map, Value};

/// The arguments by address: each a value whose leaves say what the argument refers to.
#[derive(Clone, Default, Debug)]
pub struct Expressions {
    by_address: HashMap<Arc<str>, Value>,
    /// The keys of the providers that manage resources, by the address of the resource.
    providers: HashMap<Arc<str>, Arc<str>>,
    /// The expressions of `count` and `for_each`, by the address of the resource or of the module.
    repeats: HashMap<Arc<str>, Value>,
    /// The defaults of variables that are no secrets, by the address of their module and their name.
    defaults: HashMap<(Arc<str>, Arc<str>), Value>,
    /// The addresses of the configurations of providers, by name; found when first asked for.
    by_provider: OnceLock<HashMap<String, Vec<Arc<str>>>>,
    /// The types with the places where some resource of the type has nested blocks; found when first asked for.
    blocks: OnceLock<HashSet<(String, Path)>>,
}

impl Deref for Expressions {
    type Target = HashMap<Arc<str>, Value>;

    fn deref(&self) -> &Self::Target {
        &self.by_address
    }
}

impl Expressions {
    /// Adds the arguments of a resource, a call or a provider.
    pub fn add(&mut self, address: Arc<str>, arguments: Value) {
        self.by_address.insert(address, arguments);
    }

    /// The arguments of the resource of Terraform at an address, which may have keys.
    pub fn of_resource(&self, address: &str) -> Option<&Value> {
        self.by_address.get(&*config_address(address))
    }

    /// Adds the configuration of a provider that manages a resource, by its key: `aws.west`, `module.net:aws`.
    pub fn add_provider(&mut self, address: Arc<str>, key: Arc<str>) {
        self.providers.insert(address, key);
    }

    /// Adds the expression of `count` or `for_each` of a resource or a module.
    pub fn add_repeat(&mut self, address: Arc<str>, expression: Value) {
        self.repeats.insert(address, expression);
    }

    /// The expression of `count` or `for_each` of a resource or a module.
    pub fn repeat_of(&self, address: &str) -> Option<&Value> {
        self.repeats.get(address)
    }

    /// Adds the default of a variable of the module at an address.
    pub fn add_default(&mut self, module: Arc<str>, variable: Arc<str>, default: Value) {
        self.defaults.insert((module, variable), default);
    }

    /// Drops the defaults that `is_shown` refuses by the name of their variable and their value.
    pub fn retain_defaults(&mut self, is_shown: impl Fn(&str, &Value) -> bool) {
        self.defaults
            .retain(|(_, variable), default| is_shown(variable, default));
    }

    /// The default of a variable of the module at an address.
    pub fn default_of(&self, module: &str, variable: &str) -> Option<&Value> {
        self.defaults.get(&(module.into(), variable.into()))
    }

    /// The address of the configuration of the provider that manages the resource at this address of the configuration.
    pub fn provider_of(&self, address: &str) -> Option<String> {
        self.providers
            .get(address)
            .map(|key| address_of_provider(key))
    }

    /// The addresses of the configurations of a provider, by its name in the configuration: `aws`.
    pub fn of_provider(&self, name: &str) -> &[Arc<str>] {
        let by_name = self.by_provider.get_or_init(|| {
            let mut by_name: HashMap<String, Vec<Arc<str>>> = HashMap::new();
            for address in self.by_address.keys() {
                if let Some(rest) = address.strip_prefix(PROVIDER) {
                    let name = rest.split(['.', ' ']).next().unwrap_or(rest);
                    let addresses = by_name.entry(name.to_owned()).or_default();
                    addresses.push(Arc::clone(address));
                }
            }
            by_name
        });
        by_name.get(name).map_or(&[], |addresses| addresses)
    }

    /// True if a resource of this type has nested blocks at this place.
    pub fn has_blocks(&self, ty: &str, path: &Path) -> bool {
        let blocks = self.blocks.get_or_init(|| {
            let mut blocks = HashSet::new();
            for (address, expressions) in &self.by_address {
                if let Ok(address) = Address::parse(address) {
                    walk(expressions, &mut Path::root(), &mut |path, here| {
                        if here.as_array().is_some_and(are_blocks) {
                            blocks.insert((address.ty.clone(), path.clone()));
                        }
                        !here.as_map().is_some_and(is_expression)
                    });
                }
            }
            blocks
        });
        blocks.contains(&(ty.to_owned(), path.clone()))
    }
}

/// The address under which the arguments of a provider are kept: `provider.aws.west`, `provider.aws in module.net`.
pub fn address_of_provider(key: &str) -> String {
    match key.split_once(':') {
        Some((module, name)) => format!("{PROVIDER}{name}{IN}{module}"),
        None => format!("{PROVIDER}{key}"),
    }
}

/// The module of an address of a provider; "" for the root.
pub fn module_of_provider(address: &str) -> &str {
    address.split_once(IN).map_or("", |(_, module)| module)
}

/// The word before the name of a provider.
const PROVIDER: &str = "provider.";

/// The words between a provider and the module that configures it.
const IN: &str = " in ";

/// True for a list of nested blocks.
pub fn are_blocks(items: &Array) -> bool {
    let is_block = |item: &Value| item.as_map().is_some_and(|map| !is_expression(map));
    items.iter().all(is_block)
}

/// True for an expression, which is no block.
pub fn is_expression(map: &Map) -> bool {
    map.contains_key("references") || map.contains_key("constant_value")
}
