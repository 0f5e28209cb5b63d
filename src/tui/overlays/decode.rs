//! Decoding a string step by step: a list of decoders, and the decoded value as a tree whose strings can be decoded further.
//!
//! A value decoded from a secret is a secret too ([`crate::value::output`]). It shows as `[secret]` until the person reveals it.

use std::collections::HashMap;

use super::popup::{Popup, RowUse};
use super::text::TextView;
use super::{Outcome, boxed, framed, width_around};
use crate::change::decode::{Decoder, likely};
use crate::path::Path;
use crate::stack::Kind;
use crate::tui::command::{Command, FoldCommand};
use crate::tui::jobs::decode::DecodeValue;
use crate::tui::keymap::{self, Scope};
use crate::tui::panes::list::{Folded, RowList};
use crate::tui::panes::{line_of_row, width_of_row};
use crate::tui::popup::{Stage, Wanted};
use crate::tui::rows::{self, Fold, Leads, Look, Part, Row, Span, Spot, lossless_text};
use crate::tui::session::Secret;
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::cursor::{Cursor, Page};
use crate::tui::widgets::frame::Labels;
use crate::tui::widgets::list_area::ListArea;
use crate::tui::widgets::pen::Pen;
use crate::value::{Payload, Shown, Value};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use zeroize::Zeroizing;

/// Minimum width of the list of decoders, in cells. Its last line says why a decoder failed.
const CHOOSING: usize = 60;

/// The result of one decoder.
#[derive(Clone, Debug)]
pub struct Step {
    /// The decoder.
    pub decoder: Decoder,
    /// The decoded value.
    pub value: Value,
    /// The rows of the value.
    pub list: RowList,
}

/// The list of decoders for one string.
#[derive(Clone, Debug)]
pub struct Choosing {
    /// The string to decode.
    pub of: Value,
    /// Key or path of the string, escaped.
    pub label: String,
    /// All decoders, the likely ones first.
    pub offers: Vec<Decoder>,
    /// Number of likely decoders. Zero if the text must not or cannot be examined: a secret or an unknown value.
    pub n_likely: usize,
    /// The selected decoder.
    pub cursor: Cursor,
    /// The reason for which the last decoder failed.
    pub complaint: String,
    /// True while a decoder runs.
    pub is_waiting: bool,
}

impl Choosing {
    /// Handles a command while the person chooses a decoder.
    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        match command {
            Command::Move(motion) => {
                let list = self.list(stage);
                self.cursor
                    .obey(motion, Page::flat(list.len, list.height()));
            }
            Command::Accept => {
                let Some(decoder) = self.chosen() else {
                    return Outcome::Nothing;
                };
                self.is_waiting = true;
                self.complaint.clear();
                let job = DecodeValue(decoder, self.of.clone());
                return Outcome::Start(Box::new(job));
            }
            _ => return Outcome::Nothing,
        }
        Outcome::Done
    }

    fn labels(&self) -> Labels {
        Labels {
            title: format!("Decode {} as", self.label),
            status: keymap::hints(
                Scope::Decoders,
                &[(Command::Accept, "decode"), (Command::Cancel, "back")],
            ),
            focused: true,
        }
    }

    /// The area of the list.
    fn area(&self, stage: Stage) -> Rect {
        stage.beside(&Wanted {
            width: width_around(&self.labels(), CHOOSING),
            min_width: CHOOSING,
            // The frame, a blank line and a remark.
            height: |_| self.offers.len() + 4,
        })
    }

    /// The rows on the screen.
    fn list(&self, stage: Stage) -> ListArea {
        let inner = boxed(self.area(stage)).inner;
        let list = Rect {
            height: inner.height.saturating_sub(1),
            ..inner
        };
        ListArea::new(list, self.offers.len())
    }

    /// All decoders for this string.
    pub fn new(of: Value, label: String) -> Self {
        let fit = match of.shown() {
            Shown::Plain(Payload::String(text)) => likely(text.as_bytes()),
            _ => Vec::new(),
        };
        let others = Decoder::ALL.into_iter().filter(|it| !fit.contains(it));
        Self {
            n_likely: fit.len(),
            offers: fit.iter().copied().chain(others).collect(),
            of,
            label,
            cursor: Cursor::default(),
            complaint: String::new(),
            is_waiting: false,
        }
    }

    /// The decoder that Enter applies.
    pub fn chosen(&self) -> Option<Decoder> {
        self.offers.get(self.cursor.row).copied()
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let area = framed(self.area(stage), &self.labels(), theme, buffer);
        let list = self.list(stage);
        list.draw(self.cursor, theme, buffer, |buffer, area, row| {
            let is_likely = row < self.n_likely;
            let role = if is_likely { Role::Key } else { Role::Text };
            let mut pen = Pen::new(buffer, theme, area, 0);
            pen.skip(1)
                .put(&format!("{:<14}", self.offers[row].name()), role);
            if is_likely {
                pen.put("detected", Role::Good);
            }
        });
        let bottom = area.height.saturating_sub(1);
        let (text, role) = match (&*self.complaint, self.is_waiting) {
            (_, true) => ("decoding …", Role::Badge),
            ("", _) if self.of.is_secret() => ("secrets are not inspected in advance", Role::Dim),
            (complaint, _) => (complaint, Role::Danger),
        };
        Pen::new(buffer, theme, area, bottom)
            .skip(1)
            .put(text, role);
    }
}

/// Returns the reason that a value cannot be decoded, or `None` if it can. A value known after apply may be decoded: the result
/// is also known after apply.
pub fn not_decodable(value: &Value) -> Option<&'static str> {
    match value.payload() {
        Payload::String(_) | Payload::Computed(_) => None,
        Payload::Sealed(_) => Some("the file holds only ciphertext of this value"),
        // Not even the kind of a secret is revealed.
        _ if value.is_secret() => None,
        _ => Some("only strings are decoded; select one"),
    }
}

/// A string that is being decoded.
#[derive(Clone, Debug)]
pub struct Decode {
    /// Key or path of the first string, escaped.
    pub label: String,
    /// The kind of the file.
    kind: Kind,
    /// The results so far. Each was decoded from a string of the previous one.
    pub steps: Vec<Step>,
    /// The list of decoders, while the person chooses one.
    pub choosing: Option<Choosing>,
    /// True while the decoded secrets are shown.
    pub is_revealed: bool,
}

impl Decode {
    /// Offers the decoders for `of`, a string of a file of this kind.
    pub fn new(of: Value, label: String, kind: Kind) -> Self {
        Self {
            label: label.clone(),
            kind,
            steps: Vec::new(),
            choosing: Some(Choosing::new(of, label)),
            is_revealed: false,
        }
    }

    /// Takes the result of a decoder.
    pub fn push(&mut self, decoder: Decoder, value: Value, stage: Stage) {
        let mut list = RowList::default();
        // The first levels are opened, because a value is decoded in order to be looked at.
        let open = rows::containers(&value.reveal(), &top(), 2, 200);
        list.open.extend(open);
        list.open.insert(Spot {
            inside: Some(Path::root()),
            ..top()
        });
        self.choosing = None;
        self.steps.push(Step {
            decoder,
            value,
            list,
        });
        self.remake(stage);
    }

    /// Goes back one step. Returns false if no step is left.
    pub fn pop(&mut self) -> bool {
        if self.choosing.take().is_some() {
            return !self.steps.is_empty();
        }
        self.steps.pop();
        !self.steps.is_empty()
    }

    /// Rebuilds the rows of the last step.
    pub fn remake(&mut self, stage: Stage) {
        let (is_revealed, pulumi) = (self.is_revealed, self.kind.is_pulumi());
        let Some(step) = self.steps.last_mut() else {
            return;
        };
        let value = if is_revealed {
            step.value.reveal()
        } else {
            step.value.clone()
        };
        let sources = HashMap::new();
        let look = Look {
            open: &step.list.open,
            revealed: None,
            sources: &sources,
            pulumi,
        };
        let mut made = rows::rows_below(&value, &top(), 0, look);
        for row in &mut made {
            if row.secret {
                let key = keymap::key_in(Scope::Decoded, Command::Reveal);
                row.remark = vec![Span::new(format!("{key} reveal"), Role::Dim)];
            }
        }
        if made.is_empty() {
            made = empty(&value);
        }
        // The area depends on the rows.
        step.list.set_rows(made);
        let height = self.height(stage);
        if let Some(step) = self.steps.last_mut() {
            step.list
                .cursor
                .fit(Page::flat(step.list.rows.len(), height));
        }
    }

    /// The value of the selected row and its label. The value keeps what is known about everything that it came from.
    pub fn selected(&self) -> Option<(Value, String)> {
        let step = self.steps.last()?;
        let row = step.list.selected()?;
        let spot = row.spot.clone();
        let found = crate::value::output::apply_value(&step.value, |plain| {
            let value = spot.path.get(plain).ok_or(())?;
            match &spot.inside {
                Some(inside) if !inside.0.is_empty() => {
                    let document = rows::decoded(value).ok_or(())?;
                    inside.get(&document.value).cloned().ok_or(())
                }
                _ => Ok(value.clone()),
            }
        });
        let label = if row.label.is_empty() {
            step.decoder.name().to_owned()
        } else {
            row.label.clone()
        };
        Some((found.ok()?, label))
    }

    /// True if the value on the screen is a secret.
    pub fn is_secret(&self) -> bool {
        self.steps.last().is_some_and(|step| step.value.is_secret())
    }

    /// Number of decoded rows on the screen at once.
    fn height(&self, stage: Stage) -> usize {
        self.decoded_list(stage).map_or(0, |list| list.height())
    }

    fn labels(&self, step: &Step) -> Labels {
        let mut title = self.label.clone();
        for step in &self.steps {
            title.push_str(" › ");
            title.push_str(step.decoder.name());
        }
        if self.is_secret() {
            title.push_str(if self.is_revealed {
                " · secret, revealed"
            } else {
                " · secret"
            });
        }
        Labels {
            title,
            status: format!("{} of {}", step.list.cursor.row + 1, step.list.rows.len()),
            focused: true,
        }
    }

    /// The area of the decoded value: beside the value that it comes from, or a page if it is large.
    fn decoded_area(&self, stage: Stage) -> Option<Rect> {
        let step = self.steps.last()?;
        let room = usize::from(stage.body.width);
        let height = usize::from(stage.body.height);
        // A value of more rows is a page, however wide its rows are.
        let rows = step.list.rows.iter().take(height);
        let widths = rows.map(|row| width_of_row(row, room / 3));
        let width = width_around(&self.labels(step), widths.max().unwrap_or(0));
        Some(stage.beside_or_page(&Wanted {
            width,
            min_width: width.min(room / 2),
            height: |_| step.list.rows.len() + 2,
        }))
    }

    /// The decoded rows on the screen.
    fn decoded_list(&self, stage: Stage) -> Option<ListArea> {
        let inner = boxed(self.decoded_area(stage)?).inner;
        Some(ListArea::new(inner, self.steps.last()?.list.rows.len()))
    }

    /// The stage of the list of decoders: it explains the decoded string that is selected.
    fn stage_of_choosing(&self, stage: Stage) -> Stage {
        let cursor = self.steps.last().map(|step| step.list.cursor);
        let row = cursor.zip(self.decoded_list(stage));
        let row = row.and_then(|(cursor, list)| {
            let mut rows = list.rows(cursor.top);
            rows.find_map(|(area, row)| (row == cursor.row).then_some(area))
        });
        Stage {
            row: row.or(stage.row),
            ..stage
        }
    }

    /// Handles a command while a decoded value is shown.
    fn obey(&mut self, command: Command, stage: Stage) -> Outcome {
        let height = self.height(stage);
        let Some(step) = self.steps.last_mut() else {
            return Outcome::Done;
        };
        let list = &mut step.list;
        let len = list.rows.len();
        match command {
            Command::Move(motion) => list.cursor.obey(motion, Page::flat(len, height)),
            Command::Fold(FoldCommand::Expand) if list.expand() == Folded::Leaf => {
                return Outcome::Nothing;
            }
            Command::Fold(FoldCommand::Collapse) if list.collapse() == Folded::Leaf => {
                return Outcome::Nothing;
            }
            Command::Fold(FoldCommand::Expand | FoldCommand::Collapse) => self.remake(stage),
            Command::Fold(FoldCommand::Activate) => return self.activate(stage),
            Command::Decode => return self.decode_further(),
            Command::Reveal => return self.ask_to_show(),
            Command::HideAll => return Outcome::Hide,
            _ => return Outcome::Nothing,
        }
        Outcome::Done
    }

    /// Opens or closes the selected row, shows a long text, or offers to decode further.
    fn activate(&mut self, stage: Stage) -> Outcome {
        let list = self.steps.last_mut().map(|step| &mut step.list);
        let Some((list, row)) = list.and_then(|list| {
            let row = list.selected()?.clone();
            Some((list, row))
        }) else {
            return Outcome::Nothing;
        };
        if row.fold != Fold::Leaf {
            list.toggle();
            self.remake(stage);
            Outcome::Done
        } else if row.secret {
            self.ask_to_show()
        } else if row.leads == Leads::Text {
            self.open_text()
        } else {
            self.decode_further()
        }
    }

    fn open_text(&self) -> Outcome {
        let Some((value, title)) = self.selected() else {
            return Outcome::Nothing;
        };
        let is_secret = value.is_secret();
        if is_secret && !self.is_revealed {
            return Outcome::Nothing;
        }
        match lossless_text(&value.reveal()) {
            Some(text) => Outcome::Open(Box::new(TextView::plain(
                title,
                Zeroizing::new(text),
                is_secret,
            ))),
            None => Outcome::Nothing,
        }
    }

    fn decode_further(&mut self) -> Outcome {
        let Some((value, label)) = self.selected() else {
            return Outcome::Nothing;
        };
        if let Some(why) = not_decodable(&value) {
            return Outcome::Complain(why.to_owned());
        }
        self.choosing = Some(Choosing::new(value, label));
        Outcome::Done
    }

    fn ask_to_show(&self) -> Outcome {
        if self.is_secret() {
            Outcome::AskToShow {
                what: format!("the decoded form of {}", self.label),
                secret: Secret::Decoded,
            }
        } else {
            Outcome::Say("this value is not secret".to_owned())
        }
    }

    fn view_step(&self, step: &Step, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        let (Some(area), Some(list)) = (self.decoded_area(stage), self.decoded_list(stage)) else {
            return;
        };
        framed(area, &self.labels(step), theme, buffer);
        let max_align = usize::from(list.area.width) / 3;
        list.draw(step.list.cursor, theme, buffer, |buffer, area, row| {
            let mut pen = Pen::new(buffer, theme, area, 0);
            line_of_row(&step.list.rows[row], pen.room(), max_align).draw(&mut pen);
        });
    }
}

impl Popup for Decode {
    fn scopes(&self) -> &'static [Scope] {
        match self.choosing {
            Some(_) => &[Scope::Decoders],
            None => &[Scope::Decoded],
        }
    }

    /// Only a secret can be revealed.
    fn obeys(&self, command: Command) -> bool {
        command != Command::Reveal || self.is_secret() && !self.is_revealed
    }

    fn row_use(&self, _: usize) -> RowUse {
        match self.choosing {
            Some(_) => RowUse::Choose(Command::Accept),
            None => RowUse::Open(Command::Fold(FoldCommand::Activate)),
        }
    }

    /// The area of the part that has the keys.
    fn area(&self, stage: Stage) -> Rect {
        match &self.choosing {
            Some(choosing) => choosing.area(self.stage_of_choosing(stage)),
            None => self.decoded_area(stage).unwrap_or(stage.body),
        }
    }

    /// The rows of the part that has the keys, and its cursor.
    fn list(&self, stage: Stage) -> Option<(ListArea, Cursor)> {
        if let Some(choosing) = &self.choosing {
            let list = choosing.list(self.stage_of_choosing(stage));
            return Some((list, choosing.cursor));
        }
        let cursor = self.steps.last()?.list.cursor;
        Some((self.decoded_list(stage)?, cursor))
    }

    /// The cursor of the part that has the keys.
    fn cursor(&mut self) -> Option<&mut Cursor> {
        match &mut self.choosing {
            Some(choosing) => Some(&mut choosing.cursor),
            None => Some(&mut self.steps.last_mut()?.list.cursor),
        }
    }

    fn update(&mut self, command: Command, stage: Stage) -> Outcome {
        if command == Command::Cancel {
            if !self.pop() {
                return Outcome::Close;
            }
            self.remake(stage);
            return Outcome::Done;
        }
        let of_choosing = self.stage_of_choosing(stage);
        match &mut self.choosing {
            Some(choosing) => choosing.update(command, of_choosing),
            None => self.obey(command, stage),
        }
    }

    fn view(&self, theme: &Theme, stage: Stage, buffer: &mut Buffer) {
        if let Some(step) = self.steps.last() {
            self.view_step(step, theme, stage, buffer);
        }
        if let Some(choosing) = &self.choosing {
            choosing.view(theme, self.stage_of_choosing(stage), buffer);
        }
    }
}

fn top() -> Spot {
    Spot::top(Part::Outputs)
}

/// The row of an empty container.
fn empty(value: &Value) -> Vec<Row> {
    vec![Row {
        depth: 0,
        fold: rows::Fold::Leaf,
        label: String::new(),
        align: 0,
        sign: None,
        body: vec![rows::leaf(value, false)],
        remark: Vec::new(),
        spot: top(),
        leads: rows::Leads::Nowhere,
        secret: false,
    }]
}
