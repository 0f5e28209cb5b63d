//! Keys in, screen out: the explorer without a terminal. Effects are performed at once, so that nothing waits.

mod actions;
mod audit;
mod causes;
mod changes;
mod cursor;
mod decode;
mod deps;
mod difference;
mod drift;
mod header;
mod history;
mod keys;
mod late;
mod list;
mod live;
mod loading;
pub(crate) mod monkey;
mod mouse;
mod outputs;
pub(crate) mod paths;
mod pictures;
mod problems;
mod reload;
mod resources;
mod reveal;
mod review;
mod roots;
mod saved;
mod search;
mod selection;
mod source;
mod stories;
mod themes;
mod unlock;
mod yank;

pub(crate) use crate::support::harness;
