//! The words of a name, in whatever style it is written: `db_password`, `DB-PASSWORD`, `dbPassword` and `DBPassword` have the same two.

use std::borrow::Cow;

/// The words of a name as it writes them: `DB` and `Password` of `DBPassword`.
///
/// Every character that is neither a letter nor a digit separates words. A capital begins one after a small letter or a digit, and
/// where a small letter follows several capitals: `AWSSecretKey` is `AWS`, `Secret` and `Key`. The `s` of a plural and the `v` of a
/// version belong to the capitals before them: `subnetIDs`, `IPv4Range`.
pub(crate) fn pieces(name: &str) -> impl Iterator<Item = &str> {
    let runs = name.split(|char: char| !char.is_alphanumeric());
    runs.flat_map(|run| {
        let mut rest = run;
        std::iter::from_fn(move || {
            let (word, after) = rest.split_at(end_of_word(rest));
            rest = after;
            (!word.is_empty()).then_some(word)
        })
    })
}

/// The end of the first word in a run of letters and digits, in bytes.
fn end_of_word(run: &str) -> usize {
    let mut chars = run.char_indices();
    let Some((_, mut last)) = chars.next() else {
        return 0;
    };
    for (at, char) in chars {
        if char.is_uppercase()
            && (!last.is_uppercase() || begins_small(&run[at + char.len_utf8()..]))
        {
            return at;
        }
        last = char;
    }
    run.len()
}

/// True if a word goes on in small letters after a capital, so that the capital is its first letter.
fn begins_small(rest: &str) -> bool {
    let mut chars = rest.chars();
    let (first, second) = (chars.next(), chars.next());
    let is_of_capitals = match first {
        Some('s') => !second.is_some_and(char::is_lowercase),
        Some('v') => second.is_some_and(char::is_numeric),
        _ => false,
    };
    first.is_some_and(char::is_lowercase) && !is_of_capitals
}

/// The words of a name in lower case.
pub(crate) fn words(name: &str) -> Vec<String> {
    pieces(name).map(str::to_lowercase).collect()
}

/// True if a word of a name, in its singular, is one of these.
pub(crate) fn has_word(name: &str, list: &[impl AsRef<str>]) -> bool {
    pieces(name).any(|piece| {
        let word = piece.to_lowercase();
        let word = singular(&word);
        list.iter().any(|it| it.as_ref() == word)
    })
}

/// The sign for a name in a text.
pub(crate) const NAME: &str = "‹name›";

/// The names in the identity of a resource, as words: the name and the keys of its address, and those of its modules, or the end of its
/// URN. Types are none.
fn own_names<'i>(identity: &'i str) -> Vec<Vec<&'i str>> {
    let mut names = Vec::new();
    if let Some((_, name)) = identity.rsplit_once("::") {
        names.push(name);
    } else {
        let mut is_in_key = false;
        let steps = identity.split(|char: char| {
            is_in_key = char == '[' || is_in_key && char != ']';
            matches!(char, '[' | ']') || char == '.' && !is_in_key
        });
        let steps: Vec<&str> = steps.filter(|it| !it.is_empty()).collect();
        // The type stands before the name, and keys are quoted or numbers.
        let is_key =
            |step: &&str| step.starts_with(['"', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        let plain = steps.iter().rposition(|step| !is_key(step));
        let ty = plain.and_then(|at| at.checked_sub(1));
        let own = steps.iter().enumerate();
        let own = own.filter(|(at, step)| Some(*at) != ty && !matches!(**step, "module" | "data"));
        names.extend(own.map(|(_, step)| *step));
    }
    let words = |name: &'i str| -> Vec<&'i str> {
        let words = name.split(|it: char| !it.is_alphanumeric());
        words.filter(|it| !it.is_empty()).collect()
    };
    let mut names: Vec<Vec<&str>> = names.into_iter().map(words).collect();
    names.retain(|it| !it.is_empty());
    names.sort_by_key(|it| std::cmp::Reverse(it.len()));
    names
}

/// A text in which the names of a resource with this identity are called so: `orders-dlq` of `lab_queue.it["orders"]` is `‹name›-dlq`.
/// `None` if it has none.
pub(crate) fn with_name(text: &str, identity: &str) -> Option<String> {
    let names = own_names(identity);
    let mut out = String::new();
    let mut rest = text;
    let mut has_name = false;
    while !rest.is_empty() {
        let start = rest.find(char::is_alphanumeric).unwrap_or(rest.len());
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let found = names.iter().find_map(|name| end_of_name(rest, name));
        let end = found.unwrap_or_else(|| {
            let end = rest.find(|it: char| !it.is_alphanumeric());
            end.unwrap_or(rest.len())
        });
        if found.is_some() {
            out.push_str(NAME);
            has_name = true;
        } else {
            out.push_str(&rest[..end]);
        }
        rest = &rest[end..];
    }
    has_name.then_some(out)
}

/// The end of a name at the start of a text, with one sign between its words.
fn end_of_name(text: &str, name: &[&str]) -> Option<usize> {
    let mut rest = text;
    for (at, word) in name.iter().enumerate() {
        if at > 0 {
            let mut chars = rest.chars();
            chars.next().filter(|it| !it.is_alphanumeric())?;
            rest = chars.as_str();
        }
        rest = rest.strip_prefix(word)?;
        if rest.starts_with(char::is_alphanumeric) {
            return None;
        }
    }
    Some(text.len() - rest.len())
}

/// The words of a name in lower case, without separators: `subnetids` of `subnet_ids` and of `subnetIds`.
pub(crate) fn joined(name: &str) -> String {
    join(name).0
}

/// Like [`joined`], with the last word in its singular: `subnetid` of `subnet_ids` and of `subnetId`.
pub(crate) fn folded(name: &str) -> String {
    let (mut folded, last) = join(name);
    if let Some((n_cut, end)) = plural_ending(&folded[last..]) {
        folded.truncate(folded.len() - n_cut);
        folded.push_str(end);
    }
    folded
}

/// The joined words of a name, and the byte offset of the last one.
fn join(name: &str) -> (String, usize) {
    let mut joined = String::with_capacity(name.len());
    let mut last = 0;
    for piece in pieces(name) {
        last = joined.len();
        if piece.is_ascii() {
            let bytes = piece.bytes();
            joined.extend(bytes.map(|byte| char::from(byte.to_ascii_lowercase())));
        } else {
            joined.push_str(&piece.to_lowercase());
        }
    }
    (joined, last)
}

/// A word in lower case without the ending of its plural: `rule` of `rules`, `policy` of `policies`.
pub(crate) fn singular(word: &str) -> Cow<'_, str> {
    match plural_ending(word) {
        Some((n_cut, "")) => Cow::Borrowed(&word[..word.len() - n_cut]),
        Some((n_cut, end)) => Cow::Owned(format!("{}{end}", &word[..word.len() - n_cut])),
        None => Cow::Borrowed(word),
    }
}

/// Words whose `s` is no ending.
const NO_PLURALS: [&str; 8] = [
    "alias",
    "cors",
    "https",
    "iops",
    "kubernetes",
    "mtls",
    "redis",
    "series",
];

/// Plurals of three letters. Other words as short are abbreviations: `dns`, `tls`.
const SHORT_PLURALS: [&str; 6] = ["azs", "dbs", "ids", "ips", "ous", "vms"];

/// Endings of plurals with those of the singulars; the first that fits counts.
const PLURAL_ENDINGS: [(&str, &str); 15] = [
    ("aliases", "alias"),
    ("cookies", "cookie"),
    ("ies", "y"),
    ("sses", "ss"),
    ("tuses", "tus"),
    ("xes", "x"),
    ("tches", "tch"),
    ("nches", "nch"),
    ("rches", "rch"),
    ("shes", "sh"),
    ("pus", "pu"),
    ("ss", "ss"),
    ("us", "us"),
    ("sis", "sis"),
    ("s", ""),
];

/// The number of bytes at the end of a plural that its singular has not, and what it has in their place; `None` for any other word.
fn plural_ending(word: &str) -> Option<(usize, &'static str)> {
    if !word.ends_with('s')
        || NO_PLURALS.contains(&word)
        || word.len() <= 3 && !SHORT_PLURALS.contains(&word)
    {
        return None;
    }
    let mut endings = PLURAL_ENDINGS.iter();
    let (plural, singular) = endings.find(|(plural, _)| word.ends_with(plural))?;
    Some((plural.len(), singular))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_name_are_called_so() {
        let name = "module.shop[\"fx-rates\"].lab_queue.worker_dlq[0]";
        for (text, want) in [
            ("topics/fx-rates-dlq", Some("topics/‹name›-dlq")),
            ("fx:rates", Some("‹name›")),
            ("topics/orders-dlq", None),
            ("fxrates/ratesx/fx", None),
            ("lab-queue-module", None),
            // Half of a name is another one.
            ("worker/v2", None),
            ("shop/worker-dlq/0", Some("‹name›/‹name›/‹name›")),
            ("é-fx-rates-é", Some("é-‹name›-é")),
            ("", None),
        ] {
            assert_eq!(with_name(text, name).as_deref(), want, "{text}");
        }
    }

    #[test]
    fn names_of_every_style_have_words() {
        for (name, want) in [
            // Styles.
            ("db_password", "db password"),
            ("DB_PASSWORD", "db password"),
            ("db-password", "db password"),
            ("DB-Password", "db password"),
            ("db.password", "db password"),
            ("db password", "db password"),
            ("db/password:text", "db password text"),
            ("__db__password_", "db password"),
            ("dbPassword", "db password"),
            ("DbPassword", "db password"),
            ("dbpassword", "dbpassword"),
            ("DBSubnet_ids", "db subnet ids"),
            // Capitals.
            ("DBPassword", "db password"),
            ("SMTPPassword", "smtp password"),
            ("AWSSecretKey", "aws secret key"),
            ("IAMMember", "iam member"),
            ("enableRBAC", "enable rbac"),
            ("publicIPAddress", "public ip address"),
            ("isAList", "is a list"),
            ("OAuthToken", "o auth token"),
            ("minMTLSVersion", "min mtls version"),
            // A plural or a version after capitals.
            ("subnetIDs", "subnet ids"),
            ("subnetIDsByZone", "subnet ids by zone"),
            ("ARNs", "arns"),
            ("IPv4CidrBlock", "ipv4 cidr block"),
            ("allowIPv6", "allow ipv6"),
            // Digits.
            ("s3Bucket", "s3 bucket"),
            ("S3Bucket", "s3 bucket"),
            ("ec2TagFilters", "ec2 tag filters"),
            ("DB2Password", "db2 password"),
            ("sha256", "sha256"),
            ("password2", "password2"),
            ("password_2", "password 2"),
            ("HTTP2Enabled", "http2 enabled"),
            // Other letters.
            ("schlüsselÄndern", "schlüssel ändern"),
            ("ÜBERTokens", "über tokens"),
            ("名前Key", "名前 key"),
            ("key名前", "key名前"),
            ("", ""),
            ("_", ""),
        ] {
            assert_eq!(words(name).join(" "), want, "{name}");
        }
    }

    #[test]
    fn plurals_lose_their_ending() {
        for (plural, want) in [
            ("rules", "rule"),
            ("rule", "rule"),
            ("policies", "policy"),
            ("addresses", "address"),
            ("address", "address"),
            ("ingress", "ingress"),
            ("prefixes", "prefix"),
            ("caches", "cache"),
            ("batches", "batch"),
            ("branches", "branch"),
            ("hashes", "hash"),
            ("databases", "database"),
            ("aliases", "alias"),
            ("alias", "alias"),
            ("statuses", "status"),
            ("status", "status"),
            ("analysis", "analysis"),
            ("vcpus", "vcpu"),
            ("apis", "api"),
            ("uris", "uri"),
            ("cookies", "cookie"),
            ("ids", "id"),
            ("ips", "ip"),
            ("dns", "dns"),
            ("tls", "tls"),
            ("s", "s"),
            ("", ""),
        ] {
            assert_eq!(singular(plural), want, "{plural}");
            assert_eq!(folded(plural), want, "{plural}");
        }
    }

    #[test]
    fn a_part_of_a_word_is_no_word() {
        for name in ["source", "sourceRanges", "from_sources", "FromSOURCE"] {
            assert!(has_word(name, &["source"]), "{name}");
        }
        for name in ["resource_group_name", "resourceId", "datasource", ""] {
            assert!(!has_word(name, &["source"]), "{name}");
        }
    }

    #[test]
    fn folded_names_are_the_same_in_every_style() {
        for (one, other) in [
            ("volume_size", "volumeSize"),
            ("container", "containers"),
            ("access_policy", "accessPolicies"),
            ("address_prefix", "addressPrefixes"),
            ("ip_address", "ipAddresses"),
            ("subnet_id", "subnetIDs"),
            ("match-labels", "matchLabel"),
            ("DBSubnets", "db_subnet"),
            ("éTés", "é_té"),
        ] {
            assert_eq!(folded(one), folded(other));
        }
        assert_ne!(folded("size"), folded("sizing"));
    }
}
