//! Copies of a resource or a value, in the words of the tool that the person goes back to.
//!
//! # Laws
//!
//! 1. **No secret unless asked.** Every form masks secret values; only [`Form::Value`] of a revealed subject gives one.
//! 2. **A path leads back.** The jq path and the JSON pointer select the shown value in the very file that is open. They go
//!    through the wrappers that the file has and the screen does not show.
//! 3. **A shell sees one word.** Arguments are quoted whatever they hold.

mod location;
mod mend;
mod output;
mod quote;

pub use location::{End, Location, Wanted, Written};
pub use output::OutputSubject;
pub use quote::shell;

use super::markdown::code;
use crate::change::decode::{MAX_DOCUMENT, contents, packing};
use crate::json;
use crate::path::{Path, Segment};
use crate::pulumi::wire::{self, SecretKey};
use crate::search::PropertyAddress;
use crate::stack::{self, Resource, ResourceId, Section, Stack, When};
use crate::terraform::address::{ObjectName, quote_key};
use crate::value::{Map, Payload, Shown, Value};

/// A form in which the subject under the cursor can be copied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// The value itself.
    Value,
    /// The property path: Pulumi's, or for Terraform the expression from the address on.
    Path,
    /// The URN or the address.
    Identity,
    /// The URN, also of a Terraform resource.
    Urn,
    /// The line that declares it: `FILE:LINE`.
    Position,
    /// The provider's id.
    Id,
    /// The last key of the path, or the name.
    Key,
    /// A jq path into the file.
    Jq,
    /// A JSON pointer into the file.
    Pointer,
    /// The value as engines and providers of Pulumi pass it, with secrets left out.
    Wire,
    /// The resource as JSON.
    Resource,
    /// The argument that restricts an operation to the resource.
    Target,
    /// The text that takes an object under management: a block, or a command of Pulumi.
    Import,
    /// The text for the program that makes two names one thing: `moved` blocks, or aliases.
    Moved,
    /// The commands that rename an object in the state.
    StateMove,
    /// The command that takes the resource out of the state.
    StateRemoval,
    /// The block that takes the resource out of the state with the next apply.
    Removed,
    /// The argument that replaces the resource.
    Replacement,
    /// The command that takes away its taint or its protection.
    Clearing,
    /// The command that reads it again.
    Refresh,
    /// The table that mutes the changes of the property.
    Mute,
    /// The difference at the cursor.
    Hunk,
    /// A line of Markdown.
    Markdown,
}

impl Form {
    /// All forms in the order of the popup, each with its name on screen.
    pub const ALL: [(Self, &'static str); 23] = [
        (Self::Value, "value"),
        (Self::Path, "path"),
        (Self::Identity, "URN / address"),
        (Self::Urn, "URN"),
        (Self::Position, "source line"),
        (Self::Id, "id"),
        (Self::Key, "key"),
        (Self::Jq, "jq"),
        (Self::Pointer, "JSON pointer"),
        (Self::Wire, "wire form"),
        (Self::Resource, "resource JSON"),
        (Self::Target, "target argument"),
        (Self::Import, "import"),
        (Self::Moved, "moved / aliases"),
        (Self::StateMove, "rename in state"),
        (Self::StateRemoval, "drop from state"),
        (Self::Removed, "removed block"),
        (Self::Replacement, "replace"),
        (Self::Clearing, "untaint / unprotect"),
        (Self::Refresh, "refresh"),
        (Self::Mute, "mute"),
        (Self::Hunk, "diff hunk"),
        (Self::Markdown, "Markdown"),
    ];

    /// The word for the status line: `copied WORD`.
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(form, _)| *form == self)
            .map_or("", |(_, name)| name)
    }

    /// The material of the form.
    pub fn made_of(self) -> MadeOf {
        match self {
            Self::Path
            | Self::Identity
            | Self::Urn
            | Self::Position
            | Self::Id
            | Self::Key
            | Self::Target
            | Self::Import
            | Self::StateRemoval
            | Self::Removed
            | Self::Replacement
            | Self::Clearing
            | Self::Refresh
            | Self::Mute => MadeOf::Names,
            Self::Value | Self::Wire | Self::Resource | Self::Markdown => MadeOf::Values,
            Self::Jq | Self::Pointer => MadeOf::Location,
            Self::Moved | Self::StateMove => MadeOf::Pair,
            Self::Hunk => MadeOf::Screen,
        }
    }

    /// The text between the copies of several resources.
    pub fn separator(self) -> &'static str {
        match self {
            // The arguments of one command.
            Self::Target | Self::Replacement => " ",
            _ => "\n",
        }
    }
}

/// The material that a form is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MadeOf {
    /// The names of a resource and of its properties.
    Names,
    /// The values of a resource, which may be large.
    Values,
    /// The location of the resource in the file.
    Location,
    /// The two names of a resource.
    Pair,
    /// The difference on the screen.
    Screen,
}

/// The resource, property or value under the cursor.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The stack.
    pub stack: &'a Stack,
    /// The resource.
    pub id: ResourceId,
    /// The whole resource, with its values.
    pub resource: &'a Resource,
    /// The property; `None` for the resource as a whole.
    pub place: Option<&'a PropertyAddress>,
    /// True if the person has asked to see or to copy this very value.
    pub revealed: bool,
    /// Location of the resource in the file, if known.
    pub location: Option<&'a Location>,
    /// The path inside the JSON that the string at the place holds.
    pub inside: Option<&'a Path>,
}

/// The reason why there is nothing to copy. Its text says what to do instead, if anything can be done.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoCopy {
    /// The value is secret.
    #[error("the value is secret")]
    Secret,
    /// The value is encrypted and only its ciphertext is known.
    #[error("the file holds only the ciphertext of this secret")]
    Sealed,
    /// The value is not known.
    #[error("the value is known after apply")]
    Unknown,
    /// The cursor is not on a property.
    #[error("choose a property first")]
    NoProperty,
    /// There is no such property in this state of the resource.
    #[error("there is no value here")]
    NoValue,
    /// Nothing says which line declares the resource.
    #[error("neither the file nor a configuration next to it says which line declares it")]
    NoPosition,
    /// The resource has no id.
    #[error("the resource has no id")]
    NoId,
    /// No difference is shown here.
    #[error("no difference is shown here")]
    NoHunk,
    /// The file is not one JSON document, or it is read as a different one.
    #[error("no path leads into this file: it is not JSON, or an old version")]
    NotJson,
    /// Values of Terraform have no wire form.
    #[error("only values of Pulumi have a wire form")]
    NotPulumi,
    /// There is no second name for the resource.
    #[error("mark one resource that goes and one of its type that comes")]
    NoPair,
    /// A `removed` block cannot name this resource.
    #[error(
        "`removed` names whole resources, in Terraform and OpenTofu since 1.7; take it out of the state"
    )]
    NoRemoved,
    /// Nothing that a program manages can be replaced here.
    #[error("only a managed resource can be replaced")]
    NotManaged,
    /// The resource is neither tainted nor protected.
    #[error("the resource is neither tainted nor protected")]
    NothingToClear,
    /// The commands of the tool mean the current object.
    #[error("an old object shares its name with the current one, which a command would mean")]
    OldObject,
    /// Outputs of the stack have no such form.
    #[error("outputs have no such form")]
    Output,
    /// The value is not in the file in this form: decoded, inside of a secret, or worked out.
    #[error("the file does not hold the value in the form shown")]
    NotInFile,
}

impl Subject<'_> {
    /// The value under the cursor. Values that are secret before or after the change are masked.
    pub fn value(&self) -> Option<Value> {
        let place = self.place?;
        let when = if place.before {
            When::Before
        } else {
            self.now()
        };
        let section = place.section;
        stack::PropertySet { when, section }.value_at(self.resource, &place.path)
    }

    /// The end of the change that [`Resource::current`] is at.
    fn now(&self) -> When {
        match self.resource.after {
            Some(_) => When::After,
            None => When::Before,
        }
    }

    /// The subject as `form`.
    ///
    /// # Errors
    ///
    /// If there is nothing to copy. The error says what to do instead.
    pub fn copy(&self, form: Form) -> Result<String, NoCopy> {
        match form {
            Form::Value => self.value_text(),
            Form::Path => self.path(),
            Form::Identity => Ok(self.stack.identity(self.id)),
            Form::Urn => Ok(self.stack.urn(self.id)),
            Form::Position => self.position(),
            Form::Id => self.provider_id(),
            Form::Key => Ok(self.key()),
            Form::Jq => location::jq(self),
            Form::Pointer => location::pointer(self),
            Form::Wire => self.wire_form(),
            Form::Resource => Ok(json::to_pretty(&self.as_json())),
            Form::Target => Ok(self.target()),
            Form::Import => self.import(),
            Form::Moved | Form::StateMove => Err(NoCopy::NoPair),
            Form::StateRemoval => self.state_removal(),
            Form::Removed => self.removed_block(),
            Form::Replacement => self.replacement(),
            Form::Clearing => self.clearing(),
            Form::Refresh => self.refresh(),
            Form::Mute => self.mute(),
            // The screen has it.
            Form::Hunk => Err(NoCopy::NoHunk),
            Form::Markdown => Ok(self.markdown()),
        }
    }

    /// Like [`Subject::copy`], but in one line: values and resources that take several lines become compact JSON.
    ///
    /// # Errors
    ///
    /// As [`Subject::copy`].
    pub fn copy_line(&self, form: Form) -> Result<String, NoCopy> {
        let text = match form {
            Form::Resource => json::to_compact(&self.as_json()),
            Form::Import | Form::Removed | Form::Mute => return self.copy(form),
            form => self.copy(form)?,
        };
        if !text.contains(['\n', '\r']) {
            return Ok(text);
        }
        // A text stays one text: as JSON it needs no second line.
        Ok(match json::parse(text.as_bytes(), json::Numbers::Exact) {
            Ok(parsed)
                if form == Form::Wire
                    || form == Form::Value
                        && self.value().is_none_or(|value| value.as_str().is_none()) =>
            {
                json::to_compact(&parsed.value)
            }
            _ => json::to_compact(&Value::from(text)),
        })
    }

    fn value_text(&self) -> Result<String, NoCopy> {
        if self.place.is_none() {
            return Err(NoCopy::NoProperty);
        }
        // A path that crosses a mask is masked, whatever lies below the mask.
        if !self.revealed && self.crosses_secret() {
            return Err(NoCopy::Secret);
        }
        let value = self.value().ok_or(NoCopy::NoValue)?;
        let shown = |value: Value| if self.revealed { value.reveal() } else { value };
        let value = match self.inside {
            Some(inside) => shown(inner(&shown(value), inside)?),
            None => shown(value),
        };
        text_of(&value)
    }

    fn wire_form(&self) -> Result<String, NoCopy> {
        if !self.stack.header.kind.is_pulumi() {
            return Err(NoCopy::NotPulumi);
        }
        if self.place.is_none() {
            return Err(NoCopy::NoProperty);
        }
        if self.inside.is_some() {
            return Err(NoCopy::NotInFile);
        }
        let value = self.value().ok_or(NoCopy::NoValue)?;
        // A path that crosses a mask is masked, whatever is below.
        let is_secret = value.is_secret() || self.crosses_secret();
        let form = wire::encode(&value.with_secret(is_secret), SecretKey::Masked);
        Ok(json::to_pretty(&form))
    }

    /// True if the path goes through a secret value or ends at one.
    fn crosses_secret(&self) -> bool {
        let Some(place) = self.place else {
            return false;
        };
        [self.resource.before.as_ref(), self.resource.after.as_ref()]
            .into_iter()
            .flatten()
            .filter_map(|state| state.section(place.section))
            .any(|value| {
                value.is_secret()
                    || place.path.crosses_secret(value)
                    || place.path.get(value).is_some_and(Value::is_secret)
            })
    }

    fn path(&self) -> Result<String, NoCopy> {
        let place = self.place.ok_or(NoCopy::NoProperty)?;
        let value = self.inside.and_then(|_| self.value());
        if value.as_ref().is_some_and(is_packed) {
            return Err(NoCopy::NotInFile);
        }
        if self.stack.header.kind.is_pulumi() {
            return Ok(whole_path(&place.path, self.inside));
        }
        let mut text = self.base_address().to_owned();
        quote::traverse(&mut text, &place.path);
        if let Some(inside) = self.inside {
            let decode = if value.is_some_and(|value| holds_json(&value)) {
                "jsondecode"
            } else {
                "yamldecode"
            };
            text = format!("{decode}({text})");
            quote::traverse(&mut text, inside);
        }
        Ok(text)
    }

    /// The address without the key of a deposed object, as Terraform accepts it.
    fn base_address(&self) -> &str {
        ObjectName::parse(self.stack.name(self.id)).address
    }

    fn position(&self) -> Result<String, NoCopy> {
        let position = self.resource.position.as_ref();
        position.map(ToString::to_string).ok_or(NoCopy::NoPosition)
    }

    fn provider_id(&self) -> Result<String, NoCopy> {
        let id = self.resource.id.as_ref().ok_or(NoCopy::NoId)?;
        match id.shown() {
            Shown::Secret(_) => Err(NoCopy::Secret),
            Shown::Plain(Payload::Computed(_)) => Err(NoCopy::Unknown),
            Shown::Plain(Payload::String(text)) => Ok(text.to_str_lossy().into_owned()),
            Shown::Plain(_) => Ok(id.to_string()),
        }
    }

    fn key(&self) -> String {
        let key = last_key(self.place.map(|place| &place.path), self.inside);
        key.unwrap_or_else(|| self.stack.name(self.id).to_owned())
    }

    fn target(&self) -> String {
        if self.stack.header.kind.is_pulumi() {
            format!("--target {}", shell(&self.stack.urn(self.id)))
        } else {
            format!("-target={}", shell(self.base_address()))
        }
    }

    fn import(&self) -> Result<String, NoCopy> {
        let id = self.provider_id()?;
        if id.is_empty() {
            return Err(NoCopy::NoId);
        }
        if self.stack.header.kind.is_pulumi() {
            let [ty, name] = [self.stack.ty(self.id), self.stack.short_name(self.id)].map(shell);
            return Ok(format!("pulumi import {ty} {name} {}", shell(&id)));
        }
        let to = self.base_address();
        Ok(format!(
            "import {{\n  to = {to}\n  id = {}\n}}",
            quote_key(&id)
        ))
    }

    /// The resource as JSON, masked.
    fn as_json(&self) -> Value {
        let resource = self.resource;
        let text = |text: &str| Some(Value::from(text));
        let when = self.now();
        let section = |section| stack::PropertySet { when, section }.shown_of(resource);
        let fields = [
            ("urn", text(&resource.urn)),
            ("address", resource.address.as_deref().and_then(text)),
            ("type", text(&resource.ty)),
            ("name", text(&resource.name)),
            ("id", resource.id.clone()),
            ("parent", resource.parent.as_deref().and_then(text)),
            ("provider", resource.provider.as_deref().and_then(text)),
            ("inputs", section(Section::Inputs)),
            ("outputs", section(Section::Outputs)),
        ];
        fields
            .into_iter()
            .filter_map(|(key, value)| Some((key, value?)))
            .collect::<Map>()
            .into()
    }

    fn markdown(&self) -> String {
        let identity = code(&self.stack.identity(self.id));
        let ty = code(self.stack.ty(self.id));
        let Some(place) = self.place else {
            return format!("- {identity} ({ty})");
        };
        let path = code(&place.path.to_tolerant());
        let value = self.value().map_or_else(
            || "no value".to_owned(),
            |value| {
                if self.crosses_secret() {
                    code("[secret]")
                } else {
                    code(&json::to_compact(&value))
                }
            },
        );
        format!("- {identity} {path} = {value}")
    }
}

/// The text of a value that is no secret, or that the person revealed.
///
/// # Errors
///
/// If it is neither, or nobody knows it.
pub fn text_of(value: &Value) -> Result<String, NoCopy> {
    match value.payload() {
        Payload::Sealed(_) => Err(NoCopy::Sealed),
        Payload::Computed(_) => Err(NoCopy::Unknown),
        _ if value.is_secret() => Err(NoCopy::Secret),
        Payload::String(text) => Ok(text.to_str_lossy().into_owned()),
        _ => Ok(json::to_pretty(value)),
    }
}

/// The path to a value inside the document that the string at `path` holds.
fn whole_path(path: &Path, inside: Option<&Path>) -> String {
    let inside = inside.into_iter().flat_map(|inside| &inside.0);
    let whole: Path = path.0.iter().chain(inside).cloned().collect();
    whole.to_tolerant()
}

/// The last step of the path inside a document, else that of the path to it.
fn last_key(path: Option<&Path>, inside: Option<&Path>) -> Option<String> {
    let inner = inside.and_then(|inside| inside.0.last());
    Some(match inner.or_else(|| path?.0.last())? {
        Segment::Key(key) => key.to_string(),
        Segment::Index(index) => index.to_string(),
    })
}

/// The jq path `outer`, continued into the document that the string there holds. jq reads no YAML.
fn jq_inside(outer: String, inside: Option<&Path>, text: Option<&Value>) -> Result<String, NoCopy> {
    match inside {
        Some(inside) if text.is_some_and(holds_json) => {
            Ok(format!("{outer} | fromjson | {}", inside.to_jq()))
        }
        Some(_) => Err(NoCopy::NotInFile),
        None => Ok(outer),
    }
}

/// True for a packed string. No path leads into it.
fn is_packed(value: &Value) -> bool {
    packing(value).is_some()
}

/// True if the value is a string that holds JSON. Any other document in a string is YAML.
fn holds_json(value: &Value) -> bool {
    let text = value.as_str();
    text.is_some_and(|text| json::parse(text.as_bytes(), json::Numbers::Exact).is_ok())
}

/// The value inside the document that a string holds.
fn inner(value: &Value, inside: &Path) -> Result<Value, NoCopy> {
    if value.is_secret() && !is_packed(value) {
        return Err(NoCopy::Secret);
    }
    let contents = contents(value, MAX_DOCUMENT).ok_or(NoCopy::NotInFile)?;
    inside.reach(&contents.value).ok_or(NoCopy::NoValue)
}

#[cfg(test)]
mod tests;
