"""The measuring half of brief.sh: brief.py STACKLENS ROUNDS [shapes | FILE ...]"""
import os, re, subprocess, sys, tempfile
import measure as m

STACKLENS, ROUNDS, FILES = sys.argv[1], int(sys.argv[2]), sys.argv[3:]

HERE = os.path.dirname(os.path.abspath(__file__))
FORMS = ["tfplan", "preview"]
SIZES = [1_000, 10_000, 100_000]
# The line with the number of findings of a weight, once there is one.
FINDING = re.compile(rb"(?i)\b(look at these first|warning|note) +\d")
# Most that a change may cost in a plan of the largest size, to one in the size before (at most).
LINEAR = 1.5
# Plans in which everything is alike, differs, is deleted, or refers to one thing; see make_shapes.py.
SHAPES = ["alike", "different", "deleted", "beside", "one", "many", "found", "renamed"]
# Most that a change of a shape may cost, to what it costs in a smaller plan (at most).
OF_SHAPE = 2
# Number of changes of the plan whose cost is that of the program itself.
FEW = 10


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


def make(maker, name, kind, n, folder):
    path = os.path.join(folder, f"{kind}-{n}.json")
    subprocess.run([sys.executable, os.path.join(HERE, maker), f"--{name}", kind, "--changes", str(n), "-o", path], check=True)
    return path


def releases(folder):
    """The forms in which a change of a large release costs more in a large plan."""
    print("| file | size | changes | index s | index CPU s | first finding s | brief s | brief CPU s | µs a change | peak memory |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for form in FORMS:
        costs = []
        for n in SIZES:
            path = make("make_changes.py", "format", form, n, folder)
            costs.append(measure(path))
            os.remove(path)
        if costs[-1] > LINEAR * costs[-2]:
            yield form


def cost(path):
    """The CPU seconds of the brief beyond its index, and its peak memory."""
    actions = {"index": lambda: m.run([STACKLENS, "info", path]), "brief": lambda: m.run([STACKLENS, "brief", path])}
    median = m.medians(actions, ROUNDS, before=lambda: m.warm(path))
    return median["brief"][1] - median["index"][1], median["brief"][2]


def shapes(folder):
    """The shapes in which a change costs more in a large plan."""
    print("| shape | " + " | ".join(f"µs a change of {n:,}" for n in SIZES) + " | most to a smaller plan | peak memory |")
    print("| --- |" + " ---: |" * (len(SIZES) + 2))
    for shape in SHAPES:
        few, costs, memory = make("make_shapes.py", "shape", shape, FEW, folder), [], 0
        own, _ = cost(few)
        for n in SIZES:
            path = make("make_shapes.py", "shape", shape, n, folder)
            of_all, memory = cost(path)
            costs.append((of_all - own) / (n - FEW))
            os.remove(path)
        growth = max(later / sooner for at, later in enumerate(costs) for sooner in costs[: at + 1])
        print(f"| {shape} | " + " | ".join(f"{it * 1e6:.0f}" for it in costs) + f" | {growth:.2f} | {memory / 1e6:.0f} MB |", flush=True)
        if growth > OF_SHAPE:
            yield shape


def main():
    if FILES and FILES != ["shapes"]:
        for path in FILES:
            measure(path)
        return
    with tempfile.TemporaryDirectory() as folder:
        slow = [] if FILES else list(releases(folder))
        slow += shapes(folder)
    if slow:
        sys.exit(f"a change costs more in a large plan than in a small one: {', '.join(slow)}")


main()
