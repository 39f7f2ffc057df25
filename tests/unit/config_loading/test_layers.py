"""Layers: which of them wins, and that every value remembers where it was written."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.composer import Composer
from config.document import Node, plain
from config.layers import merge
from tests.unit.config_loading.projects import CLUSTER, brief, demo, load_one, project, refused


def tree(text: str) -> Node:
    node = Composer("x.yaml").compose(text, root_is_mapping=False)
    assert node is not None
    return node


MERGES = [
    ("maps merge", "{a: 1, b: {c: 1, d: 1}}", "{b: {d: 2, e: 2}}", {"a": 1, "b": {"c": 1, "d": 2, "e": 2}}),
    ("lists replace", "{a: [1, 2]}", "{a: [3]}", {"a": [3]}),
    (
        "named items merge, new ones last",
        "[{name: a, x: 1, y: 1}, {name: b}]",
        "[{name: c}, {name: a, x: 2}]",
        [{"name": "a", "x": 2, "y": 1}, {"name": "b"}, {"name": "c"}],
    ),
    ("raw fragments say Name", "[{Name: a, x: 1}]", "[{Name: a, y: 2}]", [{"Name": "a", "x": 1, "y": 2}]),
    ("one item without a name", "[{name: a}]", "[{name: a}, {x: 1}]", [{"name": "a"}, {"x": 1}]),
    ("an empty list removes", "[{name: a}]", "[]", []),
    (
        "another type replaces",
        "[{name: a, type: efs, x: 1}]",
        "[{name: a, type: ebs}]",
        [{"name": "a", "type": "ebs"}],
    ),
    (
        "the same type merges",
        "[{name: a, type: efs, x: 1}]",
        "[{name: a, type: efs}]",
        [{"name": "a", "type": "efs", "x": 1}],
    ),
    (
        "twice one name stays twice",
        "[{name: a}]",
        "[{name: a, x: 1}, {name: a, x: 2}]",
        [{"name": "a", "x": 1}, {"name": "a", "x": 2}],
    ),
    ("nothing replaces", "{a: {b: 1}}", "{a: }", {"a": None}),
    ("a kind replaces another", "{a: {b: 1}}", "{a: [1]}", {"a": [1]}),
]


@pytest.mark.parametrize(("base", "over", "merged"), [row[1:] for row in MERGES], ids=[row[0] for row in MERGES])
def test_merge(base: str, over: str, merged: object) -> None:
    below, above = tree(base), tree(over)
    before = plain(below), plain(above)
    assert plain(merge(below, above)) == merged
    assert (plain(below), plain(above)) == before


def test_every_layer_wins_over_the_one_before(tmp_path: Path) -> None:
    project(
        tmp_path,
        defaults="os: rhel9\nenvironment: test\nsession_manager: false\nlogs: {retention_days: 7}\n",
        profiles__research="environment: stage\nsession_manager: false\nlogs: {retention_days: 14}\n",
        clusters__demo=CLUSTER + "extends: research\nsession_manager: true\nlogs: {retention_days: 60}\n",
    )
    cluster = load_one(tmp_path, {"clusterform:logs.retention_days": "90"})
    spec, origins = cluster.spec, {path[0]: str(origin) for path, origin in cluster.origins.items()}
    assert (spec.os, spec.environment, spec.session_manager) == ("rhel9", "stage", True)
    assert spec.logs.retention_days == 90
    assert str(cluster.origins["logs", "retention_days"]) == "-c"
    assert origins["os"] == "config/defaults.yaml:1"
    assert origins["environment"] == "config/profiles/research.yaml:1"
    assert origins["session_manager"] == "config/clusters/demo.yaml:18"
    assert ("rollout",) not in cluster.origins


def test_a_required_key_may_come_from_a_profile(tmp_path: Path) -> None:
    lines = CLUSTER.splitlines(keepends=True)
    project(tmp_path, profiles__base="".join(lines[:7]), clusters__demo="extends: base\n" + "".join(lines[7:]))
    assert load_one(tmp_path).spec.region == "us-east-1"


def test_a_queue_of_the_profile_changed_by_name(tmp_path: Path) -> None:
    profile = "queues: [{name: big, instance_types: [c8g.4xlarge], subnets: [private-a], max_nodes: 2}]\n"
    project(
        tmp_path, profiles__base=profile, clusters__demo=CLUSTER + "  - {name: big, max_nodes: 3}\nextends: base\n"
    )
    cluster = load_one(tmp_path)
    assert [(queue.name, queue.max_nodes) for queue in cluster.spec.queues] == [("big", 3), ("cpu", 8)]
    assert str(cluster.origins["queues", 0, "instance_types"]) == "config/profiles/base.yaml:1"
    assert str(cluster.origins["queues", 0, "max_nodes"]) == "config/clusters/demo.yaml:17"


def test_a_wrong_value_is_reported_where_it_was_written(tmp_path: Path) -> None:
    findings = demo(
        tmp_path,
        CLUSTER + "extends: base\n",
        profiles__base="\nrollout: nextboot\n",
        defaults="logs: {retention_days: long}\n",
    )
    assert [(one.file, one.line) for one in findings] == [
        ("config/defaults.yaml", 1),
        ("config/profiles/base.yaml", 2),
    ]


def test_a_shared_fault_is_told_once(tmp_path: Path) -> None:
    project(tmp_path, clusters__one=CLUSTER, clusters__two=CLUSTER, defaults="oss: rhel9\n")
    assert brief(refused(tmp_path)) == [("unknown-key", "oss", 1)]


@pytest.mark.parametrize("layer", ["defaults", "profiles__base"])
def test_shared_layers_cannot_extend(tmp_path: Path, layer: str) -> None:
    files = {"profiles__base": "{}\n", layer: "extends: base\n"}
    assert brief(demo(tmp_path, CLUSTER + "extends: base\n", **files)) == [("extends", "extends", 1)]


def test_empty_shared_layers_are_fine(tmp_path: Path) -> None:
    project(tmp_path, defaults="# later\n", profiles__base="", clusters__demo=CLUSTER + "extends: base\n")
    assert load_one(tmp_path).name == "demo"


# extends, what the finding's hint says
NO_PROFILE = [
    ("reserch", "did you mean 'research'?"),
    ("xyz", "profiles in config/profiles: research"),
    ("../clusters/demo", "profiles in config/profiles: research"),
    ("research.yaml", "did you mean 'research'?"),
]


@pytest.mark.parametrize(("name", "hint"), NO_PROFILE)
def test_an_unknown_profile_is_the_only_finding(tmp_path: Path, name: str, hint: str) -> None:
    """What the profile would have given is not reported as missing."""
    (finding,) = demo(tmp_path, f"extends: {name}\nregion: us-east-1\n", profiles__research="{}\n")
    assert (finding.rule, finding.path, finding.line) == ("extends", ("extends",), 1)
    assert hint in finding.hint


def test_a_profile_with_the_wrong_suffix(tmp_path: Path) -> None:
    project(tmp_path, profiles__x="{}\n", clusters__demo=CLUSTER + "extends: base\n")
    (tmp_path / "config/profiles/base.yml").write_text("{}\n", encoding="utf-8")
    (finding,) = refused(tmp_path)
    assert finding.hint == "rename config/profiles/base.yml to base.yaml"


def test_the_profile_can_be_chosen_on_the_command_line(tmp_path: Path) -> None:
    project(
        tmp_path,
        profiles__a="os: rhel9\n",
        profiles__b="os: alinux2023\n",
        clusters__demo=CLUSTER + "extends: a\n",
    )
    assert load_one(tmp_path, {"clusterform:extends": "b"}).spec.os == "alinux2023"
    assert load_one(tmp_path, {"clusterform:extends": ""}).spec.os == "ubuntu2404"


@pytest.mark.parametrize(
    ("own", "mounts"),
    [
        ("", ["/shared"]),
        ("storage: [{name: home, mount: /home, type: efs}]\n", ["/shared", "/home"]),
        ("storage: []\n", []),
    ],
)
def test_a_volume_in_the_defaults_stands_beside_a_clusters_own_filesystems(
    own: str, mounts: list[str], tmp_path: Path
) -> None:
    shared = "storage: [{name: shared, mount: /shared, type: ebs}]\n"
    spec = load_one(project(tmp_path, clusters__demo=CLUSTER + own, defaults=shared)).spec
    assert [storage.mount for storage in spec.storage] == mounts
