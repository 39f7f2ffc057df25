"""ParallelCluster's own rules accept every example cluster, and refuse the stack's stringified form of none."""

from pathlib import Path

import pytest

from config.loader import load_clusters
from config.selection import select
from ops.validate import Checked, realistic_document, validate
from pcluster_rules.worker_client import Rules
from tests.unit.pcluster_documents import strings

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(file.stem for file in (ROOT / "config" / "clusters").glob("*.yaml"))


@pytest.fixture(scope="module")
def results() -> dict[str, Checked]:
    return {checked.name: checked for checked in validate(load_clusters(ROOT, select({}, ROOT)))}


def test_every_file_is_checked(results):
    assert sorted(results) == EXAMPLES
    assert "demo" in results


@pytest.mark.parametrize("name", EXAMPLES)
def test_accepted(results, name):
    said = [message for message in results[name].messages if message.level in ("error", "warning")]
    assert said == []


def test_what_cloudformation_hands_over_equals_what_was_rendered():
    for cluster in load_clusters(ROOT, select({}, ROOT)):
        document = realistic_document(cluster.name, cluster.spec)
        with Rules(cluster.spec.parallelcluster_version) as rules:
            assert rules.update(cluster.name, document, strings(document)).changes == ()
