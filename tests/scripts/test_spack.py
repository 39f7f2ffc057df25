"""Spack and Lmod, with a small tarball in the form of Spack's releases: no real one was at hand."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

from bootstrap_assets.manifest import Manifest
from bootstrap_assets.operating_systems import OPERATING_SYSTEMS
from bootstrap_assets.renderer import render_manifest
from tests.factories import MINIMAL, cluster
from tests.scripts.node import Node

STEPS = ("install-spack", "install-lmod", "set-spack-environment")
TRACE = 'printf "%s %s\\n" "${0##*/}" "$*" >>"$STUBS/calls"\n'
EBS = {"name": "apps", "mount": "/apps", "type": "ebs"}
# Notes its arguments; installs an Lmod that says so when it is loaded.
SPACK = """#!/bin/bash
here=${0%/bin/spack}
echo "spack $*" >>"$STUBS/calls"
case $* in
  "install --fail-fast lmod")
    [[ -z ${SPACK_FAILS:-} ]] || exit 1
    mkdir -p "$here/opt/lmod-8/lmod/lmod/init"
    for shell in sh bash; do echo "echo lmod for $shell" >"$here/opt/lmod-8/lmod/lmod/init/$shell"; done
    ;;
  "location --install-dir lmod") echo "$here/opt/lmod-8" ;;
  *) echo "spack is run: $*" ;;
esac
"""
SETUP = """spack() { echo "spack with its environment: $*"; }\n"""


def _tarball(version: str, spack: str | None = SPACK) -> bytes:
    files = {"share/spack/setup-env.sh": (SETUP, 0o644)} | ({"bin/spack": (spack, 0o755)} if spack else {})
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, (text, mode) in files.items():
            member = tarfile.TarInfo(f"spack-{version}/{name}")
            member.size, member.mode, member.uid = len(text), mode, 12345
            archive.addfile(member, io.BytesIO(text.encode()))
    return stream.getvalue()


@pytest.fixture
def head(node: Node) -> Node:
    node.is_a("HeadNode")
    node.stub("chown", TRACE)
    node.stub("runuser", TRACE + 'while [[ $1 != -- ]]; do shift; done\nshift\nexec "$@"\n')
    for tool in ("gcc", "g++", "gfortran", "make", "patch", "unzip", "bzip2", "xz", "file", "git"):
        node.stub(tool, "exit 0\n")
    for manager in ("apt-get", "dnf"):
        node.stub(manager, TRACE)
    return node


def _manifest(content: bytes, version: str = "9.9.9", **changes: Any) -> Manifest:
    release = {"version": version, "sha256": hashlib.sha256(content).hexdigest()}
    spec = cluster(**{"storage": [EBS], "software": {"spack": True, "spack_release": release}} | changes)
    manifest = render_manifest("demo", spec, Path())
    scripts = tuple(script for script in manifest.scripts if script.name in STEPS)
    return Manifest(manifest.entry, scripts, manifest.downloads)


def _enter(node: Node, content: bytes, **changes: Any) -> subprocess.CompletedProcess[str]:
    manifest = _manifest(content, **changes)
    (download,) = manifest.downloads
    (node.stubs / f"bucket/downloads/{download.name}-{download.sha256}").write_bytes(content)
    node.stage(manifest)
    return node.enter(manifest)


def _run(node: Node, content: bytes, **changes: Any) -> None:
    done = _enter(node, content, **changes)
    assert done.returncode == 0, done.stdout + done.stderr


def _calls(node: Node) -> list[str]:
    file = node.stubs / "calls"
    return file.read_text().splitlines() if file.exists() else []


def _tree(folder: Path) -> dict[str, Any]:
    """Everything below a folder, as far as a second run must not change it."""
    return {
        str(file.relative_to(folder)): (file.lstat().st_mode, file.lstat().st_ino, file.lstat().st_mtime_ns)
        for file in folder.rglob("*")
    }


def _login(node: Node, shell: str, command: str) -> str:
    """What a login shell prints. A user's has no strictness of ours."""
    profile = node.root / "etc/profile.d/zz-clusterform-spack.sh"
    done = subprocess.run(
        [shell, "-c", f'. "{profile}"; {command}'],
        env=node.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_release_has_a_directory_of_its_own_in_the_package_directory(head: Node) -> None:
    _run(head, _tarball("9.9.9"))

    spack = head.root / "apps/pkg/spack"
    assert (spack / "9.9.9/bin/spack").stat().st_mode & 0o777 == 0o755
    assert (spack / "9.9.9/bin/spack").stat().st_uid == os.getuid(), "not the one of the tarball"
    assert (spack / "current").readlink() == Path("9.9.9")
    assert {file.name for file in spack.iterdir()} == {"9.9.9", "current"}
    assert any(call.startswith("chown -R ubuntu: ") for call in _calls(head))
    assert not any(call.startswith(("apt-get", "dnf")) for call in _calls(head))


def test_a_second_run_changes_nothing(head: Node) -> None:
    _run(head, _tarball("9.9.9"))
    before = _tree(head.root / "apps")

    _run(head, _tarball("9.9.9"))

    assert _tree(head.root / "apps") == before
    assert _calls(head).count("spack install --fail-fast lmod") == 1


def test_another_version_leaves_the_former_as_it_is(head: Node) -> None:
    _run(head, _tarball("9.9.8"), version="9.9.8")
    before = _tree(head.root / "apps/pkg/spack/9.9.8")

    _run(head, _tarball("9.9.9"))

    assert _tree(head.root / "apps/pkg/spack/9.9.8") == before
    assert (head.root / "apps/pkg/spack/current").readlink() == Path("9.9.9")


def test_what_is_there_already_is_never_overwritten(head: Node) -> None:
    theirs = head.root / "apps/pkg/spack/9.9.9/bin/spack"
    theirs.parent.mkdir(parents=True)
    theirs.write_text(SPACK + "# theirs\n")
    theirs.chmod(0o755)
    (head.root / "apps/pkg/spack/current").mkdir()

    _run(head, _tarball("9.9.9"))

    assert theirs.read_text() == SPACK + "# theirs\n"
    assert not (head.root / "apps/pkg/spack/current").is_symlink()
    log = head.log("install-spack").read_text()
    assert "it stays as it is" in log and "current is not a link" in log


def test_a_filer_that_keeps_owners_is_no_failure(head: Node) -> None:
    head.stub("chown", "echo 'Operation not permitted' >&2\nexit 1\n")

    _run(head, _tarball("9.9.9"))

    assert (head.root / "apps/pkg/spack/9.9.9/bin/spack").exists()
    assert "9.9.9 stays with " in head.log("install-spack").read_text()


def test_a_filesystem_that_cannot_be_written_is_told_with_a_reason(head: Node) -> None:
    (head.root / "apps").mkdir()
    (head.root / "apps/pkg").touch()

    done = _enter(head, _tarball("9.9.9"))

    assert done.returncode == 1
    assert "apps/pkg/spack cannot be made: does the filesystem let root of this node write" in done.stderr


def test_a_directory_that_is_no_spack_is_named(head: Node) -> None:
    (head.root / "apps/pkg/spack/9.9.9").mkdir(parents=True)

    done = _enter(head, _tarball("9.9.9"))

    assert done.returncode == 1
    assert "holds no bin/spack: move it away, then update the cluster" in done.stderr


def test_a_tarball_of_something_else_leaves_nothing_behind(head: Node) -> None:
    done = _enter(head, _tarball("9.9.9", spack=None))

    assert done.returncode == 1
    assert "it is not a release of Spack" in done.stderr
    assert list((head.root / "apps/pkg/spack").iterdir()) == []


def test_other_content_than_declared_is_not_unpacked(head: Node) -> None:
    manifest = _manifest(_tarball("9.9.9"))
    head.stage(manifest)
    (download,) = manifest.downloads
    (head.stubs / f"bucket/downloads/{download.name}-{download.sha256}").write_bytes(b"evil")

    assert head.enter(manifest).returncode == 1
    assert not (head.root / "apps").exists()


@pytest.mark.parametrize("os", OPERATING_SYSTEMS)
def test_missing_tools_are_installed_by_the_systems_own_package_manager(head: Node, os: str) -> None:
    # Where a test machine has a compiler, the stub's absence shows nothing: this one is nowhere.
    content = _tarball("9.9.9")
    manifest = _manifest(content, os=os)
    (script,) = (each for each in manifest.scripts if each.name == "install-spack")
    file = head.stubs / "install_spack.sh"
    file.write_bytes(script.content.replace(b"NEEDED=(python3 ", b"NEEDED=(nowhere "))
    (head.root / "downloads").mkdir()
    (head.root / "downloads/spack-9.9.9.tar.gz").write_bytes(content)

    done = head.run(file, *script.args, CLUSTERFORM_DOWNLOADS=str(head.root / "downloads"))

    assert done.returncode == 0, done.stderr
    ours, other = ("apt-get", "dnf") if os.startswith("ubuntu") else ("dnf", "apt-get")
    installs = [call for call in _calls(head) if call.startswith(ours) and " install " in call]
    assert len(installs) == 1 and " git " in installs[0]
    assert not any(call.startswith(other) for call in _calls(head))


def test_lmod_that_cannot_be_built_fails_nothing_and_is_tried_again(head: Node) -> None:
    content = _tarball("9.9.9", SPACK.replace("${SPACK_FAILS:-}", "yes"))
    _run(head, content)
    _run(head, content)

    assert "Lmod could not be built" in head.log("install-lmod").read_text()
    assert _calls(head).count("spack install --fail-fast lmod") == 2
    assert "lmod" not in _login(head, "bash", "true")


def test_lmod_is_not_built_where_the_head_node_has_no_internet() -> None:
    subnets = MINIMAL["network"]["subnets"]
    private = {**subnets, "public-a": subnets["public-a"] | {"internet": False}}

    manifest = _manifest(b"", network=MINIMAL["network"] | {"subnets": private})

    assert [script.name for script in manifest.scripts] == ["install-spack", "set-spack-environment"]


@pytest.mark.parametrize("shell", ["bash", "dash"])
def test_users_get_spack_at_its_first_use_and_lmod_at_once(head: Node, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell}")
    _run(head, _tarball("9.9.9"))
    modules = head.root / "apps/pkg/spack/9.9.9/share/spack/modules"
    (modules / "linux-ubuntu24.04-neoverse_v1").mkdir(parents=True)
    (modules / "linux-rhel9-neoverse_v1").mkdir()

    printed = _login(head, shell, 'echo "$MODULEPATH"; spack find; spack find; command spack arch')

    assert printed.splitlines() == [
        "lmod for bash" if shell == "bash" else "lmod for sh",
        str(modules / "linux-ubuntu24.04-neoverse_v1"),
        "spack with its environment: find",
        "spack with its environment: find",
        "spack is run: arch",
    ]


def test_a_spack_whose_set_up_does_nothing_is_still_run(head: Node) -> None:
    _run(head, _tarball("9.9.9"))
    (head.root / "apps/pkg/spack/9.9.9/share/spack/setup-env.sh").write_text("")

    assert _login(head, "bash", "spack find").splitlines()[-1] == "spack is run: find"


def test_a_shell_in_a_shell_lengthens_no_path(head: Node) -> None:
    _run(head, _tarball("9.9.9"))
    profile = head.root / "etc/profile.d/zz-clusterform-spack.sh"

    once, twice = (
        _login(head, "bash", f'{again} >/dev/null; echo "$PATH"') for again in ("true", f'. "{profile}"')
    )

    assert once.splitlines()[-1] == twice.splitlines()[-1]


@pytest.mark.parametrize("kind", ["LoginNode", "ComputeFleet"])
def test_other_nodes_get_the_environment_alone(head: Node, kind: str) -> None:
    head.is_a(kind)

    _run(head, _tarball("9.9.9"))

    assert not (head.root / "apps").exists()
    assert not (head.root / "opt/clusterform/downloads").exists()
    assert _calls(head) == []
    assert _login(head, "bash", "command -v spack || echo none") == "none\n"


def test_without_spack_nothing_of_it_is_in_the_manifest() -> None:
    manifest = render_manifest("demo", cluster(), Path())

    assert not {script.name for script in manifest.scripts} & set(STEPS)
    assert manifest.downloads == ()


def test_the_release_that_comes_with_this_version_is_staged_for_the_head_node() -> None:
    (download,) = render_manifest("demo", cluster(software={"spack": True}), Path()).downloads

    assert download.line() == (
        "spack-0.23.1.tar.gz 32ca622c49448a3b4e398eb1397d8ff9a6aa987a248de621261e24e65f287593 "
        "https://github.com/spack/spack/releases/download/v0.23.1/spack-0.23.1.tar.gz head"
    )
