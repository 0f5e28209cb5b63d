//! A short run of every fuzz target over its seeds, always with the same inputs. `tests/fuzz` runs the targets for any length of
//! time.

#[expect(unreachable_pub, reason = "public in the package of the fuzzer")]
#[path = "../fuzz/src/lib.rs"]
pub(crate) mod package;

use package::mutate::Mutator;
use package::{seeds, targets};

/// Number of changed inputs for each target.
const ROUNDS: usize = 1_000;
/// Number of changed inputs for targets that work with whole files. They get only some of their seeds.
const ROUNDS_OF_FILES: usize = 40;
const SEEDS_OF_FILES: usize = 40;

#[test]
fn every_target_survives_changed_seeds() {
    // The seeds read it by themselves.
    _ = crate::shared_corpus("seeds of the fuzz targets");
    for (name, target) in targets::TARGETS {
        let seeds = seeds::of(name);
        assert!(!seeds.is_empty(), "{name}");
        let (rounds, step) = match *name {
            "read" | "plan" | "commands" => (ROUNDS_OF_FILES, seeds.len().div_ceil(SEEDS_OF_FILES)),
            _ => (ROUNDS, 1),
        };
        let survives = |input: &[u8], number: usize| {
            let outcome = std::panic::catch_unwind(|| target(input));
            let text = String::from_utf8_lossy(input);
            assert!(outcome.is_ok(), "{name}, {number}: {text:?}");
        };
        for (number, seed) in seeds.iter().enumerate().step_by(step) {
            survives(seed, number);
        }
        let mut mutator = Mutator::new(seeds, 0);
        for round in 0..rounds {
            survives(&mutator.next_input(), round);
        }
    }
}
