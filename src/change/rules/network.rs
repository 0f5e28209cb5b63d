//! Network access: the openings that a rule of a firewall, a security group or a list of addresses makes.
//!
//! The names of the fields differ from provider to provider, their meaning does not. An [`Opening`] is a range of addresses that
//! reaches a range of ports by a protocol. A change widens access if an opening after it is not inside one before it.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::collections::BTreeMap;
use std::sync::Arc;

use super::Part;
use super::condition::is_open;
use crate::change::vocabulary::WORDS;
use crate::text::folded;
use crate::value::{Map, Payload, Value};

/// A range of addresses, as the bits of the first one and the number of bits that count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Block {
    bits: u128,
    n_bits: u32,
    is_v6: bool,
}

/// Inbound access.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Opening {
    /// The addresses; `None` for a source that is not a range of addresses.
    from: Block,
    /// The lowest and the highest port.
    ports: (u16, u16),
    /// The protocol; `None` for all.
    protocol: Option<Box<str>>,
}

/// The change of access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    /// No address gains access.
    Same,
    /// Some addresses gain access.
    Wider,
    /// The whole internet gains access to the ports of web servers, and to nothing else.
    Web,
    /// The whole internet gains access.
    World,
    /// Addresses are not known.
    Unknown,
}

/// Words for every address.
const ANYWHERE: [&str; 3] = ["*", "any", "internet"];

/// The share of all addresses that is as good as the whole internet: `0.0.0.0/1` and its other half.
const WORLD: f64 = 0.5;

/// The share of all addresses from which on a range counts as a part of the whole internet: a `/8`.
const LARGE: f64 = 1.0 / 256.0;

/// Maximum number of openings on a side. More of them are not compared.
const MAX_OPENINGS: usize = 2000;

impl Block {
    const ALL_V4: Self = Self {
        bits: 0,
        n_bits: 0,
        is_v6: false,
    };

    /// Parses `10.0.0.0/8`, `10.0.0.1`, `::/0` or a word for every address.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if ANYWHERE.iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return Some(Self::ALL_V4);
        }
        let (address, n_bits) = match text.split_once('/') {
            Some((address, n_bits)) => (address, Some(n_bits.parse::<u32>().ok()?)),
            None => (text, None),
        };
        let (bits, most, is_v6) = match address.parse::<IpAddr>().ok()? {
            IpAddr::V4(address) => (u128::from(u32::from(address)) << 96, Ipv4Addr::BITS, false),
            IpAddr::V6(address) => (u128::from(address), Ipv6Addr::BITS, true),
        };
        // Azure writes every address as 0.0.0.0.
        let n_bits = n_bits.unwrap_or(if bits == 0 { 0 } else { most });
        let mask = u128::MAX
            .checked_shl(u128::BITS.checked_sub(n_bits)?)
            .unwrap_or(0);
        (n_bits <= most).then_some(Self {
            bits: bits & mask,
            n_bits,
            is_v6,
        })
    }

    /// True if every address of `other` is in this block.
    pub(super) fn contains(&self, other: &Self) -> bool {
        let shift = u128::BITS - self.n_bits;
        let head = |bits: u128| bits.checked_shr(shift).unwrap_or(0);
        self.is_v6 == other.is_v6
            && self.n_bits <= other.n_bits
            && head(self.bits) == head(other.bits)
    }

    /// True if every address of this block is in one of `blocks`.
    fn is_in_union(&self, blocks: &[Self]) -> bool {
        if blocks.iter().any(|it| it.contains(self)) {
            return true;
        }
        let inner = blocks.iter().filter(|it| self.contains(it));
        let inner: Vec<Self> = inner.copied().collect();
        // Each half needs a block.
        inner.len() > 1 && self.halves().iter().all(|half| half.is_in_union(&inner))
    }

    /// The two blocks that this one, which is no single address, consists of.
    fn halves(&self) -> [Self; 2] {
        let n_bits = self.n_bits + 1;
        let upper = 1 << (u128::BITS - n_bits);
        [self.bits, self.bits | upper].map(|bits| Self {
            bits,
            n_bits,
            ..*self
        })
    }

    pub(super) fn is_world(&self) -> bool {
        self.share() >= WORLD
    }

    /// The share of all addresses of its family.
    fn share(&self) -> f64 {
        0.5_f64.powf(f64::from(self.n_bits))
    }
}

impl Opening {
    /// Example: `10.0.0.0/8`.
    fn address(&self) -> String {
        let Block {
            bits,
            n_bits,
            is_v6,
        } = self.from;
        let address = if is_v6 {
            IpAddr::V6(Ipv6Addr::from(bits))
        } else {
            let [a, b, c, d, ..] = bits.to_be_bytes();
            IpAddr::V4(Ipv4Addr::new(a, b, c, d))
        };
        format!("{address}/{n_bits}")
    }

    /// Example: `10.0.0.0/8 to tcp 22`.
    fn in_words(&self) -> String {
        let address = self.address();
        let ports = match self.ports {
            (0, u16::MAX) => "all ports".to_owned(),
            (from, to) if from == to => from.to_string(),
            (from, to) => format!("{from}-{to}"),
        };
        match &self.protocol {
            Some(protocol) => format!("{address} to {protocol} {ports}"),
            None => format!("{address} to {ports}"),
        }
    }

    /// True if only a port of web servers is open.
    fn is_web(&self) -> bool {
        matches!(self.ports, (80, 80) | (443, 443))
    }

    fn contains(&self, other: &Self) -> bool {
        self.from.contains(&other.from) && self.is_for(other)
    }

    /// True if the ports and the protocol are those of `other`, or more.
    fn is_for(&self, other: &Self) -> bool {
        self.ports.0 <= other.ports.0
            && other.ports.1 <= self.ports.1
            && (self.protocol.is_none() || self.protocol == other.protocol)
    }
}

/// The openings that are new and reach as far as `wanted`, in words: `0.0.0.0/0 to tcp 22`.
pub(super) fn gained(before: &Value, after: &Value, wanted: Reach) -> Vec<Part> {
    let gained = Openings::gained(before, after);
    let all = || gained.found.iter().collect();
    let openings: Vec<&Opening> = match wanted {
        Reach::World => world(&gained.found),
        Reach::Web => {
            let mut openings = world(&gained.found);
            openings.retain(|it| it.is_web());
            openings
        }
        Reach::Same | Reach::Wider | Reach::Unknown => all(),
    };
    let old = Openings::of(before).found;
    let words = |it: &Opening| {
        // The range that becomes this one is part of the news.
        let mut narrower = old
            .iter()
            .filter(|old| it.contains(old) && old.from != it.from);
        match (narrower.next(), narrower.next()) {
            (Some(only), None) => Part::Becomes(only.address(), it.in_words()),
            _ => Part::Comes(it.in_words()),
        }
    };
    openings.into_iter().map(words).collect()
}

/// The change of inbound access between two values: addresses, lists of them, or rules that have them.
pub(super) fn reach(before: &Value, after: &Value) -> Reach {
    let gained = Openings::gained(before, after);
    let world = world(&gained.found);
    if world.iter().any(|it| !it.is_web()) {
        Reach::World
    } else if !world.is_empty() {
        Reach::Web
    } else if gained.has_unknown {
        Reach::Unknown
    } else if gained.found.is_empty() {
        Reach::Same
    } else {
        Reach::Wider
    }
}

/// The openings to the whole internet: each of them, or those that together are as good as it.
fn world(openings: &[Opening]) -> Vec<&Opening> {
    let together = |is_web: bool| {
        let own = openings.iter().filter(|it| it.is_web() == is_web);
        let mut blocks: Vec<Block> = own.map(|it| it.from).collect();
        blocks.sort_unstable_by_key(|it| (it.is_v6, it.bits, it.n_bits));
        // A block that is in another one comes after it.
        blocks.dedup_by(|inner, outer| outer.contains(inner));
        [false, true].map(|is_v6| {
            let own = blocks.iter().filter(|it| it.is_v6 == is_v6);
            let shares: Vec<f64> = own.map(Block::share).collect();
            let is_one = shares.iter().any(|share| *share >= WORLD);
            !is_one && shares.iter().sum::<f64>() >= WORLD
        })
    };
    let (web, others) = (together(true), together(false));
    let is_world = |it: &&Opening| {
        let together = if it.is_web() { web } else { others };
        it.from.is_world() || together[usize::from(it.from.is_v6)] && it.from.share() >= LARGE
    };
    openings.iter().filter(is_world).collect()
}

/// True if a rule of a network policy of Kubernetes, or one in a list, lets in every pod of the cluster or every address: it names
/// no source, or all namespaces.
pub(super) fn lets_all_in(value: &Value) -> bool {
    if let Some(rules) = value.as_array() {
        return rules.iter().any(lets_all_in);
    }
    if value.as_map().is_none() {
        return false;
    }
    let sources = value.get("from").and_then(Value::as_array);
    let mut sources = sources.into_iter().flatten().peekable();
    let is_for_all = |source: &Value| {
        let namespaces = selects_all(source, ["namespaceSelector", "namespace_selector"]);
        let pods = selects_all(source, ["podSelector", "pod_selector"]);
        namespaces == Some(true) && pods != Some(false)
    };
    sources.peek().is_none() || sources.any(is_for_all)
}

/// True if the selector in a field selects everything; `None` if there is none.
fn selects_all(source: &Value, names: [&str; 2]) -> Option<bool> {
    let selector = names.into_iter().find_map(|name| source.get(name))?;
    let selector = match selector.as_array() {
        Some(blocks) => blocks.as_slice().first()?,
        None => selector,
    };
    let is_something = |value: &Value| {
        let payload = value.payload();
        !matches!(payload, Payload::Null | Payload::Array(_) | Payload::Map(_))
    };
    (!selector.is_null()).then(|| !selector.any(is_something))
}

/// Properties that say which traffic a rule is about, and are compared by it. All others must be equal.
const RANGES: [&str; 8] = [
    "fromport",
    "toport",
    "port",
    "portrange",
    "destinationportrange",
    "protocol",
    "ipprotocol",
    "allow",
];

/// The traffic that a rule lets through, in either direction.
#[derive(Debug)]
pub struct Traffic {
    openings: Openings,
    /// The properties without names, with those that say which traffic it is.
    rule: Value,
    /// The properties that decide about it in another way.
    others: BTreeMap<String, Value>,
}

impl Traffic {
    /// The traffic of a rule with these properties; `None` if one of them is masked or not known, or if it names no addresses.
    pub fn of<'v>(properties: impl Iterator<Item = (&'v Arc<str>, &'v Value)>) -> Option<Self> {
        let (mut rule, mut others) = (Map::default(), BTreeMap::new());
        for (key, value) in properties {
            let name = folded(key);
            let is_source = WORDS.sources.has(&name);
            if value.has_secrets() || value.has_computed() || is_source && !are_addresses(value) {
                return None;
            }
            // Both have the same direction, and then it says nothing of their addresses.
            if !matches!(&*name, "type" | "direction") {
                rule = rule.set(key.clone(), value.clone());
            }
            if !is_source && !RANGES.contains(&&*name) {
                others.insert(name, value.clone());
            }
        }
        let rule = Value::from(rule);
        let openings = Openings::of(&rule);
        let is_known = !openings.found.is_empty() && !openings.has_unknown && !openings.is_too_many;
        is_known.then_some(Self {
            openings,
            rule,
            others,
        })
    }

    /// True if all that `other` lets through comes through here too.
    pub fn holds(&self, other: &Self) -> bool {
        self.others == other.others
            && other
                .openings
                .found
                .iter()
                .all(|it| self.openings.contain(it))
    }

    /// True if both rules say the same in the same words.
    pub fn is_same(&self, other: &Self) -> bool {
        self.others == other.others && self.rule == other.rule
    }
}

/// True for addresses, and for nothing else.
fn are_addresses(value: &Value) -> bool {
    match value.payload() {
        Payload::Null => true,
        Payload::Array(items) => items.iter().all(are_addresses),
        Payload::String(text) => {
            let mut parts = text.as_str().unwrap_or_default().split(',');
            parts.all(|part| Block::parse(part.trim()).is_some())
        }
        _ => false,
    }
}

#[derive(Default, Debug)]
struct Openings {
    found: Vec<Opening>,
    has_unknown: bool,
    is_too_many: bool,
}

impl Openings {
    fn of(value: &Value) -> Self {
        let mut openings = Self::default();
        openings.read(value);
        openings
    }

    /// The openings of `after` that are not inside one of `before`.
    fn gained(before: &Value, after: &Value) -> Self {
        let [old, mut new] = [before, after].map(Self::of);
        new.found.retain(|it| !old.contain(it));
        let is_too_many = old.is_too_many || new.is_too_many;
        // Access that is not known before may be the same.
        if is_too_many || old.has_unknown && !new.found.is_empty() {
            new.found.clear();
            new.has_unknown = true;
        }
        new
    }

    /// True if these openings together let in all that `other` does.
    fn contain(&self, other: &Opening) -> bool {
        let like_it = self.found.iter().filter(|it| it.is_for(other));
        let blocks: Vec<Block> = like_it.map(|it| it.from).collect();
        other.from.is_in_union(&blocks)
    }

    fn read(&mut self, value: &Value) {
        if is_open(value) {
            self.has_unknown = true;
            return;
        }
        match value.payload() {
            Payload::Array(items) => items.iter().for_each(|item| self.read(item)),
            Payload::Map(_) => self.read_rule(value),
            _ => self.addresses(value, (0, u16::MAX), None),
        }
    }

    /// The openings of one rule: those of its addresses to each of its ports.
    fn read_rule(&mut self, rule: &Value) {
        let mut fields = Fields::default();
        fields.read(rule);
        if fields.is_closed {
            return;
        }
        if fields.has_unknown {
            self.has_unknown = true;
            return;
        }
        if fields.ports.is_empty() {
            let (from, to) = fields.range;
            let range = (from.or(to).unwrap_or(0), to.or(from).unwrap_or(u16::MAX));
            fields.ports.push((range, fields.protocol.take()));
        }
        for addresses in &fields.addresses {
            for (range, protocol) in &fields.ports {
                // A rule for all protocols has no ports.
                let range = if protocol.is_none() && fields.has_every_protocol {
                    (0, u16::MAX)
                } else {
                    *range
                };
                if self.is_too_many {
                    return;
                }
                self.addresses(addresses, range, protocol.as_deref());
            }
        }
    }

    fn addresses(&mut self, value: &Value, ports: (u16, u16), protocol: Option<&str>) {
        if is_open(value) {
            self.has_unknown = true;
            return;
        }
        match value.payload() {
            Payload::Array(items) => {
                for item in items {
                    self.addresses(item, ports, protocol);
                }
            }
            Payload::String(text) => {
                // An annotation has several addresses in one text.
                for part in text.as_str().unwrap_or_default().split(',') {
                    self.is_too_many |= self.found.len() >= MAX_OPENINGS;
                    if self.is_too_many {
                        return;
                    }
                    self.found
                        .extend(Block::parse(part.trim()).map(|from| Opening {
                            from,
                            ports,
                            protocol: protocol.map(Box::from),
                        }));
                }
            }
            _ => {}
        }
    }
}

/// The lowest and the highest port, and the protocol; `None` for all.
type PortRange = ((u16, u16), Option<Box<str>>);

/// The fields of a rule, whatever their names are.
#[derive(Default)]
struct Fields<'v> {
    addresses: Vec<&'v Value>,
    range: (Option<u16>, Option<u16>),
    ports: Vec<PortRange>,
    protocol: Option<Box<str>>,
    has_every_protocol: bool,
    /// True if a field that narrows the rule is masked or unknown.
    has_unknown: bool,
    /// True for a rule that denies, or that is about outbound traffic, or that is switched off.
    is_closed: bool,
}

impl<'v> Fields<'v> {
    fn read(&mut self, rule: &'v Value) {
        for (key, value) in rule.as_map().into_iter().flatten() {
            if value.is_null() {
                continue;
            }
            let key = folded(key);
            if WORDS.narrowing.has(&key) && (value.has_secrets() || value.has_computed()) {
                self.has_unknown = true;
                continue;
            }
            match &*key {
                // The address of an authorized network.
                "value" => self.addresses.push(value),
                "fromport" => self.range.0 = port(value),
                "toport" => self.range.1 = port(value),
                "port" | "portrange" | "destinationportrange" => self.port_list(value, None),
                "protocol" | "ipprotocol" => {
                    let text = value.as_str().map(str::to_ascii_lowercase);
                    let text = text.unwrap_or_else(|| value.to_string());
                    self.has_every_protocol = matches!(&*text, "-1" | "all" | "*" | "any");
                    self.protocol =
                        (!self.has_every_protocol).then(|| named_protocol(&text).into());
                }
                // The parts of a rule of Google's: protocols with their ports.
                "allow" => {
                    for part in value
                        .as_array()
                        .map_or(std::slice::from_ref(value), |it| it.as_slice())
                    {
                        self.allow(part);
                    }
                }
                "deny" => {
                    let is_empty = value.as_array().is_some_and(crate::value::Array::is_empty);
                    self.is_closed |= !is_empty;
                }
                "direction" | "type" | "access" | "ruleaction" | "action" => {
                    let text = value.as_str().unwrap_or_default().to_ascii_lowercase();
                    self.is_closed |= matches!(
                        &*text,
                        "egress" | "outbound" | "out" | "deny" | "block" | "drop"
                    );
                }
                "egress" | "disabled" => self.is_closed |= value.as_bool() == Some(true),
                key if WORDS.sources.has(key) => self.sources(value),
                _ => {}
            }
        }
        // The ports of one protocol that stands beside them.
        let protocol = self.protocol.clone();
        for (_, of_port) in &mut self.ports {
            if of_port.is_none() {
                of_port.clone_from(&protocol);
            }
        }
    }

    fn sources(&mut self, value: &'v Value) {
        if is_open(value) {
            self.addresses.push(value);
            return;
        }
        match value.payload() {
            Payload::Map(map) => map.values().for_each(|value| self.sources(value)),
            Payload::Array(items) if items.iter().any(|it| it.as_map().is_some()) => {
                items.iter().for_each(|value| self.sources(value));
            }
            _ => self.addresses.push(value),
        }
    }

    fn allow(&mut self, part: &Value) {
        let protocol = part
            .get("protocol")
            .and_then(Value::as_str)
            .map(str::to_ascii_lowercase);
        let protocol = protocol.filter(|text| !matches!(&**text, "all" | "*"));
        let protocol: Option<Box<str>> = protocol.map(|text| named_protocol(&text).into());
        match part.get("ports") {
            Some(ports) if ports.as_array().is_some_and(|it| !it.is_empty()) => {
                self.port_list(ports, protocol.as_deref());
            }
            _ => self.ports.push(((0, u16::MAX), protocol)),
        }
    }

    fn port_list(&mut self, value: &Value, protocol: Option<&str>) {
        if let Some(items) = value.as_array() {
            for item in items {
                self.port_list(item, protocol);
            }
            return;
        }
        let range = match value.as_str() {
            Some("*") => Some((0, u16::MAX)),
            Some(text) => {
                let (from, to) = text.split_once('-').unwrap_or((text, text));
                from.trim().parse().ok().zip(to.trim().parse().ok())
            }
            None => port(value).map(|port| (port, port)),
        };
        let range = range.map(|range| (range, protocol.map(Box::from)));
        self.ports.extend(range);
    }
}

fn port(value: &Value) -> Option<u16> {
    match value.as_str() {
        Some(text) => text.parse().ok(),
        None => u16::try_from(value.as_number()?.to_i64()?).ok(),
    }
}

fn named_protocol(text: &str) -> &str {
    match text {
        "6" => "tcp",
        "17" => "udp",
        "1" => "icmp",
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Numbers, parse};

    #[track_caller]
    fn check(before: &str, after: &str, want: Reach) {
        let value = |json: &str| parse(json.as_bytes(), Numbers::Exact).unwrap().value;
        let found = reach(&value(before), &value(after));
        assert_eq!(found, want, "{before} and {after}");
    }

    #[test]
    fn ranges_of_addresses_contain_each_other() {
        let block = |text: &str| Block::parse(text).unwrap();
        assert!(block("10.0.0.0/8").contains(&block("10.1.2.3")));
        assert!(block("0.0.0.0/0").contains(&block("192.0.2.0/24")));
        assert!(!block("0.0.0.0/0").contains(&block("::/0")));
        assert!(!block("10.1.0.0/16").contains(&block("10.0.0.0/8")));
        assert!(block("2001:db8::/32").contains(&block("2001:db8:1::/48")));
        for wrong in ["10.0.0.0/33", "10.0.0", "sg-1", "10.0.0.0/x"] {
            assert_eq!(Block::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn addresses_that_gain_access_are_found_in_lists() {
        check(
            r#"["10.0.0.0/8"]"#,
            r#"["10.1.0.0/16", "10.2.0.0/16"]"#,
            Reach::Same,
        );
        check(
            r#"["10.0.0.0/8"]"#,
            r#"["10.0.0.0/8", "192.0.2.1/32"]"#,
            Reach::Wider,
        );
        check(r#"["10.0.0.0/8"]"#, r#"["0.0.0.0/0"]"#, Reach::World);
        check("null", r#""::/0""#, Reach::World);
        check(
            r#""10.0.0.0/8""#,
            r#"["0.0.0.0/1", "128.0.0.0/1"]"#,
            Reach::World,
        );
        check(r#""*""#, r#""Internet""#, Reach::Same);
    }

    #[test]
    fn ports_and_protocols_count() {
        let rule = |port: u16, protocol: &str, cidr: &str| {
            format!(
                r#"{{"from_port": {port}, "to_port": {port}, "protocol": "{protocol}", "cidr_blocks": ["{cidr}"], "description": "x"}}"#
            )
        };
        let list = |rules: &[String]| format!("[{}]", rules.join(","));
        let https = rule(443, "tcp", "0.0.0.0/0");
        let ssh = rule(22, "tcp", "0.0.0.0/0");
        let inner = rule(22, "tcp", "10.0.0.0/8");
        check(
            &list(std::slice::from_ref(&https)),
            &list(&[https.clone(), ssh.clone()]),
            Reach::World,
        );
        check(
            &list(&[inner.clone(), https.clone()]),
            &list(&[https.clone(), inner.clone()]),
            Reach::Same,
        );
        check(
            &list(std::slice::from_ref(&https)),
            &list(&[https, inner]),
            Reach::Wider,
        );
        check(&ssh, &ssh.replace("\"x\"", "\"y\""), Reach::Same);
        check(&ssh, &rule(22, "6", "0.0.0.0/0"), Reach::Same);
        check(&ssh, &ssh.replace("tcp", "-1"), Reach::World);
    }

    #[test]
    fn outbound_rules_and_denials_open_nothing() {
        for rule in [
            r#"{"type": "egress", "cidr_blocks": ["0.0.0.0/0"]}"#,
            r#"{"direction": "EGRESS", "source_ranges": ["0.0.0.0/0"]}"#,
            r#"{"access": "Deny", "direction": "Inbound", "source_address_prefix": "*"}"#,
            r#"{"source_ranges": ["0.0.0.0/0"], "deny": [{"protocol": "all"}]}"#,
            r#"{"source_ranges": ["0.0.0.0/0"], "disabled": true, "allow": [{"protocol": "tcp"}]}"#,
            r#"{"rule_action": "allow", "egress": true, "cidr_block": "0.0.0.0/0"}"#,
        ] {
            check("null", rule, Reach::Same);
        }
    }

    #[test]
    fn rules_of_the_large_providers_are_read() {
        for rule in [
            r#"{"ip_protocol": "tcp", "from_port": 22, "to_port": 22, "cidr_ipv4": "0.0.0.0/0"}"#,
            r#"{"direction": "INGRESS", "sourceRanges": ["0.0.0.0/0"], "allows": [{"protocol": "tcp", "ports": ["22", "8000-9000"]}]}"#,
            r#"{"access": "Allow", "direction": "Inbound", "source_address_prefix": "Internet", "destination_port_range": "3389"}"#,
            r#"[{"name": "all", "value": "0.0.0.0/0"}]"#,
        ] {
            check("null", rule, Reach::World);
        }
        let google = |port: &str| {
            format!(
                r#"{{"source_ranges": ["0.0.0.0/0"], "allow": [{{"protocol": "tcp", "ports": ["{port}"]}}]}}"#
            )
        };
        check(&google("443"), &google("443-444"), Reach::World);
        check(&google("444"), &google("443"), Reach::Web);
        check(&google("1-1000"), &google("443"), Reach::Same);
    }

    #[test]
    fn gained_openings_are_named() {
        let before = parse(br#"["10.0.0.0/8"]"#, Numbers::Exact).unwrap().value;
        let after = br#"[{"protocol": "tcp", "from_port": 22, "to_port": 23, "cidr_blocks": ["10.0.0.0/16", "192.0.2.9/24"],
            "ipv6_cidr_blocks": ["::/0"]}]"#;
        let after = parse(after, Numbers::Exact).unwrap().value;
        let comes = |words: &str| Part::Comes(words.to_owned());
        assert_eq!(
            gained(&before, &after, Reach::Wider),
            ["192.0.2.0/24 to tcp 22-23", "::/0 to tcp 22-23"].map(comes)
        );
        assert_eq!(
            gained(&before, &after, Reach::World),
            [comes("::/0 to tcp 22-23")]
        );
        let list = |text: &str| Value::from(vec![Value::from(text)]);
        assert_eq!(
            gained(&list("10.0.0.0/22"), &list("10.0.0.0/2"), Reach::Wider),
            [Part::Becomes(
                "10.0.0.0/22".to_owned(),
                "0.0.0.0/2 to all ports".to_owned()
            )]
        );
        assert!(gained(&before, &after, Reach::Web).is_empty());
    }

    #[test]
    fn a_masked_or_unknown_field_leaves_a_rule_unjudged_and_unnamed() {
        let aws = r#"{"cidr_blocks": ["0.0.0.0/0"], "from_port": 4711, "to_port": 4711, "protocol": "4711", "type": "4711"}"#;
        let azure = r#"{"source_address_prefix": "*", "destination_port_ranges": ["4711"], "protocol": "4711", "access": "4711",
            "direction": "4711"}"#;
        let google = r#"{"source_ranges": ["0.0.0.0/0"], "allow": [{"protocol": "4711", "ports": ["4711"]}], "deny": [],
            "disabled": false}"#;
        let acl = r#"{"cidr_block": "0.0.0.0/0", "rule_action": "4711", "egress": false, "from_port": 4711, "to_port": 4711}"#;
        for rule in [aws, azure, google, acl] {
            let rule = parse(rule.as_bytes(), Numbers::Exact).unwrap().value;
            let fields = rule.as_map().unwrap();
            assert_eq!(reach(&Value::NULL, &rule), Reach::World);
            for (key, value) in fields {
                for hidden in [value.clone().with_secret(true), Value::computed()] {
                    let masked = Value::from(fields.clone().set(&**key, hidden));
                    assert_eq!(reach(&Value::NULL, &masked), Reach::Unknown, "{key}");
                    assert!(
                        gained(&Value::NULL, &masked, Reach::Wider).is_empty(),
                        "{key}"
                    );
                    // The rule may have been the same before.
                    assert_eq!(reach(&masked, &rule), Reach::Unknown, "{key}");
                }
            }
            let masked = Value::from(vec![rule.with_secret(true)]);
            assert_eq!(reach(&Value::NULL, &masked), Reach::Unknown);
            assert!(gained(&Value::NULL, &masked, Reach::Wider).is_empty());
        }
        let part = r#"{"source_ranges": ["0.0.0.0/0"], "allow": [{"protocol": "4711"}]}"#;
        let part = parse(part.as_bytes(), Numbers::Exact).unwrap().value;
        let protocol = crate::path::Path::parse("allow[0].protocol").unwrap();
        let masked = protocol.get(&part).unwrap().clone().with_secret(true);
        let allow = Value::from(vec![Value::from(crate::value::Map::from_iter([(
            "protocol", masked,
        )]))]);
        let masked = Value::from(part.as_map().unwrap().clone().set("allow", allow));
        assert_eq!(reach(&Value::NULL, &masked), Reach::Unknown);
    }

    #[test]
    fn blocks_that_are_the_world_together_open_to_it() {
        let quarters = r#"["0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/2", "192.0.0.0/2", "10.0.0.0/8"]"#;
        check(r#"["10.0.0.0/8"]"#, quarters, Reach::World);
        check(
            "[]",
            r#"["64.0.0.0/2", "64.0.0.0/2", "64.0.0.0/3"]"#,
            Reach::Wider,
        );
        check("[]", r#"["0.0.0.0/2", "4000::/2"]"#, Reach::Wider);
    }

    #[test]
    fn ranges_that_were_open_together_are_no_news() {
        let halves = r#"["10.0.0.0/9", "10.128.0.0/9"]"#;
        check(halves, r#"["10.0.0.0/8"]"#, Reach::Same);
        check(r#"["10.0.0.0/9"]"#, r#"["10.0.0.0/8"]"#, Reach::Wider);
        check(halves, r#"["10.0.0.0/7"]"#, Reach::Wider);
        let quarters = r#"["10.0.0.0/9", "10.128.0.0/10", "10.192.0.0/11"]"#;
        check(quarters, r#"["10.0.0.0/8"]"#, Reach::Wider);
        check(
            r#""10.0.0.0/8, 192.0.2.1""#,
            r#""10.0.0.0/8,192.0.2.1""#,
            Reach::Same,
        );
        let rule = |port: u16, cidr: &str| {
            format!(r#"{{"from_port": {port}, "to_port": {port}, "cidr_blocks": ["{cidr}"]}}"#)
        };
        let other_port = format!("[{},{}]", rule(22, "10.0.0.0/9"), rule(23, "10.128.0.0/9"));
        check(
            &other_port,
            &format!("[{}]", rule(22, "10.0.0.0/8")),
            Reach::Wider,
        );
        check(r#"["::/1", "8000::/1"]"#, r#"["::/0"]"#, Reach::Same);
    }

    #[test]
    fn a_rule_without_a_source_lets_everybody_in() {
        let is = |json: &str| lets_all_in(&parse(json.as_bytes(), Numbers::Exact).unwrap().value);
        for all in [
            "[{}]",
            r#"[{"ports": [{"port": 80}]}]"#,
            r#"[{"from": []}]"#,
            r#"[{"from": [{"namespaceSelector": {}}]}]"#,
            r#"[{"from": [{"namespace_selector": [{"match_labels": null}], "pod_selector": []}]}]"#,
        ] {
            assert!(is(all), "{all}");
        }
        for some in [
            "[]",
            "null",
            r#"[{"from": [{"podSelector": {}}]}]"#,
            r#"[{"from": [{"namespaceSelector": {}, "podSelector": {"matchLabels": {"a": "b"}}}]}]"#,
            r#"[{"from": [{"namespace_selector": [], "ip_block": [{"cidr": "10.0.0.0/8"}]}]}]"#,
        ] {
            assert!(!is(some), "{some}");
        }
    }

    #[test]
    fn too_many_openings_are_not_judged() {
        let firewall = |n: usize| {
            let sources: Vec<_> = (0..n)
                .map(|it| format!(r#""10.0.{}.{}""#, it / 250, it % 250))
                .collect();
            let ports: Vec<_> = (0..n).map(|it| format!("{it}")).collect();
            format!(
                r#"{{"source_ranges": [{}], "allow": [{{"protocol": "tcp", "ports": [{}]}}]}}"#,
                sources.join(","),
                ports.join(",")
            )
        };
        check("null", &firewall(40), Reach::Wider);
        check("null", &firewall(7000), Reach::Unknown);
    }

    #[test]
    fn unknown_addresses_are_not_judged() {
        let unknown = Value::from(vec![Value::computed()]);
        assert_eq!(reach(&Value::NULL, &unknown), Reach::Unknown);
        let both = Value::from(vec![Value::computed(), Value::from("0.0.0.0/0")]);
        assert_eq!(reach(&Value::NULL, &both), Reach::World);
    }
}
