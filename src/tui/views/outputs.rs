//! The Outputs view: the outputs of the stack, and in a plan or preview their changes.

use std::cell::OnceCell;
use std::sync::Arc;

use ratatui::buffer::Buffer;

use super::{Ctx, NextFile, ViewState, Views, follow};
use crate::path;
use crate::search::RowQuery;
use crate::stack::{ResourceId, Section, Stack};
use crate::tree::Node;
use crate::tui::command::FoldCommand;
use crate::tui::layout::Pane;
use crate::tui::outline::Laid;
use crate::tui::overlays::Outcome;
use crate::tui::overlays::find_rows::RowTexts;
use crate::tui::panes::detail::DetailPane;
use crate::tui::panes::list::Folded;
use crate::tui::panes::outputs;
use crate::tui::row_key::RowKey;
use crate::tui::rows::{Part, Spot};
use crate::tui::session::Session;
use crate::tui::widgets::cursor::Cursor;
use crate::value::{Payload, Shown, Value};

/// The Outputs view.
#[derive(Default, Debug)]
pub struct OutputsView {
    /// The values of the outputs.
    pub values: DetailPane,
    /// The query that the outputs are narrowed to.
    pub filter: Option<RowQuery>,
    /// The values as a search sees them, once somebody searched them.
    found: OnceCell<RowTexts>,
}

/// Maximum number of values that are looked at to find one.
const MAX_FOUND: usize = 20_000;

impl OutputsView {
    /// Takes the outputs of the stack.
    pub fn take(&mut self, ctx: &Ctx<'_>) {
        self.values.show(Some(Node::Outputs));
        self.values.set_outputs(ctx.session.stack());
        if let Some(filter) = &self.filter {
            let all = self.places().into_iter();
            let fitting = all.filter(|(spot, text)| filter.matches(text, Some(&spot.path)));
            let names = fitting.filter_map(|(spot, _)| spot.path.0.into_iter().next());
            self.values.narrow(&names.collect(), &filter.text);
        }
        self.found = OnceCell::new();
        self.remake(ctx);
    }

    /// The values, also those in closed containers, each with its path and its text.
    fn places(&self) -> Vec<(Spot, String)> {
        let tops = self.values.values().iter().rev();
        let mut waiting: Vec<(Spot, &Value)> = tops
            .map(|(part, value)| (Spot::top(*part), value))
            .collect();
        let mut found = Vec::new();
        while let Some((spot, value)) = waiting.pop() {
            if found.len() == MAX_FOUND {
                break;
            }
            let other = match spot.part {
                Part::Outputs => Part::Before(Section::Outputs),
                Part::Before(_) | Part::Inputs | Part::Options | Part::Fields => Part::Outputs,
            };
            let mut sides = self.values.values().iter();
            let other_side = sides.find(|(part, _)| *part == other);
            let other_value = other_side.and_then(|(_, side)| spot.path.get(side));
            let (spot, value) = match (spot.part, other_value) {
                // A removed output stands among the others with its value before the change.
                (Part::Outputs, Some(old)) if value.is_null() => (
                    Spot {
                        part: other,
                        ..spot
                    },
                    old,
                ),
                (Part::Outputs, _) | (_, None) => (spot, value),
                // Removed values were found above, and unchanged ones are found once.
                (_, Some(new)) if new.is_null() || new == value => continue,
                (_, Some(_)) => (spot, value),
            };
            let from = waiting.len();
            if let Shown::Plain(Payload::Map(_) | Payload::Array(_)) = value.shown() {
                let children = path::children(value);
                waiting.extend(children.map(|(segment, child)| (spot.child(segment), child)));
                waiting[from..].reverse();
            }
            if !spot.path.0.is_empty() {
                let text = match value.as_str() {
                    Some(text) if !value.is_secret() => text.to_owned(),
                    _ if waiting.len() > from => String::new(),
                    _ => value.to_string(),
                };
                found.push((spot.clone(), format!("{} {text}", spot.path)));
            }
        }
        found
    }

    fn found(&self) -> &RowTexts {
        self.found.get_or_init(|| {
            let (spots, texts): (Vec<_>, Vec<_>) = self.places().into_iter().unzip();
            RowTexts {
                texts: Arc::new(texts),
                paths: Some(Arc::new(
                    spots.iter().map(|spot| spot.path.clone()).collect(),
                )),
                keys: Arc::new(spots.into_iter().map(RowKey::Output).collect()),
                ..RowTexts::default()
            }
        })
    }

    /// Builds the rows again.
    pub fn remake(&mut self, ctx: &Ctx<'_>) {
        let revealed = ctx.session.revealed_in(None);
        let (stack, pane) = place(ctx);
        self.values.remake(revealed, stack, pane);
        if let Some(among) = &ctx.session.among {
            outputs::add_readers(&mut self.values.list.rows, &among.readers());
        }
    }

    /// Opens the containers around a value and puts the cursor on it.
    pub fn select(&mut self, spot: &Spot, ctx: &Ctx<'_>) {
        self.values.list.open_around(spot);
        self.remake(ctx);
        self.values.list.select(spot);
        self.fit(ctx);
    }
}

impl ViewState for OutputsView {
    fn fold(&mut self, command: FoldCommand, ctx: &Ctx<'_>) -> Outcome {
        match self.values.fold(command) {
            Folded::Changed => self.remake(ctx),
            Folded::Moved => self.fit(ctx),
            Folded::Entered => {
                return self.values.list.selected().map_or(Outcome::Nothing, follow);
            }
            Folded::Nothing => return Outcome::Nothing,
        }
        Outcome::Done
    }

    fn laid<'a>(&'a self, _part: usize, ctx: &Ctx<'a>) -> Option<Laid<'a>> {
        let (stack, pane) = place(ctx);
        Some(self.values.laid(stack, pane))
    }

    fn set_cursor(&mut self, _part: usize, cursor: Cursor, _ctx: &Ctx<'_>) {
        self.values.list.cursor = cursor;
    }

    fn view(&self, _all: &Views, ctx: &Ctx<'_>, panes: [Pane; 2], buffer: &mut Buffer) {
        self.values.view(ctx.of_pane(0), panes[0], buffer);
    }

    fn go_sibling(&mut self, _part: usize, times: isize, ctx: &Ctx<'_>) {
        self.values.list.sibling(times);
        self.fit(ctx);
    }

    fn go_around(&mut self, _part: usize, times: usize, ctx: &Ctx<'_>) -> Outcome {
        (0..times).for_each(|_| _ = self.values.list.around());
        self.fit(ctx);
        Outcome::Done
    }

    fn row_texts(&self, _session: &Session) -> Option<RowTexts> {
        let rows = self.found();
        let at = self.selected_key().and_then(|key| rows.row_of(&key));
        Some(RowTexts {
            at: at.unwrap_or(0),
            ..rows.clone()
        })
    }

    fn clear(&mut self, next: NextFile) {
        self.values.show(None);
        self.found = OnceCell::new();
        self.filter.take_if(|_| next == NextFile::Other);
    }

    fn selected_key(&self) -> Option<RowKey> {
        self.values.list.selected_spot().map(RowKey::Output)
    }

    fn go_to_key(&mut self, key: &RowKey, ctx: &Ctx<'_>) {
        if let RowKey::Output(spot) = key {
            self.select(spot, ctx);
        }
    }

    fn cursors(&self) -> [Cursor; 2] {
        [self.values.list.cursor; 2]
    }

    fn row_filter(&self) -> Option<&RowQuery> {
        self.filter.as_ref()
    }

    fn narrow(&mut self, filter: Option<RowQuery>, ctx: &Ctx<'_>) -> Outcome {
        self.filter = filter;
        self.take(ctx);
        Outcome::Done
    }

    fn spot(&self, _pane: usize, _session: &Session) -> Option<(Option<ResourceId>, Spot)> {
        Some((None, self.values.list.selected_spot()?))
    }

    fn is_secret(&self, _pane: usize) -> bool {
        self.values.list.selected().is_some_and(|row| row.secret)
    }
}

/// The stack, and the pane of the values.
fn place<'a>(ctx: &Ctx<'a>) -> (&'a Stack, Pane) {
    (ctx.session.stack(), ctx.screen.panes[0])
}
