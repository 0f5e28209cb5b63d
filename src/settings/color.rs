//! When to use colors.
//!
//! # Source
//!
//! no-color.org: a program's own configuration and options override `NO_COLOR`. bixense.com/clicolors: `CLICOLOR_FORCE` other than
//! 0 colors whatever reads the output, `CLICOLOR=0` does not color.

/// When to use colors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// If a terminal reads the output, unless a variable says otherwise.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl When {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Always, Self::Never];

    /// The word of the setting.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => super::table::AUTO,
            Self::Always => "always",
            Self::Never => "never",
        }
    }

    /// The one with this name; otherwise [`When::Auto`].
    pub(super) fn named(name: &str) -> Self {
        let found = Self::ALL.into_iter().find(|it| it.name() == name);
        found.unwrap_or(Self::Auto)
    }

    /// True or false if the person decided; `None` for [`When::Auto`].
    pub(super) fn forced(self) -> Option<bool> {
        match self {
            Self::Auto => None,
            Self::Always => Some(true),
            Self::Never => Some(false),
        }
    }

    /// True if printed output has colors.
    pub fn colors(self, is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        match self.forced() {
            Some(forced) => forced,
            None if set("NO_COLOR").is_some() => false,
            None if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
            None if set("CLICOLOR").is_some_and(|value| value == "0") => false,
            None => is_terminal && set("TERM").is_none_or(|term| term != "dumb"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_decides_then_the_variables_then_the_terminal() {
        let colors = |when: When, is_terminal: bool, variables: &[(&str, &str)]| {
            when.colors(is_terminal, |name| {
                let mut found = variables.iter().filter(|(other, _)| *other == name);
                found.next().map(|(_, value)| (*value).to_owned())
            })
        };
        let auto = |is_terminal, variables| colors(When::Auto, is_terminal, variables);
        assert!(auto(true, &[]));
        assert!(!auto(false, &[]));
        assert!(!auto(true, &[("NO_COLOR", "1")]));
        assert!(auto(true, &[("NO_COLOR", "")]));
        assert!(!auto(true, &[("CLICOLOR", "0")]));
        assert!(auto(true, &[("CLICOLOR", "1")]));
        assert!(!auto(false, &[("CLICOLOR", "1")]));
        assert!(auto(false, &[("CLICOLOR_FORCE", "1"), ("CLICOLOR", "0")]));
        assert!(!auto(false, &[("CLICOLOR_FORCE", "0")]));
        assert!(!auto(false, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
        assert!(!auto(true, &[("TERM", "dumb")]));
        assert!(colors(When::Always, false, &[("NO_COLOR", "1")]));
        assert!(!colors(When::Never, true, &[("CLICOLOR_FORCE", "1")]));
    }
}
