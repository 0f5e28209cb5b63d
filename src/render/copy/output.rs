//! Copies of an output of the stack, for Terraform and OpenTofu. Outputs of Pulumi are properties of the stack, which is a
//! resource.

use super::{End, Form, NoCopy, Written, is_packed, jq_inside, last_key, text_of, whole_path};
use crate::json;
use crate::path::{Path, Segment};
use crate::render::markdown::code;
use crate::stack::{Output, Stack};
use crate::value::Value;

/// An output of the stack, or a value inside one.
#[derive(Clone, Copy, Debug)]
pub struct OutputSubject<'a> {
    /// The stack.
    pub stack: &'a Stack,
    /// True if the value belongs to the state before the change.
    pub before: bool,
    /// The name of the output, then the path inside its value.
    pub path: &'a Path,
    /// The path inside the JSON that the string there holds.
    pub inside: Option<&'a Path>,
    /// The value as it may be shown.
    pub value: Option<&'a Value>,
    /// The places of values in files of the format, if it is known.
    pub written: Option<Written>,
}

impl OutputSubject<'_> {
    /// The subject as `form`.
    ///
    /// # Errors
    ///
    /// If there is nothing to copy. The error says what to do instead.
    pub fn copy(&self, form: Form) -> Result<String, NoCopy> {
        match form {
            Form::Path if self.inside.is_some() && self.text().is_some_and(is_packed) => {
                Err(NoCopy::NotInFile)
            }
            Form::Path => Ok(whole_path(self.path, self.inside)),
            Form::Key => last_key(Some(self.path), self.inside).ok_or(NoCopy::NoProperty),
            Form::Value => match self.value.ok_or(NoCopy::NoValue)? {
                value if value.is_secret() => Err(NoCopy::Secret),
                value => text_of(value),
            },
            Form::Identity | Form::Urn => self.name().map(|name| format!("output.{name}")),
            Form::Jq => jq_inside(self.trail()?.to_jq(), self.inside, self.text()),
            Form::Pointer if self.inside.is_some() => Err(NoCopy::NotInFile),
            Form::Pointer => Ok(self.trail()?.to_json_pointer()),
            Form::Markdown => Ok(self.markdown()),
            _ => Err(NoCopy::Output),
        }
    }

    /// The string that `inside` leads into.
    fn text(&self) -> Option<&Value> {
        let name = self.name().ok()?;
        let output = self.stack.outputs.iter().find(|it| &*it.name == name)?;
        let value = if self.before {
            output.before.as_ref()?
        } else {
            &output.value
        };
        Path(self.path.0[1..].to_vec()).get(value)
    }

    fn name(&self) -> Result<&str, NoCopy> {
        match self.path.0.first() {
            Some(Segment::Key(name)) => Ok(name),
            _ => Err(NoCopy::NoProperty),
        }
    }

    fn markdown(&self) -> String {
        let path = code(&whole_path(self.path, self.inside));
        let value = self.value.map_or_else(
            || "no value".to_owned(),
            |value| code(&json::to_compact(value)),
        );
        format!("- `output` {path} = {value}")
    }

    /// The path from the top of the file to the value.
    fn trail(&self) -> Result<Path, NoCopy> {
        let name = self.name()?;
        let output = self.stack.outputs.iter().find(|it| &*it.name == name);
        let head = self.head(output.ok_or(NoCopy::NoValue)?)?;
        let mut path: Path = head.into_iter().map(Segment::from).collect();
        path.0.extend(self.path.0[1..].iter().cloned());
        Ok(path)
    }

    fn head<'s>(&self, output: &'s Output) -> Result<Vec<&'s str>, NoCopy> {
        match self.written.and_then(|written| written.output) {
            Some(head) => {
                let head = head(output, End::of(self.before, self.value));
                (!head.is_empty()).then_some(head).ok_or(NoCopy::NotInFile)
            }
            // The value before is in the other of two files.
            None if self.before => Err(NoCopy::NotInFile),
            None => Err(NoCopy::NotJson),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stack::{Action, Header, Kind};
    use std::sync::Arc;

    fn written(stack: &Stack) -> Option<Written> {
        crate::format::table::of(&stack.header)?.written
    }

    fn stack(kind: Kind, action: Option<Action>) -> Stack {
        let mut stack = Stack::new(Header {
            format_version: "4".to_owned(),
            ..Header::new(kind)
        });
        stack.outputs = Arc::new(vec![Output {
            name: "zones".into(),
            value: vec![Value::from("a")].into(),
            before: None,
            action,
            declared_type: String::new(),
        }]);
        stack
    }

    #[track_caller]
    fn check(
        kind: Kind,
        action: Option<Action>,
        value: &Value,
        form: Form,
        want: Result<&str, NoCopy>,
    ) {
        let stack = stack(kind, action);
        let path = Path::parse("zones[0]").unwrap();
        let subject = OutputSubject {
            stack: &stack,
            before: false,
            path: &path,
            inside: None,
            value: Some(value),
            written: written(&stack),
        };
        assert_eq!(subject.copy(form).as_deref().map_err(|it| *it), want);
    }

    #[test]
    fn outputs_have_paths_into_each_kind_of_file() {
        let a = Value::from("a");
        let update = Some(Action::Update);
        let check_pointer = |kind, action, value: &Value, want: &str| {
            check(kind, action, value, Form::Pointer, Ok(want));
        };
        check_pointer(Kind::TerraformState, None, &a, "/outputs/zones/value/0");
        check_pointer(
            Kind::TerraformShow,
            None,
            &a,
            "/values/outputs/zones/value/0",
        );
        check_pointer(
            Kind::TerraformPlan,
            update,
            &a,
            "/output_changes/zones/after/0",
        );
        let unknown = Value::computed();
        check_pointer(
            Kind::TerraformPlan,
            update,
            &unknown,
            "/output_changes/zones/after_unknown/0",
        );
        check_pointer(
            Kind::TerraformPlan,
            None,
            &a,
            "/planned_values/outputs/zones/value/0",
        );
        check(Kind::TerraformUi, None, &a, Form::Jq, Err(NoCopy::NotJson));
    }

    #[test]
    fn jq_leads_into_the_json_of_an_output_and_not_into_yaml() {
        let (path, inside) = (Path::parse("zones[0]").unwrap(), Path::parse("a").unwrap());
        let copied = |text: &str| {
            let mut stack = stack(Kind::TerraformState, None);
            let outputs = Arc::make_mut(&mut stack.outputs);
            outputs[0].value = vec![Value::from(text)].into();
            let subject = OutputSubject {
                stack: &stack,
                before: false,
                path: &path,
                inside: Some(&inside),
                value: None,
                written: written(&stack),
            };
            subject.copy(Form::Jq)
        };
        let jq = ".outputs.zones.value[0] | fromjson | .a";
        assert_eq!(copied(r#"{"a": 1}"#).as_deref(), Ok(jq));
        assert_eq!(copied("a: 1").err(), Some(NoCopy::NotInFile));
        assert_eq!(copied("eyJhIjogWzFdfQ==").err(), Some(NoCopy::NotInFile));
    }

    #[test]
    fn other_forms_of_an_output() {
        let secret = Value::from("hunter2").with_secret(true);
        let kind = Kind::TerraformState;
        check(kind, None, &Value::from("a"), Form::Value, Ok("a"));
        check(kind, None, &secret, Form::Value, Err(NoCopy::Secret));
        check(
            kind,
            None,
            &secret,
            Form::Markdown,
            Ok("- `output` `zones[0]` = `\"[secret]\"`"),
        );
        check(kind, None, &secret, Form::Identity, Ok("output.zones"));
        check(kind, None, &secret, Form::Path, Ok("zones[0]"));
        check(kind, None, &secret, Form::Key, Ok("0"));
        check(kind, None, &secret, Form::Target, Err(NoCopy::Output));
    }
}
