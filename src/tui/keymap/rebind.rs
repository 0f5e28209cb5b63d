//! The person's keys for commands.
//!
//! A command is rebound by its name, which the palette lists. The given keys replace all of its default keys. Rows of overlays
//! have no names: they follow the named row of the same command where the new key is free.
//!
//! # Laws
//!
//! - No key means two things in one place. A clash is an error that names both commands.
//! - No key hides a longer sequence.
//! - A digit begins a count, so only a view can have one.

use super::{BINDINGS, Binding, Scope, spelled};
use crate::tui::command::Command;

/// Keys that have a name, as [`super::token`] writes them.
const NAMED: [&str; 16] = [
    "Space",
    "Enter",
    "Esc",
    "Tab",
    "S-Tab",
    "Backspace",
    "Del",
    "Up",
    "Down",
    "Left",
    "Right",
    "Home",
    "End",
    "PgUp",
    "PgDn",
    "^\\",
];

/// Control keys that terminals send as another key.
const SAME: [(&str, &str); 4] = [
    ("^i", "Tab"),
    ("^m", "Enter"),
    ("^[", "Esc"),
    ("^h", "Backspace"),
];

/// Highest number of a function key.
const MAX_F: u8 = 24;

/// The keys that the person gives a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rebinding {
    /// The name of the command.
    pub name: String,
    /// The keys; none to unbind the command.
    pub keys: Vec<String>,
}

/// The reason that a command cannot have these keys.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RebindError {
    /// No command has this name.
    #[error("no command is called `{0}`")]
    UnknownCommand(String),
    /// This is no key.
    #[error("`{0}` is no key: expected a character, `^` and a letter, F1 to F24, or one of {names}", names = NAMED.join(" "))]
    NoKey(String),
    /// The keys of a sequence are not separated.
    #[error("`{0}` is no key; the keys of a sequence are separated by blanks: `{1}`")]
    Sequence(String, String),
    /// Terminals send this key as another one.
    #[error("terminals send `{0}` as {1}")]
    SentAs(String, &'static str),
    /// A digit begins a count.
    #[error("`{0}` begins a count; only a view can have a digit")]
    Digit(String),
    /// A person needs this command.
    #[error("`{0}` needs a key")]
    Needed(String),
    /// Two commands have the same key.
    #[error("`{key}` is the key of `{first}` and of `{second}`")]
    Clash {
        /// The key.
        key: String,
        /// The command that the person rebound.
        first: String,
        /// The other command.
        second: String,
    },
    /// A key begins the keys of another command.
    #[error("`{key}`, the key of `{first}`, begins `{longer}`, the keys of `{second}`")]
    Prefix {
        /// The shorter key.
        key: String,
        /// Its command.
        first: String,
        /// The longer sequence.
        longer: String,
        /// Its command.
        second: String,
    },
}

/// The names of all commands that can be rebound, with their default bindings.
pub fn commands() -> impl Iterator<Item = &'static Binding> {
    BINDINGS.iter().filter(|binding| !binding.name.is_empty())
}

/// The table of keys with `changes`.
///
/// The keys live as long as the program: this is called once.
///
/// # Errors
///
/// The first change that is wrong, by its index, with the reason.
pub fn rebound(changes: &[Rebinding]) -> Result<Vec<Binding>, (usize, RebindError)> {
    let mut table = BINDINGS.to_vec();
    let mut rows = Vec::new();
    for (index, change) in changes.iter().enumerate() {
        let row = place(change).map_err(|error| (index, error))?;
        table[row].keys = kept(&change.keys);
        rows.push((index, row));
    }
    for (_, row) in &rows {
        lead(&mut table, *row);
    }
    for (index, row) in rows {
        check(&table, row).map_err(|error| (index, error))?;
    }
    Ok(table)
}

/// The row of the command, whose keys are checked one by one.
fn place(change: &Rebinding) -> Result<usize, RebindError> {
    let name = &change.name;
    let is_row = |binding: &Binding| !binding.name.is_empty() && binding.name == name;
    let row = BINDINGS.iter().position(is_row);
    let row = row.ok_or_else(|| RebindError::UnknownCommand(name.clone()))?;
    let command = BINDINGS[row].command;
    if change.keys.is_empty() && matches!(command, Command::Quit | Command::Cancel) {
        return Err(RebindError::Needed(name.clone()));
    }
    for keys in &change.keys {
        check_key(keys)?;
        let may = matches!(command, Command::View(_) | Command::Count);
        if !may && keys.starts_with(|first: char| first.is_ascii_digit()) {
            return Err(RebindError::Digit(keys.clone()));
        }
    }
    Ok(row)
}

fn check_key(keys: &str) -> Result<(), RebindError> {
    if keys.is_empty() {
        return Err(RebindError::NoKey(String::new()));
    }
    for token in keys.split(' ') {
        if let Some((_, other)) = SAME.iter().find(|(key, _)| *key == token) {
            return Err(RebindError::SentAs(token.to_owned(), other));
        }
        if is_token(token) {
            continue;
        }
        let is_run = !token.is_empty() && token.chars().all(|char| char.is_ascii_alphabetic());
        return Err(if is_run && keys == token && token.len() < 4 {
            let parts: Vec<String> = token.chars().map(String::from).collect();
            RebindError::Sequence(token.to_owned(), parts.join(" "))
        } else {
            RebindError::NoKey(token.to_owned())
        });
    }
    Ok(())
}

/// True for the name of a key that [`super::token`] can return.
fn is_token(token: &str) -> bool {
    if NAMED.contains(&token) {
        return true;
    }
    let number = token.strip_prefix('F').and_then(|it| it.parse::<u8>().ok());
    if number.is_some_and(|it| (1..=MAX_F).contains(&it)) {
        return true;
    }
    let mut chars = token.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some(char), None, None) => !char.is_control() && !char.is_whitespace(),
        (Some('^'), Some(char), None) => char.is_ascii_lowercase(),
        (Some(_) | None, Some(_) | None, Some(_) | None) => false,
    }
}

/// The keys as the table has them.
fn kept(keys: &[String]) -> &'static [&'static str] {
    let keys: Vec<&'static str> = keys.iter().map(|keys| &*keys.clone().leak()).collect();
    keys.leak()
}

/// Gives the rows of overlays and of the brief the keys of the named row `leader` of the same command.
fn lead(table: &mut [Binding], leader: usize) {
    let [old, new] = [BINDINGS[leader].keys, table[leader].keys];
    let followers = (0..table.len()).filter(|row| {
        let is_same = BINDINGS[*row].command == BINDINGS[leader].command;
        is_same && BINDINGS[*row].name.is_empty() && BINDINGS[*row].scope != Scope::Question
    });
    for row in followers.collect::<Vec<_>>() {
        let own = table[row].keys.iter();
        let stays = |key: &&&str| !old.contains(*key) || new.contains(*key);
        let mut keys: Vec<&'static str> = own.filter(stays).copied().collect();
        let added = new.iter().filter(|key| {
            let is_typed = key.chars().count() == 1 || **key == "Space" || key.contains(' ');
            let types = matches!(table[row].scope, Scope::Prompt | Scope::Search);
            let meets = |other: &str| begins(key, other) || begins(other, key);
            let is_free = !others(table, row).any(meets);
            !old.contains(key) && is_free && !(types && is_typed)
        });
        for key in added.copied().collect::<Vec<_>>() {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        // A row without a key would lock somebody in.
        if !keys.is_empty() {
            table[row].keys = keys.leak();
        }
    }
}

/// The keys of the other rows in the scope of `row`.
fn others(table: &[Binding], row: usize) -> impl Iterator<Item = &'static str> {
    let rows = table.iter().enumerate();
    let rows = rows.filter(move |(other, it)| *other != row && it.scope == table[row].scope);
    rows.flat_map(|(_, it)| it.keys).copied()
}

/// True if a sequence of keys begins another one, or is the same.
fn begins(short: &str, long: &str) -> bool {
    let rest = long.strip_prefix(short);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// True if the bindings of one scope hide those of the other while both apply.
fn meet(one: Scope, other: Scope) -> bool {
    let is_view = |scope| {
        matches!(
            scope,
            Scope::Brief | Scope::Changes | Scope::Deps | Scope::Stacks | Scope::Timeline
        )
    };
    one == other || one == Scope::Main && is_view(other) || is_view(one) && other == Scope::Main
}

/// Checks the keys of a row that the person rebound.
fn check(table: &[Binding], row: usize) -> Result<(), RebindError> {
    let own = &table[row];
    for (index, other) in table.iter().enumerate() {
        // A view has some keys of its own by default: there its commands come first.
        let [was, other_was] = [BINDINGS[row].keys, BINDINGS[index].keys];
        let is_hidden = own.scope != other.scope && was.iter().any(|key| other_was.contains(key));
        // The rows of the brief and of overlays follow.
        let follows = own.command == other.command;
        if index == row || follows || is_hidden || !meet(own.scope, other.scope) {
            continue;
        }
        for key in own.keys {
            for longer in other.keys {
                check_pair(own, key, other, longer)?;
            }
        }
    }
    Ok(())
}

fn check_pair(
    own: &Binding,
    key: &str,
    other: &Binding,
    other_key: &str,
) -> Result<(), RebindError> {
    let [(short, first), (long, second)] = if begins(key, other_key) {
        [(key, own), (other_key, other)]
    } else if begins(other_key, key) {
        [(other_key, other), (key, own)]
    } else {
        return Ok(());
    };
    let (key, first, second) = (spelled(short), named(first), named(second));
    Err(if short == long {
        RebindError::Clash { key, first, second }
    } else {
        let longer = spelled(long);
        RebindError::Prefix {
            key,
            first,
            longer,
            second,
        }
    })
}

/// The name of the command, or the description of a row whose command has none.
fn named(binding: &Binding) -> String {
    let mut same = commands().filter(|it| it.command == binding.command);
    let name = Some(binding.name).filter(|name| !name.is_empty());
    let name = name.or_else(|| same.next().map(|it| it.name));
    name.unwrap_or(binding.help).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::command::{Motion, ReviewCommand};

    fn change(name: &str, keys: &[&str]) -> Rebinding {
        Rebinding {
            name: name.to_owned(),
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        }
    }

    fn error(changes: &[(&str, &[&str])]) -> (usize, String) {
        let changes: Vec<_> = changes
            .iter()
            .map(|(name, keys)| change(name, keys))
            .collect();
        let (index, error) = rebound(&changes).unwrap_err();
        (index, error.to_string())
    }

    fn keys(table: &[Binding], scope: Scope, command: Command) -> Vec<&'static str> {
        let mut rows = table.iter().filter(|it| it.scope == scope);
        rows.find(|it| it.command == command).unwrap().keys.to_vec()
    }

    #[test]
    fn new_keys_replace_the_old_ones() {
        let table = rebound(&[change("quit", &["Q", "g q"])]).unwrap();
        assert_eq!(keys(&table, Scope::Main, Command::Quit), ["Q", "g q"]);
        assert_eq!(table.len(), BINDINGS.len());
    }

    #[test]
    fn no_change_is_the_table_of_defaults() {
        let table = rebound(&[]).unwrap();
        for (row, default) in table.iter().zip(BINDINGS) {
            assert_eq!((row.name, row.keys), (default.name, default.keys));
        }
    }

    #[test]
    fn every_command_can_have_its_default_keys() {
        for binding in commands() {
            let table = rebound(&[change(binding.name, binding.keys)]);
            let table = table.unwrap_or_else(|(_, error)| panic!("{}: {error}", binding.name));
            for (row, default) in table.iter().zip(BINDINGS) {
                assert_eq!((row.help, row.keys), (default.help, default.keys));
            }
        }
    }

    #[test]
    fn a_clash_names_both_commands() {
        let wrong = [
            (
                vec![("quit", &["w"][..])],
                "`w` is the key of `quit` and of `wrap`",
            ),
            (
                vec![("quit", &["g"][..])],
                "`g`, the key of `quit`, begins `gc`, the keys of `source`",
            ),
            (
                vec![("quit", &["w w"][..])],
                "`w`, the key of `wrap`, begins `ww`, the keys of `quit`",
            ),
            // A view would hide it.
            (
                vec![("quit", &["a"][..])],
                "`a` is the key of `quit` and of `actions`",
            ),
            (
                vec![("actions", &["q"][..])],
                "`q` is the key of `actions` and of `quit`",
            ),
            (
                vec![("copy-id", &["u"][..])],
                "`u` is the key of `copy-id` and of `copy-identity`",
            ),
        ];
        for (changes, message) in wrong {
            assert_eq!(error(&changes), (0, message.to_owned()));
        }
        let both = error(&[("wrap", &["Q"]), ("quit", &["Q"])]);
        assert_eq!(
            both,
            (0, "`Q` is the key of `wrap` and of `quit`".to_owned())
        );
    }

    #[test]
    fn two_commands_can_exchange_their_keys() {
        let table = rebound(&[change("wrap", &["q"]), change("quit", &["w"])]).unwrap();
        assert_eq!(keys(&table, Scope::Main, Command::Wrap), ["q"]);
        assert_eq!(keys(&table, Scope::Main, Command::Quit), ["w"]);
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let wrong = [
            (
                "gq",
                "`gq` is no key; the keys of a sequence are separated by blanks: `g q`",
            ),
            ("^i", "terminals send `^i` as Tab"),
            ("7", "`7` begins a count; only a view can have a digit"),
        ];
        for (key, message) in wrong {
            assert_eq!(error(&[("quit", &[key])]), (0, message.to_owned()));
        }
        for key in ["", "Ctrl-q", "g  q", "F99", "\u{7}"] {
            let (_, message) = error(&[("quit", &[key])]);
            assert!(message.contains("is no key"), "{key:?}: {message}");
        }
        assert_eq!(error(&[("qiut", &["Q"])]).1, "no command is called `qiut`");
        assert_eq!(error(&[("quit", &[])]).1, "`quit` needs a key");
    }

    #[test]
    fn overlays_follow_where_the_key_is_free() {
        let table = rebound(&[change("down", &["m", "n"]), change("mouse", &["M"])]);
        let error = table.unwrap_err().1.to_string();
        assert_eq!(error, "`n` is the key of `down` and of `next-change`");
        let table = rebound(&[
            change("down", &["m", "Down"]),
            change("mouse", &["M"]),
            change("next-change", &["V"]),
        ]);
        let table = table.unwrap();
        let down = Command::Move(Motion::Down);
        assert_eq!(keys(&table, Scope::Text, down), ["Down", "^e", "m"]);
        assert_eq!(keys(&table, Scope::Prompt, down), ["Down", "^n"]);
        let next = Command::Review(ReviewCommand::NextChange);
        assert_eq!(keys(&table, Scope::Brief, next), ["V"]);
    }
}
