//! A short run of every fuzz target over its seeds: always the same inputs. `tests/fuzz` runs the targets for as long as one likes.

#[expect(unreachable_pub, reason = "public in the package of the fuzzer")]
#[path = "../fuzz/src/mutate.rs"]
mod mutate;
#[expect(unreachable_pub, reason = "public in the package of the fuzzer")]
#[path = "../fuzz/src/seeds.rs"]
mod seeds;
#[expect(unreachable_pub, reason = "public in the package of the fuzzer")]
#[path = "../fuzz/src/targets.rs"]
mod targets;

use mutate::Mutator;

/// How many changed inputs each target gets; one that reads whole files gets fewer.
const ROUNDS: usize = 1_000;
const ROUNDS_OF_FILES: usize = 100;

#[test]
fn every_target_survives_changed_seeds() {
    for (name, target) in targets::TARGETS {
        let seeds = seeds::of(name);
        // Plan files lie in the acceptance corpus alone.
        assert!(!seeds.is_empty() || *name == "plan", "{name}");
        for seed in &seeds {
            target(seed);
        }
        let rounds = match *name {
            "read" | "plan" => ROUNDS_OF_FILES,
            _ => ROUNDS,
        };
        let mut mutator = Mutator::new(seeds, 0);
        for round in 0..rounds {
            let input = mutator.next_input();
            let outcome = std::panic::catch_unwind(|| target(&input));
            assert!(
                outcome.is_ok(),
                "{name}, round {round}: {:?}",
                String::from_utf8_lossy(&input)
            );
        }
    }
}
