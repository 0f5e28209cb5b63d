//! A pen: writes one line of cells from left to right and stops at the end of its room.
//!
//! A pen that asks writes nothing. It finds the part of the line that lies at a column, so that a click means what was laid out
//! there, whatever the text of it.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::span::{Span, Zone};
use super::text::{cells, fit, line_end, width, wrap_words};
use crate::tui::theme::{Role, Theme};

/// Writes one line. Text that does not fit ends in `…`.
pub struct Pen<'a> {
    sheet: Sheet<'a>,
    theme: &'a Theme,
    x: u16,
    y: u16,
    end: u16,
}

/// The thing that a pen writes on.
enum Sheet<'a> {
    /// The cells of the screen.
    Screen(&'a mut Buffer),
    /// Nothing: the pen asks what lies at a column.
    Asked { column: u16, zone: Zone },
}

impl<'a> Pen<'a> {
    /// A pen at the start of line `line` of `area`. It has no room if the area has no such line.
    pub fn new(buffer: &'a mut Buffer, theme: &'a Theme, area: Rect, line: u16) -> Self {
        let area = area.intersection(buffer.area);
        Self::on(Sheet::Screen(buffer), theme, area, line)
    }

    /// A pen that asks what lies at a position, with the line of `area` there as its room.
    pub fn asking(theme: &'a Theme, area: Rect, at: Position) -> Self {
        let sheet = Sheet::Asked {
            column: at.x,
            zone: Zone::Row,
        };
        Self::on(sheet, theme, area, at.y.saturating_sub(area.y))
    }

    fn on(sheet: Sheet<'a>, theme: &'a Theme, area: Rect, line: u16) -> Self {
        let room = if line < area.height { area.width } else { 0 };
        Self {
            sheet,
            theme,
            x: area.x,
            y: area.y + line.min(area.height.saturating_sub(1)),
            end: area.x + room,
        }
    }

    /// The part of the line that lies at the column that the pen asks about.
    pub fn zone(&self) -> Zone {
        match self.sheet {
            Sheet::Screen(_) => Zone::Row,
            Sheet::Asked { zone, .. } => zone,
        }
    }

    /// Writes a text of this many cells at a column.
    fn write(&mut self, x: u16, text: &str, room: usize, style: Style, of: Zone) {
        let end = x + cells(width(text).min(room));
        match &mut self.sheet {
            Sheet::Screen(buffer) => _ = buffer.set_stringn(x, self.y, text, room, style),
            Sheet::Asked { column, zone } if (x..end).contains(column) => *zone = of,
            Sheet::Asked { .. } => {}
        }
    }

    /// Number of cells left.
    pub fn room(&self) -> usize {
        usize::from(self.end.saturating_sub(self.x))
    }

    /// Writes `text`.
    pub fn put(&mut self, text: &str, role: Role) -> &mut Self {
        let style = self.theme.style(role);
        self.put_styled(text, style)
    }

    /// Writes `text` in the given style.
    pub fn put_styled(&mut self, text: &str, style: Style) -> &mut Self {
        self.put_part(text, style, Zone::Row)
    }

    /// Writes a span.
    pub fn put_span(&mut self, span: &Span) -> &mut Self {
        self.put_part(&span.text, self.theme.style(span.role), span.zone)
    }

    fn put_part(&mut self, text: &str, style: Style, zone: Zone) -> &mut Self {
        let room = self.room();
        if room == 0 || text.is_empty() {
            return self;
        }
        let text = fit(text, room);
        self.write(self.x, &text, room, style, zone);
        self.x += cells(width(&text)).min(self.end - self.x);
        self
    }

    /// Writes spans, one after the other.
    pub fn put_all(&mut self, spans: &[Span]) -> &mut Self {
        for span in spans {
            self.put_span(span);
        }
        self
    }

    /// Moves `n` cells to the right, at most to the end of the room.
    pub fn skip(&mut self, n: usize) -> &mut Self {
        self.x = self.x.saturating_add(cells(n)).min(self.end);
        self
    }

    /// Writes spans at the right end if all of them and a blank fit. The cells left of them remain for the text that follows.
    pub fn put_right(&mut self, spans: &[Span]) -> &mut Self {
        let needed: usize = spans.iter().map(|span| width(&span.text)).sum();
        if spans.is_empty() || needed + 1 > self.room() {
            return self;
        }
        let mut x = self.end - cells(needed);
        let end = x;
        for span in spans {
            self.write(
                x,
                &span.text,
                needed,
                self.theme.style(span.role),
                span.zone,
            );
            x += cells(width(&span.text));
        }
        self.end = end - 1;
        self
    }
}

/// Spans with a gap between each two.
pub fn joined(spans: impl IntoIterator<Item = Span>, gap: &str) -> Vec<Span> {
    let mut all = Vec::new();
    for span in spans {
        if !all.is_empty() {
            all.push(Span::new(gap, Role::Dim));
        }
        all.push(span);
    }
    all
}

/// Draws a text, wrapped and one cell from the left of an area. Returns the area below it.
pub fn put_text(text: &str, role: Role, theme: &Theme, area: Rect, buffer: &mut Buffer) -> Rect {
    let lines = wrap_words(text, usize::from(area.width).saturating_sub(2));
    for (line, piece) in (0..area.height).zip(&lines) {
        Pen::new(buffer, theme, area, line).skip(1).put(piece, role);
    }
    below(area, lines.len())
}

/// The area without its first lines.
pub fn below(area: Rect, n_lines: usize) -> Rect {
    let used = cells(n_lines).min(area.height);
    Rect {
        y: area.y + used,
        height: area.height - used,
        ..area
    }
}

/// Wraps spans into lines of at most `room` cells, broken between words. A word that is longer than a line is cut. The space at a
/// break is left out. Each piece keeps its role. Returns at most `limit` lines, but at least one.
pub fn wrapped(spans: &[Span], room: usize, limit: usize) -> Vec<Vec<Span>> {
    let text = text_of(spans);
    let (mut lines, mut start) = (Vec::new(), 0);
    loop {
        let end = start + line_end(&text[start..], room);
        lines.push(part_of(spans, start..end));
        start = end;
        if text[start..].starts_with(' ') {
            start += 1;
        }
        if start >= text.len() || lines.len() >= limit {
            return lines;
        }
    }
}

/// The first spans that have room, the last one cut at its end.
pub fn cut(spans: &[Span], room: usize) -> Vec<Span> {
    let mut left = room;
    let mut shown = Vec::new();
    for span in spans {
        let text = fit(&span.text, left);
        let is_whole = width(&text) == width(&span.text);
        left -= width(&text).min(left);
        shown.push(span.with_text(text));
        if !is_whole || left == 0 {
            break;
        }
    }
    shown
}

/// The whole text of spans.
pub fn text_of(spans: &[Span]) -> zeroize::Zeroizing<String> {
    spans
        .iter()
        .map(|span| &*span.text)
        .collect::<String>()
        .into()
}

/// The parts of the spans with these bytes of their whole text.
pub fn part_of(spans: &[Span], bytes: Range<usize>) -> Vec<Span> {
    let mut at = 0;
    let parts = spans.iter().filter_map(|span| {
        let from = bytes.start.saturating_sub(at);
        let to = bytes.end.saturating_sub(at).min(span.text.len());
        at += span.text.len();
        (from < to).then(|| span.with_text(&span.text[from..to]))
    });
    parts.collect()
}

/// Total width of the spans, in cells.
pub fn width_of(spans: &[Span]) -> usize {
    spans.iter().map(|span| width(&span.text)).sum()
}

#[cfg(test)]
mod tests {
    use ratatui::layout::{Position, Rect};

    use super::super::span::{Span, Zone};
    use super::{Pen, wrapped};
    use crate::tui::theme::{Background, Depth, Role, Theme};

    #[track_caller]
    fn check(parts: &[(&str, Role)], room: usize, want: &[&[(&str, Role)]]) {
        let spans: Vec<_> = parts
            .iter()
            .map(|(text, role)| Span::new(*text, *role))
            .collect();
        let lines = wrapped(&spans, room, 100);
        let got: Vec<Vec<(&str, Role)>> = lines
            .iter()
            .map(|line| line.iter().map(|span| (&*span.text, span.role)).collect())
            .collect();
        assert_eq!(got, want);
    }

    #[test]
    fn every_piece_of_a_wrapped_line_keeps_its_role() {
        let (old, arrow, new) = (Role::String, Role::Dim, Role::Unknown);
        check(
            &[("abcde", old), ("→", arrow), ("xyz", new)],
            4,
            &[
                &[("abcd", old)],
                &[("e", old), ("→", arrow), ("xy", new)],
                &[("z", new)],
            ],
        );
        check(&[], 4, &[&[]]);
        // Words stay whole, also those of several roles.
        check(
            &[("one two", old), ("three", new), (" four", old)],
            8,
            &[
                &[("one", old)],
                &[("two", old), ("three", new)],
                &[("four", old)],
            ],
        );
        check(
            &[("  abcdefgh", old)],
            6,
            &[&[("  abcd", old)], &[("efgh", old)]],
        );
        check(&[("日本", old)], 1, &[&[("日", old)], &[("本", old)]]);
        check(&[("日本", old)], 3, &[&[("日", old)], &[("本", old)]]);
    }

    #[test]
    fn a_pen_that_asks_finds_the_part_by_its_place_not_by_its_text() {
        let theme = Theme::new(Depth::None, None, Background::Unknown);
        let area = Rect::new(3, 2, 12, 1);
        let zone = |x| {
            let mut pen = Pen::asking(&theme, area, Position::new(x, 2));
            let link = Span::new("↗ b", Role::Reference).of(Zone::Link);
            pen.put_right(&[link])
                .put_span(&Span::fold(true, Role::Dim))
                .put("▸ ↗ and more", Role::Text);
            pen.zone()
        };
        let zones: Vec<_> = (0..18).map(zone).collect();
        let (row, fold, link) = (Zone::Row, Zone::Fold, Zone::Link);
        let mut want = vec![row; 18];
        want[3..5].fill(fold);
        want[12..15].fill(link);
        assert_eq!(zones, want);
    }

    #[test]
    fn no_more_lines_are_made_than_are_shown() {
        let long = [Span::new("a".repeat(1000), Role::Text)];
        assert_eq!(wrapped(&long, 10, 3).len(), 3);
    }
}
