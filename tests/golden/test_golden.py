"""Whole stacks as files that a person can review: every example, the smallest cluster, one with everything set."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from config.loader import LoadedCluster, load_clusters
from config.models.account import Account
from config.models.storage_file import StorageFile
from config.rules.account_file import ACCOUNT_RULES
from config.rules.storage_files import STORAGE_RULES
from config.selection import STORAGE, existing, select
from config.standalone import load_file
from tests import accounts, storage_stacks
from tests.assembly import Assembly, synthesize
from tests.golden.artifacts import artifacts, dump, inventory, manifest_of, scripts, without_bootstrap_checks
from tests.parallelcluster_cases import FULL
from tests.projects import ROOT, examples, minimal

EVERYTHING = {
    **FULL,
    "extends": None,
    "ssh": {"allowed_cidrs": ["10.1.0.0/16", "10.2.0.0/16"], "key_reader": "admins"},
    "identity": {"ceiling": "cluster"},
    "software": {"accounting": True, "spack": True},
}
HOOKS = ("start", "after", "updated")
CASES = [*existing(ROOT), "everything", "minimal"]

# One worker, so that all are synthesized once.
pytestmark = pytest.mark.xdist_group("golden")


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
    case: str,
    assembly: Assembly,
    clusters: dict[str, LoadedCluster],
    root: Path,
    golden: SnapshotAssertion,
    subtests: pytest.Subtests,
) -> None:
    for name, text in artifacts(assembly, clusters[case], root).items():
        with subtests.test(name):
            assert text == golden(name=f"{case}/{name}")


def test_the_scripts_are_as_they_were(
    clusters: dict[str, LoadedCluster], root: Path, golden: SnapshotAssertion, subtests: pytest.Subtests
) -> None:
    for name, text in scripts({name: manifest_of(cluster, root) for name, cluster in clusters.items()}).items():
        with subtests.test(name):
            assert text == golden(name=f"scripts/{name}")


@pytest.mark.parametrize("name", existing(ROOT, STORAGE))
def test_a_storage_stack_is_as_it_was(name: str, golden: SnapshotAssertion, subtests: pytest.Subtests) -> None:
    file, findings = load_file(ROOT, f"{STORAGE}/{name}.yaml", StorageFile, STORAGE_RULES)
    assert file is not None and findings == []
    stack = without_bootstrap_checks(storage_stacks.template(file.spec, name))
    for part, text in {
        f"clusterform-storage-{name}.template.yaml": dump(stack, sort_keys=True),
        "inventory.yaml": inventory(f"clusterform-storage-{name}", stack),
    }.items():
        with subtests.test(part):
            assert text == golden(name=f"storage-{name}/{part}")


def test_the_accounts_stack_is_as_it_was(golden: SnapshotAssertion, subtests: pytest.Subtests) -> None:
    spec, findings = load_file(ROOT, "config/account.example.yaml", Account, ACCOUNT_RULES)
    assert spec is not None and findings == []
    stack = accounts.template(spec.spec)
    for name, text in {
        f"{accounts.STACK}.template.yaml": dump(stack, sort_keys=True),
        "inventory.yaml": inventory(accounts.STACK, stack),
    }.items():
        with subtests.test(name):
            assert text == golden(name=f"account/{name}")
