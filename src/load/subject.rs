//! A file that is being loaded: the facts about it besides its bytes.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::input;
use super::{Input, LoadError, Origin, schemas};
use crate::format::table::Translated;
use crate::format::{Context, Format};
use crate::stack::{Header, Note};
use crate::terraform::schema::HiddenPlaces;

/// The name, format, context and header of a file that is being loaded.
pub(super) struct Subject<'s> {
    /// Its name for messages.
    pub(super) file: String,
    pub(super) format: &'static Format,
    pub(super) context: Context,
    /// The facts that are known before it is read.
    pub(super) header: Header,
    /// Notes on earlier steps, such as unpacking.
    pub(super) notes: Vec<Note>,
    /// The facts about a translated file that its document does not have.
    pub(super) translated: Translated,
    /// Set when the loading should stop.
    pub(super) cancel: &'s AtomicBool,
}

impl<'s> Subject<'s> {
    /// The file that `input` names, of this format.
    ///
    /// # Errors
    ///
    /// If the schemas that the person named cannot be read: without them secrets would be shown.
    pub(super) fn new(
        input: &Input,
        format: &'static Format,
        mut notes: Vec<Note>,
        cancel: &'s AtomicBool,
    ) -> Result<Self, LoadError> {
        let is_pulumi = format.kind.is_pulumi();
        let mut context = context(input);
        // Providers of Pulumi have no schemas here.
        if !is_pulumi {
            let (hidden, trouble) = schemas::hidden(input)?;
            context.hidden = hidden;
            notes.extend(trouble);
        }
        let of_terraform = |text: &str| {
            if is_pulumi {
                String::new()
            } else {
                text.to_owned()
            }
        };
        let header = Header {
            stack: of_terraform(&context.workspace),
            project: of_terraform(&context.project),
            hidden: context.hidden.clone(),
            masking: input.masking.clone(),
            ..Header::new(format.kind)
        };
        Ok(Self {
            file: input::name(input),
            format,
            context,
            header,
            notes,
            translated: Translated::default(),
            cancel,
        })
    }
}

/// The context that follows from the name of a file.
fn context(input: &Input) -> Context {
    let path = match &input.origin {
        Origin::Path(path) => path.as_path(),
        Origin::Object(address) => address.path(),
        Origin::Roots(_) => Path::new(""),
        Origin::Stdin => Path::new("stdin"),
        Origin::Bytes { name, .. } => Path::new(name),
    };
    let stem = path
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default();
    // `terraform.tfstate.d/WORKSPACE/terraform.tfstate` is the state of that workspace.
    let workspace = path
        .parent()
        .filter(|folder| {
            folder
                .parent()
                .and_then(Path::file_name)
                .is_some_and(|name| name == "terraform.tfstate.d")
        })
        .and_then(Path::file_name)
        .map_or_else(
            || "default".to_owned(),
            |name| name.to_string_lossy().into_owned(),
        );
    // `::` would end the part of a URN that contains the text.
    Context {
        workspace: workspace.replace("::", ":"),
        project: stem.replace("::", ":"),
        hidden: HiddenPlaces::default(),
    }
}
