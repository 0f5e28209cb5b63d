#!/usr/bin/env python3
"""Runs every query of docs/dataset.md on the dataset of a made fleet, and compares the answers with those of the program.

    queries.py BINARY FOLDER [--spark]

Needs the package duckdb, and with --spark the package pyspark and a Java runtime. `run.sh` installs them.
"""
import collections
import json
import os
import re
import signal
import subprocess
import sys
import time

BINARY, WORK = sys.argv[1:3]
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TABLES = ["stacks", "resources", "properties", "dependencies", "changes", "findings"]
FLEET, DATASET = os.path.join(WORK, "fleet"), os.path.join(WORK, "dataset")
SECRET = "4dabf18193072939515e22adb298388d"


def write(path, document):
    path = os.path.join(FLEET, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)


def state(serial, resources, lineage="l-grows"):
    return {"version": 4, "terraform_version": "1.9.8", "serial": serial, "lineage": lineage, "outputs": {}, "resources": [
        {"mode": "managed", "type": "aws_instance", "name": name, "provider": 'provider["registry.terraform.io/hashicorp/aws"]',
         "instances": [{"schema_version": 1, "attributes": {"id": f"i-{name}", "size": at}}]}
        for at, name in enumerate(resources)]}


def make():
    """A fleet, with files for the questions that its maker has none for."""
    subprocess.run([sys.executable, os.path.join(ROOT, "tests/bench/make_fleet.py"), "--stacks", "150", "--bytes", "9000", "--to", FLEET],
                   check=True, stdout=subprocess.DEVNULL)
    # Modules, secrets that the file marks, and one that only its form gives away.
    modules = state(1, ["a", "b"], "l-modules")
    modules["resources"][0]["module"] = "module.network"
    modules["resources"][1]["module"] = 'module.network.module.vpc["x"]'
    attributes = modules["resources"][0]["instances"][0]
    attributes["attributes"]["password"] = "MARKED-SECRET-1"
    attributes["sensitive_attributes"] = [[{"type": "get_attr", "value": "password"}]]
    modules["resources"][1]["instances"][0]["attributes"]["url"] = "postgres://app:LIKELY-SECRET-2@db.example.com/orders"
    write("terraform/modules/terraform.tfstate", modules)
    # A provider with its version, and a secret in plain text.
    urn = "urn:pulumi:prod::extra::"
    write("pulumi/.pulumi/stacks/extra/prod.json", {"version": 3, "checkpoint": {"stack": "organization/extra/prod", "latest": {
        "manifest": {"time": "2026-03-01T08:00:00Z", "magic": "", "version": "v3.100.0"},
        "resources": [
            {"urn": f"{urn}pulumi:pulumi:Stack::extra-prod", "custom": False, "type": "pulumi:pulumi:Stack"},
            {"urn": f"{urn}pulumi:providers:aws::main", "custom": True, "id": "p1", "type": "pulumi:providers:aws",
             "inputs": {"version": "6.60.0", "token": {SECRET: "1b47061264138c4ac30d75fd1eb44270", "plaintext": "\"MARKED-SECRET-3\""}},
             "outputs": {"version": "6.60.0"}}]}}})
    # A plan that replaces a resource.
    write("plans/replaces.json", {
        "format_version": "1.2", "terraform_version": "1.9.8",
        "resource_changes": [
            {"address": "aws_db_instance.main", "mode": "managed", "type": "aws_db_instance", "name": "main",
             "provider_name": "registry.terraform.io/hashicorp/aws", "action_reason": "replace_because_cannot_update",
             "change": {"actions": ["delete", "create"], "before": {"id": "db-1", "engine": "postgres", "size": 1},
                        "after": {"engine": "mysql", "size": 1}, "after_unknown": {"id": True}, "before_sensitive": {}, "after_sensitive": {},
                        "replace_paths": [["engine"]]}},
            {"address": "aws_s3_bucket.logs", "mode": "managed", "type": "aws_s3_bucket", "name": "logs",
             "provider_name": "registry.terraform.io/hashicorp/aws",
             "change": {"actions": ["delete"], "before": {"id": "logs", "bucket": "logs"}, "after": None, "after_unknown": {},
                        "before_sensitive": {}, "after_sensitive": False}}],
        "planned_values": {"root_module": {}}, "configuration": {"root_module": {}}})
    # A plan with modules: one in another, and one whose address has a password.
    bucket = {"mode": "managed", "type": "aws_s3_bucket", "name": "it", "provider_name": "registry.terraform.io/hashicorp/aws",
              "change": {"actions": ["update"], "before": {"id": "b", "acl": "a"}, "after": {"id": "b", "acl": "b"}, "after_unknown": {},
                         "before_sensitive": {}, "after_sensitive": {}}}
    inner = {"resources": [], "module_calls": {"vpc": {"source": "example/vpc/aws", "version_constraint": "~> 5.1", "module": {"resources": []}}}}
    private = {"source": "git::https://me:MARKED-SECRET-4@example.com/it.git", "module": {"resources": []}}
    write("plans/modules.json", {
        "format_version": "1.2", "terraform_version": "1.9.8", "planned_values": {"root_module": {}},
        "resource_changes": [{**bucket, "address": f"{module}.aws_s3_bucket.it", "module_address": module}
                             for module in ("module.net", 'module.net.module.vpc["a"]', 'module.net.module.vpc["b"]', "module.private")],
        "configuration": {"root_module": {"module_calls": {"net": {"source": "./net", "module": inner}, "private": private}}}})
    write("terraform/grows/terraform.tfstate", state(1, ["a", "b"]))


def run(*words, codes=(0, 1, 65)):
    run = subprocess.run([BINARY, *words], capture_output=True, text=True, check=False)
    assert run.returncode in codes, (words, run.returncode, run.stderr)
    return run.stdout


def lines(*words):
    return [json.loads(line) for line in run(*words, "--json").splitlines()]


def export():
    return run("export", FLEET, "--to", DATASET, codes=(0, 65))


def files():
    found = [os.path.join(folder, name) for folder, _, names in os.walk(DATASET) for name in names]
    return {path: os.stat(path).st_mtime_ns for path in found}


class Page:
    """The blocks of SQL of the page, by the heading before them."""

    def __init__(self):
        text = open(os.path.join(ROOT, "docs/dataset.md"), encoding="utf-8").read()
        self.queries, self.views, heading = {}, [], ""
        for part in re.split(r"(?m)^(?=#{2,3} |```sql$)", text):
            if part.startswith("#"):
                heading = part.splitlines()[0].lstrip("# ")
            elif part.startswith("```sql"):
                sql = part[len("```sql\n"):part.index("\n```", 3)]
                if heading == "Reading it":
                    self.views += [view for view in sql.split(";") if view.strip() and "read_parquet" not in view]
                else:
                    self.queries[heading] = sql


class DuckDb:
    name = "DuckDB"

    def __init__(self, views):
        import duckdb
        self.connection = duckdb.connect()
        for table in TABLES:
            self.connection.execute(f"create view {table} as select * from "
                                    f"read_parquet('{DATASET}/{table}/*/*.parquet', hive_partitioning = true)")
        for view in views:
            self.connection.execute(view)

    def ask(self, sql):
        return [tuple(row) for row in self.connection.execute(sql).fetchall()]


class Spark:
    name = "Spark"

    def __init__(self, views):
        from pyspark.sql import SparkSession
        builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "2")
        builder = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
        self.session = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
        self.session.sparkContext.setLogLevel("ERROR")
        for table in TABLES:
            self.session.read.parquet(os.path.join(DATASET, table)).createOrReplaceTempView(table)
        for view in views:
            self.session.sql(view.strip().replace("create view", "create temporary view", 1))

    def ask(self, sql):
        return [tuple(row) for row in self.session.sql(sql).collect()]


def agree(what, ours, theirs):
    ours, theirs = collections.Counter(ours), collections.Counter(theirs)
    assert ours == theirs, f"{what}: only the program {list((ours - theirs).items())[:5]}, only the query {list((theirs - ours).items())[:5]}"
    assert ours, f"{what}: nothing to compare"
    print(f"  {what}: {sum(ours.values())} rows agree")


def compare(answers):
    """The answers beside those of the commands."""
    name = lambda row: row.get("address") or row["urn"]
    found = lines("find", FLEET, "=ami-0abc0000000000abc")
    agree("find by value", [(row["stack"], name(row), row["section"], row["path"]) for row in found], answers["Which stacks use this AMI?"])
    managed = [row for row in lines("ls", FLEET, "id:subnet-0fee1000000000001") if row["mode"] == "managed"]
    agree("ls by id", [(row["stack"], name(row), row["type"]) for row in managed], answers["Where is the resource with this id managed?"])
    rows = answers["Who reads whose outputs?"]
    for network in ("pulumi/payments/orchard-00000", "terraform/checkout/amber-00001"):
        readers = [row for row in lines("deps", FLEET, network, "--reverse") if row["kind"] != "equal_id"]
        agree(f"deps of {network}", [(row["stack"], row["kind"]) for row in readers],
              [(reader, kind) for reader, kind, read in rows if read == network])
    guesses = [row for row in lines("deps", FLEET, "pulumi/payments/orchard-00000", "--reverse") if row["kind"] == "equal_id"]
    mentions = {(owner, reader) for owner, _, reader in answers["Who mentions what another stack manages?"]}
    known = {(row["of_stack"], row["stack"]) for row in guesses}
    assert known and known <= mentions, (len(known), len(mentions))
    print(f"  deps by equal ids: {len(known)} readers are among {len(mentions)} pairs")
    checked = lines("check", FLEET)
    agree("check: secrets in clear text",
          [(row["stack"], row["resource"], None if row["path"] == "root" else row["path"], row["kind"])
           for row in checked if row["kind"] in ("likely_secret", "secret_name")],
          answers["Which stacks hold passwords in clear text?"])
    listed = lines("ls", FLEET)
    agree("ls by type and provider", collections.Counter((row["type"], row.get("provider")) for row in listed).elements(),
          [key for *key, n in map(tuple, answers["How many resources of each type and provider are there?"]) for key in [tuple(key)] * n])
    infos = lines("info", FLEET)
    live = [row for row in infos if row["role"] not in ("backup", "history") and not row.get("twin") and not row.get("error")]
    versions = answers["Which versions of tools, packages and providers are in use?"]
    agree("info by tool", collections.Counter((row["tool"], row.get("tool_version") or None) for row in live).elements(),
          [key for what, tool, version, n in versions if what == "tool" for key in [(tool, version)] * n])
    assert ("provider", "pulumi:providers:aws", "6.60.0", 1) in versions, versions
    agree("ls of modules", {(module_of(row["address"]),) for row in listed if (row.get("address") or "").startswith("module.")},
          {(row[0],) for row in answers["Which modules are used, and where?"]})
    called = [(source, version, n) for source, version, stack, n in answers["Which stacks use which version of a module?"] if "modules" in stack]
    assert called == [("./net", None, 1), ("example/vpc/aws", "~> 5.1", 2)], called
    replaced = lines("ls", FLEET, "action:replace")
    agree("ls of replacements", {(row["stack"], name(row)) for row in replaced},
          {row[:2] for row in answers["Which changes replace a resource, and what forces it?"]})
    assert [row[2:] for row in answers["Which changes replace a resource, and what forces it?"]] == [("engine", "postgres", "mysql")]
    rules = answers["Which findings are there, by rule?"]
    agree("check by kind", [(row["kind"], row["severity"]) for row in checked if row["kind"] != "not_run"],
          [key for source, rule, severity, n, _ in rules if source == "check" for key in [(rule, severity)] * n])
    brief = json.loads(run("brief", os.path.join(FLEET, "plans/replaces.json"), "--json"))
    of_rules = {found["rule"] for part in brief["sections"] for entry in with_what_comes_along(part["entries"])
                for found in entry["findings"] if found.get("rule")}
    agree("brief by rule", of_rules, {rule for source, rule, *_ in rules if source == "rule"})
    unread = answers["Which stacks could not be read, or wait for something?"]
    agree("info of broken files", [row["stack"] for row in infos if row.get("error")], [row[0] for row in unread if row[2]])
    secrets = answers["Which types of resources hold secrets?"]
    assert ("aws_instance", "password", "secret", 1) in secrets and ("aws_instance", "url", "likely_secret", 1) in secrets, secrets
    sizes = answers["Which resources are the largest?"]
    assert len(sizes) == 20 and sizes[0][2] >= sizes[-1][2] > 0
    assert answers["Which numbers does a property have?"][0][1] >= 8
    total = sum(row["resources"] for row in live)
    assert total == answers["total"][0][0], (total, answers["total"])
    print(f"  info: {len(live)} stacks with {total} resources agree")


def with_what_comes_along(entries):
    for entry in entries:
        yield entry
        yield from with_what_comes_along(entry.get("along", []))


def module_of(address):
    return re.match(r'((?:module\.[^.\[]+(?:\["[^"]*"\]|\[\d+\])?\.)+)', address).group(1).replace("module.", "").rstrip(".")


def no_secret_is_written():
    for path in files():
        bytes_ = open(path, "rb").read()
        assert b"-SECRET-" not in bytes_, path


def stopped_exports_can_go_on():
    """Kills exports after longer and longer times, then lets one end: it has the same rows as an export that was never stopped."""
    import duckdb
    folders = [os.path.join(WORK, name) for name in ("stopped", "whole")]
    for at in range(1, 9):
        process = subprocess.Popen([BINARY, "export", FLEET, "--to", folders[0]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.05 * at)
        process.send_signal(signal.SIGKILL)
        process.wait()
    for folder in folders:
        run("export", FLEET, "--to", folder, codes=(65,))
    assert not os.path.exists(os.path.join(folders[0], "_parts"))
    for table in TABLES:
        columns = "* exclude (exported)" if table == "stacks" else "*"
        rows = [collections.Counter(duckdb.sql(f"select {columns} from read_parquet('{folder}/{table}/*/*.parquet')").fetchall())
                for folder in folders]
        assert rows[0] == rows[1] and rows[0], table
    print("stopped exports went on: all tables have the same rows")


def main():
    os.makedirs(WORK, exist_ok=True)
    make()
    page = Page()
    assert len(page.queries) >= 12, list(page.queries)
    print(export().strip())
    before = files()
    assert "0 new versions" in export() and files() == before, "a second export writes nothing"

    # One stack grows, one goes back to what it was, and one file is repaired.
    write("terraform/grows/terraform.tfstate", state(2, ["a", "c", "d"]))
    print(export().strip())
    write("terraform/grows/terraform.tfstate", state(1, ["a", "b"]))
    print(export().strip())
    write("terraform/grows/terraform.tfstate", state(3, ["a", "b", "e", "f"]))
    print(export().strip())
    assert all(files()[path] == before[path] for path in before), "files are only added"
    no_secret_is_written()
    stopped_exports_can_go_on()

    engines = [DuckDb] + [Spark] * ("--spark" in sys.argv)
    answers = {}
    for engine in engines:
        engine = engine(page.views)
        answers[engine.name] = {heading: engine.ask(sql) for heading, sql in page.queries.items()}
        answers[engine.name]["total"] = engine.ask("select sum(resources) from live")
        print(f"{engine.name}: {len(page.queries)} queries")
    first = answers["DuckDB"]
    for heading in page.queries:
        assert first[heading], f"{heading}: no rows"
    compare(first)
    grown = [row[1:] for row in first["How did stacks grow between versions?"] if row[0] == "terraform/grows"]
    assert grown == [(2, 3, 1), (3, 2, -1), (4, 4, 2)], grown
    changed = [row[1:] for row in first["What did the last version of a stack add and remove?"]]
    assert changed == [("added", "aws_instance.e"), ("added", "aws_instance.f")], changed
    for engine in answers:
        for heading, rows in answers[engine].items():
            assert rows == first[heading], f"{engine} and DuckDB differ: {heading}\n{rows[:3]}\n{first[heading][:3]}"
    print("all agree")


if __name__ == "__main__":
    main()
