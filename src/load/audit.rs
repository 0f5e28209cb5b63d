//! The audit of a whole plan, resource by resource.
//!
//! A plan of Terraform is checked against the schemas of its providers and against a later state. A saved plan of Pulumi is
//! checked against a later preview or state. The rules are in [`crate::change::audit`]. This module selects the resources to
//! read, and makes sure that a resource that cannot be read or checked does not hide the other ones.

mod clear;
mod prior;

pub use clear::{of_outputs as clear_outputs, of_resource as clear_texts};

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::Document;
use crate::change::audit::{
    AuditError, Finding, audit_change, audit_outputs, audit_own, audit_result, audit_saved,
    schema_of,
};
use crate::format::{ReadError, hide_both};
use crate::stack::{Flags, Kind, Mode, Note, Resource, ResourceId, Severity};
use crate::terraform::objchange::Semantics;
use crate::terraform::schema::{Schema, Schemas};

/// The plan, and the files that it is checked against.
#[derive(Clone)]
pub struct Audit<'a> {
    /// The plan.
    pub plan: Document,
    /// A later state of the same resources; for Pulumi also a preview.
    pub after: Option<Document>,
    /// The providers' schemas of the types of resources.
    pub schemas: Option<&'a Schemas>,
}

/// The progress of an audit, in resources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Number of resources done so far.
    pub done: usize,
    /// Number of all resources.
    pub total: usize,
}

/// A check that an audit makes.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Its name, for programs.
    pub name: &'static str,
    /// The thing that it checks.
    pub title: &'static str,
    /// The thing that it needs beside the file.
    pub needs: Option<Need>,
    /// True for the kinds of files that the check applies to.
    applies: fn(Kind) -> bool,
}

/// A thing that a check needs beside the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// The schemas of the providers.
    Schemas,
    /// A later state of the same resources.
    Outcome,
}

impl Need {
    /// The option that gives it.
    pub fn option(self) -> &'static str {
        match self {
            Self::Schemas => "--schema",
            Self::Outcome => "--state",
        }
    }
}

const CHECKS: [Check; 6] = [
    Check {
        name: "file",
        title: "the file itself",
        needs: None,
        applies: |_| true,
    },
    Check {
        name: "state_integrity",
        title: "the integrity of the state",
        needs: None,
        applies: |kind| {
            matches!(
                kind,
                Kind::PulumiState | Kind::TerraformState | Kind::TerraformShow
            )
        },
    },
    Check {
        name: "plan_consistency",
        title: "the consistency of the plan",
        needs: None,
        applies: is_terraform_plan,
    },
    Check {
        name: "likely_secrets",
        title: "secrets in clear text",
        needs: None,
        applies: |kind| kind != Kind::ProviderSchemas,
    },
    Check {
        name: "provider_rules",
        title: "the rules for what providers may plan",
        needs: Some(Need::Schemas),
        applies: is_terraform_plan,
    },
    Check {
        name: "outcome",
        title: "the plan against its outcome",
        needs: Some(Need::Outcome),
        applies: is_promise,
    },
];

fn is_terraform_plan(kind: Kind) -> bool {
    matches!(kind, Kind::TerraformPlan | Kind::TerraformPlanBinary)
}

/// True if files of this kind make promises that can be checked against other files.
pub fn is_promise(kind: Kind) -> bool {
    is_terraform_plan(kind) || kind == Kind::PulumiPlan
}

impl<'a> Audit<'a> {
    /// The audit of a document that is a plan, or the comparison of a plan with something later; `None` if it is neither.
    pub fn of(document: &Document, schemas: Option<&'a Schemas>) -> Option<Self> {
        let (plan, after) = match &document.compared {
            Some(compared) => {
                let [old, new] = compared.sides();
                (old, Some(new))
            }
            None => (document.clone(), None),
        };
        is_promise(plan.stack.header.kind).then_some(Self {
            plan,
            after,
            schemas,
        })
    }

    /// The rules by which a plan of Terraform was made.
    pub fn semantics(&self) -> Semantics {
        Semantics::of_version(&self.plan.stack.header.tool_version)
    }

    /// True if there is anything to check the plan against.
    pub fn has_basis(&self) -> bool {
        let is_terraform = !self.plan.stack.header.kind.is_pulumi();
        self.after.is_some() || self.schemas.is_some() && is_terraform
    }

    /// The checks that apply to the file: those that run, and those that lack what they need.
    pub fn checks(&self) -> (Vec<Check>, Vec<Check>) {
        let kind = self.plan.stack.header.kind;
        let applying = CHECKS.into_iter().filter(|check| (check.applies)(kind));
        applying.partition(|check| match check.needs {
            Some(Need::Schemas) => self.schemas.is_some(),
            Some(Need::Outcome) => self.after.is_some(),
            None => true,
        })
    }

    /// Passes every finding to `sink`, in the order of the plan, then the resources that only the later file has. Ends early if
    /// `progress` returns false.
    ///
    /// # Errors
    ///
    /// If a file changed or was removed meanwhile.
    pub fn run(
        &self,
        progress: &mut dyn FnMut(Progress) -> bool,
        sink: &mut dyn FnMut(Finding),
    ) -> Result<(), ReadError> {
        self.run_promises(progress, sink)?;
        clear::run(&self.plan, progress, sink)
    }

    /// Like [`Audit::run`], without the secrets in clear text. Those of a resource come from [`clear_texts`].
    ///
    /// # Errors
    ///
    /// If a file changed or was removed meanwhile.
    pub fn run_promises(
        &self,
        progress: &mut dyn FnMut(Progress) -> bool,
        sink: &mut dyn FnMut(Finding),
    ) -> Result<(), ReadError> {
        match self.plan.stack.header.kind {
            Kind::PulumiPlan => self.pulumi(progress, sink),
            kind if is_terraform_plan(kind) => self.terraform(progress, sink),
            // Errors in other files are in their notes.
            _ => Ok(()),
        }
    }

    fn terraform(
        &self,
        progress: &mut dyn FnMut(Progress) -> bool,
        sink: &mut dyn FnMut(Finding),
    ) -> Result<(), ReadError> {
        let stack = &self.plan.stack;
        let semantics = self.semantics();
        let actual = self.after.as_ref().map(by_identity).unwrap_or_default();
        let mut known = Known::default();
        let mut outcome = self.after.as_ref();
        if let Some(after) = outcome
            && prior::is_prior(&self.plan, after, &actual)?
        {
            sink(prior::finding());
            outcome = None;
        }
        if let Some(after) = outcome
            && !is_terraform_plan(after.stack.header.kind)
        {
            let findings = audit_outputs(stack, &after.stack, semantics);
            findings.into_iter().for_each(&mut *sink);
        }
        for (done, id) in stack.ids().enumerate() {
            let total = stack.len();
            if !progress(Progress { done, total }) {
                return Ok(());
            }
            let Some(mut planned) = read(&self.plan, id, sink)? else {
                continue;
            };
            audit_own(&planned).into_iter().for_each(&mut *sink);
            let schema = self
                .schemas
                .and_then(|schemas| known.schema(&planned, schemas));
            if let Some(schema) = &schema {
                tell(
                    sink,
                    &planned,
                    audit_change(stack, &planned, schema, semantics),
                );
            }
            let Some(after) = outcome else { continue };
            let id = actual.get(&stack.identity(id));
            let ControlFlow::Continue(actual) = outcome_of(&mut planned, after, id, sink)? else {
                continue;
            };
            let findings = audit_result(&planned, actual.as_ref(), schema.as_deref(), semantics);
            tell(sink, &planned, findings);
        }
        Ok(())
    }

    fn pulumi(
        &self,
        progress: &mut dyn FnMut(Progress) -> bool,
        sink: &mut dyn FnMut(Finding),
    ) -> Result<(), ReadError> {
        let Some(after) = &self.after else {
            return Ok(());
        };
        let (planned, actual) = (by_identity(&self.plan), by_identity(after));
        let total = self.plan.stack.len() + after.stack.len();
        for (done, id) in self.plan.stack.ids().enumerate() {
            if !progress(Progress { done, total }) {
                return Ok(());
            }
            let Some(mut planned) = read(&self.plan, id, sink)? else {
                continue;
            };
            let id = actual.get(&self.plan.stack.identity(id));
            let ControlFlow::Continue(actual) = outcome_of(&mut planned, after, id, sink)? else {
                continue;
            };
            audit_saved(Some(&planned), actual.as_ref())
                .into_iter()
                .for_each(&mut *sink);
        }
        if self.plan.stack.damage.is_some() {
            return Ok(());
        }
        for (done, id) in (self.plan.stack.len()..).zip(after.stack.ids()) {
            if !progress(Progress { done, total }) {
                return Ok(());
            }
            if !planned.contains_key(&after.stack.identity(id))
                && let Some(actual) = read(after, id, sink)?
            {
                audit_saved(None, Some(&actual))
                    .into_iter()
                    .for_each(&mut *sink);
            }
        }
        Ok(())
    }
}

/// The finding for a note of the file; `None` for a note that is not a problem.
pub fn of_note(note: &Note) -> Option<Finding> {
    let is_problem = note.severity > Severity::Info;
    is_problem.then(|| Finding {
        resource: note.place.clone(),
        path: crate::terraform::cty::Path::default(),
        severity: note.severity,
        kind: "file",
        sentence: note.message.clone(),
    })
}

/// Schemas that were read already, because many resources are of one type.
#[derive(Default)]
struct Known(HashMap<(Mode, Option<String>, String), Option<Arc<Schema>>>);

impl Known {
    fn schema(&mut self, resource: &Resource, schemas: &Schemas) -> Option<Arc<Schema>> {
        let key = (
            resource.mode,
            resource.provider.clone(),
            resource.ty.clone(),
        );
        let found = self.0.entry(key);
        found
            .or_insert_with(|| schema_of(resource, schemas).map(Arc::new))
            .clone()
    }
}

/// Reads a resource. If it cannot be read, that is reported as a finding and does not fail the audit.
fn read(
    document: &Document,
    id: ResourceId,
    sink: &mut dyn FnMut(Finding),
) -> Result<Option<Resource>, ReadError> {
    match document.resource(id) {
        Ok(resource) => Ok(Some(resource)),
        Err(error @ ReadError::Source(_)) => Err(error),
        Err(error) => {
            let resource = document.stack.identity(id);
            sink(unchecked(resource, format!("it cannot be read: {error}")));
            Ok(None)
        }
    }
}

/// The resource of the later file that a planned one became, if any. `Break` if that is not known: it cannot be read, or may be in the
/// part of the file that is missing.
fn outcome_of(
    planned: &mut Resource,
    after: &Document,
    id: Option<&ResourceId>,
    sink: &mut dyn FnMut(Finding),
) -> Result<ControlFlow<(), Option<Resource>>, ReadError> {
    let Some(id) = id else {
        let is_whole = after.stack.damage.is_none();
        return Ok(if is_whole {
            ControlFlow::Continue(None)
        } else {
            ControlFlow::Break(())
        });
    };
    let Some(mut actual) = read(after, *id, sink)? else {
        return Ok(ControlFlow::Break(()));
    };
    hide_both(planned, &mut actual);
    Ok(ControlFlow::Continue(Some(actual)))
}

/// Reports the findings about a resource, or that it cannot be checked.
fn tell(
    sink: &mut dyn FnMut(Finding),
    resource: &Resource,
    findings: Result<Vec<Finding>, AuditError>,
) {
    match findings {
        Ok(findings) => findings.into_iter().for_each(sink),
        Err(error) => {
            let resource = resource.address.clone().unwrap_or_default();
            sink(unchecked(
                resource,
                format!("it cannot be checked: {error}"),
            ));
        }
    }
}

fn unchecked(resource: String, sentence: String) -> Finding {
    Finding {
        resource,
        path: crate::terraform::cty::Path::default(),
        severity: Severity::Warning,
        kind: "not_checked",
        sentence,
    }
}

/// The live resources of a file by the names that a person uses; deposed objects by their key.
pub fn by_identity(document: &Document) -> HashMap<String, ResourceId> {
    let stack = &document.stack;
    let gone = Flags::DRIFT_ENTRY | Flags::PENDING_DELETE;
    stack
        .ids()
        .filter(|id| !stack.record(*id).flags.intersects(gone))
        .map(|id| (stack.identity(id), id))
        .collect()
}
