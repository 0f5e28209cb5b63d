//! The mouse in overlays. One rule for all of them: what is drawn to be used answers.
//!
//! In a menu a click chooses a row. Stacks, a source, a ripple and a decoded value are looked at: there a click selects a row, and a
//! second click chooses it, as in panes. A click outside closes the overlay. The wheel and the scrollbar scroll.

use ratatui::layout::{Position, Rect};

use super::choose::Style;
use super::find_rows::FindRows;
use super::themes::Themes;
use super::type_in::TypeIn;
use super::unlock::Unlock;
use super::{Outcome, Overlay};
use crate::tui::command::{Command, FoldCommand};
use crate::tui::popup::Stage;
use crate::tui::widgets::cursor::{Cursor, Page, Scroll};
use crate::tui::widgets::list_area::ListArea;
use crate::tui::widgets::scrollbar::Bar;

/// The meaning of a click in an overlay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clicked {
    /// Close the overlay.
    Outside,
    /// Select a row.
    Row(usize),
    /// Select a row and obey a command there.
    Chosen(usize, Command),
    /// Obey a command.
    Answer(Command),
    /// Nothing: there is no row.
    Nothing,
}

impl Overlay {
    /// The area with its frame.
    pub fn area(&self, stage: Stage) -> Rect {
        match self {
            Self::Actions(actions) => actions.area(stage),
            Self::Choose(choose) => choose.area(stage),
            Self::Text(text) => text.area(stage),
            Self::Question(question) => question.area(stage),
            Self::Yank(popup) => popup.area(stage),
            Self::Search(bar) => bar.area(stage.body),
            Self::TypeIn(_) => TypeIn::area(stage),
            Self::FindRows(_) => FindRows::area(stage.body),
            Self::Decode(decode) => decode.area(stage),
            Self::Unlock(_) => Unlock::area(stage),
            Self::Trace(trace) => trace.area(stage),
            Self::Verify(verify) => verify.area(stage),
            Self::Themes(_) => Themes::area(stage),
            Self::Ripple(_) | Self::Stacks(_) | Self::Source(_) => stage.body,
        }
    }

    /// The list of an overlay whose rows take the same number of lines each.
    fn list(&self, stage: Stage) -> Option<(ListArea, Cursor)> {
        match self {
            Self::Actions(actions) => Some((actions.list(stage), actions.cursor)),
            Self::Choose(choose) => Some((choose.list(stage)?, choose.cursor)),
            Self::Yank(popup) => Some((popup.list(stage), popup.cursor)),
            Self::Search(bar) => Some((bar.list(stage.body)?, bar.cursor)),
            Self::Decode(decode) => decode.list(stage),
            Self::Stacks(stacks) => Some((stacks.list_area(stage.body), stacks.cursor)),
            Self::Trace(trace) => Some((trace.list(stage), trace.cursor)),
            Self::Source(source) => source.list(stage.body),
            Self::Themes(themes) => Some((Themes::list(stage), themes.cursor)),
            Self::Text(_)
            | Self::Ripple(_)
            | Self::Question(_)
            | Self::TypeIn(_)
            | Self::FindRows(_)
            | Self::Unlock(_)
            | Self::Verify(_) => None,
        }
    }

    /// The cursor of that list.
    fn cursor(&mut self) -> Option<&mut Cursor> {
        match self {
            Self::Actions(actions) => Some(&mut actions.cursor),
            Self::Choose(choose) => Some(&mut choose.cursor),
            Self::Yank(popup) => Some(&mut popup.cursor),
            Self::Search(bar) => Some(&mut bar.cursor),
            Self::Decode(decode) => decode.cursor(),
            Self::Stacks(stacks) => Some(&mut stacks.cursor),
            Self::Trace(trace) => Some(&mut trace.cursor),
            Self::Source(source) => Some(source.cursor()),
            Self::Themes(themes) => Some(&mut themes.cursor),
            Self::Text(_)
            | Self::Ripple(_)
            | Self::Question(_)
            | Self::TypeIn(_)
            | Self::FindRows(_)
            | Self::Unlock(_)
            | Self::Verify(_) => None,
        }
    }

    /// The rows on the screen, each with its place.
    fn rows(&self, stage: Stage) -> Vec<(Rect, usize)> {
        match self {
            Self::Text(text) => {
                let rows = text.rows(stage).into_iter();
                rows.map(|(area, shown)| (area, shown.row)).collect()
            }
            Self::Ripple(ripple) => ripple.rows(stage.body),
            Self::Choose(choose) if choose.style == Style::Help => choose.help_rows(stage),
            Self::Actions(_)
            | Self::Choose(_)
            | Self::Question(_)
            | Self::Yank(_)
            | Self::Search(_)
            | Self::TypeIn(_)
            | Self::FindRows(_)
            | Self::Decode(_)
            | Self::Unlock(_)
            | Self::Stacks(_)
            | Self::Trace(_)
            | Self::Verify(_)
            | Self::Source(_)
            | Self::Themes(_) => {
                let list = self.list(stage);
                list.map_or(Vec::new(), |(list, cursor)| list.rows(cursor.top).collect())
            }
        }
    }

    /// The command that chooses a row. `None` if rows are only looked at.
    fn choice(&self) -> Option<Command> {
        match self {
            Self::Decode(decode) if decode.choosing.is_none() => {
                Some(Command::Fold(FoldCommand::Activate))
            }
            Self::Source(source) if !source.lists_files() => None,
            Self::Actions(_)
            | Self::Choose(_)
            | Self::Text(_)
            | Self::Ripple(_)
            | Self::Yank(_)
            | Self::Search(_)
            | Self::Decode(_)
            | Self::Stacks(_)
            | Self::Trace(_)
            | Self::Source(_)
            | Self::Themes(_) => Some(Command::Accept),
            Self::Question(_)
            | Self::TypeIn(_)
            | Self::FindRows(_)
            | Self::Unlock(_)
            | Self::Verify(_) => None,
        }
    }

    /// True if a click chooses a row at once.
    fn is_menu(&self) -> bool {
        match self {
            Self::Decode(decode) => decode.choosing.is_some(),
            Self::Ripple(_) | Self::Stacks(_) | Self::Source(_) => false,
            Self::Actions(_)
            | Self::Choose(_)
            | Self::Text(_)
            | Self::Question(_)
            | Self::Yank(_)
            | Self::Search(_)
            | Self::TypeIn(_)
            | Self::FindRows(_)
            | Self::Unlock(_)
            | Self::Trace(_)
            | Self::Verify(_)
            | Self::Themes(_) => true,
        }
    }

    /// The selected row.
    fn selected(&self, stage: Stage) -> Option<usize> {
        match self {
            Self::Text(text) => Some(text.cursor.row),
            Self::Ripple(ripple) => Some(ripple.selected()),
            Self::Actions(_)
            | Self::Choose(_)
            | Self::Question(_)
            | Self::Yank(_)
            | Self::Search(_)
            | Self::TypeIn(_)
            | Self::FindRows(_)
            | Self::Decode(_)
            | Self::Unlock(_)
            | Self::Stacks(_)
            | Self::Trace(_)
            | Self::Verify(_)
            | Self::Source(_)
            | Self::Themes(_) => self.list(stage).map(|(_, cursor)| cursor.row),
        }
    }

    /// The lines of the selected row on the screen, for an overlay above this one. `None` if no row is selected.
    pub fn selected_area(&self, stage: Stage) -> Option<Rect> {
        let selected = self.selected(stage)?;
        let rows = self.rows(stage).into_iter();
        let area = rows.filter(|(_, row)| *row == selected);
        area.map(|(area, _)| area).next()
    }

    /// The meaning of a click at a position.
    pub fn clicked(&self, at: Position, stage: Stage) -> Clicked {
        let area = self.area(stage);
        if !area.contains(at) {
            return Clicked::Outside;
        }
        if let Self::Question(question) = self {
            let [yes, no] = question.answers(stage);
            return match (yes.contains(at), no.contains(at)) {
                (true, _) => Clicked::Answer(Command::Accept),
                (_, true) => Clicked::Answer(Command::Cancel),
                (false, false) => Clicked::Nothing,
            };
        }
        let rows = self.rows(stage);
        let Some((_, row)) = rows.into_iter().find(|(area, _)| area.contains(at)) else {
            return Clicked::Nothing;
        };
        match self.choice() {
            Some(command) if self.is_menu() || self.selected(stage) == Some(row) => {
                Clicked::Chosen(row, command)
            }
            Some(_) | None => Clicked::Row(row),
        }
    }

    /// Selects a row.
    pub fn point_at(&mut self, row: usize, stage: Stage) -> Outcome {
        match self {
            Self::Text(text) => text.select(row, stage),
            Self::Ripple(ripple) => ripple.select(row, stage.body),
            Self::Search(bar) => bar.point_at(row),
            Self::Actions(_)
            | Self::Choose(_)
            | Self::Question(_)
            | Self::Yank(_)
            | Self::TypeIn(_)
            | Self::FindRows(_)
            | Self::Decode(_)
            | Self::Unlock(_)
            | Self::Stacks(_)
            | Self::Trace(_)
            | Self::Verify(_)
            | Self::Source(_)
            | Self::Themes(_) => {
                // The rows stay where they are, so that a second click hits the same one.
                if let Some(cursor) = self.cursor() {
                    cursor.row = row;
                }
            }
        }
        self.moved()
    }

    /// Scrolls by `delta` rows.
    pub fn scroll(&mut self, delta: isize, stage: Stage) -> Outcome {
        match self {
            Self::Text(text) => text.scroll(Scroll::By(delta), stage),
            Self::Ripple(ripple) => ripple.scroll(delta, stage.body),
            Self::Search(bar) => bar.scroll(delta, stage.body),
            Self::Choose(choose) if choose.style == Style::Help => choose.step(delta, stage),
            Self::Actions(_)
            | Self::Choose(_)
            | Self::Question(_)
            | Self::Yank(_)
            | Self::TypeIn(_)
            | Self::FindRows(_)
            | Self::Decode(_)
            | Self::Unlock(_)
            | Self::Stacks(_)
            | Self::Trace(_)
            | Self::Verify(_)
            | Self::Source(_)
            | Self::Themes(_) => {
                let list = self.list(stage);
                if let (Some((list, _)), Some(cursor)) = (list, self.cursor()) {
                    cursor.scroll(Scroll::By(delta), Page::flat(list.len, list.height()));
                }
            }
        }
        self.moved()
    }

    /// The scrollbar, if it has one.
    pub fn bar(&self, stage: Stage) -> Option<Bar> {
        match self {
            Self::Text(text) => Some(text.bar(stage)),
            Self::Ripple(ripple) => Some(ripple.bar(stage.body)),
            Self::Actions(_)
            | Self::Choose(_)
            | Self::Question(_)
            | Self::Yank(_)
            | Self::Search(_)
            | Self::TypeIn(_)
            | Self::FindRows(_)
            | Self::Decode(_)
            | Self::Unlock(_)
            | Self::Stacks(_)
            | Self::Trace(_)
            | Self::Verify(_)
            | Self::Source(_)
            | Self::Themes(_) => {
                let list = self.list(stage);
                list.map(|(list, cursor)| list.bar(cursor.top))
            }
        }
    }

    /// Moves the thumb of the scrollbar to line `y` of the screen.
    pub fn pull(&mut self, y: u16, stage: Stage) -> Outcome {
        let list = self.list(stage);
        if let (Some((list, _)), Some(cursor)) = (list, self.cursor()) {
            list.pull(y, cursor);
            return self.moved();
        }
        if let Self::Text(text) = self {
            text.scroll(Scroll::To(text.bar(stage).top_at(y)), stage);
            return self.moved();
        }
        let rows = |row: usize| isize::try_from(row).unwrap_or(isize::MAX);
        let delta = self
            .bar(stage)
            .map(|bar| rows(bar.top_at(y)) - rows(bar.top));
        self.scroll(delta.unwrap_or(0), stage)
    }

    /// Follows the cursor after the mouse moved it.
    fn moved(&mut self) -> Outcome {
        match self {
            Self::Themes(themes) => return themes.preview(),
            Self::Source(source) => source.moved(),
            Self::Actions(_)
            | Self::Choose(_)
            | Self::Text(_)
            | Self::Ripple(_)
            | Self::Question(_)
            | Self::Yank(_)
            | Self::Search(_)
            | Self::TypeIn(_)
            | Self::FindRows(_)
            | Self::Decode(_)
            | Self::Unlock(_)
            | Self::Stacks(_)
            | Self::Trace(_)
            | Self::Verify(_) => {}
        }
        Outcome::Done
    }
}
