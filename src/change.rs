//! TODO

pub mod audit;
pub mod causes;
pub mod configuration;
pub mod decode;
pub mod difference;
pub mod forms;
pub mod masks;
pub mod review;
