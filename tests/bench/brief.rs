//! The brief of a plan, beside its index.
//!
//! Budget, on two threads: the first finding within 100 ms of the index, the whole within a second for 100,000 changes, and a change
//! costs no more in a large plan than in a small one. `brief.sh` measures the program on plans that are closer to real ones, and the
//! README beside it says what stands in the way of that second.

use std::fmt::Write as _;

use divan::{Bencher, black_box};
use stacklens::change::rules::Rules;
use stacklens::load::brief::Brief;
use stacklens::load::brief::page::Page;
use stacklens::load::{self, Document, Input};
use stacklens::terraform::schema::Schemas;

/// Numbers of changes.
const SIZES: [u32; 3] = [1_000, 10_000, 100_000];

fn main() {
    // It is done once, whatever the number of changes.
    black_box(Rules::built_in());
    divan::main();
}

/// A release: the same tag in each resource, other sizes and policies in some, and a few that come, go or are replaced.
fn plan(n_changes: u32) -> Option<Document> {
    let mut text = String::from(r#"{"format_version":"1.2","resource_changes":["#);
    for number in 0..n_changes {
        let (ty, actions) = match number % 50 {
            0 => ("aws_db_instance", r#""delete""#),
            1 => ("aws_instance", r#""create""#),
            2 => ("aws_eip", r#""delete","create""#),
            3..10 => ("aws_iam_policy", r#""update""#),
            _ => ("aws_s3_bucket", r#""update""#),
        };
        let state = |release: u32, size: u32| {
            format!(
                r#"{{"id":"{ty}-{number}","arn":"arn:aws:thing:eu-west-1:123456789012:{number}","name":"web-{number}","size":{size},
                "encrypted":true,"description":"one of many","subnets":["subnet-{}","subnet-{}"],"rule":[{{"port":443,"enabled":true}}],
                "policy":"{{\"Statement\":[{{\"Effect\":\"Allow\",\"Action\":\"s3:Get{}\",\"Resource\":\"*\"}}]}}",
                "tags":{{"Name":"web-{number}","Environment":"prod","Release":"{release}"}}}}"#,
                number % 7,
                number % 11,
                if release > 1 && ty == "aws_iam_policy" {
                    "*"
                } else {
                    "Object"
                },
            )
        };
        let before = if actions == r#""create""# {
            "null".to_owned()
        } else {
            state(1, 10)
        };
        let after = if actions == r#""delete""# {
            "null".to_owned()
        } else {
            state(2, 10 + u32::from(number % 9 == 0))
        };
        let comma = if number == 0 { "" } else { "," };
        let _ = write!(
            text,
            r#"{comma}{{"address":"{ty}.it[{number}]","mode":"managed","type":"{ty}","name":"it","index":{number},
            "provider_name":"registry.terraform.io/hashicorp/aws","change":{{"actions":[{actions}],"before":{before},"after":{after},
            "after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#
        );
    }
    text.push_str("]}");
    load::load(&Input::bytes("plan.json", text.into_bytes())).ok()
}

/// The findings of the first piece.
#[divan::bench(args = SIZES, sample_count = 5)]
fn first_findings(bencher: Bencher<'_, '_>, n_changes: u32) {
    let Some(document) = plan(n_changes) else {
        return;
    };
    bencher.bench_local(|| {
        let is_found = std::cell::Cell::new(false);
        Brief::watched(
            &document,
            &Schemas::default(),
            Rules::built_in(),
            &|| is_found.get(),
            &mut |progress| is_found.set(!progress.so_far().findings.alarms.is_empty()),
        )
    });
}

/// The whole, with the page that a person sees.
#[divan::bench(args = SIZES, sample_count = 5)]
fn whole(bencher: Bencher<'_, '_>, n_changes: u32) {
    let Some(document) = plan(n_changes) else {
        return;
    };
    let schemas = Schemas::default();
    bencher.bench_local(|| {
        let brief = Brief::of(&document, &schemas, Rules::built_in(), &|| false)?;
        Some(Page::of(&brief, &document, &schemas))
    });
}
