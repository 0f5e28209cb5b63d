//! Values and described differences to text.

pub mod lines;
