//! Drawing a source and the list of files.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use zeroize::Zeroize;

use super::super::type_in::draw_prompt;
use super::super::{boxed, clear};
use super::{SourceView, find};
use crate::change::configuration::{Configuration, Listing, Masking, Paint};
use crate::tui::command::Command;
use crate::tui::keymap::{self, Scope};
use crate::tui::rows::{Span, shown};
use crate::tui::theme::{Role, Theme};
use crate::tui::widgets::frame::{self, Labels};
use crate::tui::widgets::pen::Pen;
use crate::tui::widgets::scrollbar;
use crate::tui::widgets::text::{count, fit_end, plural, prefix, width, wrap_words};

impl SourceView {
    /// Draws the source over the whole body.
    pub(super) fn draw(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        clear(body, buffer);
        let pane = boxed(body);
        frame::draw(pane, &self.labels(body), theme, buffer);
        let area = pane.inner;
        match (&self.configuration, &self.files) {
            (None, _) => {
                let mut pen = Pen::new(buffer, theme, area, 0);
                pen.skip(1).put("reading the configuration…", Role::Dim);
            }
            (Some(configuration), Some(_)) => {
                self.view_files(configuration, theme, body, buffer);
            }
            (Some(_), None) => self.view_lines(theme, body, buffer),
        }
        if let Some((prompt, _)) = &self.finding {
            let line = Rect::new(area.x, area.bottom().saturating_sub(1), area.width, 1);
            let line = line.intersection(area);
            clear(line, buffer);
            let mut pen = Pen::new(buffer, theme, line, 0);
            pen.put("/", Role::Hint);
            draw_prompt(prompt, &mut pen, theme);
        }
    }

    fn labels(&self, body: Rect) -> Labels {
        let room = usize::from(body.width).saturating_sub(24);
        let (title, status) = match (&self.configuration, &self.files, self.listing()) {
            (Some(configuration), Some(_), _) => (
                "configuration".to_owned(),
                plural(configuration.files.len(), "file"),
            ),
            (Some(_), None, Some(listing)) => {
                let module = if listing.module.is_empty() {
                    String::new()
                } else {
                    format!(" · {}", shown(&listing.module))
                };
                let title = format!("{}{module}", shown(&listing.path));
                let cut = if listing.is_cut { " · cut" } else { "" };
                let [line, all] = [self.cursor.row + 1, listing.n_lines()].map(|n| count(n as u64));
                let status = format!("line {line} of {all}{cut}");
                (title, status)
            }
            _ => ("configuration".to_owned(), String::new()),
        };
        Labels {
            title: fit_end(&title, room),
            status,
            focused: true,
        }
    }

    fn view_files(
        &self,
        configuration: &Configuration,
        theme: &Theme,
        body: Rect,
        buffer: &mut Buffer,
    ) {
        let Some((list, cursor)) = self.list_area(body) else {
            return;
        };
        let area = boxed(body).inner;
        let room = usize::from(area.width).saturating_sub(2);
        let remark = self.remark().unwrap_or_default();
        let pieces = wrap_words(&remark, room).into_iter();
        for (line, piece) in (area.y..list.area.y).zip(pieces) {
            let mut pen = Pen::new(buffer, theme, area, line - area.y);
            pen.skip(1).put(piece, Role::Badge);
        }
        let paths = configuration.files.iter();
        let widest = paths.map(|file| width(&shown(&file.path))).max();
        list.draw(cursor, theme, buffer, |buffer, area, row| {
            let file = &configuration.files[row];
            let mut pen = Pen::new(buffer, theme, area, 0);
            let lines = plural(file.n_lines(), "line");
            pen.skip(1).put_right(&[Span::new(lines, Role::Dim)]);
            let path = shown(&file.path);
            let blanks = widest.unwrap_or(0).min(60).saturating_sub(width(&path)) + 2;
            pen.put(&path, Role::Title).skip(blanks);
            let module = if file.module.is_empty() {
                "the root module".to_owned()
            } else {
                shown(&file.module)
            };
            pen.put(&module, Role::Dim);
        });
    }

    fn view_lines(&self, theme: &Theme, body: Rect, buffer: &mut Buffer) {
        let (Some(listing), Some((list, cursor))) = (self.listing(), self.list_area(body)) else {
            return;
        };
        let digits = listing.n_lines().to_string().len();
        let block = self.place.as_ref().filter(|place| place.file == self.file);
        for (area, index) in list.rows(cursor.top) {
            let in_block = block.is_some_and(|place| place.lines.contains(&index));
            let revealed = self.revealed.as_ref();
            let masking = match revealed.filter(|lines| lines.contains(&index)) {
                Some(_) => Masking::Revealed,
                None => Masking::Masked,
            };
            let mut pen = Pen::new(buffer, theme, area, 0);
            let number = format!("{:>digits$} ", index + 1);
            pen.put(&number, if in_block { Role::Focus } else { Role::Dim });
            pen.put(if in_block { "▌ " } else { "  " }, Role::Focus);
            if listing.is_masked(index) && cursor.row == index {
                let hint = |command, word| keymap::hints(Scope::Source, &[(command, word)]);
                let (remark, role) = match masking {
                    Masking::Masked => (hint(Command::Reveal, "reveal"), Role::Dim),
                    Masking::Revealed => {
                        let hint = hint(Command::HideAll, "hide");
                        (format!("revealed · {hint}"), Role::Danger)
                    }
                };
                pen.put_right(&[Span::new(remark, role)]);
            }
            self.draw_line(listing, index, masking, &mut pen);
            if index == cursor.row {
                theme.highlight(buffer, area, true);
            }
        }
        scrollbar::draw(buffer, theme, list.bar(cursor.top));
    }

    fn draw_line(&self, listing: &Listing, index: usize, masking: Masking, pen: &mut Pen<'_>) {
        let sought = match &self.finding {
            Some((prompt, _)) => prompt.text(),
            None => &self.sought,
        };
        let mut left = self.left;
        for mut part in listing.line(index, masking) {
            let role = role(part.paint);
            let mut text = shown(&part.text.replace('\t', "    "));
            let cells = width(&text);
            if left >= cells {
                left -= cells;
            } else {
                let hidden = prefix(&text, left).len();
                left = 0;
                let rest = &text[hidden..];
                match find(rest, sought).filter(|_| part.paint != Paint::Secret) {
                    Some(at) => {
                        pen.put(&rest[..at.start], role);
                        pen.put(&rest[at.clone()], Role::Match);
                        pen.put(&rest[at.end..], role);
                    }
                    None => {
                        pen.put(rest, role);
                    }
                }
            }
            if masking == Masking::Revealed {
                part.text.zeroize();
                text.zeroize();
            }
        }
    }
}

fn role(paint: Paint) -> Role {
    match paint {
        Paint::Plain => Role::Text,
        Paint::Comment => Role::Dim,
        Paint::Keyword | Paint::BlockType => Role::Keyword,
        Paint::Label | Paint::Function => Role::Title,
        Paint::Attribute => Role::Key,
        Paint::String => Role::String,
        Paint::Escape | Paint::Template => Role::Badge,
        Paint::Number => Role::Number,
        Paint::Bool => Role::Bool,
        Paint::Null => Role::Null,
        Paint::Reference => Role::Name,
        Paint::Secret => Role::Secret,
    }
}
