//! One resource of a plan.

use super::node::{Style, node};
use super::{Product, headline, safe};
use crate::objchange::diff::{Context, Diff, describe};
use crate::objchange::masks::fold;
use crate::path::{Path, Segment};
use crate::schema::Block;
use crate::value::{Payload, Value};

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
            Self::CreateThenForget => "+/.",
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
}

impl Planned {
    /// The change that an element of `resource_changes` or `resource_drift` of a plan's JSON tells.
    ///
    /// `relevant` are the paths of interest, in drift. Fields that are missing or of another type read as absent.
    pub fn read(element: &Value, schema: Option<&Block>, relevant: Option<&[Path]>) -> Self {
        let text = |key: &str| {
            let text = element.get(key)?.as_str()?;
            (!text.is_empty()).then(|| text.to_owned())
        };
        let change = element.get("change").unwrap_or(&Value::NULL);
        let actions = Actions::of(&words(change));
        let replaces = replace_paths(change);
        let side = |key: &str, unknown: Option<&Value>, sensitive: &str| {
            let content = change.get(key).unwrap_or(&Value::NULL);
            fold(content, unknown, change.get(sensitive))
        };
        let before = side("before", None, "before_sensitive");
        let after = if actions == Actions::Forget {
            // What is forgotten stays as it is.
            before.clone()
        } else {
            side("after", change.get("after_unknown"), "after_sensitive")
        };
        let context = Context {
            schema,
            replaces: &replaces,
            relevant,
        };
        Self {
            address: text("address").unwrap_or_default(),
            previous_address: text("previous_address"),
            module_address: text("module_address"),
            is_managed: text("mode").is_none_or(|mode| mode == "managed"),
            ty: text("type").unwrap_or_default(),
            name: text("name").unwrap_or_default(),
            index: element
                .get("index")
                .filter(|index| !index.is_null())
                .cloned(),
            deposed: text("deposed"),
            actions,
            reason: text("action_reason"),
            importing: change
                .get("importing")
                .filter(|importing| importing.as_map().is_some())
                .map(Import::read),
            has_generated_config: change
                .get("generated_config")
                .and_then(Value::as_str)
                .is_some_and(|config| !config.is_empty()),
            diff: describe(&before, &after, context),
        }
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
    fn read(value: &Value) -> Self {
        let id = value.get("id").and_then(Value::as_str);
        let identity = value.get("identity").filter(|identity| !identity.is_null());
        Self {
            id: id.filter(|id| !id.is_empty()).map(str::to_owned),
            identity: identity.cloned(),
        }
    }
}

/// The actions of a change, joined by `+`.
fn words(change: &Value) -> String {
    let actions = change.get("actions").and_then(Value::as_array);
    let words: Vec<_> = actions
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    words.join("+")
}

fn replace_paths(change: &Value) -> Vec<Path> {
    let paths = change.get("replace_paths").and_then(Value::as_array);
    paths.into_iter().flatten().map(path).collect()
}

/// A path of a plan's JSON: text for keys, numbers for elements.
pub(super) fn path(steps: &Value) -> Path {
    let step = |step: &Value| match step.payload() {
        Payload::Number(number) => Segment::Index(number.to_string().parse().unwrap_or(usize::MAX)),
        _ => Segment::from(step.as_str().unwrap_or_default()),
    };
    Path(steps.as_array().into_iter().flatten().map(step).collect())
}

/// The text of one change, without a line end; `None` if there is nothing to tell.
pub fn change(planned: &Planned, cause: Cause, product: Product) -> Option<String> {
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
        "{}{} {word} \"{}\" \"{}\" {}",
        headline::headline(planned, cause, product),
        planned.actions.sign(),
        planned.ty,
        planned.name,
        node(&planned.diff, 0, style)
    )))
}
