//! `get --set` and `get --delete`: the value as it would be with some of its parts replaced or left out. Nothing is written.
//!
//! The rules are those of the tool that the file is from: the older paths of Pulumi's engine, or the newer ones for Terraform.

use crate::change::audit::schema_of;
use crate::cli::Failure;
use crate::cli::args::GetArgs;
use crate::json::{self, Numbers};
use crate::load::schemas;
use crate::load::{Document, Input};
use crate::path::{Glob, MissKind, Path, Segment};
use crate::pulumi::legacy_path::LegacyPath;
use crate::pulumi::wire;
use crate::stack::Resource;
use crate::terraform::cty::{self, Dynamic};
use crate::types::Type;
use crate::value::Value;

/// One edit.
pub(super) enum Edit<'a> {
    /// Gives the path this value.
    Set(Path, &'a str),
    /// Leaves the path out.
    Delete(Path),
}

/// The edits of the arguments, in the order in which they apply.
pub(super) fn parse(args: &GetArgs) -> Result<Vec<Edit<'_>>, Failure> {
    let sets = args.set.iter().map(|text| {
        let (path, json) = split(text).ok_or_else(|| {
            Failure::usage(format!("--set {text}: expected PATH=JSON, as in `size=3`"))
        })?;
        json::parse(json.as_bytes(), Numbers::Exact).map_err(|error| {
            Failure::usage(format!(
                "--set {text}: the JSON after `=`: {error}; a string needs its quotes, as in 'size=\"big\"'"
            ))
        })?;
        Ok(Edit::Set(path, json))
    });
    let deletes = args.delete.iter().map(|text| {
        let path = path(text).map(Edit::Delete);
        path.ok_or_else(|| Failure::usage(format!("--delete {text}: expected the path of a value")))
    });
    sets.chain(deletes).collect()
}

/// The path and the JSON around the first `=` that is not inside a key.
fn split(text: &str) -> Option<(Path, &str)> {
    let mut places = text.match_indices('=');
    places.find_map(|(at, _)| Some((path(&text[..at])?, &text[at + 1..])))
}

/// The path of one value below the top.
fn path(text: &str) -> Option<Path> {
    let path = Glob::parse_tolerant(text).ok()?.as_path()?;
    (!path.0.is_empty()).then_some(path)
}

/// The reason why a value cannot be edited at a path.
#[derive(thiserror::Error, Debug)]
enum Refused {
    #[error("{0} is secret: it can be set or deleted only as a whole")]
    Secret(String),
    #[error("the nearest that exists is {0}: there is {1}")]
    Missing(String, MissKind),
    #[error("a container on the path is secret or has dependencies")]
    Opaque,
}

/// The rules of the value to edit.
pub(super) enum Target {
    /// Those of Pulumi's engine.
    Pulumi,
    /// Those of Terraform. The type is that of the value, where a schema gives it.
    Terraform(Type),
}

impl Target {
    /// The rules for the value at `path` of the resource, or of an output of the stack if there is no resource.
    pub(super) fn new(
        document: &Document,
        input: &Input,
        resource: Option<&Resource>,
        path: &Path,
    ) -> Result<Self, Failure> {
        if document.stack.header.kind.is_pulumi() {
            return Ok(Self::Pulumi);
        }
        let schemas = schemas::of(input)?;
        let schema = schemas
            .zip(resource)
            .and_then(|(schemas, resource)| schema_of(resource, &schemas.contents));
        let ty = schema.and_then(|schema| type_at(schema.block.implied_type(), path).cloned());
        Ok(Self::Terraform(ty.unwrap_or(Type::Dynamic)))
    }

    /// The value after all edits.
    pub(super) fn apply(&self, edits: &[Edit<'_>], value: Value) -> Result<Value, Failure> {
        edits.iter().try_fold(value, |value, edit| match edit {
            Edit::Set(path, json) => {
                let to = self.read(path, json)?;
                self.set(&value, path, &to).map_err(|why| {
                    Failure::no(format!("{} cannot be set; {why}", path.to_tolerant()))
                })
            }
            Edit::Delete(path) => self.delete(&value, path).map_err(|why| {
                Failure::no(format!("{} cannot be deleted; {why}", path.to_tolerant()))
            }),
        })
    }

    /// The value that a person wrote for `path`.
    fn read(&self, path: &Path, text: &str) -> Result<Value, Failure> {
        let wrong = |why: &dyn std::fmt::Display| {
            Failure::usage(format!("the value for {}: {why}", path.to_tolerant()))
        };
        match self {
            Self::Pulumi => {
                let form = json::parse(text.as_bytes(), Numbers::Double);
                let form = form.map_err(|why| wrong(&why))?.value;
                wire::decode(&form).map_err(|why| wrong(&why))
            }
            Self::Terraform(ty) => {
                let ty = type_at(ty, path).unwrap_or(&Type::Dynamic);
                let typed = cty::from_json_text(ty, text.as_bytes(), Dynamic::Bare);
                Ok(typed.map_err(|why| wrong(&why))?.into_parts().1)
            }
        }
    }

    /// The value with `to` at the path. In place of a secret, `to` is secret too.
    fn set(&self, value: &Value, path: &Path, to: &Value) -> Result<Value, Refused> {
        let missing = match refused(value, path) {
            Some(secret @ Refused::Secret(_)) => return Err(secret),
            missing => missing,
        };
        let was_secret = path.get(value).is_some_and(Value::is_secret);
        let to = &to.clone().with_secret(was_secret || to.is_secret());
        let set = match self {
            Self::Pulumi => {
                let legacy = LegacyPath::from(path);
                // The engine would grow a list at its front.
                let may_add = !matches!(missing, Some(Refused::Missing(_, MissKind::NoElement)));
                let add = || may_add.then(|| legacy.add(value, to)).flatten();
                legacy.set(value, to).or_else(add)
            }
            Self::Terraform(_) => path.set(value, to).ok(),
        };
        set.ok_or(missing.unwrap_or(Refused::Opaque))
    }

    fn delete(&self, value: &Value, path: &Path) -> Result<Value, Refused> {
        if let Some(refused) = refused(value, path) {
            return Err(refused);
        }
        let rest = match self {
            Self::Pulumi => LegacyPath::from(path).delete(value),
            Self::Terraform(_) => path.delete(value).ok(),
        };
        rest.ok_or(Refused::Opaque)
    }
}

/// The reason why there is nothing at `path` that could be changed; `None` if there is something.
fn refused(value: &Value, path: &Path) -> Option<Refused> {
    let text = |n_steps: usize| Path(path.0[..n_steps].to_vec()).to_tolerant();
    match path.first_secret(value) {
        Some(n_steps) if n_steps < path.0.len() => return Some(Refused::Secret(text(n_steps))),
        _ => {}
    }
    let miss = path.find(value).err()?;
    Some(Refused::Missing(text(miss.n_steps), miss.why))
}

/// The type at `path` of a value of type `ty`, as far as it gives one.
fn type_at<'t>(ty: &'t Type, path: &Path) -> Option<&'t Type> {
    path.0.iter().try_fold(ty, |ty, step| match (ty, step) {
        (Type::Object(object), Segment::Key(name)) => object.attributes.get(name),
        (Type::Map(element), Segment::Key(_))
        | (Type::Array(element) | Type::Set(element), Segment::Index(_)) => Some(&**element),
        (Type::Tuple(elements), Segment::Index(index)) => elements.get(*index),
        _ => None,
    })
}
