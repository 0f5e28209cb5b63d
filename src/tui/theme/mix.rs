//! Mixes the colors of a theme: tints come from the background, and every color is moved towards black or white until it can be
//! read.

use ratatui::style::{Color, Style};

use super::color::{Rgb, nearest_indexed};
use super::file::{Paint, ThemeFile};
use super::{Background, Depth, MIN_CONTRAST, Role, TINTED, Theme};

/// Minimum contrast of the selected row with the rows around it, with focus and without.
pub(super) const CURSOR_CONTRAST: [f64; 2] = [1.6, 1.3];

/// Minimum contrast of a tinted line and of the bar with the background.
const TINT_CONTRAST: f64 = 1.2;

/// Common dark and light backgrounds. Themes are readable on all of them if the terminal does not report its own.
pub(super) const COMMON: [[Rgb; 4]; 2] = [
    [
        Rgb::BLACK,
        Rgb(0x1e, 0x1e, 0x1e),
        Rgb(0x28, 0x2c, 0x34),
        Rgb(0x00, 0x2b, 0x36),
    ],
    [
        Rgb::WHITE,
        Rgb(0xfd, 0xf6, 0xe3),
        Rgb(0xfa, 0xfa, 0xfa),
        Rgb(0xf0, 0xf0, 0xf0),
    ],
];

/// Mixes the colors of a theme for the backgrounds that the terminal may have.
pub(super) struct Mixer {
    /// Number of colors.
    pub(super) depth: Depth,
    /// The backgrounds, all dark or all light. Tints are mixed with the first one.
    pub(super) grounds: Vec<Rgb>,
}

impl Mixer {
    /// The theme of the file. With `is_painted`, it paints the background itself.
    pub(super) fn theme(&self, file: &ThemeFile, is_painted: bool) -> Theme {
        let ground = self.grounds[0];
        let exact = |role: Role| file.paints[role as usize].exact;
        let of = |role: Role| exact(role).unwrap_or(ground.opposite());
        let tints = TINTED.map(|role| self.hued_tint(of(role)));
        let bar = self.tint(ground.opposite().mixed(of(Role::Focus), 50));
        let surfaces: Vec<Rgb> = (self.grounds.iter().copied())
            .chain(tints)
            .chain([bar])
            .collect();
        let styles = Role::ALL.map(|(role, _)| {
            let Paint {
                exact,
                attributes,
                is_default,
                ..
            } = file.paints[role as usize];
            let style = Style::new().add_modifier(attributes);
            // Frames are drawn on the background only.
            let on = match role {
                Role::Border => &self.grounds,
                _ => &surfaces,
            };
            match exact.filter(|_| !is_default || is_painted) {
                Some(exact) => style.fg(self.ink(exact, on, role.contrast(file.contrast))),
                None => style,
            }
        });
        let to = ground.opposite();
        let focused = file.cursor[0].unwrap_or(ground.mixed(of(Role::Focus), 28));
        let unfocused = file.cursor[1].unwrap_or(ground.mixed(to, 14));
        let focused = self.shade(focused, to, |color| self.differs(color, CURSOR_CONTRAST[0]));
        let unfocused = self.shade(unfocused, to, |color| {
            self.differs(color, CURSOR_CONTRAST[1]) && color != focused
        });
        let cursor = [focused, unfocused].map(|background| {
            let text = self.ink(of(Role::Text), &[background], file.contrast);
            Style::new().fg(text).bg(self.color(background))
        });
        let words = TINTED.map(|role| {
            let wanted = ground.mixed(of(role), 40);
            let background = self.shade(wanted, ground.opposite(), |_| true);
            let text = self.ink(of(Role::Text), &[background], file.contrast);
            Style::new().fg(text).bg(self.color(background))
        });
        Theme {
            depth: self.depth,
            chosen: None,
            background: Background::Unknown,
            styles,
            cursor,
            bar: Style::new().bg(self.color(bar)),
            tints: std::array::from_fn(|at| Some((self.color(tints[at]), words[at]))),
            text: self.ink(of(Role::Text), &surfaces, file.contrast),
            ground: is_painted.then(|| self.color(ground)),
        }
    }

    /// A text color near `wanted` with at least this contrast on all of the backgrounds, as far as black or white have it.
    fn ink(&self, wanted: Rgb, on: &[Rgb], contrast: f64) -> Color {
        let to = on[0].opposite();
        let is_enough = |color: Rgb| on.iter().all(|ground| color.contrast(*ground) >= contrast);
        self.color(self.shade(wanted, to, is_enough))
    }

    /// The background with just enough of `color` to be seen. Black or white, as on the background, is readable on it.
    fn tint(&self, color: Rgb) -> Rgb {
        let (ground, to) = (self.grounds[0], self.grounds[0].opposite());
        let is_enough =
            |color: Rgb| self.differs(color, TINT_CONTRAST) && to.contrast(color) >= MIN_CONTRAST;
        let tint = self.shade(ground, color, is_enough);
        if is_enough(tint) {
            tint
        } else {
            self.shade(ground, to.opposite(), is_enough)
        }
    }

    /// A tint in which the hue of `color` can be seen. The palette of 256 colors has no dim colors near the background but grays, so
    /// there a stronger color of the same hue is taken.
    fn hued_tint(&self, color: Rgb) -> Rgb {
        let exact = self.tint(color);
        if self.depth == Depth::True {
            return exact;
        }
        let to = self.grounds[0].opposite();
        let is_hued = |it: Rgb| it.has_hue_of(color) && to.contrast(it) >= MIN_CONTRAST;
        let (_, found) = nearest_indexed(exact, is_hued);
        if is_hued(found) && !self.grounds.contains(&found) {
            found
        } else {
            exact
        }
    }

    /// True if the color has at least this contrast with every background.
    fn differs(&self, color: Rgb, contrast: f64) -> bool {
        self.grounds
            .iter()
            .all(|ground| color.contrast(*ground) >= contrast)
    }

    /// The first color on the way from `wanted` to `to` that satisfies the condition, among the colors that the terminal has.
    fn shade(&self, wanted: Rgb, to: Rgb, is_enough: impl Fn(Rgb) -> bool) -> Rgb {
        let exact = wanted.until(to, &is_enough);
        if self.depth == Depth::True {
            exact
        } else {
            nearest_indexed(exact, is_enough).1
        }
    }

    /// The color as the terminal takes it. Below 24 bits it must be one of the palette.
    fn color(&self, color: Rgb) -> Color {
        if self.depth == Depth::True {
            color.into()
        } else {
            Color::Indexed(nearest_indexed(color, |_| true).0)
        }
    }
}
