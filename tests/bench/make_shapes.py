#!/usr/bin/env python3
"""Synthesize a plan of Terraform of an extreme shape: what takes longest if work is done for each pair of resources.

    make_shapes.py --shape alike|different|deleted|beside|one|many --changes N -o FILE

Python 3 standard library only, deterministic, and streamed.

alike      N updates that are all the same: type, values, names and ids.
different  N changes of which each has properties, names and values of its own; every fourth comes, every fourth goes.
deleted    N deletions: wholes, their parts, and permissions that are there twice.
beside     N deletions of parts, permissions and providers' objects beside as many that stay, on wholes that stay.
one        N updates that all take values from one object, which is replaced, and name another one, which is deleted.
many       N deletions, and one object that stays and names all of them.
found      N changes of services, of what they select, and of permissions that take the place of others; all look for the same.
renamed    N deletions and creations: half of it goes, in modules, and comes in others with the same parts.
"""
import argparse
import json

ARN = "arn:aws:thing:eu-west-1:123456789012:%s/%s"
TYPES = ["aws_instance", "aws_s3_bucket", "aws_db_instance", "aws_iam_policy", "aws_sqs_queue", "aws_lambda_function", "aws_ecs_service", "aws_kms_key"]


def element(ty, name, index, actions, before, after, unknown=None, module=""):
    return {"address": "%s%s.%s[%d]" % (module, ty, name, index), "mode": "managed", "type": ty, "name": name, "index": index,
            "provider_name": "registry.terraform.io/hashicorp/aws",
            "change": {"actions": actions, "before": before, "after": after, "after_unknown": unknown or {}, "before_sensitive": {}, "after_sensitive": {}}}


def update(ty, name, index, before, **changes):
    return element(ty, name, index, ["update"], before, {**before, **changes})


def delete(ty, name, index, before):
    return element(ty, name, index, ["delete"], before, None)


def stays(ty, name, index, state):
    return element(ty, name, index, ["no-op"], state, state)


def alike(n):
    state = {"id": "shop-prod-1", "name": "shop-prod", "arn": ARN % ("shop", "prod"), "role": "arn:aws:iam::123456789012:role/shop", "zone": "eu-west-1a",
             "source": "shop-prod-1", "size": 3, "tags": {"app": "shop", "tier": "web"}, "password_hash": "9a1c2d", "cidr": ["10.0.0.0/16"]}
    for i in range(n):
        yield update("aws_instance", "it", i, state, size=4, role="arn:aws:iam::123456789012:role/dev", zone="eu-west-1b", tags={"app": "shop-2", "tier": "web"})


def different(n):
    for i in range(n):
        ty = "%s_%d" % (TYPES[i % 8], i // 8 % 50)
        state = {"id": "id-%d-a" % i, "arn": ARN % (ty, i), "name": "name-%d" % i, "property_%d" % (i % 997): "value %d" % i, "size": i, "key_%d" % (i % 89): [str(i), str(i + 1)],
                 "tags": {"app": "app-%d" % i}, "secret_key": "s3cr3t-%d-key" % i, "region": "eu-west-%d" % (i % 3)}
        after = {**state, "size": i + 1, "property_%d" % (i % 997): "value %d" % (i * 7), "tags": {"app": "other-%d" % i}, "secret_key": "s3cr3t-%d-yek" % i}
        if i % 4 == 0:
            yield element(ty, "name_%d" % i, i, ["create"], None, {**after, "id": "new-%d" % i, "arn": None, "name": "new-%d" % i})
        elif i % 4 == 1:
            yield delete(ty, "name_%d" % i, i, state)
        else:
            yield element(ty, "name_%d" % i, i, ["update"], state, after)


def parts(i, group):
    """A listener, a rule and a permission of one whole."""
    lb = ARN % ("lb", group)
    yield "aws_lb_listener", {"id": ARN % ("listener", i), "arn": ARN % ("listener", i), "load_balancer_arn": lb, "port": 80 + i % 9, "protocol": "HTTP"}
    yield "aws_security_group_rule", {"id": "sgr-%d" % i, "type": "ingress", "security_group_id": "sg-%d-main" % group, "from_port": 443, "to_port": 443, "cidr_blocks": ["10.%d.%d.0/24" % (i // 250 % 250, i % 250)]}
    yield "aws_lambda_permission", {"id": "allow", "statement_id": "allow-%d" % i, "function_name": "fn-%d" % group, "principal": "events.amazonaws.com", "action": "lambda:InvokeFunction"}


def wholes(group):
    yield "aws_lb", {"id": ARN % ("lb", group), "arn": ARN % ("lb", group), "name": "lb-%d" % group, "tags": {"app": "lb"}}
    yield "aws_security_group", {"id": "sg-%d-main" % group, "name": "main", "vpc_id": "vpc-1"}
    yield "aws_lambda_function", {"id": "fn-%d" % group, "function_name": "fn-%d" % group, "runtime": "python3.12"}


def of_groups(n, of_group):
    """N elements: six of each group."""
    for i in range(n):
        group, number = divmod(i, 6)
        all = list(wholes(group)) + list(parts(i - number, group))
        yield of_group(*all[number], i)


def deleted(n):
    yield from of_groups(n, lambda ty, state, i: delete(ty, "it", i, state))


def beside(n):
    """Of every second group the parts go, with and without an equal one that stays."""
    for i in range(n):
        group, number = divmod(i, 3)
        ty, state = list(parts(i, group))[number]
        yield delete(ty, "old", i, state)
        ty, state = list(wholes(group))[number]
        yield stays(ty, "it", i, state)
        ty, state = list(parts(i if group % 2 else i + n, group if group % 2 else group + n))[number]
        yield stays(ty, "it", i, state)


def one(n):
    hub = {"id": "sg-0a1b2c3d4e5f", "arn": ARN % ("group", "one"), "name": "one"}
    yield element("aws_security_group", "one", 0, ["delete", "create"], hub, {"name": "two"}, {"id": True, "arn": True})
    yield delete("aws_lb_target_group", "one", 0, {"id": ARN % ("target", "one"), "arn": ARN % ("target", "one"), "name": "one"})
    for i in range(n - 2):
        state = {"id": "i-%d-b" % i, "name": "web-%d" % i, "group": hub["id"], "target": ARN % ("target", "one"), "policy": json.dumps({"Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": ARN % ("target", "one")}]})}
        after = {key: value for key, value in state.items() if key != "group"}
        yield element("aws_instance", "it", i, ["update"], state, after, {"group": True})


def many(n):
    ids = []
    for i in range(n):
        ids.append("i-%08x-%d" % (i * 2654435761 % 2**32, i))
        yield delete("aws_instance", "it", i, {"id": ids[-1], "arn": ARN % ("instance", ids[-1]), "private_ip": "10.%d.%d.%d" % (i // 65536, i // 256 % 256, i % 256)})
    yield stays("aws_lb_target_group", "all", 0, {"id": "tg-1", "targets": [{"id": id, "port": 80} for id in ids], "note": " ".join(ids)})


def found(n):
    meta = lambda labels: [{"name": "web", "namespace": "shop", "labels": labels}]
    for i in range(n):
        if i % 3 == 0:
            state = {"id": "shop/web-%d" % i, "metadata": meta({}), "spec": [{"selector": {"app": "web"}, "type": "ClusterIP"}]}
            yield update("kubernetes_service", "it", i, state, spec=[{"selector": {"app": "web", "tier": "front"}, "type": "ClusterIP"}])
        elif i % 3 == 1:
            pods = lambda labels: [{"replicas": 2, "template": [{"metadata": meta(labels)}]}]
            state = {"id": "shop/web-%d" % i, "metadata": meta({"app": "web"}), "spec": pods({"app": "web"})}
            yield update("kubernetes_deployment", "it", i, state, metadata=meta({"app": "web-2"}), spec=pods({"app": "web-2"}))
        else:
            state = {"id": "b/%d" % i, "bucket": "b-%d" % i, "role": "roles/storage.objectViewer", "members": ["user:a@example.com"]}
            yield update("google_storage_bucket_iam_binding", "it", i, state, members=["user:b@example.com"])
            member = {"id": "b/%d/c" % i, "bucket": "b-%d" % i, "role": "roles/storage.objectViewer", "member": "user:c@example.com"}
            yield stays("google_storage_bucket_iam_member", "it", i, member)


def renamed(n):
    for i in range(n):
        number, part = divmod(i // 2, 4)
        ty = TYPES[part]
        state = {"id": "%s-%d" % (ty, number), "name": "shop-%d" % number, "size": 3, "zone": "eu-west-1a"}
        module = "module.%s[%d]." % (("shop", "store")[i % 2], number) if number % 2 else "module.%s_%08x." % (("old", "new")[i % 2], number * 2654435761 % 2**32)
        if i % 2:
            yield element(ty, "it", 0, ["create"], None, {key: value for key, value in state.items() if key != "id"}, {"id": True}, module)
        else:
            yield element(ty, "it", 0, ["delete"], state, None, module=module)


CONFIGURATION = {"root_module": {"resources": [
    {"address": "aws_instance.it", "mode": "managed", "type": "aws_instance", "name": "it", "provider_config_key": "aws",
     "expressions": {"group": {"references": ["aws_security_group.one[0].id", "aws_security_group.one[0]", "aws_security_group.one"]}, "name": {"references": ["count.index"]},
                     "size": {"references": ["var.size"]}, "target": {"constant_value": "x"}, "policy": {"constant_value": "x"}}}]}}
SHAPES = {"alike": alike, "different": different, "deleted": deleted, "beside": beside, "one": one, "many": many, "found": found,
          "renamed": renamed}


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("--shape", required=True, choices=SHAPES)
    ap.add_argument("--changes", type=int, required=True)
    ap.add_argument("-o", "--output", required=True)
    a = ap.parse_args()
    with open(a.output, "w") as out:
        out.write('{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{"root_module":{}},"resource_changes":[\n')
        for number, it in enumerate(SHAPES[a.shape](a.changes)):
            out.write((",\n" if number else "") + json.dumps(it, separators=(",", ":")))
        out.write('],"configuration":%s}' % json.dumps(CONFIGURATION))


if __name__ == "__main__":
    main()
