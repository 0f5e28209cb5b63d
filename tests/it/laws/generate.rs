//! Generated values.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use stacklens::path::{Glob, GlobSegment, Path, Segment};
use stacklens::pulumi::urn::Urn;
use stacklens::value::{
    Archive, Asset, Map, Member, Number, Payload, Reference, ReferenceId, Text, Value,
};

/// The values for which a law holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kinds {
    /// Null, bool, string, array, map, and decimals of any size; no markers: what JSON can write.
    Plain,
    /// Everything that a Pulumi value can be, with finite numbers, in the form that decoding gives.
    Pulumi,
    /// Like `Pulumi`, without nulls, references and unknowns: values that are equal only to themselves.
    Distinct,
}

/// Any value of these kinds.
pub(crate) fn value(kinds: Kinds) -> BoxedStrategy<Value> {
    let leaf = leaf(kinds).prop_map(Value::new);
    let marked = move |value: BoxedStrategy<Value>| {
        if kinds == Kinds::Plain {
            value
        } else {
            marked(value)
        }
    };
    marked(leaf.boxed())
        .prop_recursive(4, 32, 5, move |inner| {
            let array = vec(inner.clone(), 0..5).prop_map(Value::from);
            let map = map_of(inner).prop_map(Value::from);
            marked(prop_oneof![array, map].boxed())
        })
        .boxed()
}

/// A map of any values of these kinds.
pub(crate) fn map(kinds: Kinds) -> impl Strategy<Value = Map> {
    map_of(value(kinds))
}

fn map_of(inner: BoxedStrategy<Value>) -> impl Strategy<Value = Map> {
    vec((key(), inner), 0..5).prop_map(|entries| entries.into_iter().collect())
}

fn marked(value: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let secret = prop::bool::weighted(0.2);
    let urns = prop_oneof![4 => Just(Vec::new()), 1 => vec(urn(), 0..3)];
    (value, secret, urns)
        .prop_map(|(value, secret, urns)| value.with_secret(secret).with_dependencies(urns))
        .boxed()
}

fn leaf(kinds: Kinds) -> BoxedStrategy<Payload> {
    let string = prop_oneof![3 => text().boxed(), 1 => bytes().boxed()].prop_map(Payload::String);
    let bool = any::<bool>().prop_map(Payload::Bool);
    let double = finite().prop_map(|double| Payload::Number(double.into()));
    let decimal = "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,12})?(e-?[0-9]{1,3})?"
        .prop_map(|text| Payload::Number(Number::exact(&text).expect("this is a number")));
    let null = Just(Payload::Null);
    match kinds {
        Kinds::Plain => prop_oneof![null, bool, decimal, string].boxed(),
        Kinds::Distinct => prop_oneof![bool, double, string, asset()].boxed(),
        Kinds::Pulumi => prop_oneof![
            null,
            bool,
            double,
            string,
            asset(),
            archive(),
            reference(),
            Just(Payload::Computed(None)),
        ]
        .boxed(),
    }
}

/// Doubles that JSON can represent.
fn finite() -> impl Strategy<Value = f64> {
    any::<f64>().prop_map(|double| if double.is_finite() { double } else { 0.5 })
}

/// A key, often one of a few, so that maps share keys.
pub(crate) fn key() -> BoxedStrategy<String> {
    prop_oneof![
        3 => "[abc]".boxed(),
        1 => Just(String::new()).boxed(),
        1 => Just("__internal".to_owned()).boxed(),
        1 => Just("root".to_owned()).boxed(),
        1 => Just("*".to_owned()).boxed(),
        1 => any::<String>().boxed(),
    ]
    .boxed()
}

fn text() -> impl Strategy<Value = Text> {
    any::<String>().prop_map(Text::from)
}

/// Strings that are not UTF-8, some because of a lone surrogate.
fn bytes() -> impl Strategy<Value = Text> {
    vec(
        prop_oneof![Just(&b"a"[..]), Just(&b"\xed\xa0\x80"[..])],
        1..4,
    )
    .prop_map(|parts| Text::from(parts.concat()))
}

fn urn() -> impl Strategy<Value = Urn> {
    "[ab]".prop_map(|name| Urn::from(format!("urn:pulumi:dev::shop::my:mod:Thing::{name}")))
}

/// Assets with a hash, because an asset without one is not even equal to itself.
fn asset() -> BoxedStrategy<Payload> {
    any_asset()
        .prop_map(|asset| Payload::Asset(asset.into()))
        .boxed()
}

fn any_asset() -> impl Strategy<Value = Asset> {
    let source = "[a-z]{1,3}";
    (source, 0..3, "[0-9a-f]{8}").prop_map(|(source, kind, hash)| {
        let mut asset = Asset {
            hash: hash.as_str().into(),
            ..Asset::default()
        };
        match kind {
            0 => asset.text = Some(source.as_str().into()),
            1 => asset.path = source.as_str().into(),
            _ => asset.uri = source.as_str().into(),
        }
        asset
    })
}

/// Archives of assets, and of archives.
fn archive() -> BoxedStrategy<Payload> {
    any_asset()
        .prop_map(|asset| Member::Asset(asset.into()))
        .prop_recursive(4, 12, 3, |member| {
            any_archive(member).prop_map(|archive| Member::Archive(archive.into()))
        })
        .prop_map(|member| match member {
            Member::Asset(asset) => Payload::Asset(asset),
            Member::Archive(archive) => Payload::Archive(archive),
        })
        .boxed()
}

fn any_archive(member: impl Strategy<Value = Member>) -> impl Strategy<Value = Archive> {
    let members = vec(("[ab]", member), 0..3);
    (members, 0..5, "[0-9a-f]{8}").prop_map(|(members, kind, hash)| {
        let mut archive = Archive {
            hash: hash.as_str().into(),
            ..Archive::default()
        };
        match kind {
            0 => archive.path = "p".into(),
            1 => archive.uri = "u".into(),
            _ => {
                let members = members.into_iter();
                let members = members.map(|(name, member)| (Arc::from(name), member));
                archive.assets = Some(members.collect());
            }
        }
        archive
    })
}

/// References with the name and type derived from the URN, as decoding gives them.
fn reference() -> BoxedStrategy<Payload> {
    let id = prop_oneof![
        Just(ReferenceId::None),
        Just(ReferenceId::Unknown),
        "[a-z0-9-]{1,8}".prop_map(|id| ReferenceId::Known(id.as_str().into())),
    ];
    (urn(), id, "(1\\.0)?")
        .prop_map(|(urn, id, version)| {
            let parts = urn.parts().expect("this is a URN");
            let reference = Reference {
                urn: urn.as_str().into(),
                id,
                package_version: version.as_str().into(),
                name: parts.name.into(),
                resource_type: parts.ty().into(),
            };
            Payload::Reference(reference.into())
        })
        .boxed()
}

/// A path that exists in `value` about half the time.
pub(crate) fn path() -> impl Strategy<Value = Path> {
    let index = (0_usize..4).prop_map(Segment::Index);
    let key = key().prop_map(|key| Segment::Key(key.into()));
    vec(prop_oneof![1 => index, 2 => key], 0..5).prop_map(Path)
}

/// A glob of the newer language.
pub(crate) fn glob() -> impl Strategy<Value = Glob> {
    let index = (0_usize..4).prop_map(GlobSegment::Index);
    let key = key().prop_map(|key| GlobSegment::Key(key.into()));
    let segment = prop_oneof![1 => index, 2 => key, 1 => Just(GlobSegment::Splat)];
    vec(segment, 0..5).prop_map(Glob)
}
