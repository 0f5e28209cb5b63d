//! The laws of themes, computed for every theme on many backgrounds.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use super::color::{Rgb, indexed};
use super::mix::{COMMON, CURSOR_CONTRAST};
use super::{Background, Depth, MIN_CONTRAST, Palette, Role, TINTED, Theme};

/// Contrasts are computed from rounded colors.
const ROUNDING: f64 = 0.01;

/// Backgrounds of common terminals and themes, the grays, and some that nobody has.
fn backgrounds() -> Vec<Rgb> {
    let mut all: Vec<Rgb> = COMMON.as_flattened().to_vec();
    all.extend((0..=255).step_by(15).map(|level| Rgb(level, level, level)));
    all.extend(
        [
            0x16_18_1d, 0x2e_34_40, 0x30_0a_24, 0xff_ff_dd, 0xee_e8_d5, 0x00_00_aa, 0xaa_00_00,
            0x00_aa_00,
        ]
        .map(|color: u32| {
            let [_, red, green, blue] = color.to_be_bytes();
            Rgb(red, green, blue)
        }),
    );
    all
}

/// The color as it is on the screen; `None` for the terminal's own.
fn exact(color: Color) -> Option<Rgb> {
    match color {
        Color::Rgb(red, green, blue) => Some(Rgb(red, green, blue)),
        Color::Indexed(index) => indexed()
            .find(|(other, _)| *other == index)
            .map(|(_, color)| color),
        Color::Reset => None,
        other => panic!("{other} is not exact"),
    }
}

/// Checks that every role can be read on `ground` and on everything that is painted over it.
#[track_caller]
fn check(theme: &Theme, ground: Rgb, at: &str) {
    let ground = theme.ground.map_or(ground, |color| exact(color).unwrap());
    let painted = |color: Option<Color>| exact(color.unwrap()).unwrap();
    let tints = TINTED.map(|role| {
        let index = TINTED.iter().position(|other| *other == role).unwrap();
        theme.tints[index].unwrap()
    });
    let mut on = vec![ground, painted(theme.bar.bg)];
    on.extend(tints.map(|(tint, _)| painted(Some(tint))));
    for (role, name) in Role::ALL {
        let Some(color) = theme.style(role).fg.and_then(exact) else {
            assert!(matches!(role, Role::Text | Role::Title), "{name} {at}");
            continue;
        };
        let (min, on) = match role {
            Role::Border => (3.0, &on[..1]),
            Role::Dim => (3.0, &on[..]),
            _ => (MIN_CONTRAST, &on[..]),
        };
        for ground in on {
            let contrast = color.contrast(*ground);
            assert!(
                contrast + ROUNDING >= min,
                "{name} {color:?} on {ground:?} {at}: {contrast}"
            );
        }
    }
    for ground in &on[1..] {
        assert!(exact(theme.text).unwrap().contrast(*ground) + ROUNDING >= MIN_CONTRAST);
    }
    for (style, min) in theme.cursor.iter().zip(CURSOR_CONTRAST) {
        let (text, row) = (painted(style.fg), painted(style.bg));
        assert!(
            text.contrast(row) + ROUNDING >= MIN_CONTRAST,
            "cursor {at}: {text:?} on {row:?}"
        );
        assert!(
            row.contrast(ground) + ROUNDING >= min,
            "cursor {row:?} on {ground:?} {at}"
        );
    }
    assert_ne!(theme.cursor[0].bg, theme.cursor[1].bg, "{at}");
    let hues = tints.map(|(tint, _)| painted(Some(tint)));
    if theme.depth == Depth::Indexed {
        // A palette of few dim colors does not turn both into one gray.
        let [create, .., delete] = hues;
        assert_ne!(create, delete, "tints {at}");
    }
    for (tint, word) in tints {
        let (text, row) = (painted(word.fg), painted(word.bg));
        assert!(text.contrast(row) + ROUNDING >= MIN_CONTRAST, "words {at}");
        assert_ne!(painted(Some(tint)), ground, "tint {at}");
    }
}

#[test]
fn every_role_can_be_read_on_every_background() {
    for depth in [Depth::Indexed, Depth::True] {
        for palette in Palette::ALL {
            if palette == Palette::Sixteen {
                continue;
            }
            for ground in backgrounds() {
                let theme = Theme::new(depth, Some(palette), Background::Known(ground));
                let at = format!("of {} at {depth:?} on {ground:?}", palette.name());
                check(&theme, ground, &at);
            }
            // The terminal does not report its background.
            let is_light = palette.file().background.is_light();
            for ground in COMMON[usize::from(is_light)] {
                let theme = Theme::new(depth, Some(palette), Background::Unknown);
                let at = format!("of {} at {depth:?}, unasked, on {ground:?}", palette.name());
                check(&theme, ground, &at);
            }
        }
    }
}

#[test]
fn theme_files_are_readable_as_they_are() {
    for palette in Palette::ALL {
        let file = palette.file();
        for (role, name) in Role::ALL {
            if let Some(color) = file.paints[role as usize].exact {
                let contrast = color.contrast(file.background);
                assert!(
                    contrast >= role.contrast(file.contrast),
                    "{name} of {}: {contrast}",
                    palette.name()
                );
            }
        }
    }
}

/// The sixteen colors of some terminals, with a dark and a light background: xterm, VGA and a light theme of an editor.
const TERMINALS: [(u32, [u32; 16]); 5] = [
    (
        0x00_00_00,
        [
            0x00_00_00, 0xcd_00_00, 0x00_cd_00, 0xcd_cd_00, 0x00_00_ee, 0xcd_00_cd, 0x00_cd_cd,
            0xe5_e5_e5, 0x7f_7f_7f, 0xff_00_00, 0x00_ff_00, 0xff_ff_00, 0x5c_5c_ff, 0xff_00_ff,
            0x00_ff_ff, 0xff_ff_ff,
        ],
    ),
    (
        0xff_ff_ff,
        [
            0x00_00_00, 0xcd_00_00, 0x00_cd_00, 0xcd_cd_00, 0x00_00_ee, 0xcd_00_cd, 0x00_cd_cd,
            0xe5_e5_e5, 0x7f_7f_7f, 0xff_00_00, 0x00_ff_00, 0xff_ff_00, 0x5c_5c_ff, 0xff_00_ff,
            0x00_ff_ff, 0xff_ff_ff,
        ],
    ),
    (
        0x00_00_00,
        [
            0x00_00_00, 0xaa_00_00, 0x00_aa_00, 0xaa_55_00, 0x00_00_aa, 0xaa_00_aa, 0x00_aa_aa,
            0xaa_aa_aa, 0x55_55_55, 0xff_55_55, 0x55_ff_55, 0xff_ff_55, 0x55_55_ff, 0xff_55_ff,
            0x55_ff_ff, 0xff_ff_ff,
        ],
    ),
    (
        0xff_ff_ff,
        [
            0x00_00_00, 0xaa_00_00, 0x00_aa_00, 0xaa_55_00, 0x00_00_aa, 0xaa_00_aa, 0x00_aa_aa,
            0xaa_aa_aa, 0x55_55_55, 0xff_55_55, 0x55_ff_55, 0xff_ff_55, 0x55_55_ff, 0xff_55_ff,
            0x55_ff_ff, 0xff_ff_ff,
        ],
    ),
    (
        0xff_ff_ff,
        [
            0x24_29_2f, 0xcf_22_2e, 0x11_63_29, 0x7d_4e_00, 0x09_69_da, 0x82_50_df, 0x1b_7c_83,
            0x6e_77_81, 0x57_60_6a, 0xa4_0e_26, 0x1a_7f_37, 0x63_3c_01, 0x21_8b_ff, 0xa4_75_f9,
            0x31_92_aa, 0x8c_95_9f,
        ],
    ),
];

#[test]
fn sixteen_colors_can_be_read_in_common_terminals() {
    const ORDER: [Color; 16] = [
        Color::Black,
        Color::Red,
        Color::Green,
        Color::Yellow,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::Gray,
        Color::DarkGray,
        Color::LightRed,
        Color::LightGreen,
        Color::LightYellow,
        Color::LightBlue,
        Color::LightMagenta,
        Color::LightCyan,
        Color::White,
    ];
    let exact = |color: u32| {
        let [_, red, green, blue] = color.to_be_bytes();
        Rgb(red, green, blue)
    };
    for (ground, colors) in TERMINALS {
        let ground = exact(ground);
        for palette in Palette::ALL {
            let theme = Theme::new(Depth::Sixteen, Some(palette), Background::Known(ground));
            for (role, name) in Role::ALL {
                let Some(color) = theme.style(role).fg else {
                    continue;
                };
                let index = ORDER.iter().position(|other| *other == color).unwrap();
                let contrast = exact(colors[index]).contrast(ground);
                assert!(
                    contrast >= MIN_CONTRAST,
                    "{name} of {}, {color} on {ground:?}: {contrast}",
                    palette.name()
                );
            }
        }
    }
}

#[test]
fn sixteen_colors_and_none_have_a_hierarchy() {
    for depth in [Depth::None, Depth::Sixteen] {
        let theme = Theme::new(depth, None, Background::Unknown);
        let attributes = |role| theme.style(role).add_modifier;
        assert_eq!(attributes(Role::Title), Modifier::BOLD);
        assert_eq!(attributes(Role::Text), Modifier::empty());
        assert_eq!(attributes(Role::Dim), Modifier::DIM);
        assert!(theme.cursor[0].add_modifier.contains(Modifier::REVERSED));
        assert!(theme.cursor[1].add_modifier.contains(Modifier::UNDERLINED));
    }
    let theme = Theme::new(Depth::None, None, Background::Unknown);
    for (role, name) in Role::ALL {
        assert_eq!(theme.style(role).fg, None, "{name}");
    }
}

/// Color vision without one kind of cones, as a matrix over linear light (Machado, Oliveira and Fernandes 2009, severity 1).
const PROTANOPIA: [[f64; 3]; 3] = [
    [0.152_286, 1.052_583, -0.204_868],
    [0.114_503, 0.786_281, 0.099_216],
    [-0.003_882, -0.048_116, 1.051_998],
];
const DEUTERANOPIA: [[f64; 3]; 3] = [
    [0.367_322, 0.860_646, -0.227_968],
    [0.280_085, 0.672_501, 0.047_413],
    [-0.011_820, 0.042_940, 0.968_881],
];
const TRITANOPIA: [[f64; 3]; 3] = [
    [1.255_528, -0.076_749, -0.178_779],
    [-0.078_411, 0.930_809, 0.147_602],
    [0.004_733, 0.691_367, 0.303_900],
];

/// The color in CIE L*a*b*, as it looks through `matrix`.
fn seen(color: Rgb, matrix: &[[f64; 3]; 3]) -> [f64; 3] {
    let light = [color.0, color.1, color.2].map(|channel| {
        let channel = f64::from(channel) / 255.0;
        if channel <= 0.040_45 {
            channel / 12.92
        } else {
            ((channel + 0.055) / 1.055).powf(2.4)
        }
    });
    let times = |rows: &[[f64; 3]; 3], light: [f64; 3]| {
        rows.map(|row| {
            row.iter()
                .zip(light)
                .map(|(one, other)| one * other)
                .sum::<f64>()
        })
    };
    let light = times(matrix, light).map(|channel| channel.clamp(0.0, 1.0));
    let xyz = times(
        &[
            [0.4124 / 0.950_47, 0.3576 / 0.950_47, 0.1805 / 0.950_47],
            [0.2126, 0.7152, 0.0722],
            [0.0193 / 1.088_83, 0.1192 / 1.088_83, 0.9505 / 1.088_83],
        ],
        light,
    );
    let [x, y, z] = xyz.map(|it| {
        if it > 0.008_856 {
            it.cbrt()
        } else {
            7.787 * it + 16.0 / 116.0
        }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

#[test]
fn colorblind_themes_keep_the_actions_apart() {
    let red_green: &[_] = &[PROTANOPIA, DEUTERANOPIA];
    for (palette, kinds) in [
        (Palette::ColorBlind, red_green),
        (Palette::ColorBlindLight, red_green),
        (Palette::Tritanopia, &[TRITANOPIA]),
        (Palette::TritanopiaLight, &[TRITANOPIA]),
    ] {
        let theme = Theme::new(Depth::True, Some(palette), Background::Unknown);
        let colors = TINTED.map(|role| exact(theme.style(role).fg.unwrap()).unwrap());
        for kind in kinds {
            for (index, one) in colors.iter().enumerate() {
                for other in &colors[..index] {
                    let [one_seen, other_seen] = [one, other].map(|color| seen(*color, kind));
                    let distance = (one_seen.iter().zip(other_seen))
                        .map(|(one, other)| (one - other).powi(2))
                        .sum::<f64>()
                        .sqrt();
                    // A difference of 2 can be noticed side by side; this one far apart.
                    assert!(distance > 20.0, "{}: {one:?} {other:?}", palette.name());
                }
            }
        }
    }
}

#[test]
fn the_background_chooses_and_a_name_wins() {
    let white = Background::Known(Rgb::WHITE);
    let dark = Theme::default();
    let light = dark.on(white);
    assert_eq!(
        light.style(Role::Key),
        dark.with(Some(Palette::Light)).style(Role::Key)
    );
    assert_ne!(light.style(Role::Key), dark.style(Role::Key));
    assert_eq!(light.ground, None);
    // A dark theme on a light terminal brings its background along.
    let named = light.with(Some(Palette::Nord));
    let mut buffer = Buffer::empty(Rect::new(0, 0, 2, 1));
    named.lay_ground(&mut buffer);
    assert_eq!(buffer[(0, 0)].bg, Color::Rgb(0x2e, 0x34, 0x40));
    assert_eq!(named.with(None), light);
}

#[test]
fn the_environment_chooses() {
    let theme = |has_color, vars: &[(&str, &str)]| {
        Theme::from_env(None, has_color, |name| {
            vars.iter()
                .find(|(other, _)| *other == name)
                .map(|(_, value)| (*value).to_owned())
        })
    };
    let depth = |vars| theme(true, vars).depth;
    assert_eq!(
        theme(false, &[("COLORTERM", "truecolor")]).depth,
        Depth::None
    );
    assert_eq!(depth(&[("TERM", "xterm-256color")]), Depth::Indexed);
    assert_eq!(depth(&[("TERM", "linux")]), Depth::Sixteen);
    assert_eq!(depth(&[("COLORTERM", "truecolor")]), Depth::True);
    let light = theme(true, &[("COLORFGBG", "0;15")]);
    assert_eq!(light.background, Background::Light);
}

#[test]
fn a_theme_is_known_by_its_name() {
    assert_eq!(Palette::named("colorblind").unwrap(), Palette::ColorBlind);
    let error = Palette::named("drak").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no theme is called `drak`; `dark` is alike; themes: dark, light, sixteen, high-contrast, high-contrast-light, colorblind, \
         colorblind-light, tritanopia, tritanopia-light, solarized-dark, solarized-light, nord"
    );
}
