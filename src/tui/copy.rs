//! The things to copy: the marked resources, else the item under the cursor. Each is copied in the forms of [`Form`].

use super::command::View;
use super::panes::outputs;
use super::rows::{Spot, shown};
use super::views::{Ctx, Views};
use super::widgets::text::plural;
use crate::change::pairs::{Evidence, Pair, Shift, ShiftKind};
use crate::render::copy::Form;
use crate::stack::{Action, Kind, ResourceId, Stack};
use crate::value::Value;

/// The things that a copy takes.
#[derive(Clone, Default, Debug)]
pub struct Selection {
    /// Its name, escaped. Empty if there is nothing to copy.
    pub title: String,
    /// The marked resources, else the one at the cursor. Empty for an output that is no property of a resource.
    pub ids: Vec<ResourceId>,
    /// True if they are the marked ones.
    pub is_marked: bool,
    /// The value at the cursor. With marked resources, this property of each.
    pub spot: Option<Spot>,
    /// True if that value is an output of the stack.
    pub is_output: bool,
    /// The output, for a file in which outputs are no properties of a resource.
    pub output: Option<Value>,
    /// The difference at the cursor.
    pub hunk: Option<String>,
    /// The change of identity that the selection is part of.
    pub shift: Option<Shift>,
}

impl Selection {
    /// The selection of the view in front.
    pub fn of(views: &Views, ctx: &Ctx<'_>) -> Self {
        let (session, view) = (ctx.session, ctx.screen.view);
        let stack = session.stack();
        let place = views.of(view).spot(ctx.screen.focus, session);
        let here = match &place {
            // An output in Pulumi is a property of the stack.
            Some((None, _)) if session.is_pulumi() => session.stack_resource(),
            Some((id, _)) => *id,
            None => views.of(view).selected(session),
        };
        let is_marked = !session.marks.is_empty() && view != View::Outputs;
        let (ids, shift) = if is_marked {
            let ids: Vec<ResourceId> = session.marks.iter().copied().collect();
            let shift = renamed(stack, &ids);
            (ids, shift)
        } else {
            let shift = views.changes.stories.shift(here);
            (here.into_iter().collect(), shift.cloned())
        };
        let (of, spot) = place.unzip();
        let is_output = of == Some(None);
        let output = spot.as_ref().filter(|_| is_output);
        let output = output.and_then(|spot| outputs::value_at(stack, spot));
        let hunk = views.changes.difference.hunk();
        let selection = Self {
            title: String::new(),
            is_marked,
            ids,
            // A row of a string that contains a document is about the string.
            spot: spot.map(|spot| Spot {
                inside: spot.inner().cloned(),
                ..spot
            }),
            is_output,
            output: output.map(|output| session.opened(output)),
            hunk: hunk.filter(|_| view == View::Changes),
            shift,
        };
        Self {
            title: selection.name(stack),
            ..selection
        }
    }

    /// Its name, escaped.
    fn name(&self, stack: &Stack) -> String {
        if self.is_marked {
            return plural(self.ids.len(), "marked resource");
        }
        let name = self.ids.first().map(|id| shown(stack.short_name(*id)));
        let path = self.spot.as_ref().map(|it| shown(&it.path.to_string()));
        match (name, path, &self.shift) {
            (Some(name), Some(path), _) => format!("{name} · {path}"),
            (Some(only), None, _) | (None, Some(only), _) => only,
            (None, None, Some(shift)) => plural(shift.pairs.len(), "resource under another name"),
            (None, None, None) => String::new(),
        }
    }
}

/// The change of identity that two resources are: one goes, and one of its type comes.
fn renamed(stack: &Stack, ids: &[ResourceId]) -> Option<Shift> {
    let [one, other] = *ids else {
        return None;
    };
    let is_gone = |id| {
        matches!(
            stack.record(id).action,
            Some(Action::Delete | Action::Forget)
        )
    };
    let is_new = |id| stack.record(id).action == Some(Action::Create);
    let mut orders = [(one, other), (other, one)].into_iter();
    let (gone, new) = orders.find(|(gone, new)| is_gone(*gone) && is_new(*new))?;
    (stack.ty(gone) == stack.ty(new)).then(|| Shift {
        kind: ShiftKind::Renamed,
        pairs: vec![Pair {
            gone,
            new,
            evidence: Evidence::Name,
        }],
        moves: vec![(stack.identity(gone), stack.identity(new))],
        alarm: None,
    })
}

/// The name of a form in a file of this kind.
pub fn name_of(form: Form, kind: Kind) -> &'static str {
    match form {
        Form::Identity if kind.is_pulumi() => "URN",
        Form::Identity => "address",
        Form::Clearing if kind.is_pulumi() => "unprotect",
        Form::Clearing => "untaint",
        form => form.name(),
    }
}
