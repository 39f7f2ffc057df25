"""Every script that we render is clean and formatted, for every operating system."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import bootstrap_assets
from bootstrap_assets.manifest import Script
from bootstrap_assets.operating_systems import OPERATING_SYSTEMS
from bootstrap_assets.renderer import render_manifest
from tests.factories import cluster

NAS = {"name": "nas", "mount": "/nfs/nas", "type": "nfs", "server": "nas", "export": "/export"}
SCRATCH = {"name": "scratch", "mount": "/scratch", "type": "efs"}
QUEUES = [{"name": "disks", "instance_types": ["c6gd.2xlarge"], "subnets": ["private-a"]}]
HYDRATED = {
    "name": "fsx",
    "mount": "/fsx",
    "type": "fsx-lustre",
    "hydration": {"import_bucket": "data", "export_bucket": "data"},
}
COMMAND = re.compile(r"write_command (\S+)\.sh <<'CLUSTERFORM_COMMAND'\n(.*?\n)CLUSTERFORM_COMMAND\n", re.DOTALL)
"""A script within a script, which is no more than text to the tools."""


def _tool(name: str) -> str:
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    assert found, f"{name} is missing: install the test requirements"
    return found


def _rendered(os: str, storage: list[dict[str, Any]]) -> list[Script]:
    spec = cluster(os=os, storage=storage, queues=QUEUES, software={"spack": True})
    manifest = render_manifest("demo", spec, Path())
    return [manifest.entry, *manifest.scripts]


@pytest.fixture(scope="module", params=OPERATING_SYSTEMS)
def files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp(request.param)
    for kind, storage in (("plain", []), ("shared", [NAS, SCRATCH, HYDRATED])):
        for script in _rendered(request.param, storage):
            (folder / f"{kind}-{script.name}.sh").write_bytes(script.content)
            for name, text in COMMAND.findall(script.content.decode()):
                (folder / f"{kind}-{name}.sh").write_text(text)
    return sorted(folder.iterdir())


def test_shellcheck_has_nothing_to_say(files: list[Path]) -> None:
    done = subprocess.run([_tool("shellcheck"), *files], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_shfmt_would_change_nothing(files: list[Path]) -> None:
    command = [_tool("shfmt"), "-d", "-i", "2", "-ci", *files]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_scripts_are_strict_and_plain_text(files: list[Path]) -> None:
    for file in files:
        text = file.read_bytes().decode("ascii")
        assert text.startswith("#!/bin/bash\n# "), file
        assert "\nset -euo pipefail\n" in text, file
        assert text.endswith("\n") and "\r" not in text and "\n\n\n" not in text, file


def test_no_template_is_forgotten() -> None:
    folder = Path(next(iter(bootstrap_assets.__path__)))
    families = {f"families/{system.family}.sh.j2" for system in OPERATING_SYSTEMS.values()}

    found = {str(file.relative_to(folder)) for file in folder.rglob("*.j2")}

    assert found == families | {
        "entry/entry.sh.j2",
        "entry/failure.sh.j2",
        "entry/fetching.sh.j2",
        "entry/processes.sh.j2",
        "hydration/check_lustre_export_progress.sh.j2",
        "hydration/common.sh.j2",
        "hydration/export_lustre_to_s3.sh.j2",
        "hydration/import_s3_to_lustre.sh.j2",
        "hydration/install_helpers.sh.j2",
        "jobs/install_job_scripts.sh.j2",
        "marker/completion_marker.sh.j2",
        "nfs/mount_nfs.sh.j2",
        "parts/fstab.sh.j2",
        "scratch/prepare_scratch.sh.j2",
        "scratch/use_instance_store.sh.j2",
        "spack/install_lmod.sh.j2",
        "spack/install_spack.sh.j2",
        "spack/set_environment.sh.j2",
    }
