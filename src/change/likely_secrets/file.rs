//! The file of forms: TOML, a table for each form. Its head says what each key means.

use std::sync::OnceLock;

use serde::Deserialize;

use super::Form;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "form")]
    forms: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    says: String,
    starts: Vec<String>,
    form: String,
    #[serde(default)]
    back: usize,
    #[serde(default)]
    inside: bool,
    #[serde(default = "usual_letters")]
    letters: usize,
    #[serde(default)]
    except: Option<String>,
}

fn usual_letters() -> usize {
    8
}

/// The forms in `text`, the file of this program.
pub(super) fn parse(text: &str) -> Vec<Form> {
    let file: File = toml::from_str(text).expect("a test reads the file");
    let form = |entry: Entry| Form {
        id: entry.id,
        says: entry.says,
        starts: entry.starts,
        expression: entry.form,
        back: entry.back,
        inside: entry.inside,
        letters: entry.letters,
        except: entry.except,
        compiled: OnceLock::new(),
    };
    file.forms.into_iter().map(form).collect()
}
