//! Hiding: the secrets of a resource beyond the marks of its file.
//!
//! `format::resource` reads every resource that is shown, and calls these functions in this order. One that hides a property then
//! searches the rest of the resource for its value: the id, generated configuration, declared types, paths.
//!
//! 1. [`hide`]: places that the schemas of the providers call sensitive or write-only, and places that the other side of the
//!    change hides. The slow index calls it too.
//! 2. [`hide_messages`]: messages that repeat a secret of another resource.
//! 3. [`hide_like`], [`hide_all`]: places that another record of the same object hides.
//! 4. [`hide_repeats`]: other properties that repeat a secret of the resource.
//! 5. [`hide_likely`]: likely secrets, which the file does not mark.
//!
//! # Every place that masks
//!
//! A value carries its mask from the place that sets it to the screen. These places set masks:
//!
//! | place | masks |
//! |---|---|
//! | `terraform/state.rs`, with `terraform::sensitive` | the sensitive attributes and outputs of a state |
//! | `terraform/plan.rs`, `terraform/show.rs`, with `change::masks` | the sensitive places and outputs of a plan and of `show -json` |
//! | `mask` in `terraform/plan.rs` | arguments that the configuration marks, in old plans without such places |
//! | `mask` in `terraform/binary/changes.rs` | the paths of a plan file, as masks for `terraform/plan.rs` |
//! | `pulumi::wire::decode` | secrets in the wire form |
//! | `hide` in `pulumi/resource.rs` | outputs that a resource declares secret |
//! | `pulumi_config.rs` | the configuration of a Pulumi stack |
//! | `terraform/ui.rs`, `event_log.rs` | outputs in a log, and messages and ids that repeat a secret |
//! | this module | see above |
//! | [`hide_both`], by `load::compare` and `load::audit`; `load::timeline` | places that another file or version hides |
//! | `load::repeated` | messages of the file that repeat a secret of a resource |
//! | `load::masking` | likely secrets outside of resources |
//! | `change::configuration`, `terraform/references.rs` | source texts, and fields of a header |
//! | `change::decode` | likely secrets in what a text holds packed |
//! | `change::difference`, `change::forms`, `load/brief/known.rs`, `load/brief/page/outside.rs` | both sides of a change if either is masked |
//! | `terraform::objchange` | the values in a violation inside a masked block |
//! | `change::policies` | messages of a policy that depend on a secret |
//! | `load::remote::Address::public` | user, password and query of a URL that is opened |
//!
//! The fast index builds no values: `index/walk/mask.rs` and `index/walk/properties.rs` follow the marks of the file to count secrets and
//! to leave out a secret id. Tests compare it with the slow index.

mod repeats;

use std::cell::OnceCell;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

pub(super) use repeats::hide_repeats;

use crate::change::configuration;
use crate::change::secret_texts::{Filter, Finder, each_text};
use crate::likely::Masking;
use crate::path::{Path, Segment, children};
use crate::pulumi::diff::EntryKind;
use crate::pulumi::legacy_path::{LegacyPath, Strictness};
use crate::stack::{Change, DECLARED, Mode, PropertyChange, Resource, SourceFile, Sources};
use crate::terraform::hcl::Syntax;
use crate::terraform::schema::{Hidden, HiddenPlaces, SchemaKind};
use crate::value::{Map, Payload, Value};

/// The field for the configuration that an import generates.
const GENERATED: &str = "generated_config";

/// The options of Pulumi that list paths of properties.
const PATHS: &[&str] = &["ignoreChanges", "replaceOnChanges", "hideDiff", "hideDiffs"];

/// The places that the schemas hide in a type of resource.
pub(super) fn of_type(
    places: &HiddenPlaces,
    provider: &str,
    mode: Mode,
    ty: &str,
) -> Option<Arc<Hidden>> {
    let kind = match mode {
        Mode::Data => SchemaKind::Data,
        Mode::Ephemeral => SchemaKind::Ephemeral,
        Mode::Managed | Mode::External | Mode::Component | Mode::Provider | Mode::Stack => {
            SchemaKind::Managed
        }
    };
    places.find(provider, kind, ty)
}

/// Hides everything in a resource that is secret according to the schemas or to either side of its change.
pub(super) fn hide(resource: &mut Resource, places: &HiddenPlaces) {
    let is_terraform = resource.address.is_some();
    let provider = resource.provider.as_deref().unwrap_or_default();
    let hidden = is_terraform
        .then(|| of_type(places, provider, resource.mode, &resource.ty))
        .flatten();
    if let Some(hidden) = &hidden {
        for state in [&mut resource.before, &mut resource.after] {
            if let Some(outputs) = state.as_mut().and_then(|state| state.outputs.as_mut()) {
                *outputs = hidden.fold(outputs);
            }
        }
    }
    resource.mirror_masks();
    hide_elsewhere(resource, hidden.as_deref());
}

/// Hides in both versions of a resource the places that either version hides.
pub(crate) fn hide_both(one: &mut Resource, other: &mut Resource) {
    if let (Some(one), Some(other)) = (one.current_mut(), other.current_mut()) {
        one.mirror_masks(other);
    }
    for resource in [one, other] {
        resource.mirror_masks();
        hide_elsewhere(resource, None);
    }
}

/// Hides in a resource the places that any of its siblings hides.
pub(super) fn hide_like(resource: &mut Resource, siblings: &[Resource]) {
    let mut is_masked = false;
    for other in siblings {
        if !sets(other).any(Value::has_secrets) {
            continue;
        }
        is_masked = true;
        for state in [&mut resource.before, &mut resource.after]
            .into_iter()
            .flatten()
        {
            for other in [&other.before, &other.after].into_iter().flatten() {
                state.mask_like(other);
            }
        }
    }
    if is_masked {
        resource.mirror_masks();
        hide_elsewhere(resource, None);
    }
}

/// Hides the likely secrets of a resource.
pub(super) fn hide_likely(resource: &mut Resource, masking: &Masking) {
    let mut is_hidden = false;
    let ty = resource.ty.clone();
    let mut replace = |value: &mut Value, masked: Option<Value>| {
        if let Some(masked) = masked {
            *value = masked;
            is_hidden = true;
        }
    };
    let states = [&mut resource.before, &mut resource.after];
    for state in states.into_iter().flatten() {
        let sets = [&mut state.inputs, &mut state.outputs, &mut state.options];
        for set in sets.into_iter().flatten() {
            let masked = masking.masked_properties(&ty, set);
            replace(set, masked);
        }
    }
    for (name, value) in &mut resource.fields {
        let masked = masking.masked(name, value);
        replace(value, masked);
    }
    let importing = resource.change.iter_mut();
    let importing = importing.filter_map(|it| it.importing.as_mut());
    for value in resource.id.iter_mut().chain(importing) {
        let masked = masking.masked("", value);
        replace(value, masked);
    }
    if is_hidden {
        resource.mirror_masks();
        hide_elsewhere(resource, None);
    }
}

/// Hides all properties of a resource.
pub(super) fn hide_all(resource: &mut Resource) {
    let states = [&mut resource.before, &mut resource.after];
    for state in states.into_iter().flatten() {
        for properties in [&mut state.inputs, &mut state.outputs, &mut state.options] {
            *properties = properties.take().map(|it| it.with_secret(true));
        }
    }
    hide_elsewhere(resource, None);
}

/// The fields with messages of providers.
pub(crate) const MESSAGES: &[&str] = &["initErrors"];

/// Hides the messages in a resource: they repeat a secret of another one.
pub(super) fn hide_messages(resource: &mut Resource) {
    for (key, value) in &mut resource.fields {
        if MESSAGES.contains(&&**key) {
            *value = std::mem::take(value).with_secret(true);
        }
    }
}

/// The secret texts of a resource that are nowhere in its properties in clear.
pub(crate) fn secret_texts(resource: &Resource) -> Vec<String> {
    let id = resource.id.as_ref().filter(|id| id.is_secret());
    let id = id.and_then(Value::as_str).map(str::to_owned);
    let mut texts = Known::of(resource).texts;
    texts.extend(id);
    texts
}

/// Cuts paths of a resource at the first secret on their way.
pub(crate) fn cut_paths(resource: &Resource, paths: &mut [Path]) {
    let known = Known::of(resource);
    for path in paths {
        known.cut(path);
    }
}

/// The sets of properties of a resource.
fn sets(resource: &Resource) -> impl Iterator<Item = &Value> {
    let states = [&resource.before, &resource.after].into_iter().flatten();
    states.flat_map(|state| [&state.outputs, &state.inputs].into_iter().flatten())
}

/// True if a property of a resource, before or after its change, is secret.
pub(super) fn has_secrets(resource: &Resource) -> bool {
    sets(resource).any(Value::has_secrets)
}

/// Hides the secret values of a resource wherever else they appear in it, for example in messages of its provider.
fn hide_elsewhere(resource: &mut Resource, hidden: Option<&Hidden>) {
    if hidden.is_none() && !sets(resource).any(Value::has_secrets) {
        return;
    }
    let mut known = Known::of(resource);
    resource.id = resource.id.take().map(|id| {
        let is_secret = known.hides_attribute("id") || known.has_whole(&id);
        let is_secret = id.is_secret() || is_secret;
        id.with_secret(is_secret)
    });
    if let Some(change) = &mut resource.change {
        let importing = change.importing.take();
        change.importing = importing.map(|importing| known.hide(Some("id"), &importing));
        if resource.address.is_some() {
            for path in &mut change.replace_paths {
                known.cut(path);
            }
        } else {
            known.cut_change(change);
        }
    }
    for edge in &mut resource.edges {
        edge.property = edge.property.take().map(|path| known.cut_property(path));
    }
    let mut fields = std::mem::take(&mut resource.fields);
    for (key, value) in &mut fields {
        *value = match &**key {
            DECLARED => known.hide_types(value),
            GENERATED => generated(value, resource, hidden),
            key if PATHS.contains(&key) => known.cut_list(value),
            _ => known.hide(None, value),
        };
    }
    resource.fields = fields;
}

/// The secrets of a resource.
struct Known {
    /// The properties before and after.
    sides: Vec<Value>,
    /// The secret texts that do not appear among the properties in clear.
    texts: Vec<String>,
    /// Finds them in other texts; built when first needed. `None` if there are too many.
    finder: OnceCell<Option<Finder>>,
}

impl Known {
    fn of(resource: &Resource) -> Self {
        let sides: Vec<Value> = sets(resource).cloned().collect();
        let (mut texts, mut clear) = (Vec::new(), Vec::new());
        for side in &sides {
            each_text(side, &mut |text, is_secret| {
                if !text.is_empty() {
                    let of_kind = if is_secret { &mut texts } else { &mut clear };
                    of_kind.push(text.into_owned());
                }
            });
        }
        clear.sort_unstable();
        texts.sort_unstable();
        texts.dedup();
        texts.retain(|text| clear.binary_search(text).is_err());
        Self {
            sides,
            texts,
            finder: OnceCell::new(),
        }
    }

    /// True if a value is one of the secret texts.
    fn has_whole(&self, value: &Value) -> bool {
        let Payload::String(text) = value.payload() else {
            return false;
        };
        self.is_text(&text.to_str_lossy())
    }

    /// True if a text is one of the secret texts.
    fn is_text(&self, text: &str) -> bool {
        let found = self.texts.binary_search_by(|secret| (**secret).cmp(text));
        found.is_ok()
    }

    /// Ends a path below the first secret on its way: the keys there are part of the secret.
    fn cut(&self, path: &mut Path) {
        let mut sides = self.sides.iter();
        let first = sides.find_map(|side| path.first_secret(side).filter(|n| *n < path.0.len()));
        if let Some(n_steps) = first {
            path.0.truncate(n_steps);
            path.0.push(Segment::from("[secret]"));
        }
    }

    /// The text of a path of Pulumi, cut at the first secret on its way: the keys there are part of the secret. `None` if it
    /// reveals nothing.
    fn cut_text(&self, text: &str) -> Option<String> {
        let is_key = |side: &Value| side.get(text).is_some();
        if self.sides.iter().any(is_key) {
            return None;
        }
        let Ok(path) = LegacyPath::parse(text, Strictness::Loose) else {
            // The resources that such a text names are not known.
            let has_secrets = |side: &Value| has_secret_keys(side);
            let is_odd = self.sides.iter().any(has_secrets);
            return is_odd.then(|| "[secret]".to_owned());
        };
        let sides = self.sides.iter();
        let n_steps = sides.filter_map(|side| path.first_secret(side)).min()?;
        (n_steps < path.0.len()).then(|| {
            let shown = LegacyPath(path.0[..n_steps].to_vec()).to_string();
            Some(shown)
                .filter(|shown| !shown.is_empty())
                .unwrap_or_else(|| "[secret]".to_owned())
        })
    }

    /// Cuts the paths of a change of Pulumi.
    fn cut_change(&self, change: &mut Change) {
        for path in &mut change.replace_paths {
            *path = self.cut_property(std::mem::take(path));
        }
        for texts in [&mut change.reasons, &mut change.diff_keys] {
            let cut = texts.drain(..);
            let cut = cut.map(|text| self.cut_text(&text).unwrap_or(text));
            let cut: IndexSet<String> = cut.collect();
            texts.extend(cut);
        }
        let paths: IndexSet<Path> = change.replace_paths.drain(..).collect();
        change.replace_paths.extend(paths);
        let Some(entries) = &mut change.detailed else {
            return;
        };
        // Several entries below a secret are one change of it.
        let mut by_path: IndexMap<String, PropertyChange> = IndexMap::new();
        for mut entry in entries.drain(..) {
            if let Some(path) = self.cut_text(&entry.path) {
                entry.path = path;
                entry.entry.kind = EntryKind::Update;
                if let Some(known) = by_path.get_mut(&entry.path) {
                    known.replaces |= entry.replaces;
                    continue;
                }
            }
            by_path.insert(entry.path.clone(), entry);
        }
        entries.extend(by_path.into_values());
    }

    /// Cuts the path of a property. A single key may be the text of a path.
    fn cut_property(&self, mut path: Path) -> Path {
        if let [Segment::Key(key)] = path.0.as_slice() {
            return match self.cut_text(key) {
                Some(text) => Path(vec![Segment::from(&*text)]),
                None => path,
            };
        }
        self.cut(&mut path);
        path
    }

    /// Cuts the paths of an option.
    fn cut_list(&mut self, value: &Value) -> Value {
        let cut = |item: &Value| match item.as_str().map(|text| self.cut_text(text)) {
            Some(Some(text)) => Value::from(text),
            Some(None) => item.clone(),
            None => self.hide(None, item),
        };
        match value.payload() {
            Payload::Array(items) => {
                let cut = Payload::Array(items.iter().map(cut).collect());
                value.clone().with_payload(cut)
            }
            _ => self.hide(None, value),
        }
    }

    /// The types of dynamic values by their paths. A path below a secret is left out. The type of a secret, and one that reveals
    /// the keys of a secret, is secret.
    fn hide_types(&self, types: &Value) -> Value {
        let Payload::Map(map) = types.payload() else {
            return types.clone().with_secret(true);
        };
        let entry = |(text, ty): (&Arc<str>, &Value)| {
            let path = Path::parse(text).ok()?;
            let mut sides = self.sides.iter();
            if sides.any(|side| path.first_secret(side).is_some_and(|n| n < path.0.len())) {
                return None;
            }
            let values = self.sides.iter().filter_map(|side| path.get(side));
            let tells = values
                .into_iter()
                .any(|it| it.is_secret() || has_secret_keys(it));
            Some((text.clone(), ty.clone().with_secret(tells)))
        };
        let shown: Map = map.iter().filter_map(entry).collect();
        types.clone().with_payload(Payload::Map(shown))
    }
}

impl Filter for Known {
    fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    fn hides_attribute(&self, name: &str) -> bool {
        let is_secret =
            |side: &Value| side.is_secret() || side.get(name).is_some_and(Value::is_secret);
        self.sides.iter().any(is_secret)
    }

    fn has_in(&mut self, text: &str) -> bool {
        let finder = || Finder::new(self.texts.iter().map(String::as_str));
        // Text that cannot be searched for may be in any text.
        let contains = || {
            let finder = self.finder.get_or_init(finder).as_ref();
            finder.is_none_or(|finder| finder.is_in(text))
        };
        self.is_text(text) || contains()
    }
}

/// True if an object or an array in the value is secret.
fn has_secret_keys(value: &Value) -> bool {
    let is_container = value.as_map().is_some() || value.as_array().is_some();
    value.is_secret() && is_container || children(value).any(|(_, value)| has_secret_keys(value))
}

/// The configuration that an import generates, with `[secret]` in place of its secret parts. It is secret as a whole if it
/// cannot be parsed.
fn generated(value: &Value, resource: &Resource, hidden: Option<&Hidden>) -> Value {
    let Some(text) = value.as_str() else {
        return value.clone().with_secret(true);
    };
    if !crate::terraform::hcl::read(text, Syntax::Native).is_whole {
        return value.clone().with_secret(true);
    }
    let mut secrets = configuration::Secrets::default();
    secrets.add_resource(resource);
    if let (Some(address), Some(hidden)) = (&resource.address, hidden) {
        secrets.add_schema(address, hidden);
    }
    let file = SourceFile {
        module: String::new(),
        path: "generated.tf".to_owned(),
        syntax: Some(Syntax::Native),
        text: text.to_owned(),
    };
    let sources = Sources { files: vec![file] };
    let configuration = configuration::Configuration::new(&sources, &secrets);
    let masked = configuration
        .files
        .first()
        .map(configuration::Listing::masked_text);
    masked.map_or_else(|| value.clone().with_secret(true), Value::from)
}
