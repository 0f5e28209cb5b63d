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
    ports: Ports,
    /// The protocol; `None` for all.
    protocol: Option<Box<str>>,
}

/// The ports of an opening.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Ports {
    /// The lowest and the highest one.
    Range(u16, u16),
    /// A text that is no number, such as `ssh`. Nobody knows which of the ports it means.
    Text(Box<str>),
}

impl Ports {
    const ALL: Self = Self::Range(0, u16::MAX);

    /// Parses `22`, `8000-9000`, `22/22`, or a word for all of them. A port of -1 is all of them, too.
    fn parse(text: &str) -> Self {
        let text = text.trim();
        let is_all = text.eq_ignore_ascii_case("all") || text.eq_ignore_ascii_case("any");
        if is_all || matches!(text, "*" | "-1" | "-1/-1") {
            return Self::ALL;
        }
        let (from, to) = text.split_once(['-', '/']).unwrap_or((text, text));
        let [from, to] = [from, to].map(|it| it.trim().parse::<u16>());
        match (from, to) {
            (Ok(from), Ok(to)) => Self::Range(from, to),
            (Err(_), _) | (_, Err(_)) => Self::Text(text.into()),
        }
    }

    /// True if each port of `other` is one of these.
    fn contains(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Range(from, to), Self::Range(other_from, other_to)) => {
                from <= other_from && other_to <= to
            }
            (Self::Range(..), Self::Text(_)) => *self == Self::ALL,
            (Self::Text(_), Self::Range(..)) => false,
            (Self::Text(own), Self::Text(other)) => own == other,
        }
    }
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
        let ports = match &self.ports {
            Ports::Range(0, u16::MAX) => "all ports".to_owned(),
            Ports::Range(from, to) if from == to => from.to_string(),
            Ports::Range(from, to) => format!("{from}-{to}"),
            Ports::Text(text) => text.to_string(),
        };
        match &self.protocol {
            Some(protocol) => format!("{address} to {protocol} {ports}"),
            None => format!("{address} to {ports}"),
        }
    }

    /// True if only a port of web servers is open.
    fn is_web(&self) -> bool {
        matches!(self.ports, Ports::Range(80, 80) | Ports::Range(443, 443))
    }

    fn contains(&self, other: &Self) -> bool {
        self.from.contains(&other.from) && self.is_for(other)
    }

    /// True if the ports and the protocol are those of `other`, or more.
    fn is_for(&self, other: &Self) -> bool {
        self.ports.contains(&other.ports)
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
            _ => self.addresses(value, &Ports::ALL, None),
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
            let ports = Ports::Range(from.or(to).unwrap_or(0), to.or(from).unwrap_or(u16::MAX));
            fields.ports.push((ports, fields.protocol.take()));
        }
        for addresses in &fields.addresses {
            for (ports, protocol) in &fields.ports {
                // A rule for all protocols has no ports.
                let ports = if protocol.is_none() && fields.has_every_protocol {
                    &Ports::ALL
                } else {
                    ports
                };
                if self.is_too_many {
                    return;
                }
                self.addresses(addresses, ports, protocol.as_deref());
            }
        }
    }

    fn addresses(&mut self, value: &Value, ports: &Ports, protocol: Option<&str>) {
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
                            ports: ports.clone(),
                            protocol: protocol.map(Box::from),
                        }));
                }
            }
            _ => {}
        }
    }
}

/// The fields of a rule, whatever their names are.
#[derive(Default)]
struct Fields<'v> {
    addresses: Vec<&'v Value>,
    range: (Option<u16>, Option<u16>),
    /// The ports, each with its protocol; `None` for all protocols.
    ports: Vec<(Ports, Option<Box<str>>)>,
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
                "fromport" => self.range.0 = self.end(value),
                "toport" => self.range.1 = self.end(value),
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
            _ => self.ports.push((Ports::ALL, protocol)),
        }
    }

    fn port_list(&mut self, value: &Value, protocol: Option<&str>) {
        if let Some(items) = value.as_array() {
            for item in items {
                self.port_list(item, protocol);
            }
            return;
        }
        let protocol = protocol.map(Box::from);
        match (value.as_str(), port(value)) {
            (Some(text), _) => {
                let all = text.split(',').filter(|it| !it.trim().is_empty());
                let all = all.map(Ports::parse);
                self.ports.extend(all.map(|it| (it, protocol.clone())));
            }
            (None, Some(port)) => self.ports.push((Ports::Range(port, port), protocol)),
            (None, None) => {}
        }
    }

    /// The first or the last port of a range; `None` for all ports. A text that is no number says which ports it is about.
    fn end(&mut self, value: &Value) -> Option<u16> {
        let Some(text) = value.as_str().filter(|it| !it.is_empty()) else {
            return port(value);
        };
        match Ports::parse(text) {
            Ports::ALL => None,
            Ports::Range(from, to) if from == to => Some(from),
            ports @ (Ports::Range(..) | Ports::Text(_)) => {
                self.ports.push((ports, None));
                None
            }
        }
    }
}

fn port(value: &Value) -> Option<u16> {
    u16::try_from(value.as_number()?.to_i64()?).ok()
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
mod tests;
