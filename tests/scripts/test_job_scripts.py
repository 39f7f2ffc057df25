"""Scripts that Slurm runs around jobs, brought to Slurm's folders by the entry script and a step of ours."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from bootstrap_assets.manifest import JOB, Manifest
from bootstrap_assets.renderer import render_manifest
from tests.factories import cluster
from tests.scripts.node import Node

PROLOG = "50_clusterform_99_site-warm"
EPILOG = "50_clusterform_99_site-clean"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    for name in ("warm", "clean", "more"):
        (tmp_path / f"site/{name}.sh").write_text(f"#!/bin/bash\necho {name}\n")
    return tmp_path


@pytest.fixture
def head(node: Node) -> Node:
    """A head node with the folders and scripts that ParallelCluster makes."""
    node.is_a("HeadNode")
    folders = node.root / "opt/slurm/etc/scripts"
    for folder, name in (("prolog.d", "90_pcluster_health_check_manager"), ("epilog.d", "90_pcluster_noop")):
        (folders / folder).mkdir(parents=True)
        (folders / folder / name).write_text("theirs\n")
    (folders / "prolog.d/50_site").write_text("somebody's\n")
    return node


def _manifest(project: Path, **hooks: Any) -> Manifest:
    """The lines that are about such scripts: the others are tested elsewhere."""
    listed = {
        f"job_{moment}": [{"script": f"site/{name}.sh"} for name in names] for moment, names in hooks.items()
    }
    manifest = render_manifest("demo", cluster(hooks=listed), project)
    scripts = tuple(each for each in manifest.scripts if each.stage == JOB or each.name == "install-job-scripts")
    return Manifest(manifest.entry, scripts, manifest.downloads)


def _run(node: Node, manifest: Manifest, stage: str = "configured") -> None:
    node.stage(manifest)
    done = node.enter(manifest, stage)
    assert done.returncode == 0, done.stdout + done.stderr


def _folder(node: Node, name: str) -> dict[str, str]:
    folder = node.root / "opt/slurm/etc/scripts" / name
    return {file.name: file.read_text() for file in folder.iterdir()}


def test_each_goes_to_its_folder_and_others_stay(head: Node, project: Path) -> None:
    _run(head, _manifest(project, prolog=["warm"], epilog=["clean"]))

    assert _folder(head, "prolog.d") == {
        "90_pcluster_health_check_manager": "theirs\n",
        "50_site": "somebody's\n",
        PROLOG: "#!/bin/bash\necho warm\n",
    }
    assert _folder(head, "epilog.d") == {"90_pcluster_noop": "theirs\n", EPILOG: "#!/bin/bash\necho clean\n"}
    mode = (head.root / "opt/slurm/etc/scripts/prolog.d" / PROLOG).stat().st_mode
    assert stat.S_IMODE(mode) == 0o755
    assert {file.name for file in (head.root / "opt/slurm/etc/scripts").iterdir()} == {"prolog.d", "epilog.d"}


def test_slurms_reverse_order_is_the_order_of_the_file_after_parallelclusters(head: Node, project: Path) -> None:
    _run(head, _manifest(project, prolog=["warm", "clean", "more", "warm"]))

    ran = [name for name in sorted(_folder(head, "prolog.d"), reverse=True) if name != "50_site"]
    assert ran == [
        "90_pcluster_health_check_manager",
        "50_clusterform_99_site-warm",
        "50_clusterform_98_site-clean",
        "50_clusterform_97_site-more",
        "50_clusterform_96_site-warm-2",
    ]


def test_a_second_run_writes_nothing(head: Node, project: Path) -> None:
    manifest = _manifest(project, prolog=["warm"])
    _run(head, manifest)
    file = head.root / "opt/slurm/etc/scripts/prolog.d" / PROLOG
    before = file.stat()

    _run(head, manifest)

    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_an_update_brings_changed_text_and_takes_away_what_left_the_list(head: Node, project: Path) -> None:
    _run(head, _manifest(project, prolog=["warm", "clean"], epilog=["clean"]))
    (project / "site/warm.sh").write_text("#!/bin/bash\necho warmer\n")

    _run(head, _manifest(project, prolog=["warm"]), "updated")

    ours = {name: text for name, text in _folder(head, "prolog.d").items() if "clusterform" in name}
    assert ours == {PROLOG: "#!/bin/bash\necho warmer\n"}
    assert set(_folder(head, "epilog.d")) == {"90_pcluster_noop"}


@pytest.mark.parametrize(("text", "mode"), [("#!/bin/bash\nexit 1\n", 0o755), ("#!/bin/bash\necho warm\n", 0o644)])
def test_what_somebody_changed_on_the_node_is_put_right(head: Node, project: Path, text: str, mode: int) -> None:
    manifest = _manifest(project, prolog=["warm"])
    _run(head, manifest)
    file = head.root / "opt/slurm/etc/scripts/prolog.d" / PROLOG
    file.write_text(text)
    file.chmod(mode)

    _run(head, manifest)

    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("#!/bin/bash\necho warm\n", 0o755)


def test_other_content_than_declared_reaches_no_folder(head: Node, project: Path) -> None:
    manifest = _manifest(project, prolog=["warm"])
    head.stage(manifest)
    (job,) = (script for script in manifest.scripts if script.stage == "job")
    (head.stubs / f"bucket/scripts/{job.name}-{job.sha256}.sh").write_text("#!/bin/bash\nrm -rf /\n")

    done = head.enter(manifest)

    assert done.returncode == 1
    assert "is not what the manifest declares" in done.stderr
    assert PROLOG not in _folder(head, "prolog.d")


@pytest.mark.parametrize("file", ["../../../etc/cron.d/evil", "prolog.d/../x", "other.d/x", "prolog.d/a b", ""])
def test_a_line_that_leads_elsewhere_is_refused(head: Node, project: Path, file: str) -> None:
    manifest = _manifest(project, prolog=["warm"])
    head.stage(manifest)
    lines = head.stubs / "bucket/manifest"
    lines.write_text(lines.read_text().replace(f"prolog.d/{PROLOG}", file))

    done = head.enter(manifest)

    assert done.returncode == 1
    assert "the manifest has a broken line" in done.stderr


@pytest.mark.parametrize("kind", ["LoginNode", "ComputeFleet"])
def test_other_nodes_fetch_and_write_nothing(node: Node, project: Path, kind: str) -> None:
    node.is_a(kind)

    _run(node, _manifest(project, prolog=["warm"]))

    assert not [call for call in node.trace() if "job-prolog" in " ".join(call)]
    assert not (node.root / "opt/slurm").exists()


def test_a_slurm_without_the_folders_is_told_apart(node: Node, project: Path) -> None:
    manifest = _manifest(project, epilog=["clean"])
    node.is_a("HeadNode")
    node.stage(manifest)

    done = node.enter(manifest)

    assert done.returncode == 1
    assert "epilog.d is missing: is Slurm of this ParallelCluster version elsewhere?" in done.stderr


def test_without_listed_scripts_a_head_node_without_the_folders_is_fine(node: Node, project: Path) -> None:
    node.is_a("HeadNode")

    _run(node, _manifest(project))
