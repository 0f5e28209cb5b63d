//! Likely secrets: texts that are secret by their form or by their name, although the file does not mark them.
//!
//! The forms are data: private keys, tokens with the prefix and the length that a service gives them, JSON Web Tokens, URLs with a
//! password. A form leaves no doubt. So are the names: `password`, `api_key`. A name alone masks nothing: the text must be able
//! to be a secret, which a path, a reference, a switch or a duration is not. Inside of a text only the secret part is masked.
//!
//! # Laws
//!
//! 1. [`Masking`] decides, by the text of a value, its name, and the things that stand for a name: a field beside it, the argument
//!    before it, a `kind: Secret` around it, the type of its resource. It never looks at other resources. Source texts and
//!    fields of a header have rules of their own, with the same forms and names: see
//!    [`change::configuration`](crate::change::configuration).
//! 2. A mask that the file gives stays as it is.
//! 3. A text without any of the literal beginnings and parts of names is passed over by three searches; no expression is tried on it.
//! 4. A text that is secret only in part keeps its other parts ([`Value::with_cover`](crate::value::Value::with_cover)).
//!
//! # Example
//!
//! ```
//! use stacklens::likely::{Masking, find};
//! use stacklens::value::Value;
//!
//! let url = "postgres://app:hunter2@db.example.com/orders";
//! assert_eq!(find(url).unwrap().says, "a URL with a password");
//! assert!(find("postgres://db.example.com/orders").is_none());
//!
//! let masked = |name, text: &str| Masking::default().masked(name, &Value::from(text)).map(|it| it.to_string());
//! assert_eq!(masked("url", url).unwrap(), r#""postgres://app:[likely secret]@db.example.com/orders""#);
//! assert_eq!(masked("db_password", "hunter2").unwrap(), "[likely secret]");
//! assert_eq!(masked("db_password", "/run/secrets/db"), None);
//! ```

mod file;
mod forms;
mod masking;
mod names;
mod plausible;
mod texts;

pub use file::{Form, NamesError};
pub use forms::find;
pub(crate) use forms::{has_form, places};
pub use masking::{Allowed, ClearText, MaskLikely, Masking};
pub(crate) use masking::{is_secret_text, masked, names_secret};
