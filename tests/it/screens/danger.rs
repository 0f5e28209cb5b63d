//! The list of changes is the page of the brief, beside the difference.

use stacklens::tui::theme::{Depth, Palette};

use super::harness::Session;
use super::list;

const WIDE: (u16, u16) = (120, 40);
const PLAN: &str = "tfplan-json/shop.json";

/// The change of a resource, perhaps in a module.
fn change(module: &str, ty: &str, name: &str, actions: &str, before: &str, after: &str) -> String {
    let address = format!("{module}{ty}.{name}");
    let values = format!(r#""actions": [{actions}], "before": {before}, "after": {after}"#);
    list::change(&address, ty, name, module.trim_end_matches('.'), &values)
}

/// A plan with these changes of resources and of outputs.
fn plan_of(changes: &[String], outputs: &str) -> String {
    format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.8","planned_values":{{"root_module":{{}}}},"configuration":{{}},
        "output_changes":{{{outputs}}},"resource_changes":[{}]}}"#,
        changes.join(",")
    )
}

/// A plan that deletes a database, gives four buckets the same tag, and makes something of a module.
fn plan() -> String {
    let mut all = vec![change(
        "",
        "aws_instance",
        "odd",
        r#""update""#,
        r#"{"instance_type":"a"}"#,
        r#"{"instance_type":"b"}"#,
    )];
    all.extend(["one", "two", "three", "four"].map(|name| {
        change(
            "",
            "aws_s3_bucket",
            name,
            r#""update""#,
            r#"{"tags":{"release":"1"}}"#,
            r#"{"tags":{"release":"2"}}"#,
        )
    }));
    all.push(change(
        "module.net.",
        "aws_vpc",
        "main",
        r#""create""#,
        "null",
        r#"{"cidr_block":"10.0.0.0/16"}"#,
    ));
    all.push(change(
        "module.data.",
        "aws_db_instance",
        "db",
        r#""delete""#,
        r#"{"identifier":"db","skip_final_snapshot":true}"#,
        "null",
    ));
    plan_of(&all, "")
}

/// A plan whose dangers only mechanisms find: a binding that takes a role, a job and an unchanged queue that refer to a role that
/// goes, and an output that turns plain.
fn of_mechanisms() -> String {
    let member =
        r#"{"id":"m","project":"shop","role":"roles/sql.client","member":"serviceAccount:api"}"#;
    let queue = r#"{"id":"q-1","policy":"arn:lab:iam::1234:role/app-worker-7"}"#;
    let all = [
        change(
            "",
            "lab_disk",
            "grown",
            r#""update""#,
            r#"{"size":1}"#,
            r#"{"size":2}"#,
        ),
        change(
            "",
            "google_project_iam_binding",
            "sql",
            r#""create""#,
            "null",
            r#"{"project":"shop","role":"roles/sql.client","members":["serviceAccount:report"]}"#,
        ),
        change(
            "",
            "google_project_iam_member",
            "api",
            r#""no-op""#,
            member,
            member,
        ),
        change(
            "",
            "lab_role",
            "it",
            r#""delete""#,
            r#"{"id":"app-worker-7","arn":"arn:lab:iam::1234:role/app-worker-7","name":"app-worker-7"}"#,
            "null",
        ),
        change("", "lab_queue", "jobs", r#""no-op""#, queue, queue),
        change(
            "",
            "lab_job",
            "it",
            r#""update""#,
            r#"{"id":"j-1","title":"x"}"#,
            r#"{"id":"j-1","title":"x","worker_role":"app-worker-7"}"#,
        ),
    ];
    let output = r#""dsn":{"actions":["update"],"before":"db:5432","after":"db:5432","after_unknown":false,
        "before_sensitive":true,"after_sensitive":false}"#;
    plan_of(&all, output)
}

fn made() -> Session {
    let mut session = Session::open_bytes("plan.json", plan().as_bytes(), WIDE);
    session.keys("2");
    session
}

/// A danger has its words where other changes have properties.
#[test]
fn the_row_of_a_danger_says_what_is_lost() {
    in_order(
        &made(),
        &[
            "- module.data.aws_db_instance.db",
            "▾ ON THEIR OWN",
            "~ aws_instance.odd",
        ],
    );
    let screen = made().text();
    let mut lines = screen
        .lines()
        .skip_while(|line| !line.contains("- module.data.aws_db_instance.db"));
    let below = lines.nth(1).unwrap_or_default();
    assert!(below.contains("  the database is deleted"), "{screen}");
    // The name of the rule is beside the difference.
    let list = below.split("││").next().unwrap_or_default();
    assert!(!list.contains('('), "{screen}");
}

/// The lines with these texts are in this order.
#[track_caller]
fn in_order(session: &Session, texts: &[&str]) {
    let screen = session.text();
    let lines: Vec<&str> = screen.lines().collect();
    let mut from = 0;
    for text in texts {
        let rest = &lines[from..];
        let at = rest.iter().position(|line| line.contains(text));
        let at = at.unwrap_or_else(|| panic!("no `{text}` in its place on\n{screen}"));
        from += at + 1;
    }
}

#[test]
fn dangers_come_first_and_equal_changes_last_and_closed() {
    let mut session = made();
    in_order(
        &session,
        &[
            "Changes · -1 ~5 +1",
            "▾ LOOK AT THESE FIRST  1",
            "▶   - module.data.aws_db_instance.db",
            "▾ ON THEIR OWN  2",
            "~ aws_instance.odd",
            "+ module.net.aws_vpc.main",
            "▾ NOTHING BUT TAGS  1 · 4 changes",
            "▸ ~ 4 of 4  aws_s3_bucket",
            "~ tags.release  \"1\" → \"2\"",
        ],
    );
    session.hides("three");
    // The group opens to its resources.
    session.keys("Gl").shows("▾ ~ 4 of 4  aws_s3_bucket");
    session
        .shows("~ aws_s3_bucket.three")
        .shows("~ aws_s3_bucket.four");
}

#[test]
fn the_dangers_that_mechanisms_find_are_listed_as_in_the_brief() {
    let mut session = Session::open_bytes("plan.json", of_mechanisms().as_bytes(), WIDE);
    session
        .shows("LOOK AT THESE FIRST  3")
        .shows("sets all members of roles/sql.client")
        .shows("lab_queue.jobs stays and refers to it")
        .shows("every run prints it in clear text");
    session.keys("2");
    in_order(
        &session,
        &[
            "▾ LOOK AT THESE FIRST  3",
            "- lab_role.it",
            "+ google_project_iam_binding.sql",
            "~ dsn",
            "▾ ON THEIR OWN  2",
            "~ lab_disk.grown",
            "~ lab_job.it",
        ],
    );
    session.keys("fkind:danger<Enter>").shows("2 of 4 changes");
}

#[test]
fn sections_that_are_no_changes_of_the_program_come_last() {
    let mut session = Session::open(PLAN, WIDE);
    session.keys("2");
    in_order(
        &session,
        &[
            "LOOK AT THESE FIRST",
            "± aws_db_instance.main",
            "ON THEIR OWN",
            "< data.aws_ami.base",
            "+ module.eks",
            "MOVED AND IMPORTED  2",
            "CHANGED OUTSIDE  1",
            "OUTPUTS  2",
        ],
    );
}

#[test]
fn the_row_stays_the_current_one_when_the_brief_arrives() {
    let mut session = made();
    let id = |session: &Session| {
        let id = session.app.selected().expect("a change");
        session.app.session.stack().short_name(id).to_owned()
    };
    session.keys("gg/three<Enter><Esc>");
    assert_eq!(id(&session), "aws_s3_bucket.three");
    session.hold().keys("R");
    while session.app.session.loading.is_some() || session.n_late() == 0 {
        session.deliver(1);
    }
    // Only the answers to the load are here: the list is arranged by action.
    session.hides("LOOK AT THESE FIRST");
    session.settle().shows("LOOK AT THESE FIRST");
    assert_eq!(id(&session), "aws_s3_bucket.three");
    assert!(
        session.cursor_line().contains("three"),
        "{}",
        session.text()
    );
}

#[test]
fn arrangements_go_round_and_say_their_names() {
    let mut session = made();
    for name in ["by module", "by type", "by action", "one list", "by story"] {
        session.keys("t").shows(&format!("arranged {name}"));
    }
    session.shows("LOOK AT THESE FIRST");
    // The choice holds for the next file, too.
    session.keys("tttR").shows("Changes · by action");
}

#[test]
fn a_filter_opens_what_it_leaves() {
    let mut session = made();
    session.keys("frelease<Enter>");
    session
        .shows("4 of 7 changes")
        .shows("~ three")
        .hides("LOOK AT");
}

#[test]
fn the_next_change_to_review_is_also_in_a_closed_group() {
    let mut session = made();
    session.keys("<Space><Space><Space>");
    session.shows("reviewed 3 of 7");
    assert!(session.cursor_line().contains("▸ ~ 4 of 4"));
    session.keys("<Space>");
    session.shows("all 7 changes are reviewed");
}

#[test]
fn comparisons_and_runs_stay_arranged_by_action() {
    let mut session = Session::open("pulumi-events/shop-replace.jsonl", WIDE);
    session.keys("2").hides("LOOK AT THESE FIRST");
}

/// The lines of the difference pane: those right of the list.
fn difference(session: &Session) -> Vec<String> {
    let screen = session.text();
    let right = screen.lines().filter_map(|line| line.rsplit_once("││"));
    right.map(|(_, right)| right.to_owned()).collect()
}

#[test]
fn a_danger_of_the_brief_leads_to_its_sentence() {
    let plan = of_mechanisms();
    let sentence = "sets all members of roles/sql.client";
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), WIDE);
    session.keys("n<Enter><wait>");
    assert!(session.cursor_line().contains("iam_binding.sql"));
    let lines = difference(&session);
    assert!(
        lines[0].contains("danger   sets all members of"),
        "{lines:?}"
    );
    session.keys("G<wait>").hides("danger   ");
    let mut narrow = Session::open_bytes("plan.json", plan.as_bytes(), (80, 24));
    narrow
        .keys("n<Enter><wait>l")
        .shows("danger   ")
        .shows(sentence);
}

#[test]
fn the_findings_of_a_change_are_above_its_difference_dangers_first() {
    let database = change(
        "",
        "aws_db_instance",
        "main",
        r#""update""#,
        r#"{"max_allocated_storage":100,"multi_az":true,"publicly_accessible":false}"#,
        r#"{"max_allocated_storage":50,"multi_az":false,"publicly_accessible":true}"#,
    );
    let plan = plan_of(&[database], "");
    let mut session = Session::open_bytes("plan.json", plan.as_bytes(), WIDE);
    session.keys("2<wait>");
    let lines = difference(&session);
    let wanted = [
        "danger   it gets a public address  (aws-rds-public)",
        "warning  there is no standby in another zone any longer",
        "         (aws-rds-multi-az-off)",
        "note     the storage can grow less",
        "         (aws-rds-storage-limit-lower)",
        "~ max_allocated_storage",
    ];
    for (line, wanted) in lines.iter().zip(wanted) {
        assert!(line.contains(wanted), "{lines:?}");
    }
    let danger = session.style_of("danger  ", Depth::True, Palette::Dark);
    let warning = session.style_of("warning  ", Depth::True, Palette::Dark);
    assert_ne!(danger.fg, warning.fg);
}

#[test]
fn the_brief_and_the_changes_have_one_cursor_one_set_of_folds_and_marks() {
    let mut session = made();
    session.keys("Gl").shows("~ aws_s3_bucket.three");
    session.keys("b").shows("~ aws_s3_bucket.three");
    assert!(session.cursor_line().contains("▾ ~ 4 of 4"));
    // All are reviewed, and the first entry that is not follows.
    session.keys("<Space>").shows("4 changes reviewed");
    assert!(session.cursor_line().contains("aws_db_instance.db"));
    session
        .keys("2")
        .shows("reviewed 4 of 7")
        .shows("✓▾ ~ 4 of 4");
    assert!(session.cursor_line().contains("aws_db_instance.db"));
    session.keys("zM").hides("aws_instance.odd");
    session.keys("b").hides("aws_instance.odd").keys("zR");
    session.shows("aws_instance.odd").keys("2");
    session.shows("aws_instance.odd").shows("aws_s3_bucket.one");
}

#[test]
fn a_group_shows_the_difference_of_the_current_resource_else_of_its_first() {
    let mut session = made();
    session.keys("G<wait>").shows("~ aws_s3_bucket.four · ");
    session.keys("guaws_s3_bucket.three<Enter>2<wait>");
    assert!(session.cursor_line().contains("▸ ~ 4 of 4"));
    session.shows("~ aws_s3_bucket.three · ");
    let three = session.app.session.current;
    session.keys("b2");
    assert_eq!(session.app.session.current, three);
}

/// Each key goes to another change: the properties are beside the list.
#[test]
fn an_entry_of_the_list_has_a_line_and_one_for_the_property_that_decides() {
    let mut session = Session::open(PLAN, (80, 24));
    session.keys("2");
    in_order(
        &session,
        &[
            "▾ LOOK AT THESE FIRST",
            "▶   ± aws_db_instance.main  the database is deleted with its data",
            "~ storage_encrypted  false → true",
            "± aws_db_proxy_target.main",
            "▾ WARNING",
            "- aws_s3_bucket.logs",
        ],
    );
    session.keys("j");
    assert!(session.cursor_line().contains("± aws_db_proxy_target.main"));
    session.keys("jj");
    assert!(session.cursor_line().contains("- aws_s3_bucket.logs"));
}

#[test]
fn the_keys_of_the_list_lead_from_the_brief_to_it() {
    made()
        .keys("bt")
        .shows("[2 Changes")
        .shows("Changes · by module");
    made()
        .keys("bs")
        .shows("[2 Changes")
        .shows("Changes · by module · sorted by name");
    made()
        .keys("bfodd<Enter>")
        .shows("[2 Changes")
        .shows("1 of 7 changes");
}

#[test]
fn an_open_group_shows_the_values_of_each_member() {
    let change = |(at, (old, new)): (usize, (u32, u32))| {
        format!(
            r#"{{"address": "lab_pool.p{at}", "mode": "managed", "type": "lab_pool", "name": "p{at}", "provider_name": "example.com/acme/lab",
            "change": {{"actions": ["update"], "before": {{"limit": {old}}}, "after": {{"limit": {new}}}, "after_unknown": {{}}}}}}"#
        )
    };
    let values = [(30, 36), (40, 48), (50, 60), (70, 84)];
    let changes: Vec<String> = values.into_iter().enumerate().map(change).collect();
    let plan = format!(
        r#"{{"format_version": "1.2", "terraform_version": "1.9.8", "resource_changes": [{}]}}"#,
        changes.join(",")
    );
    for size in [(120, 40), (80, 24)] {
        let mut session = Session::open_bytes("plan.json", plan.as_bytes(), size);
        session.keys("b").shows("4 of 4").hides("40 → 48");
        session
            .keys("zR")
            .shows("lab_pool.p1")
            .shows("limit  40 → 48")
            .shows("limit  70 → 84");
    }
}

#[test]
fn a_search_that_is_left_changes_neither_the_arrangement_nor_the_folds() {
    let mut session = made();
    session.keys("2");
    let list = |session: &Session| {
        let lines = session.text();
        let rows = lines.lines().skip(1).take(30).map(str::to_owned);
        rows.collect::<Vec<_>>()
    };
    let before = list(&session);
    session.keys("/aws<Esc><wait>");
    assert_eq!(list(&session), before);
}
