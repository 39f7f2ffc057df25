"""What people read about a wrong value: the place, the value as it was written, and what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.report import render
from tests.unit.config_loading.projects import CLUSTER, brief, demo, with_line

# line of CLUSTER to replace, its new content, rule, path, message, hint
WRONG = [
    (2, "region: 4", "value-type", "region", "must be text, got 4 (a number)", 'write it in quotes: "4"'),
    (
        1,
        "parallelcluster_version: 3.10",
        "value-type",
        "parallelcluster_version",
        "must be text, got 3.10 (a number)",
        'write it in quotes: "3.10"',
    ),
    (
        2,
        "region: true",
        "value-type",
        "region",
        "must be text, got true (a boolean)",
        'write it in quotes: "true"',
    ),
    (2, "region:", "value-type", "region", "must be text, got nothing (an empty value)", ""),
    (2, "region: [a]", "value-type", "region", "must be text, got a list", ""),
    (
        2,
        "region: us-east-1a",
        "value",
        "region",
        'must be a Region such as us-east-1, got "us-east-1a" (text)',
        "",
    ),
    (2, "regoin: us-east-1", "unknown-key", "regoin", "unknown key", "did you mean 'region'?"),
    (3, "owner: compbio", "value-type", "owner", 'must be a mapping, got "compbio" (text)', ""),
    (
        3,
        "owner: {name: compbio}",
        "missing-key",
        "owner.email",
        "this required key is missing",
        "it takes an e-mail address such as hpc@example.org",
    ),
    (
        9,
        "  allowed_cidrs: 10.0.0.0/16",
        "value-type",
        "ssh.allowed_cidrs",
        'must be a list, got "10.0.0.0/16" (text)',
        "write [10.0.0.0/16]",
    ),
    (9, "  allowed_cidrs: []", "value", "ssh.allowed_cidrs", "must hold at least 1 item, got none", ""),
    (
        16,
        '    subnets: [private-a]\n    max_nodes: "4"',
        "value-type",
        "queues[0].max_nodes",
        'must be a whole number, got "4" (text)',
        "write 4, without quotes",
    ),
    (
        16,
        "    subnets: [private-a]\n    max_nodes: 2.5",
        "value-type",
        "queues[0].max_nodes",
        "must be a whole number, got 2.5 (a number)",
        "",
    ),
    (
        16,
        "    subnets: [private-a]\n    min_nodes: -1",
        "value",
        "queues[0].min_nodes",
        "must be at least 0, got -1",
        "",
    ),
    (
        16,
        "    subnets: [private-a]\n    efa: no",
        "value-type",
        "queues[0].efa",
        'must be true or false, got "no" (text)',
        "write false, without quotes",
    ),
    (
        16,
        "    subnets: [private-a]\n    capacity: spott",
        "value",
        "queues[0].capacity",
        'must be one of spot, ondemand; got "spott" (text)',
        "did you mean spot?",
    ),
    (
        16,
        "    subnets: [private-a]\n    capcity: spot",
        "unknown-key",
        "queues[0].capcity",
        "unknown key",
        "did you mean 'capacity'?",
    ),
    (
        16,
        "    subnets: [private-a]\n    vpc_id: x",
        "unknown-key",
        "queues[0].vpc_id",
        "unknown key",
        "known here: ",
    ),
    (
        2,
        "region: us-east-1\nengine: pcs",
        "value",
        "engine",
        'must be parallelcluster in this release, got "pcs" (text)',
        "write engine: parallelcluster; PCS comes with a later release",
    ),
    (2, "region: us-east-1\nengine: slurm", "value", "engine", 'must be parallelcluster; got "slurm" (text)', ""),
    (
        2,
        "region: us-east-1\naccount: 012345678901",
        "value-type",
        "account",
        "must be text, got 012345678901 (a number)",
        'write it in quotes: "012345678901"',
    ),
    (
        2,
        "region: us-east-1\nidentity: {ceiling: none}",
        "value",
        "identity.ceiling",
        'must be one of cluster, account or a managed policy\'s ARN, got "none" (text)',
        "",
    ),
    (
        2,
        "region: us-east-1\nslurm: {custom_settings: [{a: [1]}]}",
        "value-type",
        "slurm.custom_settings[0].a",
        "must be text or a whole number, got a list",
        "",
    ),
    (
        2,
        "region: us-east-1\nstorage: [{name: a, mount: /a, type: lustre}]",
        "value",
        "storage[0].type",
        'must be one of ebs, efs, fsx-lustre, nfs, storage-file; got "lustre" (text)',
        "did you mean fsx-lustre?",
    ),
    (
        2,
        "region: us-east-1\nstorage: [{name: a, mount: /a}]",
        "missing-key",
        "storage[0].type",
        "this required key is missing",
        "it takes one of ebs, efs, fsx-lustre, nfs",
    ),
    (
        2,
        "region: us-east-1\nstorage: [{name: a, mount: /a, type: efs, export: /x}]",
        "unknown-key",
        "storage[0].export",
        "unknown key for type efs",
        "known here: ",
    ),
    (
        2,
        "region: us-east-1\nstorage: [{name: a, mount: /a, type: efs, thruput_mode: x}]",
        "unknown-key",
        "storage[0].thruput_mode",
        "unknown key for type efs",
        "did you mean 'throughput_mode'?",
    ),
    (
        2,
        "region: us-east-1\nstorage: [home]",
        "value-type",
        "storage[0]",
        'must be a mapping, got "home" (text)',
        "",
    ),
    (
        2,
        f"region: us-east-1\nlogs: {{retention_days: {'x' * 99}}}",
        "value-type",
        "logs.retention_days",
        f'must be a whole number, got "{"x" * 60}..." (text)',
        "",
    ),
]


@pytest.mark.parametrize(
    ("number", "line", "rule", "path", "message", "hint"),
    WRONG,
    ids=[f"{row[3]}-{row[1].split()[-1]}" for row in WRONG],
)
def test_wrong_value(
    tmp_path: Path, number: int, line: str, rule: str, path: str, message: str, hint: str
) -> None:
    findings = demo(tmp_path, with_line(number, line))
    found = [finding for finding in findings if brief([finding])[0][1] == path]
    assert [(one.rule, one.message) for one in found] == [(rule, message)]
    assert found[0].hint.startswith(hint) if hint else not found[0].hint
    assert found[0].line == number + line.count("\n")


def test_a_subnets_bad_name_is_the_keys_fault(tmp_path: Path) -> None:
    findings = demo(tmp_path, with_line(7, "    Private A: {id: subnet-0123456789abcdef0, zone: us-east-1a}"))
    assert brief(findings) == [("value", "network.subnets.Private A", 7)]
    assert findings[0].message == 'this key must be a short name of a-z, 0-9 and -, got "Private A"'


def test_a_missing_key_stands_in_its_mappings_line(tmp_path: Path) -> None:
    text = CLUSTER.replace("  vpc_id: vpc-0123456789abcdef0\n", "").replace("region: us-east-1\n", "")
    assert brief(demo(tmp_path, text)) == [("missing-key", "region", 0), ("missing-key", "network.vpc_id", 3)]


def test_unreadable_values_are_reported_once(tmp_path: Path) -> None:
    text = with_line(2, "region: *home\nlogs: {retention_days: .inf}")
    assert brief(demo(tmp_path, text)) == [
        ("yaml-alias", "region", 2),
        ("yaml-number", "logs.retention_days", 3),
    ]


def test_rules_speak_beside_wrong_values(tmp_path: Path) -> None:
    """One run names both kinds of faults, each with its line."""
    text = CLUSTER + "  - {name: cpu, instance_types: [c8g.large], subnets: [private-a]}\nsofware: {}\n"
    findings = demo(tmp_path, text)
    assert brief(findings) == [("unique-names", "queues[1].name", 17), ("unknown-key", "sofware", 18)]


def test_rules_keep_silent_about_what_a_wrong_value_may_have_meant(tmp_path: Path) -> None:
    """min_nodes above max_nodes' default, where max_nodes is only misspelt."""
    text = CLUSTER + "    min_nodes: 20\n    max_node: 30\n"
    assert brief(demo(tmp_path, text)) == [("unknown-key", "queues[0].max_node", 18)]


def test_a_rules_finding_points_to_the_value_or_its_mapping(tmp_path: Path) -> None:
    text = CLUSTER + "    min_nodes: 20\n"
    findings = demo(tmp_path, text)
    assert [one.line for one in findings if one.path[:1] == ("queues",)] == [17]


def test_a_flood_of_findings_is_cut(tmp_path: Path) -> None:
    text = CLUSTER + "".join(f"x{number}: 1\n" for number in range(5000))
    findings = demo(tmp_path, text)
    assert len(findings) == 201
    assert findings[0].message == "4800 further problems are not shown"


def test_the_report(tmp_path: Path) -> None:
    text = with_line(2, "regoin: us-east-1") + "logs: {retention_days: 1.5}\n"
    assert render(demo(tmp_path, text)) == "\n".join(
        [
            "config/clusters/demo.yaml: 3 problems",
            "  region: this required key is missing [missing-key]",
            "    -> it takes a Region such as us-east-1",
            "  line 2: regoin: unknown key [unknown-key]",
            "    -> did you mean 'region'?",
            "  line 17: logs.retention_days: must be a whole number, got 1.5 (a number) [value-type]",
        ]
    )
