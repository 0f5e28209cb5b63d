//! Overlays, which cover the panes for a while. The last one gets the keys. All are drawn in order.

pub mod actions;
pub mod choose;
pub mod decode;
pub mod find_rows;
pub mod language;
pub mod popup;
pub mod question;
pub mod ripple;
pub mod search;
pub mod source;
pub mod stack_edges;
pub mod stacks;
pub mod text;
pub mod themes;
pub mod trace;
pub mod type_in;
pub mod unlock;
pub mod verify;
pub mod yank;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::popup::Popup;
use self::question::Asks;
use super::command::{Command, View};
use super::jobs::Job;
use super::panes::changes::Topic;
use super::ripple::RippleOrigin;
use super::rows::Spot;
use super::session::Secret;
use super::theme::{Palette, Theme};
use super::widgets::frame::{self, Labels};
use super::widgets::text::width;
use crate::load::fleet::Place;
use crate::render::copy::Form;
use crate::stack::ResourceId;
use crate::stack::graph::Direction;

/// Something shown over the panes.
#[derive(Debug)]
pub enum Overlay {
    /// The sections of the list of changes, to list or hide.
    Actions(actions::Actions),
    /// Commands to choose from: the help and the palette.
    Choose(choose::Choose),
    /// A long text.
    Text(text::TextView),
    /// The resources that a change of a resource reaches.
    Ripple(ripple::RippleView),
    /// A question with yes or no.
    Question(question::Question),
    /// The forms in which something can be copied.
    Yank(yank::YankPopup),
    /// The search bar.
    Search(Box<search::SearchBar>),
    /// The bar that finds rows of the view in front.
    FindRows(Box<find_rows::FindRows>),
    /// A line to type in, with its purpose.
    TypeIn(type_in::TypeIn),
    /// A string that is decoded step by step.
    Decode(Box<decode::Decode>),
    /// The passphrase of the stack.
    Unlock(Box<unlock::Unlock>),
    /// The list of many stacks.
    Stacks(Box<stacks::Stacks>),
    /// The stacks that one of them reads, or that read it.
    StackEdges(stack_edges::StackEdges),
    /// The updates in which a value changed.
    Trace(Box<trace::Trace>),
    /// An asset or archive that is being hashed.
    Verify(Box<verify::Verify>),
    /// The source of a configuration.
    Source(Box<source::SourceView>),
    /// The list of themes.
    Themes(Box<themes::Themes>),
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
    /// Show a message.
    Say(String),
    /// Show an error.
    Complain(String),
    /// Close all overlays and go to a resource.
    GoTo(ResourceId),
    /// Go to an output of the stack, by its name.
    ShowOutput(Arc<str>),
    /// Go to a value of a resource.
    GoToValue(ResourceId, Spot),
    /// Close the overlay, and run the chosen command or what was typed.
    Run {
        /// The command, with its name in the palette.
        chosen: Option<(Command, &'static str)>,
        /// The text.
        typed: String,
        /// True for the palette, false for the help.
        is_palette: bool,
    },
    /// List or hide a section of the changes.
    Toggle(Topic),
    /// Close the overlay, and do what was asked about.
    Confirmed(Asks),
    /// Look up the address that was typed. Closes the overlay if nothing was typed.
    Typed(String),
    /// Obey a command in the search bar.
    InSearch(Command),
    /// Obey a command in the bar that finds rows.
    InRowBar(Command),
    /// Try the passphrase or key that was typed.
    Unlock,
    /// Close the overlay and copy a form.
    Copy(Form),
    /// Close the overlay and copy a secret unseen.
    CopySecret,
    /// Put a text on the clipboard.
    CopyText {
        /// The name of the text, for the message.
        what: &'static str,
        /// The text.
        text: String,
    },
    /// Open a stack of the list, or compare two.
    OpenStacks(Box<stacks::Opening>),
    /// Close the overlay and go to a stack of the list.
    ShowStack(Place),
    /// List the stacks again.
    ListAgain,
    /// Close all overlays and go to an update of the stack.
    OpenUpdate {
        /// Index of the update.
        index: usize,
        /// The resource to select there.
        urn: String,
    },
    /// Ask whether a secret may be shown.
    AskToShow {
        /// The name of the secret.
        what: String,
        /// The secret.
        secret: Secret,
    },
    /// Hide the revealed secret.
    Hide,
    /// Show a theme; `None` if the background decides. The list stays open.
    Preview(Option<Palette>),
    /// Close the list of themes and keep this theme.
    Theme {
        /// The theme; `None` if the background decides.
        chosen: Option<Palette>,
        /// False if the person went back without choosing.
        is_new: bool,
    },
    /// Show another ripple in place of this one.
    Ripple(RippleOrigin),
    /// Go to the difference of a change, or to the resource if it does not change.
    GoToChange(ResourceId),
    /// List the resources that a query finds, and remember the place that was left.
    List(String),
    /// Show a view, and remember the place that was left.
    Show(View),
    /// Mark a change as reviewed, or remove the mark.
    Review(ResourceId),
    /// Mark all of these changes as reviewed. If all are marked, remove the marks.
    ReviewAll(Vec<ResourceId>),
    /// Asks for a note on these changes.
    Note(Vec<ResourceId>),
    /// The note on these changes was typed.
    Noted(Vec<ResourceId>, String),
    /// Do all of these.
    All(Vec<Self>),
    /// Start a job.
    Start(Box<Job>),
    /// Open another overlay above this one.
    Open(Overlay),
}

impl Overlay {
    /// Its answers.
    pub fn popup(&self) -> &dyn Popup {
        match self {
            Self::Actions(it) => it,
            Self::Choose(it) => it,
            Self::Text(it) => it,
            Self::Ripple(it) => it,
            Self::Question(it) => it,
            Self::Yank(it) => it,
            Self::Search(it) => &**it,
            Self::FindRows(it) => &**it,
            Self::TypeIn(it) => it,
            Self::Decode(it) => &**it,
            Self::Unlock(it) => &**it,
            Self::Stacks(it) => &**it,
            Self::StackEdges(it) => it,
            Self::Trace(it) => &**it,
            Self::Verify(it) => &**it,
            Self::Source(it) => &**it,
            Self::Themes(it) => &**it,
        }
    }

    /// Like [`popup`](Self::popup), mutably.
    pub fn popup_mut(&mut self) -> &mut dyn Popup {
        match self {
            Self::Actions(it) => it,
            Self::Choose(it) => it,
            Self::Text(it) => it,
            Self::Ripple(it) => it,
            Self::Question(it) => it,
            Self::Yank(it) => it,
            Self::Search(it) => &mut **it,
            Self::FindRows(it) => &mut **it,
            Self::TypeIn(it) => it,
            Self::Decode(it) => &mut **it,
            Self::Unlock(it) => &mut **it,
            Self::Stacks(it) => &mut **it,
            Self::StackEdges(it) => it,
            Self::Trace(it) => &mut **it,
            Self::Verify(it) => &mut **it,
            Self::Source(it) => &mut **it,
            Self::Themes(it) => &mut **it,
        }
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
