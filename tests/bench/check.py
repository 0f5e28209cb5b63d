"""The measuring half of check.sh: check.py STACKLENS ROUNDS [OLD_STACKLENS]"""
import os, sys, tempfile
import measure as m

STACKLENS, ROUNDS, OLD = sys.argv[1], int(sys.argv[2]), (sys.argv[3:] or [None])[0]

# Part of a limit that a noisy machine may take away.
TOLERANCE = 1.25
# The figures of today; the goals are in README.md. Of each form and layout: wall time of jq to ours (at least), our CPU time to a pass of memchr
# (at most), peak memory to the file after 10 MB for the program (at most), the first row of a large file to that of a file with a hundredth of
# its resources (at most).
LIMITS = {
    ("pulumi", "--pretty"): (18, 12.5, 0.12, 1.2),
    ("pulumi", "--compact"): (14, 17, 0.21, 1.2),
    ("tfstate", "--pretty"): (19, 14.5, 0.20, 1.2),
    ("tfstate", "--compact"): (16, 19, 0.32, 1.2),
    ("tfshow", "--pretty"): (16, 20, 0.29, 1.2),
    ("tfshow", "--compact"): (16, 20, 0.29, 1.2),
    ("tfplan", "--pretty"): (24, 11.5, 0.18, 1.2),
    ("tfplan", "--compact"): (24, 11.5, 0.18, 1.2),
}
# Time and memory to those of an earlier release (at most).
OF_OLD = 1.05

failed = []


def judge(title, value, limit, is_least=False):
    bound = limit / TOLERANCE if is_least else limit * TOLERANCE
    is_met = value >= bound if is_least else value <= bound
    words = "at least" if is_least else "at most"
    print(f"{'ok  ' if is_met else 'SLOW'} {title}: {value:.2f}, {words} {limit} with a tolerance of {TOLERANCE}", flush=True)
    if not is_met:
        failed.append(title)


def check(form, layout, path, small):
    name = f"{form} {layout[2:]}"
    actions = {
        "ours": lambda: m.run([STACKLENS, "info", path]),
        "jq": lambda: m.run(["jq", m.COUNT[form], path]),
        "memchr": lambda: m.run(["wc", "-l", path]),
        "row": lambda: m.first([STACKLENS, path], m.resource_row(path)),
        "row of a small file": lambda: m.first([STACKLENS, small], m.resource_row(small)),
    }
    if OLD:
        actions["old"] = lambda: m.run([OLD, "info", path])
    median = m.medians(actions, ROUNDS, before=lambda: m.warm(path))
    sooner, passes, memory, first_row = LIMITS[form, layout]
    ours = median["ours"]
    judge(f"{name}: jq's time to ours", median["jq"][0] / ours[0], sooner, is_least=True)
    judge(f"{name}: our CPU time to a pass of memchr", ours[1] / median["memchr"][1], passes)
    judge(f"{name}: peak memory to the file", max(ours[2] - 10e6, 0) / os.path.getsize(path), memory)
    judge(f"{name}: first row to that of a small file", median["row"][0] / median["row of a small file"][0], first_row)
    if OLD:
        judge(f"{name}: time to the earlier release", ours[0] / median["old"][0], OF_OLD)
        judge(f"{name}: CPU time to the earlier release", ours[1] / median["old"][1], OF_OLD)
        judge(f"{name}: memory to the earlier release", ours[2] / median["old"][2], OF_OLD)


def main():
    missing = [program for program in ["jq", "wc"] if not m.has(program)]
    if missing:
        sys.exit(f"not measured: {' and '.join(missing)} not installed")
    with tempfile.TemporaryDirectory() as folder:
        for form, layout in LIMITS:
            path, small = os.path.join(folder, "large.json"), os.path.join(folder, "small.json")
            m.make(form, m.SIZES[form], layout, path)
            m.make(form, m.SIZES[form] // 100, layout, small)
            check(form, layout, path, small)
    if failed:
        sys.exit(f"{len(failed)} beyond their limits")


main()
