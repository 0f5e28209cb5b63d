//! The audit of whole plans.

use std::path::Path;

use stacklens::change::audit::{Finding, audit_change, audit_result, schema_of};
use stacklens::json::{Numbers, parse};
use stacklens::load::{Document, Input, load};
use stacklens::stack::Severity;
use stacklens::terraform::objchange::Semantics;
use stacklens::terraform::schema::Schemas;

/// Plans accepted by core break no rule, and states before the apply keep everything that does not change.
pub(crate) fn check(corpus: &Path) -> Result<(), String> {
    let folder = corpus.join("terraform/binary-plans");
    let (mut n_plans, mut n_resources) = (0, 0);
    for entry in folder.read_dir().into_iter().flatten() {
        let path = entry.expect("the folder can be listed").path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let Some(stem) = name.strip_suffix(".schemas.json") else {
            continue;
        };
        let schemas = schemas(&std::fs::read(&path).expect("the file can be read"));
        let plan = load(&Input::path(folder.join(format!("{stem}.show.json")))).expect("a plan");
        let (n_audited, findings) = audit(&plan, &schemas);
        n_plans += 1;
        n_resources += n_audited;
        let broken: Vec<&Finding> = findings
            .iter()
            .filter(|finding| finding.severity > Severity::Info)
            .collect();
        if !broken.is_empty() {
            return Err(format!("{stem}: {broken:?}"));
        }
    }
    if n_resources < n_plans {
        return Err(format!("only {n_resources} resources audited"));
    }
    Ok(())
}

#[test]
fn a_plan_beside_its_outcome() {
    let schemas = schemas(
        br#"{"provider_schemas": {"registry.terraform.io/acme/lab": {"resource_schemas": {"lab_flask": {"version": 0, "block": {
            "attributes": {"id": {"type": "string", "computed": true}, "volume": {"type": "number", "optional": true},
                           "label": {"type": "string", "optional": true}}}}}}}}"#,
    );
    let plan = document(
        r#"{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
            "resource_changes": [{"address": "lab_flask.one[\"a\"]", "mode": "managed", "type": "lab_flask", "name": "one", "index": "a",
              "provider_name": "registry.terraform.io/acme/lab",
              "change": {"actions": ["create"], "before": null, "after": {"volume": 3, "label": "x"}, "after_unknown": {"id": true},
                         "before_sensitive": false, "after_sensitive": {"label": true}}}],
            "configuration": {"root_module": {"resources": [{"address": "lab_flask.one", "mode": "managed", "type": "lab_flask",
              "name": "one", "provider_config_key": "lab", "schema_version": 0,
              "expressions": {"volume": {"constant_value": 2}, "label": {"references": ["var.label"]}}}]}}}"#,
    );
    let (_, findings) = audit(&plan, &schemas);
    assert_eq!(
        told(&findings),
        [r#"warning lab_flask.one["a"] volume: 3 is planned, the configuration says 2"#]
    );
    let state = document(
        r#"{"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "l", "outputs": {}, "resources": [{"mode": "managed",
            "type": "lab_flask", "name": "one", "provider": "provider[\"registry.terraform.io/acme/lab\"]",
            "instances": [{"index_key": "a", "schema_version": 0, "attributes": {"id": "f-1", "volume": 4, "label": "y"},
              "sensitive_attributes": []}]}]}"#,
    );
    let [planned, actual] = [&plan, &state].map(|document| {
        let id = document.stack.ids().next().expect("a resource");
        document.resource(id).expect("a resource")
    });
    let schema = schema_of(&planned, &schemas).expect("a schema");
    for schema in [Some(&schema), None] {
        let findings = audit_result(&planned, Some(&actual), schema, Semantics::Current)
            .expect("values of the schema");
        let mut told = told(&findings);
        told.sort_unstable();
        assert_eq!(
            told,
            [
                r#"error lab_flask.one["a"] label: a sensitive value is not the planned one"#,
                r#"error lab_flask.one["a"] volume: 3 was planned, there is 4"#,
                r#"info lab_flask.one["a"] id: it was unknown in the plan, and is now "f-1""#,
            ]
        );
    }
    let gone = audit_result(&planned, None, None, Semantics::Current).expect("an answer");
    assert_eq!(
        told(&gone),
        [r#"error lab_flask.one["a"] the top: it was planned, but is not in the state"#]
    );
}

fn told(findings: &[Finding]) -> Vec<String> {
    findings
        .iter()
        .map(|finding| {
            format!(
                "{} {} {}: {}",
                finding.severity.name(),
                finding.resource,
                finding.path,
                finding.sentence
            )
        })
        .collect()
}

fn audit(plan: &Document, schemas: &Schemas) -> (usize, Vec<Finding>) {
    let mut n_audited = 0;
    let mut findings = Vec::new();
    for id in plan.stack.ids() {
        let resource = plan.resource(id).expect("a resource");
        if let Some(schema) = schema_of(&resource, schemas) {
            let found = audit_change(&plan.stack, &resource, &schema, Semantics::Current);
            findings.extend(found.expect("values of the schema"));
            n_audited += 1;
        }
    }
    (n_audited, findings)
}

fn document(text: &str) -> Document {
    load(&Input::bytes("document.json", text.as_bytes())).expect("a document")
}

fn schemas(text: &[u8]) -> Schemas {
    Schemas::new(&parse(text, Numbers::Exact).expect("JSON").value)
}
