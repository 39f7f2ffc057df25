"""Clusters of one account and Region whose resources ParallelCluster would give one name."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.findings import Finding
from pcluster_rules.install import ensure, versions
from tests.unit.config_loading.projects import CLUSTER, brief, load, load_one, project, refused

RAW = """\
parallelcluster:
  raw:
    Scheduling:
      SlurmQueues:
        - Name: cpu
          ComputeResources:
            - {Name: more, Instances: [{InstanceType: c8g.large}], MaxCount: 2}
"""


def queue(name: str) -> str:
    return CLUSTER.replace("name: cpu", f"name: {name}")


def pool(name: str) -> str:
    return CLUSTER + f"login: [{{name: {name}, instance_type: c8g.large, subnet: private-a}}]\n"


def says(finding: Finding) -> str:
    """What a person reads, on one line."""
    return f"{finding.file}: {finding.message} -> {finding.hint}"


@pytest.mark.parametrize(
    ("first", "second", "text", "place"),
    [
        (
            queue("a-b"),
            queue("b"),
            '"demo-a-b-vcpu8", and one of queue a-b of cluster demo',
            ("queues[0].name", 14),
        ),
        (pool("a-b"), pool("b"), '"demo-a-b", and one of login pool a-b of cluster demo', ("login[0].name", 17)),
        (pool("a-b-vcpu8"), queue("b"), '"demo-a-b-vcpu8", and one of login pool', ("queues[0].name", 14)),
        (
            queue("a-cpu"),
            CLUSTER + RAW.replace("Name: more", "Name: vcpu8"),
            '"demo-a-cpu-vcpu8", and one of queue a-cpu',
            ("queues[0].name", 14),
        ),
        (pool("a-cpu-more"), CLUSTER + RAW, '"demo-a-cpu-more", and one of login pool', None),
    ],
)
def test_launch_templates(
    first: str, second: str, text: str, place: tuple[str, int] | None, tmp_path: Path
) -> None:
    found = refused(project(tmp_path, **{"clusters__demo": first, "clusters__demo-a": second}))
    assert text in says(found[0])
    assert "in us-east-1 the same" in says(found[0])
    assert {finding.file for finding in found} == {"config/clusters/demo-a.yaml"}
    if place:
        assert ("clashing-names", *place) in brief(found)


def test_tables(tmp_path: Path) -> None:
    (found,) = refused(project(tmp_path, **{"clusters__demo": CLUSTER, "clusters__slurm-demo": CLUSTER}))
    assert brief([found]) == [("clashing-names", "", 0)]
    assert found.file == "config/clusters/slurm-demo.yaml"
    assert 'a table "parallelcluster-slurm-demo", and one of cluster demo' in found.message


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (queue("a-b"), queue("c")),
        (queue("a-b"), queue("b").replace("us-east-1", "us-east-2")),
        ('account: "111111111111"\n' + queue("a-b"), 'account: "222222222222"\n' + queue("b")),
        (queue("a-b"), queue("b").replace("c8g.2xlarge", "c8g.4xlarge")),
        (pool("a-b"), queue("b")),
    ],
    ids=["other names", "other Regions", "other accounts", "other sizes", "a pool and a queue"],
)
def test_clusters_that_are_not_in_each_others_way(first: str, second: str, tmp_path: Path) -> None:
    assert len(load(project(tmp_path, **{"clusters__demo": first, "clusters__demo-a": second}))) == 2


def test_an_account_that_only_one_states_may_be_the_others(tmp_path: Path) -> None:
    stated = 'account: "111111111111"\n' + queue("b")
    (found,) = refused(project(tmp_path, **{"clusters__demo": queue("a-b"), "clusters__demo-a": stated}))
    assert "write account in both files" in found.hint


@pytest.mark.parametrize("selected", ["demo", "demo-a"])
def test_a_cluster_that_is_not_selected_is_in_the_way_as_well(selected: str, tmp_path: Path) -> None:
    root = project(tmp_path, **{"clusters__demo": queue("a-b"), "clusters__demo-a": queue("b")})
    (found,) = refused(root, {"cluster": selected})
    assert brief([found]) == [("clashing-names", "queues[0].name", 14)]
    assert found.file == f"config/clusters/{selected}.yaml"


def test_a_broken_cluster_that_is_not_selected_is_left_alone(tmp_path: Path) -> None:
    root = project(tmp_path, **{"clusters__demo": queue("a-b"), "clusters__demo-a": "regoin: x\n"})
    assert load_one(root).findings == ()


@pytest.mark.parametrize("version", versions())
def test_these_are_the_names_that_parallelcluster_makes(version: str) -> None:
    package = ensure(version) / "pcluster"
    source = "".join(path.read_text() for path in sorted((package / "templates").glob("*.py")))
    constants = (package / "constants.py").read_text()
    assert source.count("launch_template_name=") == 2
    assert 'launch_template_name=f"{self.stack_name}-{queue.name}-{compute_resource.name}"' in source
    assert 'launch_template_name=f"{self.stack_name}-{self._pool.name}"' in source
    assert "table_name=PCLUSTER_DYNAMODB_PREFIX + self.stack.stack_name" in source
    assert "table_name=PCLUSTER_SLURM_DYNAMODB_PREFIX + self.stack_name" in source
    assert 'PCLUSTER_DYNAMODB_PREFIX = "parallelcluster-"' in constants
    assert 'PCLUSTER_SLURM_DYNAMODB_PREFIX = "parallelcluster-slurm-"' in constants
