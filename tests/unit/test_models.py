"""What the models themselves refuse: shapes, missing keys, other types, and single values beyond their limits."""

from __future__ import annotations

import copy
from itertools import pairwise
from typing import Any

import pytest
from pydantic import ValidationError

from config.derived import is_managed
from config.findings import KeyPath
from config.models.cluster import Cluster
from tests.factories import cluster, document

QUEUE = {"name": "cpu", "instance_types": ["c8g.2xlarge"], "subnets": ["private-a"]}
POOL = {"name": "login", "subnet": "public-a"}
EBS = {"name": "shared", "mount": "/shared", "type": "ebs"}
EFS = {"name": "efs", "mount": "/efs", "type": "efs"}
LUSTRE = {"name": "fsx", "mount": "/fsx", "type": "fsx-lustre", "hydration": {"import_bucket": "data"}}
NFS = {"name": "nfs", "mount": "/nfs/x", "type": "nfs", "server": "nfs", "export": "/x"}
DOWNLOAD = {"name": "tool", "url": "https://example.org/x", "sha256": "0" * 64}
HOOK = {"script": "site/after.sh"}
BUCKET = {"name": "data"}
TOPIC = "arn:aws:sns:us-east-1:123456789012:hpc"
SECRET = "arn:aws:secretsmanager:us-east-1:123456789012:secret:x-AbCdEf"
DIRECTORY = {
    "domain_name": "corp.example.org",
    "address": ["ldaps://a"],
    "read_only_user": "cn=x",
    "password_secret": SECRET,
}

# Where, a value that is refused, its neighbour that is not.
TABLE: list[tuple[KeyPath, Any, Any]] = [
    (("engine",), "pcs", "parallelcluster"),
    (("account",), 123456789012, "123456789012"),
    (("account",), "12345678901", "123456789012"),
    (("region",), "us-east", "us-east-1"),
    (("region",), "us-east-1a", "us-gov-west-1"),
    (("owner", "name"), "a--b", "a-b"),
    (("owner", "name"), "a-", "a"),
    (("owner", "name"), "A", "0a"),
    (("owner", "name"), "a" * 64, "a" * 63),
    (("owner", "email"), "hpc@example", "hpc@example.org"),
    (("owner", "email"), "a b@example.org", "a@example.org"),
    (("environment",), "production", "prod"),
    (("os",), "rhel8", "rhel9"),
    (("os",), "centos", "alinux2023"),
    (("custom_ami",), "ami-0abc", "ami-0abc1234"),
    (("termination_protection",), "yes", True),
    (("session_manager",), 1, True),
    (("rollout",), "now", "drain"),
    (("network", "vpc_id"), "vpc-0abc", "vpc-0abc1234"),
    (("network", "subnets"), {}, {"a": {"id": "subnet-0abc1234", "zone": "us-east-1a"}}),
    (("network", "subnets", "A"), {"id": "subnet-0abc1234", "zone": "us-east-1a"}, None),
    (("network", "subnets", "public-a", "id"), "subnet-0abc12345", "subnet-0abc123400abc1234"),
    (("network", "subnets", "public-a", "zone"), "us-east-1", "us-gov-west-1a"),
    (("ssh", "allowed_cidrs"), [], ["10.0.0.0/16"]),
    (("ssh", "key_reader"), "path/role", "role"),
    (("head_node", "instance_type"), "c8g", "c8g.large"),
    (("head_node", "root_volume", "type"), "sc1", "gp2"),
    (("head_node", "dcv", "port"), 65536, 65535),
    (("head_node", "bootstrap_timeout"), "2100", 2100),
    (("head_node", "policies"), ["arn:aws:iam::aws:policy/*"], ["arn:aws:iam::aws:policy/ReadOnlyAccess"]),
    (("head_node", "security_groups"), ["sg-1"], ["sg-0abc1234"]),
    (("login", 0), POOL | {"count": -1}, POOL | {"count": 0}),
    (("login", 0), POOL | {"root_volume": {}}, POOL),
    (("login",), [POOL] * 11, [POOL] * 10),
    (("queues",), [], [QUEUE]),
    (("queues",), [QUEUE] * 51, [QUEUE] * 50),
    (("queues", 0), QUEUE | {"name": "default"}, QUEUE | {"name": "default2"}),
    (("queues", 0), QUEUE | {"name": "a--b"}, QUEUE | {"name": "a-b"}),
    (("queues", 0), QUEUE | {"name": "CPU"}, QUEUE),
    (("queues", 0), QUEUE | {"instance_types": []}, QUEUE),
    (("queues", 0), QUEUE | {"subnets": []}, QUEUE),
    (("queues", 0), QUEUE | {"capacity": "SPOT"}, QUEUE | {"capacity": "spot"}),
    (("queues", 0), QUEUE | {"spot_price": 1}, QUEUE),
    (("queues", 0), QUEUE | {"min_nodes": -1}, QUEUE | {"min_nodes": 0}),
    (("queues", 0), QUEUE | {"max_nodes": 0}, QUEUE | {"max_nodes": 1}),
    (("queues", 0), QUEUE | {"max_nodes": 2.0}, QUEUE | {"max_nodes": 2}),
    (("slurm", "scaledown_idletime"), 0, 1),
    (("slurm", "queue_update_strategy"), "drain", "DRAIN"),
    (("storage", 0), EBS | {"type": "floppy"}, EBS),
    (("storage", 0), EBS | {"mount": "shared"}, EBS),
    (("storage", 0), EBS | {"mount": "/"}, EBS),
    (("storage", 0), EBS | {"mount": "//x"}, EBS),
    (("storage", 0), EBS | {"mount": "/x/"}, EBS),
    (("storage", 0), EBS | {"mount": "/x;y"}, EBS),
    (("storage", 0), EBS | {"mount": "/x'y"}, EBS),
    (("storage", 0), EBS | {"name": "default"}, EBS),
    (("storage", 0), EBS | {"id": "vol-1"}, EBS | {"id": "vol-0abc1234"}),
    (("storage", 0), EFS | {"throughput_mode": "elastic"}, EFS | {"throughput_mode": "bursting"}),
    (("storage", 0), EFS | {"provisioned_throughput": 1025}, EFS | {"provisioned_throughput": 1024}),
    (("storage", 0), EFS | {"performance_mode": "max"}, EFS | {"performance_mode": "maxIO"}),
    (("storage", 0), EFS | {"hydration": {}}, EFS),
    (("storage", 0), LUSTRE | {"hydration": {}}, LUSTRE),
    (("storage", 0), LUSTRE | {"id": "fs-0abc1234"}, LUSTRE | {"id": "fs-" + "0" * 17}),
    (("storage", 0), LUSTRE | {"weekly_maintenance": "8:00:00"}, LUSTRE | {"weekly_maintenance": "7:23:59"}),
    (("storage", 0), LUSTRE | {"encrypted": True}, LUSTRE),
    (("storage", 0, "hydration"), {"import_bucket": "D"}, {"import_bucket": "data"}),
    (("storage", 0, "hydration"), {"import_bucket": "data", "import_path": "/x"}, {"import_bucket": "data"}),
    (("storage", 0, "hydration"), {"import_bucket": "data", "import_path": "x*"}, {"import_bucket": "data"}),
    (("storage", 0, "hydration"), {"import_bucket": "data", "chunk_size_mib": 1023}, {"import_bucket": "data"}),
    (("storage", 0, "hydration"), {"import_bucket": "data", "chunk_size_mib": 512001}, {"import_bucket": "data"}),
    (("storage", 0), NFS | {"server": "a b"}, NFS),
    (("storage", 0), NFS | {"export": "x"}, NFS),
    (("storage", 0), NFS | {"security_group": "sg-1"}, NFS | {"security_group": "sg-0abc1234"}),
    (("directory",), DIRECTORY | {"address": ["a"]}, DIRECTORY),
    (("directory",), DIRECTORY | {"address": []}, DIRECTORY),
    (("directory",), DIRECTORY | {"domain_name": "a b"}, DIRECTORY | {"domain_name": "dc=a,DC=b"}),
    (("directory",), DIRECTORY | {"verify_certificate": "no"}, DIRECTORY),
    (("access", "secrets"), [SECRET + "*"], [SECRET]),
    (("access", "kms_keys"), ["arn:aws:kms:us-east-1:123456789012:alias/x"], []),
    (("access", "buckets"), [BUCKET | {"prefix": "/x"}], [BUCKET | {"prefix": "x/"}]),
    (("access", "buckets"), [BUCKET | {"prefix": "*"}], [BUCKET | {"prefix": ""}]),
    (("access", "buckets"), [{"name": "ab"}], [{"name": "abc"}]),
    (("identity", "ceiling"), "account-wide", "cluster"),
    (("notifications", "emails"), ["nobody"], ["a@example.org"]),
    (("notifications", "topic_arn"), TOPIC + ".fifo", TOPIC),
    (("notifications", "topic_arn"), "hpc", TOPIC),
    (("notifications", "topic_arn"), TOPIC + ":0f1e2d3c-subscription", TOPIC),
    (("notifications", "webhook_secret"), "https://hooks.example.org/token", SECRET),
    (("hooks", "on_node_configured"), [HOOK | {"script": "a b.sh"}], [HOOK]),
    (("hooks", "on_node_configured"), [HOOK | {"args": ["a\nb"]}], [HOOK | {"args": ["a b"]}]),
    (("hooks", "on_node_configured"), [HOOK | {"args": ["a\tb"]}], [HOOK | {"args": [""]}]),
    (("hooks", "on_node_configured"), [HOOK | {"nodes": []}], [HOOK | {"nodes": ["login"]}]),
    (("downloads",), [DOWNLOAD | {"url": "http://example.org/x"}], [DOWNLOAD]),
    (("downloads",), [DOWNLOAD | {"sha256": "0" * 63}], [DOWNLOAD]),
    (("downloads",), [DOWNLOAD | {"name": "a b"}], [DOWNLOAD]),
    (("tags",), {"a": 1}, {"a": "1"}),
    (("logs", "retention_days"), "30", 30),
]

KINDS = {"ebs", "efs", "fsx-lustre", "nfs"}
REQUIRED = ["parallelcluster_version", "region", "owner", "network", "ssh", "head_node", "queues"]


def put(path: KeyPath, value: Any) -> dict[str, Any]:
    """The minimal document with one value at a path; lists and maps on the way are made."""
    changed: Any = copy.deepcopy(document(login=[POOL], storage=[copy.deepcopy(LUSTRE)]))
    target = changed
    for part, following in pairwise(path):
        if isinstance(target, dict):
            target = target.setdefault(part, [] if isinstance(following, int) else {})
        else:
            target = target[int(part)]
    target[path[-1]] = value
    return changed


@pytest.mark.parametrize(("path", "bad", "good"), TABLE)
def test_value_is_refused_and_its_neighbour_is_not(path: KeyPath, bad: Any, good: Any) -> None:
    with pytest.raises(ValidationError) as caught:
        Cluster.model_validate(put(path, bad))
    # Pydantic adds the kind of a filesystem to the place.
    found = [[part for part in error["loc"] if part not in KINDS] for error in caught.value.errors()]
    places = {tuple(place[: len(path)]) for place in found}
    assert places == {path}
    if good is not None:
        Cluster.model_validate(put(path, good))


@pytest.mark.parametrize("key", REQUIRED)
def test_required_keys(key: str) -> None:
    with pytest.raises(ValidationError, match=key):
        cluster(**{key: None})


def test_unknown_keys_are_refused_everywhere() -> None:
    with pytest.raises(ValidationError, match="schedular"):
        cluster(schedular="slurm")


def test_a_cluster_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        cluster().region = "eu-west-1"


def test_defaults_are_the_documented_ones() -> None:
    spec = cluster(storage=[EBS, EFS, LUSTRE])
    queue, lustre = spec.queues[0], spec.storage[2]
    assert (spec.os, spec.environment, spec.logs.retention_days) == ("ubuntu2404", "dev", 30)
    assert (queue.capacity, queue.min_nodes, queue.max_nodes, queue.multithreading) == ("spot", 0, 8, True)
    assert spec.slurm.scaledown_idletime == 5
    assert spec.software.accounting
    assert [item.on_delete for item in spec.storage if is_managed(item)] == ["retain"] * 3
    assert lustre.type == "fsx-lustre"
    assert (lustre.size_gib, lustre.deployment_type, lustre.weekly_maintenance) == (1200, "SCRATCH_2", "4:20:00")
    assert lustre.hydration is not None
    assert (lustre.hydration.import_path, lustre.hydration.export_path) == ("import", "export")
    assert lustre.hydration.auto_import == "NEW_CHANGED"
