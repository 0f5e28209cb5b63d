//! Decoding strings, and the type of a value.

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
fn decoders_are_chained_from_the_tree_of_the_last() {
    let mut session = on_output(0);
    session.shows("String · c copy path");
    session
        .keys("e")
        .shows("Decode policy as")
        .shows("▶ base64        detected");
    session
        .keys("<Enter>")
        .shows("policy › base64")
        .shows("JSON in a string")
        .shows("e decode further")
        .hides("decode further  x reveal");
    session
        .keys("e")
        .shows("▶ JSON          detected")
        .keys("<Enter>");
    session
        .shows("policy › base64 › JSON")
        .shows("JTB3JTQxJTdE");
    session.keys("G").keys("<Enter>").shows("Decode inner as");
    session.keys("<Enter>").shows("› base64").shows("%0w%41%7D");
    session.keys("<Esc>").shows("policy › base64 › JSON");
    session.keys("<Esc><Esc><Esc>").hides("›").shows("aws:ec2");
}

#[test]
fn what_does_not_fit_says_so_and_stays() {
    let mut session = on_output(0);
    session
        .keys("ej<Enter>")
        .shows("not JSON: expected")
        .shows("Decode policy as");
    session.keys("<Esc>").hides("Decode policy as");
    let mut session = on_output(3);
    session.keys("e").shows("only strings are decoded");
}

#[test]
fn what_is_decoded_from_a_secret_is_secret_until_it_is_revealed() {
    let mut session = on_output(1);
    session
        .keys("e")
        .shows("secrets are not inspected in advance")
        .hides("detected");
    // JSON, PEM, JWT, gzip, base64.
    session.keys("jjjj<Enter>");
    session
        .shows("password › base64 · secret")
        .shows("[secret]")
        .shows("decode further  x reveal")
        .hides("admin");
    session
        .keys("e<Enter>")
        .shows("› base64 › JSON · secret")
        .hides("admin");
    session
        .keys("<Enter>")
        .shows("Reveal a secret?")
        .keys("n")
        .hides("admin");
    session.keys("xy").shows("secret, revealed").shows("admin");
    session.keys("X").hides("admin").keys("xy").shows("admin");
    session.keys("<wait>").hides("admin").shows("hidden again");
}

#[test]
fn what_is_not_known_yet_stays_so() {
    let mut session = on_output(2);
    session.keys("e").hides("detected").keys("<Enter>");
    session.shows("later › JSON").shows("output<");
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

/// The expected result of a decoder.
struct Decoded {
    /// The value of an output, as written in the file.
    stored: String,
    /// The decoder that is offered first.
    offered: &'static str,
    /// Texts that are then on the screen.
    shown: &'static [&'static str],
}

/// A string of each form.
fn strings() -> Vec<Decoded> {
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
    let decoded = |stored: &str, offered, shown| Decoded {
        stored: stored.to_owned(),
        offered,
        shown,
    };
    vec![
        decoded(r#"{"effect":"Allow"}"#, "JSON", &["effect", "\"Allow\""]),
        decoded(
            "kind: Deployment\nspec:\n  replicas: 3\n",
            "YAML",
            &["kind", "replicas"],
        ),
        decoded(
            "c29tZSBwbGFpbiB0ZXh0IGhlcmU=",
            "base64",
            &["some plain text here"],
        ),
        decoded(&gzip, "gzip", &["JSON in a string", "packed"]),
        decoded(
            "%7B%22query%22%3A%5B1%5D%7D",
            "URL-encoding",
            &["JSON in a string", "query"],
        ),
        decoded(
            "-----BEGIN PUBLIC KEY-----\nbWFyaWdvbGQ=\n-----END PUBLIC KEY-----\n",
            "PEM",
            &["\"PUBLIC KEY\""],
        ),
        decoded(
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
fn each_form_is_recognized_and_decoded() {
    let mut strings = strings();
    // A token is a likely secret, and secrets are not inspected in advance.
    strings.retain(|string| string.offered != "JWT");
    let mut session = with_outputs(strings.iter().map(|string| json(&string.stored)));
    for string in &strings {
        session
            .keys("e")
            .shows(&format!("▶ {:<14}detected", string.offered))
            .keys("<Enter>")
            .shows(&format!("› {}", string.offered));
        for text in string.shown {
            session.shows(text);
        }
        session.hides("marigold").keys("<Esc>j");
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
    for (index, string) in strings.iter().enumerate() {
        let order = [
            "JSON",
            "PEM",
            "JWT",
            "gzip",
            "base64",
            "URL-encoding",
            "YAML",
        ];
        let n_down = order.iter().position(|name| *name == string.offered);
        session
            .keys("e")
            .hides("detected")
            .keys(&"j".repeat(n_down.unwrap()))
            .keys("<Enter>")
            .shows(&format!("o{index} › {} · secret", string.offered))
            .shows("[secret]");
        for text in string.shown {
            session.hides(text);
        }
        session.keys("<Esc>j");
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
