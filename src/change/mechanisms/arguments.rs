//! Arguments in the configuration of a plan: the variables, locals and outputs that they come from, and those of providers.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::tables::WORDS;
use crate::change::causes::{expression_at, gives};
use crate::change::leaves::Leaf;
use crate::path::{Path, Segment, walk};
use crate::stack::{ResourceId, Stack, module_of_provider};
use crate::terraform::address::{config_address, module_of, parent_module};
use crate::text::cut;
use crate::value::Value;

/// Maximum number of module calls that a variable is followed through.
const MAX_CALLS: usize = 16;

/// The origin of a value in the configuration: `var.region`, `var.region through provider.aws`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Source {
    /// The variable, local or output, if it is a single one.
    pub(super) root: Option<String>,
    /// The provider whose configuration passes the value on, if one does.
    pub(super) provider: Option<String>,
}

impl From<String> for Source {
    fn from(root: String) -> Self {
        Self {
            root: Some(root),
            provider: None,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [self.root.as_deref(), self.provider.as_deref()];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join(" through "))
    }
}

/// True for a property of a provider that decides about where and as whom everything is done.
pub(super) fn decides(path: &Path) -> bool {
    path.has_word(&WORDS.places)
}

/// The variable, local or output that an argument in a module takes its value from, if it is a single one.
fn root_of(stack: &Stack, module: &str, argument: &Value) -> Option<String> {
    root(stack, module, only_named(argument)?)
}

/// The variable, local or output that a change below an argument of the resource at `config` comes from, if it is a single one: of several
/// references nobody knows which one changed. A variable whose value is not in the new one did not change it.
pub(super) fn root_at(
    stack: &Stack,
    config: &str,
    argument: &Value,
    leaf: &Leaf,
) -> Option<String> {
    let (argument, inside) = expression_at(argument, &leaf.path.0[1..])?;
    let root = root_of(stack, module_of(config), argument)?;
    // Nothing tells where a value that goes was from.
    let may_give = |source: &Value| {
        inside.is_empty() || leaf.after.is_null() || gives(source, inside, &leaf.after)
    };
    variable(stack, &root).is_none_or(may_give).then_some(root)
}

/// A source with its value, if the file has it: `var.region, now "eu-west-1"`.
pub(super) fn in_words(stack: &Stack, source: &Source) -> String {
    let root = source.root.as_deref();
    let Some(value) = root.and_then(|root| telling(variable(stack, root)?)) else {
        return source.to_string();
    };
    let name = root.and_then(|root| root.strip_prefix("var."));
    let default = name.and_then(|name| stack.expressions.default_of("", name));
    let default = default.map(short).filter(|default| *default != value);
    let default = default.map_or_else(String::new, |it| format!(", its default is {it}"));
    format!("{source}, now {value}{default}")
}

/// The variables, locals and outputs that an expression names, sorted; a key that differs from instance to instance does not count.
fn named(expression: &Value) -> Vec<String> {
    let mut found = BTreeSet::new();
    walk(expression, &mut Path::root(), &mut |_, value| {
        let list = value.get("references").and_then(Value::as_array);
        for reference in list.into_iter().flatten().filter_map(Value::as_str) {
            let mut steps = reference.split('.');
            let mut step = || steps.next()?.split('[').next();
            let (first, name, output) = (step(), step().unwrap_or_default(), step());
            found.extend(match (first.unwrap_or_default(), output) {
                (first @ ("var" | "local"), _) => Some(format!("{first}.{name}")),
                ("module", Some(output)) => Some(format!("module.{name}.{output}")),
                // The module alone comes after its output.
                ("module" | "each" | "count" | "path" | "terraform" | "self", _) => None,
                _ => Some(reference.to_owned()),
            });
        }
        list.is_none()
    });
    found.into_iter().collect()
}

fn only_named(expression: &Value) -> Option<String> {
    let only = <[String; 1]>::try_from(named(expression));
    only.ok().map(|[one]| one)
}

/// The variable, local or output behind a reference that is written in `module`: a variable is followed to the call that sets it.
/// `None` for a reference to a resource.
fn root(stack: &Stack, module: &str, mut reference: String) -> Option<String> {
    let mut module = module.to_owned();
    for _ in 0..MAX_CALLS {
        let Some(name) = reference
            .strip_prefix("var.")
            .filter(|_| !module.is_empty())
        else {
            break;
        };
        let Some(one) = only_named(stack.expressions.get(&*module)?.get(name)?) else {
            // A constant or several things: the argument of the call is the line to look at.
            return Some(format!("{name} of {module}"));
        };
        reference = one;
        module = parent_module(&module).unwrap_or_default().to_owned();
    }
    let is_plain = ["var.", "local.", "module."]
        .iter()
        .any(|it| reference.starts_with(it));
    is_plain.then(|| {
        if module.is_empty() {
            reference
        } else {
            format!("{reference} in {module}")
        }
    })
}

/// The last place that the file shows for a property of a resource of Terraform, in words: `from var.size, now 3`, `constant in the
/// call of module.db`. `None` if another resource gives it, or if the file does not say.
///
/// An entry of a map comes from what the map takes, or is written beside it. It is said to come from there if `value`, its new value, is in
/// what the file shows there, and to be perhaps from there if the file shows nothing.
pub(super) fn root_in_words(
    stack: &Stack,
    address: &str,
    path: &Path,
    value: Option<&Value>,
) -> Option<String> {
    let config = config_address(address);
    let Some(Segment::Key(top)) = path.0.first() else {
        return None;
    };
    let of_top = stack.expressions.get(&*config)?.get(top)?;
    let (argument, inside) = expression_at(of_top, &path.0[1..])?;
    let end = end_of(stack, &config, argument)?;
    match end.value(stack) {
        _ if inside.is_empty() => Some(end.in_words(stack)),
        Some(source) if !value?.is_null() => {
            gives(source, inside, value?).then(|| end.in_words(stack))
        }
        _ => value.map(|_| format!("perhaps {}", end.in_words(stack))),
    }
}

/// The last place that the file shows for the `count` or `for_each` of a resource, in words.
pub fn repeat_in_words(stack: &Stack, address: &str) -> Option<String> {
    let config = config_address(address);
    let end = end_of(stack, &config, stack.expressions.repeat_of(&config)?)?;
    Some(end.in_words(stack))
}

/// The last place of a value in the configuration.
enum End<'s> {
    /// A value that is written at a place, and the default of the variable that it is passed to, if it is another.
    Constant(&'s Value, String, Option<&'s Value>),
    /// The default of a variable of a module, if the file shows it.
    Default(Option<&'s Value>, String),
    /// A variable, a local or an output.
    Root(String),
}

impl<'s> End<'s> {
    /// The value there, if the file shows it.
    fn value(&self, stack: &'s Stack) -> Option<&'s Value> {
        match self {
            Self::Constant(value, ..) => Some(value),
            Self::Default(value, _) => *value,
            Self::Root(root) => variable(stack, root),
        }
    }

    fn in_words(&self, stack: &Stack) -> String {
        match self {
            Self::Constant(_, place, None) => format!("constant in {place}"),
            Self::Constant(_, place, Some(default)) => {
                format!("constant in {place}, its default is {}", short(default))
            }
            Self::Default(_, variable) => format!("from the default of {variable}"),
            Self::Root(root) => format!("from {}", in_words(stack, &root.clone().into())),
        }
    }
}

/// The last place that an argument of the resource or module at `config` takes its value from.
fn end_of<'s>(stack: &'s Stack, config: &str, mut argument: &'s Value) -> Option<End<'s>> {
    let mut module = module_of(config).to_owned();
    // The resource, then the calls, whose `count` or `for_each` makes the instances.
    let mut repeated = config.to_owned();
    let mut place = match &*module {
        "" => "the configuration".to_owned(),
        module => module.to_owned(),
    };
    let mut default = None;
    for _ in 0..MAX_CALLS {
        let reference = match &named(argument)[..] {
            [] if is_of_instance(argument) => {
                argument = stack.expressions.repeat_of(&repeated)?;
                place = format!("the instances of {repeated}");
                default = None;
                continue;
            }
            [] => {
                let value = argument.get("constant_value")?;
                let default = default.filter(|default| *default != value);
                return Some(End::Constant(value, place, default));
            }
            [one] => one.clone(),
            [_, _, ..] => return None,
        };
        let name = reference
            .strip_prefix("var.")
            .filter(|_| !module.is_empty());
        let Some(name) = name else {
            return root(stack, &module, reference).map(End::Root);
        };
        default = stack.expressions.default_of(&module, name);
        let Some(passed) = stack.expressions.get(&*module)?.get(name) else {
            return Some(End::Default(default, format!("var.{name} in {module}")));
        };
        argument = passed;
        place = format!("the call of {module}");
        repeated.clone_from(&module);
        module = parent_module(&module).unwrap_or_default().to_owned();
    }
    None
}

/// True for an expression of the key or the value of an instance.
fn is_of_instance(argument: &Value) -> bool {
    let references = argument.get("references").and_then(Value::as_array);
    let mut texts = references.into_iter().flatten().filter_map(Value::as_str);
    texts.any(|text| text.starts_with("each.") || text.starts_with("count."))
}

/// The value of a variable of the root module.
fn variable<'s>(stack: &'s Stack, reference: &str) -> Option<&'s Value> {
    let name = reference.strip_prefix("var.")?;
    let fields = &stack.header.fields;
    let (_, variables) = fields.iter().find(|(key, _)| key == "variables")?;
    variables.get(name)
}

/// The text of a value, masked where it is secret. The beginning of a long map or list says nothing about one element.
fn telling(value: &Value) -> Option<String> {
    let is_one = value.as_map().is_none() && value.as_array().is_none();
    let text = short(value);
    (is_one || !text.ends_with('…')).then_some(text)
}

/// A value in few characters, masked where it is secret.
pub(super) fn short(value: &Value) -> String {
    cut(value, 60)
}

/// The address of the configuration of a resource's provider, where the configuration of the resource is shown.
fn own_provider(stack: &Stack, id: ResourceId) -> Option<String> {
    let config = config_address(stack.address(id)?);
    stack.expressions.provider_of(&config)
}

/// The configurations of a resource's provider.
fn configurations(stack: &Stack, id: ResourceId) -> &[Arc<str>] {
    let name = stack.provider(id).rsplit('/').next();
    stack.expressions.of_provider(name.unwrap_or_default())
}

/// The address of the configuration of a resource's provider, with its arguments. `None` if the file does not say which of several
/// it is.
fn configuration(stack: &Stack, id: ResourceId) -> Option<(&str, &Value)> {
    let expressions = &stack.expressions;
    let own = own_provider(stack, id).and_then(|it| expressions.get_key_value(&*it));
    match (own, configurations(stack, id)) {
        (Some((address, arguments)), _) => Some((address, arguments)),
        (None, [address]) => Some((address, expressions.get(address)?)),
        (None, _) => None,
    }
}

/// The provider of a resource, with its alias if the configuration tells.
pub(super) fn manager(stack: &Stack, id: ResourceId) -> String {
    own_provider(stack, id).unwrap_or_else(|| stack.provider(id).to_owned())
}

/// True if one provider manages two resources. Of a resource that is not in the configuration nobody knows which of several
/// configurations of its provider it has.
pub(super) fn have_one_manager(stack: &Stack, one: ResourceId, other: ResourceId) -> bool {
    let provider = stack.provider(one);
    let is_one = || {
        let both = own_provider(stack, one).zip(own_provider(stack, other));
        let may_be = || configurations(stack, one).len() < 2;
        both.map_or_else(may_be, |(one, other)| one == other)
    };
    !provider.is_empty() && provider == stack.provider(other) && is_one()
}

/// The cause of a property that the configuration leaves to the provider: `var.region through provider.aws`.
pub(super) fn cause(stack: &Stack, id: ResourceId, property: &str) -> Option<Source> {
    let (address, arguments) = configuration(stack, id)?;
    let argument = arguments.get(property)?;
    Some(Source {
        root: root_of(stack, module_of_provider(address), argument),
        provider: Some(address.to_owned()),
    })
}

/// The arguments of a resource's provider that decide about where it looks: `region from var.region, now "eu-west-1"`.
pub(super) fn places(stack: &Stack, id: ResourceId) -> Vec<String> {
    let Some((address, arguments)) = configuration(stack, id) else {
        return Vec::new();
    };
    let module = module_of_provider(address);
    let arguments = arguments.as_map().into_iter().flatten();
    let places = arguments.filter(|(name, _)| decides(&Path(vec![Segment::Key((*name).clone())])));
    let words = places.map(|(name, argument)| match argument.get("constant_value") {
        Some(value) => format!("{name} {value}"),
        None => root_of(stack, module, argument).map_or_else(
            || name.to_string(),
            |root| format!("{name} from {}", in_words(stack, &root.into())),
        ),
    });
    words.collect()
}
