//! One resource of a plan.

use super::node::{Style, node};
use super::{Invoked, Product, headline, invoked, safe};
use crate::change::difference::{Alignment, Context, Diff, describe};
use crate::json::{self, Numbers};
use crate::path::Path;
use crate::stack::{Mode, Resource, State};
use crate::terraform::address;
use crate::terraform::schema::Block;
use crate::value::Value;

/// What a plan does to a resource, as its file says it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Actions {
    /// Nothing; perhaps a move or an import.
    Noop,
    /// It comes into being.
    Create,
    /// It is read during apply.
    Read,
    /// It changes in place.
    Update,
    /// It is destroyed.
    Delete,
    /// It is destroyed, then made anew.
    DeleteThenCreate,
    /// It is made anew, then the old one is destroyed.
    CreateThenDelete,
    /// It leaves management and stays as it is.
    Forget,
    /// It is made anew, and the old one leaves management.
    CreateThenForget,
    /// The old one leaves management, and a new one is made.
    ForgetThenCreate,
    /// Words that are not known here.
    Other,
}

impl Actions {
    /// The actions by the words of a plan's JSON, joined by `+` as in `delete+create`.
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

/// From where a resource is imported.
#[derive(Clone, PartialEq, Debug)]
pub struct Import {
    /// Its id, if that is known.
    pub id: Option<String>,
    /// Its identity, for an import without an id.
    pub identity: Option<Value>,
}

/// Why a change is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The plan does it.
    Proposed,
    /// It was found to have happened.
    Drift,
}

/// A change of one resource.
#[derive(Clone, PartialEq, Debug)]
pub struct Planned {
    /// Its address.
    pub address: String,
    /// Its address before a move.
    pub previous_address: Option<String>,
    /// The address of its module; `None` in the root module.
    pub module_address: Option<String>,
    /// Whether it is managed; else it is a data source.
    pub is_managed: bool,
    /// Its type.
    pub ty: String,
    /// Its name, without module and index.
    pub name: String,
    /// Its index or key.
    pub index: Option<Value>,
    /// The key of a deposed object.
    pub deposed: Option<String>,
    /// What is done.
    pub actions: Actions,
    /// Why, in the words of the file.
    pub reason: Option<String>,
    /// From where it is imported, if it is.
    pub importing: Option<Import>,
    /// Whether the plan wrote configuration for it.
    pub has_generated_config: bool,
    /// What happens to its attributes.
    pub diff: Diff,
    /// The actions that this sets off before it is done, in their order.
    pub invoked_before: Vec<Invoked>,
    /// Those after it.
    pub invoked_after: Vec<Invoked>,
}

impl Planned {
    /// The change of a resource of a plan; `None` if it has none, or is no resource of Terraform.
    ///
    /// `relevant` are the paths of interest, in drift.
    pub fn of(
        resource: &Resource,
        schema: Option<&Block>,
        relevant: Option<&[Path]>,
    ) -> Option<Self> {
        let change = resource.change.as_ref()?;
        let (address, deposed) = undeposed(resource.address.as_deref()?);
        let actions = Actions::of(&change.own_words);
        let attributes = |state: Option<&State>| {
            let outputs = state.and_then(|state| state.outputs.clone());
            outputs.unwrap_or_default()
        };
        let before = attributes(resource.before.as_ref());
        let after = if actions == Actions::Forget {
            // What is forgotten stays as it is.
            before.clone()
        } else {
            attributes(resource.after.as_ref())
        };
        // Whatever its schema, a resource is a block: what is null is not told.
        let unknown = Block::default();
        let context = Context {
            schema: Some(schema.unwrap_or(&unknown)),
            replaces: &change.replace_paths,
            relevant,
            alignment: Alignment::Terraform,
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

    /// Whether it has another address than before.
    pub fn is_moved(&self) -> bool {
        let previous = self.previous_address.as_ref();
        previous.is_some_and(|previous| *previous != self.address)
    }

    /// Whether there is anything to tell.
    pub fn is_told(&self) -> bool {
        match self.actions {
            Actions::Noop => self.is_moved() || self.importing.is_some(),
            Actions::Delete => self.is_managed,
            _ => true,
        }
    }
}

impl Import {
    /// From what a plan says: a text is the id, an object the identity.
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

/// An address, and the key of the deposed object that it ends with.
pub(super) fn undeposed(address: &str) -> (&str, Option<String>) {
    let deposed = || address.strip_suffix(')')?.rsplit_once(" (deposed ");
    match deposed() {
        Some((address, key)) => (address, Some(key.to_owned())),
        None => (address, None),
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

/// The text of one change, without a line end; `None` if there is nothing to tell.
pub fn change(planned: &Planned, cause: Cause, product: Product) -> Option<String> {
    let headline = headline::headline(planned, cause, product);
    let mut text = below(planned, &headline, product)?;
    invoked::around(&mut text, planned);
    Some(safe(text))
}

/// The text of a change that is put off, for a `reason` in the words of the file.
pub(super) fn put_off(planned: &Planned, reason: &str, product: Product) -> Option<String> {
    below(planned, &headline::put_off(planned, reason), product)
}

/// The change below its headline.
fn below(planned: &Planned, headline: &str, product: Product) -> Option<String> {
    if planned.actions == Actions::Noop && !planned.is_told() {
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
