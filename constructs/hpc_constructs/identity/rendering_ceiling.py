"""The ceiling: at most what the roles of the provider and of our functions may ever do.

It is wider than their policies where only the cluster's own names can be reached, and as strict where more could
be: roles, other stacks, other instances. With the ARN of an organisation's own boundary it is not made. With the
account's ceiling the same statements stand in the account's stack, for all clusters at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from config.models.cluster import Cluster
from hpc_constructs.identity import rendering_fragment as fragment
from hpc_constructs.identity.rendering_documents import Statement, allow
from hpc_constructs.identity.rendering_iam import given_function_roles, hands_off_managers, passed
from hpc_constructs.identity.rendering_provider_features import (
    configured_statements,
    creates_efs,
    creates_lustre,
    has_login,
)
from hpc_constructs.identity.rendering_scope import IN_REGION, Scope, bucket_arn
from hpc_constructs.intrinsics import Value, arn, ref, sub
from hpc_constructs.rendering_bootstrap import ASSETS_BUCKET

_READ = (
    "autoscaling:Describe*",
    "cloudformation:Describe*",
    "cloudformation:Get*",
    "cloudformation:List*",
    "cloudwatch:Describe*",
    "cloudwatch:List*",
    "ec2:Describe*",
    "ec2:GetSecurityGroupsForVpc",
    "elasticfilesystem:Describe*",
    "elasticfilesystem:List*",
    "elasticloadbalancing:Describe*",
    "fsx:Describe*",
    "fsx:List*",
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
    "ec2:Dis*Address",
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


@dataclass(frozen=True, kw_only=True)
class Uses:
    """What clusters under a ceiling use beyond their own names. ``configured`` are statements of their own."""

    login: bool = True
    efs: bool = True
    lustre: bool = True
    own_zone: bool = True
    topics: Sequence[Value] = ()
    secrets: Sequence[Value] = ()
    function_roles: Sequence[Value] = ()
    configured: Sequence[Statement] = ()


def ceiling_statements(spec: Cluster, scope: Scope) -> list[Statement]:
    """The ceiling of one cluster, by what its configuration uses."""
    told = spec.notifications
    topic = told.topic_arn or sub(f"arn:${{AWS::Partition}}:sns:*:*:clusterform-pc-{scope.name}-Topic-*")
    uses = Uses(
        login=has_login(spec),
        efs=creates_efs(spec),
        lustre=creates_lustre(spec),
        own_zone=not fragment.has(spec.parallelcluster.raw, "Scheduling.SlurmSettings.Dns.HostedZoneId"),
        topics=[topic],
        secrets=[told.webhook_secret] if told.webhook_secret else [],
        function_roles=given_function_roles(spec),
        configured=configured_statements(spec),
    )
    return statements(uses, scope)


def statements(uses: Uses, scope: Scope) -> list[Statement]:
    """A ceiling's statements."""
    create = [
        *_CREATE,
        *(_CREATE_LOGIN if uses.login else ()),
        *(_CREATE_EFS if uses.efs else ()),
        *(_CREATE_FSX if uses.lustre else ()),
    ]
    stack = ["cloudformation:CreateStack", "cloudformation:TagResource"]
    named = [*stack, "cloudwatch:*", "dynamodb:*", "events:*", "lambda:*", "logs:*", "sns:Publish"]
    return [
        allow("Read", _READ, "*"),
        allow("Create", create, "*", IN_REGION),
        allow("TagNew", "ec2:CreateTags", "*", {"Null": {"ec2:CreateAction": "false"}}),
        allow("End", _END, "*", scope.owned),
        allow("Zones", [f"route53:{action}" for action in _ZONES], "*", scope.dns_names(own_zone=uses.own_zone)),
        allow("Named", named, [*_named(scope), *uses.topics], IN_REGION),
        *_identity(uses, scope),
        *_files(scope),
        *([allow("Webhook", "secretsmanager:GetSecretValue", uses.secrets)] if uses.secrets else []),
        *uses.configured,
    ]


def _named(scope: Scope) -> list[Value]:
    name = scope.name
    texts = (
        *(f"cloudformation:*:*:stack/{stack}" for stack in scope.stack_names),
        f"cloudwatch:*:*:alarm:{name}-HeadNode*",
        f"cloudwatch::*:dashboard/{name}-${{AWS::Region}}",
        f"dynamodb:*:*:table/parallelcluster-{name}",
        f"dynamodb:*:*:table/parallelcluster-slurm-{name}",
        "events:*:*:rule/Cluster????????",
        "lambda:*:*:function:pcluster-*",
        "logs:*:*:log-group:/aws/lambda/pcluster-*",
        f"logs:*:*:log-group:/aws/parallelcluster/{name}-20??????????*",
        f"logs:*:*:log-group:/clusterform/{name}/*",
    )
    return [sub(f"arn:${{AWS::Partition}}:{text}") for text in texts]


def _identity(uses: Uses, scope: Scope) -> list[Statement]:
    services = passed([*scope.instance_service, "lambda.amazonaws.com"])
    bounded = ("iam:AttachRolePolicy", "iam:CreateRole", "iam:De*RolePolicy", "iam:PutRole*")
    linked = arn("iam", "role/aws-service-role/*", region=False)
    return [
        allow("Roles", bounded, scope.roles, scope.bounded),
        allow("Pass", "iam:PassRole", [scope.roles, *uses.function_roles], services),
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
            [bucket_arn("*-pclustercustomresourceb*"), *scope.own_files],
            {"StringEquals": {"aws:ResourceAccount": ref("AWS::AccountId")}},
        ),
        allow("Sources", "s3:GetObject ListBucket", sources),
    ]
