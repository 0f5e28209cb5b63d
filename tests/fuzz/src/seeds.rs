//! The seeds of the targets: the project's own fixtures, files made here, and the acceptance corpus if it is present.

mod cut;
mod shapes;

use std::fs;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use super::made;

/// Maximum size of a seed in bytes: each seed is read many times.
const MAX_BYTES: u64 = 24 * 1024;

/// The seeds of a target.
pub fn of(target: &str) -> Vec<Vec<u8>> {
    let texts: &[&str] = match target {
        "read" | "commands" => return whole_files(),
        "plan" => {
            let packed = below("../shared/corpus");
            let packed = packed.iter().filter_map(|file| fs::read(file).ok());
            let packed = packed.chain([made::plan_file()]);
            return packed.filter_map(|file| plan(&file)).collect();
        }
        "json" => &[
            r#"{"a": [1, -0.5e+3, "b\u00e9\ud83d\ude00\n", true, null, {}], "a": 9007199254740993}"#,
            "[[[[]]],1e400,\"\\ud800\"]",
        ],
        "path" => &[
            r#"root.tags["a.b"][0].c"#,
            r#"a["b\"c"].**.d[*]"#,
            "[0][1].x",
            ".a..b",
            r"data\.x.y[-1]",
        ],
        "urn" => &[
            "urn:pulumi:prod::shop::my:Db$aws:rds/instance:Instance::orders-db",
            "urn:pulumi:a::b::pulumi:providers:aws::default_6_0_0::04da6b54-80e4-46f7-96ec-b56ff0331ba9",
            "urn:pulumi:s::p::t::n::m::a",
        ],
        "address" => &[
            r#"module.a["x\"y"].module.b[0].data.aws_ami.c["${d}"]"#,
            r#"module.m.provider["registry.terraform.io/hashicorp/aws"].west"#,
            "registry.opentofu.org/a/b",
            r#"aws_instance.web["\u00e9$${x}%%{y}"]"#,
        ],
        "wire" => &[
            r#"{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":{"a":[1]}}"#,
            r#"{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"v1:AAAA:BBBB"}"#,
            r#"{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","hash":"h","text":"t"}"#,
            r#"{"4dabf18193072939515e22adb298388d":"0def7320c3a5731c473e5ecbe6d01bc7","hash":"h","assets":{"a":{}}}"#,
            r#"{"4dabf18193072939515e22adb298388d":"5cf8f73096256a8f31e491e813e4eb8e","urn":"urn:pulumi:a::b::c::d","id":""}"#,
            r#"{"4dabf18193072939515e22adb298388d":"d0e6a833031e9bbcd3f4e8bde6ca49a4","value":1,"secret":true,"dependencies":["u"]}"#,
            r#"["04da6b54-80e4-46f7-96ec-b56ff0331ba9"]"#,
        ],
        "secrets" => &[
            r#"{"serial":1,"lineage":"l","meta":{"key_provider.pbkdf2.a":"eyJzYWx0IjoiQUFBQSIsIml0ZXJhdGlvbnMiOjEsImhhc2hfZnVuY3Rpb24iOiJzaGE1MTIiLCJrZXlfbGVuZ3RoIjozMn0="},"encrypted_data":"AAAA","encryption_version":"v0"}"#,
            "key_provider \"pbkdf2\" \"a\" {\n  passphrase = \"a long enough passphrase\"\n}\nmethod \"aes_gcm\" \"m\" { keys = key_provider.pbkdf2.a }\nstate { method = method.aes_gcm.m }\n",
        ],
        "hcl" => &[
            "resource \"a_b\" \"c\" {\n  for_each = { for k, v in var.m : k => v if v.ok }\n  name = \"kraken-${a_b.d[\"k\"].id}-$${y}\\u00e9\"\n  lifecycle {\n    ignore_changes = [name]\n  }\n}\n",
            "locals {\n  text = <<-EOT\n    kraken ${var.a ? 1.5e3 : -2}\n    %{ for x in [1, 2] ~} ${x} %{ endfor }\n  EOT\n  f = provider::x::f(data.a.b.*.c, each.value...) # end\n}\n",
            r#"{"resource": {"a_b": {"c": [{"name": "${a_b.d.id}", "count": 1}]}}, "variable": {"v": {"sensitive": true, "default": "\u00e9"}}}"#,
            "provider \"registry.terraform.io/hashicorp/aws\" {\n  version     = \"5.1.0\"\n  constraints = \">= 5.0.0\"\n  hashes = [\n    \"h1:AAAA=\",\n  ]\n}\n",
        ],
        "msgpack" => return msgpack(),
        "masking" => return secret_texts(),
        _ => &[],
    };
    let made = match target {
        "wire" => shapes::archives(),
        "secrets" => shapes::encrypted(),
        _ => Vec::new(),
    };
    let texts = texts.iter().map(|text| text.as_bytes().to_vec());
    texts
        .chain(made.into_iter().map(String::into_bytes))
        .collect()
}

/// The cases of secrets in texts, and their near misses.
fn secret_texts() -> Vec<Vec<u8>> {
    let cases = include_str!("../../secrets/texts.toml").lines();
    let cases =
        cases.filter_map(|line| serde_json::from_str::<String>(line.split_once(" = ")?.1).ok());
    let places = include_str!("../../secrets/places.txt").lines();
    let places = places.map(|line| line.replace("{S}", "q9w8e7r6T"));
    let near = include_str!("../../secrets/near.txt")
        .lines()
        .map(str::to_owned);
    let all = cases.chain(places).chain(near);
    all.map(|text| text.replace('·', "").into_bytes()).collect()
}

/// Files of every kind, whole, packed and cut off.
fn whole_files() -> Vec<Vec<u8>> {
    let read = |paths: Vec<PathBuf>| -> Vec<Vec<u8>> {
        let contents = paths.iter().filter_map(|file| fs::read(file).ok());
        contents.collect()
    };
    let mut files = read(below("tests/corpus"));
    let made = [
        shapes::archived_states(),
        shapes::steps(),
        shapes::changes(),
        shapes::encrypted(),
    ];
    files.extend(made.concat().into_iter().map(String::into_bytes));
    for text in [shapes::steps(), shapes::changes()]
        .iter()
        .flatten()
        .take(2)
    {
        files.extend(made::packed(text).into_iter().map(|(_, packed)| packed));
    }
    files.push(made::plan_file());
    let cut: Vec<_> = files.iter().flat_map(|file| cut::pieces(file)).collect();
    files.extend(cut);
    files.extend(read(below("../shared/corpus")));
    files
}

/// Files of the forms that a file may be compared with.
pub fn to_compare_with() -> Vec<Vec<u8>> {
    let mut files: Vec<_> = [
        shapes::steps(),
        shapes::changes(),
        shapes::archived_states(),
    ]
    .into_iter()
    .filter_map(|files| files.into_iter().next())
    .map(String::into_bytes)
    .collect();
    files.push(made::plan_file());
    let own = below("tests/corpus").into_iter();
    let own = own.filter(|file| file.ends_with("tfstate/shop.tfstate"));
    files.extend(own.filter_map(|file| fs::read(file).ok()));
    files
}

/// The schemas of the providers of the seeds.
pub fn schemas() -> String {
    shapes::schemas()
}

/// Inputs as the target expects them: a type in JSON, a zero, and a value of the type.
fn msgpack() -> Vec<Vec<u8>> {
    let values: &[(&str, &[u8])] = &[
        ("\"string\"", b"\xa3abc"),
        ("\"number\"", b"\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a"),
        ("\"number\"", b"\xb5123456789012345678901"),
        ("[\"list\",\"bool\"]", b"\x93\xc3\xc2\xc0"),
        ("[\"set\",\"string\"]", b"\x92\xa1a\xd4\x00\x00"),
        (
            "[\"map\",\"dynamic\"]",
            b"\x81\xa1k\x92\xc4\x08\"string\"\xa1v",
        ),
        (
            "[\"object\",{\"a\":\"string\",\"b\":[\"tuple\",[\"number\"]]}]",
            b"\x82\xa1a\xc0\xa1b\x91\x01",
        ),
        ("\"string\"", b"\xc7\x0b\x0c\x82\x01\xc2\x02\xa6prefix"),
        ("\"number\"", b"\xc7\x08\x0c\x82\x01\xc2\x03\x92\x01\xc3"),
        ("[\"list\",\"string\"]", b"\xc7\x06\x0c\x82\x01\xc2\x05\x02"),
        ("\"dynamic\"", b"\xd4\x00\x00"),
    ];
    values
        .iter()
        .map(|(ty, value)| [ty.as_bytes(), b"\0", value].concat())
        .collect()
}

/// The message in a plan file.
fn plan(file: &[u8]) -> Option<Vec<u8>> {
    let mut archive = zip::ZipArchive::new(Cursor::new(file)).ok()?;
    let mut plan = Vec::new();
    archive
        .by_name("tfplan")
        .ok()?
        .read_to_end(&mut plan)
        .ok()?;
    Some(plan)
}

/// The files below `folder`, which is below the program's own package.
fn below(folder: &str) -> Vec<PathBuf> {
    // This is compiled in two packages: the program's own, and that of the fuzzer below it.
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = if package.ends_with("tests/fuzz") {
        package.join("../..")
    } else {
        package.to_owned()
    };
    let mut files = Vec::new();
    collect(&root.join(folder), &mut files);
    files.sort();
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if entry
            .metadata()
            .is_ok_and(|metadata| metadata.len() <= MAX_BYTES)
        {
            files.push(path);
        }
    }
}
