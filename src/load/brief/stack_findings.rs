//! Findings about a stack rather than the change of a resource: failed checks, errors of a run, outputs that turn plain or go.

use std::collections::HashMap;

use crate::change::difference::{Context, Reason, describe};
use crate::change::rules::Level;
use crate::stack::{About, Action, Output, ResourceId, Severity, Stack};
use crate::value::{Array, Value};

/// The name of the mechanism that finds checks that did not pass.
pub const CHECK: &str = "check";

/// The name of the mechanism that finds errors.
pub const ERROR: &str = "error";

/// A finding about a stack rather than the change of a resource. Its texts come from the file.
#[derive(Clone, PartialEq, Debug)]
pub struct StackFinding {
    /// The weight.
    pub level: Level,
    /// The name of the mechanism.
    pub mechanism: &'static str,
    /// The thing that it is about: a check, a place, an output.
    pub place: String,
    /// The resource, if it is about one.
    pub resource: Option<ResourceId>,
    /// The sentence.
    pub says: String,
}

impl StackFinding {
    fn of(level: Level, mechanism: &'static str, place: &str, says: &str) -> Self {
        Self {
            level,
            mechanism,
            place: place.to_owned(),
            resource: None,
            says: says.to_owned(),
        }
    }
}

/// The checks that did not pass, and the errors of a run; none for a comparison. After an error the plan is not whole. A check only
/// warns, and one that is not known yet may still pass.
pub fn failures(stack: &Stack) -> impl Iterator<Item = StackFinding> + '_ {
    let is_run = stack.header.kind.is_log();
    let mut problems: HashMap<&str, &str> = HashMap::new();
    for note in stack.notes.iter().filter(|it| it.about == About::Check) {
        problems.entry(&note.place).or_insert(note.quoted());
    }
    let fields = stack.header.fields.iter();
    let checks = fields.filter(|(name, _)| name == "checks");
    let checks = checks.flat_map(|(_, checks)| checks.as_array().into_iter().flat_map(Array::iter));
    let checks = checks.filter_map(move |check| {
        let status = check.get("status")?.as_str()?;
        let name = check.get("address")?.get("to_display")?.as_str()?;
        let level = match status {
            "pass" => return None,
            "error" => Level::Danger,
            "unknown" => Level::Note,
            _ => Level::Warning,
        };
        // The messages in the check itself may repeat a secret. Those of the notes are masked.
        let problem = problems.get(name).map(|it| format!("{status}: {it}"));
        let says = problem.as_deref().unwrap_or(status);
        Some(StackFinding::of(level, CHECK, name, says))
    });
    let of_run = stack.notes.iter();
    let of_run = of_run.filter(move |note| is_run && note.severity == Severity::Failure);
    let of_run = of_run.map(|note| (note, &*note.message));
    let errors = stack.notes.iter();
    let errors = errors.filter(|note| matches!(note.about, About::Run | About::Incomplete));
    let errors = errors.map(|note| (note, note.quoted()));
    let errors = of_run.chain(errors).map(|(note, says)| StackFinding {
        resource: note.resource,
        ..StackFinding::of(Level::Danger, ERROR, &note.place, says)
    });
    errors.chain(checks).filter(|_| !stack.is_comparison)
}

/// The outputs of a plan that lose their mark, and those that go, by their numbers; none for a comparison.
pub fn of_outputs(stack: &Stack) -> impl Iterator<Item = (usize, StackFinding)> {
    let outputs = stack.outputs.iter().enumerate();
    let changed = outputs.filter(|(_, output)| !stack.is_comparison && output.is_changed());
    changed.filter_map(|(number, output)| {
        if output.action == Some(Action::Delete) {
            let says = "the output goes: stacks that read it fail";
            let found = StackFinding::of(Level::Note, "output-goes", &output.name, says);
            return Some((number, found));
        }
        reason(output).filter(|reason| reason.turns_plain())?;
        let (level, says) = if is_public(&output.value) {
            let says = "every run prints it in clear text; it has the form of a public key";
            (Level::Note, says)
        } else {
            let says = "a secret turns plain: every run prints it in clear text";
            (Level::Danger, says)
        };
        let found = StackFinding::of(level, "output-turns-plain", &output.name, says);
        Some((number, found))
    })
}

/// The beginnings of texts that are made to be given away: public keys and certificates.
const PUBLIC: [&str; 6] = [
    "-----BEGIN PUBLIC KEY-----",
    "-----BEGIN RSA PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----",
    "ssh-rsa ",
    "ssh-ed25519 ",
    "ecdsa-sha2-",
];

/// True for a text that is public, and nothing else. A bundle may hold a private key too.
fn is_public(value: &Value) -> bool {
    let Some(text) = value.as_str().map(str::trim_start) else {
        return false;
    };
    PUBLIC.iter().any(|begin| text.starts_with(begin)) && !text.contains("PRIVATE KEY")
}

/// The reason why an output counts as changed although its content is the same.
pub(super) fn reason(output: &Output) -> Option<Reason> {
    let before = output.before.as_ref()?;
    describe(before, &output.value, Context::default()).reason()
}
