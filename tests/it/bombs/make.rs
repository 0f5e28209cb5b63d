//! Generates the bombs: each is one list or map of a format with very many, very deep, very long or very similar entries.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

/// A name and the text of a file.
pub(super) type Bomb = (&'static str, String);

/// `n` items with commas between them.
pub(super) fn many(n: usize, item: impl Fn(usize) -> String) -> String {
    (0..n).map(item).collect::<Vec<_>>().join(",")
}

fn list(n: usize, item: impl Fn(usize) -> String) -> String {
    format!("[{}]", many(n, item))
}

/// A map with the keys `k0`, `k1`, ….
fn map(n: usize, value: impl Fn(usize) -> String) -> String {
    format!("{{{}}}", many(n, |i| format!(r#""k{i}":{}"#, value(i))))
}

fn number(i: usize) -> String {
    i.to_string()
}

fn quoted(i: usize) -> String {
    format!("\"{i}\"")
}

/// `inner` in `n` pairs of `open` and `close`.
fn deep(n: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(n), close.repeat(n))
}

fn urn(name: impl std::fmt::Display) -> String {
    format!("\"urn:pulumi:s::p::k:m:T::{name}\"")
}

fn resource(name: impl std::fmt::Display, more: &str) -> String {
    let urn = urn(name);
    let more = if more.is_empty() {
        String::new()
    } else {
        format!(",{more}")
    };
    format!(r#"{{"urn":{urn},"custom":true,"type":"k:m:T","id":"1"{more}}}"#)
}

fn deployment(resources: &str) -> String {
    format!(r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":{resources}}}}}"#)
}

fn one(more: &str) -> String {
    deployment(&format!("[{}]", resource("a", more)))
}

fn outputs(outputs: &str) -> String {
    one(&format!("\"outputs\":{outputs}"))
}

fn signed(signature: &str, more: &str) -> String {
    format!(r#"{{"4dabf18193072939515e22adb298388d":"{signature}",{more}"#)
}

const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";
const ASSET: &str = "c44067f5952c0a294b673a41bacd8c17";
const ARCHIVE: &str = "0def7320c3a5731c473e5ecbe6d01bc7";

pub(super) fn states_of_pulumi(n: usize) -> Vec<Bomb> {
    let root = n.isqrt();
    let each = list(root, urn);
    let keys = map(n, number);
    let needs = format!(
        r#""inputs":{keys},"dependencies":{},"propertyDependencies":{}"#,
        list(n, urn),
        map(n, |_| format!("[{}]", urn("a")))
    );
    let parent = |i: usize| resource(i, &format!("\"parent\":{}", urn(i + 1)));
    let circle = |i: usize| {
        let next = urn((i + 1) % n);
        resource(i, &format!(r#""parent":{next},"dependencies":[{next}]"#))
    };
    let operation = format!(r#"{{"resource":{},"type":"updating"}}"#, resource("a", ""));
    let archive = signed(ARCHIVE, r#""assets":{"a":"#);
    let asset = signed(ASSET, r#""text":"x"}"#);
    let sealed = signed(SECRET, r#""ciphertext":"v1:AAAA:BBBB"}"#);
    let anchor = |i: usize| {
        let all = vec![format!("*a{i}"); 10].join(",");
        format!("\\na{}: &a{} [{all}]", i + 1, i + 1)
    };
    let anchors: String = (0..50).map(anchor).collect();
    let provider = |i: usize| {
        let urn = format!("urn:pulumi:s::p::pulumi:providers:k::d{i}");
        resource(i, &format!(r#""provider":"{urn}::{i}""#))
    };
    let same_provider = |i: usize| {
        let urn = "urn:pulumi:s::p::pulumi:providers:k::d";
        resource(i, &format!(r#""provider":"{urn}::{i}""#))
    };
    vec![
        ("empty", deployment(&list(n, |_| "{}".to_owned()))),
        (
            "alike",
            deployment(&list(n, |_| {
                resource("a", &format!("\"dependencies\":[{}]", urn("a")))
            })),
        ),
        (
            "each-to-each",
            deployment(&list(root, |i| {
                resource(i, &format!("\"dependencies\":{each}"))
            })),
        ),
        (
            "needs",
            deployment(&format!(
                "[{},{}]",
                resource("a", ""),
                resource("b", &needs)
            )),
        ),
        ("parents", deployment(&list(n, parent))),
        ("cycle", deployment(&list(n, circle))),
        (
            "wide",
            one(&format!(r#""inputs":{},"outputs":{keys}"#, map(n, quoted))),
        ),
        (
            "list",
            one(&format!(
                r#""inputs":{{"l":{}}},"outputs":{{"l":{}}}"#,
                list(n, number),
                list(n, |i| number(n - i))
            )),
        ),
        (
            "deep",
            outputs(&format!("{{\"a\":{}}}", deep(990, "{\"a\":", "1", "}"))),
        ),
        (
            "too-deep",
            outputs(&format!("{{\"a\":{}}}", deep(n * 50, "[", "1", "]"))),
        ),
        (
            "secrets",
            outputs(&format!(
                "{{\"a\":{}}}",
                deep(900, &signed(SECRET, "\"value\":"), "1", "}")
            )),
        ),
        (
            "archives",
            outputs(&format!("{{\"a\":{}}}", deep(400, &archive, &asset, "}}"))),
        ),
        ("ciphertexts", outputs(&map(n, |_| sealed.clone()))),
        (
            "additional",
            one(&format!(
                r#""additionalSecretOutputs":{},"outputs":{keys}"#,
                list(n, |i| format!("\"k{i}\""))
            )),
        ),
        (
            "documents",
            outputs(&map(n, |_| r#""{\"a\":[1,{\"b\":\"c\"}]}""#.to_owned())),
        ),
        (
            "anchors",
            outputs(&format!(r#"{{"y":"a0: &a0 [x]{anchors}\nz: 1"}}"#)),
        ),
        (
            "pending",
            deployment(&format!(
                r#"{},"pending_operations":{}"#,
                list(n, |i| resource(i, &format!("\"parent\":{}", urn("a")))),
                list(n, |_| operation.clone())
            )),
        ),
        (
            "long",
            deployment(&format!("[{}]", resource("n".repeat(n * 50), ""))),
        ),
        (
            "type",
            deployment(&format!(
                r#"[{{"urn":"urn:pulumi:s::p::{}a:b:C::x","type":"a:b:C"}}]"#,
                "a:b:C$".repeat(n)
            )),
        ),
        (
            "repeats",
            outputs(&format!("{{{}}}", many(n, |_| "\"k\":1".to_owned()))),
        ),
        (
            "twice",
            format!(
                r#"{{"version":3,"deployment":{{"manifest":{{}},{}}}}}"#,
                many(n, |_| "\"resources\":[]".to_owned())
            ),
        ),
        (
            "digits",
            outputs(&format!("{{\"a\":{}}}", "9".repeat(n * 10))),
        ),
        (
            "exponents",
            outputs(&map(n, |_| "[1e999999999999,-1e-99999999]".to_owned())),
        ),
        ("providers", deployment(&list(n, provider))),
        ("same-provider", deployment(&list(n, same_provider))),
        (
            "blank",
            format!(
                r#"{{"version":3,"deployment":{{"manifest":{{}},{}"resources":[]}}}}"#,
                " ".repeat(n * 200)
            ),
        ),
        (
            "outputs",
            deployment(&format!(
                r#"[{{"urn":"urn:pulumi:s::p::pulumi:pulumi:Stack::p-s","type":"pulumi:pulumi:Stack","outputs":{keys}}}]"#
            )),
        ),
    ]
}

fn step(op: &str, name: impl std::fmt::Display, more: &str) -> String {
    let (urn, state) = (urn(&name), resource(&name, "\"inputs\":{\"a\":1}"));
    format!(r#"{{"op":"{op}","urn":{urn},"newState":{state}{more}}}"#)
}

fn preview(steps: &str) -> String {
    format!(r#"{{"config":{{}},"steps":{steps}}}"#)
}

/// A preview of one update with these inputs and this detailed difference.
pub(super) fn detailed(old: &str, new: &str, detailed: &str) -> String {
    let state = |inputs: &str| resource("a", &format!("\"inputs\":{inputs}"));
    let (urn, old, new) = (urn("a"), state(old), state(new));
    preview(&format!(
        r#"[{{"op":"update","urn":{urn},"oldState":{old},"newState":{new},"detailedDiff":{detailed}}}]"#
    ))
}

fn entry(kind: &str) -> String {
    format!(r#"{{"kind":"{kind}","inputDiff":true}}"#)
}

/// The lines of a log that starts like those of Pulumi.
fn events(n: usize, event: impl Fn(usize) -> String) -> String {
    let line = |i: usize| format!("{{\"sequence\":{i},\"timestamp\":1,{}}}\n", event(i));
    let first = r#"{"sequence":0,"timestamp":1,"preludeEvent":{"config":{}}}"#;
    format!("{first}\n{}", (0..n).map(line).collect::<String>())
}

fn before_step(op: &str, name: impl std::fmt::Display) -> String {
    let urn = urn(name);
    format!(
        r#""resourcePreEvent":{{"metadata":{{"op":"{op}","urn":{urn},"type":"k:m:T","old":null,"new":
        {{"type":"k:m:T","urn":{urn},"custom":true,"id":"","parent":"","inputs":{{}},"outputs":{{}}}}}}}}"#
    )
    .replace('\n', " ")
}

pub(super) fn detailed_of_keys(n: usize) -> String {
    let nowhere = |i| format!(r#""k{i}":{}"#, entry("update-replace"));
    let both = [0, 1].map(|by| map(n, |i| number(i + by)));
    detailed(&both[0], &both[1], &format!("{{{}}}", many(n, nowhere)))
}

pub(super) fn detailed_to_nowhere(n: usize) -> String {
    let nowhere = |i| format!(r#""x{i}.y":{}"#, entry("update"));
    let both = [0, 1].map(|by| map(n, |i| number(i + by)));
    detailed(&both[0], &both[1], &format!("{{{}}}", many(n, nowhere)))
}

/// Resource `z` needs `n` others, once by each of its properties.
pub(super) fn needs(n: usize) -> String {
    let needs = format!(
        r#""dependencies":{},"propertyDependencies":{}"#,
        list(n, urn),
        map(n, |i| format!("[{}]", urn(i)))
    );
    let others = many(n, |i| resource(i, ""));
    deployment(&format!("[{others},{}]", resource("z", &needs)))
}

/// `n` references to a resource with `n` pending operations.
pub(super) fn pending(n: usize) -> String {
    let needs = format!("\"dependencies\":[{}]", urn("a"));
    let operation = format!(r#"{{"type":"updating","resource":{}}}"#, resource("a", ""));
    deployment(&format!(
        r#"[{},{}],"pending_operations":{}"#,
        resource("a", ""),
        many(n, |i| resource(i, &needs)),
        list(n, |_| operation.clone())
    ))
}

pub(super) fn reasons(n: usize) -> String {
    let keys = list(n, |i| format!("\"k{i}\""));
    let more = format!(r#","replaceReasons":{keys},"diffReasons":{keys}"#);
    preview(&format!("[{}]", step("update", "a", &more)))
}

pub(super) fn runs_of_pulumi(n: usize) -> Vec<Bomb> {
    let elements = |by: usize| format!("{{\"l\":{}}}", list(n, |i| number(i + by)));
    let at = |i: usize| format!(r#""l[{i}]":{}"#, entry("update"));
    let nowhere = |i: usize| format!(r#""k[{i}].x":{}"#, entry("update-replace"));
    let message = |name: String| {
        let urn = urn(name);
        format!(r#"{{"urn":{urn},"message":"m","severity":"error"}}"#)
    };
    let goal = format!(
        r#"{{"type":"k:m:T","name":"a","custom":true,"outputDiff":{{}},"inputDiff":{{"adds":{0},"updates":{0},"deletes":{1}}}}}"#,
        map(n, number),
        list(n, |i| format!("\"k{i}\""))
    );
    vec![
        ("steps", preview(&list(n, |i| step("create", i, "")))),
        ("same", preview(&list(n, |_| step("replace", "a", "")))),
        (
            "operations",
            preview(&list(n, |i| step(&format!("op{i}"), i, ""))),
        ),
        ("detailed", detailed_of_keys(n)),
        (
            "detailed-list",
            detailed(&elements(0), &elements(1), &format!("{{{}}}", many(n, at))),
        ),
        (
            "detailed-nowhere",
            detailed("{}", "{}", &format!("{{{}}}", many(n, nowhere))),
        ),
        ("reasons", reasons(n)),
        (
            "summary",
            format!(
                r#"{{"config":{{}},"steps":[],"changeSummary":{}}}"#,
                map(n, number)
            ),
        ),
        (
            "diagnostics",
            format!(
                r#"{{"config":{{}},"steps":[{}],"diagnostics":{}}}"#,
                step("create", "a", ""),
                list(n, |_| message("a".to_owned()))
            ),
        ),
        (
            "plan",
            format!(
                r#"{{"manifest":{{"time":"2020-01-01T00:00:00Z","magic":"x","version":"v3"}},"resourcePlans":{{{}:{{"goal":{goal},"steps":{},"state":{{}}}}}}}}"#,
                urn("a"),
                list(n, |_| "\"create\"".to_owned())
            ),
        ),
        ("log", events(n, |i| before_step("create", i))),
        ("log-same", events(n, |_| before_step("create", "a"))),
        (
            "log-operations",
            events(n, |i| before_step(&format!("op{i}"), "a")),
        ),
        (
            "log-said",
            events(n, |i| {
                format!("\"diagnosticEvent\":{}", message(i.to_string()))
            }),
        ),
        (
            "log-said-of-one",
            events(n, |i| match i {
                0 => before_step("create", "a"),
                _ => format!("\"diagnosticEvent\":{}", message("a".to_owned())),
            }),
        ),
        (
            "log-summaries",
            events(n, |i| {
                format!(r#""summaryEvent":{{"resourceChanges":{{"op{i}":1}}}}"#)
            }),
        ),
        (
            "log-empty",
            format!("{}{}", events(0, |_| String::new()), "{}\n".repeat(n * 10)),
        ),
        (
            "log-line",
            format!(
                "{}{{\"x\":\"{}",
                events(0, |_| String::new()),
                "a".repeat(n * 200)
            ),
        ),
    ]
}

fn state(resources: &str, outputs: &str) -> String {
    format!(
        r#"{{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"x","outputs":{outputs},"resources":{resources}}}"#
    )
}

fn managed(name: &str, instances: &str) -> String {
    in_module("", name, instances)
}

fn in_module(module: &str, name: &str, instances: &str) -> String {
    let module = if module.is_empty() {
        String::new()
    } else {
        format!("\"module\":\"{module}\",")
    };
    format!(
        r#"{{{module}"mode":"managed","type":"lab_x","name":"{name}","provider":"provider[\"registry.terraform.io/lab/lab\"]","instances":{instances}}}"#
    )
}

/// A state of one resource with these fields of its one instance.
fn instance(fields: &str) -> String {
    state(
        &format!("[{}]", managed("a", &format!("[{{{fields}}}]"))),
        "{}",
    )
}

fn attribute(name: &str) -> String {
    format!(r#"{{"type":"get_attr","value":"{name}"}}"#)
}

pub(super) fn masks_of_keys(n: usize) -> String {
    instance(&format!(
        r#""attributes":{},"sensitive_attributes":{}"#,
        map(n, |_| "\"v\"".to_owned()),
        list(n, |i| format!("[{}]", attribute(&format!("k{i}"))))
    ))
}

pub(super) fn masks_of_elements(n: usize) -> String {
    let index = |i: usize| {
        let index = format!(r#"{{"type":"index","value":{{"value":{i},"type":"number"}}}}"#);
        format!("[{},{index}]", attribute("l"))
    };
    instance(&format!(
        r#""attributes":{{"l":{}}},"sensitive_attributes":{}"#,
        list(n, |_| "\"v\"".to_owned()),
        list(n, index)
    ))
}

pub(super) fn masks_of_flat(n: usize) -> String {
    instance(&format!(
        r#""attributes_flat":{},"sensitive_attributes":{}"#,
        map(n, |_| "\"v\"".to_owned()),
        list(n, |i| format!("[{}]", attribute(&format!("k{i}"))))
    ))
}

pub(super) fn states_of_terraform(n: usize) -> Vec<Bomb> {
    let root = n.isqrt();
    let instances = |more: &str| {
        list(n, |i| {
            format!(r#"{{"index_key":{i},"attributes":{{"id":"x"}}{more}}}"#)
        })
    };
    let blank = r#"[{"attributes":{}}]"#;
    let modules = |depth: usize| vec!["module.m"; depth].join(".");
    let path_in = |steps: usize| format!("[{}]", many(steps, |_| attribute("a")));
    let output = |i: usize| format!(r#"{{"value":{i},"type":"number","sensitive":true}}"#);
    let check = |i: usize| {
        format!(
            r#"{{"object_kind":"resource","config_addr":"lab_x.a{i}","status":"fail",
            "objects":[{{"object_addr":"lab_x.a{i}","status":"fail","failure_messages":["m","m"]}}]}}"#
        )
    };
    let old = |i: usize| {
        format!(
            r#""lab_x.r{i}":{{"type":"lab_x","depends_on":["lab_x.r0"],"primary":{{"id":"x",
            "attributes":{{"id":"x","a.#":"1","a.0":"v"}}}},"deposed":[{{"id":"d"}}]}}"#
        )
    };
    let old_state = |modules: &str| {
        format!(r#"{{"version":3,"terraform_version":"0.11.0","serial":1,"modules":{modules}}}"#)
    };
    let shown = |root: &str| {
        format!(
            r#"{{"format_version":"1.0","terraform_version":"1.9.0","values":{{"root_module":{root}}}}}"#
        )
    };
    vec![
        (
            "resources",
            state(&list(n, |i| managed(&format!("r{i}"), blank)), "{}"),
        ),
        (
            "instances",
            state(&format!("[{}]", managed("a", &instances(""))), "{}"),
        ),
        (
            "empty-instances",
            state(
                &format!("[{}]", managed("a", &list(n, |_| "{}".to_owned()))),
                "{}",
            ),
        ),
        (
            "deposed",
            state(
                &format!(
                    "[{}]",
                    managed(
                        "a",
                        &list(n, |i| format!(
                            r#"{{"deposed":"{i:08x}","attributes":{{}}}}"#
                        ))
                    )
                ),
                "{}",
            ),
        ),
        ("masks", masks_of_keys(n)),
        ("masks-of-elements", masks_of_elements(n)),
        ("masks-of-flat", masks_of_flat(n)),
        (
            "masks-alike",
            instance(&format!(
                r#""attributes":{{"l":{}}},"sensitive_attributes":{}"#,
                list(n, number),
                list(n, |_| path_in(1))
            )),
        ),
        (
            "deep-masks",
            instance(&format!(
                r#""attributes":{},"sensitive_attributes":{}"#,
                deep(root, "{\"a\":", "1", "}"),
                list(root, path_in)
            )),
        ),
        (
            "endless-mask",
            instance(&format!(
                r#""attributes":{{"a":1}},"sensitive_attributes":[{}]"#,
                path_in(n)
            )),
        ),
        (
            "secrets-in-fields",
            instance(&format!(
                r#""attributes":{{"l":{}}},"sensitive_attributes":[[{}]],"more":{}"#,
                list(n, |i| format!("\"secret{i}\"")),
                attribute("l"),
                list(n, |i| format!("\"text{i}\""))
            )),
        ),
        (
            "each-to-each",
            state(
                &format!(
                    "[{},{}]",
                    managed("a", &instances("")),
                    managed("b", &instances(r#","dependencies":["lab_x.a"]"#))
                ),
                "{}",
            ),
        ),
        (
            "missing",
            instance(&format!(
                r#""attributes":{{}},"dependencies":{}"#,
                list(n, |i| format!("\"lab_x.q{i}\""))
            )),
        ),
        ("outputs", state("[]", &map(n, output))),
        (
            "output",
            state(
                "[]",
                &format!(
                    r#"{{"o":{{"value":{},"type":"dynamic"}}}}"#,
                    list(n, |i| format!("{{\"a\":{i}}}"))
                ),
            ),
        ),
        (
            "type",
            state(
                "[]",
                &format!(
                    r#"{{"o":{{"value":1,"type":{}}}}}"#,
                    deep(n, "[\"list\",", "\"string\"", "]")
                ),
            ),
        ),
        (
            "modules",
            state(
                &list(n, |i| in_module(&format!("module.m{i}"), "a", blank)),
                "{}",
            ),
        ),
        (
            "deep-module",
            state(&format!("[{}]", in_module(&modules(n), "a", blank)), "{}"),
        ),
        (
            "deep-modules",
            state(
                &list(root, |i| in_module(&modules(i + 1), "a", blank)),
                "{}",
            ),
        ),
        (
            "checks",
            format!(
                r#"{{"version":4,"terraform_version":"1.9.0","resources":[],"check_results":{}}}"#,
                list(n, check)
            ),
        ),
        (
            "wide",
            instance(&format!("\"attributes\":{}", map(n, number))),
        ),
        (
            "old",
            old_state(&format!(
                r#"[{{"path":["root"],"outputs":{{}},"resources":{{{}}}}}]"#,
                many(n, old)
            )),
        ),
        (
            "old-modules",
            old_state(&list(n, |i| {
                format!(
                    r#"{{"path":["root","m{i}"],"outputs":{{}},"resources":{{{}}}}}"#,
                    old(0)
                )
            })),
        ),
        (
            "shown-modules",
            shown(&format!(
                "{{\"child_modules\":{}}}",
                list(n, |i| format!(
                    r#"{{"address":"module.m{i}","resources":[{{"address":"module.m{i}.lab_x.a","mode":"managed","type":"lab_x",
                    "name":"a","provider_name":"p","values":{{"a":1}},"sensitive_values":{{"a":true}}}}]}}"#
                ))
            )),
        ),
        (
            "shown-deep",
            shown(&deep(n, "{\"child_modules\":[", "{}", "]}")),
        ),
        (
            "schemas",
            format!(
                r#"{{"format_version":"1.0","provider_schemas":{{"p":{{"resource_schemas":{}}}}}}}"#,
                map(n, |_| {
                    r#"{"version":0,"block":{"attributes":{"a":{"type":"string","optional":true}}}}"#
                        .to_owned()
                })
            ),
        ),
    ]
}

fn plan(changes: &str, more: &str) -> String {
    format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{{"root_module":{{}}}},"resource_changes":{changes}{more}}}"#
    )
}

fn change(name: &str, change: &str) -> String {
    format!(
        r#"{{"address":"lab_x.{name}","mode":"managed","type":"lab_x","name":"{name}","provider_name":"registry.terraform.io/lab/lab","change":{{{change}}}}}"#
    )
}

fn update(before: &str, after: &str, more: &str) -> String {
    format!(r#""actions":["update"],"before":{before},"after":{after}{more}"#)
}

fn updated(before: &str, after: &str, more: &str) -> String {
    plan(
        &format!("[{}]", change("a", &update(before, after, more))),
        "",
    )
}

fn ui(n: usize, line: impl Fn(usize) -> String) -> String {
    let head = r#""@level":"info","@message":"m","@module":"terraform.ui""#;
    let first = r#""type":"version","terraform":"1.9.0","ui":"1.2""#;
    let lines = (0..n).map(|i| format!("{{{head},{}}}\n", line(i)));
    format!("{{{head},{first}}}\n{}", lines.collect::<String>())
}

fn planned(name: &str) -> String {
    format!(
        r#""type":"planned_change","change":{{"action":"create","resource":{{"addr":"lab_x.{name}","resource":"r","resource_type":"lab_x","resource_name":"r","module":""}}}}"#
    )
}

pub(super) fn planned_once_more(n: usize) -> String {
    ui(n, |_| planned("r"))
}

pub(super) fn summaries(n: usize) -> String {
    let add = |i| {
        format!(
            r#""type":"change_summary","changes":{{"add":{i},"change":0,"remove":0,"operation":"plan"}}"#
        )
    };
    ui(n, add)
}

pub(super) fn replaced_keys(n: usize) -> String {
    let paths = list(n, |i| format!("[\"k{i}\"]"));
    updated(
        &map(n, number),
        &map(n, |i| number(i + 1)),
        &format!(",\"replace_paths\":{paths}"),
    )
}

/// A list whose elements have names, each with another value.
pub(super) fn named_elements(n: usize) -> String {
    let side = |by: usize| {
        let rules = list(n, |i| {
            format!(r#"{{"name":"r{i}","value":{}}}"#, i * 7919 % 100_003 + by)
        });
        format!("{{\"rules\":{rules}}}")
    };
    updated(&side(0), &side(1_000_000), "")
}

pub(super) fn replaced_elements(n: usize) -> String {
    let paths = list(n, |i| format!("[\"l\",{i}]"));
    updated(
        &format!("{{\"l\":{}}}", list(n, number)),
        &format!("{{\"l\":{}}}", list(n, |i| number(n - i))),
        &format!(",\"replace_paths\":{paths}"),
    )
}

pub(super) fn masked_keys(n: usize) -> String {
    let mask = map(n, |_| "true".to_owned());
    updated(
        &map(n, number),
        &map(n, |i| number(i + 1)),
        &format!(r#","before_sensitive":{mask},"after_sensitive":{mask},"after_unknown":{mask}"#),
    )
}

pub(super) fn plans_of_terraform(n: usize) -> Vec<Bomb> {
    let shuffled = |by: usize| list(n, |i| quoted(i * by % n));
    let of_l = |list: String| format!("{{\"l\":{list}}}");
    let text = |by: usize, end: &str| {
        let parts = (0..n).map(|i| format!("{}{end}", i * by % n));
        format!("{{\"t\":\"{}\"}}", parts.collect::<String>())
    };
    let small = update("{\"a\":1}", "{\"a\":2}", "");
    let resources = list(n, |i| change(&format!("r{i}"), &small));
    let check = |i: usize| {
        format!(
            r#"{{"address":{{"kind":"resource","mode":"managed","name":"a","to_display":"lab_x.a{i}","type":"lab_x"}},"status":"fail",
            "instances":[{{"address":{{"to_display":"lab_x.a{i}"}},"status":"fail","problems":[{{"message":"m"}}]}}]}}"#
        )
    };
    let deposed = |i: usize| {
        let change = change("a", r#""actions":["delete"],"before":{"a":1},"after":null"#);
        format!(r#"{{"deposed":"{i:08x}",{}"#, &change[1..])
    };
    let long_path = list(n, |_| "\"a\"".to_owned());
    vec![
        ("changes", plan(&resources, "")),
        ("empty", plan(&list(n, |_| "{}".to_owned()), "")),
        ("replace-paths", replaced_keys(n)),
        ("replace-elements", replaced_elements(n)),
        (
            "replace-far",
            updated(
                "{\"a\":1}",
                "{\"a\":2}",
                &format!(r#","replace_paths":[{long_path}],"after_sensitive":{{"a":true}}"#),
            ),
        ),
        ("masks", masked_keys(n)),
        (
            "blocks",
            updated(
                &of_l(list(n, |i| format!(r#"{{"a":{i},"b":"{i}"}}"#))),
                &of_l(list(n, |i| format!(r#"{{"a":{},"b":"x{i}"}}"#, n - i))),
                "",
            ),
        ),
        (
            "shuffled",
            updated(&of_l(shuffled(7919)), &of_l(shuffled(104_729)), ""),
        ),
        (
            "lines",
            updated(&text(7919, "\\n"), &text(104_729, "\\n"), ""),
        ),
        ("words", updated(&text(7919, " "), &text(104_729, " "), "")),
        (
            "documents",
            updated(
                &format!("{{\"t\":\"{}\"}}", list(n, number)),
                &format!("{{\"t\":\"{}\"}}", list(n, |i| number(i * 2))),
                "",
            ),
        ),
        (
            "outputs",
            plan(
                "[]",
                &format!(
                    ",\"output_changes\":{}",
                    map(n, |i| format!(
                        "{{{}}}",
                        update(&number(i), &number(i + 1), "")
                    ))
                ),
            ),
        ),
        (
            "drift",
            plan(
                &resources,
                &format!(
                    r#","resource_drift":{resources},"relevant_attributes":{}"#,
                    list(n, |i| format!(
                        r#"{{"resource":"lab_x.r{i}","attribute":["a"]}}"#
                    ))
                ),
            ),
        ),
        (
            "drift-of-one",
            plan(
                "[]",
                &format!(
                    r#","resource_drift":[{}],"relevant_attributes":{}"#,
                    change("a", &update(&map(n, number), &map(n, quoted), "")),
                    list(n, |i| format!(
                        r#"{{"resource":"lab_x.a","attribute":["k{i}"]}}"#
                    ))
                ),
            ),
        ),
        (
            "checks",
            plan("[]", &format!(",\"checks\":{}", list(n, check))),
        ),
        ("deposed", plan(&list(n, deposed), "")),
        (
            "variables",
            plan(
                "[]",
                &format!(
                    ",\"variables\":{}",
                    map(n, |i| format!("{{\"value\":{i}}}"))
                ),
            ),
        ),
        ("log", ui(n, |i| planned(&format!("r{i}")))),
        ("log-same", planned_once_more(n)),
        ("log-summaries", summaries(n)),
        (
            "log-said",
            ui(n, |_| {
                r#""type":"diagnostic","diagnostic":{"severity":"error","summary":"x","detail":"y"}"#
                    .to_owned()
            }),
        ),
        (
            "log-outputs",
            ui(n, |i| {
                format!(
                    r#""type":"outputs","outputs":{{"o{i}":{{"sensitive":false,"type":"string","value":"x"}}}}"#
                )
            }),
        ),
    ]
}

fn refs(names: &str) -> String {
    format!("{{\"references\":[{names}]}}")
}

fn block(name: &str, expressions: &str) -> String {
    format!(
        r#"{{"address":"lab_x.{name}","mode":"managed","type":"lab_x","name":"{name}","expressions":{{{expressions}}}}}"#
    )
}

fn configured(root: &str) -> String {
    let create = r#""actions":["create"],"before":null,"after":{"k0":1,"l":[{"k0":1}]}"#;
    plan(
        &format!("[{}]", change("a", create)),
        &format!(",\"configuration\":{{\"root_module\":{{{root}}}}}"),
    )
}

pub(super) fn sensitive_variables(n: usize) -> String {
    let arguments = |i| format!(r#""k{i}":{}"#, refs(&format!("\"var.k{i}\"")));
    let after = map(n, number);
    let change = change("a", &update(&after, &after, ""));
    let block = block("a", &many(n, arguments));
    plan(
        &format!("[{change}]"),
        &format!(
            r#","configuration":{{"root_module":{{"variables":{},"resources":[{block}]}}}}"#,
            map(n, |_| "{\"sensitive\":true}".to_owned())
        ),
    )
}

/// Texts that name secrets without end: the beginning of a value an eighth of `n` times on a line and on lines of their own, deeper and deeper
/// settings, and documents of Kubernetes.
pub(super) fn names_of_secrets(n: usize) -> String {
    let n = n / 8;
    let deeper = |line: &str| -> String {
        let depths = 0..n.isqrt();
        depths.map(|depth| " ".repeat(depth) + line).collect()
    };
    let texts = [
        "password: | ".repeat(n),
        "password: > x".repeat(n) + &"\n a".repeat(n),
        "password=a".repeat(n),
        "password=${x}a".repeat(n),
        "password=\"".repeat(n),
        "\\u003cpassword>abc ".repeat(n),
        "kind: Secret\n".repeat(n),
        "kind: Secret\ndata:\n  a: Ab3dEf6h\n---\n".repeat(n),
        deeper("tokens:\n"),
        deeper("token: |\n"),
    ];
    let text = |text: &String| serde_json::Value::from(text.as_str()).to_string();
    let before = map(texts.len(), |at| text(&texts[at]));
    let after = map(texts.len(), |at| text(&format!("{}-", texts[at])));
    plan(
        &format!("[{}]", change("a", &update(&before, &after, ""))),
        "",
    )
}

/// A resource whose `n` arguments come from `n` others. The first `n_changed` arguments change.
pub(super) fn arguments(n: usize, n_changed: usize) -> String {
    let argument = |i| format!(r#""k{i}":{}"#, refs(&format!("\"lab_x.q{i}.id\"")));
    let target = |i: usize| change(&format!("q{i}"), &update("{}", "{\"a\":1}", ""));
    let [before, after] = [0, 1].map(|by| map(n_changed, |i| number(i + by)));
    let own = change("a", &update(&before, &after, ""));
    let block = block("a", &many(n, argument));
    plan(
        &format!("[{own},{}]", many(n, target)),
        &format!(",\"configuration\":{{\"root_module\":{{\"resources\":[{block}]}}}}"),
    )
}

/// Drift of `n` resources, and an attribute of each that matters.
pub(super) fn drift_of_resources(n: usize) -> String {
    let drift = |i| change(&format!("q{i}"), &update("{\"a\":1}", "{\"a\":2}", ""));
    relevant(
        &list(n, drift),
        &list(n, |i| {
            format!(r#"{{"resource":"lab_x.q{i}","attribute":["a"]}}"#)
        }),
    )
}

/// Drift of `n` attributes of one resource, all of which matter.
pub(super) fn drift_of_keys(n: usize) -> String {
    let [before, after] = [0, 1].map(|by| map(n, |i| number(i + by)));
    let drift = change("a", &update(&before, &after, ""));
    relevant(
        &format!("[{drift}]"),
        &list(n, |i| {
            format!(r#"{{"resource":"lab_x.a","attribute":["k{i}"]}}"#)
        }),
    )
}

fn relevant(drift: &str, attributes: &str) -> String {
    let other = change("other", &update("{\"a\":1}", "{\"a\":2}", ""));
    plan(
        &format!("[{other}]"),
        &format!(r#","resource_drift":{drift},"relevant_attributes":{attributes}"#),
    )
}

pub(super) fn caused(n: usize) -> String {
    arguments(n, n)
}

pub(super) fn configurations(n: usize) -> Vec<Bomb> {
    let root = n.isqrt();
    let resources = |blocks: &str| format!("\"resources\":[{blocks}]");
    let outputs = (0..30).fold(
        format!(
            r#"{{"outputs":{{"o":{{"expression":{}}}}}}}"#,
            refs("\"lab_x.a.id\"")
        ),
        |module, _| {
            let all = refs(r#""module.m.o","local.x","module.m.o""#);
            format!(
                r#"{{"outputs":{{"o":{{"expression":{all}}}}},"module_calls":{{"m":{{"expressions":{{}},"module":{module}}}}}}}"#
            )
        },
    );
    let both = refs(r#""var.v","var.w""#);
    let variables = (0..30).fold(
        format!(
            r#"{{"variables":{{"v":{{}},"w":{{}}}},{}}}"#,
            resources(&block("a", &format!("\"a\":{both}")))
        ),
        |module, _| {
            format!(
                r#"{{"variables":{{"v":{{}},"w":{{}}}},"module_calls":{{"m":{{"module":{module},"expressions":{{"v":{both},"w":{both}}}}}}}}}"#
            )
        },
    );
    let call = |i: usize| {
        let from = match i.checked_sub(1) {
            None => "\"lab_x.a.id\"".to_owned(),
            Some(before) => format!("\"module.k{before}.o\""),
        };
        let module = format!(
            r#"{{"variables":{{"v":{{}}}},"outputs":{{"o":{{"expression":{}}}}}}}"#,
            refs("\"var.v\"")
        );
        format!(
            r#"{{"expressions":{{"v":{}}},"module":{module}}}"#,
            refs(&from)
        )
    };
    let wide = map(root, |i| {
        format!("{{\"expression\":{}}}", refs(&format!("\"lab_x.r{i}\"")))
    });
    let user = |i: usize| {
        let arguments = many(20, |key| format!(r#""a{key}":{}"#, refs("\"module.m\"")));
        block(&format!("r{i}"), &arguments)
    };
    let names = |n| many(n, |i| format!("\"lab_x.q{i}.id\""));
    vec![
        (
            "doubling-outputs",
            configured(&format!(
                r#""module_calls":{{"m":{{"expressions":{{}},"module":{outputs}}}}},{}"#,
                resources(&block("a", &format!("\"a\":{}", refs("\"module.m.o\""))))
            )),
        ),
        (
            "doubling-variables",
            configured(&format!(
                r#""module_calls":{{"m":{{"expressions":{{}},"module":{variables}}}}}"#
            )),
        ),
        (
            "wide-module",
            configured(&format!(
                r#""module_calls":{{"m":{{"expressions":{{}},"module":{{"outputs":{wide}}}}}}},{}"#,
                resources(&many(root, user))
            )),
        ),
        (
            "references",
            configured(&resources(&block(
                "a",
                &format!("\"a\":{}", refs(&names(n))),
            ))),
        ),
        ("arguments", arguments(n, 1)),
        ("sensitive-variables", sensitive_variables(n)),
        (
            "depends-on",
            configured(&resources(&format!(
                r#"{{"address":"lab_x.a","mode":"managed","type":"lab_x","name":"a","depends_on":[{}]}}"#,
                names(n)
            ))),
        ),
        (
            "blocks",
            configured(&resources(&block(
                "a",
                &format!(
                    "\"l\":{}",
                    list(n, |_| format!("{{\"x\":{}}}", refs("\"lab_x.q\"")))
                ),
            ))),
        ),
        (
            "deep",
            configured(&resources(&block(
                "a",
                &format!("\"b\":{}", deep(900, "{\"a\":", &refs("\"lab_x.q\""), "}")),
            ))),
        ),
        (
            "calls",
            configured(&format!(
                r#""module_calls":{},{}"#,
                map(n, call),
                resources(&block(
                    "a",
                    &format!("\"a\":{}", refs(&format!("\"module.k{}.o\"", n - 1)))
                ))
            )),
        ),
    ]
}

/// Small files that unpack to far too much.
pub(super) fn packed() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        (
            "changes.tfplan",
            archive(&field(3, b"").repeat(4_000_000), &[]),
        ),
        ("nils.tfplan", dense()),
        ("spaces.json.gz", gzip(STATE_START, " ")),
        ("spaces.json.zst", zstd(STATE_START, " ")),
        ("objects.json.gz", gzip(STATE_START, &long(OBJECT))),
        ("lines.json.gz", gzip(EVENT, &long(EVENT))),
        ("lines.json.zst", zstd(EVENT, &long(EVENT))),
    ]
}

/// A small plan file: each byte of its only value becomes a value of twenty-four bytes.
const STATE_START: &str = r#"{"version":4,"terraform_version":"1.9.0","resources":["#;

const OBJECT: &str = r#"{"mode":"managed","type":"lab_x","name":"@"},"#;

const EVENT: &str = r#"{"sequence":0,"timestamp":1,"stdoutEvent":{"message":"@","color":"never"}}
"#;

fn long(text: &str) -> String {
    text.replace('@', &"x".repeat(5_000))
}

/// Some 200 MB in a few hundred kilobytes: a start, and many members with the same text again and again.
fn gzip(start: &str, again: &str) -> Vec<u8> {
    packed_twice(start, again, |text| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    })
}

/// As [`gzip`], in frames of Zstandard.
fn zstd(start: &str, again: &str) -> Vec<u8> {
    packed_twice(start, again, |text| {
        zstd::encode_all(text.as_bytes(), 19).unwrap()
    })
}

fn packed_twice(start: &str, again: &str, pack: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let member = pack(&again.repeat((1 << 20) / again.len()));
    let mut packed = pack(start);
    for _ in 0..200 {
        packed.extend_from_slice(&member);
    }
    packed
}

pub(super) fn dense() -> Vec<u8> {
    let n = 60_000_000_u32;
    let nils = [&[0xdd][..], &n.to_be_bytes(), &vec![0xc0; n as usize]].concat();
    archive(&changed(&nils), &[])
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
    bytes
}

/// A field of a protobuf message that holds bytes.
fn field(number: u64, bytes: &[u8]) -> Vec<u8> {
    [
        &varint(number << 3 | 2)[..],
        &varint(bytes.len() as u64),
        bytes,
    ]
    .concat()
}

/// A field of a protobuf message that holds a number.
fn numbered(number: u64, value: u64) -> Vec<u8> {
    [varint(number << 3), varint(value)].concat()
}

/// A creation with a value in msgpack.
fn changed(value: &[u8]) -> Vec<u8> {
    let change = [numbered(1, 1), field(2, &field(1, value))].concat();
    field(3, &[field(13, b"lab_x.a"), field(9, &change)].concat())
}

/// A plan file with these fields of a plan, and with these entries in its archive.
fn archive(fields: &[u8], entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let plan = [&numbered(1, 3)[..], &field(14, b"1.9.0"), fields].concat();
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    let plan = [("tfplan".to_owned(), plan)];
    for (name, contents) in plan.iter().chain(entries) {
        writer.start_file(name.as_str(), options).unwrap();
        writer.write_all(contents).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A plan file that updates a list. All of its elements are individually marked as sensitive.
pub(super) fn masked_plan_file(n: u32) -> Vec<u8> {
    let list = [
        &[0x81, 0xa1, b'l', 0xdd][..],
        &n.to_be_bytes(),
        &vec![0xc0; n as usize],
    ]
    .concat();
    let path = |index: u32| {
        let index = [&[0xce][..], &index.to_be_bytes()].concat();
        let steps = [
            field(1, &field(1, b"l")),
            field(1, &field(2, &field(1, &index))),
        ];
        field(4, &steps.concat())
    };
    let paths: Vec<u8> = (0..n).flat_map(path).collect();
    let change = [&numbered(1, 1)[..], &field(2, &field(1, &list)), &paths].concat();
    let change = [field(13, b"lab_x.a"), field(9, &change)].concat();
    archive(&field(3, &change), &[])
}

/// Plan files with contents that ask for a lot of time or memory.
pub(super) fn plan_files(n: usize) -> Vec<(&'static str, Vec<u8>)> {
    let sources: Vec<_> = (0..4)
        .map(|i| (format!("tfconfig/m-/main{i}.tf"), vec![b' '; 1 << 20]))
        .collect();
    let text = |text: String| vec![("tfconfig/m-/main.tf".to_owned(), text.into_bytes())];
    let nested = format!("x = {}", deep(n, "[", "1", "]"));
    // An array that claims four billion elements, in one with the same claim.
    let lengths = [0xdd, 0xff, 0xff, 0xff, 0xff].repeat(1000);
    let entries: Vec<_> = (0..n).map(|i| (format!("e{i}"), Vec::new())).collect();
    vec![
        ("changes.tfplan", archive(&field(3, b"").repeat(n), &[])),
        ("outputs.tfplan", archive(&field(4, b"").repeat(n), &[])),
        ("sources.tfplan", archive(b"", &sources)),
        ("nested.tfplan", archive(b"", &text(nested))),
        (
            "blocks.tfplan",
            archive(b"", &text("resource \"lab_x\" \"a\" {\n".repeat(n))),
        ),
        ("heredoc.tfplan", archive(b"", &text("x = <<E\n".repeat(n)))),
        (
            "template.tfplan",
            archive(b"", &text(format!("x = \"{}\"", "${\"".repeat(n)))),
        ),
        ("lengths.tfplan", archive(&changed(&lengths), &[])),
        ("entries.tfplan", archive(b"", &entries)),
        ("masks.tfplan", masked_plan_file(u32::try_from(n).unwrap())),
    ]
}
