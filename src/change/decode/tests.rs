use super::*;
use crate::likely::Masking;
use crate::value::Text;

/// A self-signed certificate made for this test; nothing uses its key.
const CERTIFICATE: &str = "\
-----BEGIN CERTIFICATE-----
MIIB1zCCAX2gAwIBAgICHy4wCgYIKoZIzj0EAwIwMDEWMBQGA1UECgwNRXhhbXBs
ZSBXb3JrczEWMBQGA1UEAwwNc3RhY2suZXhhbXBsZTAeFw0yNjExMjEwNzQ1MDNa
Fw0zNjExMTgwNzQ1MDNaMDAxFjAUBgNVBAoMDUV4YW1wbGUgV29ya3MxFjAUBgNV
BAMMDXN0YWNrLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR6CA6j
TWtuTqCJ3RHGZF6kh2exYZ9Jz4T+pJ6by3zT0DIUnoAVlphZpSsYFS25+hdkygOP
1qAKDoX1EKp5WLAIo4GGMIGDMB0GA1UdDgQWBBTYWmTA4TAW9/PSApueSEsD+pBl
qzAfBgNVHSMEGDAWgBTYWmTA4TAW9/PSApueSEsD+pBlqzAPBgNVHRMBAf8EBTAD
AQH/MDAGA1UdEQQpMCeCDXN0YWNrLmV4YW1wbGWHBAoAAxGHEP0AAAAAAAAAAAAA
AAAAAAEwCgYIKoZIzj0EAwIDSAAwRQIhAOlc+cXY4qUy5stR9utymkk/g1Yld+61
j6XNOZB8WzWGAiBe85B/0hfUC0c4saSLDfac67gAih3dSAhh5EXvAZrkBA==
-----END CERTIFICATE-----
";

#[track_caller]
fn check(decoder: Decoder, text: &str, want: &str) {
    let value = decoder.decode(&Value::from(text)).expect("decodes");
    assert_eq!(value.to_string(), want);
}

#[track_caller]
fn check_refused(decoder: Decoder, text: &str, want: &str) {
    let err = decoder.decode(&Value::from(text)).expect_err("refused");
    assert_eq!(err.to_string(), want);
}

#[test]
fn decoded_secrets_are_secret() {
    let value = Value::from("eyJhIjogMX0=").with_secret(true);
    let text = Decoder::Base64.decode(&value).unwrap();
    let decoded = Decoder::Json.decode(&text).unwrap();
    assert_eq!(decoded.to_string(), "[secret]");
    assert_eq!(decoded.reveal().to_string(), "{a: 1}");
    let unknown = Value::computed();
    for decoder in Decoder::ALL {
        assert_eq!(decoder.decode(&unknown), Ok(unknown.clone()));
    }
}

#[test]
fn properties_are_lines_with_a_key_and_a_value() {
    let form = Decoder::Properties;
    check(
        form,
        "# a server\n\n log.dir = /var/log \nport=80\nurl=http://a/?b=c\n",
        "{log.dir: \"/var/log\", port: \"80\", url: \"http://a/?b=c\"}",
    );
    let refused = "not properties: expected a key, `=` and a value in each line";
    for other in ["a=1\na=2", "[a]\nb=1", "a=1\nrun it", "a=1\nb=2 \\\n3"] {
        check_refused(form, other, refused);
    }
}

#[test]
fn json_is_exact_and_its_errors_have_a_place() {
    check(
        Decoder::Json,
        "[9007199254740993, 0.10]",
        "[9007199254740993, 0.1]",
    );
    check_refused(
        Decoder::Json,
        "{\n\"a\": hunter2}",
        "not JSON: expected a value at line 2, column 6",
    );
    let err = Decoder::Json
        .decode(&Value::from(true))
        .expect_err("no text");
    assert_eq!(
        err.to_string(),
        "expected a string to decode as JSON, found another kind of value"
    );
}

#[test]
fn base64_takes_both_alphabets_and_line_breaks() {
    check(Decoder::Base64, "aGVs\nbG8", "\"hello\"");
    check(Decoder::Base64, "Pz8/", "\"???\"");
    check(Decoder::Base64, "Pz8_", "\"???\"");
    check_refused(
        Decoder::Base64,
        "a b c!",
        "not base64: expected letters and digits of base64",
    );
}

#[test]
fn gzip_is_read_from_base64_and_bounded() {
    check(
        Decoder::Gzip,
        "H4sIAAAAAAACA0u0UjAEAKQLeE8EAAAA",
        "\"a: 1\"",
    );
    let bomb = {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let block = vec![0; 1 << 20];
        for _ in 0..=MAX_DOCUMENT >> 20 {
            encoder.write_all(&block).unwrap();
        }
        Value::from(Text::from(encoder.finish().unwrap()))
    };
    let err = Decoder::Gzip.decode(&bomb).expect_err("a bomb");
    assert_eq!(err, Decoder::Gzip.too_large(MAX_DOCUMENT, "bytes"));
}

#[test]
fn url_encoding_keeps_what_is_not_encoded() {
    check(Decoder::Url, "a%20b+c%3D%zz", "\"a b+c=%zz\"");
    check_refused(
        Decoder::Url,
        "100% sure",
        "not URL-encoding: expected `%` with two hexadecimal digits",
    );
}

#[test]
fn tokens_show_claims_and_no_signature() {
    check(
        Decoder::Jwt,
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZG1pbiIsImV4cCI6MTcwMH0.c2lnbmF0dXJl",
        "{header: {alg: \"HS256\"}, claims: {sub: \"admin\", exp: 1700}, signature: \"not verified\"}",
    );
    check_refused(
        Decoder::Jwt,
        "a.b",
        "not JWT: expected three parts joined by dots",
    );
}

#[test]
fn certificates_are_summarized() {
    check(
        Decoder::Pem,
        CERTIFICATE,
        "{block: \"CERTIFICATE\", subject: \"O=Example Works, CN=stack.example\", \
         issuer: \"O=Example Works, CN=stack.example\", notBefore: \"2026-11-21T07:45:03Z\", notAfter: \"2036-11-18T07:45:03Z\", \
         serial: \"1f2e\", key: \"EC P-256\", signature: \"SHA-256 with ECDSA\", isCa: true, \
         names: [\"dns:stack.example\", \"ip:10.0.3.17\", \"ip:fd00::1\"], \
         sha256: \"7a960039d7aa51dc658186d2e4414fee2e6b3be744a8c55fdcb6d50dfe0c6f76\"}",
    );
}

#[test]
fn keys_stay_inside_their_block() {
    check(
        Decoder::Pem,
        "-----BEGIN PRIVATE KEY-----\naGVsbG8=\n-----END PRIVATE KEY-----\n\
         -----BEGIN RSA PRIVATE KEY-----\nDEK-Info: x\n-----END RSA PRIVATE KEY-----",
        "[{block: \"PRIVATE KEY\", bytes: 5}, {block: \"RSA PRIVATE KEY\", contents: \"not base64\"}]",
    );
    check_refused(
        Decoder::Pem,
        "-----BEGIN X-----\n",
        "not PEM: expected an END line for each BEGIN line",
    );
}

#[test]
fn yaml_follows_the_core_schema() {
    check(
        Decoder::Yaml,
        "a: &x {n: 0x1F, f: -.5e3, s: '1', t: yes, z: ~}\nb: *x\nc:\n  <<: *x\n  n: 007\n? [1, 2]\n: !!str 3\nbig: 9007199254740993",
        "{a: {n: 31, f: -500, s: \"1\", t: \"yes\", z: null}, b: {n: 31, f: -500, s: \"1\", t: \"yes\", z: null}, \
         c: {n: 7, f: -500, s: \"1\", t: \"yes\", z: null}, [1,2]: \"3\", big: 9007199254740993}",
    );
    check(Decoder::Yaml, "---\na: 1\n---\n- b\n", "[{a: 1}, [\"b\"]]");
    check_refused(
        Decoder::Yaml,
        "a: [1",
        "not YAML: expected YAML at line 2, column 1",
    );
}

#[test]
fn yaml_laughs_are_counted() {
    let mut lines = vec!["a0: &a0 [x, x, x, x, x, x, x, x, x, x]".to_owned()];
    for n in 1..9 {
        let alias = format!("*a{}", n - 1);
        let aliases = vec![alias; 10].join(", ");
        lines.push(format!("a{n}: &a{n} [{aliases}]"));
    }
    check_refused(
        Decoder::Yaml,
        &lines.join("\n"),
        "too large to decode as YAML: more than 1000000 values",
    );
    check_refused(
        Decoder::Yaml,
        &"- ".repeat(5000),
        "too large to decode as YAML: more than 1000 levels of nesting",
    );
}

/// Checks the formats of a string; "" for one that is not opened.
#[track_caller]
fn check_contents(text: &str, want: &str) {
    let found = contents(&text.into(), MAX_DOCUMENT);
    let format = found.map(|it| it.format).unwrap_or_default();
    assert_eq!(format, want, "{text}");
}

#[test]
fn strings_that_are_opened_are_few_and_fitting() {
    check_contents("", "");
    check_contents("hello world", "");
    check_contents("us-east-1a-primary", "");
    check_contents("arn:aws:s3:::bucket/key", "");
    check_contents("12", "");
    check_contents(
        "7a960039d7aa51dc658186d2e4414fee2e6b3be744a8c55fdcb6d50dfe0c6f76",
        "",
    );
    check_contents(" {\"a\": 1}\n", "JSON");
    check_contents("aGVsbG8gd29ybGQ=", "base64");
    check_contents("eyJhIjogWzFdfQ==", "JSON in base64");
    check_contents("H4sIAAAAAAACA0u0UjAEAKQLeE8EAAAA", "gzip");
    check_contents("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZG1pbiJ9.c2ln", "JWT");
    check_contents("a%20b", "");
    check_contents("%7b%22a%22%3A1%7d", "JSON in URL-encoding");
    check_contents("apiVersion: v1\nkind: Pod\n", "YAML");
    check_contents("note: one line", "");
    check_contents("# a server\nport=80\nlog.dir = /tmp\n", "properties");
    check_contents("A=1\necho $A\n", "");
    check_contents(CERTIFICATE, "PEM");
}

#[test]
fn layers_are_opened_to_a_limit_and_secrets_in_them_are_masked() {
    use base64::Engine;
    let encode = |text: &str| base64::engine::general_purpose::STANDARD.encode(text);
    let url = "postgres://app:hunter2@db.example.com/orders";
    let packed = Value::from(encode(&encode(&format!(
        r#"{{"url": "{url}", "size": 1}}"#
    ))));
    let found = contents(&packed, MAX_DOCUMENT).unwrap();
    assert_eq!(found.format, "JSON in base64 in base64");
    let shown = r#"{url: "postgres://app:[likely secret]@db.example.com/orders", size: 1}"#;
    assert_eq!(found.value.to_string(), shown);
    // So it is where the string is masked for what it holds, and not where its name says that all of it is secret.
    let masked = |name| Masking::default().masked(name, &packed).unwrap();
    let of_contents = masked("user_data");
    assert_eq!(of_contents.to_string(), "[likely secret]");
    let found = contents(&of_contents, MAX_DOCUMENT).unwrap();
    assert_eq!(found.value.to_string(), shown);
    let mirrored = Value::from(encode("{\"size\": 2}")).masked_like(&of_contents);
    assert_eq!(mirrored.to_string(), "[likely secret]");
    assert!(contents(&mirrored, MAX_DOCUMENT).is_some());
    assert!(contents(&masked("db_password"), MAX_DOCUMENT).is_none());
    assert!(
        contents(
            &of_contents.with_secret(false).with_secret(true),
            MAX_DOCUMENT
        )
        .is_none()
    );
    let clear = clear_contents(&packed, MAX_DOCUMENT).unwrap();
    assert_eq!(clear.value.get("url").unwrap().as_str(), Some(url));
    assert!(contents(&packed.clone().with_secret(true), MAX_DOCUMENT).is_none());
    assert!(contents(&packed, 20).is_none());
    let mut text = "as it is".to_owned();
    for _ in 0..MAX_LAYERS + 2 {
        text = encode(&text);
    }
    let found = contents(&text.into(), MAX_DOCUMENT).unwrap();
    assert_eq!(found.format, ["base64"; MAX_LAYERS].join(" in "));
    assert_eq!(
        found.value.get("text").unwrap().as_str(),
        Some(&*encode(&encode("as it is")))
    );
}

#[test]
fn no_prefix_of_a_certificate_breaks_the_summary() {
    let body: String = CERTIFICATE
        .lines()
        .filter(|line| !line.starts_with('-'))
        .collect();
    let bytes = text::base64_bytes(body.as_bytes()).unwrap();
    for end in 0..bytes.len() {
        let _ = der::certificate(&bytes[..end]);
        let mut broken = bytes.clone();
        broken[end] ^= 0x81;
        let _ = der::certificate(&broken);
    }
}

#[test]
fn a_decoded_secret_is_zeroed_on_drop() {
    let is_wiped = |value: &Value| match value.payload() {
        Payload::String(text) => text.is_wiped(),
        _ => panic!("a string"),
    };
    let plain = Value::from("aGVsbG8=");
    let decoded = Decoder::Base64.decode(&plain).unwrap();
    assert!(!is_wiped(&decoded));
    let decoded = Decoder::Base64.decode(&plain.with_secret(true)).unwrap();
    assert!(is_wiped(&decoded));
    assert_eq!(decoded.as_str(), Some("hello"));
}
