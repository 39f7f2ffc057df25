"""The user's own scripts, run by the entry script after two of ours that stand for all."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from bootstrap_assets.manifest import Manifest
from bootstrap_assets.renderer import render_manifest
from tests.factories import cluster
from tests.scripts.node import Node

# Prints its arguments, one in brackets each, and where it runs; notes that scratch space, which is ours, is there.
HOOK = """#!/bin/bash
[[ -d $CLUSTERFORM_ROOT/local_scratch ]] && scratch=ready
printf '[%s]' "$CLUSTERFORM_STAGE" "$CLUSTERFORM_NODE" "${scratch:-missing}" "$@" >>"$CLUSTERFORM_ROOT/ran"
echo >>"$CLUSTERFORM_ROOT/ran"
"""
NAS = {"name": "nas", "mount": "/nfs/nas", "type": "nfs", "server": "nas", "export": "/export"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/after.sh").write_text(HOOK)
    return tmp_path


def _enter(
    node: Node, project: Path, stage: str = "configured", moment: str = "on_node_configured", **changes: Any
) -> subprocess.CompletedProcess[str]:
    storage = changes.pop("storage", [])
    hooks = {moment: [{"script": "site/after.sh", **changes}]}
    whole = render_manifest("demo", cluster(hooks=hooks, storage=storage), project)
    scripts = tuple(
        each for each in whole.scripts if each.name.startswith(("prepare-scratch", "mount-nfs", "hook-"))
    )
    manifest = Manifest(whole.entry, scripts, whole.downloads)
    node.stage(manifest)
    return node.enter(manifest, stage)


def _ran(node: Node) -> list[str]:
    file = node.root / "ran"
    return file.read_text().splitlines() if file.exists() else []


def test_arguments_arrive_as_they_are_written(node: Node, project: Path) -> None:
    node.is_a("HeadNode")

    done = _enter(node, project, args=["a b", "", 'say "hi"', "$HOME `id` \\ 'x'", "*"])

    assert done.returncode == 0, done.stderr
    assert _ran(node) == ["[configured][head][ready][a b][][say \"hi\"][$HOME `id` \\ 'x'][*]"]


@pytest.mark.parametrize("nodes", [["head"], ["login"], ["compute"], ["head", "compute"]])
@pytest.mark.parametrize(
    ("kind", "name"), [("HeadNode", "head"), ("LoginNode", "login"), ("ComputeFleet", "compute")]
)
def test_each_runs_on_its_nodes_alone(node: Node, project: Path, nodes: list[str], kind: str, name: str) -> None:
    node.is_a(kind)

    assert _enter(node, project, nodes=nodes).returncode == 0

    assert len(_ran(node)) == (name in nodes)


def test_it_runs_only_if_all_of_ours_passed(node: Node, project: Path) -> None:
    node.is_a("ComputeFleet")
    for name, status in (("mount.nfs", 0), ("mount", 32), ("mountpoint", 1)):
        node.stub(name, f"exit {status}\n")
    (node.root / "etc/fstab").touch()

    done = _enter(node, project, storage=[NAS])

    assert done.returncode != 0
    assert "script mount-nfs-nas failed" in done.stderr
    assert _ran(node) == []


@pytest.mark.parametrize(
    ("moment", "stage"),
    [("on_node_start", "start"), ("on_node_configured", "configured"), ("on_node_updated", "updated")],
)
@pytest.mark.parametrize("now", ["start", "configured", "updated"])
def test_it_runs_at_its_moment_alone(node: Node, project: Path, moment: str, stage: str, now: str) -> None:
    if now != "start":
        node.is_a("HeadNode")

    assert _enter(node, project, now, moment, nodes=["head"]).returncode == 0

    assert len(_ran(node)) == (now == stage)


def test_a_hook_that_fails_is_named_and_the_node_fails(node: Node, project: Path) -> None:
    node.is_a("ComputeFleet")
    (project / "site/after.sh").write_text("#!/bin/bash\necho 'no licence server' >&2\nexit 7\n")

    done = _enter(node, project)

    assert done.returncode == 7
    assert "script hook-site-after failed with exit code 7" in done.stderr and "no licence server" in done.stderr
