//! The places of hits among the values of the panes: from a hit to the spot that shows it, and back from the selected row.

use super::rows::{Part, Spot, parts};
use super::session::Session;
use crate::path::{Path, Segment, walk};
use crate::search::{At, Hit, OutputPlace, PropertyAddress, Query, SearchResult, Target};
use crate::stack::{Flags, Resource, ResourceId, Section, Stack};

/// A value of a resource that may not be read yet.
#[derive(Clone, Debug)]
pub enum ValueAim {
    /// The value at a spot.
    Spot(Spot),
    /// A property.
    Place(PropertyAddress),
    /// The first value for which the resource has one of these flags.
    First(Flags),
}

impl ValueAim {
    /// The values that a query finds resources for, if it does.
    pub fn of(query: &Query) -> Option<Self> {
        let flags = query.flags_of_values();
        (flags != Flags::NONE).then_some(Self::First(flags))
    }

    /// The spot where the value is shown.
    pub fn spot(self, resource: &Resource) -> Option<Spot> {
        match self {
            Self::Spot(spot) => Some(spot),
            Self::Place(place) => Some(spot_of(place, resource)),
            Self::First(flags) => first_with(flags, resource),
        }
    }
}

/// The first value for which a resource has one of these flags. Outputs come first, because a pane shows them.
fn first_with(flags: Flags, resource: &Resource) -> Option<Spot> {
    let mut parts = parts(resource);
    parts.sort_by_key(|(part, _)| *part != Part::Outputs);
    parts.into_iter().find_map(|(part, values)| {
        let mut found = None;
        walk(&values, &mut Path::root(), &mut |path, value| {
            let is_it = flags.contains(Flags::SECRET) && value.is_masked()
                || flags.contains(Flags::UNKNOWN) && value.is_computed();
            if is_it && found.is_none() {
                found = Some(Spot {
                    path: path.clone(),
                    ..Spot::top(part)
                });
            }
            found.is_none()
        });
        found
    })
}

/// The spot where a property of a resource is shown.
fn spot_of(place: PropertyAddress, resource: &Resource) -> Spot {
    Spot {
        part: Part::of(place.section, place.before, resource),
        path: place.path,
        inside: None,
    }
}

/// The spot where the Outputs view shows a value.
pub fn output_spot(stack: &Stack, place: &OutputPlace) -> Spot {
    // Without a known change, the old value is also the new one.
    let changes = |at: usize| stack.outputs[at].before.is_some();
    let is_before = place.before && position(stack, &place.path).is_some_and(changes);
    Spot {
        part: if is_before {
            Part::Before(Section::Outputs)
        } else {
            Part::Outputs
        },
        path: place.path.clone(),
        inside: None,
    }
}

/// The output that a hit is in: in Pulumi those are properties of a resource.
pub fn output_of(stack: &Stack, target: &Target) -> Option<(usize, OutputPlace)> {
    let place = match target {
        Target::Output(place) => place.clone(),
        Target::Resource(id, At::Property(place))
            if place.section == Section::Outputs
                && stack.record(*id).flags.contains(Flags::STACK) =>
        {
            OutputPlace {
                before: place.before,
                path: place.path.clone(),
            }
        }
        Target::Resource(..) => return None,
    };
    Some((position(stack, &place.path)?, place))
}

/// The position of the output that a path leads into.
fn position(stack: &Stack, path: &Path) -> Option<usize> {
    let Some(Segment::Key(name)) = path.0.first() else {
        return None;
    };
    stack.outputs.iter().position(|it| it.name == *name)
}

/// A value of a resource, or of the outputs, as a search would find it.
pub fn target_of(
    session: &Session,
    id: Option<ResourceId>,
    spot: &Spot,
    found: &SearchResult,
) -> Option<Target> {
    let Some(id) = id else {
        return Some(output_target(session, spot));
    };
    let resource = session.resources.get(id)?;
    let is_it = |hit: &&Hit| match &hit.at {
        At::Property(place) if hit.resource == id => {
            spot.is_value(&spot_of(place.clone(), resource))
        }
        At::Resource | At::Indexed(_) | At::Property(_) => false,
    };
    // The search keeps its best hits only. The hit under the cursor may be missing: it is found with the others of the resource.
    let hit = found.hits.iter().find(is_it).map(Target::of_hit);
    hit.or_else(|| {
        let place = spot.place(resource)?;
        Some(Target::Resource(id, At::Property(place)))
    })
}

fn output_target(session: &Session, spot: &Spot) -> Target {
    let (before, path) = (spot.part.starts_closed(), spot.path.clone());
    match session.stack_resource().filter(|_| session.is_pulumi()) {
        Some(id) => {
            let section = Section::Outputs;
            let place = PropertyAddress {
                before,
                section,
                path,
            };
            Target::Resource(id, At::Property(place))
        }
        None => Target::Output(OutputPlace { before, path }),
    }
}
