"""Values in the place of those that only a deployment knows, so that a whole document can be checked before it."""

from __future__ import annotations

import re
from typing import Any

from config.facts.parallelcluster_schema import SchemaTree, is_intrinsic
from config.findings import KeyPath
from config.models.cluster import Cluster
from hpc_constructs.identity.rendering_sizes import partition_of
from hpc_constructs.parallelcluster.rendering import References

ACCOUNT = "123456789012"

BY_KEY = {"Script": "s3://stand-in/script.sh", "AllowedIps": "pl-0123456789abcdef0"}
"""Forms that ParallelCluster checks by code and not by a pattern."""

TEXTS = (
    "stand-in",
    "subnet-0123456789abcdef0",
    "sg-0123456789abcdef0",
    "ami-0123456789abcdef0",
    "vol-0123456789abcdef0",
    "snap-0123456789abcdef0",
    "fs-0123456789abcdef0",
    "fsap-0123456789abcdef0",
    "fsvol-0123456789abcdef0",
    "fc-0123456789abcdef0",
    "backup-0123456789abcdef0",
    f"arn:aws:iam::{ACCOUNT}:policy/stand-in",
    f"arn:aws:iam::{ACCOUNT}:role/stand-in",
    f"arn:aws:iam::{ACCOUNT}:instance-profile/stand-in",
    f"arn:aws:secretsmanager:us-east-1:{ACCOUNT}:secret:stand-in-abcdef",
)
"""One of each form that ParallelCluster's patterns tell apart; the first that fits stands in."""


def references(name: str, spec: Cluster) -> References:
    """What the cluster's stack would give its document."""

    partition = partition_of(spec.region)

    def policy(purpose: str) -> str:
        return (
            f"arn:{partition}:iam::{ACCOUNT}:policy/clusterform/{name}/clusterform-{name}-{purpose}-{spec.region}"
        )

    stack = f"arn:{partition}:cloudformation:{spec.region}:{ACCOUNT}:stack/clusterform-pc-{name}"
    return References(
        permissions_boundary=policy("boundary"),
        key_name=f"{name}-key",
        engine_bucket=f"clusterform-{name}-engine",
        entry_url=f"s3://clusterform-{name}-staging/entry.sh",
        head_policies=[policy("head-compute"), policy("head-storage"), policy("head-identity"), policy("deny")],
        compute_policies=[policy("compute-base"), policy("deny")],
        login_policies=[policy("compute-base"), policy("deny")],
        owner=f"{stack}/00000000-0000-0000-0000-000000000000",
        manifest_sha256="0" * 64,
        ssh_prefix_list="pl-0123456789abcdef0",
    )


def without_intrinsics(document: Any, tree: SchemaTree, path: KeyPath = ()) -> Any:
    """The document with a value of the right form for each intrinsic function in it."""
    if is_intrinsic(document):
        return _stand_in(tree, path)
    if isinstance(document, dict):
        return {key: without_intrinsics(value, tree, (*path, key)) for key, value in document.items()}
    if isinstance(document, list):
        return [without_intrinsics(value, tree, (*path, index)) for index, value in enumerate(document)]
    return document


def _stand_in(tree: SchemaTree, path: KeyPath) -> Any:
    node = tree.node(path)
    match node.get("type"):
        case "list":
            return [_stand_in(tree, (*path, 0))]
        case "integer" | "number":
            return node.get("minimum", 1)
        case "boolean":
            return True
    if "enum" in node:
        return node["enum"][0]
    fitting = (_of_its_own(text, path) for text in TEXTS if re.match(node.get("pattern", ""), text))
    return BY_KEY.get(str(path[-1])) or next(fitting, TEXTS[0])


def _of_its_own(text: str, path: KeyPath) -> str:
    """Another id for each filesystem: ParallelCluster refuses to mount one twice."""
    if path[0] != "SharedStorage" or not isinstance(path[1], int):
        return text
    return f"{text[:-2]}{path[1]:02x}"
