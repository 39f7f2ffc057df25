"""The committed facts about instance types and their local additions."""

import importlib.metadata
import json
import time

import pytest

from config.facts import instance_types
from config.facts.ec2_form import as_ec2, document, record
from config.facts.instance_types import Accelerator, load, read
from tests.unit.ec2_answers import recorded


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


def test_gpudirect_is_data_and_needs_efa_and_a_gpu():
    able = {load()[name].family for name in load() if load()[name].gpudirect}
    listed = json.loads(instance_types.ADDITIONS.read_text())["gpudirect"]
    assert able == set(listed["families"])
    assert "User Guide" in listed["source"]
    assert all(load()[name].efa for name in load() if load()[name].gpudirect)
    unable = [load()[name].gpudirect for name in ("g5.48xlarge", "g4ad.16xlarge", "hpc7g.4xlarge", "g6e.xlarge")]
    assert unable == [False] * 4


def test_gpudirect_without_a_source_is_unknown():
    unknown = {load()[name].family for name in load() if load()[name].gpudirect is None}
    assert unknown == {"g6", "g6e", "g7", "g7e", "gr6"}


# By name, what the guide's tables say: memory in GiB, network cards, network interfaces, disks in GB.
PUBLISHED = {
    "g4ad.xlarge": (16, 1, 2, 150),
    "g4ad.2xlarge": (32, 1, 2, 300),
    "g4ad.4xlarge": (64, 1, 3, 600),
    "g4ad.8xlarge": (128, 1, 4, 1200),
    "g4ad.16xlarge": (256, 1, 8, 2 * 1200),
    "p3.2xlarge": (61, 1, 4, 0),
    "p3.8xlarge": (244, 1, 8, 0),
    "p3.16xlarge": (488, 1, 8, 0),
    "p6e-gb200.36xlarge": (960, 17, 39, 3 * 7500),
}


def test_local_additions_are_what_their_sources_say():
    """Types that the recorded answer lacks; each number was read in the guide that the addition names."""
    additions = json.loads(instance_types.ADDITIONS.read_text())["types"]
    assert additions.keys() == PUBLISHED.keys()
    assert all("Instance Types guide, Specifications for" in entry["source"] for entry in additions.values())
    for name, published in PUBLISHED.items():
        known = load()[name]
        gib = known.memory_mib / 1024
        assert (gib, known.network_cards, known.network_interfaces, known.instance_store_gb) == published, name
    assert load()["p3.16xlarge"].accelerators == (Accelerator("gpu", "NVIDIA", "V100", 8),)
    assert load()["g4ad.16xlarge"].accelerators == (Accelerator("gpu", "AMD", "Radeon Pro V520", 4),)


def test_a_number_of_another_page_names_that_page():
    """The guide's tables say whether a type takes EFA, never how many interfaces."""
    additions = json.loads(instance_types.ADDITIONS.read_text())["types"]
    with_efa = {name: entry["source"] for name, entry in additions.items() if "efa" in entry}
    assert list(with_efa) == ["p6e-gb200.36xlarge"]
    assert "cards 1 to 16 of 17" in with_efa["p6e-gb200.36xlarge"]


def test_a_local_addition_overrides(tmp_path):
    catalogue, additions = tmp_path / "types.json", tmp_path / "additions.json"
    catalogue.write_text(document([recorded()["c5.large"], recorded()["c5.xlarge"]], "test", "2026-01-01"))
    mine = {"vcpus": 3, "cores": 3, "threads": 1, "arch": "arm64", "memory_mib": 1, "interfaces": 1, "efa": 1}
    mine["accelerators"] = [{"kind": "gpu", "maker": "NVIDIA", "name": "A1", "count": 1}]
    local = {"gpudirect": {"families": ["c5"], "without": ["my"]}, "types": {"c5.large": mine, "my.type": mine}}
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
