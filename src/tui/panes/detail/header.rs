//! The header lines above the values. They identify the selected node.

use crate::pulumi::urn::ProviderReference;
use crate::stack::graph::Direction;
use crate::stack::{Resource, ResourceId, Stack};
use crate::terraform::address::ProviderAddress;
use crate::tree::Node;
use crate::tui::changes::words;
use crate::tui::command::Command;
use crate::tui::keymap;
use crate::tui::panes::tree::badges;
use crate::tui::rows::{self, Span, shown, urn_name};
use crate::tui::theme::Role;
use crate::tui::widgets::pen::Pen;

/// A line with a left and a right side.
#[derive(Clone, Default, Debug)]
pub(super) struct Line {
    left: Vec<Span>,
    right: Vec<Span>,
    /// True if a rule runs through the line.
    ruled: bool,
}

impl Line {
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
        Node::Resource(id) => {
            format!("{} · {}", shown(stack.ty(id)), shown(stack.short_name(id)))
        }
        Node::Group(group) => shown(&stack.tables.group(group).path),
        Node::Type(prefix) => shown(stack.tables.prefix(prefix).ty()),
        Node::Providers => "providers".to_owned(),
        Node::Outputs => "outputs of the stack".to_owned(),
    }
}

/// The lines above the values.
pub(super) fn lines(
    stack: &Stack,
    subject: Node,
    resource: Option<&Resource>,
    tabs: Vec<Span>,
    summary: Option<String>,
) -> Vec<Line> {
    let Node::Resource(id) = subject else {
        return match summary {
            Some(summary) => vec![Line {
                left: vec![Span::new(summary, Role::Text)],
                ..Line::default()
            }],
            None => Vec::new(),
        };
    };
    let mut lines = vec![Line {
        left: vec![Span::new(shown(&stack.identity(id)), Role::Text)],
        ..Line::default()
    }];
    lines.extend(id_line(stack, id));
    lines.push(provider_line(stack, id, resource));
    lines.push(parent_line(stack, id, resource));
    if let Some(line) = change_line(stack, id, resource) {
        lines.push(line);
    }
    let key = keymap::key_of(Command::Section);
    let next = Span::new(format!("{key} next section ─"), Role::Dim);
    // A single section has no next one.
    let right = vec![next].into_iter().filter(|_| tabs.len() > 1).collect();
    lines.push(Line {
        left: tabs,
        right,
        ruled: true,
    });
    lines
}

fn keyed(key: &str, value: &str, role: Role) -> Vec<Span> {
    vec![
        Span::new(format!("{key:<10}"), Role::Key),
        Span::new(value, role),
    ]
}

/// The id and the badges. `None` if there is neither.
fn id_line(stack: &Stack, id: ResourceId) -> Option<Line> {
    let provider_id = stack.provider_id(id);
    let right = badges(stack.record(id).flags);
    let left = match provider_id {
        "" => Vec::new(),
        id => keyed("id", &shown(id), Role::String),
    };
    (!left.is_empty() || !right.is_empty()).then_some(Line {
        left,
        right,
        ruled: false,
    })
}

fn provider_line(stack: &Stack, id: ResourceId, resource: Option<&Resource>) -> Line {
    let provider = stack.provider(id);
    let text = if provider.is_empty() {
        ("none".to_owned(), Role::Dim)
    } else {
        (provider_name(provider), Role::Reference)
    };
    let mut left = keyed("provider", &text.0, text.1);
    let host = ProviderAddress::named(provider).filter(|address| !address.host.is_ascii());
    if let Some(host) = host.map(|address| address.ascii_host()) {
        // A letter of another script may look like one of a registry that is known.
        left.push(Span::new(format!(" · host {}", shown(&host)), Role::Danger));
    }
    if let Some(version) = stack.header.locked_version(provider) {
        left.push(Span::new(
            format!(" · locked {}", shown(version)),
            Role::Dim,
        ));
    }
    Line {
        left,
        right: date("created", resource),
        ruled: false,
    }
}

/// `aws / default_6_50_0` for a provider reference, otherwise the text unchanged.
fn provider_name(reference: &str) -> String {
    match ProviderReference::parse(reference) {
        Ok(parsed) => shown(&format!(
            "{} / {}",
            parsed.package(),
            urn_name(parsed.urn().as_str())
        )),
        Err(_) => shown(reference),
    }
}

fn date(field: &str, resource: Option<&Resource>) -> Vec<Span> {
    let value = resource
        .and_then(|resource| resource.fields.iter().find(|(name, _)| &**name == field))
        .filter(|(_, value)| !value.is_secret())
        .and_then(|(_, value)| value.as_str())
        .and_then(|text| text.get(..10))
        // The zero time of Go means that there is none.
        .filter(|date| *date != "0001-01-01");
    value.map_or_else(Vec::new, |text| {
        vec![Span::new(format!("{field} {}", shown(text)), Role::Dim)]
    })
}

fn parent_line(stack: &Stack, id: ResourceId, resource: Option<&Resource>) -> Line {
    let record = stack.record(id);
    let parent = match (record.parent, record.group) {
        (Some(parent), _) => Some(("parent", shown(stack.short_name(parent)))),
        (None, Some(group)) => Some(("module", shown(&stack.tables.group(group).path))),
        (None, None) => resource
            .and_then(|resource| resource.parent.as_deref())
            .map(|parent| ("parent", shown(urn_name(parent)))),
    };
    let mut left = match parent {
        Some((key, name)) => keyed(key, &name, Role::Reference),
        None => keyed("parent", "none", Role::Dim),
    };
    if !stack.graph.is_empty() {
        let needs = stack.graph.n_direct(id, Direction::DependsOn);
        let users = stack.graph.n_direct(id, Direction::UsedBy);
        left.push(Span::new(
            format!(" · depends on {needs} · used by {users}"),
            Role::Text,
        ));
    }
    Line {
        left,
        right: date("modified", resource),
        ruled: false,
    }
}

fn change_line(stack: &Stack, id: ResourceId, resource: Option<&Resource>) -> Option<Line> {
    let (_, word, role) = words::action(stack, id)?;
    let change = resource.and_then(|resource| resource.change.as_ref());
    let mut left = keyed("change", word, role);
    if let Some(order) = stack.replace_order(id) {
        left.push(Span::new(format!(" · {}", order.words()), Role::Text));
    }
    for also in stack.actions(id).skip(1) {
        left.push(Span::new(format!(" · {}", also.name()), Role::from(also)));
    }
    if let Some(change) = change {
        for reason in &change.reasons {
            left.push(Span::new(format!(" · {}", rows::shown(reason)), Role::Dim));
        }
        if let Some(previous) = &change.previous_address {
            left.push(Span::new(format!(" · was {}", shown(previous)), Role::Dim));
        }
    }
    Some(Line {
        left,
        right: vec![Span::new("2 shows the difference", Role::Dim)],
        ruled: false,
    })
}
