"""The measuring half of soak.sh: soak.py STACKLENS SECONDS [FILE]"""
import json, os, random, select, shlex, sys, tempfile, threading, time
import measure as m

STACKLENS, SECONDS = sys.argv[1], float(sys.argv[2])
RESOURCES = 220_000
GROWTH = 20e6
IDLE = 0.01
# Keys that move, fold, search, filter and look; none that reveals, quits, copies or suspends.
KEYS = ["j", "k", "\x04", "\x15", "gg", "G", "h", "l", "\r", "\t", "1", "2", "3", "4", "5", "b", "d", "u", "[", "]", "zR", "zM", "n", "N",
        "/web\r", "/=10.0\r", "ftype:aws\r", "\x1b", "s", "t", "i", "gi", "r", ".", "w", "|", "?", "\x1b", " ", "*", "{", "}"]


class Process:
    """A running explorer, and what the system says of it."""

    def __init__(self, command):
        self.pid, self.master = m.on_terminal(command)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        try:
            while piece := os.read(self.master, 1 << 16):
                if b"\x1b[6n" in piece:
                    os.write(self.master, b"\x1b[1;1R")
        except OSError:
            pass

    def press(self, keys):
        os.write(self.master, keys.encode())

    def memory(self):
        with open(f"/proc/{self.pid}/status") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS"))

    def handles(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def threads(self):
        return len(os.listdir(f"/proc/{self.pid}/task"))

    def cpu(self):
        with open(f"/proc/{self.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def is_running(self):
        return os.waitpid(self.pid, os.WNOHANG) == (0, 0)

    def leave(self):
        """Closes what is open. A key that follows Esc at once would be read as one key with it."""
        for _ in range(3):
            self.press("\x1b")
            time.sleep(0.2)

    def end(self):
        self.leave()
        self.press("q")
        os.waitpid(self.pid, 0)


def settle(process):
    """Waits until nothing is done any more, for three seconds: on a busy machine one alone may be the wait for a core."""
    quiet, last = 0, process.cpu()
    while quiet < 3:
        time.sleep(1)
        now = process.cpu()
        quiet, last = (quiet + 1 if now - last <= 0.01 else 0), now


def keys(path):
    random.seed(7)
    process = Process([STACKLENS, path])
    settle(process)
    begin, n_keys = time.monotonic(), 0
    base = None
    while (spent := time.monotonic() - begin) < SECONDS:
        if base is None and spent > SECONDS / 10:
            process.leave()
            settle(process)
            base = (process.memory(), process.handles(), process.threads())
        process.press(random.choice(KEYS))
        n_keys += 1
        time.sleep(0.02)
        if not process.is_running():
            sys.exit(f"ended by itself after {n_keys} keys")
    process.leave()
    settle(process)
    last = (process.memory(), process.handles(), process.threads())
    process.end()
    growth = last[0] - base[0]
    print(f"{n_keys} keys in {SECONDS:.0f} s: memory {base[0] / 1e6:.1f} to {last[0] / 1e6:.1f} MB, "
          f"{base[1]} to {last[1]} open files, {base[2]} to {last[2]} threads", flush=True)
    return growth <= GROWTH and last[1] <= base[1] and last[2] <= base[2]


def line(number):
    hook = {"resource": {"addr": f"null_resource.r[{number}]", "resource_type": "null_resource", "resource_name": "r"}, "action": "create"}
    kind = "apply_start" if number % 2 == 0 else "apply_complete"
    hook["resource"]["addr"] = f"null_resource.r[{number // 2}]"
    return json.dumps({"@level": "info", "@message": kind, "@timestamp": "2026-01-01T00:00:00Z", "type": kind, "hook": hook})


def pipe():
    with tempfile.TemporaryDirectory() as folder:
        fifo = os.path.join(folder, "pipe")
        os.mkfifo(fifo)
        process = Process(["sh", "-c", f"exec {shlex.quote(STACKLENS)} - < {shlex.quote(fifo)}"])
        with open(fifo, "w") as out:
            print(json.dumps({"@level": "info", "@message": "Terraform 1.9.0", "terraform": "1.9.0", "type": "version", "ui": "1.2"}),
                  file=out, flush=True)
            time.sleep(2)
            begin, spent = time.monotonic(), process.cpu()
            number = 0
            while time.monotonic() - begin < SECONDS:
                print(line(number), file=out, flush=True)
                number += 1
                time.sleep(0.1)
            part = (process.cpu() - spent) / (time.monotonic() - begin)
            # A line takes its time; the wait for the next one takes none.
            time.sleep(2)
            spent, wait = process.cpu(), max(SECONDS / 10, 10)
            time.sleep(wait)
            idle = (process.cpu() - spent) / wait
        process.end()
    print(f"{number} lines of a pipe: {part * 100:.2f} % of a core with the lines, {idle * 100:.2f} % without", flush=True)
    return idle <= IDLE


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = (sys.argv[3:] or [None])[0]
        if path is None:
            path = os.path.join(folder, "large.json")
            m.make("pulumi", RESOURCES, "--compact", path)
        is_steady = keys(path)
        is_idle = pipe()
    if not (is_steady and is_idle):
        sys.exit("beyond the limits")


main()
