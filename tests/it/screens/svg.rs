//! The picture of the README: the real screen, drawn as SVG. `UPDATE=1` draws it again.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use stacklens::cli::demo;
use stacklens::tui::theme::{Depth, Palette};
use unicode_width::UnicodeWidthStr;

use super::harness::Session;

const FILE: &str = "assets/brief.svg";

/// Size of a cell and of its letters, in pixels.
const CELL: (f64, f64) = (8.0, 17.0);
const LETTERS: f64 = 13.3;

const GROUND: &str = "#16181d";
const TEXT: &str = "#d8dce4";

/// The colors of a cell, and whether it is bold.
#[derive(Clone, PartialEq)]
struct Look {
    fg: String,
    bg: String,
    is_bold: bool,
}

fn color(color: Color, default: &str) -> String {
    match color {
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        Color::Reset => default.to_owned(),
        other => panic!("{other:?} is not a color of 24 bits"),
    }
}

fn look(cell: &Cell) -> Look {
    let (fg, bg) = (color(cell.fg, TEXT), color(cell.bg, GROUND));
    let (fg, bg) = if cell.modifier.contains(Modifier::REVERSED) {
        (bg, fg)
    } else {
        (fg, bg)
    };
    let is_bold = cell.modifier.contains(Modifier::BOLD);
    Look { fg, bg, is_bold }
}

/// The runs of a row with one look: the column and the number of cells of each, its look and its text.
fn runs(buffer: &Buffer, row: u16) -> Vec<(u16, u16, Look, String)> {
    let mut runs: Vec<(u16, u16, Look, String)> = Vec::new();
    let mut column = 0;
    while column < buffer.area.width {
        let cell = &buffer[(column, row)];
        let width = u16::try_from(cell.symbol().width()).unwrap().max(1);
        let look = look(cell);
        match runs.last_mut() {
            Some((_, n, last, text)) if *last == look => {
                *n += width;
                text.push_str(cell.symbol());
            }
            _ => runs.push((column, width, look, cell.symbol().to_owned())),
        }
        column += width;
    }
    runs
}

fn svg(buffer: &Buffer) -> String {
    let (width, height) = (
        f64::from(buffer.area.width) * CELL.0,
        f64::from(buffer.area.height) * CELL.1,
    );
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace, Menlo, Consolas, \
         'DejaVu Sans Mono', monospace\" font-size=\"{LETTERS}\">\n<rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"{GROUND}\"/>\n"
    );
    for row in 0..buffer.area.height {
        let top = f64::from(row) * CELL.1;
        for (column, n, look, text) in runs(buffer, row) {
            let (x, length) = (f64::from(column) * CELL.0, f64::from(n) * CELL.0);
            if look.bg != GROUND {
                _ = writeln!(
                    out,
                    "<rect x=\"{x}\" y=\"{top}\" width=\"{length}\" height=\"{}\" fill=\"{}\"/>",
                    CELL.1, look.bg
                );
            }
            if text.trim().is_empty() {
                continue;
            }
            let text = text.replace('&', "&amp;").replace('<', "&lt;");
            let bold = if look.is_bold {
                " font-weight=\"bold\""
            } else {
                ""
            };
            // The length keeps the columns straight whatever font there is.
            _ = writeln!(
                out,
                "<text x=\"{x}\" y=\"{}\" textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\" fill=\"{}\"{bold}>{text}</text>",
                top + 12.7,
                look.fg
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

#[test]
fn the_picture_of_the_readme_is_the_real_screen() {
    let mut session = Session::open_bytes("demo", demo::PREVIEW, (110, 34));
    session.keys("bgg");
    let drawn = svg(&session.cells(Depth::True, Palette::Dark));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, drawn).unwrap();
        return;
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(
        kept.replace("\r\n", "\n") == drawn,
        "{FILE} is behind the program; `UPDATE=1 cargo test screens::svg` draws it again"
    );
}
