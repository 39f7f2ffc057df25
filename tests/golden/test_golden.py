"""Whole stacks as files that a person can review: every example, the smallest cluster, one with everything set."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from config.loader import LoadedCluster, load_clusters
from config.selection import existing, select
from tests.assembly import Assembly, synthesize
from tests.golden.artifacts import artifacts, manifest_of, scripts
from tests.golden.compare import check, differences
from tests.parallelcluster_cases import FULL
from tests.projects import ROOT, examples, minimal

HERE = Path(__file__).parent
EVERYTHING = {
    **FULL,
    "extends": None,
    "ssh": {"allowed_cidrs": ["10.1.0.0/16", "10.2.0.0/16"], "key_reader": "admins"},
    "identity": {"ceiling": "cluster"},
    "software": {"accounting": True},
}
HOOKS = ("start", "after", "updated")
CASES = [*existing(ROOT), "everything", "minimal"]
NOT_CASES = {"__pycache__", "releases", "scripts"}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = examples(tmp_path_factory.mktemp("golden"))
    project.write("config/clusters/everything.yaml", yaml.safe_dump(EVERYTHING, sort_keys=False))
    project.write("config/clusters/minimal.yaml", minimal())
    for hook in HOOKS:
        project.write(f"site/{hook}.sh", f"#!/bin/bash\necho {hook}\n")
    return project.root


@pytest.fixture(scope="module")
def clusters(root: Path) -> dict[str, LoadedCluster]:
    return {cluster.name: cluster for cluster in load_clusters(root, select({}, root))}


@pytest.fixture(scope="module")
def assembly(root: Path, clusters: dict[str, LoadedCluster]) -> Assembly:
    return synthesize({name: cluster.spec for name, cluster in clusters.items()}, root)


@pytest.mark.parametrize("case", CASES)
def test_the_stack_is_as_it_was(
    case: str, assembly: Assembly, clusters: dict[str, LoadedCluster], root: Path
) -> None:
    check(HERE / case, artifacts(assembly, clusters[case], root))


def test_the_scripts_are_as_they_were(clusters: dict[str, LoadedCluster], root: Path) -> None:
    check(HERE / "scripts", scripts({name: manifest_of(cluster, root) for name, cluster in clusters.items()}))


def test_no_case_is_left_over() -> None:
    assert {path.name for path in HERE.iterdir() if path.is_dir()} - NOT_CASES == set(CASES)


def test_a_difference_is_shown_line_by_line_and_a_left_over_file_is_one(tmp_path: Path) -> None:
    (tmp_path / "same").write_text("a\n")
    (tmp_path / "other").write_text("a\nb\n")
    (tmp_path / "unused").write_text("")
    shown = differences(tmp_path, {"same": "a\n", "other": "a\nc\n", "fresh": ""})
    assert "-b\n+c" in shown
    assert "unused: not rendered any more" in shown
    assert "fresh: new" in shown
    assert "same" not in shown
