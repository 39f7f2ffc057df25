"""The smallest valid cluster, and variations of it, for tests that need no file."""

from __future__ import annotations

import copy
from typing import Any

from config.models.cluster import Cluster

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
    """The minimal cluster with top-level keys replaced."""
    return Cluster.model_validate(document(**changes))
