from typing import Any

import pytest

from config import derived
from config.facts.instance_types import load
from config.models.storage import FsxLustre
from tests.factories import MINIMAL, cluster

EFS = {"name": "efs", "mount": "/efs", "type": "efs"}
LUSTRE = {"name": "fsx", "mount": "/fsx", "type": "fsx-lustre"}
EBS = {"name": "ebs", "mount": "/ebs", "type": "ebs"}


@pytest.mark.parametrize(
    ("storage", "given", "seconds"),
    [
        ([], None, 2100),
        ([EBS], None, 2100),
        ([EFS], None, 2700),
        ([LUSTRE], None, 3900),
        ([EFS, LUSTRE], None, 3900),
        ([LUSTRE | {"id": "fs-" + "0" * 17}], None, 2100),
        ([LUSTRE], 1800, 1800),
        ([LUSTRE], 2100, 2100),
    ],
)
def test_bootstrap_timeout(storage: list[dict[str, Any]], given: int | None, seconds: int) -> None:
    head = MINIMAL["head_node"] | ({"bootstrap_timeout": given} if given else {})
    assert derived.bootstrap_timeout(cluster(storage=storage, head_node=head)) == seconds


NFS = {"name": "nas", "mount": "/nfs/nas", "type": "nfs", "server": "nas", "export": "/export"}


@pytest.mark.parametrize(
    ("storage", "directory"),
    [
        ([EBS, NFS, EFS, LUSTRE], "/fsx/pkg"),
        ([EBS, NFS, EFS], "/efs/pkg"),
        ([EBS, NFS], "/nfs/nas/pkg"),
        ([EBS], "/ebs/pkg"),
        ([EBS, EBS | {"name": "second", "mount": "/second"}], "/ebs/pkg"),
        ([EBS, {"name": "home", "mount": "/home", "from": "shared-home"}], "/home/pkg"),
        ([EFS, {"name": "fast", "mount": "/fast", "from": "many", "filesystem": "fast"}], "/fast/pkg"),
        ([EFS, LUSTRE | {"id": "fs-" + "0" * 17}], "/fsx/pkg"),
        ([], "/home/clusterform/pkg"),
    ],
)
def test_software_goes_to_the_best_filesystem(storage: list[dict[str, Any]], directory: str) -> None:
    assert derived.package_directory(cluster(storage=storage)) == directory


@pytest.mark.parametrize(("head", "login"), [("c8g.xlarge", "c8g.xlarge"), ("m7i.xlarge", "c5.xlarge")])
def test_login_type_follows_the_head_node(head: str, login: str) -> None:
    spec = cluster(
        head_node={"instance_type": head, "subnet": "public-a"},
        login=[
            {"name": "a", "subnet": "public-a"},
            {"name": "b", "subnet": "public-a", "instance_type": "t3.large"},
        ],
    )
    assert [derived.login_instance_type(spec, pool, load()) for pool in spec.login] == [login, "t3.large"]


@pytest.mark.parametrize(
    ("types", "efa", "given", "result"),
    [
        (["p5.48xlarge"], True, None, True),
        (["p5.48xlarge"], False, None, False),
        (["p5.48xlarge"], True, False, False),
        (["p5.48xlarge", "g5.48xlarge"], True, None, False),
        (["hpc7a.96xlarge"], True, None, False),
    ],
)
def test_gpudirect(types: list[str], efa: bool, given: bool | None, result: bool) -> None:
    queue = cluster(
        queues=[{"name": "q", "instance_types": types, "subnets": ["private-a"], "efa": efa, "gpudirect": given}]
    ).queues[0]
    assert derived.gpudirect(queue, load()) is result


@pytest.mark.parametrize(
    ("efa", "group", "result"), [(False, False, False), (True, False, True), (False, True, True)]
)
def test_efa_brings_a_placement_group(efa: bool, group: bool, result: bool) -> None:
    queue = MINIMAL["queues"][0] | {"efa": efa, "placement_group": group}
    assert derived.placement_group(cluster(queues=[queue]).queues[0]) is result


@pytest.mark.parametrize(
    ("environment", "given", "result"),
    [("dev", None, False), ("prod", None, True), ("prod", False, False), ("dev", True, True)],
)
def test_termination_protection(environment: str, given: bool | None, result: bool) -> None:
    spec = cluster(environment=environment, termination_protection=given)
    assert derived.termination_protection(spec) is result


def test_notifications_go_to_the_owner_unless_others_are_named() -> None:
    assert derived.notification_emails(cluster()) == ["hpc@example.org"]
    others = {"emails": ["a@example.org", "b@example.org"]}
    assert derived.notification_emails(cluster(notifications=others)) == others["emails"]


@pytest.mark.parametrize(
    ("hydration", "target"),
    [
        (None, None),
        ({"import_bucket": "data"}, ("data", "import")),
        ({"import_bucket": "data", "export_path": "out"}, ("data", "import")),
        ({"import_bucket": "data", "export_bucket": "data"}, ("data", "export")),
    ],
)
def test_export_falls_back_to_where_the_data_came_from(
    hydration: dict[str, str] | None, target: tuple[str, str] | None
) -> None:
    assert derived.export_target(FsxLustre.model_validate(LUSTRE | {"hydration": hydration})) == target
