//! Terraform addresses: modules, resources, instances, providers.
//!
//! `[module.NAME[KEY]?.]* [data.]? TYPE.NAME [KEY]?`, where a KEY is a number or a quoted string. A quoted key may contain any
//! characters, dots and brackets included, so addresses are scanned and never split.

mod last_module;
mod object;
mod parse;
mod provider;
mod scan;

use std::borrow::Cow;

pub(crate) use last_module::LastModule;
pub use object::ObjectName;
pub use parse::{Address, AddressMode};
pub use provider::{ProviderAddress, is_same_provider};
pub use scan::Key;

pub use crate::terraform::quoting::{quote_hcl, quote_key};

/// The steps of an address, separated by the dots outside of keys.
pub fn steps(address: &str) -> impl Iterator<Item = &str> + Clone {
    let mut rest = Some(address);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = step_end(text);
        rest = text.get(end + 1..);
        Some(&text[..end])
    })
}

/// Byte offset of the end of the first step of `text`: a dot outside of brackets and quotes, or the end of the text.
fn step_end(text: &str) -> usize {
    // Only a bracket can change the meaning of a dot.
    let first = match memchr::memchr2(b'.', b'[', text.as_bytes()) {
        None => return text.len(),
        Some(dot) if text.as_bytes()[dot] == b'.' => return dot,
        Some(bracket) => bracket,
    };
    let (mut quoted, mut escaped, mut depth) = (false, false, 0_usize);
    for (index, byte) in text.bytes().enumerate().skip(first) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' if depth > 0 => quoted = !quoted,
            b'[' if !quoted => depth += 1,
            b']' if !quoted => depth = depth.saturating_sub(1),
            b'.' if !quoted && depth == 0 => return index,
            _ => {}
        }
    }
    text.len()
}

/// The module part of an address, such as `module.a["k"].module.b` for `module.a["k"].module.b.aws_x.y`; "" at the root.
pub fn module_of(address: &str) -> &str {
    if !address.starts_with("module.") {
        return "";
    }
    let mut end = 0;
    let mut steps = steps(address);
    while let (Some("module"), Some(name)) = (steps.next(), steps.next()) {
        end += usize::from(end > 0) + "module.".len() + name.len();
    }
    &address[..end.min(address.len())]
}

/// The parent of a module; `None` at the top.
///
/// ```
/// use stacklens::terraform::address::parent_module;
/// assert_eq!(parent_module(r#"module.a["x.y"].module.b"#), Some(r#"module.a["x.y"]"#));
/// assert_eq!(parent_module("module.a"), None);
/// ```
pub fn parent_module(path: &str) -> Option<&str> {
    let last = steps(path).last()?;
    path.strip_suffix(last)?.strip_suffix(".module.")
}

/// The outermost `n` modules of a module path, or the whole path if it has no more.
///
/// ```
/// use stacklens::terraform::address::outer_modules;
/// assert_eq!(outer_modules(r#"module.a["x.y"].module.b"#, 1), r#"module.a["x.y"]"#);
/// assert_eq!(outer_modules("module.a", 2), "module.a");
/// ```
pub fn outer_modules(path: &str, n: usize) -> &str {
    // Each module is two steps, and each step is followed by a dot.
    let ends = steps(path).scan(0, |end, step| {
        *end += step.len() + 1;
        Some(*end - 1)
    });
    let end = n.checked_mul(2).and_then(|n| ends.take(n).last());
    &path[..end.unwrap_or(0).min(path.len())]
}

/// The address in the configuration: without instance keys.
pub fn config_address(address: &str) -> Cow<'_, str> {
    // Most addresses have no keys and are returned unchanged. A leading dot is dropped.
    if !address.starts_with('.') && memchr::memchr(b'[', address.as_bytes()).is_none() {
        return address.into();
    }
    let mut config = String::with_capacity(address.len());
    let mut rest = address;
    loop {
        let bracket = memchr::memchr(b'[', rest.as_bytes()).unwrap_or(rest.len());
        let (plain, keyed) = rest.split_at(bracket);
        let is_first = config.is_empty();
        config.push_str(if is_first {
            plain.trim_start_matches('.')
        } else {
            plain
        });
        rest = &keyed[step_end(keyed)..];
        if rest.is_empty() {
            return config.into();
        }
    }
}

/// The provider type in a provider address or source: `aws` for `provider["registry.terraform.io/hashicorp/aws"].west`,
/// `module.a.provider.aws` and `registry.terraform.io/hashicorp/aws`.
pub fn provider_type(provider: &str) -> &str {
    if let Some((_, rest)) = provider.split_once('"') {
        let source = rest.split_once('"').map_or(rest, |(source, _)| source);
        return source.rsplit_once('/').map_or(source, |(_, ty)| ty);
    }
    let local = provider
        .rsplit_once("provider.")
        .map_or(provider, |(_, local)| local);
    let source = local.rsplit_once('/').map_or(local, |(_, ty)| ty);
    source.split_once('.').map_or(source, |(ty, _)| ty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_by_scanning() {
        assert_eq!(
            module_of(r#"module.a["x].y"].module.b.aws_x.y["module.z"]"#),
            r#"module.a["x].y"].module.b"#
        );
        assert_eq!(module_of("aws_x.y"), "");
        assert_eq!(module_of("module.module.data.aws_x.y"), "module.module");
        assert_eq!(
            config_address(r#"module.a["x.y"].data.aws_x.y["\"]"]"#),
            "module.a.data.aws_x.y"
        );
    }

    #[test]
    fn addresses_are_listed_from_the_root() {
        let listed = [
            "data.z.a",
            "a.b",
            "a.b[2]",
            "a.b[10]",
            r#"a.b["1"]"#,
            "a.c",
            "b.a",
            "module.a.z.z",
            "module.a[0].a.a",
            "module.b.data.a.a",
            "module.a.module.a.a.a",
        ];
        let mut sorted = listed.map(|address| Address::parse(address).unwrap());
        sorted.reverse();
        sorted.sort();
        assert_eq!(sorted.map(|address| address.to_string()), listed);
    }

    #[test]
    fn keys_are_quoted_as_terraform_does() {
        let check = |text, want| assert_eq!(quote_key(text), want);
        check("a\"\\\n${b}é", r#""a\"\\\n$${b}é""#);
        // Neither a space of another kind nor a character without a meaning is printable.
        check("\u{a0}\u{e000}\u{f0000}", r#""\u00a0\ue000\U000f0000""#);
    }

    #[test]
    fn a_module_needs_a_name_and_a_module_above_it() {
        for text in [
            "",
            "\u{e9}\u{e9}\u{e9}\u{e9}.b",
            "aws_x.y",
            "module.",
            "module.a.b",
        ] {
            assert_eq!(parent_module(text), None, "{text}");
        }
    }

    #[test]
    fn providers_have_a_type() {
        assert_eq!(
            provider_type(r#"module.x.provider["registry.terraform.io/hashicorp/aws"].west"#),
            "aws"
        );
        assert_eq!(provider_type("module.a.provider.google.eu"), "google");
        assert_eq!(provider_type("provider.aws"), "aws");
        assert_eq!(provider_type("terraform.io/builtin/terraform"), "terraform");
        assert_eq!(provider_type("aws"), "aws");
    }
}
