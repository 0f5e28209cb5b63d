//! The order in which Terraform lists resources.

use std::cmp::Ordering;

use super::{Address, AddressMode, Key, ModuleStep};

impl Address {
    /// How `self` and `other` stand in the lists of Terraform: fewer modules first, data sources before resources, then by type,
    /// name and instance.
    ///
    /// # Source
    ///
    /// hashicorp/terraform 1.11, `addrs.AbsResourceInstance.Less`.
    pub fn compare(&self, other: &Self) -> Ordering {
        let is_resource = |address: &Self| address.mode != AddressMode::Data;
        compare_modules(&self.module, &other.module)
            .then_with(|| is_resource(self).cmp(&is_resource(other)))
            .then_with(|| self.ty.cmp(&other.ty))
            .then_with(|| self.name.cmp(&other.name))
            .then_with(|| compare_keys(self.key.as_ref(), other.key.as_ref()))
    }
}

fn compare_modules(one: &[ModuleStep], other: &[ModuleStep]) -> Ordering {
    let steps = || one.iter().zip(other);
    one.len().cmp(&other.len()).then_with(|| {
        let orders = steps().map(|(one, other)| {
            one.name
                .cmp(&other.name)
                .then_with(|| compare_keys(one.key.as_ref(), other.key.as_ref()))
        });
        orders.fold(Ordering::Equal, Ordering::then)
    })
}

/// No key, then numbers, then texts.
fn compare_keys(one: Option<&Key>, other: Option<&Key>) -> Ordering {
    match (one, other) {
        (Some(Key::Number(one)), Some(Key::Number(other))) => one.cmp(other),
        (Some(Key::Text(one)), Some(Key::Text(other))) => one.cmp(other),
        (Some(Key::Number(_)), Some(Key::Text(_))) => Ordering::Less,
        (Some(Key::Text(_)), Some(Key::Number(_))) => Ordering::Greater,
        (one, other) => one.is_some().cmp(&other.is_some()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_come_after_the_root_and_data_first() {
        let want = [
            "data.z.z",
            "a.b",
            "a.b[0]",
            "a.b[2]",
            "a.b[10]",
            r#"a.b["0"]"#,
            "b.a",
            "module.a[0].z.z",
            "module.a[1].a.a",
            "module.b.a.a",
            "module.a[0].module.a.a.a",
        ];
        let mut addresses = want.map(|text| Address::parse(text).unwrap());
        addresses.reverse();
        addresses.sort_by(Address::compare);
        assert_eq!(addresses.map(|address| address.to_string()), want);
    }
}
