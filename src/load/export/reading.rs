//! Reading a member, on a worker: its rows go into a part.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

use super::super::ahead::Ahead;
use super::super::audit::{Audit, by_identity, clear_outputs, clear_texts, of_note};
use super::super::brief::stack_findings::{self, StackFinding};
use super::super::brief::{Brief, leaves_of};
use super::super::fleet::edges::Reading as StackReading;
use super::super::fleet::{Asked, Base, Opened, Place};
use super::super::{Document, LoadError, schemas};
use super::ExportError;
use super::folder::Folder;
use super::part::{Added, Closed, Part, Parts, Sizes};
use super::stack_row::{Facts, Version};
use crate::change::audit::Finding;
use crate::change::rules::Rules;
use crate::dataset::{FindingRow, ReadingRow};
use crate::format::ReadError;
use crate::path;
use crate::stack::{Resource, ResourceId};
use crate::terraform::schema::Schemas;
use crate::text::hex;

/// The folder of the tool of files that cannot be read.
const UNKNOWN: &str = "unknown";

/// Number of hexadecimal digits of an id.
const DIGITS: usize = 32;

/// The outcome of reading a member.
pub(super) enum Reading {
    /// Its newest version is in the dataset.
    Same,
    /// A version that is not the newest one, and the part with those of its rows that the dataset does not have.
    New(Box<Version>, Added),
}

/// The reason why a member, or the export, ends.
enum Halt {
    Member(LoadError),
    Export(ExportError),
}

impl From<LoadError> for Halt {
    fn from(error: LoadError) -> Self {
        Self::Member(error)
    }
}

impl From<ExportError> for Halt {
    fn from(error: ExportError) -> Self {
        Self::Export(error)
    }
}

/// Reads members into parts.
pub(super) struct Reader<'f> {
    folder: &'f Folder,
    base: &'f Base,
    rules: &'f Rules,
    parts: Parts<'f>,
    /// The stacks that were read, because a person may name a file twice.
    met: Mutex<HashSet<String>>,
    /// The stacks that could not be read.
    failed: Mutex<HashSet<String>>,
}

/// An id: the first digits of a hash.
fn id_of(text: &str) -> String {
    let mut id = hex(&Sha256::digest(text.as_bytes()));
    id.truncate(DIGITS);
    id
}

impl<'f> Reader<'f> {
    pub(super) fn new(folder: &'f Folder, base: &'f Base, rules: &'f Rules, sizes: Sizes) -> Self {
        Self {
            folder,
            base,
            rules,
            parts: Parts::new(folder, sizes),
            met: Mutex::default(),
            failed: Mutex::default(),
        }
    }

    /// Closes all parts.
    pub(super) fn finish(&self) -> Result<Vec<Closed>, ExportError> {
        self.parts.finish()
    }

    /// Reads a member, unless its newest version is in the dataset.
    pub(super) fn read(
        &self,
        opened: &Opened<'_>,
    ) -> Result<Asked<Result<Reading, ExportError>>, LoadError> {
        let result = match self.read_new(opened) {
            Ok(reading) => Ok(reading),
            Err(Halt::Export(error)) => Err(error),
            Err(Halt::Member(error)) => return Err(error),
        };
        Ok(Asked::uncounted(result))
    }

    fn read_new(&self, opened: &Opened<'_>) -> Result<Reading, Halt> {
        let place = self.base.place(opened.place());
        let contents = opened.digest()?.ok_or_else(|| {
            let message = "a pipe can be read only once, expected a file".to_owned();
            LoadError::unreadable(&opened.place().to_string(), message)
        })?;
        let stack_id = id_of(&place);
        let version_id = id_of(&format!("{stack_id}:{contents}"));
        let newest = self.folder.newest.get(&stack_id);
        if newest.is_some_and(|newest| newest.version == version_id) {
            return Ok(Reading::Same);
        }
        let document = opened.load()?;
        if !is_first(&self.met, &stack_id) {
            return Ok(Reading::Same);
        }
        let mut facts = Facts::of(&document);
        facts.twin_key = opened.twin_key(&document, &contents);
        let mut part = self.parts.of_version(&version_id);
        if !self.folder.versions.contains(&version_id) {
            facts.n_unread = self.add_all(opened, &document, &place, &mut part)?;
        }
        let added = self.parts.add(document.stack.header.tool.name(), part)?;
        let version = Version {
            place,
            stack_id,
            id: version_id,
            number: newest.map_or(0, |newest| newest.number) + 1,
            contents: Some(contents),
            facts: Ok(facts),
        };
        Ok(Reading::New(Box::new(version), added))
    }

    /// The version of a member that cannot be read, which has no rows; `None` if it is in the dataset already.
    pub(super) fn failed(
        &self,
        place: &Place,
        error: &LoadError,
    ) -> Result<Option<(Version, Added)>, ExportError> {
        let message = error.to_string();
        // The same on every machine.
        let message = message
            .strip_prefix(&format!("{place}: "))
            .unwrap_or(&message);
        let place = self.base.place(place);
        let stack_id = id_of(&place);
        let version_id = id_of(&format!("{stack_id}:error:{message}"));
        let newest = self.folder.newest.get(&stack_id);
        let is_known = newest.is_some_and(|newest| newest.version == version_id);
        if is_known || !is_first(&self.failed, &stack_id) {
            return Ok(None);
        }
        let added = self
            .parts
            .add(UNKNOWN, self.parts.of_version(&version_id))?;
        let version = Version {
            place,
            stack_id,
            id: version_id,
            number: newest.map_or(0, |newest| newest.number) + 1,
            contents: None,
            facts: Err(message.to_owned()),
        };
        Ok(Some((version, added)))
    }

    /// Adds the rows of a document. Returns the number of resources that cannot be read.
    fn add_all(
        &self,
        opened: &Opened<'_>,
        document: &Document,
        place: &str,
        part: &mut Part<'_>,
    ) -> Result<u64, Halt> {
        let stack = &document.stack;
        let schemas = if stack.header.kind.is_pulumi() {
            None
        } else {
            schemas::of(&opened.input())?.map(|found| found.contents)
        };
        let mut n_unread = 0;
        let ahead = Ahead::new(&*document.source, stack, stack.ids());
        for id in stack.ids() {
            let resource = document.resource_from(id, &ahead);
            let is_read = add_resource(document, id, resource, schemas.as_ref(), place, part)?;
            n_unread += u64::from(!is_read);
            part.relieve()?;
        }
        for output in stack.outputs.iter() {
            part.rows.add_output(output);
            part.relieve()?;
        }
        self.add_findings(document, schemas, part)
            .map_err(|error| LoadError::unreadable(place, error.to_string()))?;
        Ok(n_unread)
    }

    /// Adds the findings that are about more than one resource.
    fn add_findings(
        &self,
        document: &Document,
        schemas: Option<Schemas>,
        part: &mut Part<'_>,
    ) -> Result<(), ReadError> {
        let stack = &document.stack;
        let audit = Audit {
            plan: document.clone(),
            after: None,
            schemas: schemas.as_ref(),
        };
        let mut findings: Vec<Finding> = clear_outputs(stack).collect();
        audit.run_promises(&mut |_| true, &mut |finding| findings.push(finding))?;
        findings.extend(stack.notes.iter().filter_map(of_note));
        if !findings.is_empty() {
            let ids = by_identity(document);
            for finding in &findings {
                add_check(finding, ids.get(&finding.resource).copied(), part);
            }
        }
        if stack.holds_changes() {
            let schemas = schemas.unwrap_or_default();
            let brief = Brief::of(document, &schemas, self.rules, &|| false);
            add_brief(document, &brief.unwrap_or_default(), part);
        }
        Ok(())
    }
}

/// True if a stack is met for the first time.
fn is_first(met: &Mutex<HashSet<String>>, stack_id: &str) -> bool {
    let mut met = met.lock().unwrap_or_else(PoisonError::into_inner);
    met.insert(stack_id.to_owned())
}

/// Adds a resource. False if it cannot be read.
fn add_resource(
    document: &Document,
    id: ResourceId,
    resource: Result<Resource, ReadError>,
    schemas: Option<&Schemas>,
    place: &str,
    part: &mut Part<'_>,
) -> Result<bool, Halt> {
    let stack = &document.stack;
    let resource = match resource {
        Ok(resource) => Some(resource),
        Err(error @ ReadError::Source(_)) => {
            return Err(LoadError::unreadable(place, error.to_string()).into());
        }
        Err(error) => {
            let identity = stack.identity(id);
            part.rows.add_finding(&FindingRow {
                source: "check",
                rule: "not_checked",
                severity: "warning",
                resource: Some(id),
                address: &identity,
                path: &path::Path::root(),
                message: &format!("it cannot be read: {error}"),
            });
            None
        }
    };
    let resource = resource.as_ref();
    part.rows.add_resource(stack, id, resource);
    if let Some(resource) = resource {
        if let Some(reading) = StackReading::of(stack, id, resource) {
            part.rows.add_reading(&ReadingRow {
                resource: id,
                kind: reading.kind().name(),
                target: &reading.wanted.to_string(),
                target_stack: &reading.wanted.reference(&stack.header.project, place),
            });
        }
        for finding in clear_texts(stack, id, resource) {
            add_check(&finding, Some(id), part);
        }
    }
    if stack.holds_changes() {
        let none = Schemas::default();
        let leaves = |resource| leaves_of(stack, resource, schemas.unwrap_or(&none));
        let leaves = resource.map(leaves).unwrap_or_default();
        part.rows.add_change(stack, id, resource, &leaves);
    }
    Ok(resource.is_some())
}

fn add_check(finding: &Finding, resource: Option<ResourceId>, part: &mut Part<'_>) {
    part.rows.add_finding(&FindingRow {
        source: "check",
        rule: finding.kind,
        severity: finding.severity.name(),
        resource,
        address: &finding.resource,
        path: &finding.path.to_property_path(),
        message: &finding.sentence,
    });
}

/// Adds the findings of the rules and of the mechanisms, and those about no change of a resource.
fn add_brief(document: &Document, brief: &Brief, part: &mut Part<'_>) {
    let stack = &document.stack;
    for alarm in &brief.findings.alarms {
        for place in &alarm.places {
            part.rows.add_finding(&FindingRow {
                source: "rule",
                rule: &alarm.rule.id,
                severity: alarm.rule.level.name(),
                resource: Some(place.id),
                address: &stack.identity(place.id),
                path: &place.path,
                message: &alarm.rule.says,
            });
        }
    }
    let top = path::Path::root();
    for notice in &brief.notices {
        let mut add = |resource: Option<ResourceId>, path: &path::Path| {
            let address = resource.map(|id| stack.identity(id)).unwrap_or_default();
            part.rows.add_finding(&FindingRow {
                source: "mechanism",
                rule: notice.mechanism,
                severity: notice.level.name(),
                resource,
                address: &address,
                path,
                message: &notice.says,
            });
        };
        if notice.ids.is_empty() {
            add(None, &top);
        } else if notice.facts.is_empty() {
            notice.ids.iter().for_each(|id| add(Some(*id), &top));
        } else {
            notice
                .facts
                .iter()
                .for_each(|fact| add(Some(fact.id), &fact.path));
        }
    }
    let mut add = |it: &StackFinding, address: &str, path: &path::Path| {
        part.rows.add_finding(&FindingRow {
            source: "mechanism",
            rule: it.mechanism,
            severity: it.level.name(),
            resource: it.resource,
            address,
            path,
            message: &it.says,
        });
    };
    for it in stack_findings::failures(stack) {
        let address = it.resource.map(|id| stack.identity(id));
        add(&it, address.as_deref().unwrap_or(&it.place), &top);
    }
    for (number, it) in stack_findings::of_outputs(stack) {
        let output = &stack.outputs[number];
        let path = path::Path(vec![path::Segment::Key(output.name.clone())]);
        add(&it, "output", &path);
    }
    for shift in &brief.shifts {
        let Some((level, says)) = &shift.alarm else {
            continue;
        };
        for pair in &shift.pairs {
            part.rows.add_finding(&FindingRow {
                source: "mechanism",
                rule: shift.kind.name(),
                severity: level.name(),
                resource: Some(pair.gone),
                address: &stack.identity(pair.gone),
                path: &top,
                message: says,
            });
        }
    }
}
