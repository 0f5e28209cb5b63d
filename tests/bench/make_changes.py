#!/usr/bin/env python3
"""Synthesize a plan in which every resource changes, as a large release changes them.

    make_changes.py --format tfplan|preview --changes N [--seed S] [--huge-every K] -o FILE

Python 3 standard library only. Deterministic, and streamed like make_big_state.py, whose resources it takes: `tfplan` is
`terraform show -json` of a plan with N changes (resource_changes and configuration), `preview` is `pulumi preview --json` with N
changed steps, and unchanged ones for providers and components.

Of a hundred changes about 70 are the same new tag, 12 a value of their own, 3 a policy in a string, 2 a value that is not known
before the apply, 1 a secret; 4 create, 3 delete, 4 replace, 1 moves, is imported or forgotten.
"""
import argparse
import json

import make_big_state as big

TAG = ("Release", "2026.11.1", "2026.11.2")
MIX = ((.70, "tag"), (.82, "own"), (.85, "policy"), (.87, "unknown"), (.88, "secret"), (.92, "create"), (.95, "delete"),
       (.97, "delete-create"), (.99, "create-delete"), (.993, "forget"), (.997, "move"), (1, "import"))
# Properties that the provider computes, which a change may leave open.
OPEN = ("arn", "role_arn", "kms_key_id", "vpc_id", "policy_arn", "etag", "id")


def kind_of(model, b, key):
    x = big.rnd(model.seed, "release", b.addr(key)).random()
    return next(kind for limit, kind in MIX if x <= limit)


def action_of(model, b, key):
    if b.mode == "data":
        return "read"
    kind = kind_of(model, b, key)
    return "update" if kind in ("tag", "own", "policy", "unknown", "secret") else kind


def bumped(value, r):
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1 + r.randrange(3)
    return str(value) + "-next"


def with_statement(text, r):
    """A policy with one more statement."""
    policy = json.loads(text)
    if isinstance(policy.get("Statement"), list):
        policy["Statement"] = policy["Statement"] + [{"Sid": "Release", "Effect": "Allow", "Action": ["s3:GetObject"], "Resource": "arn:aws:s3:::%s/*" % r.choice(big.WORDS)}]
    return json.dumps(policy, separators=(",", ":"))


def is_policy(value):
    return isinstance(value, str) and value.startswith("{") and '"Statement"' in value


def changed(kind, before, sens, r, own_key):
    """The values after an update of the kind, and the paths that are not known. Any resource can change somehow."""
    after, unknown = dict(before), set()
    policy = next((k for k, v in before.items() if is_policy(v)), None)
    open_key = next((k for k in OPEN if isinstance(before.get(k), str) and k != "id"), None)
    secret = next((path[0] for path in sens if len(path) == 1 and isinstance(before.get(path[0]), str)), None)
    if kind == "policy" and policy:
        after[policy] = with_statement(before[policy], r)
    elif kind == "unknown" and open_key:
        del after[open_key]
        unknown.add((open_key,))
    elif kind == "secret" and secret:
        after[secret] = big.pw(r)
    elif kind != "own" and isinstance(before.get("tags"), dict):
        for tags in ("tags", "tagsAll", "tags_all"):
            if isinstance(before.get(tags), dict):
                before[tags] = dict(before[tags], **{TAG[0]: TAG[1]})
                after[tags] = dict(before[tags], **{TAG[0]: TAG[2]})
    else:
        plain = [k for k, v in before.items() if isinstance(v, (int, str)) and v not in ("", "[secret]") and big.snake(k) not in big.COMPUTED and k not in ("id", "name", "__defaults", "apiVersion", "kind")]
        key = own_key if own_key in plain else next(iter(plain), None)
        if key is None:
            key = next(k for k in before)
        after[key] = bumped(before[key], r)
    return after, unknown


def plan_change(model, b, key, original=big.plan_change):
    act, entry, after, before, sens = original(model, b, key)
    if act == "update":
        r = big.rnd(model.seed, "value", b.addr(key))
        before = dict(before)
        after, unknown = changed(kind_of(model, b, key), before, sens, r, big.UPDATE_KEY.get(b.type))
        secrets = set(sens)
        entry["change"].update(before=before, after=after, after_unknown=big.mirror({**after, **{k: None for k, in sorted(unknown)}}, unknown),
                               before_sensitive=big.mirror(before, secrets), after_sensitive=big.mirror(after, secrets))
    return act, entry, after, before, sens


class Preview(big.Pulumi):
    """`pulumi preview --json`"""
    OPS = {"create": ["create"], "import": ["import"], "delete": ["delete"], "forget": ["delete"], "move": ["update"], "update": ["update"],
           "delete-create": ["delete-replaced", "replace", "create-replacement"], "create-delete": ["create-replacement", "replace", "delete-replaced"]}

    def run(self):
        m, o = self.m, self.o
        top = big.Seq(o, 0, "{")
        top.key("steps", done=False)
        steps = big.Seq(o, 1, "[")
        r0 = big.rnd(m.seed, "preview")

        def same(state):
            steps.add({"op": "same", "urn": state["urn"], "oldState": state, "newState": state, "detailedDiff": None})

        same({"urn": self.comp_urn(()), "custom": False, "type": "pulumi:pulumi:Stack"})
        self.prov, self.counts = {}, {}
        for p, v in big.VERSIONS.items():
            self._provider(same, p, "default_" + v.replace(".", "_"), {"version": v}, r0, p)
        for region in m.regions:
            self._provider(same, "aws", "aws-" + region, {"region": region}, r0, "aws@" + region)
            self._provider(same, "kubernetes", "k8s-" + region, {"kubeconfig": "[secret]"}, r0, "kubernetes@" + region)
        for event, b in m.walk():
            if event == "open" and b:
                same({"urn": self.comp_urn(b), "custom": False, "type": big.COMP[b[-1][0]], "parent": self.comp_urn(b[:-1])})
            elif event == "block":
                keys = iter(b.keys)
                self._block(lambda state: self.change(steps, b, next(keys), state), b)
        steps.end()
        top.key("duration", 123456789)
        top.key("changeSummary", {op: n for op, n in self.S["actions"].items()})
        top.end()

    def change(self, steps, b, key, state):
        """The steps of a resource. A resource that an earlier program read changes like any other."""
        act, kind = kind_of(self.m, b, key), "own"
        if act in ("tag", "own", "policy", "unknown", "secret"):
            act, kind = "update", act
        for name in ("created", "modified", "sourcePosition", "aliases", "initErrors", "external"):
            state.pop(name, None)
        r = big.rnd(self.m.seed, "value", b.addr(key))
        state.setdefault("inputs", {k: v for k, v in state["outputs"].items() if big.snake(k) not in big.COMPUTED})
        before = dict(state["inputs"])
        own_key = big.camel(big.UPDATE_KEY.get(b.type) or "")
        # A preview shows no secrets, so none of them changes.
        after, unknown = changed(kind if kind != "secret" else "tag", before, [], r, own_key)
        for path in unknown:
            after[path[0]] = big.UNKNOWN
        old = dict(state, inputs=before, outputs={**state["outputs"], **{k: v for k, v in before.items() if k != "__defaults"}})
        new = dict(state, inputs=after)
        new.pop("outputs")
        keys = sorted(k for k in after if after.get(k) != before.get(k))
        replaces = act in ("delete-create", "create-delete")
        diff = {k: {"kind": "update-replace" if replaces else "update", "inputDiff": True} for k in keys}
        for op in self.OPS[act]:
            step = {"op": op, "urn": state["urn"], "provider": state["provider"]}
            if op not in ("create", "import"):
                step["oldState"] = old
            if op not in ("delete", "delete-replaced"):
                step["newState"] = new
            if op in ("update", "replace", "create-replacement"):
                step.update(diffReasons=keys, detailedDiff=diff)
                if replaces:
                    step["replaceReasons"] = keys
            steps.add(step)
            big.bump(self.S["actions"], op)
        big.bump(self.S, "resources")


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("--format", required=True, choices=["tfplan", "preview"])
    ap.add_argument("--changes", type=int, required=True)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--huge-every", type=int, default=600, help="about one resource in K carries a ~100 KB string (default 600)")
    ap.add_argument("-o", "--output", default="-")
    a = ap.parse_args()
    big.action_of, big.plan_change = action_of, plan_change
    big.secret = lambda r, v: "[secret]"
    model = big.Model(a.changes, a.seed, a.huge_every)
    summary = {"format": a.format, "resources": 0, "types": {}, "actions": {}}
    if a.format == "tfplan":
        out = big.Out(a.output, None)
        big.write_tfplan(model, out, summary, {"configuration"})
    else:
        out = big.Out(a.output, 4)
        Preview(model, out, summary).run()
    out.close()
    if summary["resources"] != a.changes:
        raise SystemExit("internal error: wrote %d changes, wanted %d" % (summary["resources"], a.changes))


if __name__ == "__main__":
    main()
