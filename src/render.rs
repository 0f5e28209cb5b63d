//! Values and described differences to text.

pub mod copy;
pub mod invocation;
pub mod json;
pub mod lines;
pub mod markdown;
pub mod mend;
pub mod plain;
pub mod remarks;
pub mod terraform;
