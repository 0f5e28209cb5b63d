//! Changes: the data of a review before it is drawn.
//!
//! [`masks`] fold a plan's marks for unknown and sensitive values into the values. [`difference`] describes the change at each
//! place between two values. [`review`] selects the values of a resource to compare. [`forms`] removes differences that come
//! only from the form of a file. [`leaves`] are the changed places of a resource, and [`empties`] finds those that mean nothing. [`kinds`] divides the
//! changed resources into stories. [`pairs`] are deletions and creations that are one thing. [`causes`] finds where a change comes from.
//! [`provider_diff`] has the statements of an engine or a provider beside the values. [`apply_order`] is the order of an apply.
//! [`groups`] gathers and counts things. `quantity` compares numbers with units, `schedule` how often something is done. [`rules`] find dangers by type and property, [`mechanisms`] by the structure of the plan. [`loss`] has what guards a resource
//! that goes. [`sections`] are the sections of a brief. [`texts`] walks over those that nothing masks. [`audit`] checks a plan against the planning rules. `secret_texts` finds
//! the texts that repeat a secret. `vocabulary` has the words that tell what a name means.

pub mod apply_order;
pub mod audit;
pub mod causes;
pub mod configuration;
pub mod decode;
pub mod difference;
pub mod empties;
pub(crate) mod expression;
pub mod forms;
pub mod groups;
pub mod kinds;
pub mod leaves;
pub mod loss;
pub mod masks;
pub mod mechanisms;
pub mod pairs;
pub mod policies;
pub mod provider_diff;
pub(crate) mod quantity;
pub mod review;
pub mod rules;
pub(crate) mod schedule;
pub(crate) mod secret_texts;
pub mod sections;
pub mod texts;
pub(crate) mod vocabulary;
