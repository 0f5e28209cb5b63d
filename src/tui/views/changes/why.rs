//! The causes of the selected change: the resource that a value comes from, and the chain back to the root.

use std::collections::BTreeSet;

use super::ChangesView;
use crate::change::causes::{ChainLink, Origin, Through, is_restored};
use crate::load::brief::page::FORCES;
use crate::path::Path;
use crate::stack::{Action, ChangeId, ResourceId, Stack};
use crate::tui::changes::{Explained, Topic, words};
use crate::tui::command::Command;
use crate::tui::keymap::{self, Scope};
use crate::tui::overlays::Outcome;
use crate::tui::overlays::text::{About, TextLine, TextView};
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::views::{Ctx, ViewState};
use crate::tui::widgets::text::count;

/// Maximum number of changes of a group whose causes are compared.
pub(super) const MAX_TOGETHER: usize = 32;

impl ChangesView {
    /// Goes to the resource that causes the change of the selected property. If there are several, asks for one.
    pub(super) fn follow_cause(&self, stack: &Stack) -> Outcome {
        match self.difference.targets() {
            [] => Outcome::Nothing,
            [origin] => Outcome::GoTo(origin.id),
            origins => {
                let lines = origins.iter().map(|origin| origin_line(stack, origin));
                let view = TextView::of_lines(leading("Comes from"), lines.collect(), About::Row);
                Outcome::Open(Box::new(view))
            }
        }
    }

    /// Shows the chain of causes of the selected change. Enter goes to a resource in it.
    pub(super) fn why(&self, ctx: &Ctx<'_>) -> Outcome {
        let stack = ctx.session.stack();
        let Some(id) = self.selected(ctx.session) else {
            let says = match self.selected_change(ctx.session) {
                Some(ChangeId::Output(_)) => "an output changes with the values it is made of",
                Some(ChangeId::Invocation(_) | ChangeId::Resource(_)) | None => {
                    "select a change to see why it happens"
                }
            };
            return Outcome::Complain(says.to_owned());
        };
        let mut lines = Vec::new();
        if ctx.screen.focus == 1 {
            let targets = self.difference.targets();
            lines.extend(targets.iter().map(|origin| origin_line(stack, origin)));
            if lines.is_empty()
                && let (Some(cause), Some(spot)) = (self.difference.cause(), self.difference.spot())
            {
                let spans = vec![
                    Span::new(shown(&spot.path.to_string()), Role::Key),
                    Span::new(format!("  {cause}"), Role::Text),
                ];
                lines.push(TextLine::from(spans));
            }
        }
        self.why_after(lines, id, None, stack)
    }

    /// Shows the chain of causes of changes that another view selects in one row: that of the first one.
    pub fn why_of(&self, ids: &[ResourceId], ctx: &Ctx<'_>) -> Outcome {
        let stack = ctx.session.stack();
        let first = ids.first().filter(|id| Topic::of(stack, **id).is_some());
        let Some(first) = first else {
            return Outcome::Complain("select a change to see why it happens".to_owned());
        };
        let remark = (ids.len() > 1).then(|| self.in_common(ids));
        self.why_after(Vec::new(), *first, remark, stack)
    }

    /// The words for the causes that changes have in common.
    fn in_common(&self, ids: &[ResourceId]) -> String {
        let n = count(ids.len() as u64);
        let roots = self.roots(ids).unwrap_or_default();
        match roots.iter().collect::<Vec<_>>()[..] {
            [Some(_)] => format!("all {n} have the same root; this is the way to the first"),
            [None] => format!("none of these {n} follows from another change; this is the first"),
            _ => format!("the first of {n}; the others may have other causes"),
        }
    }

    /// The roots of some changes, `None` for a change that follows from no other one. `None` if they are not all known.
    fn roots(&self, ids: &[ResourceId]) -> Option<BTreeSet<Option<ResourceId>>> {
        let root = |id: &ResourceId| match &self.list.whys.get(id)?.steps[..] {
            [] => None,
            [_] => Some(None),
            [.., last] => Some(Some(last.id)),
        };
        let few = ids.len() <= MAX_TOGETHER;
        few.then(|| ids.iter().map(root).collect())?
    }

    /// Shows these lines, then the chain of causes of a change, and then a remark.
    fn why_after(
        &self,
        mut lines: Vec<TextLine>,
        id: ResourceId,
        remark: Option<String>,
        stack: &Stack,
    ) -> Outcome {
        let Some(explained) = self.list.whys.get(&id) else {
            return Outcome::Say("the causes of this change are still being found".to_owned());
        };
        if explained.is_unread {
            let words = "this change could not be read, so its causes are unknown";
            return Outcome::Complain(words.to_owned());
        }
        if !lines.is_empty() && !explained.steps.is_empty() {
            lines.push(TextLine::default());
        }
        lines.extend(why_lines(stack, explained));
        if lines.is_empty() {
            return Outcome::Say("the file does not say why".to_owned());
        }
        lines.extend(remark.map(|remark| TextLine::of(remark, Role::Dim)));
        let view = TextView::of_lines(leading("Why"), lines, About::Row);
        Outcome::Open(Box::new(view))
    }
}

/// Example: `db.id (replaced)`.
pub(super) fn name_of(stack: &Stack, origin: &Origin) -> String {
    let name = shown(stack.short_name(origin.id));
    let attribute = origin
        .attribute
        .as_deref()
        .map_or_else(String::new, |it| format!(".{}", shown(it)));
    let renewed = match stack.record(origin.id).action {
        Some(Action::Replace) => " (replaced)",
        Some(Action::Create) => " (created)",
        _ => "",
    };
    format!("{name}{attribute}{renewed}")
}

/// Example: `size  takes its value from db.id`.
fn origin_line(stack: &Stack, origin: &Origin) -> TextLine {
    let property = shown(&origin.property.to_string());
    TextLine {
        spans: vec![
            Span::new(property, Role::Key),
            Span::new("  takes its value from ", Role::Text),
            Span::new(name_of(stack, origin), Role::Reference),
        ],
        target: Some(origin.id),
    }
}

fn why_lines(stack: &Stack, explained: &Explained) -> Vec<TextLine> {
    let (steps, roots) = (&explained.steps[..], &explained.roots);
    let mut lines = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let name = stack
            .address(step.id)
            .map_or_else(|| shown(stack.name(step.id)), shown);
        let intro = if index == 0 { "" } else { "← " };
        let unnamed = (
            step.action.sign(),
            stack.word(step.action),
            step.action.into(),
        );
        let (sign, word, role) = if step.is_drift {
            (words::DRIFT_SIGN, step.action.drifted(), Role::Other)
        } else {
            words::action(stack, step.id).unwrap_or(unnamed)
        };
        lines.push(TextLine {
            spans: vec![
                Span::new(intro, Role::Dim),
                Span::new(format!("{sign} "), role),
                Span::new(name, Role::Reference),
                Span::new(format!("  {word}"), role),
            ],
            target: Some(step.id),
        });
        let reasons = step.reasons.iter().map(|it| shown(it));
        lines.extend(reasons.map(|it| TextLine::of(format!("    because {it}"), Role::Text)));
        let through = step.through.as_ref().zip(steps.get(index + 1));
        let carrier = match through {
            Some((Through::Property { property, .. }, _)) => Some(property),
            Some((Through::Trigger { .. } | Through::Provider, _)) | None => None,
        };
        // The property that the next step is reached through has one line.
        let is_carrier = |path: &&Path| carrier == Some(*path);
        let forces = step.forcing.iter().any(|path| is_carrier(&path));
        let is_root = index + 1 == steps.len();
        let is_told = |path: &Path| is_root && roots.iter().any(|(root, _)| root == path);
        let forcing = step.forcing.iter();
        let forcing = forcing.filter(|path| !is_carrier(path) && !is_told(path));
        lines.extend(forcing.map(|path| property_line(&path.to_string(), None, true)));
        if let Some((through, next)) = through {
            let (property, takes) = match through {
                Through::Property { property, .. } => {
                    (property.to_string(), "takes its value from")
                }
                Through::Trigger { .. } => ("replace_triggered_by".to_owned(), "names"),
                Through::Provider => ("provider".to_owned(), "is"),
            };
            let attribute = through
                .attribute()
                .map_or_else(String::new, |it| format!(".{it}"));
            let next = format!("{}{attribute}", stack.short_name(next.id));
            let words = format!("{takes} {next}");
            lines.push(property_line(&property, Some(&words), forces));
        }
    }
    let last = steps.last();
    lines.extend(roots.iter().map(|(path, place)| {
        let forces = last.is_some_and(|step| step.forcing.contains(path));
        property_line(&path.to_string(), Some(place), forces)
    }));
    let ending = ending(stack, explained).map(|text| TextLine {
        target: last.map(|last| last.id),
        ..TextLine::of(text, Role::Dim)
    });
    lines.extend(ending);
    lines
}

/// Example: `n  from var.size, now 2  forces replacement`.
fn property_line(path: &str, words: Option<&str>, forces: bool) -> TextLine {
    let words = words.map(|it| (shown(it), Role::Text));
    let forces = forces.then(|| (FORCES.to_owned(), Role::Danger));
    let more = words.into_iter().chain(forces);
    let more = more.map(|(words, role)| Span::new(format!("  {words}"), role));
    let property = [
        Span::new("    ", Role::Text),
        Span::new(shown(path), Role::Key),
    ];
    property.into_iter().chain(more).collect::<Vec<_>>().into()
}

/// The words after a chain: its root, or that it starts with the change itself.
fn ending(stack: &Stack, explained: &Explained) -> Option<String> {
    let steps = &explained.steps;
    let (first, last) = (steps.first()?, steps.last()?);
    let root = shown(stack.short_name(last.id));
    match (steps.len() > 1, first.action) {
        // The creation of a resource is not caused by the ones that it waits for.
        (true, Action::Create) if !last.is_drift => Some(format!("{root} comes first")),
        (true, _) => Some(format!("the root is {root}")),
        // A comparison says what differs, never why.
        (false, _) if stack.is_comparison => None,
        (false, Action::Replace) if !first.forcing.is_empty() => {
            Some("the replacement starts here".to_owned())
        }
        (false, Action::Delete | Action::Forget) => no_reason(stack, first),
        (false, Action::Create) if is_restored(stack, first.id) => None,
        (false, _) if !explained.roots.is_empty() => Some("the change starts here".to_owned()),
        (false, _) => {
            let words = "the change starts here: the file shows no change that leads to it";
            Some(words.to_owned())
        }
    }
}

/// The words for a deletion that gives no reason; `None` if it gives one.
fn no_reason(stack: &Stack, step: &ChainLink) -> Option<String> {
    let words = if stack.header.kind.is_pulumi() {
        // A preview of either looks the same.
        "it is no longer in the program, or the stack is destroyed"
    } else {
        "the file does not say why"
    };
    step.reasons.is_empty().then(|| words.to_owned())
}

/// The title of a list whose lines lead to resources.
fn leading(title: &str) -> String {
    let hint = keymap::hints(Scope::Text, &[(Command::Accept, "go to")]);
    format!("{title} · {hint}")
}
