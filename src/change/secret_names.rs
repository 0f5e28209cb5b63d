//! Names that say that their value is secret.

use crate::text;

/// Words that mark a name as secret, anywhere in it.
const SECRET: &[&str] = &[
    "password",
    "passwords",
    "passwd",
    "pwd",
    "passphrase",
    "secret",
    "secrets",
    "token",
    "tokens",
    "credential",
    "credentials",
    "apikey",
    "privatekey",
    "accesskey",
    "secretkey",
    "connectionstring",
];

/// Words that make a following `key` secret.
const SECRET_KEYS: &[&str] = &[
    "access",
    "account",
    "api",
    "auth",
    "client",
    "encryption",
    "license",
    "master",
    "private",
    "secret",
    "shared",
    "signing",
    "storage",
];

/// Last words of names that are about a secret but do not contain it.
const ABOUT: &[&str] = &[
    "arn", "enabled", "length", "name", "names", "policy", "ttl", "type", "version",
];

/// True if a value with this name is secret.
pub(crate) fn is_secret(name: &str) -> bool {
    let words = words(name);
    let is_about = words.last().is_some_and(|last| ABOUT.contains(&&**last));
    !is_about && says_secret(&words)
}

/// Like [`is_secret`], for names in any resource, where only the last words say what a value is: `db_password`, but not
/// `password_policy`.
pub(crate) fn ends_in_secret(name: &str) -> bool {
    may_end_in_secret(name) && last_words_say_secret(name)
}

/// False only if [`last_words_say_secret`] is false. Nearly all names of a state end here, which saves a tenth of the time of a check.
fn may_end_in_secret(name: &str) -> bool {
    const ENDS: [&str; 8] = [
        "word",
        "wd",
        "phrase",
        "secret",
        "token",
        "credential",
        "key",
        "string",
    ];
    let name = name
        .trim_end_matches(|char: char| !char.is_alphabetic())
        .as_bytes();
    let ends_in = |end: &str| {
        let at = name.len().checked_sub(end.len());
        at.is_some_and(|at| name[at..].eq_ignore_ascii_case(end.as_bytes()))
    };
    !name.is_ascii() || ENDS.iter().any(|end| ends_in(end))
}

fn last_words_say_secret(name: &str) -> bool {
    let words = words(name);
    let n_words = words.len();
    let is_key = |pair: &[String]| SECRET_KEYS.contains(&&*pair[0]) && pair[1] == "key";
    let is_single = |word: &String| SECRET.contains(&word.as_str()) && !word.ends_with('s');
    words.last().is_some_and(is_single)
        || n_words >= 2
            && (is_key(&words[n_words - 2..]) || words[n_words - 2..] == ["connection", "string"])
}

/// Like [`is_secret`], for blocks with sign-in settings. There every key counts.
pub(crate) fn is_credential(name: &str) -> bool {
    let words = words(name);
    says_secret(&words) || words.iter().any(|word| word == "key" || word == "keys")
}

/// Like [`is_secret`], for a setting of a backend. There some more names mean secrets, and `key` is the path of the state.
pub(crate) fn is_backend_secret(name: &str) -> bool {
    let words = words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some((_, before)) = words.split_last() else {
        return false;
    };
    match words.as_slice() {
        ["key"] => false,
        [.., "id" | "prefix" | "path" | "file"] if !words.contains(&"secret") => false,
        [.., "conn", "str"] | ["headers"] | [.., "certificate" | "auth" | "pem" | "material"] => {
            true
        }
        [.., "key" | "keys"] => !before.is_empty(),
        _ => is_secret(name),
    }
}

fn says_secret(words: &[String]) -> bool {
    let is_key = |pair: &[String]| {
        SECRET_KEYS.contains(&&*pair[0]) && matches!(&*pair[1], "key" | "keys" | "string")
    };
    words.iter().any(|word| SECRET.contains(&&**word))
        || words.windows(2).any(is_key)
        || words.windows(2).any(|pair| pair == ["connection", "string"])
        // By convention, arguments that go to the provider and never into a state end in `wo` (write-only).
        || words.last().is_some_and(|last| last == "wo")
}

/// The words of a name without numbers at their ends: `password_2` and `password2` are passwords.
fn words(name: &str) -> Vec<String> {
    let mut words = text::words(name);
    for word in &mut words {
        word.truncate(word.trim_end_matches(char::is_numeric).len());
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::{ABOUT, SECRET, SECRET_KEYS};
    use super::{ends_in_secret, is_credential, is_secret};
    use super::{last_words_say_secret, may_end_in_secret};

    #[test]
    fn a_name_that_is_passed_over_does_not_end_in_a_secret() {
        let key = |word: &&str| format!("{word}_key");
        let words = SECRET.iter().chain(ABOUT).map(ToString::to_string);
        let words: Vec<String> = words
            .chain(SECRET_KEYS.iter().map(key))
            .chain(["connection_string", "connectionString", "key", "ami", ""].map(str::to_owned))
            .collect();
        let mut n_passed_over = 0;
        for word in words {
            for name in [
                word.clone(),
                word.to_uppercase(),
                format!("db_{word}"),
                format!("{word}_"),
                format!("{word}-1"),
                format!("{word}2"),
                format!("DB{word}"),
                format!("é{word}"),
                format!("{word}é"),
            ] {
                n_passed_over += usize::from(!may_end_in_secret(&name));
                let is_passed_over = !may_end_in_secret(&name) && last_words_say_secret(&name);
                assert!(!is_passed_over, "{name}");
            }
        }
        assert!(n_passed_over > 50, "{n_passed_over}");
        assert!(may_end_in_secret("DB_PASSWORD_") && !may_end_in_secret("instance_type"));
    }

    #[test]
    fn names_of_secrets_are_recognized() {
        for name in [
            "password",
            "db_password",
            "DB_PASSWORD",
            "masterPassword",
            "client-secret",
            "api_token",
            "private_key",
            "access_key",
            "password_wo",
            "connection_string",
            "secret_id",
            "DBPassword",
            "SMTPPassword",
            "AWSSecretKey",
            "password2",
            "db.password",
        ] {
            assert!(is_secret(name) && is_credential(name), "{name}");
        }
        for name in [
            "name",
            "secret_name",
            "password_length",
            "token_ttl",
            "kms_key_id",
            "key",
            "key_name",
            "compass",
            "passwordless",
            "",
            "secretary",
        ] {
            assert!(!is_secret(name), "{name}");
        }
        for name in [
            "db_password",
            "apiToken",
            "access_key",
            "connection_string",
            "CLIENT_SECRET",
            "DBPassword",
            "SMTPPassword",
            "AWSSecretKey",
            "AWS_SECRET_ACCESS_KEY",
            "DB2Password",
            "password_2",
        ] {
            assert!(ends_in_secret(name), "{name}");
        }
        for name in [
            "password_policy",
            "secrets",
            "token_endpoint",
            "secret_id",
            "public_key",
            "key",
        ] {
            assert!(!ends_in_secret(name), "{name}");
        }
        assert!(is_credential("key") && is_credential("kms_key_id"));
        assert!(!is_credential("region"));
    }
}
