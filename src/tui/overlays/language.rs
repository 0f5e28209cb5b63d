//! The page about the query language, made from its tables: [`SYNTAX`] and [`FIELDS`].

use super::text::{About, TextLine, TextView};
use crate::search::{FIELDS, Field, SYNTAX, Syntax};
use crate::tui::rows::Span;
use crate::tui::theme::Role;
use crate::tui::widgets::text::{width, wrap_words};

/// Cells before an explanation.
const INDENT: usize = 4;

/// Maximum width of an explanation in cells. Longer lines are hard to read.
const MAX_WIDTH: usize = 100;

/// The page, for a screen of `width` cells.
pub fn page(width: u16) -> TextView {
    let room = usize::from(width).saturating_sub(4).clamp(20, MAX_WIDTH);
    let mut lines = vec![TextLine::of("Terms", Role::Title)];
    for syntax in SYNTAX {
        form(syntax, room, &mut lines);
    }
    lines.push(TextLine::default());
    lines.push(TextLine::of("Fields of a resource", Role::Title));
    let name_width = FIELDS.iter().map(width_of_name).max();
    for field in FIELDS {
        one_field(field, name_width.unwrap_or(0), room, &mut lines);
    }
    TextView::of_lines("The query language", lines, About::Everything)
}

/// The examples of a form, then its meaning.
fn form(syntax: &Syntax, room: usize, lines: &mut Vec<TextLine>) {
    let mut spans = vec![Span::new("  ", Role::Text)];
    for example in syntax.examples {
        spans.push(Span::new(*example, Role::Key));
        spans.push(Span::new("   ", Role::Text));
    }
    lines.push(spans.into());
    explain(syntax.help, INDENT, room, lines);
}

fn width_of_name(field: &Field) -> usize {
    width(field.name) + 1
}

/// The name of a field beside its meaning, then the words that it takes.
fn one_field(field: &Field, name_width: usize, room: usize, lines: &mut Vec<TextLine>) {
    let indent = 2 + name_width + 2;
    let from = lines.len();
    explain(field.help, indent, room, lines);
    if let Some(first) = lines.get_mut(from) {
        let gap = indent - 2 - width_of_name(field);
        let name = Span::new(format!("  {}:{}", field.name, " ".repeat(gap)), Role::Key);
        first.spans[0] = name;
    }
    explain(&field.words().join(", "), indent, room, lines);
}

/// Adds a text in lines of its own.
fn explain(text: &str, indent: usize, room: usize, lines: &mut Vec<TextLine>) {
    if text.is_empty() {
        return;
    }
    for piece in wrap_words(text, room.saturating_sub(indent).max(10)) {
        let blank = Span::new(" ".repeat(indent), Role::Text);
        lines.push(vec![blank, Span::new(piece, Role::Text)].into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::widgets::pen::width_of;

    #[test]
    fn the_page_has_every_row_of_both_tables_and_fits_its_screen() {
        for width in [40, 80, 120, 200] {
            let page = page(width);
            let lines = page.menu.made().iter().map(|line| {
                let texts = line.spans.iter().map(|span| span.text.as_str());
                texts.collect::<String>()
            });
            let text = lines.collect::<Vec<_>>().join("\n");
            for example in SYNTAX.iter().flat_map(|syntax| syntax.examples) {
                assert!(text.contains(example), "{example}");
            }
            for field in FIELDS {
                assert!(text.contains(&format!("  {}: ", field.name)), "{text}");
                for word in field.words() {
                    assert!(text.contains(word), "{word}");
                }
            }
            if width >= 80 {
                let widest = page
                    .menu
                    .made()
                    .iter()
                    .map(|line| width_of(&line.spans))
                    .max();
                assert!(widest < Some(usize::from(width)), "{widest:?}");
            }
        }
    }
}
