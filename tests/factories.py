"""The smallest valid cluster, and variations of it, for tests that need no file."""

from __future__ import annotations

import copy
from typing import Any

from config.models.cluster import Cluster
from config.models.storage import Imported
from config.models.storage_file import StorageFile

MINIMAL: dict[str, Any] = {
    "engine": "parallelcluster",
    "parallelcluster_version": "3.16.1",
    "region": "us-east-1",
    "owner": {"name": "compbio-ops", "email": "hpc@example.org"},
    "network": {
        "vpc_id": "vpc-0abc1234",
        "subnets": {
            "public-a": {"id": "subnet-0aaa1234", "zone": "us-east-1a"},
            "private-a": {"id": "subnet-0bbb1234", "zone": "us-east-1a"},
            "private-b": {"id": "subnet-0ccc1234", "zone": "us-east-1b"},
        },
    },
    "ssh": {"allowed_cidrs": ["10.0.0.0/16"]},
    "head_node": {"instance_type": "c8g.xlarge", "subnet": "public-a"},
    "queues": [{"name": "cpu", "instance_types": ["c8g.2xlarge"], "subnets": ["private-a"]}],
}


def document(**changes: Any) -> dict[str, Any]:
    """The minimal cluster's document with top-level keys replaced; ``None`` removes a key."""
    merged = copy.deepcopy(MINIMAL) | changes
    return {key: value for key, value in merged.items() if value is not None}


def cluster(**changes: Any) -> Cluster:
    """The minimal cluster with top-level keys replaced; its storage files are those of ``STORAGE_FILES``."""
    spec = Cluster.model_validate(document(**changes))
    storage = [
        each.bound(STORAGE_FILES.get(each.from_)) if isinstance(each, Imported) else each for each in spec.storage
    ]
    return spec.model_copy(update={"storage": storage})


def storage_document(*filesystems: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The smallest storage file, beside the minimal cluster: an EFS filesystem, unless others are given."""
    kept = {key: MINIMAL[key] for key in ("region", "owner", "network")}
    return copy.deepcopy(kept) | {"filesystems": list(filesystems) or [{"name": "home", "type": "efs"}]} | changes


def storage_file(*filesystems: dict[str, Any], **changes: Any) -> StorageFile:
    """The same as a model."""
    return StorageFile.model_validate(storage_document(*filesystems, **changes))


def _network(*subnets: str, vpc_id: str = MINIMAL["network"]["vpc_id"]) -> dict[str, Any]:
    return {"vpc_id": vpc_id, "subnets": {key: MINIMAL["network"]["subnets"][key] for key in subnets}}


STORAGE_FILES = {
    "shared-home": storage_file(),
    "many": storage_file(
        {"name": "home", "type": "efs"},
        {"name": "fast", "type": "fsx-lustre", "subnet": "private-a"},
        {"name": "disk", "type": "ebs", "zone": "us-east-1a"},
    ),
    "other-region": storage_file(region="us-west-2"),
    "other-account": storage_file(account="210987654321"),
    "other-vpc": storage_file(network=_network("private-a", "private-b", vpc_id="vpc-0fff1234")),
    "one-zone": storage_file(network=_network("private-a")),
    "far-disk": storage_file({"name": "disk", "type": "ebs", "zone": "us-east-1b"}),
}
"""What the clusters of tests may mount ``from``."""
