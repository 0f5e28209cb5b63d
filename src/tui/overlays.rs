//! Overlays, which cover the panes for a while. The last one gets the keys. All are drawn in order.

pub mod actions;
pub mod ask;
pub mod choose;
pub mod find_rows;
pub mod language;
pub mod menu;
pub mod popup;
pub mod ripple;
pub mod search;
pub mod source;
pub mod stack_edges;
pub mod stack_search;
pub mod text;
pub mod themes;
pub mod trace;
pub mod types;
pub mod verify;
pub mod way;
pub mod yank;

use std::any::Any;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::ask::Asks;
use self::choose::Style;
use self::popup::Popup;
use self::search::Seek;
use super::any_job::AnyJob;
use super::command::{Command, CopyCommand, View};
use super::panes::changes::Topic;
use super::ripple::RippleOrigin;
use super::row_key::RowKey;
use super::rows::Spot;
use super::stacks::{Aim, OpenStack, OtherEnd};
use super::theme::{Palette, Theme};
use super::widgets::frame::{self, Labels};
use super::widgets::text::width;
use crate::load::fleet::Place;
use crate::search::RowQuery;
use crate::stack::graph::Direction;
use crate::stack::{ChangeId, ResourceId};

/// The open overlays, from the lowest to the topmost.
#[derive(Default, Debug)]
pub struct Overlays(Vec<Box<dyn Popup>>);

impl Overlays {
    /// Opens an overlay above the others.
    pub fn push(&mut self, overlay: impl Popup) {
        self.open(Box::new(overlay));
    }

    /// Like [`push`](Self::push), for an overlay of any kind.
    pub fn open(&mut self, overlay: Box<dyn Popup>) {
        self.0.push(overlay);
    }

    /// Closes the topmost overlay.
    pub fn pop(&mut self) -> Option<Box<dyn Popup>> {
        self.0.pop()
    }

    /// The topmost overlay, which gets the keys.
    pub fn top(&self) -> Option<&dyn Popup> {
        self.0.last().map(|overlay| &**overlay)
    }

    /// Like [`top`](Self::top), mutably.
    pub fn top_mut(&mut self) -> Option<&mut dyn Popup> {
        self.0.last_mut().map(|overlay| &mut **overlay)
    }

    /// The topmost overlay, if it is of this kind.
    pub fn top_as<T: Popup>(&self) -> Option<&T> {
        self.top()?.cast()
    }

    /// Like [`top_as`](Self::top_as), mutably.
    pub fn top_as_mut<T: Popup>(&mut self) -> Option<&mut T> {
        self.top_mut()?.cast_mut()
    }

    /// The topmost overlay of this kind, perhaps below others.
    pub fn get<T: Popup>(&self) -> Option<&T> {
        self.iter().rev().find_map(|overlay| overlay.cast())
    }

    /// Like [`get`](Self::get), mutably.
    pub fn get_mut<T: Popup>(&mut self) -> Option<&mut T> {
        let mut all = self.0.iter_mut().rev();
        all.find_map(|overlay| overlay.cast_mut())
    }

    /// Closes the topmost overlay of this kind.
    pub fn take<T: Popup>(&mut self) -> Option<Box<T>> {
        let at = self
            .iter()
            .rposition(|overlay| overlay.cast::<T>().is_some())?;
        let overlay: Box<dyn Any> = self.0.remove(at);
        overlay.downcast().ok()
    }

    /// Closes the overlays of which this is false.
    pub fn retain(&mut self, mut stays: impl FnMut(&mut dyn Popup) -> bool) {
        self.0.retain_mut(|overlay| stays(&mut **overlay));
    }

    /// Closes all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, the lowest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &dyn Popup> + ExactSizeIterator {
        self.0.iter().map(|overlay| &**overlay)
    }
}

/// A request of an overlay or a view to the explorer after a command.
pub enum Outcome {
    /// Nothing more: the overlay or view changed.
    Done,
    /// Say that the command changes nothing here: the overlay or view does not have it, or is as the command wants it.
    Nothing,
    /// Give the keys to this pane of the view.
    Focus(usize),
    /// Read a resource. The answer goes to all views.
    Read(ResourceId),
    /// Go to the resource with this URN or address.
    Follow(String),
    /// Show the neighbors of a resource in a direction.
    ShowDeps(ResourceId, Direction),
    /// Open another stack of the list.
    ShowOther {
        /// Its place.
        place: Place,
        /// The identity of the resource to go to.
        resource: Option<Arc<str>>,
        /// The view to show.
        view: View,
    },
    /// Open the whole text of the selected value.
    OpenText,
    /// Arrange the tree as the view wants it now, and show a message.
    Arrange(String),
    /// Close the overlay.
    Close,
    /// Show the view before the one in front.
    Leave,
    /// Close the overlay, and show this file of the configuration in the one below.
    ShowFile(usize),
    /// Show a message.
    Say(String),
    /// Show an error.
    Complain(String),
    /// Close all overlays and go to a resource.
    GoTo(ResourceId),
    /// Go to a value of a resource.
    GoToValue(ResourceId, Spot),
    /// Close the overlay, and run the chosen command or what was typed.
    Run {
        /// The command, with its name in the palette.
        chosen: Option<(Command, &'static str)>,
        /// The text.
        typed: String,
        /// The list: the palette knows more commands than it lists.
        style: Style,
    },
    /// List or hide a section of the changes.
    Toggle(Topic),
    /// A question was answered with yes, or with a text.
    Answered {
        /// The thing that it asked about.
        asks: Asks,
        /// The text.
        text: String,
    },
    /// A request of the search bar.
    Seek(Seek),
    /// Go to a row that was found in the view in front.
    FindRow(RowKey),
    /// Let the keys for the next and the previous hit go through the rows of this query.
    FoundRows(RowQuery),
    /// Search the changes or the resources for a text.
    SearchFor(String),
    /// Filter the rows of the view in front, or list all of them.
    Narrow(Option<RowQuery>),
    /// Close the overlay and copy.
    Copy(CopyCommand),
    /// Put a text on the clipboard.
    CopyText {
        /// The name of the text, for the message.
        what: &'static str,
        /// The text.
        text: String,
    },
    /// Open a stack of the list at a place, or compare two.
    OpenStacks(Vec<Place>, Option<Aim>),
    /// Close the overlay and go to a stack of the list.
    ShowStack(Place),
    /// List the stacks that contain a text.
    SearchStacks(String),
    /// Let the view in front obey a command.
    Tell(Command),
    /// Close all overlays and go to an update of the stack.
    OpenUpdate {
        /// Index of the update.
        index: usize,
        /// The resource to select there.
        urn: String,
    },
    /// Hide the revealed secret.
    Hide,
    /// Show a theme; `None` if the background decides.
    Theme(Option<Palette>),
    /// Show another ripple in place of this one.
    Ripple(RippleOrigin),
    /// Go to the difference of a change, or to the resource or the output if it is not listed.
    GoToChange(ChangeId),
    /// List the resources that a query finds, and remember the place that was left.
    List(String),
    /// Show a view, and remember the place that was left.
    Show(View),
    /// Mark these changes as reviewed and go on. If all are marked, remove the marks.
    Review(Vec<ChangeId>),
    /// Asks for a note on these changes.
    Note(Vec<ChangeId>),
    /// Do all of these.
    All(Vec<Self>),
    /// Start a job.
    Start(Box<dyn AnyJob>),
    /// Open another overlay above this one.
    Open(Box<dyn Popup>),
}

impl Outcome {
    /// Opens the other stack of an edge.
    pub fn open_other(end: &OtherEnd, among: Option<&OpenStack>) -> Self {
        match among.zip(end.stack) {
            Some((among, stack)) => Self::ShowOther {
                place: among.edges.place(stack).clone(),
                resource: end.resource.clone(),
                view: end.view(),
            },
            None => Self::Say(format!("{} is not in the list of stacks", end.name)),
        }
    }

    /// Says that a list has no filter any more.
    pub fn unfiltered() -> Self {
        Self::Say("filter cleared".to_owned())
    }

    /// Marks the selected changes as reviewed.
    pub fn review(selected: Vec<ChangeId>) -> Self {
        if selected.is_empty() {
            return Self::Complain("select a change to mark it as reviewed".to_owned());
        }
        Self::Review(selected)
    }

    /// Asks for a note on the selected changes.
    pub fn note(selected: Vec<ChangeId>) -> Self {
        if selected.is_empty() {
            return Self::Complain("select a change to write a note on it".to_owned());
        }
        Self::Note(selected)
    }
}

/// Clears the area below an overlay.
pub fn clear(area: Rect, buffer: &mut Buffer) {
    let area = area.intersection(buffer.area);
    // A wide character beside the area would cover its first column.
    for y in area.top()..area.bottom() {
        let beside = area.x.checked_sub(1).and_then(|x| buffer.cell_mut((x, y)));
        if let Some(cell) = beside.filter(|cell| width(cell.symbol()) > 1) {
            cell.set_symbol(" ");
        }
    }
    for position in area.positions() {
        buffer[position].reset();
    }
}

/// Draws the empty frame of an overlay and returns the area inside.
pub fn framed(area: Rect, labels: &Labels, theme: &Theme, buffer: &mut Buffer) -> Rect {
    clear(area, buffer);
    let pane = boxed(area);
    frame::draw(pane, labels, theme, buffer);
    pane.inner
}

/// The width of a popup that shows these texts in its frame, and lines of `widest` cells.
pub fn width_around(labels: &Labels, widest: usize) -> usize {
    let texts = width(&labels.title).max(width(&labels.status)) + 4;
    texts.max(widest + 3)
}

/// The pane of an overlay in `area`. It has a box unless the area is too small for one.
pub fn boxed(area: Rect) -> super::layout::Pane {
    let boxed = area.width >= 4 && area.height >= 3;
    super::layout::Pane {
        outer: area,
        inner: if boxed {
            Rect::new(area.x + 1, area.y + 1, area.width - 2, area.height - 2)
        } else {
            area
        },
        boxed,
    }
}
