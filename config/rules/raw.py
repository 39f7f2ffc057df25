"""The raw ParallelCluster fragment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from config.facts.parallelcluster_schema import load, versions
from config.findings import KeyPath
from config.rules.base import Problem, Rule, Subject
from config.rules.tags import taken

ROOT = ("parallelcluster", "raw")

_QUEUE_ROOT = ("Scheduling", "SlurmQueues", "*", "ComputeSettings", "LocalStorage", "RootVolume")
# ``*`` stands for any item of a list. What is named here is written by us, and breaks if it is written twice.
OWNED = {
    ("Region",): "region",
    ("Image", "Os"): "os",
    ("Image", "CustomAmi"): "custom_ami",
    ("HeadNode", "InstanceType"): "head_node.instance_type",
    ("HeadNode", "Networking", "SubnetId"): "head_node.subnet",
    ("HeadNode", "Networking", "ElasticIp"): "head_node.elastic_ip",
    ("HeadNode", "Networking", "AdditionalSecurityGroups"): "head_node.security_groups",
    ("HeadNode", "Ssh"): "ssh.allowed_cidrs (the key pair is the cluster's own)",
    ("HeadNode", "Dcv"): "head_node.dcv",
    ("HeadNode", "LocalStorage", "RootVolume", "Encrypted"): "head_node.root_volume.encrypted",
    ("HeadNode", "CustomActions"): "hooks",
    ("HeadNode", "Iam", "InstanceRole"): "head_node.policies and access",
    ("HeadNode", "Iam", "InstanceProfile"): "head_node.policies and access",
    ("LoginNodes", "Pools", "*", "Ssh"): "ssh.allowed_cidrs",
    ("LoginNodes", "Pools", "*", "CustomActions"): "hooks",
    ("LoginNodes", "Pools", "*", "Iam", "InstanceRole"): "login[].policies and access",
    ("LoginNodes", "Pools", "*", "Iam", "InstanceProfile"): "login[].policies and access",
    ("Scheduling", "SlurmQueues", "*", "CustomActions"): "hooks",
    ("Scheduling", "SlurmQueues", "*", "Iam", "InstanceRole"): "queues[].policies and access",
    ("Scheduling", "SlurmQueues", "*", "Iam", "InstanceProfile"): "queues[].policies and access",
    (*_QUEUE_ROOT, "Encrypted"): "queues[].root_volume.encrypted",
    ("Scheduling", "SlurmSettings", "ScaledownIdletime"): "slurm.scaledown_idletime",
    ("Scheduling", "SlurmSettings", "QueueUpdateStrategy"): "slurm.queue_update_strategy",
    ("Scheduling", "SlurmSettings", "CustomSlurmSettings"): "slurm.custom_settings",
    ("Monitoring", "Logs", "CloudWatch", "RetentionInDays"): "logs.retention_days",
    ("DevSettings", "Timeouts", "HeadNodeBootstrapTimeout"): "head_node.bootstrap_timeout",
    ("Tags",): "tags",
    ("Iam", "PermissionsBoundary"): "access (the boundary is compiled from what the cluster uses)",
    ("Iam", "ResourcePrefix"): "",
    ("Iam", "Roles"): "",
    ("CustomS3Bucket",): "",
}
# Tags of the whole cluster are written by us. Those of queues and compute resources win over them on nodes.
TAGS = (
    ("Scheduling", "SlurmQueues", "*", "Tags", "*", "Key"),
    ("Scheduling", "SlurmQueues", "*", "ComputeResources", "*", "Tags", "*", "Key"),
)


class RawSchema(Rule):
    """The fragment holds keys, types and values that the cluster's ParallelCluster version knows."""

    name = "raw-schema"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Compare with the committed schema of the version."""
        version, raw = subject.spec.parallelcluster_version, subject.spec.parallelcluster.raw
        if raw and version in versions():
            for problem in load(version).problems(raw):
                yield Problem((*ROOT, *problem.path), problem.message, problem.hint)


class RawOwned(Rule):
    """The fragment leaves alone what we write ourselves: it has a key of ours, or has to stay as it is."""

    name = "raw-owned"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look for paths of ours in the fragment."""
        for owned, ours in OWNED.items():
            for path, _ in places(subject.spec.parallelcluster.raw, owned):
                name = ".".join(owned).replace(".*", "[]")
                hint = f"use {ours} instead" if ours else "remove it: the cluster's stack depends on it"
                yield Problem((*ROOT, *path), f"{name} is written by us", hint)


class RawTags(Rule):
    """The fragment's tags of queues and compute resources have keys of your own: policies and bills go by ours."""

    name = "raw-tags"

    def check(self, subject: Subject) -> Iterator[Problem]:
        """Look at the keys of tags in the fragment."""
        for pattern in TAGS:
            for path, key in places(subject.spec.parallelcluster.raw, pattern):
                if isinstance(key, str) and (why := taken(key)):
                    yield Problem((*ROOT, *path), why, "choose another key")


def places(value: Any, pattern: tuple[str, ...], path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    """What stands in ``value`` where the pattern says, with its path; ``*`` is any item of a list."""
    if not pattern:
        yield path, value
    elif pattern[0] == "*":
        for index, item in enumerate(value if isinstance(value, list) else ()):
            yield from places(item, pattern[1:], (*path, index))
    elif isinstance(value, dict) and pattern[0] in value:
        yield from places(value[pattern[0]], pattern[1:], (*path, pattern[0]))
