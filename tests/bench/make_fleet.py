#!/usr/bin/env python3
"""Makes a fleet: many stacks of Pulumi, Terraform and OpenTofu below one folder.

    make_fleet.py --stacks N --bytes S --to DIR [--seed S] [--others M]

Python 3 standard library only. The same arguments give the same bytes.

What is in it
    pulumi/.pulumi/stacks/PROJECT/STACK.json   every second stack, as a self-managed backend keeps it, some with .bak
    terraform/TEAM/NAME/terraform.tfstate      the others, some with .backup
    plans/NAME.json                            a plan for every hundredth stack
    others/NNNNNN.txt                          M files that are no states (--others)

    Stack 0 makes the network: its outputs are read by stack references and terraform_remote_state of every tenth stack.
    Every third stack uses the AMI ami-0abc0000000000abc, every fifth the subnet of stack 0 by its id alone.
    Every plan makes a bucket in a module, whose version is "~> 5.1" in every second plan and "~> 4.2" in the others.
    Every 25th stack has a password in clear text. Stacks 7 and 8 of each hundred are broken and a twin of the one before.

A summary (counts made while writing) is printed as one JSON line.
"""
import argparse
import json
import os
import random

AMI = "ami-0abc0000000000abc"
SUBNET = "subnet-0fee1000000000001"
VPC_ARN = "arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-0fee0000000000000"
WORDS = ("orchard amber falcon delta harbor quartz lumen cobalt ember willow summit raven prairie canyon aurora basalt cedar drift "
         "glacier heron indigo juniper kestrel larch marble nimbus onyx pebble quill ridge saffron timber umber velvet zephyr").split()
TEAMS = ["payments", "checkout", "search", "identity", "logistics", "analytics", "platform", "messaging"]
SECRET_SIG = "4dabf18193072939515e22adb298388d"
SECRET_VAL = "1b47061264138c4ac30d75fd1eb44270"


def name_of(index):
    return f"{WORDS[index % len(WORDS)]}-{index:05d}"


class Maker:
    def __init__(self, options):
        self.options = options
        self.summary = {"stacks": 0, "broken": 0, "twins": 0, "backups": 0, "plans": 0, "ami": 0, "readers": 0, "guesses": 0,
                        "clear": 0, "module": 0, "bytes": 0, "others": 0}

    def write(self, path, text):
        path = os.path.join(self.options.to, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self.summary["bytes"] += len(text)

    def run(self):
        for index in range(self.options.stacks):
            self.stack(index)
        for index in range(self.options.others):
            self.write(f"others/{index // 1000:03d}/{index:06d}.txt", f"# page {index}\n\nno state at all\n")
            self.summary["others"] += 1
        print(json.dumps(self.summary))

    def stack(self, index):
        rng = random.Random(f"{self.options.seed}/{index}")
        is_twin = index % 100 == 8
        is_broken = index % 100 == 7
        made = index - 2 if is_twin else index
        if is_twin:
            rng = random.Random(f"{self.options.seed}/{made}")
        counts = dict(self.summary)
        text = self.pulumi(made, rng) if made % 2 == 0 else self.terraform(made, rng)
        if is_twin or is_broken:
            # A twin is left out, and a broken one holds what is left of it.
            for key in ("ami", "readers", "guesses", "clear"):
                self.summary[key] = counts[key]
        if is_broken:
            text = text[:len(text) // 100]
            self.summary["broken"] += 1
            self.summary["ami"] += AMI in text
        elif is_twin:
            self.summary["twins"] += 1
        else:
            self.summary["stacks"] += 1
        name, team = name_of(index), TEAMS[index % len(TEAMS)]
        if index % 2 == 0:
            path = f"pulumi/.pulumi/stacks/{team}/{name}.json"
            backup = path + ".bak"
        else:
            path = f"terraform/{team}/{name}/terraform.tfstate"
            backup = path + ".backup"
        self.write(path, text)
        if index % 20 == 3 or index % 20 == 4:
            self.write(backup, text)
            self.summary["backups"] += 1
        if index % 100 == 50:
            self.write(f"plans/{name}.json", self.plan(index, rng))
            self.summary["plans"] += 1

    def attributes(self, index, at, rng):
        """The attributes of an instance, with about 600 bytes of text."""
        uses_ami = index % 3 == 0 and at == 0
        name = f"{rng.choice(WORDS)}-{rng.randrange(1 << 32):08x}"
        subnet = SUBNET if index % 5 == 0 and at == 1 and index > 0 else f"subnet-{rng.randrange(1 << 60):017x}"
        arn = f"arn:aws:ec2:eu-west-1:123456789012:instance/i-{rng.randrange(1 << 60):017x}"
        return {
            "id": arn[-19:], "arn": arn, "ami": AMI if uses_ami else f"ami-{rng.randrange(1 << 60):017x}",
            "instance_type": rng.choice(["t3.micro", "m5.large", "c5.xlarge"]), "subnet_id": subnet,
            "tags": {"Name": name, "Team": TEAMS[index % len(TEAMS)], "Owner": f"{rng.choice(WORDS)}@example.com"},
            "user_data": f"#!/bin/sh\nexport NAME={name}\n" + "".join(rng.choice("abcdefghij ") for _ in range(200)),
            "private_ip": f"10.{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(1, 255)}",
            "ebs_optimized": rng.random() < 0.5, "root_block_device": [{"volume_size": rng.randrange(8, 512), "encrypted": True}],
        }

    def count(self, index):
        self.summary["ami"] += index % 3 == 0
        self.summary["readers"] += index % 10 == 0 and index > 0 or index % 10 == 1
        self.summary["guesses"] += index % 5 == 0 and index > 0
        self.summary["clear"] += index % 25 == 0

    def pulumi(self, index, rng):
        self.count(index)
        name, project = name_of(index), TEAMS[index % len(TEAMS)]
        urn = f"urn:pulumi:{name}::{project}::"
        stack = f"{urn}pulumi:pulumi:Stack::{project}-{name}"
        outputs = {"endpoint": f"https://{name}.example.com"}
        resources = []
        if index == 0:
            outputs = {"vpcId": "vpc-0fee0000000000000", "vpcArn": VPC_ARN, "subnetId": SUBNET}
            resources.append({"urn": f"{urn}aws:ec2/subnet:Subnet::main", "custom": True, "id": SUBNET, "type": "aws:ec2/subnet:Subnet",
                              "parent": stack, "inputs": {"cidrBlock": "10.0.0.0/16"},
                              "outputs": {"id": SUBNET, "arn": f"arn:aws:ec2:eu-west-1:123456789012:subnet/{SUBNET}"}})
        elif index % 10 == 0:
            resources.append({"urn": f"{urn}pulumi:pulumi:StackReference::network", "custom": True, "type": "pulumi:pulumi:StackReference",
                              "id": f"organization/{TEAMS[0]}/{name_of(0)}", "external": True,
                              "inputs": {"name": f"organization/{TEAMS[0]}/{name_of(0)}"},
                              "outputs": {"name": f"organization/{TEAMS[0]}/{name_of(0)}", "outputs": {"vpcId": "vpc-0fee0000000000000"},
                                          "secretOutputNames": []}, "parent": stack})
        if index % 25 == 0:
            resources.append({"urn": f"{urn}aws:rds/instance:Instance::orders", "custom": True, "id": f"orders-{index}",
                              "type": "aws:rds/instance:Instance", "parent": stack,
                              "inputs": {"password": f"clear-{index}-Xy7!kq"}, "outputs": {"password": f"clear-{index}-Xy7!kq"}})
        resources.append({"urn": f"{urn}random:index/randomPassword:RandomPassword::token", "custom": True, "id": "none",
                          "type": "random:index/randomPassword:RandomPassword", "parent": stack, "inputs": {"length": 20},
                          "outputs": {"result": {SECRET_SIG: SECRET_VAL, "ciphertext": f"v1:{rng.randrange(1 << 62):x}:{rng.randrange(1 << 62):x}"}}})
        at, size = 0, 0
        while size < self.options.bytes:
            attributes = self.attributes(index, at, rng)
            inputs = {key: value for key, value in attributes.items() if key not in ("id", "arn", "private_ip")}
            resource = {"urn": f"{urn}aws:ec2/instance:Instance::web-{at}", "custom": True, "id": attributes["id"],
                        "type": "aws:ec2/instance:Instance", "inputs": inputs, "outputs": attributes, "parent": stack,
                        "dependencies": [], "provider": f"{urn}pulumi:providers:aws::default::8f1d2c3b-80e4-46f7-96ec-5a6b7c8d9e0f"}
            resources.append(resource)
            size += len(json.dumps(resource, indent=4))
            at += 1
        provider = {"urn": f"{urn}pulumi:providers:aws::default", "custom": True, "id": "8f1d2c3b-80e4-46f7-96ec-5a6b7c8d9e0f",
                    "type": "pulumi:providers:aws", "inputs": {"region": "eu-west-1"}, "outputs": {"region": "eu-west-1"}}
        top = {"urn": stack, "custom": False, "type": "pulumi:pulumi:Stack", "outputs": outputs}
        return json.dumps({"version": 3, "checkpoint": {"stack": f"organization/{project}/{name}", "latest": {
            "manifest": {"time": f"2026-0{1 + index % 9}-1{index % 10}T08:00:00Z", "magic": "", "version": "v3.100.0"},
            "resources": [top, provider] + resources}}}, indent=4)

    def terraform(self, index, rng):
        self.count(index)
        outputs = {"endpoint": {"value": f"https://{name_of(index)}.example.com", "type": "string"}}
        resources = []
        provider = 'provider["registry.terraform.io/hashicorp/aws"]'
        if index % 10 == 1:
            config = {"value": {"path": f"../../../pulumi/.pulumi/stacks/{TEAMS[0]}/{name_of(0)}.json"}, "type": ["object", {"path": "string"}]}
            if index > 1:
                config["value"]["path"] = f"../../{TEAMS[1]}/{name_of(1)}/terraform.tfstate"
            resources.append({"mode": "data", "type": "terraform_remote_state", "name": "network",
                              "provider": 'provider["terraform.io/builtin/terraform"]',
                              "instances": [{"schema_version": 0, "attributes": {
                                  "backend": "local", "config": config, "defaults": None, "workspace": None,
                                  "outputs": {"value": {"endpoint": "https://x"}, "type": ["object", {"endpoint": "string"}]}}}]})
        if index % 25 == 0:
            resources.append({"mode": "managed", "type": "aws_db_instance", "name": "orders", "provider": provider,
                              "instances": [{"schema_version": 2, "attributes": {"id": f"orders-{index}", "password": f"clear-{index}-Xy7!kq"}}]})
        at, size = 0, 0
        while size < self.options.bytes:
            resource = {"mode": "managed", "type": "aws_instance", "name": f"web_{at}", "provider": provider,
                        "instances": [{"schema_version": 1, "attributes": self.attributes(index, at, rng), "sensitive_attributes": [],
                                       "private": "bnVsbA=="}]}
            resources.append(resource)
            size += len(json.dumps(resource, indent=2))
            at += 1
        lineage = f"{index:08x}-0000-4000-8000-{rng.randrange(1 << 48):012x}"
        return json.dumps({"version": 4, "terraform_version": "1.9.8", "serial": 1 + index % 40, "lineage": lineage,
                           "outputs": outputs, "resources": resources, "check_results": None}, indent=2)

    def plan(self, index, rng):
        changes = []
        for at in range(3):
            attributes = self.attributes(index + 1, at + 2, rng)
            changes.append({"address": f"aws_instance.new_{at}", "mode": "managed", "type": "aws_instance", "name": f"new_{at}",
                            "provider_name": "registry.terraform.io/hashicorp/aws",
                            "change": {"actions": ["create"], "before": None, "after": attributes, "after_unknown": {"id": True},
                                       "before_sensitive": False, "after_sensitive": {}}})
        version = ("~> 4.2", "~> 5.1")[index % 200 // 100]
        self.summary["module"] += version == "~> 5.1"
        changes.append({"address": "module.store.aws_s3_bucket.it", "module_address": "module.store", "mode": "managed", "type": "aws_s3_bucket",
                        "name": "it", "provider_name": "registry.terraform.io/hashicorp/aws",
                        "change": {"actions": ["create"], "before": None, "after": {"bucket": f"store-{index}"}, "after_unknown": {"id": True},
                                   "before_sensitive": False, "after_sensitive": {}}})
        call = {"source": "acme/store/aws", "version_constraint": version, "module": {"resources": []}}
        return json.dumps({"format_version": "1.2", "terraform_version": "1.9.8", "resource_changes": changes, "planned_values": {"root_module": {}},
                           "configuration": {"root_module": {"module_calls": {"store": call}}}})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stacks", type=int, required=True)
    parser.add_argument("--bytes", type=int, required=True, help="about so many bytes a stack")
    parser.add_argument("--to", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--others", type=int, default=0)
    Maker(parser.parse_args()).run()


if __name__ == "__main__":
    main()
