//! Changes: everything that a review says of one, before it is drawn.
//!
//! [`masks`] fold what a plan says beside a value into it, [`difference`] describes what happens at each place between two values,
//! [`review`] says which values of a resource are compared, [`forms`] takes out what only the form of a file makes different,
//! [`causes`] says where a change comes from, [`told`] what an engine or a provider says beside the values, and [`audit`] holds a plan against the planning rules.

pub mod audit;
pub mod causes;
pub mod configuration;
pub mod decode;
pub mod difference;
pub mod forms;
pub mod masks;
pub mod review;
pub mod told;
