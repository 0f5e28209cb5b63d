//! `export`: writes many stacks into a dataset of Parquet files.

use super::args::ExportArgs;
use super::fleet::{self, Tally};
use super::{Console, Failure, open};
use crate::likely::MaskLikely;
use crate::load::export::{self, Exported};
use crate::load::rules::rules;
use crate::render::plain::size;
use crate::text::{count, escaped, plural};

pub(super) fn run(args: &ExportArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    if args.files.iter().any(|file| file.as_os_str() == "-") {
        return Err(Failure::usage(
            "export reads a file twice, expected files or folders and not `-`; `--from -` reads their names",
        ));
    }
    let rules = rules(open::rule_files(&console.settings, &[]))?;
    let mut fleet = fleet::of(args.files.clone(), &args.stacks, console)?;
    // The dataset outlives this run, so nothing switches this mask off.
    fleet.like.masking = console.masking.clone().with_level(MaskLikely::Names);
    let mut tally = Tally::default();
    let (mut n_new, mut n_same) = (0, 0);
    let (ended, written) = export::run(&fleet, &args.to, &rules, &mut |member, exported| {
        tally.n_members += 1;
        match exported {
            Exported::New => n_new += 1,
            Exported::Same => n_same += 1,
            Exported::Left => tally.left(member),
            Exported::Partial(damage) => {
                n_new += 1;
                tally.failed(&format!("{}: {damage}", member.place), console);
            }
            Exported::Failed(error) => tally.failed(&error.to_string(), console),
        }
    })?;
    tally.end(&fleet, &ended, console)?;
    let files = match written.n_files {
        0 => "nothing to write".to_owned(),
        n => format!(
            "{} in {} written",
            size(written.n_bytes),
            plural(usize::try_from(n).unwrap_or(usize::MAX), "file")
        ),
    };
    let to = escaped(&args.to.display().to_string());
    let (new, same) = (plural(n_new, "new version"), count(n_same));
    console.print(0, &format!("{to}: {new}, {same} unchanged; {files}\n"))
}
