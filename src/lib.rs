//! See what is in an infrastructure stack, what a plan is about to do to it, and why.
//!
//! A file's bytes are indexed into records of a [`stack::Stack`]. Records feed a graph, a tree and a search index. When someone looks
//! at a resource, its bytes become [values](value::Value) and a [described difference](change::difference). Those become rows, and
//! rows become cells.
//!
//! # Example
//!
//! ```
//! use stacklens::load::{Input, load};
//!
//! let state = br#"{"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "l", "outputs": {}, "resources": [
//!     {"mode": "managed", "type": "db", "name": "main", "provider": "provider[\"example.com/acme/db\"]", "instances": [
//!         {"schema_version": 0, "attributes": {"size": 3, "password": "hunter2"},
//!          "sensitive_attributes": [[{"type": "get_attr", "value": "password"}]]}]}]}"#;
//! let document = load(&Input::bytes("terraform.tfstate", &state[..])).unwrap();
//! let id = document.stack.ids().next().unwrap();
//! assert_eq!(document.stack.name(id), "db.main");
//! let resource = document.resource(id).unwrap();
//! let state = resource.current().unwrap();
//! assert_eq!(state.outputs.as_ref().unwrap().to_string(), r#"{size: 3, password: [secret]}"#);
//! ```
//!
//! # Modules in reading order
//!
//! | layer | module | contents |
//! |---|---|---|
//! | language | [`text`] | quoting, escaping, scanning, parse errors |
//! | | [`value`] | the contents of a property, with its markers and laws |
//! | | [`json`] | reading and writing values without loss |
//! | | [`path`] | positions in a value |
//! | | [`types`] | types of values |
//! | | [`secrets`] | keys and authenticated decryption |
//! | | [`mod@log`] | what the program does, without a text of a file |
//! | worlds | [`pulumi`] | URNs, the wire form, assets, differences, passphrases |
//! | | [`terraform`] | addresses, cty, schemas, HCL, encrypted state, the planning rules |
//! | stack | [`stack`] | records, identities, tables, notes, the graph |
//! | change | [`change`] | the described difference, masks, causes, kinds, rules, the audit |
//! | derived | [`search`] | queries, the index of names, hits |
//! | | [`tree`] | resources as rows that fold |
//! | | [`render`] | lines, plans and copies as text |
//! | | [`dataset`] | the tables of `export`, and the rows of a stack |
//! | index | `index` | the bytes of an element to rows |
//! | format | [`mod@format`] | one module for each kind of file |
//! | load | [`load`] | a path or a pipe to a document |
//! | front end | [`settings`] | the settings, and where their values come from |
//! | | [`cli`] | one module for each printing command |
//! | | [`tui`] | the explorer |
//! | roots | [`program`] | arguments to a command or the explorer |
//!
//! A module uses its own layer and the ones above it in this table. Files, the clock and threads are used only by `load` and
//! `tui::run`. `tests/it/tidy.rs` checks both, and that there are no cycles.

#![cfg_attr(test, allow(clippy::unwrap_used))]
#![cfg_attr(
    not(feature = "internals"),
    allow(
        unreachable_pub,
        clippy::enum_variant_names,
        clippy::struct_field_names,
        clippy::trivially_copy_pass_by_ref,
        clippy::type_complexity,
        clippy::wrong_self_convention,
        reason = "clippy spares what is exported, and without `internals` nothing is"
    )
)]

// Tests and benches may open the modules. Without `internals` the compiler reports code that the program does not run. The pairs
// are written out because rustfmt does not follow a `mod` in a macro, and `pub(in …)` does not resolve through a `use`.
#[cfg(feature = "internals")]
pub mod json;
#[cfg(not(feature = "internals"))]
mod json;
#[cfg(feature = "internals")]
pub mod log;
#[cfg(not(feature = "internals"))]
mod log;
#[cfg(feature = "internals")]
pub mod path;
#[cfg(not(feature = "internals"))]
mod path;
#[cfg(feature = "internals")]
pub mod secrets;
#[cfg(not(feature = "internals"))]
mod secrets;
#[cfg(feature = "internals")]
pub mod text;
#[cfg(not(feature = "internals"))]
mod text;
#[cfg(feature = "internals")]
pub mod types;
#[cfg(not(feature = "internals"))]
mod types;
#[cfg(feature = "internals")]
pub mod value;
#[cfg(not(feature = "internals"))]
mod value;

#[cfg(feature = "internals")]
pub mod pulumi;
#[cfg(not(feature = "internals"))]
mod pulumi;
#[cfg(feature = "internals")]
pub mod terraform;
#[cfg(not(feature = "internals"))]
mod terraform;

#[cfg(feature = "internals")]
pub mod stack;
#[cfg(not(feature = "internals"))]
mod stack;

#[cfg(feature = "internals")]
pub mod change;
#[cfg(not(feature = "internals"))]
mod change;

#[cfg(feature = "internals")]
pub mod dataset;
#[cfg(not(feature = "internals"))]
mod dataset;
#[cfg(feature = "internals")]
pub mod render;
#[cfg(not(feature = "internals"))]
mod render;
#[cfg(feature = "internals")]
pub mod search;
#[cfg(not(feature = "internals"))]
mod search;
#[cfg(feature = "internals")]
pub mod tree;
#[cfg(not(feature = "internals"))]
mod tree;

mod index;

#[cfg(feature = "internals")]
pub mod format;
#[cfg(not(feature = "internals"))]
mod format;

#[cfg(feature = "internals")]
pub mod load;
#[cfg(not(feature = "internals"))]
mod load;

#[cfg(feature = "internals")]
pub mod settings;
#[cfg(not(feature = "internals"))]
mod settings;

#[cfg(feature = "internals")]
pub mod cli;
#[cfg(not(feature = "internals"))]
mod cli;
#[cfg(feature = "internals")]
pub mod tui;
#[cfg(not(feature = "internals"))]
mod tui;

pub mod program;
