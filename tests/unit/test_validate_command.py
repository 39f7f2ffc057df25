"""``clusterform validate``: which clusters it asks about, what it prints where, and the exit status."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from config.loader import LoadedCluster
from ops import cli
from ops.commands import validate as command
from ops.validate import Checked
from pcluster_rules.errors import RulesError
from pcluster_rules.results import Message
from tests.unit.config_loading.projects import CLUSTER, project

MESSAGES = (
    Message("error", "validator", "too small", "SharedStorage[0]", "FsxStorageCapacityValidator"),
    Message("info", "validator", "will be deleted", "", ""),
    Message("info", "not_checked", "KeyPairValidator needs AWS (ec2 describe_key_pairs)", "", "KeyPairValidator"),
    Message("info", "not_checked", "further checks of this section need the network", "Iam"),
)


def test_the_text_for_people():
    assert command.text(Checked("demo", "3.16.1", MESSAGES)).splitlines() == [
        "demo: refused by the rules of ParallelCluster 3.16.1",
        "  error: SharedStorage[0]: too small [FsxStorageCapacityValidator]",
        "  info: will be deleted",
        "  not checked, since it needs",
        "    AWS (ec2 describe_key_pairs): KeyPairValidator",
        "    the network: further checks of this section",
    ]


Asked = list[LoadedCluster]


def status(monkeypatch: pytest.MonkeyPatch, *words: str) -> object:
    """What the whole command line ends with."""
    monkeypatch.setattr("sys.argv", ["clusterform", "validate", *words])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return end.value.code


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(command, "ROOT", tmp_path)
    return project(tmp_path, clusters__demo=CLUSTER, clusters__other=CLUSTER)


@pytest.fixture
def answer(root: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Asked]:
    """Replaces ParallelCluster's rules, which answer the same about each cluster; gives what they were asked."""

    def prepare(*messages: Message) -> Asked:
        asked: Asked = []

        def check(clusters: Iterable[LoadedCluster]) -> Iterator[Checked]:
            for cluster in clusters:
                asked.append(cluster)
                yield Checked(cluster.name, "3.16.1", messages)

        monkeypatch.setattr("ops.validate.validate", check)
        return asked

    return prepare


@pytest.mark.parametrize(("messages", "expected"), [(MESSAGES, 1), (MESSAGES[1:], 0)])
def test_the_exit_status(answer, messages, expected):
    asked = answer(*messages)
    with pytest.raises(typer.Exit) as end:
        command.validate(["demo"])
    assert end.value.exit_code == expected
    assert [cluster.name for cluster in asked] == ["demo"]


def test_context_is_passed_on_and_several_names_are_one_selector(answer):
    asked = answer()
    with pytest.raises(typer.Exit):
        command.validate(["demo", "other"], ["clusterform:queues.cpu.max_nodes=4"])
    assert [(cluster.name, cluster.spec.queues[0].max_nodes) for cluster in asked] == [("demo", 4), ("other", 4)]


@pytest.mark.parametrize(("names", "pairs"), [(["a"], ["cluster=b"]), ([], ["cluster"])])
def test_a_contradictory_command_line_is_a_usage_error(names, pairs):
    with pytest.raises(typer.BadParameter):
        command._context(names, pairs)


def test_rules_that_cannot_be_installed_are_one_line_and_status_4(root, monkeypatch, capsys):
    def fail(_: Any) -> Any:
        raise RulesError("pip says no")

    monkeypatch.setattr("ops.validate.validate", fail)
    with pytest.raises(typer.Exit) as end:
        command.validate()
    assert end.value.exit_code == 4
    assert capsys.readouterr().err == "clusterform: pip says no\n"


def test_json_is_one_document(answer, monkeypatch, capsys):
    answer(*MESSAGES)
    assert status(monkeypatch, "demo", "--json") == 1
    document = json.loads(capsys.readouterr().out)
    assert document["findings"] == []
    (cluster,) = document["clusters"]
    assert (cluster["name"], cluster["parallelcluster_version"], cluster["refused"]) == ("demo", "3.16.1", True)
    assert cluster["messages"][0]["rule"] == "FsxStorageCapacityValidator"


@pytest.mark.parametrize("words", [["demo"], ["absent"], []])
def test_json_of_an_invalid_configuration_is_one_document(root, answer, monkeypatch, capsys, words):
    """Broken by its file, by its selector, or as one of all clusters; people's text goes to the other stream."""
    asked = answer()
    project(root, clusters__demo=CLUSTER.replace("c8g.2xlarge", "c8g.nosuch"))
    assert status(monkeypatch, *words, "--json") == 1
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert document["findings"] and document["clusters"] == asked == []
    assert document["findings"][0]["rule"] in printed.err
    assert status(monkeypatch, *words) == 1
    assert capsys.readouterr().out == ""


def test_a_warning_is_told_and_refuses_nothing(root, answer, monkeypatch, capsys):
    answer()
    project(root, clusters__demo=CLUSTER.replace("10.0.0.0/16", "16.0.0.0/4"))
    assert status(monkeypatch, "demo", "--json") == 0
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["severity"] == "warning"


def test_what_aws_would_refuse_is_told_as_at_synthesis(root, answer, monkeypatch, capsys):
    """A valid file from which too long a policy follows; ParallelCluster's rules, which see none, accept it."""
    asked = answer()
    buckets = "".join(f"    - {{name: bucket-with-quite-a-long-name-{i:02}}}\n" for i in range(90))
    project(root, clusters__demo=CLUSTER + "access:\n  buckets:\n" + buckets)
    assert status(monkeypatch, "demo", "--json") == 1
    printed = capsys.readouterr()
    findings = json.loads(printed.out)["findings"]
    assert {finding["rule"] for finding in findings} == {"policy-size"}
    assert {finding["file"] for finding in findings} == {"config/clusters/demo.yaml"}
    assert min(finding["line"] for finding in findings) > 16
    assert "[policy-size]" in printed.err
    assert [cluster.name for cluster in asked] == ["demo"]
    assert status(monkeypatch, "other") == 0
