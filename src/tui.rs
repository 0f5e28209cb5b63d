//! The explorer: its state, its update function, its view, and the loop that does all I/O.
//!
//! [`app::App`] routes events to the [session](session::Session), the [views] and the [overlays], and returns [`effect::Effect`]s.
//! [`view::view`] draws. Both are pure: keys in, screen out, no terminal and no waiting. Slow work is a [`jobs::Job`].
//! [`run`](run::run) owns the terminal, the threads, the clock and the clipboard.
//!
//! A view or pane says of which lines a row of its list consists; [`outline`] lays them out for drawing, the mouse, the scrollbar and
//! the cursor alike. Rows in groups that fold are counted by [`outline::Groups`]. A popup that only offers a choice is an
//! [`overlays::menu::Menu`], one that only shows something is an [`overlays::text::TextView`].
//!
//! Keys are rows of one table ([`keymap::BINDINGS`]), read by dispatch, hints, help, palette and `docs/keys.md`.

pub mod aims;
pub mod any_job;
pub mod app;
pub mod brief;
pub mod changes;
pub mod command;
pub mod copy;
pub mod edges;
pub mod effect;
pub mod event;
pub mod header;
pub mod hit_cursor;
pub mod hit_lines;
pub mod jobs;
pub mod keymap;
pub mod layout;
pub mod nothing;
pub mod outline;
pub mod overlays;
pub mod panes;
pub mod popup;
pub mod preferences;
pub mod restore_selection;
pub mod review;
pub mod ripple;
pub mod row_key;
pub mod rows;
pub mod run;
pub mod session;
pub mod since;
pub mod stacks;
pub mod theme;
pub mod view;
pub mod views;
pub mod widgets;

pub use run::run;
