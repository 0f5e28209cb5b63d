//! Files that no fixture holds, made as text: archives in archives, many steps of one resource, headers of encrypted files.

use std::fmt::Write as _;

const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";
const ARCHIVE: &str = "0def7320c3a5731c473e5ecbe6d01bc7";
const ASSET: &str = "c44067f5952c0a294b673a41bacd8c17";
const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";

/// Depths of nesting: shallow, deep, and too deep to be read.
const DEPTHS: [usize; 5] = [1, 3, 24, 120, 600];

/// An archive in an archive, `depth` times, with a text asset in the innermost and beside each.
fn nested_archive(depth: usize) -> String {
    let asset = format!(r#"{{"{SIGNATURE}":"{ASSET}","hash":"h","text":"t"}}"#);
    let mut inner = asset.clone();
    for level in 0..depth {
        inner = format!(
            r#"{{"{SIGNATURE}":"{ARCHIVE}","hash":"h{level}","assets":{{"a":{inner},"b":{asset}}}}}"#
        );
    }
    inner
}

/// Archives that nest, some of them in a secret or a list: values of Pulumi.
pub(super) fn archives() -> Vec<String> {
    let nested = DEPTHS.iter().map(|depth| nested_archive(*depth));
    let inner = nested_archive(2);
    let more = [
        format!(r#"{{"{SIGNATURE}":"{SECRET}","value":{inner}}}"#),
        format!(r#"[{inner},{{"a":{inner}}}]"#),
        format!(r#"{{"{SIGNATURE}":"{ARCHIVE}","assets":{{"a":[{inner}],"b":1,"c":null}}}}"#),
        format!(r#"{{"{SIGNATURE}":"{ARCHIVE}","path":"./x","uri":"https://h/x"}}"#),
    ];
    nested.chain(more).collect()
}

/// A deployment with this value in the inputs and outputs of its one resource.
fn deployment(value: &str) -> String {
    format!(
        r#"{{"version":3,"deployment":{{"resources":[{{"urn":"urn:pulumi:s::p::a:b:C::c","type":"a:b:C","custom":true,"id":"i",
        "inputs":{{"code":{value}}},"outputs":{{"code":{value},"token":{{"{SIGNATURE}":"{SECRET}","plaintext":"\"amaranth-91\""}}}}}}]}}}}"#
    )
}

/// States of Pulumi whose values are [`archives`].
pub(super) fn archived_states() -> Vec<String> {
    archives().iter().map(|value| deployment(value)).collect()
}

/// The steps of one resource, in orders that engines give and in some that they do not.
const RUNS: &[&[&str]] = &[
    &["create-replacement", "replace", "delete-replaced"],
    &["delete-replaced", "replace", "create-replacement"],
    &["delete-replaced", "delete-replaced", "create-replacement"],
    &["replace"],
    &["import", "update"],
    &["import-replacement", "delete-replaced"],
    &["read-replacement", "replace", "delete-replaced"],
    &["discard", "discard-replaced"],
    &["refresh", "update"],
    &["refresh", "delete"],
    &["refresh", "refresh"],
    &["remove-pending-replace", "create"],
    &["same", "same", "diff"],
    &["", "no such step"],
];

const URN: &str = "urn:pulumi:dev::shop::acme:db/server:Server::main";

/// One state of the resource; its password is a secret.
fn state(size: usize) -> String {
    let secret = format!(r#"{{"{SIGNATURE}":"{SECRET}","plaintext":"\"amaranth-{size}1\""}}"#);
    format!(
        r#"{{"urn":"{URN}","custom":true,"type":"acme:db/server:Server","id":"db-{size}","inputs":{{"size":{size},"password":{secret}}},
        "outputs":{{"size":{size},"password":{secret}}}}}"#
    )
    .replace('\n', "")
}

/// `op`, with the states that such a step has.
fn step(op: &str, n: usize) -> String {
    let (old, new) = (state(n), state(n + 1));
    let rest = r#""diffReasons":["size"],"replaceReasons":["size"],"detailedDiff":{"size":{"kind":"update-replace","inputDiff":true}}"#;
    match op {
        "create" | "import" => format!(r#""op":"{op}","urn":"{URN}","newState":{new},{rest}"#),
        "delete" | "delete-replaced" | "discard" => {
            format!(r#""op":"{op}","urn":"{URN}","oldState":{old},{rest}"#)
        }
        _ => format!(r#""op":"{op}","urn":"{URN}","oldState":{old},"newState":{new},{rest}"#),
    }
}

/// Previews and logs of Pulumi with several steps of one URN.
pub(super) fn steps() -> Vec<String> {
    let mut made = Vec::new();
    for run in RUNS {
        let steps: Vec<String> = run.iter().enumerate().map(|(n, op)| step(op, n)).collect();
        let list: Vec<String> = steps.iter().map(|step| format!("{{{step}}}")).collect();
        made.push(format!(
            r#"{{"config":{{}},"steps":[{}],"changeSummary":{{"replace":1}}}}"#,
            list.join(",")
        ));
        let mut log = String::from(
            "{\"sequence\":0,\"timestamp\":1,\"preludeEvent\":{\"config\":{\"shop:pin\":\"[secret]\"}}}\n",
        );
        for (n, step) in steps.iter().enumerate() {
            let step = step.replace("\"oldState\"", "\"old\"");
            let step = step.replace("\"newState\"", "\"new\"");
            for event in ["resourcePreEvent", "resOutputsEvent"] {
                // Writing to a string cannot fail.
                _ = writeln!(
                    log,
                    "{{\"sequence\":{n},\"timestamp\":1,\"{event}\":{{\"metadata\":{{{step},\"type\":\"acme:db/server:Server\"}}}}}}"
                );
            }
        }
        log.push_str("{\"sequence\":99,\"timestamp\":2,\"summaryEvent\":{\"resourceChanges\":{\"replace\":1}}}\n");
        made.push(log);
    }
    made
}

/// A plan, and the log of Terraform that made it, in which resources are imported, moved, forgotten and put off.
pub(super) fn changes() -> Vec<String> {
    let of = |name: &str, more: &str, change: &str| {
        format!(
            r#"{{"address":"acme_disk.{name}","mode":"managed","type":"acme_disk","name":"{name}",
            "provider_name":"registry.terraform.io/hashicorp/acme"{more},"change":{{{change},"after_unknown":{{"at":true}},
            "before_sensitive":{{"key":true}},"after_sensitive":{{"key":true}}}}}}"#
        )
    };
    let before = r#""before":{"id":"d1","size":1,"key":"amaranth-11"}"#;
    let after = r#""after":{"id":"d1","size":2,"key":"amaranth-21"}"#;
    let update = format!(r#""actions":["update"],{before},{after}"#);
    let import = format!(r#"{update},"importing":{{"id":"d1","identity":{{"n":1}}}}"#);
    let forget = format!(r#""actions":["forget"],{before},"after":null"#);
    let create = format!(r#""actions":["create"],"before":null,{after}"#);
    let replace = format!(
        r#""actions":["create","delete"],{before},{after},"replace_paths":[["size"],["no",0,"such"]]"#
    );
    let moved = r#","previous_address":"acme_disk.former""#;
    let plan = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.14.0","resource_changes":[{},{},{},{},{}],
        "deferred_changes":[{{"reason":"instance_count_unknown","resource_change":{}}}],
        "resource_drift":[{}],"output_changes":{{"o":{{"actions":["update"],"before":1,"after":2,"before_sensitive":true}}}}}}"#,
        of("imported", "", &import),
        of("moved", moved, &update),
        of("both", moved, &import),
        of("forgotten", "", &forget),
        of("replaced", r#","deposed":"00000001""#, &replace),
        of("later", "", &create),
        of("moved", "", &update),
    );
    let resource = r#""resource":{"addr":"acme_disk.a","module":"","resource":"acme_disk.a","resource_type":"acme_disk","resource_name":"a","resource_key":null}"#;
    let former = resource.replace("\"resource\":{", "\"previous_resource\":{");
    let line = |ty: &str, rest: &str| {
        format!("{{\"@level\":\"info\",\"@message\":\"m\",\"type\":\"{ty}\",{rest}}}\n")
    };
    let log = [
        line("version", r#""terraform":"1.14.0","ui":"1.2""#),
        line(
            "planned_change",
            &format!(r#""change":{{{resource},{former},"action":"move"}}"#),
        ),
        line(
            "planned_change",
            &format!(r#""change":{{{resource},"action":"import","importing":{{"id":"d1"}}}}"#),
        ),
        line(
            "resource_drift",
            &format!(r#""change":{{{resource},"action":"update"}}"#),
        ),
        line(
            "change_summary",
            r#""changes":{"add":0,"change":1,"import":1,"remove":0,"operation":"plan"}"#,
        ),
    ];
    vec![plan.replace('\n', ""), log.concat()]
}

/// The readable parts of encrypted files: envelopes of OpenTofu, and salts of Pulumi.
pub(super) fn encrypted() -> Vec<String> {
    // {"salt":"c2FsdCEh","iterations":50,"hash_function":"sha512","key_length":32}
    let pbkdf2 = "eyJzYWx0IjoiYzJGc2RDRWgiLCJpdGVyYXRpb25zIjo1MCwiaGFzaF9mdW5jdGlvbiI6InNoYTUxMiIsImtleV9sZW5ndGgiOjMyfQ==";
    // {"magic":"Hello world!"}
    let fixed = "eyJtYWdpYyI6IkhlbGxvIHdvcmxkISJ9";
    let data = "A".repeat(64);
    let envelope = |meta: &str| {
        format!(
            r#"{{"serial":1,"lineage":"l","meta":{{{meta}}},"encrypted_data":"{data}","encryption_version":"v0"}}"#
        )
    };
    let provider = |name: &str, meta: &str| format!(r#""key_provider.{name}.k":"{meta}""#);
    let chain = [provider("pbkdf2", pbkdf2), provider("aws_kms", fixed)].join(",");
    let managed = |ty: &str, state: &str| {
        deployment("1").replace(
            "\"resources\"",
            &format!(r#""secrets_providers":{{"type":"{ty}","state":{state}}},"resources""#),
        )
    };
    vec![
        envelope(&provider("pbkdf2", pbkdf2)),
        envelope(&provider("static", fixed)),
        envelope(&provider("gcp_kms", fixed)),
        envelope(&chain),
        envelope(""),
        managed(
            "passphrase",
            r#"{"salt":"v1:AAAAAAAAAAA=:v1:AAAAAAAAAAAAAAAA:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}"#,
        ),
        managed(
            "service",
            r#"{"url":"https://h","owner":"o","project":"p"}"#,
        ),
        managed("cloud", r#"{"url":"awskms://k","encryptedkey":"AAAA"}"#),
    ]
}

/// The schemas of the providers of our fixtures, as `terraform providers schema -json` prints them.
pub(super) fn schemas() -> String {
    let nested = r#""nested":{"nested_type":{"nesting_mode":"set","attributes":{"key":{"type":"string","sensitive":true},"name":{"type":"string"}}}}"#;
    let block = format!(
        r#"{{"version":0,"block":{{"attributes":{{"id":{{"type":"string","computed":true}},"name":{{"type":"string","required":true}},
        "size":{{"type":"number","optional":true,"computed":true}},"key":{{"type":"string","optional":true,"sensitive":true}},
        "once":{{"type":"string","optional":true,"write_only":true}},"password":{{"type":"string","optional":true,"sensitive":true}},
        "tags":{{"type":["map","string"],"optional":true}},"any":{{"type":"dynamic","optional":true}},{nested}}},
        "block_types":{{"rule":{{"nesting_mode":"set","block":{{"attributes":{{"port":{{"type":"number"}}}}}}}},
        "one":{{"nesting_mode":"list","max_items":1,"block":{{"attributes":{{"key":{{"type":"string","sensitive":true}}}}}}}}}}}}}}"#
    );
    let provider = |source: &str, types: &[&str]| {
        let blocks: Vec<String> = types.iter().map(|ty| format!("\"{ty}\":{block}")).collect();
        let blocks = blocks.join(",");
        format!(
            r#""{source}":{{"resource_schemas":{{{blocks}}},"data_source_schemas":{{{blocks}}}}}"#
        )
    };
    format!(
        r#"{{"format_version":"1.0","provider_schemas":{{{},{},{}}}}}"#,
        provider("registry.terraform.io/hashicorp/acme", &["acme_disk"]),
        provider("registry.opentofu.org/hashicorp/acme", &["acme_disk"]),
        provider(
            "registry.terraform.io/hashicorp/aws",
            &["aws_instance", "aws_db_instance", "aws_ami"]
        ),
    )
}
