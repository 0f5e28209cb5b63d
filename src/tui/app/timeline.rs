//! The history of a stack: stepping through its updates, and finding when a value changed.

use std::path::PathBuf;
use std::sync::Arc;

use super::App;
use crate::load::fleet::Place;
use crate::load::timeline::{History, Record, Subject};
use crate::load::{Input, Origin};
use crate::tui::any_job::Takes;
use crate::tui::command::{UpdatesCommand, View};
use crate::tui::effect::Effect;
use crate::tui::jobs::history::{ReadHistory, TraceValue, Tracing, UpdatesRead};
use crate::tui::overlays::menu::MenuPopup;
use crate::tui::overlays::trace::Trace;
use crate::tui::rows::{Part, Spot, shown};

/// The updates of the stack, and the current one.
#[derive(Debug)]
pub struct Timeline {
    /// The updates.
    pub history: Arc<History>,
    /// The record of each update, once it is read.
    pub records: Vec<Option<Result<Record, String>>>,
    /// Index of the update that is shown.
    pub at: usize,
    /// The resource that the person looks at. It is selected in every update that changes it.
    subject: Option<String>,
    /// True if the update that is shown changes it.
    is_listed: bool,
    /// The input that was open before.
    before: Input,
    view_before: View,
}

impl App {
    /// Executes a command of the timeline.
    pub(super) fn timeline_command(&mut self, command: UpdatesCommand) {
        match command {
            UpdatesCommand::Timeline if self.timeline.is_some() => self.leave_timeline(),
            UpdatesCommand::Timeline => self.ask_history(None),
            UpdatesCommand::Older => self.step_update(-1),
            UpdatesCommand::Newer => self.step_update(1),
            UpdatesCommand::LastChanged => self.ask_trace(),
        }
    }

    /// The file whose stack has the history.
    pub(super) fn history_file(&self) -> Option<PathBuf> {
        match self.history_place()? {
            Place::File(path) => Some(path),
            Place::Object(_) | Place::Entry { .. } | Place::Stdin => None,
        }
    }

    /// The place of the state whose stack has the history: a file, an object of a bucket or an entry of an archive.
    fn history_place(&self) -> Option<Place> {
        let among = self.session.among.as_ref().map(|it| &it.place);
        let entry = among.filter(|place| matches!(place, Place::Entry { .. }));
        let before = self.timeline.as_ref().map(|it| &it.before);
        let input = before.unwrap_or(&self.session.input);
        entry.cloned().or_else(|| match input.sole_origin()? {
            Origin::Path(path) => Some(Place::File(path.clone())),
            Origin::Object(address) if address.is_bucket() => Some(Place::Object(address.clone())),
            Origin::Object(_) | Origin::Roots(_) | Origin::Stdin | Origin::Bytes { .. } => None,
        })
    }

    /// Requests the updates of the stack. The timeline opens at update index `at` with its resource, or at the last update.
    fn ask_history(&mut self, at: Option<(usize, String)>) {
        if let Some(file) = self.file_with_history() {
            let like = self.one_like_this();
            self.start(ReadHistory { file, like, at });
        }
    }

    /// Like [`history_place`](Self::history_place). Says so if there is none.
    fn file_with_history(&mut self) -> Option<Place> {
        let file = self.history_place();
        if file.is_none() {
            self.say_error("no history: this input is no file in a folder, archive or bucket");
        }
        file
    }

    fn history_known(
        &mut self,
        history: Result<Option<Arc<History>>, String>,
        at: Option<(usize, String)>,
    ) {
        let history = match history {
            Ok(Some(history)) => history,
            Ok(None) => {
                self.say_error("no history: no update of a Pulumi backend (.pulumi), and no other state here with its lineage");
                return;
            }
            Err(error) => {
                self.say_error(format!("no history: {}", shown(&error)));
                return;
            }
        };
        let last = history.updates.len() - 1;
        let (at, subject) = match at {
            Some((at, subject)) => (at.min(last), Some(subject)),
            None => (last, None),
        };
        self.timeline = Some(Timeline {
            records: vec![None; history.updates.len()],
            history,
            at,
            subject,
            is_listed: false,
            before: self.session.input.clone(),
            view_before: self.window.view,
        });
        self.set_view(View::Changes);
        self.show_update();
    }

    fn step_update(&mut self, step: isize) {
        let Some(timeline) = &self.timeline else {
            return;
        };
        let len = timeline.history.updates.len();
        let noun = timeline.history.kind.noun();
        match timeline.at.checked_add_signed(step) {
            Some(at) if at < len => self.go_to_update(at),
            Some(_) => self.say(format!("this is the newest {noun}")),
            None => self.say(format!("this is the oldest stored {noun}")),
        }
    }

    fn go_to_update(&mut self, at: usize) {
        let selected = self.views.of(View::Changes).selected(&self.session);
        let selected = selected.map(|id| self.session.stack().identity(id));
        let row = self.views.changes.list.cursor.row;
        if let Some(timeline) = &mut self.timeline {
            timeline.at = at;
            // If the update does not change the subject, the first row is selected by default.
            let is_kept = timeline.subject.is_some() && !timeline.is_listed && row == 0;
            if !is_kept {
                timeline.subject = selected;
            }
            self.show_update();
        }
    }

    /// Selects the subject of the previous update, if this one changes it.
    pub(super) fn select_subject(&mut self) {
        let Some(timeline) = &mut self.timeline else {
            return;
        };
        let subject = timeline.subject.iter();
        let mut ids = subject.flat_map(|it| self.session.stack().find(it));
        let rows = self.views.changes.list.rows();
        let found = ids.next().and_then(|id| rows.row_of(id));
        timeline.is_listed = found.is_some();
        if let Some(row) = found {
            let (views, ctx) = self.lend();
            views.changes.go(row, &ctx);
            self.follow();
        }
    }

    /// Shows the changes of the update.
    fn show_update(&mut self) {
        let like = self.one_like_this();
        let Some(timeline) = &mut self.timeline else {
            return;
        };
        timeline.is_listed = false;
        let step = timeline.history.step(timeline.at, &like);
        let why = timeline.history.gap(timeline.at);
        self.window.focus = 0;
        if let Some(input) = step {
            self.session.input = input;
            self.load();
        } else {
            self.close_file();
            self.views.changes.list.nothing = Some(why);
            self.say_error(why);
        }
    }

    /// Goes back to the input that was open before the timeline.
    pub(super) fn leave_timeline(&mut self) {
        if let Some(timeline) = self.timeline.take() {
            self.session.input = timeline.before;
            self.load();
            self.set_view(timeline.view_before);
            self.say("the history is closed");
        }
    }

    fn ask_trace(&mut self) {
        let Some(file) = self.file_with_history() else {
            return;
        };
        let spot = match self.spot() {
            Some((Some(id), spot)) => Some((id, spot)),
            Some((None, _)) => None,
            None => self.selected().map(|id| (id, Spot::top(Part::Outputs))),
        };
        let Some((id, spot)) = spot else {
            self.say_error("select a resource or a value of one to see when it last changed");
            return;
        };
        let Some(section) = spot.part.section() else {
            self.say_error("select an input or an output to see when it last changed");
            return;
        };
        let mut path = spot.path.clone();
        path.0.extend(spot.inside.into_iter().flat_map(|it| it.0));
        let name = shown(self.session.stack().short_name(id));
        let mut title = format!("{name} {}", spot.part.name());
        if !path.0.is_empty() {
            title.push(' ');
            title.push_str(&shown(&path.to_string()));
        }
        let urn = self.session.stack().identity(id);
        let trace = Trace::new(title, urn.clone());
        let job = Box::new(TraceValue {
            file,
            like: self.one_like_this(),
            from: self.timeline.as_ref().map(|it| it.at),
            subject: Subject {
                urn,
                section,
                path: path.0,
            },
        });
        self.ask(Effect::Start(trace.ticket.flag(), job));
        self.overlays.push(MenuPopup::new(trace));
    }

    /// Goes to an update of the stack, and selects a resource there.
    pub(super) fn open_update(&mut self, index: usize, urn: String) {
        if let Some(timeline) = &mut self.timeline {
            timeline.at = index;
            timeline.subject = Some(urn);
            self.set_view(View::Changes);
            self.show_update();
        } else {
            self.ask_history(Some((index, urn)));
        }
    }

    /// Opens another file in place of the current one.
    pub(super) fn open(&mut self, input: Input) {
        let view = match input.older {
            Some(_) => View::Brief,
            None => View::Resources,
        };
        self.timeline = None;
        self.session.among = None;
        self.session.tickets.forget::<ReadHistory>();
        self.session.input = input;
        self.close_file();
        self.load();
        self.set_view(view);
        self.window.focus = 0;
    }
}

impl Takes<ReadHistory> for App {
    fn take(&mut self, answer: UpdatesRead) {
        match answer {
            UpdatesRead::Listed(history, at) => self.history_known(history, at),
            UpdatesRead::Recorded(index, record) => {
                if let Some(timeline) = &mut self.timeline
                    && let Some(slot) = timeline.records.get_mut(index)
                {
                    *slot = Some(record);
                }
            }
        }
    }
}

impl Takes<TraceValue> for App {
    fn take(&mut self, answer: Tracing) {
        if let Some(trace) = self.overlays.get_mut::<MenuPopup<Trace>>() {
            match answer {
                Tracing::Traced(traced, record) => trace.menu.take(*traced, record),
                Tracing::Ended(has_history) => trace.menu.end(has_history),
            }
        }
    }
}
