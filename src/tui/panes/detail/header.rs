//! The header lines above the values. They identify the selected node.

use crate::change::causes::plain_words;
use crate::pulumi::urn::ProviderReference;
use crate::stack::graph::Direction;
use crate::stack::{Resource, ResourceId, Stack};
use crate::terraform::address::ProviderAddress;
use crate::tree::Node;
use crate::tui::changes::words;
use crate::tui::command::{Command, DepsCommand, View};
use crate::tui::keymap;
use crate::tui::panes::tree::{BadgeWords, badges, provider_label, short_type};
use crate::tui::rows::{self, Span, shown, urn_name};
use crate::tui::theme::Role;
use crate::tui::widgets::pen::{Pen, joined};
use crate::tui::widgets::text::count;

/// A line with a left and a right side.
#[derive(Clone, Default, Debug)]
pub(super) struct Line {
    left: Vec<Span>,
    right: Vec<Span>,
    /// True if a rule runs through the line.
    ruled: bool,
}

impl Line {
    fn of(left: Vec<Span>, right: Vec<Span>) -> Self {
        Self {
            left,
            right,
            ruled: false,
        }
    }

    pub(super) fn draw(&self, pen: &mut Pen<'_>) {
        if self.ruled {
            pen.put("─ ", Role::Border).put_right(&self.right);
            pen.put_all(&self.left).put(" ", Role::Border);
            let rest = "─".repeat(pen.room());
            pen.put(&rest, Role::Border);
        } else {
            pen.skip(1).put_right(&self.right).put_all(&self.left);
        }
    }
}

/// The title of the pane.
pub(super) fn title(stack: &Stack, subject: Node) -> String {
    match subject {
        Node::Resource(id) => match stack.address(id) {
            // The address contains the type.
            Some(address) => shown(address),
            None => format!(
                "{} · {}",
                short_type(stack, id),
                shown(stack.short_name(id))
            ),
        },
        Node::Group(group) => shown(&stack.tables.group(group).path),
        Node::Type(prefix) => shown(stack.tables.prefix(prefix).ty()),
        Node::Provider(provider) => provider_label(stack.tables.provider(provider)),
        Node::Providers => "providers".to_owned(),
        Node::Outputs => "outputs of the stack".to_owned(),
    }
}

/// The lines above the values.
pub(super) fn lines(
    stack: &Stack,
    subject: Node,
    n_others: [usize; 2],
    resource: Option<&Resource>,
    tabs: Vec<Span>,
    summary: Option<String>,
) -> Vec<Line> {
    let Node::Resource(id) = subject else {
        return match summary {
            Some(summary) => vec![Line::of(vec![Span::new(summary, Role::Text)], Vec::new())],
            None => Vec::new(),
        };
    };
    let mut lines = Vec::new();
    lines.extend(id_line(stack, id));
    lines.extend(needs_line(stack, id, n_others));
    lines.extend(origin_line(stack, id, resource));
    lines.extend(change_line(stack, id, resource));
    // A single section has no next one.
    let right = match tabs.len() {
        0 | 1 => Vec::new(),
        _ => vec![
            Span::new(keymap::key_of(Command::Section), Role::Hint),
            Span::new(" ─", Role::Border),
        ],
    };
    lines.push(Line {
        left: tabs,
        right,
        ruled: true,
    });
    lines
}

/// The id, the badges, and the action with the key of its difference. `None` if there is none of these.
fn id_line(stack: &Stack, id: ResourceId) -> Option<Line> {
    let mut right = badges(stack.record(id).flags, BadgeWords::Full);
    let left = match stack.provider_id(id) {
        "" => vec![Span::new("no id", Role::Dim)],
        id => vec![
            Span::new("id ", Role::Key),
            Span::new(shown(id), Role::String),
        ],
    };
    if let Some((sign, word, role)) = words::action(stack, id) {
        let gap = if right.is_empty() { "" } else { "  " };
        let key = keymap::key_of(Command::View(View::Changes));
        right.push(Span::new(format!("{gap}{sign} {word}"), role));
        right.push(Span::new(format!("  {key}"), Role::Hint));
    }
    let has_id = left.len() > 1;
    (has_id || !right.is_empty()).then(|| Line::of(left, right))
}

/// Number of direct dependencies and dependents, here and in other stacks, with the keys that show them. `None` before they are
/// known.
fn needs_line(stack: &Stack, id: ResourceId, n_others: [usize; 2]) -> Option<Line> {
    if stack.graph.is_empty() && n_others == [0; 2] {
        return None;
    }
    let n = |direction, n_others: usize| {
        let here = count(stack.graph.n_direct(id, direction) as u64);
        match n_others {
            0 => here,
            n => format!("{here} + {} in other stacks", count(n as u64)),
        }
    };
    let key = |command| keymap::key_of(Command::Deps(command));
    let (needs, users) = (
        n(Direction::DependsOn, n_others[0]),
        n(Direction::UsedBy, n_others[1]),
    );
    let keys = format!(
        "{} {}",
        key(DepsCommand::DependsOn),
        key(DepsCommand::UsedBy)
    );
    let text = format!("needs {needs}  needed by {users}");
    Some(Line::of(
        vec![Span::new(text, Role::Text)],
        vec![Span::new(keys, Role::Hint)],
    ))
}

/// The parent or module, the provider, and the dates. `None` if the file has none of them.
fn origin_line(stack: &Stack, id: ResourceId, resource: Option<&Resource>) -> Option<Line> {
    let mut left = Vec::new();
    if let Some(parent) = parent(stack, id, resource) {
        left.push(Span::new("in ", Role::Key));
        left.push(Span::new(parent, Role::Reference));
    }
    if !stack.provider(id).is_empty() {
        let gap = if left.is_empty() { "" } else { " · " };
        left.push(Span::new(format!("{gap}by "), Role::Key));
        left.extend(provider(stack, id));
    }
    let dates = date("modified", resource).or_else(|| date("created", resource));
    let right: Vec<Span> = dates.into_iter().collect();
    (!left.is_empty() || !right.is_empty()).then(|| Line::of(left, right))
}

/// The provider, with everything that makes it unusual.
fn provider(stack: &Stack, id: ResourceId) -> Vec<Span> {
    let provider = stack.provider(id);
    let mut left = vec![Span::new(provider_name(provider), Role::Reference)];
    if let Some(host) = strange_host(provider) {
        left.push(Span::new(format!(" · host {host}"), Role::Danger));
    }
    if let Some(version) = stack.header.locked_version(provider) {
        left.push(Span::new(
            format!(" · locked {}", shown(version)),
            Role::Dim,
        ));
    }
    left
}

/// The host of a provider in ASCII, if it has other letters: one may look like a letter of a registry that is known.
pub(in crate::modules::tui) fn strange_host(provider: &str) -> Option<String> {
    let address = ProviderAddress::named(provider)?;
    (!address.host.is_ascii()).then(|| shown(&address.ascii_host()))
}

/// `aws / default_6_50_0` for a provider reference, otherwise the text unchanged.
fn provider_name(reference: &str) -> String {
    match ProviderReference::parse(reference) {
        Ok(parsed) => shown(&format!(
            "{} / {}",
            parsed.package(),
            urn_name(parsed.urn().as_str())
        )),
        Err(_) => provider_label(reference),
    }
}

fn date(field: &str, resource: Option<&Resource>) -> Option<Span> {
    let value = resource
        .and_then(|resource| resource.fields.iter().find(|(name, _)| &**name == field))
        .filter(|(_, value)| !value.is_secret())
        .and_then(|(_, value)| value.as_str())
        .and_then(|text| text.get(..10))
        // The zero time of Go means that there is none.
        .filter(|date| *date != "0001-01-01");
    value.map(|text| Span::new(format!("{field} {}", shown(text)), Role::Dim))
}

/// The name of the parent, or the path of the module.
fn parent(stack: &Stack, id: ResourceId, resource: Option<&Resource>) -> Option<String> {
    let record = stack.record(id);
    match (record.parent, record.group) {
        (Some(parent), _) => Some(shown(stack.short_name(parent))),
        (None, Some(group)) => Some(shown(&stack.tables.group(group).path)),
        (None, None) => {
            let parent = resource.and_then(|resource| resource.parent.as_deref());
            parent.map(|parent| shown(urn_name(parent)))
        }
    }
}

/// The order, the reasons and the earlier address of a change. `None` if the file has none of them.
fn change_line(stack: &Stack, id: ResourceId, resource: Option<&Resource>) -> Option<Line> {
    words::action(stack, id)?;
    let mut parts = Vec::new();
    if let Some(order) = stack.replace_order(id) {
        parts.push(Span::new(order.words(), Role::Text));
    }
    for also in stack.actions(id).skip(1) {
        parts.push(Span::new(also.name(), Role::from(also)));
    }
    if let Some(change) = resource.and_then(|resource| resource.change.as_ref()) {
        let reasons = plain_words(&change.reasons, &[]);
        let reasons = reasons.iter().map(|it| rows::shown(it));
        parts.extend(reasons.map(|it| Span::new(it, Role::Dim)));
        let previous = change.previous_address.iter();
        parts.extend(previous.map(|it| Span::new(format!("was {}", shown(it)), Role::Dim)));
    }
    (!parts.is_empty()).then(|| Line::of(joined(parts, " · "), Vec::new()))
}
