//! The rules of a review: those of this program, and the files and policies that the person names.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::{LoadError, log_file};
use crate::change::policies::{self, Policies, PolicyError};
use crate::change::rules::{ParseError, Rules};
use crate::render::plain as render;
use crate::text::Limit;

/// The limit of a file of rules, and of a policy.
const LIMIT: Limit = Limit {
    bytes: 16 << 20,
    advice: "divide it into several files",
};

/// The end of the names of policies.
const POLICY: &str = "rego";

/// The end of the names of the tests of policies, which are not policies themselves.
const POLICY_TEST: &str = "_test.rego";

/// Maximum number of folders above a policy, below the folder that the person names.
const MAX_DEPTH: usize = 16;

/// The reason why a file of rules cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// The file cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The file is wrong.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// A policy is wrong.
    #[error(transparent)]
    Policy(#[from] PolicyError),
}

/// The name of a file of mutes beside a plan.
const BESIDE: &str = "stacklens.mutes.toml";

/// The files that have something to say in a review.
#[derive(Clone, Copy, Default, Debug)]
pub struct Files<'f> {
    /// Files of rules and mutes, and folders of them.
    pub rules: &'f [PathBuf],
    /// Policies, and folders of them.
    pub policies: &'f [PathBuf],
    /// The file of settings, which may have mutes.
    pub settings: Option<&'f Path>,
    /// The plans, which may have a file of mutes beside them.
    pub plans: &'f [PathBuf],
}

/// The files of mutes beside some plans.
fn beside(plans: &[PathBuf]) -> Vec<PathBuf> {
    let folder = |plan: &PathBuf| Some(plan.parent()?.join(BESIDE));
    let mut found: Vec<PathBuf> = plans.iter().filter_map(folder).collect();
    found.sort();
    found.dedup();
    found.retain(|file| file.is_file());
    found
}

/// Adds the mutes of the file of settings, and of those beside plans.
fn add_mutes(rules: &mut Added, files: Files<'_>) -> Result<(), RulesError> {
    if let Some(settings) = files.settings {
        let (name, text) = read(settings)?;
        if text.contains(MUTE) {
            rules.extend(|rules| rules.with_settings(&name, &text))?;
        }
    }
    for file in beside(files.plans) {
        let (name, text) = read(&file)?;
        rules.extend(|rules| rules.with_mutes(&name, &text))?;
    }
    Ok(())
}

/// The rules of this program with those that were added; `None` while there are none. Nothing reads the rules of this program for
/// that: they cost a start more than all else.
struct Added(Option<Rules>);

impl Added {
    fn extend<E>(&mut self, by: impl FnOnce(Rules) -> Result<Rules, E>) -> Result<(), E> {
        let rules = self.0.take();
        self.0 = Some(by(rules.unwrap_or_else(|| Rules::built_in().clone()))?);
        Ok(())
    }
}

/// The head of the table of a mute.
const MUTE: &str = "[[mute]]";

/// The rules as they are today.
fn today(rules: Rules) -> Rules {
    let now = render::utc(log_file::now());
    let day = now.split(' ').next().unwrap_or_default();
    rules.on_day(day)
}

/// The rules of this program with those of `files`. A folder stands for the files of rules in it, or for the policies everywhere
/// below it.
///
/// # Errors
///
/// If a file cannot be read, is no file of rules or policies, or this build has no policies.
pub fn rules(files: Files<'_>) -> Result<Cow<'static, Rules>, RulesError> {
    let added = added(files)?;
    Ok(added.map_or_else(|| Cow::Borrowed(Rules::built_in()), Cow::Owned))
}

/// As [`rules`]; `None` if the files add nothing. The rules of this program are not read then.
///
/// # Errors
///
/// As those of [`rules`].
pub fn added(files: Files<'_>) -> Result<Option<Rules>, RulesError> {
    let policies = files.policies;
    let mut rules = Added(None);
    for file in &all(files.rules)? {
        let (name, text) = read(file)?;
        rules.extend(|rules| rules.with_file(&name, &text))?;
    }
    add_mutes(&mut rules, files)?;
    if rules.0.as_ref().is_some_and(|it| !it.mutes().is_empty()) {
        rules.0 = rules.0.map(today);
    }
    if !policies.is_empty() {
        policies::supported()?;
    }
    let mut texts = Vec::new();
    for path in policies {
        let mut found = Vec::new();
        list(path, MAX_DEPTH, &mut found).map_err(|source| LoadError::io(path, source))?;
        for file in found {
            texts.push(read(&file)?);
        }
        if texts.is_empty() {
            let source = io::Error::new(io::ErrorKind::NotFound, "no file ends in .rego");
            return Err(LoadError::io(path, source).into());
        }
    }
    if !texts.is_empty() {
        let policies = Policies::parse(&texts)?;
        rules.extend(|rules| Ok::<_, RulesError>(rules.with_policies(policies)))?;
    }
    Ok(rules.0)
}

/// Lists the policies at and below a path, by name.
fn list(path: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        found.push(path.to_owned());
        return Ok(());
    }
    let children = fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
    let mut children = children.collect::<io::Result<Vec<PathBuf>>>()?;
    children.sort();
    for child in children {
        let name = child.to_string_lossy();
        let is_policy = child.extension().is_some_and(|it| it == POLICY);
        if (is_policy && !name.ends_with(POLICY_TEST)) || (child.is_dir() && depth > 0) {
            list(&child, depth.saturating_sub(1), found)?;
        }
    }
    Ok(())
}

/// The name of a file of rules and its text.
///
/// # Errors
///
/// If the file cannot be read.
pub fn read(file: &Path) -> Result<(String, String), LoadError> {
    let text = File::open(file).and_then(|file| LIMIT.read_text(file));
    let text = text.map_err(|source| LoadError::io(file, source))?;
    Ok((file.display().to_string(), text))
}

/// The files, with those in folders.
fn all(files: &[PathBuf]) -> Result<Vec<PathBuf>, LoadError> {
    let mut all = Vec::new();
    for file in files {
        if !file.is_dir() {
            all.push(file.clone());
            continue;
        }
        all.extend(in_folder(file).map_err(|source| LoadError::io(file, source))?);
    }
    Ok(all)
}

fn in_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: io::Result<Vec<_>> = fs::read_dir(folder)?.collect();
    let paths = entries?.into_iter().map(|entry| entry.path());
    let is_toml = |path: &PathBuf| path.extension().is_some_and(|it| it == "toml");
    let mut files: Vec<_> = paths.filter(is_toml).collect();
    files.sort();
    Ok(files)
}
