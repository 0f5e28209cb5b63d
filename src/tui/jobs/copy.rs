//! Copying from many resources at once, or from a large one.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Cancel, Job, Topic};
use crate::format::locate;
use crate::load::Document;
use crate::render::copy::{Form, Location, Subject};
use crate::stack::ResourceId;
use crate::tui::rows::Spot;

/// A request for the location of a resource in the file.
pub struct Locate(pub Document, pub ResourceId);

impl Job for Locate {
    /// `None` if it was not found.
    type Answer = Option<Arc<Location>>;

    const TOPIC: Topic = Topic::named("locating");

    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self(document, id) = self;
        let (stack, source) = (&document.stack, &*document.source);
        let location = locate::location(stack, id, source, &|| cancel.is_cancelled());
        say(location.ok().flatten().map(Arc::new));
    }
}

/// A request to copy something from many resources.
pub struct CopyMany {
    /// The file.
    pub document: Document,
    /// The resources to copy from.
    pub ids: Vec<ResourceId>,
    /// The form to copy.
    pub form: Form,
    /// The property to copy from each resource; `None` for the resources themselves.
    pub spot: Option<Spot>,
}

/// The text to copy from many resources.
pub struct CopiedLines {
    /// The form.
    pub form: Form,
    /// A line for each resource that has something to copy, in the order of the file. The text of a single one may have many.
    pub lines: Vec<String>,
    /// Number of resources without a line.
    pub n_missing: usize,
    /// The reason for the first of these.
    pub why_not: Option<String>,
}

impl Job for CopyMany {
    type Answer = CopiedLines;

    const TOPIC: Topic = Topic::named("copying");

    /// Secrets stay masked: a line that would show one is left out.
    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self {
            document,
            ids,
            form,
            spot,
        } = &self;
        let stack = &document.stack;
        let mut located: HashMap<ResourceId, Location> = HashMap::new();
        if form.needs_location() {
            let found = locate::locations(stack, ids, &*document.source, &|| cancel.is_cancelled());
            let found = found.unwrap_or_default().into_iter();
            located.extend(found.filter_map(|(id, location)| Some((id, location?))));
        }
        let (mut lines, mut why_not) = (Vec::new(), None);
        for id in ids {
            if cancel.is_cancelled() {
                return;
            }
            let line = match document.resource(*id) {
                Ok(resource) => {
                    let place = spot.as_ref().and_then(|spot| spot.place(&resource));
                    let inside = spot.as_ref().and_then(|spot| spot.inside.as_ref());
                    let subject = Subject {
                        stack,
                        id: *id,
                        resource: &resource,
                        place: place.as_ref(),
                        revealed: false,
                        location: located.get(id),
                        inside,
                        hunk: None,
                    };
                    let text = match &ids[..] {
                        [_] => subject.copy(*form),
                        _ => subject.copy_line(*form),
                    };
                    text.map_err(|why| why.to_string())
                }
                Err(error) => Err(error.to_string()),
            };
            match line {
                Ok(line) => lines.push(line),
                Err(why) => why_not = why_not.or(Some(why)),
            }
        }
        say(CopiedLines {
            form: *form,
            n_missing: ids.len() - lines.len(),
            lines,
            why_not,
        });
    }
}
