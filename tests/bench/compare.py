"""The measuring half of compare.sh: compare.py STACKLENS ROUNDS [FILE ...]"""
import os, sys, tempfile
import measure as m

STACKLENS, ROUNDS, FILES = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
# Searches: a word in names, one in paths too, one in no name, and a value that few have.
TYPED = ["web", "tags", "zzqx", "=10.0.4.17"]


def programs(path):
    form = m.form_of(path)
    yield "stacklens info", lambda: m.run([STACKLENS, "info", path])
    yield "stacklens, first resource row", lambda: m.first([STACKLENS, path], m.resource_row(path))
    yield "echo, first text", m.echo
    if m.has("cat"):
        yield "cat, reading alone", lambda: m.run(["cat", path])
    if m.has("jq"):
        yield "jq, count", lambda: m.run(["jq", m.COUNT[form], path])
    if m.has("jless"):
        yield "jless, first line with data", lambda: m.first(["jless", path], m.data_line(path))
    if m.has("terraform") and form == "tfstate":
        yield "terraform show -json", lambda: m.run(["terraform", "show", "-json", path])


def measure(path):
    size = os.path.getsize(path)
    print(f"\n{os.path.basename(path)}: {m.form_of(path)}, {size / 1e6:.0f} MB\n")
    median = m.medians(dict(programs(path)), ROUNDS, before=lambda: m.warm(path))
    base = median["stacklens info"]
    print("| program | wall s | CPU s | peak MB | wall ratio | CPU ratio | memory ratio |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for title, (wall, cpu, peak) in median.items():
        ratios = [value / max(ours, 1e-9) for value, ours in zip((wall, cpu, peak), base)]
        print(f"| {title} | {wall:.3f} | {cpu:.3f} | {peak / 1e6:.1f} | {ratios[0]:.1f} | {ratios[1]:.1f} | {ratios[2]:.1f} |")
    row, nothing = median["stacklens, first resource row"][0], median["echo, first text"][0]
    print(f"\nper GB: {base[0] * 1e9 / size:.2f} s wall, {base[1] * 1e9 / size:.2f} s CPU; peak {base[2] / size:.3f} of the file")
    print(f"first resource row: {(row - nothing) * 1e3:.1f} ms above an echo", end="")
    if "jless, first line with data" in median:
        print(f", {median['jless, first line with data'][0] / row:.0f} times sooner than jless", end="")
    print(flush=True)
    keys = {text: lambda text=text: m.typed([STACKLENS, path], text) for text in TYPED}
    print("\n| typed | slowest key, first hits ms | slowest key, whole answer ms |\n| --- | ---: | ---: |")
    for text, (first, whole) in m.medians(keys, min(ROUNDS, 3), before=lambda: m.warm(path)).items():
        print(f"| `{text}` | {first * 1e3:.0f} | {whole * 1e3:.0f} |", flush=True)


def main():
    if FILES:
        for path in FILES:
            measure(path)
        return
    with tempfile.TemporaryDirectory() as folder:
        for form, resources in m.SIZES.items():
            for layout in ["--pretty", "--compact"]:
                path = os.path.join(folder, f"{form}{layout}.json")
                m.make(form, resources, layout, path)
                measure(path)
                os.remove(path)


main()
