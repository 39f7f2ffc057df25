"""The scripts that prepare local scratch space and write the completion marker, run for real."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from bootstrap_assets.manifest import Script
from bootstrap_assets.renderer import render_manifest
from tests.factories import cluster
from tests.scripts.node import STACK_ID, Node


def _script(name: str, **changes: object) -> Script:
    manifest = render_manifest("demo", cluster(**changes), Path())
    return next(script for script in manifest.scripts if script.name == name)


def _run(node: Node, script: Script, **environment: str) -> None:
    file = node.stubs / f"{script.name}.sh"
    file.write_bytes(script.content)
    done = node.run(file, **environment)
    assert done.returncode == 0, done.stderr


def _is_open_to_all(path: Path) -> bool:
    return stat.S_IMODE(path.stat().st_mode) == 0o1777


@pytest.mark.parametrize("times", [1, 2])
def test_local_scratch_is_a_directory_that_scratch_leads_to(node: Node, times: int) -> None:
    for _ in range(times):
        _run(node, _script("prepare-scratch"))

    assert (node.root / "local_scratch").is_dir()
    assert _is_open_to_all(node.root / "local_scratch")
    assert str((node.root / "scratch").readlink()) == "local_scratch"


@pytest.mark.parametrize("times", [1, 2])
def test_an_instance_store_that_is_mounted_at_scratch_is_the_local_scratch(node: Node, times: int) -> None:
    (node.root / "scratch").mkdir()
    node.stub("mountpoint", f'[[ "$*" == "-q {node.root}/scratch" ]]\n')

    for _ in range(times):
        _run(node, _script("prepare-scratch"))

    assert str((node.root / "local_scratch").readlink()) == "scratch"
    assert _is_open_to_all(node.root / "scratch")
    assert not (node.root / "scratch").is_symlink()


def test_a_directory_of_somebodys_at_scratch_is_left_alone(node: Node) -> None:
    (node.root / "scratch").mkdir(mode=0o755)

    _run(node, _script("prepare-scratch"))

    assert _is_open_to_all(node.root / "local_scratch")
    assert stat.S_IMODE((node.root / "scratch").stat().st_mode) == 0o755


def test_a_local_scratch_that_led_to_a_lost_instance_store_is_on_the_root_volume_again(node: Node) -> None:
    (node.root / "local_scratch").symlink_to("scratch")

    _run(node, _script("prepare-scratch"))

    assert _is_open_to_all(node.root / "local_scratch")
    assert not (node.root / "local_scratch").is_symlink()
    assert str((node.root / "scratch").readlink()) == "local_scratch"


@pytest.mark.parametrize("mount", ["/scratch", "/scratch/data"])
def test_a_shared_filesystem_at_scratch_is_left_alone(node: Node, mount: str) -> None:
    (node.root / "scratch").mkdir(mode=0o755)

    _run(node, _script("prepare-scratch", storage=[{"name": "shared", "mount": mount, "type": "efs"}]))

    assert _is_open_to_all(node.root / "local_scratch")
    assert not (node.root / "local_scratch").is_symlink()
    assert stat.S_IMODE((node.root / "scratch").stat().st_mode) == 0o755


def test_files_of_users_survive_a_second_run(node: Node) -> None:
    _run(node, _script("prepare-scratch"))
    (node.root / "local_scratch/data").write_text("mine")

    _run(node, _script("prepare-scratch"))

    assert (node.root / "scratch/data").read_text() == "mine"


def test_the_marker_holds_the_deployments_serial_number(node: Node) -> None:
    shared = node.root / "opt/parallelcluster/shared"
    shared.mkdir(parents=True)
    (shared / "custom_action_done").write_text("former\n")

    _run(node, _script("completion-marker"), CLUSTERFORM_STACK_ID=STACK_ID)

    assert (shared / "custom_action_done").read_text() == "4c5f1e0a-0000-1111-2222-333344445555\n"
    assert [file.name for file in shared.iterdir()] == ["custom_action_done"]


def test_the_marker_is_written_only_when_everything_before_it_ran(node: Node, tmp_path: Path) -> None:
    (tmp_path / "broken.sh").write_text("#!/bin/bash\nexit 3\n")
    spec = cluster(hooks={"on_node_configured": [{"script": "broken.sh"}]})
    manifest = render_manifest("demo", spec, tmp_path)
    node.stage(manifest)

    assert node.enter(manifest).returncode == 3
    assert (node.root / "local_scratch").is_dir()
    assert not (node.root / "opt/parallelcluster/shared/custom_action_done").exists()


@pytest.mark.parametrize("kind", ["LoginNode", "ComputeFleet"])
def test_only_the_head_node_writes_the_marker(node: Node, kind: str) -> None:
    node.is_a(kind)
    manifest = render_manifest("demo", cluster(), Path())
    node.stage(manifest)

    assert node.enter(manifest).returncode == 0
    assert not (node.root / "opt/parallelcluster/shared/custom_action_done").exists()
