"""One /home under two clusters, by the stock CDK CLI: green stands beside blue, blue goes, the data stays.

Unproven here, since no local part can: that nodes mount it, and that AWS Backup backs it up.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from ops.local.credentials import REGION
from tests.e2e.project import Project
from tests.factories import MINIMAL

pytestmark = [pytest.mark.xdist_group("e2e-storage"), pytest.mark.slow]

DEPLOY = ("deploy", "--require-approval", "never")
STORAGE_STACK = "clusterform-storage-people"
HOME = {"name": "home", "mount": "/home", "from": "people"}


@dataclass(frozen=True)
class Site:
    """A project with storage and two clusters in a network of the local AWS."""

    project: Project
    aws: Any

    def run(self, *arguments: str) -> str:
        """A command of the CLI that has to succeed."""
        done = self.project.cdk(*arguments)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def refused(self, *arguments: str) -> str:
        """One that has to fail."""
        done = self.project.cdk(*arguments)
        assert done.returncode == 1, done.stdout
        return done.stdout

    def outputs(self, stack: str) -> dict[str, str]:
        (found,) = self.aws("cloudformation").describe_stacks(StackName=stack)["Stacks"]
        return {each["OutputKey"]: each["OutputValue"] for each in found["Outputs"]}

    def stacks(self) -> set[str]:
        found = self.aws("cloudformation").describe_stacks()["Stacks"]
        return {each["StackName"] for each in found if each["StackStatus"] != "DELETE_COMPLETE"}

    def events(self, stack: str) -> list[str]:
        found = self.aws("cloudformation").describe_stack_events(StackName=stack)["StackEvents"]
        return [each["EventId"] for each in found]

    def data(self, filesystem: str) -> tuple[Any, set[str]]:
        """The filesystem, and its mount targets."""
        efs = self.aws("efs")
        (found,) = efs.describe_file_systems(FileSystemId=filesystem)["FileSystems"]
        targets = efs.describe_mount_targets(FileSystemId=filesystem)["MountTargets"]
        return found, {each["MountTargetId"] for each in targets}


@pytest.fixture(scope="module")
def site(project: Project, aws: Any) -> Site:
    """Two zones, storage and clusters in files of the project."""
    ec2 = aws("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.77.0.0/16")["Vpc"]["VpcId"]
    subnets = {}
    for number, zone in enumerate((f"{REGION}a", f"{REGION}b")):
        subnet = ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.77.{number}.0/24", AvailabilityZone=zone)["Subnet"]
        subnets[f"private-{zone[-1]}"] = {"id": subnet["SubnetId"], "zone": zone}
    place = {"region": REGION, "network": {"vpc_id": vpc, "subnets": subnets}, "owner": MINIMAL["owner"]}
    home = {"name": "home", "type": "efs", "backup": {"keep_days": 7}}
    spare = {"name": "spare", "type": "ebs", "zone": f"{REGION}a", "on_delete": "delete"}
    write(project.folder / "config/storage/people.yaml", {**place, "filesystems": [home, spare]})
    for name in ("blue", "green"):
        head = {"instance_type": "c8g.xlarge", "subnet": "private-a"}
        queue = {**MINIMAL["queues"][0], "capacity": "ondemand", "subnets": ["private-a", "private-b"]}
        document = {**MINIMAL, **place, "head_node": head, "queues": [queue]}
        mounts = [{**HOME, "filesystem": "home"}]
        write(project.folder / f"config/clusters/{name}.yaml", {**document, "storage": mounts})
    return Site(project, aws)


def write(path: Path, document: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")


def test_blue_gives_way_to_green_over_one_home(site: Site) -> None:
    site.run(*DEPLOY, "-c", "storage=people")
    kept = site.outputs(STORAGE_STACK)
    filesystem = kept["FilesystemHomeId"]
    before, targets = site.data(filesystem)
    assert (before["Encrypted"], len(targets)) == (True, 2)

    site.run(*DEPLOY, "-c", "cluster=blue")
    touched = site.events(STORAGE_STACK)
    move_is_refused_before_the_cluster_is_touched(site)
    site.run(*DEPLOY, "-c", "cluster=green")
    for name in ("blue", "green"):
        assert filesystem_of(site, name) == filesystem
    site.run("destroy", "--force", "-c", "cluster=blue")
    assert {"green", "clusterform-pc-green"} <= site.stacks()
    assert not {"blue", "clusterform-pc-blue"} & site.stacks()
    assert site.events(STORAGE_STACK) == touched, "clusters come and go without touching the data's stack"
    assert site.data(filesystem) == (before, targets)

    said = site.refused("destroy", "--force", "-c", "storage=people")
    assert "is imported by stack clusterform-pc-green" in said
    assert site.data(filesystem) == (before, targets)

    site.run("destroy", "--force", "-c", "cluster=green")
    site.run("destroy", "--force", "-c", "storage=people")
    assert STORAGE_STACK not in site.stacks()
    assert site.data(filesystem) == (before, targets)
    left = {filesystem, *targets, *groups(site), *vaults(site)}
    assert len(left) == 6
    assert {each for each in left if each not in kept["Kept"]} == set(), "all that stays is named"
    assert kept["FilesystemSpareId"] not in kept["Kept"]
    volumes = site.aws("ec2").describe_volumes()["Volumes"]
    assert kept["FilesystemSpareId"] not in {each["VolumeId"] for each in volumes}


def move_is_refused_before_the_cluster_is_touched(site: Site) -> None:
    touched = site.events("blue")
    filesystems = {each["FileSystemId"] for each in site.aws("efs").describe_file_systems()["FileSystems"]}
    file = site.project.folder / "config/clusters/blue.yaml"
    original = file.read_text(encoding="utf-8")
    moved = {"name": "home", "mount": "/home", "type": "efs", "managed_by": "stack"}
    write(file, {**yaml.safe_load(original), "storage": [moved]})
    said = site.refused(*DEPLOY, "-c", "cluster=blue")
    assert "filesystem home cannot move from a storage file (from) to the cluster's own stack" in said
    file.write_text(original, encoding="utf-8")
    (stack,) = site.aws("cloudformation").describe_stacks(StackName="clusterform-pc-blue")["Stacks"]
    assert stack["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    assert site.events("blue") == touched
    found = {each["FileSystemId"] for each in site.aws("efs").describe_file_systems()["FileSystems"]}
    assert found == filesystems, "the new one, still empty, is not left behind"


def filesystem_of(site: Site, name: str) -> str:
    """The id in the configuration that the cluster was made by."""
    (stack,) = site.aws("cloudformation").describe_stacks(StackName=name)["Stacks"]
    of = {each["ParameterKey"]: each["ParameterValue"] for each in stack["Parameters"]}
    key = f"{of['ArtifactS3RootDirectory']}/configs/cluster-config.yaml"
    text = site.aws("s3").get_object(Bucket=of["ResourcesS3Bucket"], Key=key)["Body"].read()
    (home,) = yaml.safe_load(text)["SharedStorage"]
    return home["EfsSettings"]["FileSystemId"]


def groups(site: Site) -> set[str]:
    found = site.aws("ec2").describe_security_groups(
        Filters=[{"Name": "tag:ClusterStorage", "Values": ["people"]}]
    )
    return {each["GroupId"] for each in found["SecurityGroups"]}


def vaults(site: Site) -> set[str]:
    found = site.aws("backup").list_backup_vaults()["BackupVaultList"]
    return {each["BackupVaultName"] for each in found if each["BackupVaultName"].startswith("clusterform-people-")}
