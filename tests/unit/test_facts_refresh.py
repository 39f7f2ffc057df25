"""The facts about instance types renewed from EC2: what is written, kept and told."""

import json
from pathlib import Path
from typing import Any

import boto3
import moto
import pytest
from botocore.exceptions import ClientError, NoCredentialsError
from typer.testing import CliRunner

from config.facts import instance_types
from config.facts.ec2_form import document, record
from ops import facts
from ops.commands import facts as command
from tests.unit.ec2_answers import infos, recorded


@pytest.fixture
def copy(tmp_path, monkeypatch) -> Path:
    """A copy of the catalogue for the refresh to write to."""
    file = tmp_path / "instance_types.json"
    file.write_bytes(instance_types.CATALOGUE.read_bytes())
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION"):
        monkeypatch.setenv(name, "us-east-1")
    return file


@moto.mock_aws
def test_a_refresh_writes_what_ec2_answers(copy):
    result = facts.refresh("us-east-1", catalogue=copy)
    fresh = json.loads(copy.read_text(encoding="utf-8"))
    assert fresh["types"] == {name: record(info) for name, info in recorded().items()}
    assert fresh["source"] == "DescribeInstanceTypes of us-east-1"
    assert (result.total, result.region, result.kept) == (len(recorded()), "us-east-1", ())
    assert (result.source, result.date) == (fresh["source"], fresh["date"])
    assert not list(copy.parent.glob("*.part"))


def test_a_refresh_tells_what_changed(copy):
    answer = [info for name, info in recorded().items() if name != "c5.large"]
    answer += infos("c5.large", InstanceType="c99.large")
    answer += infos("c5.xlarge", MemoryInfo={"SizeInMiB": 1})
    copy.write_text(document(recorded().values(), "test", "2026-01-01"))
    result = facts.replace(copy, answer, "eu-central-1")
    assert (result.added, result.kept) == (("c99.large",), ("c5.large",))
    assert list(result.changed) == ["c5.xlarge"]
    assert f"source: DescribeInstanceTypes of eu-central-1, {result.date}" in command._text(result)
    assert "kept 1 that eu-central-1 does not offer: c5.large" in command._text(result)
    assert "changed c5.xlarge: memory_mib 8192 -> 1" in command._text(result)
    assert "added 1: c99.large" in command._text(result)


def test_a_type_that_another_region_offers_stays_as_it_was(copy):
    """Refreshed from three Regions in turn: nothing is lost, and each type's source is told."""
    copy.write_text(document(infos("c5.large", "m5.large"), "first", "2026-01-01"))
    more = {"MemoryInfo": {"SizeInMiB": 1}}
    facts.replace(copy, infos("m5.large", "r5.large", **more), "second")
    result = facts.replace(copy, infos("r5.large"), "third")
    content = json.loads(copy.read_text(encoding="utf-8"))
    assert result.kept == ("c5.large", "m5.large")
    assert content["types"] == {
        "c5.large": record(recorded()["c5.large"]),
        "m5.large": record(recorded()["m5.large"] | more),
        "r5.large": record(recorded()["r5.large"]),
    }
    assert [(group["source"], group["types"]) for group in content["kept"]] == [
        ("DescribeInstanceTypes of second", ["m5.large"]),
        ("first", ["c5.large"]),
    ]
    facts.replace(copy, infos("c5.large", "m5.large", "r5.large"), "all")
    assert "kept" not in json.loads(copy.read_text(encoding="utf-8"))


class _Refusing:
    """A session whose EC2 answers nothing."""

    region_name = "us-east-1"

    def __init__(self, **_: Any) -> None:
        pass

    def client(self, *_: Any, **__: Any) -> Any:
        raise ClientError({"Error": {"Code": "UnauthorizedOperation", "Message": "no"}}, "DescribeInstanceTypes")


def test_a_refused_refresh_leaves_the_file(copy, monkeypatch):
    before = copy.read_bytes()
    monkeypatch.setattr(boto3, "Session", _Refusing)
    with pytest.raises(ClientError):
        facts.refresh(catalogue=copy)
    assert copy.read_bytes() == before


@moto.mock_aws
def test_a_refresh_that_fails_midway_leaves_the_file(copy, monkeypatch):
    """The second page is refused, or the disk is full."""
    before = copy.read_bytes()
    real, asked = boto3.client("ec2"), []

    def answer(**_: Any) -> Any:
        asked.append("page")
        if len(asked) > 1:
            raise ClientError(
                {"Error": {"Code": "RequestLimitExceeded", "Message": "slow"}}, "DescribeInstanceTypes"
            )
        return {"InstanceTypes": infos("c5.large"), "NextToken": "more"}

    monkeypatch.setattr(real, "describe_instance_types", answer)
    monkeypatch.setattr(boto3.Session, "client", lambda *_, **__: real)
    with pytest.raises(ClientError):
        facts.refresh("us-east-1", catalogue=copy)
    assert len(asked) == 2
    assert copy.read_bytes() == before


def test_a_refresh_that_cannot_write_leaves_the_file(copy, monkeypatch):
    before = copy.read_bytes()

    def full(self: Path, text: str, **_: Any) -> None:
        self.write_bytes(text.encode()[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space"):
        facts.replace(copy, infos("c5.large"), "us-east-1")
    assert copy.read_bytes() == before
    assert [file.name for file in copy.parent.iterdir()] == [copy.name]


def test_the_command_prints_json(monkeypatch):
    result = facts.Refreshed(
        "us-east-1", "EC2", "2026-01-01", 2, ("a.b",), (), {"c.d": ({"vcpus": 1}, {"vcpus": 2})}
    )
    monkeypatch.setattr(facts, "refresh", lambda *_, **__: result)
    answer = CliRunner().invoke(command.app, ["refresh", "--json"])
    assert answer.exit_code == 0
    assert json.loads(answer.stdout)["changed"] == {"c.d": [{"vcpus": 1}, {"vcpus": 2}]}


def test_missing_credentials_are_one_line_and_status_4(monkeypatch, capsys):
    from ops import cli

    def refuse(*_: Any, **__: Any) -> None:
        raise NoCredentialsError()

    monkeypatch.setattr(facts, "refresh", refuse)
    monkeypatch.setattr("sys.argv", ["clusterform", "facts", "refresh"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 4
    assert capsys.readouterr().err == "clusterform: AWS: Unable to locate credentials\n"
