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
//! | | [`likely`] | secrets that no file marks |
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
//! `tui::run`, with two exceptions: `cli::man` writes its pages, and jobs of the explorer pace their answers by the clock.
//! `tests/it/tidy.rs` checks both, and that there are no cycles.

#![cfg_attr(test, allow(clippy::unwrap_used))]
#![cfg_attr(
    not(feature = "internals"),
    allow(
        unreachable_pub,
        clippy::enum_variant_names,
        clippy::struct_field_names,
        clippy::trivially_copy_pass_by_ref,
        clippy::type_complexity,
        clippy::unnecessary_wraps,
        clippy::unused_self,
        clippy::wildcard_imports,
        clippy::wrong_self_convention,
        reason = "clippy spares what is exported, and without `internals` nothing is"
    )
)]

// Tests and benches may open the modules, and no one else: without `internals` the compiler reports code that the program does not run.
#[cfg(feature = "internals")]
pub use modules::*;
#[cfg(not(feature = "internals"))]
use modules::*;

pub use modules::program;

#[path = "."]
mod modules {
    pub mod json;
    pub mod likely;
    pub mod log;
    pub mod path;
    pub mod secrets;
    pub mod text;
    pub mod types;
    pub mod value;

    pub mod pulumi;
    pub mod terraform;

    pub mod stack;

    pub mod change;

    pub mod dataset;
    pub mod render;
    pub mod search;
    pub mod tree;

    pub(crate) mod index;

    pub mod format;

    pub mod load;

    pub mod settings;

    pub mod cli;
    pub mod tui;

    pub mod program;
}
