//! The notation of keys in tests.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// One step of a key sequence.
pub(crate) enum Pressed {
    Key(KeyEvent),
    /// A pause long enough for all clocks to run out.
    Wait,
}

/// Parses keys: characters, or names in `<…>` as in `<Enter>`, `<Esc>`, `<C-d>`, `<lt>`. `<wait>` is a pause.
pub(crate) fn read(keys: &str) -> impl Iterator<Item = Pressed> {
    let mut rest = keys;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (name, len) = match rest.find('>') {
            Some(end) if first == '<' && end > 1 => (&rest[1..end], end + 1),
            _ => (&rest[..first.len_utf8()], first.len_utf8()),
        };
        rest = &rest[len..];
        Some(match name {
            "wait" => Pressed::Wait,
            name => Pressed::Key(key(name)),
        })
    })
}

/// The key with a name, in the notation of the key table, or `C-d`, `BS` and `lt`.
pub(crate) fn key(name: &str) -> KeyEvent {
    let control = name.strip_prefix("C-").or_else(|| name.strip_prefix('^'));
    if let Some(char) = control.and_then(|name| name.chars().next()) {
        return KeyEvent::new(KeyCode::Char(char), KeyModifiers::CONTROL);
    }
    let code = match name {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "S-Tab" => KeyCode::BackTab,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "PgUp" => KeyCode::PageUp,
        "PgDn" => KeyCode::PageDown,
        "Backspace" | "BS" => KeyCode::Backspace,
        "Del" => KeyCode::Delete,
        "Space" => KeyCode::Char(' '),
        "F1" => KeyCode::F(1),
        "lt" => KeyCode::Char('<'),
        name => {
            let mut chars = name.chars();
            match (chars.next(), chars.next()) {
                (Some(char), None) => KeyCode::Char(char),
                _ => panic!("no key is named {name:?}"),
            }
        }
    };
    KeyEvent::from(code)
}

#[test]
fn every_key_of_the_table_can_be_pressed() {
    use stacklens::tui::keymap::{BINDINGS, token as token_of};
    for binding in BINDINGS {
        for token in binding.keys.iter().flat_map(|keys| keys.split(' ')) {
            assert_eq!(token_of(key(token)).as_deref(), Some(token));
        }
    }
}
