//! Colors as numbers: contrast, mixtures, and the nearest color of a smaller palette.
//!
//! Contrast as defined by WCAG 2: 1 for equal colors, 21 for black on white. Every color on the screen is moved towards black or
//! white until its contrast is enough, so a theme can be used on any background.

use std::sync::LazyLock;

use ratatui::style::Color;

/// A color of 24 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// Number of steps from a color to black or white when it is moved.
const STEPS: u8 = 64;

/// The light of each level of a channel, from 0 to 1. A theme asks for it some ten thousand times.
static LINEAR: LazyLock<[f64; 256]> = LazyLock::new(|| {
    std::array::from_fn(|level| {
        let channel = f64::from(u8::try_from(level).unwrap_or(u8::MAX)) / 255.0;
        if channel <= 0.040_45 {
            channel / 12.92
        } else {
            ((channel + 0.055) / 1.055).powf(2.4)
        }
    })
});

impl Rgb {
    /// Black.
    pub const BLACK: Self = Self(0, 0, 0);
    /// White.
    pub const WHITE: Self = Self(255, 255, 255);

    /// Parses six hexadecimal digits, with or without `#` in front.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        Some(Self(red, green, blue))
    }

    /// Relative luminance as defined by WCAG 2: from 0 for black to 1 for white.
    pub fn luminance(self) -> f64 {
        let [red, green, blue] = [self.0, self.1, self.2].map(|it| LINEAR[usize::from(it)]);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// Contrast with another color as defined by WCAG 2: from 1 to 21.
    pub fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// True if black text is easier to read on this background than white text.
    pub fn is_light(self) -> bool {
        self.contrast(Self::BLACK) > self.contrast(Self::WHITE)
    }

    /// The color that is easiest to read on this background: black or white.
    #[must_use]
    pub fn opposite(self) -> Self {
        if self.is_light() {
            Self::BLACK
        } else {
            Self::WHITE
        }
    }

    /// The difference of each channel from their mean: zero for a gray.
    fn chroma(self) -> [f64; 3] {
        let channels = [self.0, self.1, self.2].map(f64::from);
        let mean = channels.iter().sum::<f64>() / 3.0;
        channels.map(|channel| channel - mean)
    }

    /// True if both colors are of about the same hue, and neither is nearly gray.
    pub fn has_hue_of(self, other: Self) -> bool {
        const MIN_CHROMA: f64 = 20.0;
        const MIN_COSINE: f64 = 0.9;
        let (one, other) = (self.chroma(), other.chroma());
        let product = |one: [f64; 3], other: [f64; 3]| {
            let channels = one.iter().zip(other);
            channels.map(|(one, other)| one * other).sum::<f64>()
        };
        let lengths = [one, other].map(|it| product(it, it).sqrt());
        let is_colored = lengths.iter().all(|length| *length >= MIN_CHROMA);
        is_colored && product(one, other) >= MIN_COSINE * lengths[0] * lengths[1]
    }

    /// A mixture with `part` of `STEPS` parts of the other color.
    fn moved(self, to: Self, part: u8) -> Self {
        let mix = |one: u8, other: u8| {
            let (one, other) = (u16::from(one), u16::from(other));
            let (part, all) = (u16::from(part), u16::from(STEPS));
            u8::try_from((one * (all - part) + other * part + all / 2) / all).unwrap_or(u8::MAX)
        };
        Self(mix(self.0, to.0), mix(self.1, to.1), mix(self.2, to.2))
    }

    /// A mixture with this percentage of the other color.
    #[must_use]
    pub fn mixed(self, with: Self, percent: u8) -> Self {
        let part = u16::from(STEPS) * u16::from(percent.min(100)) / 100;
        self.moved(with, u8::try_from(part).unwrap_or(STEPS))
    }

    /// The first color on the way from this one to `to` that satisfies the condition; `to` if none does.
    #[must_use]
    pub fn until(self, to: Self, is_enough: impl Fn(Self) -> bool) -> Self {
        (0..=STEPS)
            .map(|part| self.moved(to, part))
            .find(|color| is_enough(*color))
            .unwrap_or(to)
    }
}

impl From<Rgb> for Color {
    fn from(Rgb(red, green, blue): Rgb) -> Self {
        Self::Rgb(red, green, blue)
    }
}

/// The colors of the 256-color palette that every terminal draws alike, with their indices: a cube of 216 colors and 24 grays.
pub(super) fn indexed() -> impl Iterator<Item = (u8, Rgb)> {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let cube = (0..216_u8).map(|index| {
        let [red, green, blue] = [index / 36, index / 6 % 6, index % 6].map(usize::from);
        (16 + index, Rgb(LEVELS[red], LEVELS[green], LEVELS[blue]))
    });
    let grays = (0..24_u8).map(|index| {
        let level = 8 + 10 * index;
        (232 + index, Rgb(level, level, level))
    });
    cube.chain(grays)
}

/// The nearest color of the 256-color palette that satisfies the condition, or the nearest one if none does.
pub(super) fn nearest_indexed(wanted: Rgb, is_enough: impl Fn(Rgb) -> bool) -> (u8, Rgb) {
    let distance = |color: Rgb| -> u32 {
        let channels = [
            wanted.0.abs_diff(color.0),
            wanted.1.abs_diff(color.1),
            wanted.2.abs_diff(color.2),
        ];
        channels.iter().map(|it| u32::from(*it).pow(2)).sum()
    };
    let nearest = |is_enough: &dyn Fn(Rgb) -> bool| {
        let mut best: Option<(u32, u8, Rgb)> = None;
        for (index, color) in indexed() {
            let distance = distance(color);
            // The condition costs more than the distance.
            if best.is_none_or(|best| distance < best.0) && is_enough(color) {
                best = Some((distance, index, color));
            }
        }
        best.map(|(_, index, color)| (index, color))
    };
    nearest(&is_enough)
        .or_else(|| nearest(&|_| true))
        .unwrap_or((15, Rgb::WHITE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_that_of_wcag() {
        let near = |one: f64, other: f64| (one - other).abs() < 0.01;
        assert!(near(Rgb::BLACK.contrast(Rgb::WHITE), 21.0));
        assert!(near(Rgb(0x77, 0x77, 0x77).contrast(Rgb::WHITE), 4.48));
        assert!(near(Rgb(0xff, 0, 0).contrast(Rgb::WHITE), 4.0));
    }

    #[test]
    fn black_or_white_is_readable_on_every_gray() {
        for level in 0..=255 {
            let gray = Rgb(level, level, level);
            assert!(gray.contrast(gray.opposite()) > 4.5, "{level}");
        }
    }

    #[test]
    fn a_gray_has_no_hue() {
        let red = Rgb(0xff, 0x6b, 0x68);
        assert!(Rgb(95, 0, 0).has_hue_of(red) && Rgb(255, 215, 215).has_hue_of(red));
        assert!(!Rgb(58, 58, 58).has_hue_of(red) && !red.has_hue_of(Rgb(48, 40, 40)));
        assert!(!Rgb(0, 95, 0).has_hue_of(red));
    }

    #[test]
    fn exact_colors_have_a_near_one_of_256() {
        assert_eq!(nearest_indexed(Rgb(255, 0, 0), |_| true).0, 196);
        assert_eq!(nearest_indexed(Rgb(8, 8, 8), |_| true).0, 232);
        let light = |color: Rgb| color.contrast(Rgb::BLACK) > 7.0;
        assert!(light(nearest_indexed(Rgb(255, 0, 0), light).1));
    }

    #[test]
    fn hexadecimal_colors_are_parsed() {
        assert_eq!(Rgb::parse("#0a0bff"), Some(Rgb(10, 11, 255)));
        assert_eq!(Rgb::parse("282c34"), Some(Rgb(0x28, 0x2c, 0x34)));
        for wrong in ["#fff", "#gggggg", "", "+12345", "é1234"] {
            assert_eq!(Rgb::parse(wrong), None, "{wrong}");
        }
    }
}
