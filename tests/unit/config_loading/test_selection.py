"""What the command line selects and overrides, and every way of getting that wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from config.document import plain
from config.findings import ConfigError, Finding
from config.selection import name_problem, select
from tests.unit.config_loading.projects import CLUSTER, brief, load, load_one, project, refused


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return project(tmp_path, clusters__demo=CLUSTER, clusters__prod=CLUSTER, clusters__big=CLUSTER)


def faults(root: Path, context: dict[str, Any]) -> list[Finding]:
    with pytest.raises(ConfigError) as caught:
        select(context, root)
    return caught.value.findings


# context, selected
SELECTED = [
    ({}, ("big", "demo", "prod")),
    ({"cluster": "prod"}, ("prod",)),
    ({"cluster": "prod, demo"}, ("demo", "prod")),
    ({"cluster": "demo,demo"}, ("demo",)),
    ({"cluster": ["prod", "big"]}, ("big", "prod")),
    (
        {"aws:cdk:enable-path-metadata": True, "@aws-cdk/core:x": 1, "availability-zones:account=1": []},
        ("big", "demo", "prod"),
    ),
    ({"their-own": 1, "team:region": "x", "cost-centre": "4"}, ("big", "demo", "prod")),
]


@pytest.mark.parametrize(("context", "names"), SELECTED)
def test_selected(root: Path, context: dict[str, Any], names: tuple[str, ...]) -> None:
    assert select(context, root).clusters == names


# context, rule, part of the message, part of the hint
REFUSED = [
    ({"cluster": ""}, "selector", "empty name", "clusters: big, demo, prod"),
    ({"cluster": " "}, "selector", "empty name", "clusters: big, demo, prod"),
    ({"cluster": "demo,,big"}, "selector", "empty name", "clusters"),
    ({"cluster": []}, "selector", "empty name", "clusters"),
    (
        {"cluster": "demo", "scope": "account"},
        "selector",
        "cluster and scope given at once",
        "one of them; clusters: big, demo, prod",
    ),
    (
        {"cluster": "", "storage": "x"},
        "selector",
        "cluster and storage given at once",
        "one of them; clusters: big, demo, prod",
    ),
    ({"scope": "account"}, "selector", "no config/account.yaml", "write config/account.yaml; clusters: big, demo"),
    ({"scope": ""}, "selector", 'scope must be account; got ""', "scope=account"),
    ({"scope": "acount"}, "selector", 'scope must be account; got "acount"', "scope=account"),
    ({"storage": "home"}, "unknown-storage", 'no storage file "home"', "storage files: none"),
    ({"storage": ""}, "selector", "storage= holds an empty name", "storage files: none"),
    ({"storage": "../x"}, "unknown-storage", "3-27 characters", "storage files"),
    ({"cluster": "dmo"}, "unknown-cluster", 'no cluster "dmo"', "did you mean 'demo'? clusters: big, demo, prod"),
    ({"cluster": "zzzzz"}, "unknown-cluster", 'no cluster "zzzzz"', "clusters: big, demo, prod"),
    ({"cluster": "demo.yaml"}, "unknown-cluster", "no cluster", "did you mean 'demo'?"),
    ({"cluster": "config/clusters/demo.yaml"}, "unknown-cluster", "no cluster", "did you mean 'demo'?"),
    ({"cluster": "../x"}, "unknown-cluster", "3-27 characters", "clusters"),
    ({"cluster": "/etc/passwd"}, "unknown-cluster", "3-27 characters", "clusters"),
    ({"cluster": "demo\n"[:-1] + "\x00"}, "unknown-cluster", "no cluster", "did you mean 'demo'?"),
    ({"cluster": 7}, "unknown-cluster", '"7"', "clusters"),
    ({"cluster": None}, "unknown-cluster", '"None"', "clusters"),
    ({"clusters": "demo"}, "context-key", "clusters is not", "did you mean cluster?"),
    ({"region": "us-east-1"}, "context-key", "region is not", "clusterform:region"),
    (
        {"queues.cpu.max_nodes": "4"},
        "context-key",
        "queues.cpu.max_nodes is not",
        "clusterform:queues.cpu.max_nodes",
    ),
    ({"clusterfrom:os": "rhel9"}, "context-key", "clusterfrom:os is not", "clusterform:os"),
    ({"clusterform.os": "rhel9"}, "context-key", "clusterform.os is not", "clusterform:os"),
    ({"clusterform:": "4"}, "override-path", "empty part", "clusterform:queues"),
    ({"clusterform:queues..x": "4"}, "override-path", "empty part", "clusterform:queues"),
    ({"clusterform:os": "[a"}, "override-value", "the [ opened here", "quotes"),
    ({"clusterform:os": ".nan"}, "override-value", "finite", "quotes"),
    ({"clusterform:os": "[*a]"}, "override-value", "aliases", "quotes"),
    ({"clusterform:os": "rhel9\u202e"}, "override-value", "U+202E", "quotes"),
    ({"clusterform:os": "\udcff"}, "override-value", "U+DCFF", "quotes"),
]


@pytest.mark.parametrize(("context", "rule", "message", "hint"), REFUSED)
def test_refused(root: Path, context: dict[str, Any], rule: str, message: str, hint: str) -> None:
    (finding,) = faults(root, context)
    assert (finding.rule, finding.file) == (rule, "-c")
    assert message in finding.message
    assert hint in finding.hint


def test_everything_at_once(root: Path) -> None:
    findings = faults(root, {"cluster": "dmo,../x", "region": "x", "clusterform:a": "[", "clusterform:b..c": "1"})
    assert sorted(finding.rule for finding in findings) == [
        "context-key",
        "override-path",
        "override-value",
        "unknown-cluster",
        "unknown-cluster",
    ]


NAMES = [
    ("abc", True),
    ("a1b-c2", True),
    ("a" * 27, True),
    ("a" * 28, False),
    ("ab", False),
    ("1abc", False),
    ("abc-", False),
    ("a--b", False),
    ("Abc", False),
    ("a_b", False),
    ("abc\n", False),
    ("account", False),
    ("accounts", True),
    ("clusterform-x", False),
    ("clusterforms", True),
]


@pytest.mark.parametrize(("name", "is_fine"), NAMES)
def test_names(name: str, is_fine: bool) -> None:
    assert (name_problem(name) is None) == is_fine


def test_a_badly_named_file_is_not_passed_over(tmp_path: Path) -> None:
    project(tmp_path, clusters__Big=CLUSTER, clusters__account=CLUSTER, clusters__demo=CLUSTER)
    assert [(one.rule, one.file) for one in faults(tmp_path, {})] == [
        ("cluster-name", "config/clusters/Big.yaml"),
        ("cluster-name", "config/clusters/account.yaml"),
    ]
    assert [one.rule for one in faults(tmp_path, {"cluster": "account"})] == ["cluster-name"]


def test_a_yml_file_is_not_passed_over(root: Path) -> None:
    (root / "config/clusters/small.yml").write_text(CLUSTER, encoding="utf-8")
    for context in ({}, {"cluster": "small"}):
        (finding,) = faults(root, context)
        assert (finding.rule, finding.file) == ("file-suffix", "config/clusters/small.yml")
        assert finding.hint == "rename it to config/clusters/small.yaml"


def test_an_editors_files_are_passed_over(root: Path) -> None:
    for name in (".demo.yaml.swp", "demo.yaml~", "#demo.yaml#", ".hidden.yaml", "README.md"):
        (root / "config/clusters" / name).write_text("x", encoding="utf-8")
    assert select({}, root).clusters == ("big", "demo", "prod")


def test_no_cluster_file(tmp_path: Path) -> None:
    (finding,) = faults(tmp_path, {})
    assert (finding.rule, finding.file) == ("no-clusters", "config/clusters")


def test_a_selected_cluster_does_not_read_the_others(root: Path) -> None:
    (root / "config/clusters/big.yaml").write_text("nonsense: [", encoding="utf-8")
    assert [cluster.name for cluster in load(root, cluster="demo")] == ["demo"]
    assert [one.file for one in refused(root)] == ["config/clusters/big.yaml"]


def test_no_dependence_on_the_working_directory(
    root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert len(load(root)) == 3


# the value as the CDK CLI, or cdk.json, hands it over, and what it means
VALUES = [
    ("4", 4),
    ("-1", -1),
    ("2.5", 2.5),
    ("true", True),
    ("no", "no"),
    ("4:20:00", "4:20:00"),
    ("", None),
    ("null", None),
    ('"4"', "4"),
    ("'a b'", "a b"),
    ("a: b #c", "a: b #c"),
    ("[a, 4, true]", ["a", 4, True]),
    ('["a", 4]', ["a", 4]),
    ("{a: {b: 1}}", {"a": {"b": 1}}),
    (" x ", "x"),
    (4, 4),
    (True, True),
    (None, None),
    (["a", 1], ["a", 1]),
    ({"a": "4"}, {"a": "4"}),
]


@pytest.mark.parametrize(("given", "value"), VALUES)
def test_override_values_are_typed(root: Path, given: object, value: object) -> None:
    (override,) = select({"clusterform:x.y": given}, root).overrides
    assert override.path == ("x", "y")
    assert (plain(override.value), type(plain(override.value))) == (value, type(value))


@pytest.mark.parametrize("path", ["queues.cpu.max_nodes", "queues.0.max_nodes", "queues[0].max_nodes"])
def test_an_item_goes_by_name_or_number(root: Path, path: str) -> None:
    assert load_one(root, {f"clusterform:{path}": "4"}).spec.queues[0].max_nodes == 4


def test_overrides_apply_to_each_cluster(root: Path) -> None:
    clusters = load(root, **{"clusterform:environment": "stage", "clusterform:ssh.allowed_cidrs": "[10.9.0.0/16]"})
    assert [cluster.spec.environment for cluster in clusters] == ["stage"] * 3
    assert clusters[0].spec.ssh.allowed_cidrs == ["10.9.0.0/16"]


def test_an_override_reaches_what_no_file_holds(root: Path) -> None:
    spec = load_one(root, {"clusterform:head_node.root_volume.size_gib": "120", "clusterform:tags": "{a: b}"}).spec
    assert (spec.head_node.root_volume.size_gib, spec.tags) == (120, {"a": "b"})


# override, value, finding
BAD_OVERRIDES = [
    ("queues.cpux.max_nodes", "4", ("override-path", "queues"), "did you mean 'cpu'?"),
    ("queues.7.max_nodes", "4", ("override-path", "queues"), "its items: cpu"),
    ("login.x.count", "1", ("override-path", "login"), "its items: none"),
    ("region.x", "1", ("override-path", "region.x"), ""),
    ("os.x", "1", ("value", "os"), ""),
    ("ssh.allowed_cidrs.4", "10.0.0.0/8", ("override-path", "ssh.allowed_cidrs"), "its items: 0"),
    ("quues.cpu.max_nodes", "4", ("unknown-key", "quues"), "did you mean 'queues'?"),
    ("queues.cpu.max_node", "4", ("unknown-key", "queues[0].max_node"), "did you mean 'max_nodes'?"),
    ("queues.cpu.max_nodes", "many", ("value-type", "queues[0].max_nodes"), ""),
    ("queues.cpu.efa", "yes", ("value-type", "queues[0].efa"), "write true"),
    ("parallelcluster_version", "3.10", ("value-type", "parallelcluster_version"), "'\"3.10\"'"),
]


@pytest.mark.parametrize(("path", "value", "finding", "hint"), BAD_OVERRIDES)
def test_bad_overrides(root: Path, path: str, value: str, finding: tuple[str, str], hint: str) -> None:
    found = refused(root, {"cluster": "demo", f"clusterform:{path}": value})
    assert [row[:2] for row in brief(found)] == [finding]
    assert (found[0].file, found[0].line) == ("-c", 0)
    assert hint in found[0].hint
