//! The bytes that a brief reads of a plan in which much is alike, stays, or refers to one thing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value as Json, json};

use super::{brief, plan_of};
use crate::format::{Source, SourceError};
use crate::stack::Span;

/// A source that counts the bytes that are read.
struct Counted {
    source: Arc<dyn Source>,
    n_bytes: AtomicUsize,
}

impl Source for Counted {
    fn read_into(&self, span: Span, bytes: &mut Vec<u8>) -> Result<(), SourceError> {
        self.source.read_into(span, bytes)?;
        self.n_bytes.fetch_add(bytes.len(), Ordering::Relaxed);
        Ok(())
    }
}

/// The number of times that a brief reads a plan with these changes, on the average of its bytes.
fn n_readings(changes: Vec<Json>) -> usize {
    let size: usize = changes.iter().map(|it| it.to_string().len()).sum();
    let mut document = plan_of(changes);
    let source = Arc::new(Counted {
        source: document.source.clone(),
        n_bytes: AtomicUsize::new(0),
    });
    document.source = source.clone();
    brief(&document);
    source.n_bytes.load(Ordering::Relaxed).div_ceil(size)
}

#[expect(clippy::needless_pass_by_value, reason = "cases are made in place")]
fn changed(ty: &str, before: Json, after: Json) -> Json {
    let actions = match (before.is_null(), after.is_null()) {
        (_, true) => "delete",
        (true, _) => "create",
        _ if before == after => "no-op",
        _ => "update",
    };
    json!({
        "type": ty, "mode": "managed",
        "provider_name": "registry.terraform.io/hashicorp/aws",
        "change": {"actions": [actions], "before": before, "after": after, "after_unknown": {}},
    })
}

#[test]
fn a_plan_of_any_shape_is_read_a_few_times() {
    const N: usize = 400;
    // Parts that go beside parts of other wholes that stay.
    let listener = |number: usize| json!({"id": format!("listener-{number}"), "load_balancer_arn": format!("lb-{number}-a"), "port": 80});
    let parts = (0..N).flat_map(|number| {
        let (gone, kept) = (listener(number), listener(number + N));
        let whole = json!({"id": format!("lb-{number}-a"), "name": "main"});
        [
            changed("aws_lb", whole.clone(), whole),
            changed("aws_lb_listener", gone, Json::Null),
            changed("aws_lb_listener", kept.clone(), kept),
        ]
    });
    // Services that all look for what all objects lose.
    let selected = (0..N).flat_map(|number| {
        let labels = |app: &str| json!({"id": format!("web-{number}"), "metadata": [{"labels": {"app": app}}], "spec": [{"template": [{"metadata": [{"labels": {"app": app}}]}]}]});
        let service = json!({"id": format!("svc-{number}"), "spec": [{"selector": {"app": "web"}}]});
        [
            changed("kubernetes_deployment", labels("web"), labels("shop")),
            changed("kubernetes_service", service.clone(), service),
        ]
    });
    // Objects that stay and all name one that goes.
    let one = json!({"id": "tg-0123456789-one", "name": "one"});
    let named = (0..N).map(|number| {
        let user = json!({"id": format!("i-{number}"), "target": "tg-0123456789-one"});
        changed("aws_instance", user.clone(), user)
    });
    let named = named.chain([changed("aws_lb_target_group", one, Json::Null)]);
    // Copies in the zone of one original.
    let copies = (0..N).map(|number| {
        let copy = |zone: &str| json!({"id": format!("copy-{number}"), "replicate_source_db": "original", "availability_zone": zone});
        changed("aws_db_instance", copy("a"), copy("b"))
    });
    let original = json!({"id": "original", "availability_zone": "b"});
    let copies = copies.chain([changed("aws_db_instance", original.clone(), original)]);
    for (shape, changes) in [
        ("parts", parts.collect::<Vec<_>>()),
        ("selected", selected.collect()),
        ("named", named.collect()),
        ("copies", copies.collect()),
    ] {
        let n = n_readings(changes);
        assert!((1..=5).contains(&n), "{shape}: {n} times");
    }
}
