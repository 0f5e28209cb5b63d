"""The measuring half of brief.sh: brief.py STACKLENS ROUNDS [FILE ...]"""
import os, re, subprocess, sys, tempfile
import measure as m

STACKLENS, ROUNDS, FILES = sys.argv[1], int(sys.argv[2]), sys.argv[3:]

MAKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "make_changes.py")
FORMS = ["tfplan", "preview"]
SIZES = [1_000, 10_000, 100_000]
# The line with the number of findings of a weight, once there is one.
FINDING = re.compile(rb"(?i)\b(look at these first|warning|note) +\d")
# Most that a change may cost in a plan of the largest size, to one in the size before (at most).
LINEAR = 1.5


def n_changes(path):
    """The number of changes that the brief counts."""
    brief = subprocess.run([STACKLENS, "brief", path], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return int(brief.stdout.split(b" ", 1)[0].replace(b",", b""))


def measure(path):
    n = n_changes(path)
    median = m.medians(
        {
            "index": lambda: m.run([STACKLENS, "info", path]),
            "brief": lambda: m.run([STACKLENS, "brief", path]),
            "first finding": lambda: m.first([STACKLENS, path], FINDING, shown_by=m.screen),
            "first text of an echo": m.echo,
        },
        ROUNDS,
        before=lambda: m.warm(path),
    )
    index, brief = median["index"], median["brief"]
    first = median["first finding"][0] - median["first text of an echo"][0]
    wall, cpu = brief[0] - index[0], brief[1] - index[1]
    size = os.path.getsize(path) / 1e6
    print(
        f"| {os.path.basename(path)} | {size:.0f} MB | {n} | {index[0]:.2f} | {index[1]:.2f} | {first:.3f} | {wall:.2f} | {cpu:.2f}"
        f" | {cpu / n * 1e6:.0f} | {brief[2] / 1e6:.0f} MB |",
        flush=True,
    )
    return cpu / n


def main():
    print("| file | size | changes | index s | index CPU s | first finding s | brief s | brief CPU s | µs a change | peak memory |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    if FILES:
        for path in FILES:
            measure(path)
        return
    slow = []
    with tempfile.TemporaryDirectory() as folder:
        for form in FORMS:
            costs = []
            for n in SIZES:
                path = os.path.join(folder, f"{form}-{n}.json")
                subprocess.run([sys.executable, MAKER, "--format", form, "--changes", str(n), "-o", path], check=True)
                costs.append(measure(path))
                os.remove(path)
            if costs[-1] > LINEAR * costs[-2]:
                slow.append(form)
    if slow:
        sys.exit(f"a change costs more in a large plan than in a small one: {', '.join(slow)}")


main()
