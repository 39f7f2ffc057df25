"""The account's ceiling: over every cluster, and at least as strict where no cluster's name is concerned."""

from __future__ import annotations

from typing import Any

import pytest

from tests import accounts
from tests.assembly import synthesize
from tests.factories import cluster
from tests.iam.evaluation import Principal
from tests.iam.provider_setting import EVERYTHING, LOGIN, LUSTRE, NAME, Setting
from tests.iam.resolver import ACCOUNT, PARTITIONS, Resolver

SECRET = "arn:{}:secretsmanager:{}:{}:secret:directory-AbCdEf"


@pytest.fixture(scope="module", params=list(PARTITIONS))
def setting(request: pytest.FixtureRequest) -> Setting:
    return Setting(request.param, login=LOGIN, storage=[LUSTRE])


def ceiling(setting: Setting, **reach: Any) -> Principal:
    document = accounts.resolved(setting.partition, ceiling=reach).document("Ceiling")
    return Principal([EVERYTHING], document, setting.region)


def test_it_is_known_by_an_arn_that_clusters_can_tell(setting: Setting) -> None:
    arn = accounts.resolved(setting.partition).arn("Ceiling")
    told = f"policy/clusterform/account/clusterform-ceiling-{setting.region}"
    assert arn == setting.arn("iam", told, region="")
    under = synthesize({"demo": cluster(identity={"ceiling": "account"}, region=setting.region)})
    roles = [each for each in under.resources().values() if each["Type"] == "AWS::IAM::Role"]
    assert len(roles) == 3
    assert {setting.resolver.value(role["Properties"]["PermissionsBoundary"]) for role in roles} == {arn}
    assert "Ceiling" not in under.resources()


def test_it_keeps_away_from_everything_that_is_no_clusters(setting: Setting) -> None:
    arn, limit = setting.arn, ceiling(setting)
    role = arn("iam", f"role/clusterform/{NAME}/{NAME}/x", region="")
    manager = arn("iam", "role/clusterform/other/clusterform-pc-other-StagingRole-X", region="")
    bounded = {"iam:PermissionsBoundary": setting.boundary}
    itself = accounts.resolved(setting.partition).arn("Ceiling")
    foreign = {"resource_tags": {"clusterform:owner": "somebody", "parallelcluster:cluster-name": NAME}}
    rows: list[tuple[str, str, dict[str, Any]]] = [
        ("cloudformation:DeleteStack", arn("cloudformation", "stack/payroll/0000"), {}),
        ("cloudformation:DeleteStack", arn("cloudformation", "stack/clusterform-account/0000"), {}),
        ("cloudformation:UpdateStack", arn("cloudformation", f"stack/{NAME}/0000"), foreign),
        ("ec2:TerminateInstances", arn("ec2", "instance/i-0"), {}),
        ("ec2:TerminateInstances", arn("ec2", "instance/i-0"), foreign),
        ("ec2:DeleteVpc", arn("ec2", "vpc/vpc-0"), {}),
        ("ec2:RunInstances", arn("ec2", "instance/*"), {"region": "eu-west-3"}),
        ("iam:CreateRole", role, {}),
        ("iam:CreateRole", role, {"keys": {"iam:PermissionsBoundary": arn("iam", "policy/Admin", region="")}}),
        ("iam:CreateRole", role, {"keys": {"iam:PermissionsBoundary": itself}}),
        ("iam:CreateRole", arn("iam", "role/x", region=""), {"keys": bounded}),
        ("iam:PutRolePolicy", manager, {"keys": bounded}),
        ("iam:PassRole", manager, {"keys": {"iam:PassedToService": "lambda.amazonaws.com"}}),
        ("iam:PassRole", role, {"keys": {"iam:PassedToService": "glue.amazonaws.com"}}),
        ("iam:DeleteRolePermissionsBoundary", role, {"keys": bounded}),
        ("iam:CreatePolicyVersion", itself, {}),
        ("iam:DeletePolicy", itself, {}),
        ("iam:CreateUser", arn("iam", "user/x", region=""), {}),
        ("sts:AssumeRole", arn("iam", "role/Admin", region=""), {}),
        ("dynamodb:DeleteTable", arn("dynamodb", "table/payroll"), {}),
        ("lambda:UpdateFunctionCode", arn("lambda", "function:clusterform-pc-other-StagingFunction-X"), {}),
        ("logs:DeleteLogGroup", arn("logs", "log-group:/payroll"), {}),
        ("secretsmanager:GetSecretValue", arn("secretsmanager", f"secret:/clusterform/{NAME}/database-x"), {}),
        ("ssm:GetParameter", arn("ssm", "parameter/ec2/keypair/key-0123456789abcdef0"), {}),
        ("s3:GetObject", f"arn:{setting.partition}:s3:::somebody-elses/x", {}),
        ("s3:DeleteObject", f"arn:{setting.partition}:s3:::clusterform-results-{ACCOUNT}-{setting.region}/x", {}),
        ("sns:Publish", arn("sns", "payroll"), {}),
        ("fsx:DeleteFileSystem", arn("fsx", "file-system/fs-0"), {}),
    ]
    assert [row for row in rows if limit.may(row[0], row[1], **row[2])] == []


def test_what_a_cluster_does_with_its_own_passes_it(setting: Setting) -> None:
    arn, own = setting.arn, setting.own
    role = arn("iam", f"role/clusterform/{NAME}/{NAME}/{NAME}-Role15b342af", region="")
    bounded = {"keys": {"iam:PermissionsBoundary": setting.boundary}}
    provider_bucket = f"arn:{setting.partition}:s3:::clusterform-pc-demo-provi-pclustercustomresourcebucke-1a2b"
    rows: list[tuple[str, str, dict[str, Any]]] = [
        ("cloudformation:CreateStack", arn("cloudformation", f"stack/{NAME}/0000"), own),
        ("cloudformation:DeleteStack", arn("cloudformation", f"stack/{NAME}/0000"), own),
        ("ec2:RunInstances", arn("ec2", "instance/*"), {}),
        ("ec2:TerminateInstances", arn("ec2", "instance/i-0"), own),
        ("iam:CreateRole", role, bounded),
        ("iam:AttachRolePolicy", role, bounded),
        ("iam:PassRole", role, {"keys": {"iam:PassedToService": "ec2.amazonaws.com"}}),
        ("dynamodb:CreateTable", arn("dynamodb", f"table/parallelcluster-slurm-{NAME}"), {}),
        ("lambda:CreateFunction", arn("lambda", "function:pcluster-CleanupRoute53-0000"), {}),
        ("events:PutRule", arn("events", "rule/ClusterAB12CD34"), {}),
        ("logs:CreateLogGroup", arn("logs", f"log-group:/aws/parallelcluster/{NAME}-202601010000"), {}),
        ("logs:PutLogEvents", arn("logs", f"log-group:/clusterform/{NAME}/lifecycle:log-stream:x"), {}),
        ("cloudwatch:PutMetricAlarm", arn("cloudwatch", f"alarm:{NAME}-HeadNode-Cpu"), {}),
        ("s3:PutObject", f"{provider_bucket}/{NAME}/event.json", {"keys": {"aws:ResourceAccount": ACCOUNT}}),
        (
            "s3:DeleteObjectVersion",
            f"arn:{setting.partition}:s3:::clusterform-pc-demo-stagingbucket-1a2b3c/entry.sh",
            {"keys": {"aws:ResourceAccount": ACCOUNT}},
        ),
        ("sns:Publish", arn("sns", f"clusterform-pc-{NAME}-Topic-1A2B"), {}),
        ("elasticfilesystem:CreateFileSystem", "*", {}),
        ("fsx:DeleteFileSystem", arn("fsx", "file-system/fs-0"), own),
        ("autoscaling:UpdateAutoScalingGroup", arn("autoscaling", "autoScalingGroup:x"), own),
        (
            "iam:GetRole",
            arn("iam", "role/aws-service-role/spot.amazonaws.com/AWSServiceRoleForEC2Spot", region=""),
            {},
        ),
    ]
    limit = ceiling(setting)
    assert [row for row in rows if not limit.may(row[0], row[1], **row[2])] == []


def test_what_the_file_lists_is_within_reach_and_its_neighbour_is_not(setting: Setting) -> None:
    where = (setting.partition, setting.region, ACCOUNT)
    secret, topic, key = SECRET.format(*where), setting.arn("sns", "hpc"), setting.arn("kms", "key/1234abcd")
    limit = ceiling(setting, secrets=[secret], topics=[topic], kms_keys=[key], buckets=["reference"])
    bucket = f"arn:{setting.partition}:s3:::reference"
    rows = [
        ("secretsmanager:GetSecretValue", secret),
        ("secretsmanager:DescribeSecret", secret),
        ("sns:Publish", topic),
        ("kms:CreateGrant", key),
        ("s3:ListBucket", bucket),
        ("s3:GetObject", f"{bucket}/x"),
    ]
    assert [row for row in rows if not limit.may(*row)] == []
    assert [row for row in rows if ceiling(setting).may(*row)] == []
    assert not limit.may("s3:GetObject", f"{bucket}-2/x")
    assert not limit.may("s3:DeleteObject", f"{bucket}/x")
    assert not limit.may("sns:Publish", f"{topic}-2")


def test_our_functions_do_all_that_they_may_under_it(setting: Setting) -> None:
    where = (setting.partition, setting.region, ACCOUNT)
    topic, webhook = setting.arn("sns", "hpc"), SECRET.format(*where)
    told = {"notifications": {"topic_arn": topic, "webhook_secret": webhook}}
    spec = cluster(region=setting.region, identity={"ceiling": "account"}, **told)
    template = synthesize({NAME: spec}).template(NAME)
    resolver = Resolver(template, setting.partition, setting.region, f"clusterform-pc-{NAME}")
    limit = ceiling(setting, topics=[topic], secrets=[webhook])
    ours = {"keys": {"aws:ResourceAccount": ACCOUNT}}
    refused = [
        (action, resource)
        for logical_id in ("StagingPolicy", "LifecyclePolicy")
        for statement in resolver.document(logical_id)["Statement"]
        for action in statement["Action"]
        for resource in (
            statement["Resource"] if isinstance(statement["Resource"], list) else [statement["Resource"]]
        )
        if not limit.may(action, resource.replace("*", "x"), **ours)
    ]
    assert refused == []
