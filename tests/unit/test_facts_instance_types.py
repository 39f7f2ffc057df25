"""The committed facts about instance types, their additions, and their renewal from EC2."""

import gzip
import importlib.metadata
import json
import time
from functools import cache
from pathlib import Path
from typing import Any

import boto3
import moto
import pytest
from botocore.exceptions import ClientError, NoCredentialsError
from typer.testing import CliRunner

from config.facts import instance_types
from config.facts.ec2_form import as_ec2, document, record
from config.facts.instance_types import Accelerator, load, read
from ops import facts
from ops.commands import facts as command


@cache
def recorded() -> dict[str, Any]:
    """EC2's answer as moto recorded it, by name."""
    file = Path(moto.__file__).parent / "ec2" / "resources" / "instance_types.json.gz"
    return json.loads(gzip.decompress(file.read_bytes()))


def test_what_the_committed_file_says_of_some_types():
    types = load()
    c8g, p5, g5g, c5 = (types[name] for name in ("c8g.2xlarge", "p5.48xlarge", "g5g.4xlarge", "c5.2xlarge"))
    assert (c8g.architecture, c8g.vcpus, c8g.cores, c8g.threads_per_core) == ("arm64", 8, 8, 1)
    assert (c5.architecture, c5.vcpus, c5.cores, c5.threads_per_core) == ("x86_64", 8, 4, 2)
    assert (c8g.memory_mib, c8g.efa, c8g.gpus, c8g.instance_store_gb) == (16384, False, 0, 0)
    assert p5.accelerators == (Accelerator("gpu", "NVIDIA", "H100", 8),)
    assert (p5.efa, p5.efa_interfaces, p5.gpudirect, p5.network_cards) == (True, 32, True, 32)
    assert (p5.instance_store_gb, p5.instance_store_nvme) == (30400, True)
    assert (g5g.gpus, g5g.architecture, g5g.efa) == (1, "arm64", False)
    assert (types["hpc7g.4xlarge"].spot, c8g.spot) == (False, True)
    assert (types["t3.micro"].cluster_placement, c8g.cluster_placement) == (False, True)
    assert types["m3.medium"].architecture == "x86_64"
    assert types["c8g.2xlarge"].family == "c8g"


def test_every_kind_of_accelerator_counts_once():
    kinds = {name: [(a.kind, a.maker, a.count) for a in load()[name].accelerators] for name in load()}
    assert kinds["inf2.48xlarge"] == [("inference", "AWS", 12)]
    assert kinds["trn1.32xlarge"] == [("neuron", "AWS", 16)]
    assert kinds["f2.6xlarge"] == [("fpga", "Xilinx", 1)]
    assert kinds["vt1.3xlarge"] == [("media", "Xilinx", 1)]
    assert all(len(accelerators) <= 1 for accelerators in kinds.values())


def test_gpudirect_is_data_and_needs_efa():
    able = {load()[name].family for name in load() if load()[name].gpudirect}
    listed = json.loads(instance_types.ADDITIONS.read_text())["gpudirect"]
    assert able == set(listed["families"])
    assert "User Guide" in listed["source"]
    assert all(load()[name].efa for name in load() if load()[name].gpudirect)
    assert not load()["g5.48xlarge"].gpudirect


def test_retired_families_are_local_additions_with_a_source():
    additions = json.loads(instance_types.ADDITIONS.read_text())["types"]
    assert load()["p3.16xlarge"].accelerators == (Accelerator("gpu", "NVIDIA", "V100", 8),)
    assert load()["g4ad.16xlarge"].accelerators == (Accelerator("gpu", "AMD", "Radeon Pro V520", 4),)
    assert all(entry["source"] for entry in additions.values())


def test_a_local_addition_overrides(tmp_path):
    catalogue, additions = tmp_path / "types.json", tmp_path / "additions.json"
    catalogue.write_text(document([recorded()["c5.large"], recorded()["c5.xlarge"]], "test", "2026-01-01"))
    mine = {"vcpus": 3, "cores": 3, "threads": 1, "arch": "arm64", "memory_mib": 1, "interfaces": 1, "efa": 1}
    local = {"gpudirect": {"families": ["c5"]}, "types": {"c5.large": mine, "my.type": mine}}
    additions.write_text(json.dumps(local))
    types = read(catalogue, additions)
    assert sorted(types) == ["c5.large", "c5.xlarge", "my.type"]
    assert (types["c5.large"].vcpus, types["c5.xlarge"].vcpus) == (3, 4)
    assert (types["c5.large"].gpudirect, types["my.type"].gpudirect) == (True, False)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("c8g.2xlrage", "c8g.2xlarge"),
        ("c8g.3xlarge", "c8g.xlarge"),
        ("p5.24xlarge", "p5.4xlarge"),
        ("c8gg.xlarge", "c8g.xlarge"),
        ("C8g.xlarge", "c8g.xlarge"),
    ],
)
def test_near_matches(name, expected):
    assert expected in load().near(name)
    assert len(load().near(name)) <= 3


@pytest.mark.parametrize("name", ["", "nothing-like-it", "x" * 1000])
def test_nothing_near(name):
    assert load().near(name) == []


def test_unknown_types_are_no_members():
    assert "c8g.nosuch" not in load()
    assert load().get("c8g.nosuch") is None
    assert len(load()) == len(list(load()))


def test_loads_quickly():
    """Target 10 ms; the bound leaves room for a busy machine."""
    best = min(_seconds() for _ in range(5))
    assert best < 0.03


def _seconds() -> float:
    started = time.perf_counter()
    read(instance_types.CATALOGUE, instance_types.ADDITIONS)["c8g.xlarge"]
    return time.perf_counter() - started


def test_the_file_is_one_sorted_line_a_type():
    text = instance_types.CATALOGUE.read_text(encoding="utf-8")
    head = json.loads(text)
    assert head["source"].startswith("DescribeInstanceTypes of ")
    assert head["date"]
    lines = [line for line in text.splitlines() if line.startswith('"') and '": {"vcpus"' in line]
    assert len(lines) == len(head["types"])
    assert lines == sorted(lines, key=lambda line: line.split('"')[1])


def test_the_committed_file_is_what_its_source_says():
    """Until somebody refreshes it from AWS: the file as first committed is moto's recording."""
    version = importlib.metadata.version("moto")
    committed = json.loads(instance_types.CATALOGUE.read_text(encoding="utf-8"))
    if f"moto {version} " in committed["source"]:
        assert committed["types"] == {name: record(info) for name, info in recorded().items()}
    else:
        assert len(committed["types"]) > 500


@pytest.mark.parametrize(
    "name", ["c8g.2xlarge", "p5.48xlarge", "inf2.48xlarge", "hpc7g.4xlarge", "t3.micro", "g5.xlarge"]
)
def test_ec2s_form_and_back(name):
    assert record(as_ec2(load()[name])) == record(recorded()[name])


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


def infos(*names: str, **changes: Any) -> list[dict[str, Any]]:
    return [recorded()[name] | changes for name in names]


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
