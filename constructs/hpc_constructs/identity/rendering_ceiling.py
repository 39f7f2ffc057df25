"""The ceiling: at most what the roles of the provider and of our functions may ever do.

It is wider than their policies where only the cluster's own names can be reached, and as strict where more could
be: roles, other stacks, other instances. With the ARN of an organisation's own boundary it is not made.
"""

from __future__ import annotations

from config.models.cluster import Cluster
from hpc_constructs.identity import rendering_fragment as fragment
from hpc_constructs.identity.rendering_documents import Statement, allow
from hpc_constructs.identity.rendering_iam import BOUNDED, given_function_roles, hands_off_managers, passed
from hpc_constructs.identity.rendering_provider_features import (
    configured_statements,
    creates_efs,
    creates_lustre,
    has_login,
)
from hpc_constructs.identity.rendering_scope import (
    IN_REGION,
    OWNED,
    Scope,
    bucket_arn,
    own_bucket,
)
from hpc_constructs.intrinsics import Value, arn, ref, sub
from hpc_constructs.rendering_bootstrap import ASSETS_BUCKET

_READ = (
    "autoscaling:Describe*",
    "cloudformation:Describe*",
    "cloudformation:GetTemplate",
    "cloudformation:ListStacks",
    "cloudwatch:DescribeAlarms",
    "cloudwatch:ListDashboards",
    "ec2:Describe*",
    "ec2:GetSecurityGroupsForVpc",
    "elasticfilesystem:Describe*",
    "elasticfilesystem:ListTagsForResource",
    "elasticloadbalancing:Describe*",
    "fsx:Describe*",
    "fsx:ListTagsForResource",
    "iam:Get*",
    "iam:List*",
    "logs:Describe*",
    "resource-groups:Get*",
    "resource-groups:List*",
    "tag:GetResources",
    "xray:Put*",
)

_CREATE = (
    "ec2:*LaunchTemplate*",
    "ec2:*NetworkInterface*",
    "ec2:*SecurityGroup*gress",
    "ec2:A*Address",
    "ec2:CreatePlacementGroup",
    "ec2:CreateSecurityGroup",
    "ec2:CreateSnapshot",
    "ec2:CreateVolume",
    "ec2:DisassociateAddress",
    "ec2:ModifyVolume*",
    "ec2:RunInstances",
)
"""Machines: what has no name of the cluster's while it is being made."""

_CREATE_LOGIN = (
    "autoscaling:Create*",
    "autoscaling:Put*",
    "elasticloadbalancing:Add*",
    "elasticloadbalancing:Create*",
    "elasticloadbalancing:Modify*",
    "elasticloadbalancing:Set*",
)
_CREATE_EFS = (
    "elasticfilesystem:Create*",
    "elasticfilesystem:Put*",
    "elasticfilesystem:TagResource",
    "elasticfilesystem:UpdateFileSystem",
)
_CREATE_FSX = ("fsx:Create*", "fsx:TagResource", "fsx:Update*")

_END = (
    "autoscaling:*",
    "cloudformation:*",
    "ec2:CreateTags",
    "ec2:Delete*",
    "ec2:ReleaseAddress",
    "ec2:TerminateInstances",
    "elasticfilesystem:*",
    "elasticloadbalancing:*",
    "fsx:*",
)
"""Only on what bears this very stack's id."""

_ZONES = ("Change*", "CreateHostedZone", "DeleteHostedZone", "Get*", "List*")


def ceiling_statements(spec: Cluster, scope: Scope) -> list[Statement]:
    """The ceiling's statements."""
    create = [
        *_CREATE,
        *(_CREATE_LOGIN if has_login(spec) else ()),
        *(_CREATE_EFS if creates_efs(spec) else ()),
        *(_CREATE_FSX if creates_lustre(spec) else ()),
    ]
    foreign = fragment.has(spec.parallelcluster.raw, "Scheduling.SlurmSettings.Dns.HostedZoneId")
    return [
        allow("Read", _READ, "*"),
        allow("Create", create, "*", IN_REGION),
        allow("TagNew", "ec2:CreateTags", "*", {"Null": {"ec2:CreateAction": "false"}}),
        allow("End", _END, "*", OWNED),
        allow("Stack", "cloudformation:CreateStack TagResource", scope.stacks),
        allow("Zones", [f"route53:{action}" for action in _ZONES], "*", scope.dns_names(own_zone=not foreign)),
        allow(
            "Named",
            ["cloudwatch:*", "dynamodb:*", "events:*", "lambda:*", "logs:*", "sns:Publish"],
            _named(spec, scope),
            IN_REGION,
        ),
        *_identity(spec, scope),
        *_files(scope),
        *_webhook(spec),
        *configured_statements(spec),
    ]


def _named(spec: Cluster, scope: Scope) -> list[Value]:
    name, topic = scope.name, spec.notifications.topic_arn
    texts = (
        f"cloudwatch:*:*:alarm:{name}-HeadNode*",
        f"cloudwatch::*:dashboard/{name}-*",
        f"dynamodb:*:*:table/parallelcluster-{name}",
        f"dynamodb:*:*:table/parallelcluster-slurm-{name}",
        "events:*:*:rule/Cluster????????",
        "lambda:*:*:function:pcluster-*",
        "logs:*:*:log-group:/aws/lambda/pcluster-*",
        f"logs:*:*:log-group:/aws/parallelcluster/{name}-20??????????*",
        f"logs:*:*:log-group:/clusterform/{name}/*",
    )
    named: list[Value] = [sub(f"arn:${{AWS::Partition}}:{text}") for text in texts]
    return [*named, topic or sub(f"arn:${{AWS::Partition}}:sns:*:*:clusterform-pc-{name}-Topic-*")]


def _webhook(spec: Cluster) -> list[Statement]:
    secret = spec.notifications.webhook_secret
    return [allow("Webhook", "secretsmanager:GetSecretValue", secret)] if secret else []


def _identity(spec: Cluster, scope: Scope) -> list[Statement]:
    services = passed([*scope.instance_service, "lambda.amazonaws.com"])
    bounded = ("iam:AttachRolePolicy", "iam:CreateRole", "iam:De*RolePolicy", "iam:PutRole*")
    linked = arn("iam", "role/aws-service-role/*", region=False)
    return [
        allow("Roles", bounded, scope.roles, BOUNDED),
        allow("Pass", "iam:PassRole", [scope.roles, *given_function_roles(spec)], services),
        allow(
            "Ends",
            ["iam:*InstanceProfile", "iam:DeleteRole", "iam:TagRole", "iam:UntagRole"],
            [scope.roles, scope.instance_profiles],
        ),
        allow("Linked", "iam:AttachRolePolicy CreateServiceLinkedRole PutRolePolicy", linked),
        hands_off_managers(scope),
    ]


def _files(scope: Scope) -> list[Statement]:
    release = bucket_arn("${AWS::Region}-aws-parallelcluster")
    sources = [release, bucket_arn("${AWS::Region}-aws-parallelcluster/*"), bucket_arn(f"{ASSETS_BUCKET}/*")]
    own = [own_bucket(bucket, and_objects=True) for bucket in (scope.engine_bucket, scope.staging_bucket)]
    actions = (
        "s3:AbortMultipartUpload",
        "s3:DeleteObject*",
        "s3:GetBucket*",
        "s3:GetObject*",
        "s3:ListBucket*",
        "s3:PutObject",
    )
    return [
        allow(
            "Buckets",
            actions,
            [bucket_arn("*-pclustercustomresourceb*"), *own],
            {"StringEquals": {"aws:ResourceAccount": ref("AWS::AccountId")}},
        ),
        allow("Sources", "s3:GetObject ListBucket", sources),
    ]
