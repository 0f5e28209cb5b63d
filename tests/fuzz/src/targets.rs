//! Functions of any bytes. Each has to come back, whatever the bytes are, and to keep the laws that it asserts.

pub mod commands;
mod document;

use stacklens::change::configuration::{Configuration, Masking, Secrets};
use stacklens::change::decode::{Decoder, MAX_DOCUMENT, contents};
use stacklens::json::{self, Numbers};
use stacklens::likely;
use stacklens::path::{Glob, Path};
use stacklens::pulumi::legacy_path::{LegacyPath, Strictness};
use stacklens::pulumi::passphrase;
use stacklens::pulumi::urn::{self, ProviderReference, Urn};
use stacklens::pulumi::wire::{self, SecretKey};
use stacklens::stack::{SourceFile, Sources};
use stacklens::terraform::address::{self, Address, ProviderAddress};
use stacklens::terraform::cty;
use stacklens::terraform::encryption;
use stacklens::terraform::hcl::lex::Lexer;
use stacklens::terraform::hcl::{self, Body, Syntax};
use stacklens::types;
use stacklens::value::{Text, Value};

use super::made;

/// A function of any bytes, and the name that `cargo fuzz` knows it under.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("read", read),
    ("plan", plan),
    ("commands", commands),
    ("json", json),
    ("path", path),
    ("urn", urn),
    ("address", address),
    ("msgpack", msgpack),
    ("wire", wire),
    ("secrets", secrets),
    ("masking", masking),
    ("hcl", hcl),
];

/// Detection, and reading of whatever format it is: the index, each resource, its values, its difference, searches, comparisons.
pub fn read(bytes: &[u8]) {
    document::open("fuzzed", bytes);
}

/// The message in a plan file. Zip archives check what they hold, so a change to one of them would get no further.
pub fn plan(bytes: &[u8]) {
    document::open("plan", &made::plan_file_with(bytes));
}

/// All printing commands on a file.
pub fn commands(bytes: &[u8]) {
    commands::run(bytes);
}

/// JSON: printed values read back as the same values.
pub fn json(bytes: &[u8]) {
    for numbers in [Numbers::Exact, Numbers::Double] {
        let Ok(parsed) = json::parse(bytes, numbers) else {
            continue;
        };
        let printed = json::to_compact(&parsed.value);
        let read = read_back(&printed, numbers);
        // JSON cannot express numbers beyond all doubles, or bytes that are not UTF-8.
        if numbers == Numbers::Exact && std::str::from_utf8(bytes).is_ok() {
            assert_eq!(read, parsed.value);
        }
        assert_eq!(read_back(&json::to_compact(&read), numbers), read);
        assert_eq!(read_back(&json::to_pretty(&read), numbers), read);
    }
    let text = Value::from(Text::from(bytes));
    for decoder in Decoder::ALL {
        _ = decoder.decode(&text);
    }
    _ = contents(&text, MAX_DOCUMENT);
}

fn read_back(printed: &str, numbers: Numbers) -> Value {
    let parsed = json::parse(printed.as_bytes(), numbers);
    parsed.expect("what we print is JSON").value
}

/// Property paths in all their notations.
pub fn path(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    for parse in [Glob::parse, Glob::parse_tolerant] {
        if let Err(error) = parse(text) {
            assert!(text.is_char_boundary(error.offset));
        }
    }
    if let Ok(path) = Path::parse(text) {
        assert_eq!(Path::parse(&path.to_string()).as_ref(), Ok(&path));
        _ = (path.to_jq(), path.to_json_pointer());
    }
    for strictness in [Strictness::Loose, Strictness::Strict] {
        if let Ok(path) = LegacyPath::parse(text, strictness) {
            _ = path.to_path().map(|path| path.to_tolerant());
        }
    }
    _ = stacklens::search::Query::parse(text);
}

/// URNs and references to providers.
pub fn urn(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    let urn = Urn::from(text);
    assert_eq!(urn.is_valid(), urn.parts().is_some());
    // Engines count the colons of the prefix too, and see parts where there are none.
    let is_whole = text
        .strip_prefix(urn::PREFIX)
        .is_some_and(|rest| rest.matches("::").count() >= 3);
    if let Some(parts) = urn.parts().filter(|_| is_whole) {
        assert_eq!(parts.to_urn(), urn);
        assert_eq!(urn.rename("other").name(), "other");
    }
    _ = (
        urn.name(),
        urn.rename_stack("other"),
        urn.rename_project("other"),
    );
    if urn::parse_strict(text).is_ok() {
        assert!(urn.is_valid());
    }
    _ = urn::display_type(text);
    if let Ok(reference) = ProviderReference::parse(text) {
        _ = (reference.package(), reference.to_string());
    }
}

/// Addresses of resources, modules and providers of Terraform.
pub fn address(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    if let Ok(address) = Address::parse(text) {
        let printed = address.to_string();
        assert_eq!(Address::parse(&printed).as_ref(), Ok(&address));
        let config = Address::parse(&address::config_address(&printed)).expect("an address");
        assert!(config.key.is_none() && config.module.iter().all(|step| step.key.is_none()));
        let steps: Vec<String> = address.module.iter().map(ToString::to_string).collect();
        assert_eq!(address::module_of(&printed), steps.join("."));
    }
    _ = (
        address::module_of(text),
        address::config_address(text),
        address::parent_module(text),
    );
    _ = (address::provider_type(text), address::quote_key(text));
    if let Ok(provider) = ProviderAddress::parse(text) {
        let printed = provider.to_string();
        assert_eq!(
            ProviderAddress::parse(&printed)
                .map(|again| again.to_string())
                .as_ref(),
            Ok(&printed)
        );
        _ = (provider.ascii_host(), provider.for_display());
    }
    _ = ProviderAddress::parse_legacy(text);
}

/// Values in msgpack: a type in JSON, a zero byte, then the value.
pub fn msgpack(bytes: &[u8]) {
    let mut halves = bytes.splitn(2, |byte| *byte == 0);
    let (Some(ty), Some(value)) = (halves.next(), halves.next()) else {
        return;
    };
    _ = cty::from_msgpack_open(None, value);
    let Ok(ty) = types::cty::parse(ty) else {
        return;
    };
    let open = cty::from_msgpack_open(Some(&ty), value);
    if let Ok(typed) = cty::msgpack::from_msgpack(&ty, value) {
        assert_eq!(open.as_ref(), Ok(typed.value()));
    }
}

/// Values of Pulumi, as they travel and as states hold them.
pub fn wire(bytes: &[u8]) {
    let Ok(parsed) = json::parse(bytes, Numbers::Double) else {
        return;
    };
    if let Ok(value) = wire::decode(&parsed.value) {
        for key in [SecretKey::Plaintext, SecretKey::Value] {
            assert!(wire::decode(&wire::encode(&value, key)).is_ok());
        }
    }
    _ = wire::decode_state(&parsed.value, None);
}

/// Salts, envelopes and configurations of encryption.
pub fn secrets(bytes: &[u8]) {
    if let Ok(parsed) = json::parse(bytes, Numbers::Exact) {
        _ = passphrase::salt(&parsed.value);
        _ = encryption::Envelope::read(bytes);
    }
    let text = &*String::from_utf8_lossy(bytes);
    _ = passphrase::of_file(bytes);
    _ = encryption::Config::parse(text);
}

/// Texts that may hold a secret: a mask leaves the rest as it is, and a text is masked alike as a text and as a value.
pub fn masking(bytes: &[u8]) {
    let masking = likely::Masking::default();
    let text = &*String::from_utf8_lossy(bytes);
    let redacted = masking.redacted(text);
    let masked = masking.masked("", &Value::from(text));
    assert_eq!(redacted.is_some(), masked.is_some(), "{text:?}");
    let mut rest = text;
    for kept in redacted.iter().flat_map(|it| it.split("[likely secret]")) {
        let at = rest.find(kept).expect("what is not masked stays as it is");
        rest = &rest[at + kept.len()..];
    }
    for name in text.split_whitespace().take(16) {
        _ = masking.masked(name, &Value::from("q9w8e7r6t5"));
    }
    if let Ok(document) = json::parse(bytes, Numbers::Exact) {
        _ = masking.masked("", &document.value);
    }
}

/// Configurations, in both syntaxes: tokens tile the text, and every reported span is inside of it.
pub fn hcl(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    for syntax in [Syntax::Native, Syntax::Json] {
        let mut end = 0;
        for token in Lexer::new(text, syntax) {
            assert!(token.span.start == end && !token.span.is_empty());
            assert!(text.is_char_boundary(token.span.end));
            end = token.span.end;
        }
        assert_eq!(end, text.len());
        look_into(text, &hcl::read(text, syntax).body);
        show(text, syntax);
    }
}

/// A configuration as it is shown: all of it while it is revealed, and never a secret of the plan while it is masked.
fn show(text: &str, syntax: Syntax) {
    const SECRET: &str = "kraken";
    let file = SourceFile {
        module: String::new(),
        path: "main.tf".to_owned(),
        syntax: Some(syntax),
        text: text.to_owned(),
    };
    let mut secrets = Secrets::default();
    secrets.add_value(&Value::from(SECRET).with_secret(true));
    let configuration = Configuration::new(&Sources { files: vec![file] }, &secrets);
    let lines = text.split_inclusive('\n').map(|line| {
        let line = line.strip_suffix('\n').unwrap_or(line);
        line.strip_suffix('\r').unwrap_or(line)
    });
    let listing = &configuration.files[0];
    assert!(listing.is_cut || listing.n_lines() == lines.clone().count());
    for (index, line) in lines.take(listing.n_lines()).enumerate() {
        let whole = |masking| -> String {
            let parts = listing.line(index, masking);
            parts.into_iter().map(|part| part.text).collect()
        };
        assert!(line.starts_with(&whole(Masking::Revealed)));
        assert!(listing.is_cut || whole(Masking::Revealed) == line);
        assert!(!whole(Masking::Masked).contains(SECRET));
        assert!(!listing.is_masked(index) || listing.masked_with(index).contains(&index));
    }
}

fn look_into(text: &str, body: &Body<'_>) {
    for attribute in &body.attributes {
        assert!(text[attribute.span.clone()].contains(attribute.expression.text));
        _ = attribute.expression.constant_text();
        for literal in &attribute.expression.literals {
            assert_eq!(&text[literal.span.clone()], literal.text);
            _ = literal.decode();
        }
        for reference in &attribute.expression.references {
            _ = reference.prefixes();
        }
    }
    for block in &body.blocks {
        assert!(!text[block.span.clone()].is_empty());
        look_into(text, &block.body);
    }
}
