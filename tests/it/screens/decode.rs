//! What a string holds, and of which type a value is.

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);

/// A state with one resource, whose outputs are strings that hold more than text.
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
    session.shows("String · c copies this path");
    session
        .keys("e")
        .shows("Decode policy as")
        .shows("▶ base64        looks like it");
    session
        .keys("<Enter>")
        .shows("policy › base64")
        .shows("JSON in a string");
    session
        .keys("e")
        .shows("▶ JSON          looks like it")
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
        .shows("a secret is not looked at before")
        .hides("looks like it");
    // JSON, PEM, JWT, gzip, base64.
    session.keys("jjjj<Enter>");
    session
        .shows("password › base64 · secret")
        .shows("[secret]")
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
    session.keys("e").hides("looks like it").keys("<Enter>");
    session.shows("later › JSON").shows("output<");
}

#[test]
fn types_and_their_shapes_are_shown() {
    let mut session = on_output(3);
    session.shows("Number · c copies this path");
    session.keys("T").shows("Type of size").shows("inferred");
    session.shows("Input<Number>").shows("Output<Number>");
    session.keys("<Esc>k").shows("Output<");
    session.keys("k").shows("Output<String>").hides("admin");
    let mut session = on_output(4);
    session.shows("Object<a: String, n: Number> · c copies");
    session
        .keys("T")
        .shows("Input<Object<a: Input<String>, n: Input<Number>>>");
}
