"""Filesystems of storage files in a cluster: how they are found, and what the cluster gets of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from config.findings import ConfigError, Finding
from config.models.cluster import Cluster
from config.models.storage import Imported
from config.project import load
from config.selection import select
from hpc_constructs.identity.rendering_grants import grants
from hpc_constructs.identity.rendering_scope import Scope
from hpc_constructs.notifications.rendering import storage_lines
from hpc_constructs.parallelcluster.rendering_storage import (
    shared_storage,
    storage_forms,
    storage_security_groups,
)
from tests import projects
from tests.factories import cluster, storage_document

HOME = {"name": "home", "mount": "/home", "from": "shared-home"}


def imported(name: str) -> dict[str, str]:
    return {"Fn::ImportValue": f"clusterform-storage-{name}"}


def of_many(filesystem: str, mount: str) -> dict[str, Any]:
    return {"name": filesystem, "mount": mount, "from": "many", "filesystem": filesystem}


def test_the_cluster_mounts_what_the_other_stack_exports() -> None:
    spec = cluster(storage=[HOME, of_many("fast", "/fast"), of_many("disk", "/disk")])
    home, fast, disk = shared_storage(spec)
    assert home == {
        "Name": "home",
        "MountDir": "/home",
        "StorageType": "Efs",
        "EfsSettings": {"FileSystemId": imported("shared-home:home:id"), "EncryptionInTransit": True},
    }
    assert fast["StorageType"] == "FsxLustre"
    assert fast["FsxLustreSettings"] == {"FileSystemId": imported("many:fast:id")}
    assert disk["EbsSettings"] == {"VolumeId": imported("many:disk:id")}


def test_every_node_is_put_into_the_groups_that_the_storage_admits_each_once() -> None:
    spec = cluster(
        storage=[of_many("home", "/home"), of_many("fast", "/fast"), {**HOME, "name": "x", "mount": "/x"}]
    )
    assert storage_security_groups(spec) == [imported("many:clients"), imported("shared-home:clients")]
    assert storage_security_groups(cluster(storage=[of_many("disk", "/disk")])) == []
    efs = {"name": "e", "mount": "/e", "type": "efs"}
    assert storage_security_groups(cluster(storage=[{**efs, "managed_by": "stack"}])) == [
        {"Fn::GetAtt": ["StorageClients", "GroupId"]}
    ]
    adopted = {**efs, "id": "fs-0abc1234", "security_group": "sg-0abc1234"}
    assert storage_security_groups(cluster(storage=[adopted])) == ["sg-0abc1234"]


def test_the_head_node_may_attach_the_imported_volume_and_no_other() -> None:
    spec = cluster(storage=[of_many("disk", "/disk")])
    scope = Scope(name="demo", region="us-east-1", staging_bucket="S", engine_bucket="E", key_pair="K")
    (volumes,) = [each for each in grants(spec, scope) if each.sid == "GivenVolumes"]
    (resource,) = volumes.resources
    assert resource["Fn::Sub"][1] == {"Volume": imported("many:disk:id")}


def test_forms_are_what_the_guard_compares() -> None:
    spec = cluster(
        storage=[
            HOME,
            {"name": "a", "mount": "/a", "type": "efs"},
            {"name": "b", "mount": "/b", "type": "ebs", "managed_by": "stack"},
            {"name": "c", "mount": "/c", "type": "efs", "id": "fs-0abc1234"},
            {"name": "d", "mount": "/nfs/d", "type": "nfs", "server": "10.0.0.9", "export": "/d"},
        ]
    )
    assert storage_forms(spec) == ["home storage:shared-home", "a parallelcluster", "b stack", "c id:fs-0abc1234"]


def test_people_are_told_where_it_is() -> None:
    assert storage_lines(cluster(storage=[HOME])) == [
        "/home: EFS filesystem home of storage shared-home, which outlives clusters",
        "/home/pkg: software for all users",
    ]


def project(folder: Path, storage: dict[str, Any], **changes: Any) -> Path:
    made = projects.create(folder, {"demo": projects.minimal(storage=[HOME], **changes)})
    made.write("config/storage/shared-home.yaml", yaml.safe_dump(storage))
    return made.root


def refused(root: Path, **context: str) -> tuple[Finding, ...]:
    with pytest.raises(ConfigError) as caught:
        load(root, select(context, root))
    return tuple(caught.value.findings)


def test_the_loader_finds_the_storage_file(tmp_path: Path) -> None:
    root = project(tmp_path, storage_document())
    (loaded,) = load(root, select({"cluster": "demo"}, root)).clusters
    (home,) = loaded.spec.storage
    assert isinstance(home, Imported)
    assert home.stored.type == "efs"
    assert isinstance(loaded.spec, Cluster)


def test_an_unknown_storage_file_is_refused_with_the_nearest(tmp_path: Path) -> None:
    root = project(tmp_path, storage_document())
    (root / "config/storage/shared-home.yaml").rename(root / "config/storage/shared-hone.yaml")
    (finding,) = refused(root, cluster="demo")
    assert (finding.rule, finding.path) == ("unknown-storage", ("storage", 0, "from"))
    assert (finding.file, finding.line > 0) == ("config/clusters/demo.yaml", True)
    assert "did you mean 'shared-hone'?" in finding.hint


def test_an_invalid_storage_file_tells_its_own_errors_once(tmp_path: Path) -> None:
    root = project(tmp_path, storage_document(region=3))
    for context in ({"cluster": "demo"}, {}):
        (finding,) = refused(root, **context)
        assert (finding.file, finding.path) == ("config/storage/shared-home.yaml", ("region",))


def test_other_errors_of_the_cluster_come_beside_those_of_the_storage(tmp_path: Path) -> None:
    root = project(tmp_path, storage_document(region="us-west-2"), environment=7)
    found = {finding.rule for finding in refused(root, cluster="demo")}
    assert {"zone-in-region", "value"} <= found


def test_a_volume_is_mounted_by_one_cluster_alone(tmp_path: Path) -> None:
    disk = projects.minimal(storage=[{"name": "disk", "mount": "/disk", "from": "disks"}])
    made = projects.create(tmp_path, {"blue": disk, "green": disk})
    document = storage_document({"name": "disk", "type": "ebs", "zone": "us-east-1a"})
    made.write("config/storage/disks.yaml", yaml.safe_dump(document))
    (finding,) = refused(made.root)
    assert (finding.rule, finding.file) == ("volume-taken", "config/clusters/green.yaml")
    assert '"blue"' in finding.message
    assert load(made.root, select({"cluster": "blue"}, made.root)).clusters


def test_a_layer_that_names_a_storage_file_takes_the_place_of_a_type_below(tmp_path: Path) -> None:
    root = project(tmp_path, storage_document())
    defaults = {"storage": [{"name": "home", "mount": "/home", "type": "efs", "throughput_mode": "bursting"}]}
    (root / "config/defaults.yaml").write_text(yaml.safe_dump(defaults))
    (loaded,) = load(root, select({"cluster": "demo"}, root)).clusters
    assert isinstance(loaded.spec.storage[0], Imported)
