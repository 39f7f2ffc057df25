"""The provider's role and the ceiling follow the configuration; our own functions fit under the ceiling."""

from __future__ import annotations

from typing import Any

import pytest

from hpc_constructs.parallelcluster.rendering_lifecycle import lifecycle_statements
from hpc_constructs.staging.rendering import staging_statements
from tests.iam.provider_setting import EFS, NAME, Setting
from tests.iam.resolver import ACCOUNT, Resolver


def test_what_the_configuration_does_not_have_is_not_created() -> None:
    plain = Setting()
    created = [
        ("elasticfilesystem:CreateFileSystem", "*", {}),
        ("fsx:CreateFileSystem", plain.arn("fsx", "file-system/*"), {}),
        ("autoscaling:CreateAutoScalingGroup", plain.arn("autoscaling", "autoScalingGroup:*"), {}),
        ("elasticloadbalancing:CreateLoadBalancer", plain.arn("elasticloadbalancing", "loadbalancer/net/x/0"), {}),
    ]
    assert plain.let_pass(created) == []


def test_what_the_configuration_had_is_still_taken_away() -> None:
    """An update changes the role before ParallelCluster removes the pool or filesystem that went."""
    plain = Setting()
    removed = [
        ("elasticfilesystem:DeleteFileSystem", plain.arn("elasticfilesystem", "file-system/fs-0"), plain.own),
        ("elasticfilesystem:DeleteMountTarget", plain.arn("elasticfilesystem", "file-system/fs-0"), plain.own),
        ("fsx:DeleteFileSystem", plain.arn("fsx", "file-system/fs-0"), plain.own),
        ("autoscaling:DeleteAutoScalingGroup", plain.arn("autoscaling", "autoScalingGroup:x"), plain.own),
        (
            "elasticloadbalancing:DeleteTargetGroup",
            plain.arn("elasticloadbalancing", "targetgroup/x/0"),
            plain.own,
        ),
    ]
    assert plain.refused(removed) == []


KEY = "arn:aws:kms:ap-southeast-2:123456789012:key/01234567-89ab-cdef-0123-456789abcdef"
SECRET = "arn:aws:secretsmanager:ap-southeast-2:123456789012:secret:x-AbCdEf"
POLICY = "arn:aws:iam::123456789012:policy/site"


@pytest.mark.parametrize(
    ("changes", "action", "resource", "keys"),
    [
        ({"storage": [{**EFS, "kms_key": KEY}]}, "kms:CreateGrant", KEY, {}),
        ({"access": {"kms_keys": [KEY]}}, "kms:Decrypt", KEY, {}),
        (
            {"parallelcluster": {"raw": {"Scheduling": {"SlurmSettings": {"MungeKeySecretArn": SECRET}}}}},
            "secretsmanager:GetSecretValue",
            SECRET,
            {},
        ),
        (
            {"parallelcluster": {"raw": {"DirectoryService": {"PasswordSecretArn": SECRET}}}},
            "secretsmanager:DescribeSecret",
            SECRET,
            {},
        ),
        (
            {
                "parallelcluster": {
                    "raw": {"HeadNode": {"CustomActions": {"OnNodeStart": {"Script": "s3://site/a.sh"}}}}
                }
            },
            "s3:GetObject",
            "arn:aws:s3:::site/a.sh",
            {},
        ),
        (
            {
                "parallelcluster": {
                    "raw": {"Iam": {"Roles": {"LambdaFunctionsRole": f"arn:aws:iam::{ACCOUNT}:role/mine"}}}
                }
            },
            "iam:PassRole",
            f"arn:aws:iam::{ACCOUNT}:role/mine",
            {"iam:PassedToService": "lambda.amazonaws.com"},
        ),
        (
            {"parallelcluster": {"raw": {"SharedStorage": [{"Name": "e", "StorageType": "Efs"}]}}},
            "elasticfilesystem:CreateFileSystem",
            "*",
            {},
        ),
        (
            {"parallelcluster": {"raw": {"LoginNodes": {"Pools": [{"Name": "login"}]}}}},
            "autoscaling:CreateAutoScalingGroup",
            f"arn:aws:autoscaling:ap-southeast-2:{ACCOUNT}:autoScalingGroup:*",
            {},
        ),
    ],
)
def test_what_the_configuration_names_is_reached_and_nothing_without_it(
    changes: dict[str, Any], action: str, resource: str, keys: dict[str, str]
) -> None:
    assert Setting(**changes).role.may(action, resource, keys=keys)
    plain = Setting()
    assert not plain.alone.may(action, resource, keys=keys)
    assert not plain.ceiling.may(action, resource, keys=keys)


@pytest.mark.parametrize(
    "changes",
    [
        {"head_node": {"instance_type": "c8g.xlarge", "subnet": "public-a", "policies": [POLICY]}},
        {"login": [{"name": "login", "subnet": "public-a", "policies": [POLICY]}]},
        {
            "queues": [
                {"name": "cpu", "instance_types": ["c8g.large"], "subnets": ["private-a"], "policies": [POLICY]}
            ]
        },
        {"parallelcluster": {"raw": {"HeadNode": {"Iam": {"AdditionalIamPolicies": [{"Policy": POLICY}]}}}}},
    ],
    ids=["head", "login", "queue", "raw"],
)
def test_policies_of_the_users_may_be_attached(changes: dict[str, Any]) -> None:
    for expected, chosen in ((True, Setting(**changes)), (False, Setting())):
        role = chosen.arn("iam", f"role/clusterform/{NAME}/{NAME}/x", region="")
        keys = {"iam:PermissionsBoundary": chosen.boundary, "iam:PolicyARN": POLICY}
        assert chosen.role.may("iam:AttachRolePolicy", role, keys=keys) is expected


@pytest.mark.parametrize("told", ["ours", "theirs"])
def test_our_own_functions_fit_under_the_ceiling(told: str) -> None:
    topic, webhook = Setting().arn("sns", "hpc"), Setting().arn("secretsmanager", "secret:webhook-AbCdEf")
    setting = (
        Setting(notifications={"topic_arn": topic, "webhook_secret": webhook}) if told == "theirs" else Setting()
    )
    source = f"cdk-clform-assets-{ACCOUNT}-{setting.region}"
    if told == "ours":
        topic, webhook = setting.arn("sns", f"clusterform-pc-{NAME}-Topic-1A2B3C4D5E6F"), None
    logs = setting.arn("logs", f"log-group:/clusterform/{NAME}/staging:log-stream:x")
    statements = [
        *staging_statements("StagingBucket", "EngineBucket", source),
        *lifecycle_statements(NAME, topic, webhook),
        {"Action": ["logs:CreateLogStream", "logs:PutLogEvents"], "Resource": logs},
    ]
    requests = [
        (action, resource.replace("*", "x"))
        for statement in _plain(setting.resolver, statements)
        for action in statement["Action"]
        for resource in _listed(statement["Resource"])
    ]
    assert len(requests) >= 12
    assert [request for request in requests if not setting.ceiling.may(*request)] == []


def _plain(resolver: Resolver, statements: list[dict[str, Any]]) -> list[dict[str, Any]]:
    text = [{**statement, "Resource": _without_values(statement["Resource"])} for statement in statements]
    return resolver.value(text)


def _without_values(resource: Any) -> Any:
    """The staging function's source bucket is given to Fn::Sub as a value; put it into the text."""
    if isinstance(resource, dict) and isinstance(resource.get("Fn::Sub"), list):
        text, values = resource["Fn::Sub"]
        for name, value in values.items():
            text = text.replace(f"${{{name}}}", value)
        return {"Fn::Sub": text}
    return resource


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
