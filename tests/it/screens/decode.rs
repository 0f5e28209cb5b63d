//! Packed strings on rows, and the type of a value.

use base64::Engine;

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);

/// A state with one resource, whose outputs are strings with encoded contents.
const STATE: &str = r#"{"version":3,"deployment":{"manifest":{},"resources":[
    {"urn":"urn:pulumi:dev::app::aws:ec2/instance:Instance::box","custom":true,"type":"aws:ec2/instance:Instance","id":"i-1","outputs":{
        "policy":"eyJhIjogWzEsIHsiaW5uZXIiOiAiSlRCM0pUUXhKVGRFIn1dfQ==",
        "password":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"\"eyJ1c2VyIjoiYWRtaW4ifQ==\""},
        "later":"04da6b54-80e4-46f7-96ec-b56ff0331ba9",
        "size":5,"tags":{"a":"x","n":1}}}]}}"#;

/// The explorer on the output in this row.
fn on_output(row: usize) -> Session {
    let mut session = Session::open_bytes("app.json", STATE.as_bytes(), WIDE);
    session.keys("gubox<Enter><Tab>");
    session.keys(&"j".repeat(row));
    session
}

#[test]
fn a_packed_string_is_its_text_until_it_is_opened() {
    let mut session = on_output(0);
    session
        .shows("String · c copy path")
        .shows("▸ policy    base64 \"eyJhIjog");
    session
        .keys("l")
        .shows("▾ policy    {} JSON in base64 in a string, 52 B")
        .shows("▸ a  [2]");
    session
        .keys("jl")
        .shows("▸ [1]  {1} inner=\"JTB3JTQxJTdE\"");
    session
        .keys("jjl")
        .keys("j")
        .shows("inner  \"JTB3JTQxJTdE\"")
        .shows("› inside a[1].inner");
    session.keys("yy");
    assert_eq!(session.copied, ["JTB3JTQxJTdE"]);
    // The row itself stays the string of the file.
    session.keys("kkkkyy").shows("String · c copy path");
    assert!(
        session.copied[1].starts_with("eyJhIjog"),
        "{:?}",
        session.copied
    );
    session.keys("h").hides("inner").shows("base64 \"eyJhIjog");
    // Opening everything opens no packed string.
    session.keys("zR").hides("inner").shows("base64 \"eyJhIjog");
    // In the tree too.
    session.keys("<S-Tab>l").keys("jl").shows("JSON in base64");
}

#[test]
fn a_string_that_cannot_be_unpacked_stays_as_it_is() {
    let mut session = with_outputs(["H4sIAAAAbroken".to_owned()].iter().map(|it| json(it)));
    session
        .shows("▸ o0  gzip \"H4sIAAAAbroken\"")
        .keys("l")
        .shows("  o0  \"H4sIAAAAbroken\"");
}

#[test]
fn what_is_packed_in_a_secret_is_secret_until_it_is_revealed() {
    let mut session = on_output(1);
    session
        .shows("[secret]")
        .keys("l")
        .hides("admin")
        .hides("JSON");
    session
        .keys("x")
        .shows("Reveal a secret?")
        .keys("n")
        .hides("admin");
    session
        .keys("xyl")
        .shows("JSON in base64")
        .shows("user  \"admin\"");
    session.keys("j").shows("admin");
    session.keys("X").hides("admin").keys("xy").shows("admin");
    session.keys("<wait>").hides("admin").shows("hidden again");
}

/// Strings with a password that has the form of a secret in them: in JSON in base64, and in a script in base64.
#[test]
fn a_likely_secret_in_a_packed_string_is_masked_until_it_is_revealed() {
    let url = "postgres://app:hunter2@db.example.com/orders";
    let texts = [
        format!(r#"{{"url":"{url}","size":1}}"#),
        format!("#!/bin/sh\nrun {url}\n"),
    ];
    let encode = |text: &String| base64::engine::general_purpose::STANDARD.encode(text);
    let mut session = with_outputs(texts.iter().map(|text| json(&encode(text))));
    session
        .keys("lj")
        .shows("url   \"postgres://app:[likely secret]@db.e")
        .shows("size  1")
        .hides("hunter2");
    session.keys("yy").hides("hunter2");
    assert!(session.copied.is_empty(), "{:?}", session.copied);
    session
        .keys("xy")
        .shows("app:hunter2@db")
        .keys("X")
        .hides("hunter2");
    session
        .keys("jjlj")
        .shows("text  <text> 3 lines")
        .hides("hunter2");
    session
        .keys("xyo")
        .shows(url)
        .keys("<Esc>j")
        .hides("hunter2");
}

/// A plan that changes a script, a document and a certificate, each packed, and one that is only packed in another way.
#[test]
fn the_difference_of_packed_strings_is_that_of_their_contents() {
    let encode = |text: &str| base64::engine::general_purpose::STANDARD.encode(text);
    let script = |line: &str| encode(&format!("#!/bin/sh\nset -e\n{line}\n"));
    let url = "https://app:hunter2@example.com/";
    let policy = |n: u8| encode(&format!(r#"{{"Statement": [{{"Action": "s3:Get{n}"}}]}}"#));
    let wrapped = {
        let text = script("same");
        format!("{}\n{}", &text[..8], &text[8..])
    };
    let plan = serde_json::json!({"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [
        {"address": "a_b.one", "mode": "managed", "type": "a_b", "name": "one", "provider_name": "p", "change": {
            "actions": ["update"], "after_unknown": {},
            "before": {"policy": policy(1), "script": script("run one"), "wrapped": script("same")},
            "after": {"policy": policy(2), "script": script("run two"), "wrapped": wrapped, "start": script(url)}}}]});
    let mut session = Session::open_bytes("plan.json", plan.to_string().as_bytes(), WIDE);
    session
        .keys("2<wait>")
        .shows("policy   JSON in base64 in a string")
        .shows("Action  \"s3:Get1\" → \"s3:Get2\"")
        .shows("script   base64 in a string")
        .shows("run one")
        .shows("run two")
        .hides("hunter2")
        .shows("https://app:[likely secret]@example.com/");
    // A string that is only packed in another way still shows that it changes.
    session.shows("wrapped  <text> 1 line → <text> 2 lines");
    session.hides("same\"");
}

#[test]
fn types_and_their_shapes_are_shown() {
    let mut session = on_output(3);
    session.shows("Number · c copy path");
    session.keys("T").shows("Type of size").shows("inferred");
    session.shows("Input<Number>").shows("Output<Number>");
    session.keys("<Esc>k").shows("Output<");
    session.keys("k").shows("Output<String>").hides("admin");
    let mut session = on_output(4);
    session.shows("Object<\"a\", String, \"n\", Number> · c copy");
    session
        .keys("T")
        .shows("Input<Object<\"a\", Input<String>, \"n\", Input<Number>>>");
}

#[test]
fn a_value_of_another_type_than_before_the_change_says_where() {
    let text = r#"{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[
      {"address":"lab_rack.a","mode":"managed","type":"lab_rack","name":"a","provider_name":"example.com/acme/lab",
       "change":{"actions":["update"],"before":{"tags":{"n":1,"gone":"x"},"same":"x"},"after":{"tags":{"n":"1","extra":"x"},"same":"y"}}}]}"#;
    let mut session = Session::open_bytes("plan.json", text.as_bytes(), WIDE);
    session.keys("2<Tab>").keys("T");
    session
        .shows("beside the value before the change")
        .shows("of the same type");
    session.keys("<Esc>j").keys("T");
    session
        .shows("expected Number, found string at n")
        .shows("unexpected key \"extra\"")
        .shows("missing key \"gone\"");
}

/// A string of an output, and what it holds.
struct Packed {
    /// The value of an output, as written in the file.
    stored: String,
    /// The formats.
    format: &'static str,
    /// Texts that are on the screen while it is open.
    shown: &'static [&'static str],
}

/// A string of each form.
fn strings() -> Vec<Packed> {
    let encode = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let unpadded = |text: &str| {
        let engine = base64::engine::general_purpose::URL_SAFE_NO_PAD;
        engine.encode(text)
    };
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, br#"{"packed":[1,2]}"#).unwrap();
    let gzip = encode(&gzip.finish().unwrap());
    let token = [
        unpadded(r#"{"alg":"RS256"}"#),
        unpadded(r#"{"sub":"builder"}"#),
        "c2lnbg".to_owned(),
    ];
    let packed = |stored: &str, format, shown| Packed {
        stored: stored.to_owned(),
        format,
        shown,
    };
    vec![
        packed(r#"{"effect":"Allow"}"#, "JSON", &["effect", "\"Allow\""]),
        packed(
            "kind: Deployment\nspec:\n  replicas: 3\n",
            "YAML",
            &["kind", "replicas"],
        ),
        packed(
            "c29tZSBwbGFpbiB0ZXh0IGhlcmU=",
            "base64",
            &["some plain text here"],
        ),
        packed(&gzip, "JSON in gzip", &["packed", "[2]"]),
        packed(
            "%7B%22query%22%3A%5B1%5D%7D",
            "JSON in URL-encoding",
            &["query", "[1]"],
        ),
        packed(
            "-----BEGIN PUBLIC KEY-----\nbWFyaWdvbGQ=\n-----END PUBLIC KEY-----\n",
            "PEM",
            &["\"PUBLIC KEY\""],
        ),
        packed(
            &token.join("."),
            "JWT",
            &["RS256", "builder", "not verified"],
        ),
    ]
}

/// The explorer with the cursor on the first of these outputs (JSON each) of a resource.
fn with_outputs(values: impl Iterator<Item = String>) -> Session {
    let outputs = values.enumerate();
    let outputs: Vec<_> = outputs
        .map(|(index, value)| format!("\"o{index}\":{value}"))
        .collect();
    let text = format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{{"urn":"urn:pulumi:d::p::a:b:C::box","custom":true,
        "type":"a:b:C","id":"1","outputs":{{{}}}}}]}}}}"#,
        outputs.join(",")
    );
    let mut session = Session::open_bytes("app.json", text.as_bytes(), WIDE);
    session.keys("gubox<Enter><Tab>");
    session
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[test]
fn each_form_is_recognized_and_opened() {
    let mut strings = strings();
    // A token is a likely secret.
    strings.retain(|string| string.format != "JWT");
    let mut session = with_outputs(strings.iter().map(|string| json(&string.stored)));
    for string in &strings {
        session
            .keys("l")
            .shows(&format!("{} in a string", string.format));
        for text in string.shown {
            session.shows(text);
        }
        session.hides("marigold").keys("hj");
    }
}

#[test]
fn each_form_stays_secret_where_the_string_is() {
    const SIGNED: &str =
        r#""4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","plaintext":"#;
    let strings = strings();
    let mut session = with_outputs(strings.iter().map(|string| {
        let plaintext = json(&json(&string.stored));
        format!("{{{SIGNED}{plaintext}}}")
    }));
    for string in &strings {
        session.keys("l").shows("[secret]").hides(" in a string");
        for text in string.shown {
            session.hides(text);
        }
        session
            .keys("xyl")
            .shows(&format!("{} in a string", string.format));
        for text in string.shown {
            session.shows(text);
        }
        session.keys("Xj").hides(" in a string");
    }
}

#[test]
fn a_provider_is_named_as_people_write_it_and_a_strange_host_is_told() {
    // The second letter of the first host is Cyrillic.
    let text = r#"{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"l","outputs":{},"resources":[
      {"mode":"managed","type":"lab_rack","name":"a","provider":"provider[\"r\u0435gistry.terraform.io/hashicorp/lab\"]",
       "instances":[{"attributes":{"id":"1"}}]},
      {"mode":"managed","type":"lab_rack","name":"b","provider":"provider[\"registry.terraform.io/hashicorp/lab\"]",
       "instances":[{"attributes":{"id":"2"}}]}]}"#;
    let mut session = Session::open_bytes("terraform.tfstate", text.as_bytes(), (150, 40));
    session.keys("gulab_rack.a<Enter>");
    session.shows("host xn--rgistry-7gg.terraform");
    session.keys("gulab_rack.b<Enter>").hides("host xn--");
    session.keys("gP");
    session
        .shows("1 resource of this provider")
        .hides("host xn--");
    session
        .keys("j")
        .shows("1 resource of this provider · host xn--rgistry-7gg.terraform");
}
