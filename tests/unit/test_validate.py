"""Clusters before ParallelCluster's own rules: what they are asked, and about what."""

from dataclasses import dataclass
from typing import Any

import pytest

from config.facts.parallelcluster_schema import is_intrinsic, load, versions
from config.models.cluster import Cluster
from ops.stand_ins import references, without_intrinsics
from ops.validate import Checked, facts, realistic_document, validate
from tests.factories import cluster

TREE = load("3.16.1")


@dataclass
class Loaded:
    """What this command uses of a loaded cluster."""

    name: str
    spec: Cluster


def checked(*clusters: Loaded) -> list[Checked]:
    return list(validate(clusters))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("version", versions())
def test_the_minimal_cluster_is_accepted(version):
    (result,) = checked(Loaded("demo", cluster(parallelcluster_version=version)))
    assert (result.name, result.version, result.refused) == ("demo", version, False)
    assert [m for m in result.messages if m.level == "warning"] == []


def test_a_raw_fragment_meets_the_real_rules():
    lustre = {
        "Name": "scratch",
        "MountDir": "/scratch",
        "StorageType": "FsxLustre",
        "FsxLustreSettings": {"StorageCapacity": 3600, "DeploymentType": "SCRATCH_2"},
    }
    (result,) = checked(Loaded("demo", cluster(parallelcluster={"raw": {"SharedStorage": [lustre]}})))
    assert result.refused
    assert [m.rule for m in result.messages if m.level == "error"] == ["FsxStorageCapacityValidator"]


def test_each_cluster_meets_its_own_version():
    raw = {"raw": {"DevSettings": {"Timeouts": {"ComputeInstanceInfoTimeout": 60}}}}
    new, old = checked(
        Loaded("new", cluster(parallelcluster=raw)),
        Loaded("old", cluster(parallelcluster=raw, parallelcluster_version="3.15.1")),
    )
    assert (new.refused, old.refused) == (False, True)


def test_facts_cover_what_a_raw_fragment_names():
    raw = {"raw": {"HeadNode": {"InstanceType": "c8g.4xlarge"}}}
    spec = cluster(parallelcluster=raw)
    known = facts(spec, realistic_document("demo", spec))
    assert sorted(known["instance_types"]) == ["c8g.2xlarge", "c8g.4xlarge"]
    zones = {subnet["AvailabilityZone"] for subnet in known["subnets"].values()}
    assert zones == {"us-east-1a", "us-east-1b"}


def test_stand_ins_are_no_intrinsics_and_fit_the_schema():
    spec = cluster()
    values = vars(references("demo", spec)).values()
    assert not any(is_intrinsic(value) for value in values)
    assert TREE.problems(realistic_document("demo", spec), complete=True) == []


@pytest.mark.parametrize(
    "path",
    [
        "Region",
        "Image.CustomAmi",
        "Image.Os",
        "HeadNode.Networking.SubnetId",
        "HeadNode.Networking.SecurityGroups",
        "HeadNode.Iam.InstanceRole",
        "HeadNode.Iam.InstanceProfile",
        "HeadNode.Dcv.Port",
        "HeadNode.Dcv.Enabled",
        "HeadNode.Ssh.AllowedIps",
        "HeadNode.CustomActions.OnNodeStart.Script",
        "Iam.PermissionsBoundary",
        "DirectoryService.PasswordSecretArn",
        "Scheduling.SlurmSettings.Database.PasswordSecretArn",
    ],
)
def test_an_intrinsic_of_a_fragment_gets_a_value_of_the_right_form(path):
    document: Any = {"Ref": "Parameter"}
    for key in reversed(path.split(".")):
        document = {key: document}
    resolved = without_intrinsics(document, TREE)
    assert "Parameter" not in str(resolved)
    assert TREE.problems(resolved) == []
