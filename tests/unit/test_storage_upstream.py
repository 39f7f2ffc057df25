"""ParallelCluster's own rules take /home from each kind of storage that outlives a cluster, in every version."""

from __future__ import annotations

from typing import Any

import pytest

from ops.validate import facts, realistic_document
from pcluster_rules.worker_client import Rules
from tests.factories import cluster

HOME = {"name": "home", "mount": "/home"}
FORMS: list[dict[str, Any]] = [
    {"type": "efs", "id": "fs-0123456789abcdef0"},
    {"type": "fsx-lustre", "id": "fs-0123456789abcdef0"},
    {"type": "ebs", "id": "vol-0123456789abcdef0"},
    {"type": "efs", "managed_by": "stack"},
    {"type": "fsx-lustre", "managed_by": "stack"},
    {"type": "ebs", "managed_by": "stack"},
    {"from": "many", "filesystem": "home"},
    {"from": "many", "filesystem": "fast"},
    {"from": "many", "filesystem": "disk"},
]


@pytest.mark.parametrize("version", ["3.15.1", "3.16.1"])
def test_home_may_be_on_storage_that_exists_before_the_cluster(version: str) -> None:
    with Rules(version) as rules:
        for form in FORMS:
            spec = cluster(parallelcluster_version=version, storage=[HOME | form])
            document = realistic_document("demo", spec)
            said = [
                each for each in rules.validate("demo", document, facts(spec, document)) if each.level != "info"
            ]
            assert said == [], form


def test_several_imported_filesystems_are_not_taken_for_one() -> None:
    storage = [
        {"name": name, "mount": f"/{name}", "from": "many", "filesystem": name} for name in ("home", "fast")
    ]
    spec = cluster(storage=storage)
    document = realistic_document("demo", spec)
    with Rules("3.16.1") as rules:
        said = rules.validate("demo", document, facts(spec, document))
    assert [each for each in said if each.level != "info"] == []
