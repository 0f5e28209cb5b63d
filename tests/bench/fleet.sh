#!/bin/bash
# Measures many stacks: makes three fleets (about 3 GB below FOLDER), and prints times and memory beside those of rg.
#
#   tests/bench/fleet.sh BINARY FOLDER [--check]
#
# With --check it fails where a floor of tests/bench/README.md is missed. The floors are ratios to rg and a limit of memory, so that the
# machine does not matter. Needs Python, rg and GNU time.
set -euo pipefail

binary=$(realpath "$1")
folder=$2
check=${3:-}
here=$(dirname "$(realpath "$0")")
mkdir -p "$folder"

made() { # NAME ARGUMENTS…
    local name=$1
    shift
    [ -d "$folder/$name" ] || python3 "$here/make_fleet.py" --to "$folder/$name" "$@" > "$folder/$name.summary.json"
    # All bytes into the cache of the system.
    find "$folder/$name" -type f -print0 | xargs -0 cat > /dev/null
}

# The least of five: processor time in milliseconds, waiting time in milliseconds, and the memory of the last in KB.
measured() { # COMMAND…
    local best_cpu= best_wall= memory= line
    for _ in 1 2 3 4 5; do
        /usr/bin/time -o "$folder/time" -f "%e %U %S %M" "$@" > "$folder/out" 2> "$folder/err" || true
        line=$(tail -1 "$folder/time")
        read -r wall user system memory <<< "$line"
        cpu=$(python3 -c "print(round(1000 * ($user + $system)))")
        wall=$(python3 -c "print(round(1000 * $wall))")
        if [ -z "$best_cpu" ] || [ "$cpu" -lt "$best_cpu" ]; then best_cpu=$cpu; fi
        if [ -z "$best_wall" ] || [ "$wall" -lt "$best_wall" ]; then best_wall=$wall; fi
    done
    echo "$best_cpu $best_wall $memory"
}

failed=0
row() { # NAME COMMAND…
    local name=$1
    shift
    read -r cpu wall memory <<< "$(measured "$@")"
    printf '%-44s %6s ms cpu %6s ms wall %4s MB\n' "$name" "$cpu" "$wall" $((memory / 1024))
    if [ -n "$check" ] && [ "$memory" -gt 204800 ]; then
        echo "  more than 200 MB"
        failed=1
    fi
}

floor() { # NAME OURS RG PERCENT, in processor time, which other programs on the machine disturb least
    if [ -n "$check" ] && [ "$(($2 * $4))" -gt "$(($3 * 100))" ]; then
        echo "  $1: less than $4 % of the speed of rg"
        failed=1
    fi
}

made large --stacks 1000 --bytes 940000
made small --stacks 20000 --bytes 42000
made others --stacks 10 --bytes 20000 --others 100000

for fleet in large small; do
    row "info, $fleet" "$binary" info "$folder/$fleet"
    row "find a value of every third stack, $fleet" "$binary" find "$folder/$fleet" '=ami-0abc0000000000abc'
    row "find a value of one stack, $fleet" "$binary" find "$folder/$fleet" '=orders-325'
    ours=$cpu
    row "rg for the same, $fleet" rg -uuu 'orders-325"' "$folder/$fleet"
    floor "a value, $fleet" "$ours" "$cpu" 60
    row "graph, $fleet" "$binary" graph "$folder/$fleet"
done
row "ls by type, large" "$binary" ls "$folder/large" type:aws_db_instance
row "check, large" "$binary" check "$folder/large"
of_check=$cpu
# Each of the five is a first export.
row "export, large" bash -c 'rm -rf "$2"; exec "$0" export "$1" --to "$2"' "$binary" "$folder/large" "$folder/dataset"
bytes=$(cat "$folder"/large/pulumi/.pulumi/stacks/*/*.json "$folder"/large/terraform/*/*/*.tfstate "$folder"/large/plans/*.json | wc -c)
echo "  $((bytes / cpu / 1000)) MB of states in a second of a core, $(du -sm "$folder/dataset" | cut -f1) MB written"
if [ -n "$check" ] && [ "$cpu" -gt $((2 * of_check)) ]; then
    echo "  export: more than twice the processor time of check, which reads the same values"
    failed=1
fi
row "export again, large" "$binary" export "$folder/large" --to "$folder/dataset"
row "info among 100,000 other files" "$binary" info "$folder/others"

# Found is what the maker put in.
python3 - "$folder" "$binary" << 'PY'
import json, subprocess, sys
folder, binary = sys.argv[1:]
for fleet in ("large", "small"):
    summary = json.load(open(f"{folder}/{fleet}.summary.json"))
    def rows(command, *words):
        run = subprocess.run([binary, command, f"{folder}/{fleet}", *words, "--json"], capture_output=True, text=True)
        return [json.loads(line) for line in run.stdout.splitlines()]
    def stacks(rows):
        return len({row["stack"] for row in rows})
    edges = [row for network in ("pulumi/payments/orchard-00000", "terraform/checkout/amber-00001") for row in rows("deps", network, "--reverse")]
    answers = {
        "ami": stacks(rows("find", "=ami-0abc0000000000abc")),
        # All but the stack that owns it.
        "guesses": stacks(rows("find", "=subnet-0fee1000000000001")) - stacks(rows("ls", "id:subnet-0fee1000000000001")),
        "module": stacks(rows("ls", 'module:"acme/store/aws@~> 5.1"')),
        # One more reads a file of Pulumi as a state of Terraform, which is no edge.
        "readers": 1 + sum(row["kind"] != "equal_id" for row in edges),
        "clear": stacks(row for row in rows("check") if row["kind"] == "secret_name"),
    }
    for question, answer in answers.items():
        assert answer == summary[question], (fleet, question, answer, summary[question])
    assert stacks(rows("find", ".arn", "=arn:aws:ec2:eu-west-1:123456789012:subnet/subnet-0fee1000000000001")) == 1
    print(f"{fleet}: as made: {answers}")
PY
exit $failed
