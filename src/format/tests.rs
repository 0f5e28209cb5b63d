//! Compares the fast index with the slow one: they give the same for every element.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::index::hash::Hasher;
use crate::index::indexer::{Findings, Indexer};
use crate::index::scan::Scanner;
use crate::index::trie::{Folds, Trie};
use crate::json::tape::Tape;
use crate::pulumi::wire;
use crate::value::Payload;

/// Adds new table entries to `known`, which maps all of the worker's numbers so far to their texts, paths and shapes.
fn learn(known: &mut Findings, found: &mut Findings) {
    for (known, fresh) in known.fresh.iter_mut().zip(&mut found.fresh) {
        known.append(fresh);
    }
    known.paths.append(&mut found.paths);
    known.shapes.append(&mut found.shapes);
}

/// A row with the worker's numbers replaced by their meaning.
fn plain(found: &Findings, known: &Findings) -> Vec<String> {
    let name = |table: usize, number: u32| {
        let index = (number as usize).checked_sub(1);
        index
            .map_or("", |index| &*known.fresh[table][index])
            .to_owned()
    };
    let mut start = 0_usize;
    (0..)
        .zip(&found.rows)
        .map(|(number, row)| {
            let texts = &found.texts[start..row.id_end as usize];
            start = row.id_end as usize;
            let mut edges: Vec<_> = found
                .edges
                .iter()
                .filter(|(of, ..)| *of == number)
                .map(|(_, target, kind)| (*target, *kind))
                .collect();
            edges.sort_unstable();
            edges.dedup();
            format!(
                "{texts} {:?} {:?} {:?} {} {} {} {} {:x} {:x} {} {:?} {edges:?} {:?}",
                row.span,
                row.flags.names().collect::<Vec<_>>(),
                row.action,
                name(0, row.prefix),
                name(1, row.group),
                name(2, row.provider),
                name(3, row.words),
                row.key,
                row.parent,
                row.secrets,
                row.counted,
                paths(known, row.shape),
            )
        })
        .collect()
}

fn paths(found: &Findings, shape: u32) -> BTreeSet<String> {
    let Some(index) = (shape as usize).checked_sub(1) else {
        return BTreeSet::new();
    };
    let shape = &found.shapes[index];
    shape.iter().map(|path| spell(found, *path)).collect()
}

fn spell(found: &Findings, path: u32) -> String {
    match path.checked_sub(Trie::FIRST) {
        None => format!("<{path}>"),
        Some(index) => {
            let path = &found.paths[index as usize];
            let key = path.key.as_deref().map(String::from_utf8_lossy);
            format!(
                "{}.{}",
                spell(found, path.parent),
                key.as_deref().unwrap_or("*")
            )
        }
    }
}

/// Checks every element of a file. Returns the number of elements that were walked without reading them whole.
#[track_caller]
fn check(name: &str, bytes: &[u8]) -> usize {
    let Guess::Format(format) = sniff(bytes) else {
        return 0;
    };
    let (Some(walk), None) = (format.walk, format.translate) else {
        return 0;
    };
    let context = Context {
        workspace: "default".to_owned(),
        project: "test".to_owned(),
        hidden: hidden_places(),
    };
    let mut elements = Vec::new();
    let mut scanner = Scanner::new(format.outline, 0);
    let mut tape = Tape::default();
    scanner.feed(bytes, 0, &mut elements, &mut tape);
    let mut n_walked = 0;
    // The second time everything that can be learned is known.
    let (mut fast, mut known) = (
        Indexer::new(Hasher::fixed(), Arc::default()),
        Findings::default(),
    );
    for element in elements.iter().chain(&elements) {
        let range = usize::try_from(element.start).unwrap()..usize::try_from(element.end).unwrap();
        let mut slow = Indexer::new(Hasher::fixed(), Arc::default());
        let site = Site {
            element,
            context: &context,
        };
        (format.index)(site, &bytes[range.clone()], &mut slow);
        let text = tape.taped(bytes, range);
        if table::walk_element(walk, site, &text, &mut fast).is_err() {
            fast.abandon();
            learn(&mut known, &mut fast.take());
        } else {
            n_walked += 1;
            let (mut fast, mut slow) = (fast.take(), slow.take());
            learn(&mut known, &mut fast);
            let mut of_slow = Findings::default();
            learn(&mut of_slow, &mut slow);
            assert_eq!(plain(&fast, &known), plain(&slow, &of_slow), "{name}");
            assert!(slow.notes.is_empty(), "{name}: {:?}", slow.notes);
        }
    }
    n_walked / 2
}

#[test]
fn the_fast_index_of_pulumi_says_what_the_slow_one_says() {
    let text = r#"{"version": 3, "deployment": {"resources": [
        {"urn": "urn:pulumi:s::p::pulumi:pulumi:Stack::p-s", "type": "pulumi:pulumi:Stack", "custom": false,
         "outputs": {"a": 1, "\u0062": [1, {"c": null}]}},
        {"urn": "urn:pulumi:s::p::a:b:C$d:e:F::n::m", "type": "d:e:F", "custom": true, "id": "i-1", "protect": true,
         "inputs": {"k": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "ciphertext": "v1"},
                    "l": [{"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "x": 1, "plaintext": "{}"}],
                    "f": {"4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", "hash": "", "text": "t"}},
         "outputs": {"u": "04da6b54-80e4-46f7-96ec-b56ff0331ba9", "id": "i-1"},
         "parent": "urn:pulumi:s::p::pulumi:pulumi:Stack::p-s", "provider": "urn:pulumi:s::p::pulumi:providers:d::default::id",
         "dependencies": ["urn:pulumi:s::p::a:b:C::z", "urn:pulumi:s::p::a:b:C::y"],
         "propertyDependencies": {"k": ["urn:pulumi:s::p::a:b:C::z"], "l": null}, "initErrors": ["no"]}]}}"#;
    assert_eq!(check("pulumi", text.as_bytes()), 2);
}

#[test]
fn the_fast_index_of_a_preview_says_what_the_slow_one_says() {
    let state = |rest: &str| {
        format!(
            r#"{{"urn": "urn:pulumi:s::p::a:b:C$d:e:F::n::m", "type": "d:e:F", "custom": true, "provider": "urn:pulumi:s::p::pulumi:providers:d::default::id",
            "parent": "urn:pulumi:s::p::pulumi:pulumi:Stack::p-s", "propertyDependencies": {{"k": ["urn:pulumi:s::p::a:b:C::z"], "l": null}}, {rest}}}"#
        )
    };
    let step = |op: &str, old: &str, new: &str| {
        let old = if old.is_empty() {
            "null".to_owned()
        } else {
            state(old)
        };
        let new = if new.is_empty() {
            "null".to_owned()
        } else {
            state(new)
        };
        format!(
            r#"{{"op": "{op}", "urn": "urn:pulumi:s::p::a:b:C$d:e:F::n::m", "oldState": {old}, "newState": {new}}}"#
        )
    };
    let old = r#""id": "i-1", "protect": true, "ignoreChanges": ["a"], "inputs": {"k": "x"}, "outputs": {"k": "x", "arn": "y"}"#;
    let unknown = r#""id": "04da6b54-80e4-46f7-96ec-b56ff0331ba9", "protect": true, "ignoreChanges": ["a"], "inputs": {"k": "04da6b54-80e4-46f7-96ec-b56ff0331ba9"}"#;
    let loose = r#""id": "i-1", "protect": true, "inputs": {"k": "x"}"#;
    let blind = r#""id": "i-1", "inputs": {"k": "[secret]"}"#;
    let escaped = r#""id": "i-1", "inputs": {"k": "\u005bsecret]"}"#;
    let cases = [
        (step("same", old, old), 1),
        (step("update", old, unknown), 1),
        (step("create", "", unknown), 1),
        (step("delete", old, ""), 1),
        // Reading the whole tells what these are.
        (step("same", old, loose), 0),
        (step("update", old, blind), 0),
        (step("update", old, escaped), 0),
        (step("update", old, ""), 0),
        (step("delete", old, old), 0),
        (step("refresh", old, old), 0),
        (step("replace", old, unknown), 0),
        (step("import", "", loose), 0),
    ];
    for (step, n_walked) in cases {
        let file = format!(r#"{{"steps": [{step}], "changeSummary": {{"update": 1}}}}"#);
        assert_eq!(check("preview", file.as_bytes()), n_walked, "{step}");
    }
}

#[test]
fn possible_secrets_count_as_secrets_in_both_indexes() {
    let signed = |signature: &str, rest: &str| {
        format!(
            r#"{{"{}": {signature}, "urn": "u", {rest}}}"#,
            wire::SIGNATURE
        )
    };
    let text = |of: &str| json::to_compact(&Value::from(of));
    let quoted = |signature: &str| format!("\"{signature}\"");
    let escaped = |text: &str| text.replace("4dab", "4\\u0064ab");
    let secret = signed(&quoted(wire::SECRET), r#""plaintext": "x""#);
    let cases = [
        (signed(&quoted(wire::ASSET), r#""text": 1"#), 1),
        (signed(&quoted(wire::ASSET), r#""text": "x""#), 0),
        (signed(&quoted(wire::REFERENCE), r#""id": []"#), 1),
        (signed(&quoted(wire::REFERENCE), r#""id": "x""#), 0),
        (signed(&quoted(wire::ARCHIVE), r#""assets": 1"#), 1),
        (
            signed(&quoted(wire::OUTPUT), r#""secret": true, "value": "x""#),
            1,
        ),
        (signed(&quoted(wire::SECRET), r#""value": "x""#), 1),
        (signed(&quoted("nope"), r#""a": "x""#), 1),
        (signed("null", r#""a": {"b": [1, 2]}"#), 1),
        (text(&signed(&quoted(wire::SECRET), r#""value": "x""#)), 1),
        (text(&signed(&quoted(wire::ASSET), r#""text": "x""#)), 0),
        (text(&format!("not JSON {}", wire::SIGNATURE)), 1),
        (quoted(wire::SIGNATURE), 0),
        (escaped(&text(&secret)), 1),
        (text(&escaped(&secret)), 1),
        (text(&text(&escaped(&secret))), 1),
        (text(&escaped(&secret)).replace("\\\\u", "\\u005cu"), 1),
        (text(&format!("not JSON {}", escaped(wire::SIGNATURE))), 1),
        (text(r"the letters /[\u0041-\u005a\u0061-\u007a]/"), 0),
        (text(r#"{"letters": "\u0041\u0042\u0043\u0044\u0045"}"#), 0),
    ];
    for (value, n_secrets) in cases {
        let file = format!(
            r#"{{"version": 3, "deployment": {{"resources": [{{"urn": "urn:pulumi:s::p::a:b:C::n", "type": "a:b:C", "custom": true,
            "inputs": {{"a": {value}}}, "outputs": {{"b": [1, {{"c": {value}}}]}}}}]}}}}"#
        );
        check("hidden", file.as_bytes());
        let stack = crate::load::load(&crate::load::Input::bytes("stack.json", file.into_bytes()));
        assert_eq!(
            stack.unwrap().stack.counts.secrets,
            2 * n_secrets,
            "{value}"
        );
    }
}

#[test]
fn odd_strings_and_numbers_are_noted_whatever_else_the_file_has() {
    let file = |value: &[u8]| {
        let urn = "urn:pulumi:s::p::a:b:C::n";
        let mut file = format!(
            r#"{{"version": 3, "deployment": {{"resources": [{{"urn": "{urn}", "type": "a:b:C", "custom": true, "inputs": {{"a": "#
        )
        .into_bytes();
        file.extend_from_slice(value);
        file.extend_from_slice(b"}}]}}");
        file
    };
    let huge = "1".repeat(310);
    for odd in [
        &b"\"a\xffb\""[..],
        b"\"a\x01b\"",
        b"\"a\nb\"",
        huge.as_bytes(),
    ] {
        assert_eq!(check("odd", &file(odd)), 0, "{odd:?}");
    }
    for plain in [&b"\"a\x7fb\""[..], "\"é\"".as_bytes(), b"\n\t1", b"1e99"] {
        assert_eq!(check("plain", &file(plain)), 1, "{plain:?}");
    }
}

#[test]
fn an_id_that_is_a_secret_is_hidden() {
    let secret = |text: &str| {
        let plaintext = json::to_compact(&json::to_compact(&Value::from(text)).into());
        format!(
            r#"{{"{}": "{}", "plaintext": {plaintext}}}"#,
            wire::SIGNATURE,
            wire::SECRET
        )
    };
    let cases = [
        (
            "Xy7abc",
            format!(r#"{{"a": {}}}"#, secret("Xy7abc")),
            "",
            true,
        ),
        (
            "Xy7\\n",
            format!(r#"{{"a": {}}}"#, secret("Xy7\n")),
            "",
            true,
        ),
        (
            "Xy7abc",
            r#"{"a": "Xy7abc"}"#.to_owned(),
            r#", "additionalSecretOutputs": ["a"]"#,
            true,
        ),
        (
            "Xy7abc",
            format!(r#"{{"a": {}, "b": "Xy7abc"}}"#, secret("Xy7abc")),
            "",
            false,
        ),
        (
            "Xy7abc",
            format!(r#"{{"a": {}}}"#, secret("another")),
            "",
            false,
        ),
    ];
    for (id, outputs, more, is_hidden) in cases {
        let file = format!(
            r#"{{"version": 3, "deployment": {{"resources": [{{"urn": "urn:pulumi:s::p::a:b:C::n", "type": "a:b:C", "custom": true,
            "id": "{id}", "outputs": {outputs}{more}}}]}}}}"#
        );
        check("id", file.as_bytes());
        let loaded =
            crate::load::load(&crate::load::Input::bytes("stack.json", file.into_bytes())).unwrap();
        let id = loaded.stack.ids().next().unwrap();
        assert_eq!(
            loaded.stack.provider_id(id).is_empty(),
            is_hidden,
            "{outputs}"
        );
        let resource = resource(&loaded.stack, id, &*loaded.source).unwrap();
        assert_eq!(resource.id.unwrap().is_secret(), is_hidden, "{outputs}");
    }
}

#[test]
fn the_fast_index_of_terraform_says_what_the_slow_one_says() {
    let state = r#"{"version": 4, "terraform_version": "1.9.0", "resources": [
        {"instances": [{"index_key": "a.b", "attributes": {"id": "i", "v": {"value": [{"x": 1}], "type": ["list", ["object", {"x": "number"}]]},
            "w": {"value": 1, "other": 2}, "s": {"p": [{"q": 1, "r": 2}]}},
            "sensitive_attributes": [[{"type": "get_attr", "value": "s"}, {"type": "get_attr", "value": "p"}]], "dependencies": ["module.m.aws_x.z"]},
          {"index_key": 1, "deposed": "01234567", "attributes": {}, "status": "tainted"}],
         "module": "module.m[\"k\"]", "mode": "data", "type": "aws_x", "name": "y", "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]"}]}"#;
    assert_eq!(check("state", state.as_bytes()), 1);
    let plan = r#"{"format_version": "1.2", "resource_changes": [
        {"address": "module.m[0].aws_x.y[\"a\"]", "mode": "managed", "type": "aws_x", "name": "y", "provider_name": "registry.terraform.io/hashicorp/aws",
         "change": {"actions": ["delete", "create"], "before": {"id": "1", "p": "x", "l": [{"a": 1}]}, "after": {"p": "y", "l": [{"a": 2}]},
           "after_unknown": {"id": true, "l": [{"b": true}]}, "before_sensitive": {"p": true}, "after_sensitive": {"p": true, "l": [{}]}},
         "action_reason": "replace_because_tainted"},
        {"address": "aws_x.z", "previous_address": "aws_x.old", "mode": "managed", "type": "aws_x", "name": "z",
         "change": {"actions": ["no-op"], "before": {}, "after": {}, "before_sensitive": false, "after_sensitive": {}}},
        {"address": "aws_x.gone", "mode": "managed", "type": "aws_x", "name": "gone", "deposed": "abcd",
         "change": {"actions": ["delete"], "before": {"id": "7"}, "after": null, "after_unknown": {}, "before_sensitive": {}, "after_sensitive": false}}]}"#;
    assert_eq!(check("plan", plan.as_bytes()), 3);
}

#[test]
fn the_fast_index_says_what_the_slow_one_says_of_real_files() {
    fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                collect(&path, files);
            } else {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["tests/corpus", "../shared/corpus"] {
        collect(&root.join(folder), &mut files);
    }
    if !root.join("../shared/corpus").is_dir() {
        let line = b"indexes of real files ../shared/corpus: not present: skipped\n";
        std::io::Write::write_all(&mut std::io::stdout(), line).unwrap();
    }
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        check(&file.display().to_string(), &bytes);
    }
}

/// A property: plain values, keys with escapes, and values with a special meaning in one of the formats.
fn property() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "null",
        "true",
        "-1.5e3",
        r#""text""#,
        r#""\u0041\"""#,
        r#""\ud83d\ude00""#,
        r#""\ude00""#,
        "1e999",
        r#""04da6b54-80e4-46f7-96ec-b56ff0331ba9""#,
        r#""4dabf18193072939515e22adb298388d""#,
        r#""{\"4dabf18193072939515e22adb298388d\": \"1b47061264138c4ac30d75fd1eb44270\", \"ciphertext\": \"x\"}""#,
        r#""{\"4dabf18193072939515e22adb298388d\": \"c44067f5952c0a294b673a41bacd8c17\"}""#,
    ])
    .prop_map(str::to_owned);
    let key = prop::sample::select(vec![
        "id",
        "a",
        "tags",
        "a.b",
        "value",
        "type",
        "",
        r"\u0061b",
        r"x\\y",
        r"x\\\\y",
        "a_key_longer_than_sixteen_bytes",
        "4dabf18193072939515e22adb298388d",
    ]);
    let signatures = [
        wire::SECRET,
        wire::OUTPUT,
        wire::REFERENCE,
        wire::ASSET,
        wire::ARCHIVE,
        wire::BYTES,
        wire::FLOAT,
        "nope",
    ];
    let mut signatures = signatures
        .map(|signature| format!("\"{signature}\""))
        .to_vec();
    signatures.push("null".to_owned());
    let signatures = prop::sample::select(signatures);
    let fields = prop::sample::select(vec!["urn", "text", "path", "plaintext", "secret", "assets"]);
    leaf.prop_recursive(4, 40, 5, move |inner| {
        let (signature, signed_field) = (signatures.clone(), fields.clone());
        let items = prop::collection::vec(inner.clone(), 0..4);
        let entries = prop::collection::vec((key.clone(), inner.clone()), 0..5);
        prop_oneof![
            items.prop_map(|items| format!("[{}]", items.join(" ,"))),
            (entries, prop::bool::weighted(0.05)).prop_map(|(entries, repeats)| {
                if repeats {
                    spelled(&entries)
                } else {
                    map(&entries)
                }
            }),
            inner.clone().prop_map(|secret| format!(
                r#"{{"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "value": {secret}}}"#
            )),
            (signature, signed_field, inner.clone(), prop::bool::weighted(0.2)).prop_map(
                |(signature, field, inner, is_last)| if is_last {
                    format!(r#"{{"{field}": {inner}, "4dabf18193072939515e22adb298388d": {signature}}}"#)
                } else {
                    format!(r#"{{"4dabf18193072939515e22adb298388d": {signature}, "{field}": {inner}}}"#)
                }
            ),
            inner.prop_map(|value| format!(r#"{{"value": {value}, "type": "dynamic"}}"#)),
        ]
    })
}

/// A map with the first entry of each key.
fn map(entries: &[(&str, String)]) -> String {
    let mut known = BTreeSet::new();
    let entries = entries.iter().filter(|(key, _)| known.insert(*key));
    spelled(&entries.cloned().collect::<Vec<_>>())
}

/// A map with these entries, whether or not their keys repeat.
fn spelled(entries: &[(&str, String)]) -> String {
    let entries: Vec<_> = entries
        .iter()
        .map(|(key, value)| format!("\n  \"{key}\" : {value}"))
        .collect();
    format!("{{{}}}", entries.join(","))
}

fn properties() -> impl Strategy<Value = String> {
    let keys = prop::sample::select(vec!["id", "a", "b", "c", "tags", "value"]);
    prop::collection::vec((keys, property()), 0..5).prop_map(|entries| map(&entries))
}

/// The schema of a type, by which some properties are sensitive.
fn hidden_places() -> HiddenPlaces {
    let schemas = r#"{"provider_schemas": {"registry.terraform.io/hashicorp/aws": {"resource_schemas": {"aws_hidden": {"block": {
        "attributes": {"a": {"type": "dynamic", "sensitive": true}, "b": {"type": "dynamic", "write_only": true}},
        "block_types": {"c": {"nesting_mode": "list", "block": {"attributes": {"a": {"type": "dynamic", "sensitive": true}}}}}
        }}}}}}"#;
    HiddenPlaces::new(
        &json::parse(schemas.as_bytes(), Numbers::Exact)
            .unwrap()
            .value,
    )
}

/// A mask of any shape: with the keys and lengths of properties, and with other ones, and `true` here and there.
fn any_mask() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "true", "false", "true", "false", "{}", "[]", "null", "1", r#""x""#,
    ])
    .prop_map(str::to_owned);
    let key = prop::sample::select(vec![
        "id", "a", "b", "c", "tags", "a.b", "value", "other", "u",
    ]);
    leaf.prop_recursive(3, 20, 4, move |inner| {
        let items = prop::collection::vec(inner.clone(), 0..4);
        let entries = prop::collection::vec((key.clone(), inner), 0..5);
        prop_oneof![
            items.prop_map(|items| format!("[{}]", items.join(","))),
            entries.prop_map(|entries| map(&entries)),
        ]
    })
}

/// The mask of a value as its own program writes it. `marks` is asked for each place in turn whether it is marked.
fn mask_of(value: &Value, marks: &mut dyn FnMut() -> bool) -> String {
    match value.payload() {
        _ if marks() => "true".to_owned(),
        Payload::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| mask_of(item, marks)).collect();
            format!("[{}]", items.join(","))
        }
        Payload::Map(map) => {
            let entries = map.iter();
            let entries = entries.map(|(key, value)| (key, mask_of(value, marks)));
            let entries = entries.filter(|(_, mask)| mask != "false");
            let entries = entries.map(|(key, mask)| {
                let key = json::to_compact(&Value::from(&**key));
                format!("{key}:{mask}")
            });
            format!("{{{}}}", entries.collect::<Vec<_>>().join(","))
        }
        _ => "false".to_owned(),
    }
}

/// Properties with a mask: either one of their own shape, or any mask.
fn masked_properties() -> impl Strategy<Value = (String, String)> {
    let marks = prop::collection::vec(prop::bool::weighted(0.15), 60);
    (properties(), any_mask(), marks, prop::bool::ANY).prop_map(|(own, any, marks, is_any)| {
        let parsed = json::parse(own.as_bytes(), Numbers::Exact).ok();
        let mut marks = marks.into_iter();
        // The properties as a whole are rarely hidden.
        marks.next();
        let mut next = std::iter::once(false).chain(marks.by_ref());
        let fitting = parsed.map(|it| mask_of(&it.value, &mut || next.next().unwrap_or(false)));
        let mask = if is_any { None } else { fitting };
        (own, mask.unwrap_or(any))
    })
}

/// An entry of `sensitive_attributes`, or an invalid one.
fn any_sensitive_path() -> impl Strategy<Value = String> {
    let step = prop::sample::select(vec![
        r#"{"type": "get_attr", "value": "a"}"#,
        r#"{"type": "get_attr", "value": "b"}"#,
        r#"{"type": "get_attr", "value": "id"}"#,
        r#"{"type": "get_attr", "value": "missing"}"#,
        r#"{"type": "index", "value": {"value": "tags", "type": "string"}}"#,
        r#"{"type": "index", "value": {"value": "value", "type": "string"}}"#,
        r#"{"type": "index", "value": {"value": 0, "type": "number"}}"#,
        r#"{"type": "index", "value": {"value": -1, "type": "number"}}"#,
        r#"{"type": "index", "value": {"value": {"a": 1}, "type": "dynamic"}}"#,
        r#"{"type": "splat"}"#,
        "null",
        "7",
    ]);
    let steps = prop::collection::vec(step, 0..4);
    prop_oneof![
        9 => steps.prop_map(|steps| format!("[{}]", steps.join(","))),
        1 => prop::sample::select(vec!["null", "true", "{}", r#""a""#]).prop_map(str::to_owned),
    ]
}

fn any_sensitive_attributes() -> impl Strategy<Value = String> {
    let paths = prop::collection::vec(any_sensitive_path(), 0..4);
    prop_oneof![
        9 => paths.prop_map(|paths| format!("[{}]", paths.join(","))),
        1 => prop::sample::select(vec!["null", "true", "{}", r#""a""#]).prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn the_fast_index_says_what_the_slow_one_says_of_any_properties(
        (one, hidden_one) in masked_properties(),
        (other, hidden_other) in masked_properties(),
        paths in any_sensitive_attributes(),
        ty in prop::sample::select(vec!["aws_x", "aws_x", "aws_hidden"]),
        unknown in prop::sample::select(vec!["{}", "false", r#"{"u": true, "v": {"w": true}}"#]),
    ) {
        let pulumi = format!(
            r#"{{"version": 3, "deployment": {{"resources": [
            {{"urn": "urn:pulumi:s::p::a:b:C::n", "type": "a:b:C", "custom": true, "inputs": {one}, "outputs": {other}}},
            {{"urn": "urn:pulumi:s::p::a:b:C::m", "type": "a:b:C", "custom": true, "inputs": {other}, "outputs": {one}}}]}}}}"#
        );
        check("pulumi", pulumi.as_bytes());
        let step = |op: &str, old: &str, new: &str| {
            let state = |side: &str| format!(r#"{{"urn": "urn:pulumi:s::p::a:b:C::n", "type": "a:b:C", "custom": true, "id": "i", {side}}}"#);
            let [old, new] = [old, new].map(|it| if it.is_empty() { "null".to_owned() } else { state(it) });
            format!(r#"{{"op": "{op}", "urn": "urn:pulumi:s::p::a:b:C::n", "oldState": {old}, "newState": {new}}}"#)
        };
        let both = format!(r#""inputs": {one}, "outputs": {other}"#);
        let asked = format!(r#""inputs": {other}"#);
        let steps = [step("update", &both, &asked), step("same", &both, &both), step("create", "", &asked), step("delete", &both, "")];
        check("preview", format!(r#"{{"steps": [{}], "changeSummary": {{"update": 1}}}}"#, steps.join(",")).as_bytes());
        let state = format!(
            r#"{{"version": 4, "terraform_version": "1.9.0", "resources": [
            {{"mode": "managed", "type": "{ty}", "name": "y", "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
            "instances": [{{"attributes": {one}, "sensitive_attributes": {paths}}}, {{"attributes": {other}}}]}}]}}"#
        );
        check("state", state.as_bytes());
        let plan = format!(
            r#"{{"format_version": "1.2", "resource_changes": [
            {{"address": "aws_x.y", "mode": "managed", "type": "{ty}", "name": "y",
            "change": {{"actions": ["update"], "before": {one}, "after": {other}, "after_unknown": {unknown},
            "before_sensitive": {hidden_one}, "after_sensitive": {hidden_other}}}}},
            {{"address": "aws_x.z", "mode": "managed", "type": "{ty}", "name": "z",
            "change": {{"actions": ["create"], "before": null, "after": {other}, "after_unknown": {unknown},
            "before_sensitive": false, "after_sensitive": {hidden_other}}}}},
            {{"address": "aws_x.w", "mode": "managed", "type": "{ty}", "name": "w",
            "change": {{"actions": ["delete"], "before": {one}, "after": null, "after_unknown": {unknown},
            "before_sensitive": {hidden_one}, "after_sensitive": {hidden_other}}}}}]}}"#
        );
        check("plan", plan.as_bytes());
        let shown = format!(
            r#"{{"format_version": "1.0", "values": {{"root_module": {{"resources": [
            {{"address": "aws_x.y", "mode": "managed", "type": "{ty}", "name": "y", "values": {one}, "sensitive_values": {hidden_one}}},
            {{"address": "aws_x.z", "mode": "managed", "type": "{ty}", "name": "z", "sensitive_values": {hidden_other}, "values": {other}}}
            ]}}}}}}"#
        );
        check("shown state", shown.as_bytes());
    }
}

/// Properties as programs usually write them: nothing that the fast index leaves to the slow one. An id has to be text.
fn plain_properties() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "null",
        "true",
        "-1.5e3",
        "7",
        r#""text""#,
        r#""a\nb""#,
    ]);
    let keys = || prop::sample::select(vec!["name", "a", "tags", "a.b", "b", "size"]);
    let value = leaf
        .prop_map(str::to_owned)
        .prop_recursive(4, 40, 5, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4)
                    .prop_map(|items| format!("[{}]", items.join(","))),
                prop::collection::vec((keys(), inner), 0..5).prop_map(|entries| map(&entries)),
            ]
        });
    prop::collection::vec((keys(), value), 0..5).prop_map(|entries| map(&entries))
}

proptest! {
    /// Without this the law above would hold of a fast index that always gives up.
    #[test]
    fn usual_properties_are_indexed_by_the_fast_path(
        one in plain_properties(),
        other in plain_properties(),
        marks in prop::collection::vec(prop::bool::weighted(0.15), 6),
    ) {
        // Whole properties are sensitive.
        let parsed = json::parse(other.as_bytes(), Numbers::Exact).unwrap();
        let keys = parsed.value.as_map().into_iter().flatten().zip(marks);
        let hidden = keys.filter(|(_, is_marked)| *is_marked);
        let hidden: Vec<_> = hidden.map(|((key, _), _)| format!("\"{key}\": true")).collect();
        let mask = format!("{{{}}}", hidden.join(", "));
        let pulumi = format!(
            r#"{{"version": 3, "deployment": {{"resources": [
            {{"urn": "urn:pulumi:s::p::a:b:C::n", "type": "a:b:C", "custom": true, "inputs": {one}, "outputs": {other}}},
            {{"urn": "urn:pulumi:s::p::a:b:C::m", "type": "a:b:C", "custom": true, "inputs": {other}, "outputs": {one}}}]}}}}"#
        );
        prop_assert_eq!(check("pulumi", pulumi.as_bytes()), 2);
        let state = format!(
            r#"{{"version": 4, "terraform_version": "1.9.0", "resources": [
            {{"mode": "managed", "type": "aws_x", "name": "y", "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
            "instances": [{{"attributes": {one}, "sensitive_attributes": []}}, {{"attributes": {other}}}]}}]}}"#
        );
        prop_assert_eq!(check("state", state.as_bytes()), 1);
        let plan = format!(
            r#"{{"format_version": "1.2", "resource_changes": [
            {{"address": "aws_x.y", "mode": "managed", "type": "aws_x", "name": "y",
            "change": {{"actions": ["update"], "before": {one}, "after": {other}, "after_unknown": {{}},
            "before_sensitive": {{}}, "after_sensitive": {mask}}}}},
            {{"address": "aws_x.z", "mode": "managed", "type": "aws_x", "name": "z",
            "change": {{"actions": ["create"], "before": null, "after": {other}, "after_unknown": {{}},
            "before_sensitive": false, "after_sensitive": {mask}}}}}]}}"#
        );
        prop_assert_eq!(check("plan", plan.as_bytes()), 2);
        let shown = format!(
            r#"{{"format_version": "1.0", "values": {{"root_module": {{"resources": [
            {{"address": "aws_x.y", "mode": "managed", "type": "aws_x", "name": "y", "values": {other}, "sensitive_values": {mask}}},
            {{"address": "aws_x.z", "mode": "managed", "type": "aws_x", "name": "z", "sensitive_values": {{}}, "values": {one}}}
            ]}}}}}}"#
        );
        prop_assert_eq!(check("shown state", shown.as_bytes()), 2);
    }
}

#[test]
fn masks_of_the_usual_shape_are_walked() {
    let plan = r#"{"format_version": "1.2", "resource_changes": [
        {"address": "aws_x.y", "mode": "managed", "type": "aws_x", "name": "y",
         "change": {"actions": ["update"], "before": {"id": "1", "password": "a", "tags": {"x": "1"}, "rules": [{"ports": [1, 2]}, {"ports": []}]},
           "after": {"id": "1", "password": "b", "tags": {"x": "1"}, "rules": [{"ports": [1]}]}, "after_unknown": {"tags": {}, "rules": [{"ports": [false]}]},
           "before_sensitive": {"password": true, "tags": {}, "rules": [{"ports": [false, false]}, {"ports": []}]},
           "after_sensitive": {"password": true, "tags": {}, "rules": [{"ports": [false]}]}}},
        {"address": "aws_x.z", "mode": "managed", "type": "aws_x", "name": "z",
         "change": {"actions": ["create"], "before": null, "after": {"password": "b"}, "after_unknown": {"id": true, "tags": true, "rules": true},
           "before_sensitive": false, "after_sensitive": {"password": true, "tags": {}, "rules": []}}}]}"#;
    assert_eq!(check("plan", plan.as_bytes()), 2);
}

/// A resource whose `tags` have these keys, between other properties.
fn tagged(keys: impl Iterator<Item = String>, value: &str) -> String {
    let entries: Vec<_> = keys
        .map(|key| format!("\n    \"{key}\": {value}"))
        .collect();
    format!(
        r#"{{"urn": "urn:pulumi:s::p::a:b:C::n", "type": "a:b:C", "custom": true,
        "inputs": {{"a": 1, "tags": {{{}}}, "b": [true, "x"], "tagsAll": {{}}}}, "outputs": {{"tags": {{}}, "c": null}}}}"#,
        entries.join(",")
    )
}

#[test]
fn maps_with_many_keys_are_walked_too() {
    let keys = |range: std::ops::Range<u32>| range.map(|number| format!("key-{number}"));
    let secret =
        r#"{"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "value": 1}"#;
    let resources = [
        tagged(keys(0..3), "1"),
        tagged(keys(0..70), "\"x\""),
        tagged(keys(50..90), "null"),
        tagged(keys(60..65), r#"{"inner": {"deep": [1, {}]}}"#),
        tagged(keys(60..65), secret),
        tagged(keys(0..2), "[[], {}, [{}]]"),
        tagged(keys(0..1000), "\"04da6b54-80e4-46f7-96ec-b56ff0331ba9\""),
    ];
    let file = |resources: &[String]| {
        format!(
            r#"{{"version": 3, "deployment": {{"resources": [{}]}}}}"#,
            resources.join(",")
        )
    };
    assert_eq!(check("many keys", file(&resources).as_bytes()), 7);
    for more in [
        tagged(keys(1..9).chain(keys(5..6)), "1"),
        tagged(keys(0..90).chain(keys(0..1)), "{}"),
    ] {
        let mut resources = resources.to_vec();
        resources.push(more);
        assert_eq!(check("a key twice", file(&resources).as_bytes()), 7);
    }
}

#[test]
fn keys_past_the_limit_fold_whatever_walks_them() {
    let file = |keys: Vec<String>| {
        let resource = tagged(keys.into_iter(), "\"x\"");
        format!(r#"{{"version": 3, "deployment": {{"resources": [{resource}]}}}}"#)
    };
    let hasher = Hasher::fixed();
    let walks = |keys: Vec<String>| {
        let bytes = file(keys).into_bytes();
        // The stack has the first thousand of them.
        let folds = Arc::new(Folds::default());
        let tags = hasher.hash_below(hasher.hash_number(1), Some(b"tags"));
        let kept =
            (0..1024).map(|number| hasher.hash_below(tags, Some(number.to_string().as_bytes())));
        folds.tell(tags, kept.collect());
        let mut indexer = Indexer::new(hasher, folds);
        let (mut elements, mut tape) = (Vec::new(), Tape::default());
        let Guess::Format(format) = sniff(&bytes) else {
            panic!("it is a deployment");
        };
        Scanner::new(format.outline, 0).feed(&bytes, 0, &mut elements, &mut tape);
        let element = &elements[0];
        let range = usize::try_from(element.start).unwrap()..usize::try_from(element.end).unwrap();
        let context = Context {
            workspace: String::new(),
            project: String::new(),
            hidden: HiddenPlaces::default(),
        };
        let text = tape.taped(&bytes, range);
        let site = Site {
            element,
            context: &context,
        };
        table::walk_element(format.walk.unwrap(), site, &text, &mut indexer).is_ok()
    };
    let keys = |n: u32| -> Vec<_> { (0..n).map(|number| format!("{number}")).collect() };
    let with = |n: u32, more: &[u32]| {
        let more = more.iter().map(|number| format!("{number}"));
        keys(n).into_iter().chain(more).collect::<Vec<_>>()
    };
    assert!(walks(keys(1030)));
    assert!(walks(keys(4000)));
    for more in [&[3][..], &[1029], &[5000, 5001, 5000]] {
        assert!(!walks(with(1030, more)), "{more:?}");
        assert!(!walks(with(4000, more)), "{more:?}");
    }
}
