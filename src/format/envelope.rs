//! Envelopes: the parts of a file outside of its elements.

use std::collections::HashMap;
use std::sync::Arc;

use super::pulumi_config;
use super::table::{Lost, Translated};
use crate::change::configuration::mask_credentials;
use crate::path::Path;
use crate::stack::{
    About, Action, Edge, Expressions, Header, Invocation, ModuleCall, Note, Output, Severity,
    Sources,
};
use crate::value::{Map, Value};

/// The facts collected from the rest of a file.
#[derive(Clone, Debug)]
pub(crate) struct Envelope {
    pub(crate) header: Header,
    /// The outputs of the stack.
    pub(crate) outputs: Vec<Output>,
    pub(crate) notes: Vec<Note>,
    /// The notes that quote a text of the file, with the byte offset of the quote in the message.
    pub(crate) quotes: HashMap<usize, usize>,
    /// The reason why the file cannot be shown at all.
    pub(crate) refused: Option<String>,
    /// The needs of each resource in the configuration, by its address there.
    pub(crate) references: Vec<(Arc<str>, Vec<Edge>)>,
    /// The arguments of each resource in the configuration, by its address there.
    pub(crate) expressions: Expressions,
    /// The modules that the configuration calls, by the address of the call there.
    pub(crate) module_calls: Vec<(Arc<str>, ModuleCall)>,
    /// The actions that a plan invokes.
    pub(crate) invocations: Vec<Invocation>,
    /// The arguments of each resource that the configuration marks as sensitive, by its address there.
    pub(crate) sensitive: Vec<(Arc<str>, Vec<Path>)>,
    /// The files of the configuration.
    pub(crate) sources: Sources,
}

impl Envelope {
    /// An envelope with only the header known.
    pub(crate) fn new(header: Header) -> Self {
        Self {
            header,
            outputs: Vec::new(),
            notes: Vec::new(),
            quotes: HashMap::new(),
            refused: None,
            references: Vec::new(),
            expressions: Expressions::default(),
            module_calls: Vec::new(),
            invocations: Vec::new(),
            sensitive: Vec::new(),
            sources: Sources::default(),
        }
    }

    /// Adds the facts about a translated file that its document does not have.
    pub(crate) fn of_translated(&mut self, translated: Translated) {
        self.sources = translated.sources;
        for Lost { place, message } in translated.lost {
            self.quote(Severity::Error, About::File, &place, &message);
        }
    }

    pub(super) fn note(&mut self, severity: Severity, place: &str, message: String) {
        self.push(severity, About::File, place, message);
    }

    /// Adds a note about a run that ended too early.
    pub(super) fn incomplete(&mut self, place: &str, message: &str) {
        self.push(
            Severity::Warning,
            About::Incomplete,
            place,
            message.to_owned(),
        );
    }

    fn push(&mut self, severity: Severity, about: About, place: &str, message: String) {
        self.notes.push(Note {
            severity,
            about,
            place: place.to_owned(),
            message,
            resource: None,
        });
    }

    /// Adds a note that ends with a text of the file, which may repeat a secret.
    pub(super) fn quote(&mut self, severity: Severity, about: About, place: &str, text: &str) {
        let before = about.opening();
        self.quotes.insert(self.notes.len(), before.len());
        self.push(severity, about, place, format!("{before}{text}"));
    }

    /// Refuses the file: it cannot be shown at all. The first reason is kept.
    pub(super) fn refuse(&mut self, why: String) {
        self.refused.get_or_insert(why);
    }

    /// Adds the fields of `map` that are shown nowhere else.
    pub(super) fn fields(&mut self, map: &Map, shown_elsewhere: &[&str]) {
        self.fields_as(map, shown_elsewhere, |_, value| mask_credentials(value));
    }

    /// Like [`Envelope::fields`], for the files of Pulumi, which store values with their secrets.
    pub(super) fn stored_fields(&mut self, map: &Map, shown_elsewhere: &[&str]) {
        self.fields_as(map, shown_elsewhere, pulumi_config::field);
    }

    fn fields_as(
        &mut self,
        map: &Map,
        shown_elsewhere: &[&str],
        shown: impl Fn(&str, &Value) -> Value,
    ) {
        let others = map
            .iter()
            .filter(|(key, _)| !shown_elsewhere.contains(&&***key));
        let fields = others.map(|(key, value)| (key.to_string(), shown(key, value)));
        self.header.fields.extend(fields);
    }

    /// Adds an output that does not change.
    pub(super) fn output(&mut self, name: &Arc<str>, value: Value, declared_type: String) {
        self.outputs.push(Output {
            name: name.clone(),
            value,
            before: None,
            action: None,
            declared_type,
        });
    }

    /// Adds an output with its change.
    pub(super) fn changing_output(
        &mut self,
        name: &Arc<str>,
        before: Option<Value>,
        after: Value,
        action: Action,
    ) {
        let output = Output {
            name: name.clone(),
            value: after,
            before,
            action: Some(action),
            declared_type: String::new(),
        };
        self.outputs.push(output.with_mirrored_masks());
    }
}
