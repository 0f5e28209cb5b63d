#!/usr/bin/env python3
"""Checks a stacklens with the feature `remote` against real servers on the loopback.

    check.py BINARY [--stacks N]

Needs the packages of requirements.txt, and `azurite-blob` on PATH (npm install azurite) for Azure. A server that is missing is said, and
ends with exit code 3: nothing is left out in silence.

The same fleet lies in a folder, in S3 (moto) and in Azure (azurite); moto also answers for Google, whose XML interface has the same form.
Every command must answer the same. Then a proxy before S3 is slow, drops connections, refuses, and loses objects between list and read.
"""
import argparse
import base64
import fcntl
import gzip
import http.client
import http.server
import json
import os
import pathlib
import pty
import re
import select
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tarfile
import tempfile
import termios
import threading
import time
import urllib.parse
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
AMI = "ami-0abc0000000000abc"
KEY_ID, SECRET, TOKEN = "AKIASTACKLENSTEST", "secret-key-that-never-shows", "session-token-that-never-shows"
ACCOUNT = "devstoreaccount1"
# The account key that every Azure emulator has.
ACCOUNT_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
# Commands that print the same for an archive in a bucket as for its file: the words before and after the place.
ARCHIVE_COMMANDS = [(["ls"], ["type:aws_instance"]), (["find"], [f"={AMI}"]), (["graph"], [])]
NEVER_SHOWN = [SECRET, TOKEN, ACCOUNT_KEY, "pass-that-never-shows", "X-Amz-Signature", "sig=abc"]


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_for(port, process):
    for _ in range(300):
        if process.poll() is not None:
            raise RuntimeError(f"a server ended: {process.args}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError(f"no server: {process.args}")


class Proxy(http.server.BaseHTTPRequestHandler):
    """Passes requests on to S3, as `mode` says."""

    protocol_version = "HTTP/1.1"
    upstream = 0
    mode = "plain"
    n_requests = 0
    seen = set()

    def log_message(self, *_):
        pass

    def answer(self, status, body, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self):
        Proxy.n_requests += 1
        mode = Proxy.mode
        is_list = "list-type=2" in self.path
        if mode == "slow":
            time.sleep(0.2)
        # The first request for every third object.
        is_first = self.path not in Proxy.seen
        Proxy.seen.add(self.path)
        if mode == "drops" and is_first and len(Proxy.seen) % 3 == 0:
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        if mode in ("expired", "denied"):
            code, status = {"expired": ("ExpiredToken", 400), "denied": ("AccessDenied", 403)}[mode]
            body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>Told by the server.</Message></Error>".encode()
            self.answer(status, body)
            return
        if mode == "gone" and not is_list and self.path.endswith("gone.tfstate"):
            self.answer(404, b"<Error><Code>NoSuchKey</Code><Message>It is gone.</Message></Error>")
            return
        if mode == "hostile":
            if is_list:
                keys = ("evil&#27;[31m/terraform.tfstate", "line&#10;break/terraform.tfstate", "\u202eltr/terraform.tfstate")
                rows = "".join(f"<Contents><Key>names/{key}</Key><Size>{len(States.state)}</Size><ETag>x</ETag>"
                               "<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>" for key in keys)
                body = f"<ListBucketResult><Name>states</Name><IsTruncated>false</IsTruncated>{rows}</ListBucketResult>".encode()
                self.answer(200, body)
            else:
                headers = [("ETag", "x"), ("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")]
                self.answer(200, States.state, headers)
            return
        upstream = http.client.HTTPConnection("127.0.0.1", Proxy.upstream)
        upstream.request(self.command, self.path, headers=dict(self.headers))
        response = upstream.getresponse()
        body = response.read()
        if mode == "cut" and not is_list:
            self.send_response(response.status)
            for name in ("ETag", "Last-Modified"):
                self.send_header(name, response.getheader(name) or "x")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) // 2])
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        left = ("content-length", "transfer-encoding", "connection", "server", "date")
        headers = [(name, value) for name, value in response.getheaders() if name.lower() not in left]
        if self.command == "HEAD":
            self.send_response(response.status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", response.getheader("Content-Length") or "0")
            self.end_headers()
            return
        self.answer(response.status, body, headers)

    do_HEAD = do_GET


class States(http.server.BaseHTTPRequestHandler):
    """A backend of states behind HTTP, with a password."""

    state = b""

    def log_message(self, *_):
        pass

    def do_GET(self):
        want = "Basic " + base64.b64encode(b"me:pass-that-never-shows").decode()
        path = urllib.parse.urlsplit(self.path)
        is_open = self.headers.get("Authorization") == want or path.query == "sig=abc"
        status = 404 if path.path != "/state/prod" else 200 if is_open else 401
        body = States.state if status == 200 else b"no"
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_GET


class Checks:
    def __init__(self, binary, home):
        self.binary = binary
        self.n_failed = 0
        self.base = {"HOME": home, "PATH": os.environ["PATH"], "AWS_EC2_METADATA_DISABLED": "true"}

    def run(self, *arguments, env=None, timeout=120):
        start = time.monotonic()
        done = subprocess.run([self.binary, *arguments], env=self.base | (env or {}), capture_output=True, timeout=timeout)
        self.seconds = time.monotonic() - start
        both = (done.stdout + done.stderr).decode()
        for secret in NEVER_SHOWN:
            self.that(secret not in both, f"`{secret}` is shown by {arguments}")
        self.that(not re.search("[\x00-\x08\x0b-\x1f\x7f]", both), f"control characters are shown by {arguments}")
        self.error = done.stderr.decode()
        self.code = done.returncode
        return done.stdout.decode()

    def explored(self, keys, *arguments, env, until):
        """What the explorer draws after these keys, without the control sequences, as soon as it has a text."""
        child, terminal = pty.fork()
        if child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("4H", 40, 120, 0, 0))
            os.execve(self.binary, [self.binary, *arguments], self.base | env | {"TERM": "xterm-256color"})
        drawn, sent, start = b"", 0, time.monotonic()
        text = ""
        while until not in text and time.monotonic() - start < 60:
            if select.select([terminal], [], [], 0.5)[0]:
                drawn += os.read(terminal, 65536)
            elif sent < len(keys):
                os.write(terminal, keys[sent].encode())
                sent += 1
            text = re.sub("\x1b\\[[0-9;?]*[a-zA-Z]|\x1b.", "", drawn.decode(errors="replace"))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)
        return text

    def that(self, is_so, what):
        if not is_so:
            self.n_failed += 1
            print(f"FAILED: {what}\n{getattr(self, 'error', '')[:2000]}", file=sys.stderr)

    def told(self, *words):
        for word in words:
            self.that(word in self.error, f"`{word}` is not in the message")

    def answers(self, place, env):
        """The output of the commands for a place, without the paths of the files."""
        answers = []
        for command in (["info", place, "--json"], ["find", place, f"={AMI}", "--json"], ["check", place, "--json"], ["ls", place, "type:aws_instance", "--json"]):
            out = self.run(*command, env=env)
            objects = [json.loads(line.replace(place.rstrip("/"), "PLACE")) for line in out.splitlines()]
            for it in objects:
                for key in ("file", "modified", "bytes"):
                    it.pop(key, None)
            answers.append(objects)
        return answers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--stacks", type=int, default=200)
    options = parser.parse_args()
    missing = [tool for tool in ("moto_server", "azurite-blob") if shutil.which(tool) is None]
    if missing:
        print(f"not checked: {', '.join(missing)} missing", file=sys.stderr)
        return 3
    servers = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            return check(options, pathlib.Path(folder), servers)
        finally:
            for server in servers:
                server.terminate()
                server.wait()


def serve(handler):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def start(servers, port, *command, **more):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    servers.append(process)
    wait_for(port, process)


def check(options, folder, servers):
    import boto3
    from azure.storage.blob import BlobServiceClient

    home, fleet = folder / "home", folder / "fleet"
    home.mkdir()
    maker = HERE.parent / "bench" / "make_fleet.py"
    subprocess.run([sys.executable, maker, "--stacks", str(options.stacks), "--bytes", "20000", "--to", fleet, "--others", "20"],
                   check=True, stdout=subprocess.DEVNULL)
    files = [(path.relative_to(fleet).as_posix(), path) for path in sorted(fleet.rglob("*")) if path.is_file()]

    s3_port, az_port = free_port(), free_port()
    start(servers, s3_port, "moto_server", "-H", "127.0.0.1", "-p", str(s3_port))
    start(servers, az_port, "azurite-blob", "--silent", "--inMemoryPersistence", "--skipApiVersionCheck", "--blobHost", "127.0.0.1",
          "--blobPort", str(az_port), cwd=folder)

    s3 = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{s3_port}", region_name="eu-west-1", aws_access_key_id=KEY_ID,
                      aws_secret_access_key=SECRET)
    s3.create_bucket(Bucket="states", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    az_url = f"http://127.0.0.1:{az_port}/{ACCOUNT}"
    connection = f"DefaultEndpointsProtocol=http;AccountName={ACCOUNT};AccountKey={ACCOUNT_KEY};BlobEndpoint={az_url};"
    container = BlobServiceClient.from_connection_string(connection).create_container("states")
    for name, path in files:
        body = path.read_bytes()
        # Public, because the one who asks for Google is not known to moto.
        s3.put_object(Bucket="states", Key=name, Body=body, ACL="public-read")
        container.upload_blob(name, body)

    checks = Checks(options.binary, str(home))
    keys = {"AWS_ACCESS_KEY_ID": KEY_ID, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_SESSION_TOKEN": TOKEN, "AWS_REGION": "eu-west-1"}
    s3_env = keys | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{s3_port}"}
    az_env = {"AZURE_STORAGE_CONNECTION_STRING": connection}
    gs_env = {"STORAGE_EMULATOR_HOST": f"127.0.0.1:{s3_port}"}

    # The same answers from everywhere.
    local = checks.answers(str(fleet), {})
    checks.that(len(local[0]) > options.stacks * 0.9, "the fleet is there")
    for place, env in (("s3://states/", s3_env), ("az://states", az_env), ("gs://states", gs_env)):
        there = checks.answers(place, env)
        for here, far, command in zip(local, there, ("info", "find", "check", "ls")):
            differing = [pair for pair in zip(here, far) if pair[0] != pair[1]][:1]
            checks.that(here == far, f"{command} of {place} differs: {len(here)} and {len(far)} lines, first {differing}")
        print(f"{place}: {len(there[0])} stacks, the last command took {checks.seconds:.1f} s")

    # One object, a prefix with and without its `/`, options in the URL, a profile.
    one = next(name for name, _ in files if name.endswith("terraform.tfstate"))
    here = checks.run("ls", str(fleet / one))
    checks.that(checks.run("ls", f"s3://states/{one}", env=s3_env) == here, "one object")
    query = f"?region=eu-west-1&endpoint=127.0.0.1:{s3_port}&disableSSL=true&s3ForcePathStyle=true"
    checks.that(checks.run("ls", f"s3://states/{one}{query}", env=keys) == here, "options in the URL")
    team = one.split("/")[0]
    with_slash = checks.run("info", f"s3://states/{team}/", "--json", env=s3_env)
    without = checks.run("info", f"s3://states/{team}", "--json", env=s3_env)
    checks.that(with_slash.count("\n") == without.count("\n") > 1, "a prefix without its `/`")
    (home / ".aws").mkdir()
    (home / ".aws" / "credentials").write_text(f"[work]\naws_access_key_id = {KEY_ID}\naws_secret_access_key = {SECRET}\n")
    (home / ".aws" / "config").write_text(
        f"[profile work]\nregion = eu-west-1\nendpoint_url = http://127.0.0.1:{s3_port}\n[profile sso]\nsso_session = x\n")
    checks.that(checks.run("ls", f"s3://states/{one}", env={"AWS_PROFILE": "work"}) == here, "a profile")
    checks.that(checks.run("ls", f"s3://states/{one}?profile=work") == here, "a profile in the URL")
    checks.run("ls", f"s3://states/{one}?profile=none")
    checks.told("no profile `none`")
    checks.run("ls", f"s3://states/{one}?profile=sso&region=eu-west-1")
    checks.told("sso_session", "aws configure export-credentials")

    # The examples of the documentation.
    n_examples = 0
    page = (HERE.parent.parent / "docs" / "buckets.md").read_text()
    for block in re.findall("```sh remote\n(.*?)```", page, re.DOTALL):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            checks.that(words[0] == "stacklens", line)
            out = checks.run(*words[1:], env=s3_env | az_env | gs_env)
            checks.that(len(out.splitlines()) > 1, f"{line} prints nothing")
            n_examples += 1
    checks.that(n_examples > 4, "the page has examples")

    # A difference of an object and a file.
    checks.run("diff", str(fleet / one), f"s3://states/{one}", env=s3_env)
    checks.that(checks.code == 0, "an object is compared with its file")

    # The states of one lineage are versions of one stack, as in a folder; a copy is none. Others in the folder are left alone.
    def state(serial, size):
        return json.dumps({"version": 4, "terraform_version": "1.9.0", "serial": serial, "lineage": "one", "outputs": {}, "resources": [
            {"mode": "managed", "type": "aws_instance", "name": "it", "provider": 'provider["registry.terraform.io/hashicorp/aws"]',
             "instances": [{"schema_version": 1, "attributes": {"id": "i-1", "instance_type": size}}]}]}).encode()

    kept = folder / "kept"
    kept.mkdir()
    versions = {"prod.tfstate": state(3, "large"), "prod-1.tfstate": state(1, "small"), "prod-2.json": gzip.compress(state(2, "medium")),
                "copy-of-2.tfstate": state(2, "medium"), "notes.json": b"{}"}
    for name, body in versions.items():
        (kept / name).write_bytes(body)
        s3.put_object(Bucket="states", Key=f"kept/{name}", Body=body)
    in_folder, in_bucket = checks.answers(str(kept), {}), checks.answers("s3://states/kept/", s3_env)
    checks.that(in_folder == in_bucket and len(in_bucket[0]) > 0, f"versions below a prefix: {in_folder[0]} and {in_bucket[0]}")
    checks.that(len(checks.run("ls", "s3://states/kept/", "type:aws_instance", env=s3_env).splitlines()) == 1, "older versions are left out")
    for name in versions:
        s3.delete_object(Bucket="states", Key=f"kept/{name}")

    # A version of an object.
    s3.put_bucket_versioning(Bucket="states", VersioningConfiguration={"Status": "Enabled"})
    ids = [s3.put_object(Bucket="states", Key="versioned.tfstate", Body=state(*it))["VersionId"] for it in ((1, "small"), (2, "large"))]
    out = checks.run("get", f"s3://states/versioned.tfstate?versionId={ids[0]}", "aws_instance.it", "instance_type", env=s3_env)
    checks.that(out.strip() == "small", f"an older version of an object: {out}")
    out = checks.run("diff", f"s3://states/versioned.tfstate?versionId={ids[0]}", "s3://states/versioned.tfstate", env=s3_env)
    checks.that("small" in out and "large" in out, f"the difference of two versions of an object: {out}")
    said = "version 2 of 2"
    screen = checks.explored("gh", "s3://states/versioned.tfstate", env=s3_env, until=said)
    checks.that(said in screen, f"the versions of an object are its history: {screen[-2000:]}")
    s3.delete_object(Bucket="states", Key="versioned.tfstate")

    # Archives: named ones are opened as on the disk, found ones are said.
    for name in ("all.tar.gz", "all.tar", "all.zip"):
        packed = folder / name
        if name.endswith(".zip"):
            with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
                for path in sorted(fleet.rglob("*.tfstate")):
                    archive.write(path, path.relative_to(fleet))
        else:
            with tarfile.open(packed, "w:gz" if name.endswith(".gz") else "w") as archive:
                archive.add(fleet, ".")
        body = packed.read_bytes()
        s3.put_object(Bucket="states", Key=f"packed/{name}", Body=body)
        container.upload_blob(f"packed/{name}", body)
        want = [checks.run(*command, str(packed), *rest) for command, rest in ARCHIVE_COMMANDS]
        for place, env in ((f"s3://states/packed/{name}", s3_env), (f"az://states/packed/{name}", az_env)):
            for (command, rest), of_file in zip(ARCHIVE_COMMANDS, want):
                of_object = checks.run(*command, place, *rest, env=env)
                checks.that(of_file == of_object and len(of_file.splitlines()) > 1, f"{command} of {place} differs from the file")
    checks.run("find", "s3://states/", "=nothing-at-all", env=s3_env)
    checks.told("all.tar.gz")
    cut = (folder / "all.tar.gz").read_bytes()
    s3.put_object(Bucket="states", Key="cut/all.tar.gz", Body=cut[: len(cut) // 2])
    checks.run("ls", "s3://states/cut/all.tar.gz", "type:x", env=s3_env)
    checks.that(checks.code == 65, "an archive that is cut off is an error")
    checks.told("all.tar.gz")
    checks.run("ls", "s3://states/packed/all.tar.gz", "type:x", "--max-size", "1000", env=s3_env)
    checks.told("--max-size")
    for name in ("packed/all.tar.gz", "packed/all.tar", "packed/all.zip", "cut/all.tar.gz"):
        s3.delete_object(Bucket="states", Key=name)

    # Objects and buckets that do not exist.
    checks.run("ls", "s3://states/none.tfstate", env=s3_env)
    checks.that(checks.code != 0, "an object that is not there")
    checks.run("info", "s3://nobucket/", env=s3_env)
    checks.told("no such object or bucket")

    # Servers as they are.
    Proxy.upstream = s3_port
    proxied = keys | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{serve(Proxy)}"}
    n_stacks = len(local[0])

    def through(mode, *command):
        Proxy.mode, Proxy.n_requests, Proxy.seen = mode, 0, set()
        return checks.run(*command, env=proxied)

    for mode in ("plain", "slow", "drops"):
        out = through(mode, "info", "s3://states/", "--json")
        checks.that(out.count("\n") == n_stacks, f"{mode}: {out.count(chr(10))} of {n_stacks} stacks")
        print(f"{mode}: {checks.seconds:.1f} s for {Proxy.n_requests} requests")
    through("expired", "info", "s3://states/")
    checks.told("ExpiredToken")
    through("denied", "info", "s3://states/")
    checks.told("AccessDenied", "may not")
    through("cut", "ls", f"s3://states/{one}")
    checks.that(checks.code != 0 and checks.error, "an answer that is cut off is an error")
    s3.put_object(Bucket="states", Key="aaa/gone.tfstate", Body=b"{}")
    out = through("gone", "info", "s3://states/", "--json")
    checks.told("gone.tfstate", "no such object")
    checks.that(out.count("\n") >= n_stacks, "the others are listed")
    s3.delete_object(Bucket="states", Key="aaa/gone.tfstate")

    # Names that would harm a terminal or a folder.
    States.state = body = (fleet / one).read_bytes()
    out = through("hostile", "info", "s3://states/names/", "--json")
    checks.told("the list ends at a name", "evil")
    for name in ("ünï/😀.tfstate", "a b+c/x.tfstate", "%2e%2e/etc.tfstate"):
        s3.put_object(Bucket="states", Key=f"more/{name}", Body=body)
    out = checks.run("info", "s3://states/more/", "--json", env=s3_env)
    checks.that(out.count("\n") == 3 and '"error"' not in out, f"names with other letters: {out}")

    # States behind HTTP.
    States.state = body
    port = serve(States)
    url = f"127.0.0.1:{port}/state/prod"
    checks.that(checks.run("ls", f"http://me:pass-that-never-shows@{url}") == here, "user and password of the URL")
    env = {"TF_HTTP_USERNAME": "me", "TF_HTTP_PASSWORD": "pass-that-never-shows"}
    checks.that(checks.run("ls", f"http://{url}", env=env) == here, "user and password of the variables")
    checks.that(checks.run("ls", f"http://{url}?sig=abc") == here, "a signature in the URL")
    checks.run("ls", f"http://{url}")
    checks.that(checks.code != 0, "no password")
    # No message about a URL has its secrets: `run` looks for them in every output.
    secret = f"http://me:pass-that-never-shows@{url}"
    signed = f"http://{url}?sig=abc"
    for command in (["info", secret], ["info", secret, signed], ["get", secret, "no.such"], ["check", secret, "--state", signed],
                    ["diff", secret, signed], ["diff", secret, "--format", "terraform"], ["brief", secret], ["brief", secret, "--sarif"],
                    ["brief", secret, signed, "--json"], ["brief", secret, signed, "--sarif"], ["brief", secret, "--html", "-"],
                    ["find", secret, signed, "=x"], ["deps", secret, "no.such"], ["graph", secret], ["ls", secret, "--json"],
                    ["export", secret, signed, "--to", str(folder / "dataset")]):
        checks.run(*command)
    written = b"".join(path.read_bytes() for path in (folder / "dataset").rglob("*") if path.is_file())
    checks.that(written and b"never-shows" not in written and b"sig=abc" not in written, "the dataset keeps no secret of a URL")
    checks.run("ls", "s3://states/", "type:x", env=s3_env)
    checks.run("brief", "s3://states/", env=s3_env)
    checks.told("many objects")
    checks.run("ls", f"http://me:pass-that-never-shows@127.0.0.1:{port}/none")
    checks.told("no such object")
    checks.run("ls", f"http://me:pass-that-never-shows@127.0.0.1:{free_port()}/none")
    checks.that(checks.code != 0 and checks.seconds < 40, f"nobody listens: {checks.seconds:.0f} s")

    print("all checks passed" if checks.n_failed == 0 else f"{checks.n_failed} checks failed")
    return 1 if checks.n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
