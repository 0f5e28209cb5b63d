//! One resource of a plan.

use super::node::{Style, node};
use super::{Invoked, Product, headline, invoked, safe};
use crate::change::difference::{Alignment, Context, Diff, describe};
use crate::json::{self, Numbers};
use crate::path::Path;
use crate::stack::{Mode, Resource, State};
use crate::terraform::address;
use crate::terraform::address::ObjectName;
use crate::terraform::schema::Block;
use crate::value::Value;

/// The actions of a plan on a resource, as its file gives them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Actions {
    /// No action; perhaps a move or an import.
    Noop,
    /// The resource is created.
    Create,
    /// The resource is read during apply.
    Read,
    /// The resource is updated in place.
    Update,
    /// The resource is destroyed.
    Delete,
    /// The resource is destroyed, then created again.
    DeleteThenCreate,
    /// The new resource is created, then the old one is destroyed.
    CreateThenDelete,
    /// The resource leaves management and stays as it is.
    Forget,
    /// A new resource is created, and the old one leaves management.
    CreateThenForget,
    /// The old resource leaves management, and a new one is created.
    ForgetThenCreate,
    /// Unknown words.
    Other,
}

impl Actions {
    /// The actions for the words of a plan's JSON, joined by `+` as in `delete+create`.
    pub fn of(words: &str) -> Self {
        match words {
            "no-op" => Self::Noop,
            "create" => Self::Create,
            "read" => Self::Read,
            "update" => Self::Update,
            "delete" => Self::Delete,
            "delete+create" => Self::DeleteThenCreate,
            "create+delete" => Self::CreateThenDelete,
            "forget" => Self::Forget,
            "create+forget" => Self::CreateThenForget,
            "forget+create" => Self::ForgetThenCreate,
            _ => Self::Other,
        }
    }

    /// The sign before a resource, in three columns.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Noop => "   ",
            Self::Create => "  +",
            Self::Read => " <=",
            Self::Update => "  ~",
            Self::Delete => "  -",
            Self::DeleteThenCreate => "-/+",
            Self::CreateThenDelete => "+/-",
            Self::Forget => " .",
            Self::CreateThenForget => " +/.",
            Self::ForgetThenCreate => "./+",
            Self::Other => "  ?",
        }
    }
}

/// The source of an import.
#[derive(Clone, PartialEq, Debug)]
pub struct Import {
    /// The id of the resource, if known.
    pub id: Option<String>,
    /// The identity of the resource, for an import without an id.
    pub identity: Option<Value>,
}

/// The reason for listing a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// The plan proposes it.
    Proposed,
    /// It was detected as drift.
    Drift,
}

/// A change of one resource.
#[derive(Clone, PartialEq, Debug)]
pub struct Planned {
    /// The address of the resource.
    pub address: String,
    /// The address before a move.
    pub previous_address: Option<String>,
    /// The address of its module; `None` in the root module.
    pub module_address: Option<String>,
    /// True for a managed resource; false for a data source.
    pub is_managed: bool,
    /// The type of the resource.
    pub ty: String,
    /// The name of the resource, without module and index.
    pub name: String,
    /// The index or key of the instance.
    pub index: Option<Value>,
    /// The key of a deposed object.
    pub deposed: Option<String>,
    /// The actions on the resource.
    pub actions: Actions,
    /// The reason for the actions, in the words of the file.
    pub reason: Option<String>,
    /// The source of the import, if the resource is imported.
    pub importing: Option<Import>,
    /// True if the plan wrote configuration for the resource.
    pub has_generated_config: bool,
    /// The difference of its attributes.
    pub diff: Diff,
    /// The actions that this change triggers before it is made, in order.
    pub invoked_before: Vec<Invoked>,
    /// The actions that this change triggers after it is made, in order.
    pub invoked_after: Vec<Invoked>,
}

impl Planned {
    /// The change of a resource of a plan; `None` if it has no change, or is not a Terraform resource.
    ///
    /// For drift, `relevant` holds the paths of interest.
    pub fn of(
        resource: &Resource,
        schema: Option<&Block>,
        relevant: Option<&[Path]>,
    ) -> Option<Self> {
        let change = resource.change.as_ref()?;
        let name = ObjectName::parse(resource.address.as_deref()?);
        let address = name.address;
        let deposed = name.deposed.map(str::to_owned);
        let actions = Actions::of(&change.own_words);
        let attributes = |state: Option<&State>| {
            let outputs = state.and_then(|state| state.outputs.clone());
            outputs.unwrap_or_default()
        };
        let before = attributes(resource.before.as_ref());
        let after = if actions == Actions::Forget {
            // A forgotten resource keeps its values.
            before.clone()
        } else {
            attributes(resource.after.as_ref())
        };
        // Whatever its schema, a resource is a block: its null attributes are not listed.
        let unknown = Block::default();
        let context = Context {
            schema: Some(schema.unwrap_or(&unknown)),
            replaces: &change.replace_paths,
            relevant,
            alignment: Alignment::Terraform,
            ..Context::default()
        };
        let (name, index) = name_and_index(address, &resource.ty);
        let config = resource
            .fields
            .iter()
            .find(|(key, _)| &**key == "generated_config");
        Some(Self {
            address: address.to_owned(),
            previous_address: change.previous_address.clone(),
            module_address: resource.parent.clone(),
            is_managed: resource.mode == Mode::Managed,
            ty: resource.ty.clone(),
            name,
            index,
            deposed,
            actions,
            reason: change.reasons.first().cloned(),
            importing: change.importing.as_ref().map(Import::of),
            has_generated_config: config.is_some(),
            diff: describe(&before, &after, context),
            invoked_before: Vec::new(),
            invoked_after: Vec::new(),
        })
    }

    /// True if the resource had a different address before.
    pub fn is_moved(&self) -> bool {
        let previous = self.previous_address.as_ref();
        previous.is_some_and(|previous| *previous != self.address)
    }

    /// True if the change is listed in the plan's text.
    pub fn is_shown(&self) -> bool {
        match self.actions {
            Actions::Noop => self.is_moved() || self.importing.is_some(),
            Actions::Delete => self.is_managed,
            _ => true,
        }
    }
}

impl Import {
    /// The import in a plan: a string is the id, an object the identity.
    fn of(value: &Value) -> Self {
        if value.is_secret() {
            return Self {
                id: Some(value.to_string()),
                identity: None,
            };
        }
        let id = value.as_str().filter(|id| !id.is_empty());
        Self {
            id: id.map(str::to_owned),
            identity: value.as_map().map(|_| value.clone()),
        }
    }
}

/// The name at the end of the address of a resource of type `ty`, and its index or key.
fn name_and_index(address: &str, ty: &str) -> (String, Option<Value>) {
    let module = address::module_of(address);
    let rest = address[module.len()..].trim_start_matches('.');
    let rest = rest.strip_prefix("data.").unwrap_or(rest);
    let rest = rest
        .strip_prefix(ty)
        .and_then(|rest| rest.strip_prefix('.'))
        .unwrap_or(rest);
    let Some((name, index)) = rest.split_once('[') else {
        return (rest.to_owned(), None);
    };
    let index = index.strip_suffix(']').unwrap_or(index);
    let value = json::parse(index.as_bytes(), Numbers::Exact).map(|parsed| parsed.value);
    (
        name.to_owned(),
        Some(value.unwrap_or_else(|_| Value::from(index))),
    )
}

/// The text of one change, without a line end; `None` if there is nothing to show.
pub(super) fn change(planned: &Planned, cause: Cause, product: Product) -> Option<String> {
    let headline = headline::headline(planned, cause, product);
    let mut text = below(planned, &headline, product)?;
    invoked::around(&mut text, planned);
    Some(safe(text))
}

/// The text of a deferred change, for a `reason` in the words of the file.
pub(super) fn put_off(planned: &Planned, reason: &str, product: Product) -> Option<String> {
    below(planned, &headline::put_off(planned, reason), product)
}

/// The headline and the change below it.
fn below(planned: &Planned, headline: &str, product: Product) -> Option<String> {
    if planned.actions == Actions::Noop && !planned.is_shown() {
        return None;
    }
    let mut style = Style {
        all: planned.importing.is_some(),
        ..Style::default()
    };
    if planned.actions == Actions::Forget && product == Product::OpenTofu {
        style.no_signs = true;
        style.no_null = true;
    }
    let word = if planned.is_managed {
        "resource"
    } else {
        "data"
    };
    Some(safe(format!(
        "{headline}{} {word} \"{}\" \"{}\" {}",
        planned.actions.sign(),
        planned.ty,
        planned.name,
        node(&planned.diff, 0, style)
    )))
}
