"""The manifest: what it lists, in which order, and what an edit changes in it."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError

import bootstrap_assets.renderer
from bootstrap_assets.manifest import Download, Manifest, Script
from bootstrap_assets.operating_systems import OPERATING_SYSTEMS
from bootstrap_assets.renderer import render_manifest
from config.models.cluster import Cluster
from tests.factories import cluster

NAS = {"name": "nas", "mount": "/nfs/nas", "type": "nfs", "server": "nas.example.org", "export": "/export"}


def _names(manifest: Manifest) -> list[str]:
    return [script.name for script in manifest.scripts]


def _hooked(root: Path, **hooks: Any) -> Manifest:
    return render_manifest("demo", cluster(hooks=hooks), root)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/after.sh").write_bytes(b"#!/bin/sh\necho {{ not ours }}\r\n")
    (tmp_path / "site/first.py").write_bytes(b"#!/usr/bin/python3\n")
    return tmp_path


def test_a_scripts_line_is_four_words_and_an_argument_after_each_tab() -> None:
    script = Script("name", b"text", "configured,updated", ("head", "login"), ("a b", "", 'c"d'))

    assert script.line() == f'name {hashlib.sha256(b"text").hexdigest()} configured,updated head,login\ta b\t\tc"d'


def test_lines_are_the_entry_then_the_scripts_then_the_downloads() -> None:
    manifest = Manifest(
        entry=Script("entry", b"", "entry", ("head",)),
        scripts=(Script("one", b"1", "start", ("head",)),),
        downloads=(Download("tool", "ab" * 32, "https://example.org/tool"),),
    )

    assert [line.split(" ")[0] for line in manifest.lines()] == ["entry", "one", "tool"]
    assert manifest.lines()[-1] == f"tool {'ab' * 32} https://example.org/tool"


def test_the_manifests_hash_is_that_of_its_text() -> None:
    manifest = render_manifest("demo", cluster(), Path())

    text = "".join(f"{line}\n" for line in manifest.lines())
    assert manifest.sha256 == hashlib.sha256(text.encode()).hexdigest()


def test_our_scripts_come_first_and_the_completion_marker_last(root: Path) -> None:
    spec = cluster(
        storage=[NAS],
        hooks={
            "on_node_start": [{"script": "site/first.py", "nodes": ["head"]}],
            "on_node_configured": [{"script": "site/after.sh"}],
        },
    )

    names = _names(render_manifest("demo", spec, root))
    assert names[-3:] == ["hook-site-first", "hook-site-after", "completion-marker"]
    assert {"prepare-scratch", "mount-nfs-nas", "install-job-scripts"} <= set(names[:-3])


def test_a_hook_travels_as_it_is(root: Path) -> None:
    manifest = _hooked(root, on_node_configured=[{"script": "site/after.sh", "args": ["a b"], "nodes": ["login"]}])

    hook = manifest.scripts[-2]
    assert (hook.content, hook.stage, hook.nodes, hook.args) == (
        b"#!/bin/sh\necho {{ not ours }}\r\n",
        "configured",
        ("login",),
        ("a b",),
    )


def test_a_hook_that_is_listed_twice_has_two_names(root: Path) -> None:
    (root / "site/after-2.sh").touch()
    scripts = ["site/after.sh", "site/after-2.sh", "site/after.sh", "./site/after.sh"]

    manifest = _hooked(root, on_node_configured=[{"script": script} for script in scripts])

    assert _names(manifest)[-5:-1] == [
        *("hook-site-after", "hook-site-after-2", "hook-site-after-3", "hook-site-after-4"),
    ]


def test_a_further_hook_changes_no_other_line(root: Path) -> None:
    after = {"script": "site/after.sh"}

    before = _hooked(root, on_node_configured=[after]).lines()
    with_first = _hooked(root, on_node_configured=[{"script": "site/first.py"}, after]).lines()

    assert [line for line in with_first if not line.startswith("hook-site-first ")] == before


def test_one_byte_in_a_hook_changes_one_line(root: Path) -> None:
    hooks = {"on_node_configured": [{"script": "site/after.sh"}, {"script": "site/first.py"}]}
    before = _hooked(root, **hooks)

    with (root / "site/after.sh").open("ab") as file:
        file.write(b"#")

    assert _differences(before, _hooked(root, **hooks)) == ["hook-site-after"]


def test_what_slurm_runs_is_a_line_of_its_own_kind_and_has_a_hash_of_its_own(root: Path) -> None:
    plain = _hooked(root)
    manifest = _hooked(root, job_prolog=[{"script": "site/after.sh"}], job_epilog=[{"script": "site/after.sh"}])

    lines = [line for line in manifest.lines() if line.startswith("job-")]
    assert [line.split(" ", 2)[2] for line in lines] == [
        "job head\tprolog.d/50_clusterform_99_site-after",
        "job head\tepilog.d/50_clusterform_99_site-after",
    ]
    assert plain.job_sha256 is None
    assert manifest.job_sha256 == hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    with (root / "site/after.sh").open("ab") as file:
        file.write(b"#")
    edited = _hooked(root, job_prolog=[{"script": "site/after.sh"}], job_epilog=[{"script": "site/after.sh"}])
    assert edited.job_sha256 != manifest.job_sha256
    assert _differences(manifest, edited) == ["job-prolog-site-after", "job-epilog-site-after"]


@pytest.mark.parametrize(
    ("template", "name"),
    [
        ("entry/entry.sh.j2", "entry"),
        ("scratch/prepare_scratch.sh.j2", "prepare-scratch"),
        ("jobs/install_job_scripts.sh.j2", "install-job-scripts"),
        ("spack/install_lmod.sh.j2", "install-lmod"),
        ("spack/install_spack.sh.j2", "install-spack"),
        ("spack/set_environment.sh.j2", "set-spack-environment"),
        ("marker/completion_marker.sh.j2", "completion-marker"),
        ("nfs/mount_nfs.sh.j2", "mount-nfs-nas"),
    ],
)
def test_one_byte_in_a_script_of_ours_changes_one_line(
    template: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = cluster(storage=[NAS], software={"spack": True})
    before = render_manifest("demo", spec, tmp_path)

    assets = tmp_path / "assets"
    shutil.copytree(Path(bootstrap_assets.renderer.__file__).parent, assets)
    with (assets / template).open("a") as file:
        file.write("#")
    monkeypatch.setattr(bootstrap_assets.renderer, "__file__", str(assets / "renderer.py"))
    _forget()
    try:
        after = render_manifest("demo", spec, tmp_path)
    finally:
        _forget()

    assert _differences(before, after) == [name]


def test_the_manifest_is_the_same_wherever_it_is_rendered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = render_manifest("demo", cluster(storage=[NAS]), Path())
    monkeypatch.chdir(tmp_path)
    _forget()

    assert render_manifest("other", cluster(storage=[NAS]), tmp_path).lines() == here.lines()


def test_downloads_are_lines(root: Path) -> None:
    download = {"name": "tool", "url": "https://example.org/tool.tgz", "sha256": "ab" * 32}

    assert render_manifest("demo", cluster(downloads=[download]), root).downloads == (
        Download("tool", "ab" * 32, "https://example.org/tool.tgz"),
    )


def test_scripts_hold_nothing_that_a_deployment_or_a_cluster_decides(root: Path) -> None:
    def contents(spec: Cluster) -> list[bytes]:
        manifest = render_manifest("demo", spec, root)
        return [script.content for script in (manifest.entry, *manifest.scripts)]

    other = cluster(
        storage=[NAS | {"server": "10.0.0.9", "export": "/other"}],
        region="eu-west-1",
        owner={"name": "others", "email": "others@example.org"},
        tags={"a": "b"},
    )

    assert contents(other) == contents(cluster(storage=[NAS]))


def test_every_operating_system_has_its_family() -> None:
    assert OPERATING_SYSTEMS.keys() == set(Cluster.model_json_schema()["properties"]["os"]["enum"])


def test_a_value_that_nobody_gave_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        bootstrap_assets.renderer._render("nfs/mount_nfs.sh.j2")


def _differences(before: Manifest, after: Manifest) -> list[str]:
    pairs = zip(before.lines(), after.lines(), strict=True)
    return [new.split(" ")[0] for old, new in pairs if old != new]


def _forget() -> None:
    bootstrap_assets.renderer._render.cache_clear()
    bootstrap_assets.renderer._environment.cache_clear()
