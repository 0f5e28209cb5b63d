//! Fuzzing on a stable compiler: `run TARGET ROUNDS [SEED]` tries that many changed inputs;
//! `run seeds FOLDER` writes the seeds of the targets, for libFuzzer.

use std::error::Error;
use std::path::Path;

use stacklens_fuzz::mutate::Mutator;
use stacklens_fuzz::seeds;
use stacklens_fuzz::targets::TARGETS;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["seeds", folder] => write_seeds(Path::new(folder)),
        [target, rounds] => run(target, rounds.parse()?, 0),
        [target, rounds, seed] => run(target, rounds.parse()?, seed.parse()?),
        _ => Err("expected TARGET ROUNDS [SEED], or seeds FOLDER".into()),
    }
}

fn write_seeds(folder: &Path) -> Result<(), Box<dyn Error>> {
    for (name, _) in TARGETS {
        let folder = folder.join(name);
        std::fs::create_dir_all(&folder)?;
        for (number, seed) in seeds::of(name).into_iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{number:04}")), seed)?;
        }
    }
    Ok(())
}

fn run(name: &str, rounds: u64, seed: u64) -> Result<(), Box<dyn Error>> {
    let Some((_, target)) = TARGETS.iter().find(|(own, _)| *own == name) else {
        return Err(format!("no target {name}").into());
    };
    let mut mutator = Mutator::new(seeds::of(name), seed);
    for round in 0..rounds {
        let input = mutator.next_input();
        let outcome = std::panic::catch_unwind(|| target(&input));
        if outcome.is_err() {
            let path = format!("crash-{name}-{seed}-{round}");
            std::fs::write(&path, &input)?;
            return Err(format!("round {round}: the input is in {path}").into());
        }
    }
    println!("{name}: {rounds} rounds");
    Ok(())
}
