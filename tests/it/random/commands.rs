//! All printing commands on changed files.

use std::fs;

use super::{Files, rounds};
use crate::fuzz::package::targets::commands::print;
use crate::screens::monkey::Dice;

#[test]
fn any_command_on_any_file() {
    rounds("random commands", 20, |number| {
        let mut dice = Dice::new(number);
        let files = Files::pick(&mut dice, 2);
        let folder = tempfile::tempdir().unwrap();
        let paths = ["one", "other"].map(|name| folder.path().join(name));
        for (path, version) in paths.iter().zip(&files.versions) {
            fs::write(path, version).unwrap();
        }
        for printed in print(&paths[0], &paths[1]) {
            let what = || format!("{:?}", printed.args);
            files.check(&printed.out, &what);
            files.check(&printed.err, &what);
        }
    });
}
