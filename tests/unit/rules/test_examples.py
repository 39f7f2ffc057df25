"""The example clusters are what newcomers copy: valid under every rule, without a warning."""

from pathlib import Path

import pytest

from config.loader import LoadedCluster, load_clusters
from config.selection import select

ROOT = Path(__file__).parents[3]
CONFIG = ROOT / "config"
SCHEMAS = {
    **dict.fromkeys(CONFIG.glob("clusters/*.yaml"), "../schema/cluster.schema.json"),
    **dict.fromkeys(CONFIG.glob("profiles/*.yaml"), "../schema/profile.schema.json"),
    CONFIG / "defaults.yaml": "schema/profile.schema.json",
}


@pytest.fixture(scope="module")
def examples() -> dict[str, LoadedCluster]:
    return {cluster.name: cluster for cluster in load_clusters(ROOT, select({}, ROOT))}


def test_no_example_has_a_finding(examples: dict[str, LoadedCluster]) -> None:
    assert {name: cluster.findings for name, cluster in examples.items() if cluster.findings} == {}


def test_together_they_show_what_there_is(examples: dict[str, LoadedCluster]) -> None:
    specs = [cluster.spec for cluster in examples.values()]
    assert {spec.os for spec in specs} == {"ubuntu2204", "ubuntu2404", "rhel9", "alinux2023"}
    assert {storage.type for spec in specs for storage in spec.storage} == {
        "ebs",
        "efs",
        "fsx-lustre",
        "nfs",
        "storage-file",
    }
    assert {queue.capacity for spec in specs for queue in spec.queues} == {"spot", "ondemand"}
    assert any(queue.efa for spec in specs for queue in spec.queues)
    assert any(spec.login for spec in specs)
    assert any(spec.extends for spec in specs)


def test_the_production_example_has_no_way_in_but_session_manager(examples: dict[str, LoadedCluster]) -> None:
    spec = examples["prod-private"].spec
    assert spec.environment == "prod"
    assert spec.ssh.key_reader is None
    assert spec.session_manager
    assert not spec.head_node.elastic_ip


@pytest.mark.parametrize("file", sorted(SCHEMAS), ids=lambda file: file.stem)
def test_editors_find_the_schema(file: Path) -> None:
    first = file.read_text(encoding="utf-8").splitlines()[0]
    assert first == f"# yaml-language-server: $schema={SCHEMAS[file]}"
    assert (file.parent / SCHEMAS[file]).is_file()
