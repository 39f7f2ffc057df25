"""ParallelCluster's own schema and validators accept what we render, for each supported version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from config.derived import login_instance_type
from config.facts.ec2_form import as_ec2
from config.facts.instance_types import load
from config.models.cluster import Cluster
from pcluster_rules.worker_client import Rules
from tests.factories import MINIMAL, cluster
from tests.parallelcluster_cases import FULL, render

HEAD = {"instance_type": "c6i.xlarge", "subnet": "public-a"}
QUEUE = {"name": "cpu", "instance_types": ["c6i.2xlarge"], "subnets": ["private-a"]}

CLUSTERS = {
    "minimal": cluster(),
    "everything": Cluster.model_validate(FULL),
    "two zones": cluster(queues=[{**MINIMAL["queues"][0], "subnets": ["private-a", "private-b"]}]),
    "mixed sizes": cluster(head_node=HEAD, queues=[QUEUE | {"instance_types": ["c6i.2xlarge", "c6i.4xlarge"]}]),
    "login by default": cluster(login=[{"name": "login", "subnet": "public-a"}]),
    "efa": cluster(
        head_node=HEAD,
        queues=[QUEUE | {"instance_types": ["c6i.32xlarge"], "efa": True, "capacity": "ondemand"}],
    ),
    "existing filesystems": cluster(
        storage=[
            {"name": "a", "mount": "/a", "type": "ebs", "id": "vol-0abc1234"},
            {"name": "b", "mount": "/b", "type": "efs", "id": "fs-0abc1234"},
            {"name": "c", "mount": "/c", "type": "fsx-lustre", "id": "fs-0abc1234567890123"},
        ]
    ),
    "new filesystems": cluster(
        storage=[{"name": kind, "mount": f"/{kind}", "type": kind} for kind in ("ebs", "efs", "fsx-lustre")]
    ),
    "hydration": cluster(
        storage=[
            {"name": "fsx", "mount": "/fsx", "type": "fsx-lustre", "hydration": {"import_bucket": "genomes"}},
        ]
    ),
    **{os: cluster(os=os) for os in ("ubuntu2204", "ubuntu2404", "rhel9", "alinux2023")},
}


@pytest.fixture(scope="module", params=["3.16.1", "3.15.1"])
def rules(request: pytest.FixtureRequest) -> Iterator[Rules]:
    with Rules(request.param) as started:
        yield started


@pytest.mark.parametrize("case", CLUSTERS)
def test_accepted(rules: Rules, case: str) -> None:
    spec = CLUSTERS[case]

    found = rules.validate("demo", render(spec), _facts(spec))

    assert [message for message in found if message.level in ("error", "warning")] == []


def test_several_ssh_networks_are_accepted_as_a_prefix_list(rules: Rules) -> None:
    spec = cluster(ssh={"allowed_cidrs": ["10.1.0.0/16", "10.2.0.0/16"]})

    found = rules.validate("demo", render(spec, ssh_prefix_list="pl-0123456789abcdef0"), _facts(spec))

    assert [message for message in found if message.level in ("error", "warning")] == []


def test_changed_scripts_are_an_update_that_parallelcluster_allows(rules: Rules) -> None:
    drain = Cluster.model_validate(FULL)

    update = rules.update("demo", render(drain), render(drain, manifest_sha256="ef" * 32))

    assert len(update.changes) == len(drain.queues)
    assert not update.refused


@pytest.mark.parametrize(("before", "after"), [(None, "aa"), ("aa", "bb"), ("bb", None)])
def test_changed_scripts_around_jobs_are_an_update_in_place(
    rules: Rules, before: str | None, after: str | None
) -> None:
    """Whatever the rollout, and whether the first one comes, one changes or the last one goes."""
    spec = cluster(rollout="next_boot")
    old, new = (render(spec, job_sha256=each and each * 32) for each in (before, after))

    update = rules.update("demo", old, new)

    assert update.changes and not update.refused
    assert {change.verdict for change in update.changes} == {"allowed"}


def test_a_further_ssh_network_is_an_update_that_parallelcluster_allows(rules: Rules) -> None:
    one = Cluster.model_validate(FULL)
    two = Cluster.model_validate(FULL | {"ssh": {"allowed_cidrs": ["10.1.0.0/16", "10.2.0.0/16"]}})

    update = rules.update("demo", render(one), render(two, ssh_prefix_list="pl-0123456789abcdef0"))

    assert len(update.changes) == 1
    assert not update.refused


def _facts(spec: Cluster) -> dict[str, Any]:
    """What AWS would tell: the instance types, and the network as the cluster file describes it."""
    types = load()
    names = {spec.head_node.instance_type, *(name for queue in spec.queues for name in queue.instance_types)}
    names |= {login_instance_type(spec, pool, types) for pool in spec.login}
    subnets = spec.network.subnets.values()
    return {
        "region": spec.region,
        "instance_types": {name: as_ec2(types[name]) for name in sorted(names)},
        "subnets": {
            subnet.id: {"SubnetId": subnet.id, "VpcId": spec.network.vpc_id, "AvailabilityZone": subnet.zone}
            for subnet in subnets
        },
    }
