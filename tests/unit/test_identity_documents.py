"""The linter that tests/privilege runs over every document finds faults; policies' names fit."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import cluster
from tests.iam import examples
from tests.iam.lint import problems
from tests.iam.templates import LONGEST_NAME, resolved


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"Action": ["s3:GetObjects"]}, "no action s3:GetObjects"),
        ({"Action": ["nothing:Get*"]}, "no action nothing:Get*"),
        ({"Action": ["ec2:DescribeInstances"]}, "ec2:DescribeInstances has no resource level"),
        (
            {"Condition": {"StringEquals": {"iam:PermissionsBoundary": "x"}}},
            "does not know iam:PermissionsBoundary",
        ),
        ({"Resource": ["arn:aws:sqs:us-east-1:123456789012:x"]}, "no action knows things like arn:aws:sqs"),
        ({"Action": ["s3:ListBucket"]}, "s3:ListBucket knows none of the resources"),
        ({"Condition": {"ForAllValues:StringLike": {"s3:nothing": "x"}}}, "no action knows s3:nothing"),
    ],
)
def test_the_linter_finds_a_fault(change: dict[str, Any], expected: str) -> None:
    sound = {"Sid": "A", "Effect": "Allow", "Action": ["s3:GetObject"], "Resource": ["arn:aws:s3:::b/*"]}
    assert problems({"Statement": [sound]}) == []
    assert any(expected in problem for problem in problems({"Statement": [{**sound, **change}]}))


def test_sids_of_buckets_that_a_fragment_reads_and_writes_are_unique() -> None:
    # IAM refuses a policy in which one occurs twice.
    given = {"S3Access": [{"BucketName": "read"}, {"BucketName": "written", "EnableWriteAccess": True}]}
    spec = cluster(parallelcluster={"raw": {"HeadNode": {"Iam": given}}})
    sids = [statement["Sid"] for statement in resolved("demo", spec).document("Boundary")["Statement"]]
    assert len(set(sids)) == len(sids)


def test_names_fit_and_tell_cluster_and_region() -> None:
    """IAM is global, and two Regions may hold clusters of one name; a policy's name has 128 characters."""
    resolver = resolved(LONGEST_NAME, examples.much("aws"))
    names = set()
    for resource in resolver.template["Resources"].values():
        if resource["Type"] == "AWS::IAM::ManagedPolicy":
            properties = resource["Properties"]
            name = resolver.value(properties["ManagedPolicyName"])
            assert name.startswith(f"clusterform-{LONGEST_NAME}-") and name.endswith("-ap-southeast-2")
            assert len(name) <= 128
            assert properties["Path"] == f"/clusterform/{LONGEST_NAME}/"
            assert "Description" not in properties, "a changed one would replace a policy of a fixed name"
            names.add(name)
    assert len(names) == 11
