"""Subnets without internet: which endpoints and packages the nodes in them need, and what is said about it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from bootstrap_assets.endpoints import ENGINE, SESSIONS, Need, closed_subnets, needs
from bootstrap_assets.findings import network_findings, node_findings
from bootstrap_assets.manifest import Script
from config.findings import Finding
from config.project import load
from config.selection import select
from tests.factories import MINIMAL, cluster
from tests.projects import ROOT

OWN_NAMES = {
    "raw": {"Scheduling": {"SlurmSettings": {"Dns": {"DisableManagedDns": True, "UseEc2Hostnames": True}}}}
}
ENDPOINTS = [*ENGINE, *SESSIONS, "elasticloadbalancing", "secretsmanager"]
ALL = ("public-a", "private-a", "private-b")


def _network(*closed: str, **changes: Any) -> dict[str, Any]:
    network = copy.deepcopy(MINIMAL["network"]) | changes
    for key in closed:
        network["subnets"][key]["internet"] = False
    return {"network": network}


def _found(root: Path = Path(), **changes: Any) -> dict[str, Finding]:
    return {finding.rule: finding for finding in network_findings("demo", cluster(**changes), root)}


def _script(text: str, name: str = "own", nodes: tuple[str, ...] = ("head",), stage: str = "configured") -> Script:
    return Script(name, text.encode(), stage, nodes)


def test_with_internet_everywhere_nothing_is_asked_for() -> None:
    assert _found() == {}
    assert closed_subnets(cluster()) == {}
    assert _found(**_network("private-b")) == {}, "no node is in it"


def test_what_parallelcluster_calls_is_named_with_what_to_do() -> None:
    finding = _found(**_network("private-a"))["missing-endpoint"]

    assert finding.path == ("network", "subnets", "private-a", "internet")
    assert "nodes without internet (compute)" in finding.message
    for service in (*ENGINE, *SESSIONS):
        assert f"{service} for " in finding.message
    assert "s3 (gateway)" in finding.hint and "logs (interface)" in finding.hint
    assert "NAT gateway" in finding.hint


def test_endpoints_that_are_there_are_not_asked_for() -> None:
    without = [service for service in ENDPOINTS if service != "ec2"]

    finding = _found(**_network("private-a", endpoints=without))["missing-endpoint"]

    assert finding.message.endswith(": ec2 for ParallelCluster")
    assert finding.path == ("network", "endpoints")
    assert "missing-endpoint" not in _found(**_network("private-a", endpoints=ENDPOINTS))


@pytest.mark.parametrize(
    ("changes", "service"),
    [
        ({"login": [{"name": "login", "subnet": "private-a"}]}, "elasticloadbalancing for ParallelCluster"),
        (
            {
                "directory": {
                    "domain_name": "corp.example.org",
                    "address": ["ldaps://ldap.example.org"],
                    "read_only_user": "cn=reader",
                    "password_secret": "arn:aws:secretsmanager:us-east-1:123456789012:secret:ldap-AbCdEf",
                }
            },
            "secretsmanager for directory",
        ),
        ({}, "ssmmessages for session_manager"),
    ],
)
def test_a_feature_brings_its_own(changes: dict[str, Any], service: str) -> None:
    assert service in _found(**_network("private-a"), **changes)["missing-endpoint"].message
    without = _found(**_network("private-a"), session_manager=False)["missing-endpoint"].message
    assert service not in without


def test_a_script_needs_what_it_calls_on_the_nodes_it_runs_on() -> None:
    text = (
        "#!/bin/bash\n# aws sns publish in a comment\n"
        "if value=$(aws --region us-east-1 secretsmanager get-secret-value); then\n"
        "  aws --no-cli-pager ssm get-parameter --name x || aws s3 cp a b\nfi\n"
        "echo 'no aws configure needed'\ndnf -y install hwloc\n"
    )
    spec = cluster(**_network("public-a", "private-a"))

    found = [need for need in needs(spec, [_script(text)]) if need.why == "own"]

    assert found == [Need(service, "head", "own") for service in ("s3", "secretsmanager", "ssm", "packages")]


def test_comments_call_nothing() -> None:
    text = "#!/bin/bash\n# aws sns publish is for others\n  # dnf install by hand\ntrue\n"

    assert not [need for need in needs(cluster(**_network("public-a")), [_script(text)]) if need.why == "own"]


def test_what_slurm_runs_is_not_part_of_a_start() -> None:
    spec = cluster(**_network("public-a"))

    assert not [need for need in needs(spec, [_script("aws sns publish x\n", stage="job")]) if need.why == "own"]


def test_a_hook_of_the_users_is_looked_into_as_well(tmp_path: Path) -> None:
    (tmp_path / "note.sh").write_text("#!/bin/bash\naws sns publish --message up\n")
    hooks = {"on_node_configured": [{"script": "note.sh", "nodes": ["compute"]}]}

    found = _found(tmp_path, **_network("private-a", endpoints=ENDPOINTS), hooks=hooks)

    assert found["missing-endpoint"].message.endswith(": sns for hook-note")
    endpoints = [*ENDPOINTS, "sns"]
    assert "missing-endpoint" not in _found(tmp_path, **_network("private-a", endpoints=endpoints), hooks=hooks)


@pytest.mark.parametrize(
    ("os", "mirror", "endpoints", "found"),
    [
        ("ubuntu2404", False, ENDPOINTS, True),
        ("rhel9", False, ENDPOINTS, True),
        ("ubuntu2404", True, ENDPOINTS, False),
        ("alinux2023", False, ENDPOINTS, False),
        ("alinux2023", False, [], True),
    ],
)
def test_packages_need_a_source(os: str, mirror: bool, endpoints: list[str], found: bool) -> None:
    nas = {"name": "nas", "mount": "/nfs/nas", "type": "nfs", "server": "nas", "export": "/export"}
    network = _network("private-a", package_mirror=mirror, endpoints=endpoints)

    rules = _found(os=os, storage=[nas], **network)

    assert ("package-source" in rules) is found
    if found:
        assert "mount-nfs-nas" in rules["package-source"].message
        assert "package_mirror: true" in rules["package-source"].hint


@pytest.mark.parametrize(("closed", "raw", "found"), [("public-a", {}, True), ("public-a", OWN_NAMES, False)])
def test_names_of_nodes_do_without_route_53(closed: str, raw: dict[str, Any], found: bool) -> None:
    rules = _found(**_network(closed, endpoints=ENDPOINTS), parallelcluster=raw)

    assert ("managed-dns" in rules) is found


def test_where_only_compute_nodes_have_no_internet_the_names_may_stay() -> None:
    assert "managed-dns" not in _found(**_network("private-a", endpoints=ENDPOINTS))


def test_a_cluster_without_any_internet_passes_with_all_of_it_said() -> None:
    network = _network(*ALL, endpoints=ENDPOINTS, package_mirror=True)

    assert _found(**network, parallelcluster=OWN_NAMES, software={"spack": True}) == {}


def test_findings_have_a_file_and_a_line(tmp_path: Path) -> None:
    file = tmp_path / "config/clusters/demo.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(yaml.safe_dump(MINIMAL | _network("private-a")), encoding="utf-8")

    found = node_findings(load(tmp_path, select({"cluster": "demo"}, tmp_path)), tmp_path)

    assert found
    assert all(finding.file == "config/clusters/demo.yaml" and finding.line for finding in found)


def test_no_example_has_a_finding() -> None:
    assert node_findings(load(ROOT, select({}, ROOT)), ROOT) == []
