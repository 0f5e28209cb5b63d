//! Values and described differences to text.
