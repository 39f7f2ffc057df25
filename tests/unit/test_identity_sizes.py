"""Policies stay within IAM's limits; where they would not, the finding says which, by how much and why."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hpc_constructs.identity.rendering_check import all_statements, cluster_scope, policy_findings
from hpc_constructs.identity.rendering_sizes import ATTACHMENT_LIMIT, POLICY_LIMIT, Names, partition_of
from tests.factories import cluster
from tests.iam import examples
from tests.iam.resolver import PARTITIONS
from tests.iam.templates import LONGEST_NAME, resolved

POLICY = "arn:aws:iam::123456789012:policy/site-{}"
HEAD = {"instance_type": "c8g.xlarge", "subnet": "public-a"}


@pytest.mark.parametrize("partition", PARTITIONS)
def test_ten_buckets_two_keys_and_two_secrets_fit(partition: str) -> None:
    """With the longest names that there are: of the cluster, of the buckets, in every partition."""
    spec = cluster(region=PARTITIONS[partition], access=examples.access(partition))
    assert policy_findings(LONGEST_NAME, spec) == []
    names = Names(cluster_scope(LONGEST_NAME, spec))
    sizes = {name: names.size(statements) for name, statements in all_statements(spec, names.scope).items()}
    assert max(sizes.values()) <= POLICY_LIMIT
    assert sizes["Boundary"] > 5500, "this case is meant to be near the limit"


@pytest.mark.parametrize("partition", PARTITIONS)
def test_a_cluster_that_uses_everything_fits(partition: str) -> None:
    assert policy_findings(LONGEST_NAME, examples.much(partition)) == []


@pytest.mark.parametrize("partition", PARTITIONS)
@pytest.mark.parametrize("example", [examples.minimal, examples.much])
def test_no_policy_becomes_longer_than_it_was_measured(partition: str, example: Any) -> None:
    spec = example(partition)
    names = Names(cluster_scope(LONGEST_NAME, spec))
    resolver = resolved(LONGEST_NAME, spec)
    for logical_id, statements in all_statements(spec, names.scope).items():
        size = len(json.dumps(resolver.document(logical_id), separators=(",", ":")))
        assert size <= names.size(statements) <= POLICY_LIMIT


def test_too_long_a_policy_is_named_with_its_longest_inputs() -> None:
    spec = cluster(access=examples.access("aws", buckets=30))
    findings = {finding.message.split()[1]: finding for finding in policy_findings("demo", spec)}
    assert {"Boundary", "ComputeBase"} <= set(findings)
    finding = findings["Boundary"]
    size = Names(cluster_scope("demo", spec)).size(all_statements(spec, cluster_scope("demo", spec))["Boundary"])
    assert finding.rule == "policy-size"
    assert finding.path == ("access", "buckets")
    assert f"would have {size} characters, IAM takes {POLICY_LIMIT}" in finding.message
    assert "access.buckets (" in finding.message
    assert finding.hint


def test_too_long_a_fragment_is_named_as_such() -> None:
    buckets = [{"BucketName": f"b{i:02}".ljust(63, "x")} for i in range(40)]
    spec = cluster(parallelcluster={"raw": {"HeadNode": {"Iam": {"S3Access": buckets}}}})
    (finding,) = policy_findings("demo", spec)
    assert finding.path == ("parallelcluster", "raw")
    assert "policy Boundary" in finding.message


def test_too_many_policies_of_all_queues_together() -> None:
    """The provider's role names every policy that it may attach."""
    queue = {"instance_types": ["c8g.large"], "subnets": ["private-a"]}
    queues = [
        {**queue, "name": f"q{i}", "policies": [POLICY.format(f"{i}-{j}") for j in range(5)]} for i in range(9)
    ]
    (finding,) = policy_findings("demo", cluster(queues=queues))
    assert finding.path == ("queues",)
    assert "policy ProviderPolicyIam" in finding.message and "policies of nodes (" in finding.message


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"head_node": {**HEAD, "policies": [POLICY.format(i) for i in range(7)]}}, ("head_node", "policies")),
        (
            {
                "login": [
                    {"name": "a", "subnet": "public-a"},
                    {"name": "b", "subnet": "public-a", "policies": [POLICY.format(i) for i in range(8)]},
                ]
            },
            ("login", 1, "policies"),
        ),
        (
            {
                "queues": [
                    {
                        "name": "cpu",
                        "instance_types": ["c8g.large"],
                        "subnets": ["private-a"],
                        "policies": [POLICY.format(i) for i in range(8)],
                    }
                ]
            },
            ("queues", 0, "policies"),
        ),
        (
            {
                "head_node": {**HEAD, "policies": [POLICY.format(i) for i in range(6)]},
                "parallelcluster": {
                    "raw": {"HeadNode": {"Iam": {"AdditionalIamPolicies": [{"Policy": POLICY.format(7)}]}}}
                },
            },
            ("head_node", "policies"),
        ),
    ],
    ids=["head", "login", "queue", "with a fragment's"],
)
def test_too_many_policies_on_a_role(changes: dict[str, Any], path: tuple[str | int, ...]) -> None:
    (finding,) = policy_findings("demo", cluster(**changes))
    assert (finding.rule, finding.path) == ("policy-attachments", path)
    assert str(ATTACHMENT_LIMIT) in finding.message
    assert "NodeDeny" in finding.message and "CloudWatchAgentServerPolicy" in finding.message
    assert "name at most" in finding.hint


def test_as_many_policies_as_fit_are_fine() -> None:
    """The head node of a small cluster has three of ours and the agent's."""
    assert (
        policy_findings("demo", cluster(head_node={**HEAD, "policies": [POLICY.format(i) for i in range(6)]}))
        == []
    )


@pytest.mark.parametrize(
    ("region", "partition"),
    [
        ("us-east-1", "aws"),
        ("ap-southeast-2", "aws"),
        ("cn-north-1", "aws-cn"),
        ("us-gov-east-1", "aws-us-gov"),
    ],
)
def test_a_region_tells_its_partition(region: str, partition: str) -> None:
    assert partition_of(region) == partition
