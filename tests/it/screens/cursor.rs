//! The cursor: one style across the selected row, in every view and overlay and at every number of colors.

use ratatui::style::{Color, Modifier};
use stacklens::tui::theme::{Depth, Palette};

use super::harness::Session;

const DEPTHS: [Depth; 4] = [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::True];

/// Checks every row with a cursor: its cells, from the sign to the end of the row, have one foreground and one background. A row
/// without focus looks different from a row without a cursor.
#[track_caller]
fn check(fixture: &str, keys: &str) {
    check_at(120, fixture, keys);
}

#[track_caller]
fn check_at(width: u16, fixture: &str, keys: &str) {
    let mut session = Session::open(fixture, (width, 30));
    session.keys(keys);
    for depth in DEPTHS {
        let buffer = session.cells(depth, Palette::Dark);
        let mut n_cursors = 0;
        for position in buffer.area.positions() {
            if buffer[position].symbol() != "▶" {
                continue;
            }
            n_cursors += 1;
            let first = &buffer[position];
            let style = |x: u16| {
                let cell = &buffer[(x, position.y)];
                let laid = Modifier::REVERSED;
                (cell.fg, cell.bg, cell.modifier.intersection(laid))
            };
            // A blank column keeps text away from the frame.
            let end = (position.x..buffer.area.right())
                .find(|x| "│┃┌└┏┗".contains(buffer[(*x, position.y)].symbol()))
                .map_or(buffer.area.right(), |frame| frame - 1);
            let row = position.x..end;
            for x in row {
                assert_eq!(
                    style(x),
                    style(position.x),
                    "column {x} of row {} at {depth:?} after {keys}\n{}",
                    position.y,
                    session.text()
                );
            }
            let is_seen = first.bg != Color::Reset
                || first
                    .modifier
                    .intersects(Modifier::REVERSED | Modifier::UNDERLINED);
            assert!(is_seen, "row {} at {depth:?} after {keys}", position.y);
        }
        assert!(n_cursors > 0, "{}", session.text());
    }
}

#[test]
fn panes_have_one_style_across_the_selected_row() {
    for keys in ["jj", "jj<Tab>j", "guorders-db<Enter>4", "3", "zR6j"] {
        check("pulumi-state/shop.json", keys);
    }
    check("tfstate/every-field.tfstate", "5");
    for keys in ["", "jj", "jj<Tab>jj", "|<Tab>j", "1j"] {
        check("tfplan-json/shop.json", keys);
    }
}

#[test]
fn overlays_have_one_style_across_the_selected_row() {
    for keys in ["y", "/orders", ":<Down>"] {
        check("pulumi-state/shop.json", keys);
    }
    // A wide help has two columns, each with rows of its own.
    check_at(80, "pulumi-state/shop.json", "?<Down>");
    check("tfplan-json/shop.json", "a");
}

#[test]
fn without_color_the_focused_pane_has_a_heavy_frame() {
    let mut session = Session::open("pulumi-state/shop.json", (120, 30));
    let corner = |session: &mut Session, depth| {
        session.cells(depth, Palette::Dark)[(0, 1)]
            .symbol()
            .to_owned()
    };
    assert_eq!(corner(&mut session, Depth::None), "┏");
    assert_eq!(corner(&mut session, Depth::Sixteen), "┌");
    session.keys("<Tab>");
    assert_eq!(corner(&mut session, Depth::None), "┌");
}
