//! The explorer: the model, its update function, its view, and the loop that does all I/O.
//!
//! [`model::Model`] is the whole state of the screen. [`model::Model::update`] takes an [`event::Event`] and returns
//! [`effect::Effect`]s. [`view::view`] draws. Both are pure: keys in, screen out, no terminal and no waiting. [`run`](run::run)
//! owns the terminal, the threads, the clock and the clipboard.
//!
//! Keys are rows of one table ([`keymap::BINDINGS`]), read by dispatch, hints, help, palette and README.

pub mod command;
pub mod effect;
pub mod event;
pub mod jobs;
pub mod keymap;
pub mod layout;
pub mod model;
pub mod overlays;
pub mod panes;
pub mod restore_selection;
pub mod rows;
pub mod run;
pub mod theme;
pub mod view;
pub mod widgets;

pub use run::run;
