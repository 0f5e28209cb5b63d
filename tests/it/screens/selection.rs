//! One current resource: all views show the same selection.

use super::harness::Session;

const PLAN: &str = "tfplan-json/shop.json";

fn plan() -> Session {
    Session::open(PLAN, (120, 40))
}

/// The selected resource, by its name.
fn current(session: &Session) -> String {
    let id = session.app.session.current.expect("a resource is selected");
    session.app.session.stack().name(id).to_owned()
}

#[test]
fn another_view_shows_the_resource_that_was_selected() {
    let mut session = plan();
    session.keys("nnnn");
    let chosen = current(&session);
    let short = |session: &Session| {
        let id = session.app.selected().unwrap();
        session.app.session.stack().name(id).to_owned()
    };
    session.keys("1");
    assert_eq!(short(&session), chosen);
    session.keys("2");
    assert_eq!(short(&session), chosen);
    session.keys("4");
    assert_eq!(session.app.views.deps.center(), session.app.session.current);
    assert_eq!(current(&session), chosen);
}

#[test]
fn a_resource_without_a_change_stays_the_current_one_and_the_list_keeps_its_row() {
    let mut session = plan();
    session.keys("2jj");
    let row = session.app.views.changes.stories.cursor.row;
    session.keys("guaws_instance.web[1]<Enter>");
    assert_eq!(current(&session), "aws_instance.web[1]");
    session.keys("2");
    assert_eq!(session.app.views.changes.stories.cursor.row, row);
    session.keys("1");
    assert_eq!(session.app.selected(), session.app.session.current);
    assert_eq!(current(&session), "aws_instance.web[1]");
}

#[test]
fn back_returns_to_the_row_that_was_left() {
    let mut session = plan();
    session.keys("nnnn");
    let (view, row) = (
        session.app.window.view,
        session.app.views.changes.stories.cursor.row,
    );
    let chosen = current(&session);
    session.keys("d<Enter>[[");
    assert_eq!(session.app.window.view, view);
    assert_eq!(session.app.views.changes.stories.cursor.row, row);
    assert_eq!(current(&session), chosen);
}

#[test]
fn back_returns_to_the_value_that_was_left() {
    let mut session = Session::open("pulumi-state/shop.json", (120, 40));
    session.keys("guorders-db<Enter><Tab>jjj");
    let spot = |session: &Session| session.app.spot().map(|(_, spot)| spot);
    let left = spot(&session);
    assert!(left.is_some());
    session.keys("d[");
    assert_eq!(spot(&session), left);
}

#[test]
fn moving_to_the_outputs_in_the_tree_leaves_no_resource_selected() {
    let mut session = Session::open("tfstate/shop.tfstate", (120, 40));
    session.keys("j");
    assert_eq!(current(&session), "aws_db_proxy_target.main");
    session.keys("G");
    assert_eq!(session.app.session.current, None);
}

#[test]
fn an_id_of_the_provider_leads_to_its_resource() {
    let mut session = Session::open("tfstate/shop.tfstate", (120, 40));
    session.keys("gushop-logs<Enter>");
    assert_eq!(current(&session), "aws_s3_bucket.logs");
    session.keys("guno-such-id<Enter>");
    session.shows("no resource has this URN, address, name or id");
}

#[test]
fn the_current_resource_stays_when_the_file_is_read_again() {
    let mut session = plan();
    session.keys("jj4");
    let chosen = current(&session);
    session.keys("R").shows("read again");
    assert_eq!(current(&session), chosen);
    assert_eq!(session.app.views.deps.center(), session.app.session.current);
}

#[test]
fn leaving_the_search_bar_leaves_the_selection_as_it_was() {
    for view in ["", "1", "4", "5"] {
        let mut session = plan();
        session.keys("nnnn").keys(view);
        let (left, chosen) = (session.app.window.view, current(&session));
        session.keys("/aws_iam_role<Down><Esc>");
        assert_eq!(session.app.window.view, left);
        assert_eq!(current(&session), chosen, "view {view:?}");
        if view == "4" {
            assert_eq!(session.app.views.deps.center(), session.app.session.current);
        }
    }
}

#[test]
fn a_hit_in_the_changes_is_the_current_resource_of_all_views() {
    let mut session = plan();
    session.keys("2jj/aws_iam_role<Down><Enter>");
    let hit = session.app.selected();
    assert!(hit.is_some());
    for view in ["4", "1"] {
        session.keys(view);
        assert_eq!(session.app.session.current, hit, "view {view}");
    }
    assert_eq!(session.app.views.resources.tree.resource(), hit);
}

/// The first danger of the demo takes five lines of the brief.
#[test]
fn a_cursor_among_the_lines_of_one_resource_in_the_brief_chooses_it() {
    for view in ["1", "2", "4"] {
        let mut session = Session::open_bytes("demo", stacklens::cli::demo::PREVIEW, (120, 40));
        assert_eq!(session.app.session.current, None);
        session.keys("j").keys(view);
        assert_eq!(current(&session), "orders-db", "view {view}");
        session.shows("orders-db");
        if view != "4" {
            let id = session.app.selected();
            assert_eq!(id, session.app.session.current, "view {view}");
        }
    }
}
