"""The measuring half of compare.sh: compare.py STACKLENS ROUNDS [FILE ...]"""
import fcntl, os, pty, select, shutil, statistics, struct, subprocess, sys, tempfile, termios, time

STACKLENS, ROUNDS, FILES = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
MAKER = "../shared/tools/make_big_state.py"
SIZES = {"pulumi": 50_000, "tfstate": 100_000, "tfshow": 100_000, "tfplan": 20_000}
COUNT = {
    "pulumi": ".deployment.resources|length",
    "tfstate": "[.resources[].instances[]|select(.deposed|not)]|length",
    "tfshow": "[.values.root_module|recurse(.child_modules[]?)|.resources[]?]|length",
    "tfplan": ".resource_changes|length",
}


def format_of(path):
    with open(path, "rb") as file:
        head = file.read(65536)
    begin = head[:400]
    if b'"format_version"' in begin:
        is_plan = b'"planned_values"' in head or b'"resource_changes"' in head
        return "tfplan" if is_plan else "tfshow"
    return "pulumi" if b'"deployment"' in begin or b'"checkpoint"' in begin else "tfstate"


def warm(path):
    with open(path, "rb") as file:
        while file.read(1 << 22):
            pass


def run(command):
    """Seconds of wall and of CPU, and peak bytes, of one run."""
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if status != 0:
        return None
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def first_screen(command):
    """The same of a program on a terminal, up to its first screen with text, then ended by q."""
    begin = time.perf_counter()
    pid, master = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        os.environ.update(TERM="xterm-256color", COLUMNS="120", LINES="40")
        os.execvp(command[0], command)
    letters, shown = 0, float("nan")
    while time.perf_counter() - begin < 120:
        if not select.select([master], [], [], 0.05)[0]:
            continue
        try:
            piece = os.read(master, 1 << 16)
        except OSError:
            break
        if b"\x1b[6n" in piece:  # where is the cursor? An old terminal answers.
            os.write(master, b"\x1b[1;1R")
        letters += sum(byte > 0x20 for byte in piece)
        if letters > 500:
            shown = time.perf_counter() - begin
            break
    try:
        os.write(master, b"q")
        while os.read(master, 1 << 16):
            pass
    except OSError:
        pass
    _, _, usage = os.wait4(pid, 0)
    return shown, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def programs(path):
    name = format_of(path)
    yield "stacklens info", run, [STACKLENS, "info", path]
    yield "stacklens, first screen", first_screen, [STACKLENS, path]
    if shutil.which("cat"):
        yield "cat, reading alone", run, ["cat", path]
    if shutil.which("jq"):
        yield "jq, count", run, ["jq", COUNT[name], path]
    if shutil.which("jless"):
        yield "jless, first screen", first_screen, ["jless", path]
    if shutil.which("terraform") and name == "tfstate":
        yield "terraform show -json", run, ["terraform", "show", "-json", path]


def measure(path):
    size = os.path.getsize(path)
    rows = list(programs(path))
    results = {title: [] for title, _, _ in rows}
    for _ in range(ROUNDS):
        for title, how, command in rows:
            warm(path)
            results[title].append(how(command))
    for title in [title for title, runs in results.items() if None in runs]:
        print(f"\n{title} fails on {os.path.basename(path)} and is left out")
        del results[title]
    median = {title: [statistics.median(column) for column in zip(*runs)] for title, runs in results.items()}
    base = median["stacklens info"]
    print(f"\n{os.path.basename(path)}: {format_of(path)}, {size / 1e6:.0f} MB\n")
    print("| program | wall s | CPU s | peak MB | wall ratio | CPU ratio | memory ratio |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for title, (wall, cpu, peak) in median.items():
        ratios = [value / max(ours, 1e-9) for value, ours in zip((wall, cpu, peak), base)]
        print(f"| {title} | {wall:.3f} | {cpu:.3f} | {peak / 1e6:.1f} | {ratios[0]:.1f} | {ratios[1]:.1f} | {ratios[2]:.1f} |")
    print(f"\nper GB: {base[0] * 1e9 / size:.2f} s wall, {base[1] * 1e9 / size:.2f} s CPU; peak {base[2] / size:.3f} of the file", flush=True)


def main():
    if FILES:
        for path in FILES:
            measure(path)
        return
    if not os.path.exists(MAKER):
        sys.exit(f"no files named, and no {MAKER} to make some")
    with tempfile.TemporaryDirectory() as folder:
        for name, number in SIZES.items():
            for layout in ["--pretty", "--compact"]:
                path = os.path.join(folder, f"{name}{layout}.json")
                command = [sys.executable, MAKER, "--format", name, "--resources", str(number), layout, "-o", path]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                measure(path)
                os.remove(path)


main()
