"""The provider's role manages its own cluster and nothing else, with the ceiling above it."""

from __future__ import annotations

import re

import pytest

from tests.iam.provider_setting import EFS, LOGIN, LUSTRE, NAME, Setting
from tests.iam.published_provider import ACTIONS, LEFT_OUT
from tests.iam.resolver import PARTITIONS


@pytest.fixture(scope="module", params=list(PARTITIONS))
def setting(request: pytest.FixtureRequest) -> Setting:
    return Setting(request.param, login=LOGIN, storage=[LUSTRE, EFS])


@pytest.fixture(scope="module", params=["cluster", "account"])
def under(request: pytest.FixtureRequest, setting: Setting) -> Setting:
    """The same under the one ceiling or the other."""
    return Setting(setting.partition, request.param, login=LOGIN, storage=[LUSTRE, EFS])


def test_it_creates_changes_and_deletes_its_own_cluster(under: Setting) -> None:
    setting = under
    arn, own = setting.arn, setting.own
    stack = arn("cloudformation", f"stack/{NAME}/0000")
    nested = arn("cloudformation", f"stack/{NAME}-LoginNodesNestedStackLoginNodes-1A2B/0000")
    asked = {"request_tags": {"clusterform:owner": setting.owner, "parallelcluster:cluster-name": NAME}}
    role = arn("iam", f"role/clusterform/{NAME}/{NAME}/{NAME}-Role15b342af", region="")
    cleanup = arn("iam", f"role/clusterform/{NAME}/{NAME}-CleanupResourcesFunctionExecut-1A2B", region="")
    bounded = {"iam:PermissionsBoundary": setting.boundary}
    policy = {**bounded, "iam:PolicyARN": setting.resolver.arn("ComputeBase")}
    agent = {**bounded, "iam:PolicyARN": f"arn:{setting.partition}:iam::aws:policy/CloudWatchAgentServerPolicy"}
    bucket = setting.resolver.arn("EngineBucket")
    provider_bucket = f"arn:{setting.partition}:s3:::clusterform-pc-demo-provi-pclustercustomresourcebucke-1a2b"
    rows = [
        ("cloudformation:CreateStack", stack, asked),
        ("cloudformation:CreateStack", nested, asked),
        ("cloudformation:UpdateStack", stack, own),
        ("cloudformation:DeleteStack", stack, own),
        ("cloudformation:DeleteStack", nested, own),
        ("cloudformation:DescribeStacks", stack, {}),
        ("cloudformation:DescribeStacks", setting.owner, {}),
        ("cloudformation:GetTemplate", stack, {}),
        ("ec2:RunInstances", arn("ec2", "instance/*"), {}),
        ("ec2:CreateTags", arn("ec2", "instance/i-0"), {"keys": {"ec2:CreateAction": "RunInstances"}}),
        ("ec2:CreateTags", arn("ec2", "instance/i-0"), own),
        ("ec2:TerminateInstances", arn("ec2", "instance/i-0"), own),
        ("ec2:DeleteSecurityGroup", arn("ec2", "security-group/sg-0"), own),
        ("ec2:AuthorizeSecurityGroupIngress", arn("ec2", "security-group/sg-0"), own),
        # CloudFormation cannot tag a launch template; EFS makes interfaces of its own.
        ("ec2:DeleteLaunchTemplate", arn("ec2", "launch-template/lt-0"), {}),
        ("ec2:CreateLaunchTemplateVersion", arn("ec2", "launch-template/lt-0"), {}),
        ("ec2:DeleteNetworkInterface", arn("ec2", "network-interface/eni-0"), {}),
        ("ec2:CreateSnapshot", arn("ec2", "snapshot/*"), {}),
        ("iam:CreateRole", role, {"keys": bounded}),
        ("iam:CreateRole", cleanup, {"keys": bounded}),
        ("iam:PutRolePolicy", role, {"keys": bounded}),
        ("iam:AttachRolePolicy", role, {"keys": policy}),
        ("iam:AttachRolePolicy", role, {"keys": agent}),
        # An update detaches policies that the configuration no longer has.
        (
            "iam:DetachRolePolicy",
            role,
            {"keys": {**bounded, "iam:PolicyARN": arn("iam", "policy/gone", region="")}},
        ),
        ("iam:DeleteRole", role, {}),
        ("iam:PassRole", role, {"keys": {"iam:PassedToService": "ec2.amazonaws.com"}}),
        # As instance profiles do it, without telling the service.
        ("iam:PassRole", role, {}),
        ("iam:PassRole", cleanup, {"keys": {"iam:PassedToService": "lambda.amazonaws.com"}}),
        ("iam:CreateInstanceProfile", arn("iam", f"instance-profile/clusterform/{NAME}/{NAME}/x", region=""), {}),
        ("dynamodb:CreateTable", arn("dynamodb", f"table/parallelcluster-slurm-{NAME}"), {}),
        ("lambda:CreateFunction", arn("lambda", "function:pcluster-CleanupRoute53-0000"), {}),
        ("lambda:AddPermission", arn("lambda", "function:pcluster-cfn-0000"), {}),
        ("events:PutRule", arn("events", "rule/ClusterAB12CD34"), {}),
        ("logs:CreateLogGroup", arn("logs", f"log-group:/aws/parallelcluster/{NAME}-202601010000"), {}),
        ("cloudwatch:PutMetricAlarm", arn("cloudwatch", f"alarm:{NAME}-HeadNode-Cpu"), {}),
        ("cloudwatch:PutDashboard", arn("cloudwatch", f"dashboard/{NAME}-{setting.region}", region=""), {}),
        ("s3:PutObject", f"{bucket}/parallelcluster/x", {}),
        ("s3:ListBucket", bucket, {}),
        ("s3:PutObject", f"{provider_bucket}/{NAME}/event.json", {}),
        ("s3:GetObject", f"{setting.resolver.arn('StagingBucket')}/entry.sh", {}),
        ("elasticfilesystem:CreateFileSystem", "*", {}),
        ("elasticfilesystem:DeleteFileSystem", arn("elasticfilesystem", "file-system/fs-0"), own),
        ("fsx:CreateFileSystem", arn("fsx", "file-system/*"), {}),
        ("fsx:DeleteFileSystem", arn("fsx", "file-system/fs-0"), own),
        ("s3:GetObject", f"arn:{setting.partition}:s3:::data/import/x", {}),
        ("autoscaling:CreateAutoScalingGroup", arn("autoscaling", "autoScalingGroup:*"), {}),
        ("autoscaling:UpdateAutoScalingGroup", arn("autoscaling", "autoScalingGroup:x"), own),
        ("elasticloadbalancing:CreateLoadBalancer", arn("elasticloadbalancing", "loadbalancer/net/x/0"), {}),
    ]
    assert setting.refused(rows) == []


def test_neither_it_nor_the_ceiling_reaches_another_cluster(setting: Setting) -> None:
    arn = setting.arn
    taken = {"resource_tags": {"parallelcluster:cluster-name": NAME}}
    earlier = {"resource_tags": {"clusterform:owner": setting.owner.replace("51af3dc0", "00000000")}}
    foreign = {"resource_tags": {"parallelcluster:cluster-name": "other", "clusterform:owner": "other"}}
    role = arn("iam", f"role/clusterform/{NAME}/{NAME}/x", region="")
    manager = arn("iam", f"role/clusterform/{NAME}/clusterform-pc-{NAME}-StagingRole-X", region="")
    bounded = {"iam:PermissionsBoundary": setting.boundary}
    unbounded = {"iam:PermissionsBoundary": arn("iam", "policy/Admin", region="")}
    admin = {**bounded, "iam:PolicyARN": f"arn:{setting.partition}:iam::aws:policy/AdministratorAccess"}
    instance = arn("ec2", "instance/i-0")
    rows = [
        # The name alone does not make a cluster ours: the custom resource deletes by name.
        ("cloudformation:DeleteStack", arn("cloudformation", f"stack/{NAME}/0000"), {}),
        ("cloudformation:DeleteStack", arn("cloudformation", f"stack/{NAME}/0000"), taken),
        ("cloudformation:DeleteStack", arn("cloudformation", f"stack/{NAME}/0000"), earlier),
        ("cloudformation:UpdateStack", arn("cloudformation", f"stack/{NAME}/0000"), taken),
        ("cloudformation:DeleteStack", arn("cloudformation", "stack/other/0000"), foreign),
        ("cloudformation:CreateStack", arn("cloudformation", "stack/other/0000"), {}),
        ("cloudformation:CreateStack", arn("cloudformation", f"stack/{NAME}-2/0000"), {}),
        ("ec2:TerminateInstances", instance, {}),
        ("ec2:TerminateInstances", instance, taken),
        ("ec2:TerminateInstances", instance, earlier),
        ("ec2:CreateTags", instance, {}),
        ("ec2:CreateTags", instance, foreign),
        ("ec2:DeleteVolume", arn("ec2", "volume/vol-0"), foreign),
        ("ec2:DeleteVpc", arn("ec2", "vpc/vpc-0"), {}),
        ("ec2:RunInstances", instance, {"region": "eu-west-3"}),
        ("iam:CreateRole", role, {}),
        ("iam:CreateRole", role, {"keys": unbounded}),
        ("iam:CreateRole", arn("iam", "role/x", region=""), {"keys": bounded}),
        ("iam:CreateRole", arn("iam", f"role/clusterform/{NAME}-2/x", region=""), {"keys": bounded}),
        ("iam:PutRolePolicy", role, {"keys": unbounded}),
        ("iam:PutRolePolicy", manager, {"keys": bounded}),
        ("iam:DeleteRole", manager, {}),
        ("iam:PassRole", manager, {"keys": {"iam:PassedToService": "lambda.amazonaws.com"}}),
        ("iam:PassRole", role, {"keys": {"iam:PassedToService": "glue.amazonaws.com"}}),
        (
            "iam:PassRole",
            arn("iam", "role/Admin", region=""),
            {"keys": {"iam:PassedToService": "lambda.amazonaws.com"}},
        ),
        ("iam:PutRolePermissionsBoundary", role, {"keys": unbounded}),
        ("iam:DeleteRolePermissionsBoundary", role, {"keys": bounded}),
        ("iam:UpdateAssumeRolePolicy", role, {"keys": bounded}),
        ("iam:CreatePolicyVersion", setting.boundary, {}),
        ("iam:CreateUser", arn("iam", "user/x", region=""), {}),
        ("sts:AssumeRole", arn("iam", "role/Admin", region=""), {}),
        ("dynamodb:DeleteTable", arn("dynamodb", "table/parallelcluster-other"), {}),
        ("lambda:UpdateFunctionCode", arn("lambda", f"function:clusterform-pc-{NAME}-StagingFunction-X"), {}),
        ("logs:DeleteLogGroup", arn("logs", f"log-group:/aws/parallelcluster/{NAME}-2-202601010000"), {}),
        ("secretsmanager:GetSecretValue", arn("secretsmanager", f"secret:/clusterform/{NAME}/database-x"), {}),
        ("ssm:GetParameter", arn("ssm", "parameter/ec2/keypair/key-0123456789abcdef0"), {}),
        ("s3:GetObject", f"arn:{setting.partition}:s3:::somebody-elses/x", {}),
        ("fsx:DeleteFileSystem", arn("fsx", "file-system/fs-0"), {}),
        ("elasticfilesystem:DeleteFileSystem", arn("elasticfilesystem", "file-system/fs-0"), taken),
        ("elasticloadbalancing:DeleteLoadBalancer", arn("elasticloadbalancing", "loadbalancer/net/x/0"), {}),
    ]
    assert setting.let_pass(rows) == []
    assert not setting.alone.may("iam:AttachRolePolicy", role, keys=admin)
    assert not setting.alone.may("s3:PutObject", f"{setting.resolver.arn('StagingBucket')}/entry.sh")
    stack = arn("cloudformation", f"stack/{NAME}/0000")
    assert not setting.alone.may("cloudformation:CreateStack", stack), "a stack without the owner's tag"


def test_every_action_that_parallelcluster_publishes_for_the_purpose_is_there() -> None:
    setting = Setting(login=LOGIN, storage=[LUSTRE, EFS])
    patterns = [
        action
        for document in setting.role.documents
        for statement in document["Statement"]
        if statement["Effect"] == "Allow"
        for action in statement["Action"]
    ]
    missing = [
        action for action in ACTIONS if not any(re.fullmatch(p.replace("*", ".*"), action) for p in patterns)
    ]
    assert missing == []
    assert not any(re.fullmatch(p.replace("*", ".*"), action) for p in patterns for action in LEFT_OUT)
