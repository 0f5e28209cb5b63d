use super::*;

#[track_caller]
fn check_strict(text: &str, want: Result<(), &str>) {
    let got = parse_strict(text)
        .map(|_| ())
        .map_err(|error| error.to_string());
    assert_eq!(got, want.map_err(str::to_owned));
}

#[test]
fn the_grammar() {
    check_strict("urn:pulumi:s::p::pkg:Type::name", Ok(()));
    check_strict("urn:pulumi:s::p::pkg:mod:Type::name", Ok(()));
    check_strict("urn:pulumi:::::pkg:mod:Type_2$é:Type::", Ok(()));
    check_strict("urn:pulumi:a:b:::c::pkg:T::x:y", Ok(()));
    check_strict(
        "urn:other:s",
        Err("expected `urn:pulumi:` at column 1, found `u`"),
    );
    check_strict(
        "urn:pulumi:s::p::aws:s3/bucket:Bucket::b",
        Err("expected `::` and a name at column 24, found `/`"),
    );
    check_strict(
        "urn:pulumi:s::p::a:B$a:C$a:D::n",
        Err("expected `::` and a name at column 25, found `$`"),
    );
    check_strict(
        "urn:pulumi:s::p::pkg::n",
        Err("expected a module or a type at column 22, found `:`"),
    );
    check_strict(
        "urn:pulumi:s::p::a:B::n::m",
        Err("expected a name without `::` at column 24, found `:`"),
    );
    check_strict(
        "urn:pulumi:s::p",
        Err("expected `::` and a type at column 16, found the end of the text"),
    );
}

#[test]
fn the_engines_agree_on_texts_that_the_grammar_accepts() {
    let text = "urn:pulumi:s::p::a:B$a:m:C::n";
    assert_eq!(parse_strict(text).ok(), parts(text));
    assert_eq!(parts(text).unwrap().to_urn().as_str(), text);
}

#[test]
fn the_prefix_lends_its_colon() {
    // Engines count `::` in the whole text, and then one part is missing.
    let urn = Urn::from("urn:pulumi::::::");
    assert!(urn.is_valid());
    assert_eq!(urn.parts().unwrap().stack, "");
    assert!(!Urn::from("urn:pulumi:::::").is_valid());
}

#[test]
fn types_for_display() {
    for (ty, want) in [
        ("aws:s3/bucket:Bucket", "aws:s3:Bucket"),
        ("aws:ec2/vpcEndpoint:VpcEndpoint", "aws:ec2:VpcEndpoint"),
        ("kubernetes:core/v1:Pod", "kubernetes:core/v1:Pod"),
        ("random:index/randomId:RandomId", "random:index:RandomId"),
        ("pulumi:pulumi:Stack", "pulumi:pulumi:Stack"),
        ("aws:s3/bucket:", "aws:s3/bucket:"),
        ("weird", "weird"),
    ] {
        assert_eq!(display_type(ty), want);
    }
}

#[test]
fn stack_names() {
    let urn = Urn::from("urn:pulumi:s::p::t::n");
    assert_eq!(urn.rename_stack(""), Err(StackNameError::Empty));
    assert_eq!(
        urn.rename_stack("a/b"),
        Err(StackNameError::Character { column: 2 })
    );
    assert_eq!(
        urn.rename_stack(&"a".repeat(101)),
        Err(StackNameError::TooLong)
    );
}
