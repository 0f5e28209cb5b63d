//! The prior state of a plan. The changes say what is in it, but for one thing: it alone has the dependencies of resources that are no
//! longer in the configuration. So its resources are only located, and those that leave are read at the end.

use crate::format::fields;
use crate::format::terraform::identity;
use crate::format::{Oddities, draft};
use crate::index::indexer::Indexer;
use crate::index::scan::Element;
use crate::index::walk::{self, Odd, text, texts};
use crate::json::tape::{Cursor, Met, Taped, Where};
use crate::terraform::address::config_address;

/// Notes where the resource at `cursor` lies. Its address comes first; the rest is not looked at. Fails with [`Odd`] otherwise.
pub(super) fn locate(
    element: &Element,
    cursor: &mut Cursor<'_>,
    indexer: &mut Indexer,
) -> Result<(), Odd> {
    if cursor.value()? != Met::Map || cursor.key(Where::First)? != Some(b"address") {
        return Err(Odd);
    }
    let address = text(cursor)?;
    cursor.skip_to_end();
    add(element, &address, indexer);
    Ok(())
}

/// Notes where the resource with an address lies.
pub(super) fn add(element: &Element, address: &str, indexer: &mut Indexer) {
    indexer.prior(address, draft::span_of(element));
}

/// Passes the configuration addresses that a resource depends on to `take`.
pub(crate) fn needs(resource: &Taped<'_>, take: &mut dyn FnMut(&str)) {
    if let Ok(targets) = walked(resource) {
        for target in targets {
            take(&config_address(&target));
        }
        return;
    }
    // A broken entry is a broken record of a state that the changes repeat.
    if let Ok(map) = identity::element("the resource", resource.bytes(), &mut Oddities::new()) {
        fields::texts(&map, "depends_on").for_each(|target| take(&config_address(target)));
    }
}

/// The addresses that a resource depends on, read from the tokens.
fn walked(resource: &Taped<'_>) -> Result<Vec<String>, Odd> {
    let mut targets = Vec::new();
    walk::fields(&mut resource.cursor()?, |key, cursor| {
        match key {
            b"depends_on" => texts(cursor, |target| {
                targets.push(target.to_owned());
                Ok(())
            })?,
            _ => _ = walk::skip(cursor)?,
        }
        Ok(())
    })?;
    Ok(targets)
}

#[cfg(test)]
mod tests {
    use super::needs;
    use crate::json::tape::Tape;

    #[track_caller]
    fn check(resource: &str, want: &[&str]) {
        let mut tape = Tape::default();
        let mut found = Vec::new();
        needs(&tape.read(resource.as_bytes()), &mut |target| {
            found.push(target.to_owned());
        });
        assert_eq!(found, want, "{resource}");
    }

    #[test]
    fn the_walk_and_the_reading_of_odd_entries_agree() {
        // A control character is not walked.
        for value in ["[1, {}]", "\"a\u{1}b\""] {
            check(
                &format!(
                    r#"{{"address": "t.out[0]", "values": {{"a": {value}}}, "depends_on": ["t.one", "module.m[\"a\"].t.two"]}}"#
                ),
                &["t.one", "module.m.t.two"],
            );
        }
        check(r#"{"address": "t.out"}"#, &[]);
        check(r#"{"address": "t.out", "depends_on": ["t.one"]"#, &[]);
        check(r#"["t.out"]"#, &[]);
    }
}
