"""Shared by compare.py, check.py and soak.py: made files, and the time and memory of one run of a program."""
import fcntl, os, pty, re, select, shutil, statistics, struct, subprocess, sys, termios, time

MAKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "make_big_state.py")
SIZES = {"pulumi": 50_000, "tfstate": 100_000, "tfshow": 100_000, "tfplan": 20_000}
COUNT = {
    "pulumi": "(.deployment//.checkpoint.latest).resources|length",
    "tfstate": "[.resources[].instances[]|select(.deposed|not)]|length",
    "tfshow": "[.values.root_module|recurse(.child_modules[]?)|.resources[]?]|length",
    "tfplan": ".resource_changes|length",
}
# Longest time that a program may take to its first row, in seconds.
PATIENCE = 120


def make(form, resources, layout, path):
    """Writes a large file of the form; layout is --pretty or --compact."""
    command = [sys.executable, MAKER, "--format", form, "--resources", str(resources), layout, "-o", path]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def form_of(path):
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
    """Seconds of wall and of CPU, and peak bytes, of one run; None if it fails."""
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if status != 0:
        return None
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def on_terminal(command, columns=120, lines=40):
    """Starts the command on a terminal of its own: its process and the other end of the terminal."""
    pid, master = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        os.environ.update(TERM="xterm-256color", COLUMNS=str(columns), LINES=str(lines))
        os.execvp(command[0], command)
    return pid, master


def plain(text):
    """The text without escape sequences."""
    text = re.sub(rb"\x1b\][^\x07\x1b]*(\x07|\x1b\\)", b"", text)
    return re.sub(rb"\x1b[\[(][0-9;:?>=]*[ -/]*[@-~]", b"", text)


def screen(text):
    """The rows of the screen that the text leaves on a terminal: a program draws only what changes."""
    rows, row, column = {}, 1, 1
    text = re.sub(rb"\x1b\][^\x07\x1b]*(\x07|\x1b\\\\)", b"", text).decode("utf-8", "replace")
    for place, escape, char in re.findall(r"\x1b\[(\d+;\d+)H|(\x1b[\[(][0-9;:?>=]*[ -/]*[@-~])|([^\x00-\x1f])", text):
        if place:
            row, column = map(int, place.split(";"))
        elif char:
            rows.setdefault(row, {})[column] = char
            column += 1
        elif escape == "\x1b[2J":
            rows = {}
    lines = ("".join(cells.get(at, " ") for at in range(1, max(cells) + 1)) for _, cells in sorted(rows.items()))
    return "\n".join(lines).encode()


def resource_row(path):
    """A text in each row with a resource of the file: the name of a provider that has types in the file's first megabyte."""
    with open(path, "rb") as file:
        head = file.read(1 << 20)
    types = re.findall(rb'"type"\s*:\s*"([a-z][a-z0-9-]*)[_:]', head)
    names = sorted(set(types) - {b"terraform"})
    return re.compile(rb"\b(" + b"|".join(names) + rb")[_:]\w")


def data_line(path):
    """A text in the first line with data of a viewer of JSON: the first key of the file."""
    with open(path, "rb") as file:
        key = re.search(rb'"([^"]+)"', file.read(4096)).group(1)
    return re.compile(re.escape(key))


def first(command, wanted, quit_key=b"q", shown_by=plain):
    """The same as of run, up to the first screen that holds what is wanted; then the program is ended."""
    begin = time.perf_counter()
    pid, master = on_terminal(command)
    text, shown = b"", float("nan")
    while time.perf_counter() - begin < PATIENCE:
        if not select.select([master], [], [], 0.05)[0]:
            continue
        try:
            piece = os.read(master, 1 << 16)
        except OSError:
            break
        if b"\x1b[6n" in piece:  # where is the cursor? An old terminal answers.
            os.write(master, b"\x1b[1;1R")
        text += piece
        if wanted.search(shown_by(text)):
            shown = time.perf_counter() - begin
            break
    try:
        os.write(master, quit_key)
        while os.read(master, 1 << 16):
            pass
    except OSError:
        pass
    _, _, usage = os.wait4(pid, 0)
    return shown, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def drawn(master, quiet):
    """The times of the first and the last text until nothing is drawn for some seconds; None for both if nothing is."""
    begin, end = None, None
    while select.select([master], [], [], quiet)[0]:
        piece = os.read(master, 1 << 16)
        if b"\x1b[6n" in piece:
            os.write(master, b"\x1b[1;1R")
        end = time.perf_counter()
        begin = begin or end
    return begin, end


def typed(command, text):
    """Types a search into the explorer, key by key, on a terminal of 200x50. The longest times from a key until the screen changes, and until
    the answer is whole: nothing is drawn any more."""
    pid, master = on_terminal(command, 200, 50)
    drawn(master, 3)
    os.write(master, b"/")
    drawn(master, 1)
    first, whole = 0.0, 0.0
    for key in text:
        begin = time.perf_counter()
        os.write(master, key.encode())
        shown, done = drawn(master, 1)
        if shown:
            first, whole = max(first, shown - begin), max(whole, done - begin)
    for keys in [b"\x15", b"\x1b", b"\x1b"]:
        os.write(master, keys)
        drawn(master, 0.3)
    os.write(master, b"q")
    os.waitpid(pid, 0)
    return first, whole


def echo():
    """The first text of a program that does nothing else: what the harness itself takes."""
    return first(["echo", "here"], re.compile(rb"here"))


def medians(actions, rounds, before=lambda: None):
    """The medians of the columns of each action's results, interleaved over the rounds. An action that fails is left out."""
    results = {title: [] for title in actions}
    for _ in range(rounds):
        for title, action in actions.items():
            before()
            results[title].append(action())
    for title in [title for title, runs in results.items() if None in runs]:
        print(f"{title} fails and is left out")
        del results[title]
    return {title: [statistics.median(column) for column in zip(*runs)] for title, runs in results.items()}


def has(program):
    return shutil.which(program) is not None
