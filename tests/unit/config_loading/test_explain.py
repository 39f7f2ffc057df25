"""The expanded view: complete, readable again, and true about where each value was written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from config import explain, loader
from config.composer import Composer
from config.document import plain
from config.loader import LoadedCluster
from tests.unit.config_loading.projects import CLUSTER, load_one, project

EXTRA = """\
extends: base
tags: {"yes": "no", "1": "1e3", plain: a b, colon: "a: b", hash: "a #b", empty: "", "true": "~", u: "é"}
parallelcluster: {raw: {Monitoring: {Alarms: {Enabled: false}}, X: [[1, 2], {Name: a}, "off"]}}
"""


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LoadedCluster:
    """One with awkward values, which the rules would have their say about."""
    monkeypatch.setattr(loader, "check", lambda subject: [])
    project(tmp_path, profiles__base="logs:\n  retention_days: 7\n", clusters__demo=CLUSTER + EXTRA)
    return load_one(tmp_path, {"clusterform:queues.cpu.max_nodes": "4"})


def test_it_reads_back_as_the_same_configuration(cluster: LoadedCluster) -> None:
    composer = Composer("x")
    tree = composer.compose(explain.text(cluster))
    assert tree is not None and not composer.findings
    assert type(cluster.spec).model_validate(plain(tree)) == cluster.spec


def test_each_line_names_its_origin(cluster: LoadedCluster) -> None:
    lines = [line.split("  #") for line in explain.text(cluster).splitlines()[1:]]
    origin = {line[0].strip(): line[1].strip() for line in lines}
    assert origin["region: us-east-1"] == "config/clusters/demo.yaml:2"
    assert origin["retention_days: 7"] == "config/profiles/base.yaml:2"
    assert origin["max_nodes: 4"] == "-c"
    assert origin["min_nodes: 0"] == "default"
    assert origin["- name: cpu"] == "config/clusters/demo.yaml:14"
    assert origin["environment: dev"] == "default"


def test_it_fits_a_terminal(cluster: LoadedCluster) -> None:
    lines = explain.text(cluster).splitlines()
    assert max(map(len, lines)) <= 120
    columns = {line.rindex("  # ") for line in lines[1:] if len(line) <= 80}
    assert len(columns) == 1


def test_words_that_yaml_readers_quarrel_over_are_quoted(cluster: LoadedCluster) -> None:
    text = explain.text(cluster)
    for quoted in ('"yes": "no"', '"1": "1e3"', 'parallelcluster_version: "3.16.1"', "plain: a b", '"off"'):
        assert quoted in text


def test_data_for_machines(cluster: LoadedCluster) -> None:
    data = json.loads(json.dumps(explain.data(cluster)))
    assert data["cluster"] == "demo"
    assert data["configuration"] == cluster.spec.model_dump()
    assert data["origins"]["queues[0].name"] == {"file": "config/clusters/demo.yaml", "line": 14}
    assert "rollout" not in data["origins"]
    assert data["warnings"] == []
