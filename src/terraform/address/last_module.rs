//! Finds the modules of addresses that come in the order of a file, where those of one module are together.

use std::borrow::Cow;

use super::{config_address, module_of};

/// The module of the last address.
///
/// # Law
///
/// [`LastModule::of`] gives [`module_of`], and [`LastModule::config`] gives [`config_address`]. The test
/// `the_last_module_gives_what_scanning_gives` compares them.
#[derive(Default, Debug)]
pub(crate) struct LastModule {
    /// Its address, with the dot after it; empty if there is none.
    module: String,
    /// Its address in the configuration, with the dot after it.
    config: String,
}

impl LastModule {
    /// The module part of an address, which is the next one.
    pub(crate) fn of<'a>(&mut self, address: &'a str) -> &'a str {
        if self.rest(address).is_some() {
            return &address[..self.module.len() - 1];
        }
        let module = module_of(address);
        self.module.clear();
        self.config.clear();
        // Without a dot the module ends with the address, and may have a bracket that is not closed.
        if !module.is_empty() && address[module.len()..].starts_with('.') {
            self.module.extend([module, "."]);
            self.config.push_str(&config_address(&self.module));
        }
        module
    }

    /// The address in the configuration.
    pub(crate) fn config<'a>(&self, address: &'a str) -> Cow<'a, str> {
        let Some(rest) = self.rest(address) else {
            return config_address(address);
        };
        let inner = config_address(rest);
        if self.config == self.module && inner.len() == rest.len() {
            return address.into();
        }
        [&self.config, &*inner].concat().into()
    }

    /// The part of an address after the module, if it is in the last one.
    fn rest<'a>(&self, address: &'a str) -> Option<&'a str> {
        let rest = address.strip_prefix(&*self.module)?;
        let goes_on = rest.starts_with("module.") || rest.starts_with(['.', '[']);
        (!self.module.is_empty() && !goes_on).then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_last_module_gives_what_scanning_gives(
            addresses in prop::collection::vec(
                prop_oneof![
                    "(module\\.[ab](\\[(0|\"x\\.y\"|\"\\\\\"\\]\")\\])?\\.){0,3}(data\\.)?(t|module)\\.n(\\[(0|\"k\")\\])?",
                    "(module\\.)?[ab.\\[\\]\"\\\\]{0,8}(\\.module)?[ab.\\[\\]\"\\\\]{0,8}",
                ],
                1..8,
            ),
            order in prop::collection::vec(0_usize..8, 1..30),
        ) {
            let mut last = LastModule::default();
            for index in order {
                let address = &*addresses[index % addresses.len()];
                prop_assert_eq!(last.of(address), module_of(address), "{}", address);
                for address in &addresses {
                    prop_assert_eq!(last.config(address), config_address(address), "{}", address);
                }
            }
        }
    }
}
