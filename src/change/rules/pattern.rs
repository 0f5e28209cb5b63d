//! Patterns of properties, matched to many paths at once.
//!
//! A pattern is written as a path: `root_block_device.volume_size`, `**.image`. Three things that differ from one tool to the next
//! do not count:
//!
//! - **Indices.** `ingress.cidr_blocks` means the blocks of every element of `ingress`. Terraform has a list where Pulumi has the
//!   only element of it.
//! - **Case and separators.** `volume_size` is also `volumeSize`.
//! - **The plural.** Terraform's block `container` is `containers` in Kubernetes and Pulumi.
//!
//! `*` is any one step and `**` any number of steps. The empty pattern is the whole resource.

use super::condition::is_open;
use crate::path::{Glob, GlobSegment, Segment};
use crate::text::{ParseError, folded};
use crate::value::Value;

/// A pattern of properties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pattern(Vec<Step>);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Step {
    /// This key, folded.
    Key(Box<str>),
    /// Any one step.
    Any,
    /// Any number of steps.
    Deep,
}

impl Pattern {
    /// Parses a pattern.
    pub(super) fn parse(text: &str) -> Result<Self, ParseError> {
        let step = |segment: &GlobSegment| match segment {
            GlobSegment::Key(key) => Some(Step::Key(folded(key).into())),
            GlobSegment::Splat => Some(Step::Any),
            GlobSegment::Deep => Some(Step::Deep),
            GlobSegment::Index(_) => None,
        };
        let glob = Glob::parse_tolerant(text)?;
        Ok(Self(glob.0.iter().filter_map(step).collect()))
    }

    /// True if the whole resource fits.
    pub(super) fn may_be_root(&self) -> bool {
        self.0.iter().all(|step| *step == Step::Deep)
    }

    /// The values below `value` that the pattern names. A masked or unknown value stands for those below it.
    pub(super) fn find<'v>(&self, value: &'v Value) -> Vec<&'v Value> {
        if is_open(value) {
            return vec![value];
        }
        let mut found = Vec::new();
        let mut waiting = vec![(Reached::start(&[self]), value)];
        while let Some((reached, value)) = waiting.pop() {
            let is_open = is_open(value);
            let hides = is_open && !reached.open(&[self]).is_empty();
            if hides || !reached.ends(&[self]).is_empty() {
                found.push(value);
            }
            if is_open {
                continue;
            }
            for (step, value) in crate::path::children(value) {
                let next = reached.step(&[self], &step);
                if !next.is_empty() {
                    waiting.push((next, value));
                }
            }
        }
        found
    }
}

/// True if one of the patterns names the place at the end of the steps, or a place around it.
pub(super) fn is_in_reach(patterns: &[&Pattern], steps: &[Segment]) -> bool {
    let mut reached = Reached::start(patterns);
    let is_end = |reached: &Reached| !reached.ends(patterns).is_empty();
    is_end(&reached)
        || steps.iter().any(|step| {
            reached = reached.step(patterns, step);
            is_end(&reached)
        })
}

/// The steps of several patterns that are taken at one place: pairs of a pattern's number and the steps taken.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Reached(Vec<(usize, usize)>);

impl Reached {
    /// The start of all `patterns`.
    pub(super) fn start(patterns: &[&Pattern]) -> Self {
        let mut reached = Self::default();
        for (number, pattern) in patterns.iter().enumerate() {
            reached.add(pattern, number, 0);
        }
        reached
    }

    /// The places of both.
    pub(super) fn with(mut self, other: Self) -> Self {
        for place in other.0 {
            if !self.0.contains(&place) {
                self.0.push(place);
            }
        }
        self
    }

    /// True if no pattern leads further.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The places after one more step.
    ///
    /// An element has the places of its list, without the patterns that ended there.
    pub(super) fn step(&self, patterns: &[&Pattern], step: &Segment) -> Self {
        let key = match step {
            Segment::Key(key) => Some(folded(key)),
            Segment::Index(_) => None,
        };
        let mut after = Self::default();
        for (number, taken) in &self.0 {
            let pattern = patterns[*number];
            let Some(next) = pattern.0.get(*taken) else {
                continue;
            };
            if key.is_none() {
                after.add(pattern, *number, *taken);
            }
            match next {
                Step::Key(name) => {
                    if key.as_deref() == Some(name) {
                        after.add(pattern, *number, taken + 1);
                    }
                }
                Step::Any => after.add(pattern, *number, taken + 1),
                Step::Deep => after.add(pattern, *number, *taken),
            }
        }
        after
    }

    /// Numbers of the patterns that end here.
    pub(super) fn ends(&self, patterns: &[&Pattern]) -> Vec<usize> {
        let is_end = |(number, taken): &&(usize, usize)| patterns[*number].0.len() == *taken;
        self.0
            .iter()
            .filter(is_end)
            .map(|(number, _)| *number)
            .collect()
    }

    /// True if a pattern goes on below this place.
    pub(super) fn leads_on(&self, patterns: &[&Pattern]) -> bool {
        let mut places = self.0.iter();
        places.any(|(number, taken)| *taken < patterns[*number].0.len())
    }

    /// Numbers of the patterns that name this place by its keys, and end below it. Those with `**` may mean anything below.
    pub(super) fn open(&self, patterns: &[&Pattern]) -> Vec<usize> {
        let is_open = |(number, taken): &&(usize, usize)| {
            let steps = &patterns[*number].0;
            let named = steps.get(..=*taken);
            *taken > 0 && named.is_some_and(|named| !named.contains(&Step::Deep))
        };
        let open = self.0.iter().filter(is_open);
        open.map(|(number, _)| *number).collect()
    }

    /// Adds a place, and the one after it if `**` is next: it may be no step at all.
    fn add(&mut self, pattern: &Pattern, number: usize, taken: usize) {
        if self.0.contains(&(number, taken)) {
            return;
        }
        self.0.push((number, taken));
        if pattern.0.get(taken) == Some(&Step::Deep) {
            self.add(pattern, number, taken + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Numbers, parse};

    #[track_caller]
    fn check(pattern: &str, json: &str, want: &[&str]) {
        let value = parse(json.as_bytes(), Numbers::Exact).unwrap().value;
        let pattern = Pattern::parse(pattern).unwrap();
        let mut found: Vec<_> = pattern
            .find(&value)
            .iter()
            .map(ToString::to_string)
            .collect();
        found.sort();
        assert_eq!(found, want, "{pattern:?} in {json}");
    }

    #[test]
    fn indices_do_not_count() {
        let json = r#"{"ingress": [{"cidr_blocks": ["a"]}, {"cidr_blocks": ["b", "c"]}], "egress": {"cidr_blocks": ["d"]}}"#;
        check("ingress.cidr_blocks", json, &[r#"["a"]"#, r#"["b", "c"]"#]);
        check("egress.cidrBlocks", json, &[r#"["d"]"#]);
        check(
            "*.cidr_blocks.*",
            json,
            &[r#""a""#, r#""b""#, r#""c""#, r#""d""#],
        );
        check("cidr_blocks", json, &[]);
    }

    #[test]
    fn a_masked_container_stands_for_what_is_below_it() {
        let inner = Value::from(crate::value::Map::from_iter([("class", Value::from("x"))]));
        for hidden in [inner.with_secret(true), Value::computed()] {
            let value =
                crate::value::Map::from_iter([("storage", hidden), ("size", Value::from("y"))]);
            let value = Value::from(value);
            let found = |pattern: &str| {
                let found = Pattern::parse(pattern).unwrap();
                let found = found.find(&value).into_iter().map(is_open);
                found.collect::<Vec<_>>()
            };
            assert_eq!(found("storage.class"), [true]);
            assert_eq!(found("storage"), [true]);
            assert_eq!(found("size"), [false]);
            assert_eq!(found("**.size"), [false]);
            let whole = Value::from(vec![value.clone()]).with_secret(true);
            assert_eq!(Pattern::parse("size").unwrap().find(&whole).len(), 1);
        }
    }

    #[test]
    fn two_stars_are_any_number_of_steps() {
        let json = r#"{"spec": {"image": 1, "template": [{"images": 2}]}, "image": 3}"#;
        check("**.image", json, &["1", "2", "3"]);
        check("spec.**.image", json, &["1", "2"]);
        check(
            "root",
            json,
            &["{spec: {image: 1, template: [{images: 2}]}, image: 3}"],
        );
    }
}
