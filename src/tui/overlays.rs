//! Overlays, which cover the panes for a while. The last one gets the keys. All are drawn in order.

pub mod actions;
pub mod choose;
pub mod decode;
pub mod find_rows;
pub mod language;
pub mod pointing;
pub mod question;
pub mod ripple;
pub mod search;
pub mod source;
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

use self::question::Asks;
use super::command::{Command, View};
use super::jobs::Job;
use super::keymap::Scope;
use super::panes::changes::Topic;
use super::popup::Stage;
use super::ripple::RippleOrigin;
use super::rows::Spot;
use super::session::Secret;
use super::theme::{Palette, Theme};
use super::widgets::frame::{self, Labels};
use super::widgets::prompt::Typing;
use super::widgets::text::width;
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
    /// Nothing: the overlay or view changed, or the command means nothing to it.
    Done,
    /// Give the keys to this pane of the view.
    Focus(usize),
    /// Read a resource. The answer goes to all views.
    Read(ResourceId),
    /// Go to the resource with this URN or address.
    Follow(String),
    /// Show the neighbors of a resource in a direction.
    ShowDeps(ResourceId, Direction),
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
    /// Handles a command.
    pub fn update(&mut self, command: Command, stage: Stage, is_pulumi: bool) -> Outcome {
        let body = stage.body;
        match self {
            Self::Actions(actions) => actions.update(command, stage),
            Self::Choose(choose) => choose.update(command, stage),
            Self::Text(text) => text.update(command, stage),
            Self::Ripple(ripple) => ripple.update(command, body),
            Self::Question(question) => question.update(command),
            Self::Yank(popup) => popup.update(command, stage),
            Self::TypeIn(type_in) => type_in.update(command),
            Self::Decode(decode) => decode.update(command, stage, is_pulumi),
            Self::Unlock(_) if command == Command::Accept => Outcome::Unlock,
            Self::Stacks(stacks) => stacks.update(command, body),
            Self::Trace(trace) => trace.update(command, stage),
            Self::Verify(verify) if command == Command::Cancel => {
                verify.stop.cancel();
                Outcome::Close
            }
            Self::Source(source) => source.update(command, body),
            Self::Themes(themes) => themes.update(command, stage),
            Self::Unlock(_) if command == Command::Cancel => Outcome::Close,
            // The search bars show their hits in the views, so the explorer obeys for them.
            Self::Unlock(_) | Self::Verify(_) | Self::Search(_) | Self::FindRows(_) => {
                Outcome::Done
            }
        }
    }

    /// Takes a key that is not a command, or a pasted text, if there is a text input. True if the text changed.
    pub fn input(&mut self, typing: Typing<'_>, body: Rect) -> bool {
        match self {
            Self::Choose(choose) => choose.input(typing),
            Self::TypeIn(type_in) => type_in.input(typing),
            Self::Unlock(unlock) => unlock.input(typing),
            Self::Search(bar) => bar.prompt.input(typing),
            Self::FindRows(bar) => bar.prompt.input(typing),
            Self::Source(source) => source.input(typing, body),
            Self::Stacks(stacks) => stacks.input(typing),
            Self::Actions(_)
            | Self::Themes(_)
            | Self::Text(_)
            | Self::Ripple(_)
            | Self::Question(_)
            | Self::Decode(_)
            | Self::Verify(_)
            | Self::Trace(_)
            | Self::Yank(_) => false,
        }
    }

    /// The scopes in which its keys are looked up.
    pub fn scopes(&self) -> &'static [Scope] {
        match self {
            Self::Choose(_) | Self::TypeIn(_) | Self::Unlock(_) | Self::FindRows(_) => {
                &[Scope::Prompt]
            }
            Self::Yank(_) => &[Scope::Yank],
            Self::Search(_) => &[Scope::Search, Scope::Prompt],
            Self::Decode(decode) if decode.choosing.is_some() => &[Scope::Decoders],
            Self::Decode(_) => &[Scope::Decoded],
            Self::Text(_) | Self::Verify(_) => &[Scope::Text],
            Self::Ripple(_) => &[Scope::Ripple],
            Self::Source(source) => source.scopes(),
            Self::Stacks(stacks) => stacks.scopes(),
            Self::Trace(_) => &[Scope::Trace],
            Self::Actions(_) => &[Scope::Pick],
            Self::Question(_) => &[Scope::Question],
            Self::Themes(_) => &[Scope::Themes],
        }
    }

    /// True for an overlay that stays when another file is shown below it. It then forgets what it knows about this file.
    pub fn outlives_file(&mut self) -> bool {
        match self {
            Self::Search(bar) => bar.forget(),
            Self::Unlock(unlock) => return matches!(unlock.opens, unlock::Opens::File { .. }),
            Self::Question(question) => return matches!(question.asks, question::Asks::Quit),
            Self::Actions(_)
            | Self::Choose(_)
            | Self::TypeIn(_)
            | Self::Stacks(_)
            | Self::Themes(_)
            | Self::Trace(_) => {}
            Self::Text(_)
            | Self::Ripple(_)
            | Self::Yank(_)
            | Self::FindRows(_)
            | Self::Decode(_)
            | Self::Verify(_)
            | Self::Source(_) => {
                return false;
            }
        }
        true
    }

    /// Draws the overlay.
    pub fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let body = stage.body;
        match self {
            Self::Actions(actions) => actions.view(theme, stage, buffer),
            Self::Choose(choose) => choose.view(theme, stage, buffer),
            Self::Text(text) => text.view(theme, stage, buffer),
            Self::Ripple(ripple) => ripple.view(theme, body, buffer),
            Self::Yank(popup) => popup.view(theme, stage, buffer),
            Self::Search(bar) => bar.view(theme, body, buffer),
            Self::FindRows(bar) => bar.view(theme, body, buffer),
            Self::Question(question) => question.view(theme, stage, buffer),
            Self::TypeIn(type_in) => type_in.view(theme, stage, buffer),
            Self::Decode(decode) => decode.view(theme, stage, buffer),
            Self::Unlock(unlock) => unlock.view(theme, stage, buffer),
            Self::Verify(verify) => verify.view(theme, stage, buffer),
            Self::Source(source) => source.view(theme, body, buffer),
            Self::Stacks(stacks) => stacks.view(theme, body, buffer),
            Self::Trace(trace) => trace.view(theme, stage, buffer),
            Self::Themes(themes) => themes.view(theme, stage, buffer),
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
