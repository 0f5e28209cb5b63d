//! Texts of a file that are markup: none of it survives in Markdown, mermaid or Graphviz output.

use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options, parse_document};
use serde_json::Value;

use crate::cli::command;
use crate::screens::harness::Session;

/// A word in every hostile text, by which it is found again.
const MARK: &str = "zqx";

/// Number of single hostile texts; pairs follow them.
const N_TEXTS: usize = 48;

/// Markup of every kind, and text that closes the places where a text is written.
fn hostile() -> Vec<String> {
    let mut texts: Vec<String> = [
        "<img src=x onerror=zqx()>",
        "<script>zqx</script>",
        "<!-- zqx",
        "--> zqx",
        "</details> zqx",
        "</summary></details><b>zqx</b>",
        "</code></pre><i>zqx</i>",
        "<a href='//zqx.example'>zqx</a>",
        "<?zqx ?> <![CDATA[zqx]]>",
        "&lt;zqx&gt; &#64;zqx &amp;zqx",
        "[zqx](https://zqx.example)",
        "![zqx](https://zqx.example/a.png)",
        "[zqx]: https://zqx.example",
        "[^zqx] and [^zqx]: note",
        "<https://zqx.example>",
        "https://zqx.example/a?b=c",
        "www.zqx.example",
        "zqx@zqx.example",
        "@zqx",
        "#1 zqx",
        "owner/repo#1 zqx GH-1",
        "`zqx`",
        "``zqx` @zqx",
        "zqx```",
        "```\n@zqx\n```",
        "~~~\n@zqx",
        "|zqx| @zqx |",
        "zqx\\| @zqx",
        "zqx\\\\| @zqx \\",
        "zqx\\",
        "\n\n# zqx\n\n",
        "\r\n\r\n<b>zqx</b>",
        "\n- zqx\n1. zqx\n> zqx\n***\n---\n",
        "zqx\n===",
        "*zqx* __zqx__ ~~zqx~~",
        "$zqx$ $`zqx`$",
        ":zqx: <zqx@zqx.example>",
        "\n> [!WARNING]\n> zqx",
        "\"]; click n0 \"https://zqx.example\" %% zqx",
        "%%{init: {\"zqx\": 1}}%%",
        "\"]\n n9[\"zqx",
        "`**zqx**`",
        "end zqx; subgraph zqx",
        "\\\"]; zqx [URL=\"https://zqx.example\"]; \\N \\G",
        "\u{202e}zqx\u{2066}\u{200b}\u{1b}[31m",
        "    zqx indented",
        " zqx ",
        "\tzqx",
    ]
    .map(str::to_owned)
    .into();
    assert_eq!(texts.len(), N_TEXTS);
    // Each pair of a closing text and markup after it.
    for end in [
        "`",
        "``",
        "|",
        "\\|",
        "\n\n",
        "</details>",
        "\"]",
        "-->",
        "</code>",
        "\\",
    ] {
        for markup in [
            "@zqx",
            "<b>zqx</b>",
            "https://zqx.example",
            "[zqx](x)",
            "#1 zqx",
        ] {
            texts.push(format!("a{end} {markup} {end}"));
        }
    }
    texts
}

/// Keys and texts that a reader of the format needs. Other text in their place makes a different kind of file.
const STRUCTURE: &[&str] = &[
    "actions",
    "mode",
    "format_version",
    "version",
    "op",
    "kind",
    "custom",
    "diffKind",
    "action_trigger_event",
    "timestamp",
    "time",
];

/// `json` with `hostile` appended to every text and every key that a file is free to choose.
pub(crate) fn spoilt(json: &Value, hostile: &str, is_free: bool) -> Value {
    match json {
        Value::String(text) => Value::from(format!("{text}{hostile}")),
        Value::Array(items) => {
            let items = items.iter().map(|item| spoilt(item, hostile, is_free));
            items.collect()
        }
        Value::Object(map) => {
            let entry = |(key, value): (&String, &Value)| {
                let is_kept = STRUCTURE.contains(&&**key) && !is_free;
                let starts = [
                    "before",
                    "after",
                    "inputs",
                    "outputs",
                    "output_changes",
                    "config",
                    "attributes",
                ];
                let below = is_free || starts.contains(&&**key);
                let value = if is_kept {
                    value.clone()
                } else {
                    spoilt(value, hostile, below && !key.contains("output_"))
                };
                let is_masked = key.contains("sensitive") || key.contains("unknown");
                let key = if is_free && !is_masked && !key.starts_with("4dabf") {
                    format!("{key}{hostile}")
                } else {
                    key.clone()
                };
                (key, value)
            };
            Value::Object(map.iter().map(entry).collect())
        }
        other => other.clone(),
    }
}

/// Checks that a rendered page has hostile texts only in code, and no markup other than that of the report.
fn check_page(page: &str, hostile: &str) {
    let mut options = Options::default();
    let extension = &mut options.extension;
    extension.table = true;
    extension.strikethrough = true;
    extension.autolink = true;
    extension.tasklist = true;
    extension.footnotes = true;
    extension.alerts = true;
    extension.math_dollars = true;
    extension.math_code = true;
    let arena = Arena::new();
    let mut n_found = 0;
    for node in parse_document(&arena, page, &options).descendants() {
        n_found += usize::from(check_node(node, page, hostile));
    }
    assert!(n_found > 0, "{hostile:?} is nowhere in\n{page}");
}

/// True if the node is code that contains a hostile text.
fn check_node<'a>(node: &'a AstNode<'a>, page: &str, hostile: &str) -> bool {
    match &node.data.borrow().value {
        NodeValue::Code(code) => code.literal.contains(MARK),
        NodeValue::CodeBlock(block) => block.literal.contains(MARK),
        NodeValue::HtmlBlock(html) => check_html(&html.literal, hostile),
        NodeValue::Text(text) => {
            assert!(
                !text.contains(MARK),
                "{hostile:?} is text: {text:?} in\n{page}"
            );
            false
        }
        NodeValue::Document
        | NodeValue::Heading(_)
        | NodeValue::Paragraph
        | NodeValue::SoftBreak
        | NodeValue::Strong
        | NodeValue::List(_)
        | NodeValue::Item(_)
        | NodeValue::Table(_)
        | NodeValue::TableRow(_)
        | NodeValue::TableCell => false,
        other => panic!("{hostile:?} is {other:?} in\n{page}"),
    }
}

/// Checks the HTML of the report itself: a summary in code, with entities instead of all markup.
fn check_html(html: &str, hostile: &str) -> bool {
    let html = html.trim();
    let headings = ["actions", "drift", "outputs"];
    let headings = headings.map(|it| format!("<details><summary>{it}</summary>"));
    let title = html.strip_prefix("<details><summary>");
    let title = title.and_then(|rest| rest.strip_suffix("</summary>"));
    let is_section = title
        .and_then(|it| it.split_once(" · "))
        .is_some_and(|(words, count)| {
            let is_words = words
                .chars()
                .all(|it| it.is_ascii_uppercase() || " ,:".contains(it));
            let count = count.split(" · ").next().unwrap_or_default();
            is_words && count.parse::<usize>().is_ok()
        });
    if html == "</details>" || headings.iter().any(|it| it == html) || is_section {
        return false;
    }
    let inner = html
        .strip_prefix("<details><summary><code>")
        .and_then(|rest| rest.strip_suffix("</code></summary>"))
        .unwrap_or_else(|| panic!("{hostile:?} gives {html}"));
    assert!(
        !inner.contains(['<', '>', '\n']),
        "{hostile:?} gives {html}"
    );
    inner.contains(MARK)
}

/// The fixtures in which every text is replaced: a Terraform plan, a Pulumi preview, and plans with moves, imports, drift, deferred
/// changes and actions.
fn fixtures() -> Vec<Value> {
    [
        "tests/corpus/tfplan-json/shop.json",
        "assets/demo.json",
        "tests/corpus/tfplan-json/kinds.json",
        "tests/corpus/tfplan-json/format-1.2.json",
    ]
    .map(fixture)
    .into()
}

fn fixture(path: &str) -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(path).unwrap();
    // A number that `serde_json` does not read.
    serde_json::from_str(&text.replace("1e400", "1")).unwrap()
}

/// Writes each fixture with each hostile text in it, and calls `check` with the file and the text.
fn each_spoilt(mut check: impl FnMut(&str, &str)) {
    let folder = tempfile::tempdir().unwrap();
    for (number, fixture) in fixtures().iter().enumerate() {
        // Pairs are many, so only one fixture gets them.
        let most = if number == 0 { usize::MAX } else { N_TEXTS };
        for hostile in hostile().into_iter().take(most) {
            let path = folder.path().join("spoilt.json");
            let json = spoilt(fixture, &hostile, false);
            std::fs::write(&path, serde_json::to_vec(&json).unwrap()).unwrap();
            check(path.to_str().unwrap(), &hostile);
        }
    }
}

#[test]
fn no_text_of_a_file_is_markup_in_markdown() {
    each_spoilt(|file, hostile| {
        for name in ["diff", "brief"] {
            let run = command(&[name, file, "--markdown"]);
            assert_eq!(run.code, 0, "{hostile:?}: {}", run.err);
            check_page(&run.out, hostile);
        }
    });
}

#[test]
fn no_text_of_two_files_is_markup_in_markdown() {
    let folder = tempfile::tempdir().unwrap();
    for (old, new) in [
        (
            "tests/corpus/tfstate/shop.tfstate",
            "tests/corpus/tfstate/shop-after.tfstate",
        ),
        (
            "tests/corpus/pulumi-state/shop.json",
            "tests/corpus/pulumi-state/shop.json",
        ),
    ] {
        for hostile in hostile().into_iter().take(N_TEXTS) {
            // Two states of Pulumi differ in their region.
            let files = [(old, "eu-west-1"), (new, "eu-west-2")].map(|(file, by)| {
                let json = spoilt(&fixture(file), &hostile, false);
                let text = serde_json::to_string(&json).unwrap();
                let path = folder.path().join(format!("{by}.json"));
                std::fs::write(&path, text.replace("eu-west-1", by)).unwrap();
                path.to_str().unwrap().to_owned()
            });
            let run = command(&["diff", &files[0], &files[1], "--markdown"]);
            assert_eq!(run.code, 0, "{hostile:?}: {}", run.err);
            check_page(&run.out, &hostile);
        }
    }
}

#[test]
fn no_text_of_a_file_is_markup_when_it_is_copied_as_markdown() {
    for hostile in hostile() {
        let json = spoilt(&fixtures()[0], &hostile, false);
        let json = serde_json::to_vec(&json).unwrap();
        let mut session = Session::open_bytes("plan.json", &json, (120, 40));
        session.keys("2ym<Tab>jjym");
        assert_eq!(session.copied.len(), 2, "{hostile:?}: {}", session.text());
        for copied in &session.copied {
            check_page(copied, &hostile);
        }
    }
}

/// Compares the lines of a graph without its strings. No text of the file leaves a string.
#[test]
fn no_text_of_a_file_leaves_its_label_in_a_graph() {
    each_spoilt(|file, hostile| {
        let dot = command(&["graph", file]).out;
        assert!(dot.contains(MARK), "{hostile:?}: {dot}");
        for line in dot.lines() {
            let rest = without_strings(line);
            let is_node = rest.starts_with("  n") && rest.ends_with(']');
            let cluster = rest.strip_prefix("  subgraph cluster_");
            let cluster = cluster.and_then(|it| it.strip_suffix(" { label = "));
            let is_cluster = cluster.is_some_and(|number| number.parse::<u32>().is_ok());
            let is_frame = [
                "digraph {",
                "  rankdir = LR",
                "  node [shape = box]",
                "  }",
                "}",
            ];
            let is_known = is_node || is_cluster || is_frame.contains(&&*rest);
            assert!(is_known, "{hostile:?}: {line}");
            assert!(!rest.contains(MARK), "{hostile:?}: {line}");
        }
        let mermaid = command(&["graph", file, "--format", "mermaid"]).out;
        assert!(mermaid.contains(MARK), "{hostile:?}: {mermaid}");
        for line in mermaid.lines().skip(1) {
            let label = line.split_once("[\"").and_then(|(node, rest)| {
                let node = node.trim_start();
                let number = node.strip_prefix("subgraph g").or(node.strip_prefix('n'))?;
                let is_own = number.parse::<u32>().is_ok();
                rest.strip_suffix("\"]").filter(|_| is_own)
            });
            let Some(label) = label else {
                assert!(
                    (line == "  end" || line.contains("-->|")) && !line.contains(MARK),
                    "{hostile:?}: {line}"
                );
                continue;
            };
            assert!(
                !label.contains(['"', '<', '>', '`', '%', '&', '@', '{']),
                "{line}"
            );
        }
    });
}

/// A line of Graphviz's language without the quoted parts.
fn without_strings(line: &str) -> String {
    let (mut rest, mut is_inside, mut is_escaped) = (String::new(), false, false);
    for char in line.chars() {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' if is_inside => is_escaped = true,
            '"' => is_inside = !is_inside,
            _ if is_inside => {}
            _ => rest.push(char),
        }
    }
    assert!(!is_inside, "{line}");
    rest
}
