"""``clusterform config``: what goes to which stream, and the exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from config.findings import ConfigError
from ops.commands import config
from tests.unit.config_loading.projects import CLUSTER, project

RUNNER = CliRunner()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(config, "ROOT", tmp_path)
    return project(tmp_path, clusters__demo=CLUSTER, clusters__bad="regoin: x\n")


def test_show_prints_yaml(root: Path) -> None:
    result = RUNNER.invoke(config.app, ["show", "demo", "-c", "clusterform:queues.cpu.max_nodes=4"])
    assert result.exit_code == 0
    assert result.stdout.startswith("# demo, all layers merged")
    assert "max_nodes: 4" in result.stdout
    assert "#   head node: " in result.stdout and " of 2100 that ParallelCluster waits" in result.stdout
    assert "without internet" not in result.stdout


def test_show_names_what_nodes_without_internet_need(root: Path) -> None:
    closed = ["-c", "clusterform:network.subnets.private-a.internet=false"]
    endpoints = ["-c", "clusterform:network.endpoints=[s3, logs]"]

    text = RUNNER.invoke(config.app, ["show", "demo", *closed, *endpoints]).stdout
    data = json.loads(RUNNER.invoke(config.app, ["show", "demo", "--json", *closed, *endpoints]).stdout)

    lines = [line.split() for line in text.partition("subnets without internet (private-a):")[2].splitlines()[1:]]
    table = {words[1]: words[2:4] for words in lines}
    assert table["s3"] == ["gateway", "there"] and table["ec2"] == ["interface", "MISSING"]
    assert {need["service"] for need in data["needs"] if need["missing"]} == {
        service for service, (_, state) in table.items() if state == "MISSING"
    }


def test_show_prints_one_document_for_machines(root: Path) -> None:
    result = RUNNER.invoke(config.app, ["show", "demo", "--json"])
    document = json.loads(result.stdout)
    assert document["configuration"]["region"] == "us-east-1"
    assert [start["node"] for start in document["starts"]] == ["head", "compute"]
    assert all(start["seconds"] == sum(item["seconds"] for item in start["items"]) for start in document["starts"])
    assert document["needs"] == []


def test_findings_for_machines(root: Path) -> None:
    result = RUNNER.invoke(config.app, ["show", "bad", "--json"])
    assert isinstance(result.exception, ConfigError)
    (first, *_) = json.loads(result.stdout)["findings"]
    assert first["file"] == "config/clusters/bad.yaml"
    assert {one["rule"] for one in json.loads(result.stdout)["findings"]} == {"missing-key", "unknown-key"}


def test_a_refused_cluster_prints_nothing_else(root: Path) -> None:
    result = RUNNER.invoke(config.app, ["show", "bad"])
    assert isinstance(result.exception, ConfigError) and result.stdout == ""


@pytest.mark.parametrize("option", ["clusterform:os", "cluster=bad"])
def test_usage(root: Path, option: str) -> None:
    assert RUNNER.invoke(config.app, ["show", "demo", "-c", option]).exit_code == 2


def test_a_names_comma_is_part_of_the_name(root: Path) -> None:
    result = RUNNER.invoke(config.app, ["show", "demo,bad"])
    assert isinstance(result.exception, ConfigError)


def test_schema_writes_and_checks(root: Path) -> None:
    assert RUNNER.invoke(config.app, ["schema", "--check"]).exit_code == 1
    assert not (root / "docs").exists()
    assert RUNNER.invoke(config.app, ["schema"]).exit_code == 0
    assert RUNNER.invoke(config.app, ["schema", "--check"]).exit_code == 0
