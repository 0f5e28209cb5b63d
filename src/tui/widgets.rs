//! Parts of panes: text of a width, a pen, a cursor in a list, a line one types in.

pub mod cursor;
pub mod frame;
pub mod pen;
pub mod prompt;
pub mod span;
pub mod text;
