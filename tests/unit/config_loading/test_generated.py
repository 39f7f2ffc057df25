"""The generated files are up to date, and the schemas judge files as the loader does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from config import generated, json_schema
from config.document import plain
from config.finding_names import NAMES
from config.source import read
from tests.unit.config_loading.projects import CLUSTER, project

ROOT = Path(__file__).resolve().parents[3]
CLUSTERS = jsonschema.Draft7Validator(json_schema.cluster_schema())
PROFILES = jsonschema.Draft7Validator(json_schema.profile_schema())


def document(tmp_path: Path, text: str) -> Any:
    source = read(project(tmp_path, clusters__demo=text), "config/clusters/demo.yaml")
    assert source.root is not None
    return plain(source.root)


def test_committed_files_are_up_to_date() -> None:
    assert generated.outdated(ROOT) == [], "run: ./clusterform config schema"


def test_an_edited_file_is_noticed_and_written_again(tmp_path: Path) -> None:
    assert len(generated.outdated(tmp_path)) == len(generated.files())
    generated.write(tmp_path)
    assert generated.outdated(tmp_path) == []
    (tmp_path / "docs/configuration.md").write_bytes(b"\xff")
    assert generated.outdated(tmp_path) == ["docs/configuration.md"]


def test_the_schemas_are_schemas() -> None:
    for validator in (CLUSTERS, PROFILES):
        jsonschema.Draft7Validator.check_schema(validator.schema)


@pytest.mark.parametrize("path", sorted((ROOT / "config/clusters").glob("*.yaml")), ids=lambda path: path.stem)
def test_examples_pass_the_schema(path: Path) -> None:
    source = read(ROOT, f"config/clusters/{path.name}")
    assert source.root is not None
    assert list(CLUSTERS.iter_errors(plain(source.root))) == []


@pytest.mark.parametrize(
    "path",
    [ROOT / "config/defaults.yaml", *sorted((ROOT / "config/profiles").glob("*.yaml"))],
    ids=lambda path: path.stem,
)
def test_profiles_and_defaults_pass_the_schema(path: Path) -> None:
    source = read(ROOT, str(path.relative_to(ROOT)))
    assert source.root is not None
    assert list(PROFILES.iter_errors(plain(source.root))) == []


# One change of a good file that both the loader and an editor must refuse.
REFUSED = [
    "regoin: x\n",
    "os: centos\n",
    "logs: {retention_days: x}\n",
    "extends: 4\n",
    "rollout:\n",
    "login: [{count: 1}]\n",
    "storage: [{name: a, mount: /a, type: efs, export: /x}]\n",
]


@pytest.mark.parametrize("line", REFUSED)
def test_an_editor_sees_what_the_loader_refuses(tmp_path: Path, line: str) -> None:
    assert list(CLUSTERS.iter_errors(document(tmp_path, CLUSTER))) == []
    assert list(CLUSTERS.iter_errors(document(tmp_path, CLUSTER + line)))


@pytest.mark.parametrize(
    "line", ["queues: [{name: cpu, max_nodes: 2}]\n", "storage: [{name: a, size_gib: 2400}]\n", "{}\n"]
)
def test_a_layer_may_be_incomplete(tmp_path: Path, line: str) -> None:
    for validator in (CLUSTERS, PROFILES):
        assert list(validator.iter_errors(document(tmp_path, line))) == []


def test_only_a_cluster_extends(tmp_path: Path) -> None:
    extends = document(tmp_path, "extends: base\n")
    assert list(CLUSTERS.iter_errors(extends)) == []
    assert list(PROFILES.iter_errors(extends))


def test_every_key_has_a_hover_text() -> None:
    schema = json_schema.cluster_schema()
    silent = [
        f"{name}.{key}"
        for name, definition in {"": schema, **schema["$defs"]}.items()
        for key, entry in definition["properties"].items()
        if not entry.get("description")
    ]
    assert silent == []


def test_required_and_default_are_told() -> None:
    keys = json_schema.cluster_schema()["properties"]
    assert keys["region"]["description"].endswith("Required, here or in another layer.")
    assert keys["rollout"]["description"].endswith('Default: "next_boot".')


def test_patterns_are_javascripts() -> None:
    text = json_schema.text(json_schema.cluster_schema())
    assert not re.search(r'"pattern": "[^"]*(\\\\Z|\\\\A|\(\?P)', text)


def test_the_reference_page_holds_every_key() -> None:
    page = generated.files()["docs/configuration.md"]
    schema = json_schema.cluster_schema()
    for definition in (schema, *schema["$defs"].values()):
        assert [key for key in definition["properties"] if f"| `{key}` |" not in page] == []
    assert "## `head_node.root_volume`, `queues[].root_volume`" in page
    assert "## `storage[] (type: fsx-lustre)`" in page


def test_every_finding_of_reading_is_documented_and_exists() -> None:
    modules = [path.read_text("utf-8") for path in (ROOT / "config").glob("*.py") if path.stem != "finding_names"]
    unused = [name for name in NAMES if not any(f'"{name}"' in module for module in modules)]
    assert unused == []
    assert all(f"| `{name}` |" in generated.files()["docs/configuration.md"] for name in NAMES)
