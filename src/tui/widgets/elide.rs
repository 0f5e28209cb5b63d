//! Cutting a line of spans so that the parts that matter stay.

use super::pen::{cut, part_of, text_of, width_of};
use super::span::Span;
use super::text::{fit_end, prefix, width};
use crate::tui::theme::Role;

/// The least number of cells that stay on each side of a mark, if there is room for them.
const LEAST_AROUND: usize = 3;

/// Spans in `room` cells. Marked parts stay and the text around them is shortened. Without marks, the middle is left out.
pub fn elided(spans: &[Span], room: usize) -> Vec<Span> {
    if width_of(spans) <= room {
        return spans.to_vec();
    }
    if has_marks(spans) {
        let fits = |kept: &usize| width_of(&around_marks(spans, *kept)) <= room;
        let few = || (0..LEAST_AROUND).rev().find(fits);
        let kept = most_kept(room, |kept| fits(&kept)).or_else(few);
        return cut_middle(&around_marks(spans, kept.unwrap_or(LEAST_AROUND)), room);
    }
    cut_middle(spans, room)
}

/// Two texts in `room` cells together: their marked parts, with at least `least` cells around each. `None` if there is too little room, or
/// nothing is marked.
pub fn both_elided(sides: [&[Span]; 2], room: usize, least: usize) -> Option<[Vec<Span>; 2]> {
    let shortened = |kept| sides.map(|side| around_marks(side, kept));
    let fits = |kept| {
        shortened(kept)
            .iter()
            .map(|side| width_of(side))
            .sum::<usize>()
            <= room
    };
    let is_marked = sides.iter().any(|side| has_marks(side));
    let few = || (least..LEAST_AROUND).rev().find(|kept| fits(*kept));
    let kept = most_kept(room, fits).or_else(few);
    let kept = kept.filter(|kept| is_marked && *kept >= least)?;
    Some(shortened(kept))
}

/// A text in `room` cells that shows the part from byte `at` on, and as much in front of it as has room.
pub fn elided_from(spans: &[Span], at: usize, room: usize) -> Vec<Span> {
    let text = text_of(spans);
    if width(&text) <= room {
        return spans.to_vec();
    }
    let quote = if text.starts_with('"') { "\"" } else { "" };
    let [before, rest] = [&text[..at], &text[at..]];
    // At least one letter in front says that the text goes on there.
    let around = room.saturating_sub(width(rest) + width(quote)).max(2);
    let start = match fit_end(before, around) {
        whole if whole == before => whole,
        end => format!("{quote}{end}"),
    };
    let left = room.saturating_sub(width(&start));
    let end = if width(rest) > left { "…" } else { "" };
    let rest = prefix(rest, left.saturating_sub(width(end)));
    let mut line = vec![Span::new(start, Role::Text)];
    line.extend(part_of(spans, at..at + rest.len()));
    line.push(Span::new(end, Role::Text));
    cut(&line, room)
}

fn has_marks(spans: &[Span]) -> bool {
    spans.iter().any(|span| span.role == Role::Changed)
}

/// The largest number of cells around marks with which a text fits.
fn most_kept(room: usize, is_fitting: impl Fn(usize) -> bool) -> Option<usize> {
    let (mut fits, mut too_many) = (LEAST_AROUND - 1, room.max(LEAST_AROUND) + 1);
    while fits + 1 < too_many {
        let kept = usize::midpoint(fits, too_many);
        if is_fitting(kept) {
            fits = kept;
        } else {
            too_many = kept;
        }
    }
    (fits >= LEAST_AROUND).then_some(fits)
}

/// The marked spans with up to `kept` cells of the text before and after each.
fn around_marks(spans: &[Span], kept: usize) -> Vec<Span> {
    let last = spans.len().saturating_sub(1);
    let shorten = |(index, span): (usize, &Span)| {
        if span.role == Role::Changed || width(&span.text) <= 2 * kept + 1 {
            return span.clone();
        }
        let text = &*span.text;
        // A quotation mark in front stays.
        let quote = if index == 0 && text.starts_with('"') {
            "\""
        } else {
            ""
        };
        let start = prefix(text, kept);
        let text = match index {
            0 => format!("{quote}{}", fit_end(text, kept + 1)),
            _ if index == last => {
                let quote = if text.ends_with('"') { "\"" } else { "" };
                format!("{start}…{quote}")
            }
            _ => format!("{start}{}", fit_end(text, kept + 1)),
        };
        span.with_text(text)
    };
    spans.iter().enumerate().map(shorten).collect()
}

/// Spans without their middle, in at most `room` cells.
fn cut_middle(spans: &[Span], room: usize) -> Vec<Span> {
    let text = text_of(spans);
    let Some(kept) = room.checked_sub(1).filter(|_| width(&text) > room) else {
        return if room == 0 {
            Vec::new()
        } else {
            spans.to_vec()
        };
    };
    let left = kept * 2 / 3;
    let start = prefix(&text, left);
    let end = text.len() + '…'.len_utf8() - fit_end(&text, room - left).len();
    // The sign has the role of the text that it stands for.
    let role = part_of(spans, 0..end)
        .last()
        .map_or(Role::Text, |it| it.role);
    let dots = Span::new("…", role);
    let mut parts = part_of(spans, 0..start.len());
    parts.push(dots);
    parts.extend(part_of(spans, end..text.len()));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(spans: &[Span]) -> String {
        spans.iter().map(|span| &*span.text).collect()
    }

    #[test]
    fn marked_parts_of_a_long_text_stay() {
        let spans = [
            Span::new(format!("\"{}", "a".repeat(100)), Role::Text),
            Span::new("prod", Role::Changed),
            Span::new(format!("{}\"", "b".repeat(100)), Role::Text),
        ];
        assert_eq!(
            text(&elided(&spans, 30)),
            "\"…aaaaaaaaaaaprodbbbbbbbbbbb…\"",
        );
        assert_eq!(text(&elided(&spans, 10)), "\"…aprodb…\"");
        assert!(width_of(&elided(&spans, 8)) <= 8);
    }

    #[test]
    fn two_texts_stand_beside_each_other_if_their_marks_have_room() {
        let side = |mark: &str| {
            let ends = [
                format!("\"{}", "a".repeat(60)),
                format!("{}\"", "b".repeat(60)),
            ];
            let [start, end] = ends.map(|text| Span::new(text, Role::Text));
            [start, Span::new(mark.to_owned(), Role::Changed), end]
        };
        let (before, after) = (side("prod"), side("test"));
        let both = both_elided([&before, &after], 60, 10).unwrap();
        assert!(both.iter().map(|side| width_of(side)).sum::<usize>() <= 60);
        assert_eq!(text(&both[0]), text(&both[1]).replace("test", "prod"));
        assert!(text(&both[0]).starts_with("\"…aaaaaaaaa"), "{both:?}");
        assert_eq!(both_elided([&before, &after], 40, 10), None);
        let plain = [Span::new("a".repeat(60), Role::Text)];
        assert_eq!(both_elided([&plain, &plain], 60, 10), None);
    }

    #[test]
    fn a_text_is_shown_from_the_place_where_it_differs() {
        let spans = [Span::new("\"0123456789abcdef\"", Role::Text)];
        let shown = |at, room| text(&elided_from(&spans, at, room));
        assert_eq!(shown(1, 10), "\"01234567…");
        assert_eq!(shown(9, 10), "\"…789abcd…");
        assert_eq!(shown(15, 10), "\"…9abcdef\"");
        assert_eq!(shown(18, 10), "\"…9abcdef\"");
        assert_eq!(shown(9, 18), "\"0123456789abcdef\"");
    }

    #[test]
    fn other_texts_lose_their_middle() {
        let spans = [Span::new("\"0123456789abcdef\"", Role::Text)];
        assert_eq!(text(&elided(&spans, 10)), "\"01234…ef\"");
        assert_eq!(text(&elided(&spans, 18)), "\"0123456789abcdef\"");
        assert_eq!(text(&elided(&spans, 0)), "");
        let wide = [Span::new("日本語日本語", Role::Text)];
        assert!(width_of(&elided(&wide, 7)) <= 7);
    }
}
