//! Actions that a plan invokes.

use super::Planned;
use super::node::{Style, node};
use crate::change::difference::{Alignment, Context, Diff, describe};
use crate::stack::{Invocation, Trigger};
use crate::terraform::schema::{Block, SchemaKind, Schemas};
use crate::text::quoted;

/// An invoked action.
#[derive(Clone, PartialEq, Debug)]
pub struct Invoked {
    /// The address of the action.
    pub address: String,
    /// The type of the action.
    pub ty: String,
    /// The name of the action, without module and key.
    pub name: String,
    /// The configuration of the action, described as unchanged; `None` if it takes none.
    pub config: Option<Diff>,
    /// The resource that the action is called from, if the person asked for it.
    pub caller: Option<String>,
}

impl Invoked {
    /// An invocation of a plan. Its configuration is read by the schema of the action, if there is one.
    pub fn of(invocation: &Invocation, schemas: &Schemas) -> Self {
        let schema = schemas.find(&invocation.provider, SchemaKind::Action, &invocation.ty);
        let block = schema.and_then(Result::ok).map(|schema| schema.block);
        let unknown = Block::default();
        let context = Context {
            schema: Some(block.as_ref().unwrap_or(&unknown)),
            alignment: Alignment::Terraform,
            ..Context::default()
        };
        let config = invocation.config.as_ref();
        let caller = match &invocation.trigger {
            Trigger::Asked { caller } => caller.clone(),
            Trigger::Lifecycle { .. } | Trigger::Unknown => None,
        };
        Self {
            address: invocation.address.clone(),
            ty: invocation.ty.clone(),
            name: invocation.name.clone(),
            config: config.map(|config| describe(&config.known, &config.value, context)),
            caller,
        }
    }

    fn draw(&self, out: &mut String) {
        put!(
            out,
            "    # {}\n    action {} {} {{\n",
            self.address,
            quoted(self.ty.as_bytes()),
            quoted(self.name.as_bytes())
        );
        if let Some(config) = &self.config {
            let style = Style {
                all: true,
                no_signs: true,
                ..Style::default()
            };
            let config = node(config, 0, style).replace('\n', "\n        ");
            put!(out, "        config {config}\n");
        }
        out.push_str("    }\n");
    }
}

/// Adds the actions that a change triggers to its text.
pub(super) fn around(out: &mut String, planned: &Planned) {
    let sides = [
        ("before", &planned.invoked_before),
        ("after", &planned.invoked_after),
    ];
    for (side, invoked) in sides.into_iter().filter(|(_, it)| !it.is_empty()) {
        put!(
            out,
            "\n\n    # Actions to be invoked {side} this change in order:\n"
        );
        for one in invoked {
            one.draw(out);
        }
    }
}

/// The actions that the person asked for.
pub(super) fn asked(invoked: &[Invoked]) -> String {
    let text = |one: &Invoked| {
        let mut text = format!("  # {} will be invoked", one.address);
        if let Some(caller) = &one.caller {
            put!(text, " (called from {caller})");
        }
        text.push('\n');
        one.draw(&mut text);
        text
    };
    invoked.iter().map(text).collect::<Vec<_>>().join("\n")
}
