//! The background of the terminal chooses the theme, and a person can choose another.

use ratatui::style::Color;
use stacklens::tui::event::Event;
use stacklens::tui::theme::{Palette, Rgb};

use super::harness::Session;

const STATE: &str = "pulumi-state/shop.json";

/// The color of the corner of the focused pane.
fn focus(session: &Session) -> Option<Color> {
    let buffer = session.buffer();
    (buffer[(0, 1)].symbol() == "┌").then(|| buffer[(0, 1)].fg)
}

#[test]
fn a_light_background_chooses_the_light_theme() {
    let mut session = Session::open(STATE, (120, 30));
    let dark = focus(&session);
    session.app.update(Event::Background(Rgb(255, 255, 255)));
    assert_eq!(focus(&session), Some(Color::Rgb(0x0b, 0x57, 0xd0)));
    session.app.update(Event::Background(Rgb(0x1e, 0x1e, 0x1e)));
    assert_eq!(focus(&session), dark);
}

#[test]
fn a_chosen_theme_stays_and_brings_its_background() {
    let mut session = Session::open(STATE, (120, 30));
    session.keys(":theme nord<Enter>").shows("theme nord");
    assert_eq!(session.buffer()[(0, 1)].bg, Color::Reset);
    session.app.update(Event::Background(Rgb(255, 255, 255)));
    assert_eq!(session.app.theme.chosen(), Some(Palette::Nord));
    // The colors are for a dark background.
    assert_eq!(session.buffer()[(0, 1)].bg, Color::Rgb(0x2e, 0x34, 0x40));
    session.keys(":theme auto<Enter>").shows("theme auto");
    assert_eq!(session.buffer()[(0, 1)].bg, Color::Reset);
}

#[test]
fn the_list_of_themes_previews_and_goes_back() {
    let mut session = Session::open(STATE, (120, 30));
    let before = session.app.theme;
    session
        .keys(":theme<Enter>")
        .shows("▶ auto  by the background");
    session.keys("jj").shows("▶ light");
    assert_eq!(session.app.theme.chosen(), Some(Palette::Light));
    session.keys("<Esc>").hides("▶ light");
    assert_eq!(session.app.theme, before);
    session
        .keys("gtj<Enter>")
        .shows("theme dark")
        .hides("Enter choose");
    assert_eq!(session.app.theme.chosen(), Some(Palette::Dark));
    // The list opens at the theme.
    session.keys("gt").shows("▶ dark").keys("<Esc>");
}

#[test]
fn an_unknown_theme_is_refused_with_all_names() {
    let mut session = Session::open(STATE, (200, 30));
    session.keys(":theme drak<Enter>").shows(
        "no theme is called `drak`; `dark` is alike; themes: dark, light, sixteen, high-contrast",
    );
}
