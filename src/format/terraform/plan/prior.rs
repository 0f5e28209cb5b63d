//! The prior state of a plan, of which only the needs of some resources are read: the rest is known from the changes.

use crate::format::Oddities;
use crate::format::fields;
use crate::format::terraform::identity;
use crate::index::scan::{Next, OutlineState};
use crate::index::walk::{self, Odd, Text, text, texts};
use crate::json::tape::Taped;

const STATE: OutlineState = 0;
const VALUES: OutlineState = 1;
const MODULE: OutlineState = 2;
const RESOURCES: OutlineState = 3;
const MODULES: OutlineState = 4;

/// The way to the resources of a prior state.
pub(crate) fn outline(place: OutlineState, key: Option<&str>) -> Next {
    match (place, key) {
        (STATE, Some("values")) => Next::Enter(VALUES),
        (VALUES, Some("root_module")) | (MODULES, None) => Next::Enter(MODULE),
        (MODULE, Some("resources")) => Next::Enter(RESOURCES),
        (MODULE, Some("child_modules")) => Next::Enter(MODULES),
        (RESOURCES, None) => Next::Element(0),
        (_, _) => Next::Skip,
    }
}

/// Passes the addresses that a resource depends on to `take`, each after its own address, if `is_wanted` accepts that.
pub(crate) fn needs(
    resource: &Taped<'_>,
    is_wanted: &dyn Fn(&str) -> bool,
    take: &mut dyn FnMut(&str, &str),
) {
    match walked(resource, is_wanted) {
        Ok(None) => {}
        Ok(Some((own, targets))) => targets.iter().for_each(|target| take(&own, target)),
        // A broken entry is a broken record of a state that the changes repeat.
        Err(Odd) => {
            let read = identity::element("the resource", resource.bytes(), &mut Oddities::new());
            let Ok(map) = read else { return };
            let own = fields::text(&map, "address");
            if is_wanted(own) {
                fields::texts(&map, "depends_on").for_each(|target| take(own, target));
            }
        }
    }
}

/// The address of a resource and those that it depends on, read from the tokens; `None` if the resource is not wanted.
fn walked(
    resource: &Taped<'_>,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<Option<(String, Vec<String>)>, Odd> {
    let mut cursor = resource.cursor().map_err(|_| Odd)?;
    let (mut own, mut targets, mut is_out) = (Text::default(), Vec::new(), false);
    let outcome = walk::fields(&mut cursor, |key, cursor| {
        match key {
            b"address" => {
                own = text(cursor)?;
                is_out = !is_wanted(&own);
                // The other fields are of no interest.
                if is_out {
                    return Err(Odd);
                }
            }
            b"depends_on" => texts(cursor, |target| {
                targets.push(target.to_owned());
                Ok(())
            })?,
            _ => _ = walk::skip(cursor)?,
        }
        Ok(())
    });
    if is_out {
        return Ok(None);
    }
    outcome?;
    Ok(Some((own.to_string(), targets)))
}

#[cfg(test)]
mod tests {
    use super::needs;
    use crate::json::tape::Tape;

    #[track_caller]
    fn check(resource: &str, want: &[(&str, &str)]) {
        let is_wanted = |address: &str| address.starts_with("t.out");
        let mut tape = Tape::default();
        let mut found = Vec::new();
        needs(
            &tape.read(resource.as_bytes()),
            &is_wanted,
            &mut |own, target| {
                found.push((own.to_owned(), target.to_owned()));
            },
        );
        let found: Vec<_> = found.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(found, want, "{resource}");
    }

    #[test]
    fn the_walk_and_the_reading_of_odd_entries_agree() {
        let entry = |address: &str, value: &str| {
            format!(
                r#"{{"address": "{address}", "values": {{"a": {value}}}, "depends_on": ["t.one", "module.m.t.two"]}}"#
            )
        };
        // A control character is not walked.
        for value in ["[1, {}]", "\"a\u{1}b\""] {
            check(
                &entry("t.out[0]", value),
                &[("t.out[0]", "t.one"), ("t.out[0]", "module.m.t.two")],
            );
            check(&entry("t.stays", value), &[]);
        }
        check(r#"{"address": "t.out"}"#, &[]);
        check(
            r#"{"depends_on": ["t.one"], "address": "t.out"}"#,
            &[("t.out", "t.one")],
        );
        check(r#"{"address": "t.out", "depends_on": ["t.one"]"#, &[]);
        check(r#"["t.out"]"#, &[]);
    }
}
