//! Paths as a state of Terraform writes them: through the wrapper of a dynamic value, `{"value": …, "type": …}`.
//!
//! The wrapper is not part of the path of a value. A path that leads nowhere without it is tried as the file has it, so that
//! `input.value.size` is `input.size`, and `input.type` is the declared type of `input`.

use super::{Answer, Masks, Of, descend, follow};
use crate::path::{Path, Segment};
use crate::stack::{Resource, Section};
use crate::value::Value;

/// The field of a resource with the declared types of its dynamic values, by their paths.
pub const DECLARED: &str = "declared types";

/// The half of a wrapper that a path leads into.
enum Half<'r> {
    /// The path without the steps into wrappers.
    Value(Path),
    /// A declared type, and the path in it.
    Type(&'r Value, &'r [Segment]),
}

/// The value at a path that the file has and the value without wrappers has not.
pub(super) fn lookup(resource: &Resource, path: &Path, of: Of, masks: Masks) -> Option<Answer> {
    let mut places = of.places();
    let place = places.find(|it| it.section == Section::Outputs && it.of(resource).is_some())?;
    let value = match half(resource, path)? {
        Half::Value(bare) => {
            let other = place.other().of(resource);
            descend(place.of(resource)?, other, &bare, masks)
        }
        Half::Type(ty, rest) => follow(ty, rest, masks),
    };
    let value = value.ok()?;
    Some(Answer { place, value })
}

fn half<'r>(resource: &'r Resource, path: &'r Path) -> Option<Half<'r>> {
    let declared = resource.fields.iter().find(|(key, _)| &**key == DECLARED);
    let declared = declared?.1.as_map()?;
    let mut bare = Path::root();
    // Number of steps to the last wrapper that the path went through.
    let mut inside = None;
    for (index, segment) in path.0.iter().enumerate() {
        let n_steps = bare.0.len();
        if inside != Some(n_steps)
            && let Segment::Key(key) = segment
            && let Some(ty) = declared.get(&bare.to_string())
        {
            match &**key {
                "type" => return Some(Half::Type(ty, &path.0[index + 1..])),
                "value" => {
                    inside = Some(n_steps);
                    continue;
                }
                _ => {}
            }
        }
        bare.0.push(segment.clone());
    }
    inside.map(|_| Half::Value(bare))
}
