//! Building blocks of panes: text measured in cells, a pen, a cursor in a list, a prompt.

pub mod cursor;
pub mod elide;
pub mod frame;
pub mod names;
pub mod pen;
pub mod prompt;
pub mod scrollbar;
pub mod span;
pub mod text;
