"""The role under which ParallelCluster's provider function creates, changes and deletes the cluster.

ParallelCluster creates the cluster's stack without a role of its own, so that this role needs everything in it.
Its actions are those of the policies that ParallelCluster publishes for the purpose, scoped to one cluster by
name, path and tag; docs/permissions.md tells what stayed unscoped and why.

Whatever deletes or reads is always here, also for what the configuration no longer has: an update changes this
role first, and ParallelCluster then has to take the old parts away.
"""

from __future__ import annotations

from config.models.cluster import Cluster
from hpc_constructs.identity import rendering_fragment as fragment
from hpc_constructs.identity.rendering_documents import Statement, allow
from hpc_constructs.identity.rendering_iam import iam_statements, role_statements
from hpc_constructs.identity.rendering_provider_features import feature_statements
from hpc_constructs.identity.rendering_scope import (
    IN_REGION,
    OWNED,
    OWNER_TAG,
    Scope,
    bucket_arn,
    own_bucket,
    own_objects,
)
from hpc_constructs.intrinsics import arn, ref

EC2_CREATE = (
    "ec2:AllocateAddress CreateLaunchTemplate CreateNetworkInterface CreatePlacementGroup CreateSecurityGroup "
    "CreateSnapshot CreateVolume RunInstances"
)
EC2_CHANGE = (
    "ec2:AssociateAddress AttachNetworkInterface AuthorizeSecurityGroupEgress AuthorizeSecurityGroupIngress "
    "CreateLaunchTemplateVersion DeleteLaunchTemplate DeleteNetworkInterface DisassociateAddress "
    "ModifyLaunchTemplate ModifyNetworkInterfaceAttribute ModifyVolume ModifyVolumeAttribute "
    "RevokeSecurityGroupEgress RevokeSecurityGroupIngress"
)
"""On things that may bear no tag: CloudFormation cannot tag launch templates, EFS makes interfaces of its own, an
elastic address may be the user's."""
EC2_OWN = (
    "ec2:CreateTags DeletePlacementGroup DeleteSecurityGroup DeleteTags DeleteVolume ReleaseAddress "
    "TerminateInstances"
)
TABLE_ACTIONS = (
    "dynamodb:CreateTable DeleteTable DescribeContinuousBackups DescribeTable DescribeTimeToLive GetItem "
    "ListTagsOfResource PutItem Query TagResource UntagResource UpdateItem UpdateTable UpdateTimeToLive"
)
ZONE_ACTIONS = (
    "route53:ChangeTagsForResource CreateHostedZone DeleteHostedZone GetChange GetHostedZone "
    "ListQueryLoggingConfigs ListResourceRecordSets ListTagsForResource"
)
WATCH_ACTIONS = (
    "cloudwatch:DeleteAlarms DeleteDashboards GetDashboard ListTagsForResource PutCompositeAlarm PutDashboard "
    "PutMetricAlarm TagResource UntagResource"
)
STACK_READS = (
    "cloudformation:DescribeStackEvents DescribeStackResource DescribeStackResources DescribeStacks GetTemplate"
)
FUNCTION_ACTIONS = (
    "lambda:AddPermission CreateFunction DeleteFunction GetFunction GetFunctionConfiguration InvokeFunction "
    "ListTags RemovePermission TagResource UntagResource UpdateFunctionCode UpdateFunctionConfiguration"
)
LOG_ACTIONS = (
    "logs:CreateLogGroup CreateLogStream DeleteLogGroup DeleteMetricFilter ListTagsForResource PutLogEvents "
    "PutMetricFilter PutRetentionPolicy TagResource UntagResource"
)
ENGINE_BUCKET_ACTIONS = (
    "s3:DeleteObject DeleteObjectVersion GetBucketLocation GetBucketVersioning GetObject GetObjectVersion "
    "ListBucket ListBucketVersions PutObject"
)

READS = (
    "autoscaling:Describe*",
    "cloudformation:ListStacks",
    "cloudwatch:DescribeAlarms",
    "cloudwatch:ListDashboards",
    "elasticfilesystem:Describe*",
    "elasticfilesystem:ListTagsForResource",
    "elasticloadbalancing:Describe*",
    "fsx:Describe*",
    "fsx:ListTagsForResource",
    "logs:DescribeLogGroups",
    "logs:DescribeMetricFilters",
    "resource-groups:GetGroupConfiguration",
    "resource-groups:ListGroupResources",
    "tag:GetResources",
    "xray:PutTelemetryRecords",
    "xray:PutTraceSegments",
)
"""Reads, most of them without resource level, and the function's own traces. From 3.16 on ParallelCluster looks a
login pool's load balancer up by its tags, and where it may not, the cluster fails."""

PROVIDER_POLICIES = {
    "ProviderPolicyStacks": ("provider-stacks", "The cluster's stacks, and what is in them except roles."),
    "ProviderPolicyIam": ("provider-iam", "Roles of nodes and cleanup functions, these functions, buckets, logs."),
    "ProviderPolicyFeatures": (
        "provider-features",
        "Login pools, managed EFS and FSx filesystems, customer keys, and reading what the configuration names.",
    ),
}
"""Logical id: part of the name, and what it is for."""


def provider_statements(spec: Cluster, scope: Scope) -> dict[str, list[Statement]]:
    """The statements of each of the provider role's policies by logical id."""
    return {
        "ProviderPolicyStacks": [*ec2_statements(), *_stacks(scope), *_parts(spec, scope)],
        "ProviderPolicyIam": [
            *iam_statements(),
            *role_statements(spec, scope),
            *_functions(scope),
            *_files(scope),
        ],
        "ProviderPolicyFeatures": feature_statements(spec, scope),
    }


def ec2_statements() -> list[Statement]:
    """Instances and what belongs to them. Only what this very stack owns is ended or tagged anew."""
    created = {"Null": {"ec2:CreateAction": "false"}}
    return [
        allow("Ec2Read", ["ec2:Describe*", "ec2:GetSecurityGroupsForVpc"], "*"),
        allow("Ec2Create", EC2_CREATE, "*", IN_REGION),
        allow("Ec2TagNew", "ec2:CreateTags", "*", {**created, **IN_REGION}),
        allow("Ec2Own", EC2_OWN, "*", OWNED),
    ]


def _stacks(scope: Scope) -> list[Statement]:
    """CloudFormation gives the tags of a stack to its nested stacks, so that the condition holds for them too."""
    requested = {"StringEquals": {f"aws:RequestTag/{OWNER_TAG}": ref("AWS::StackId")}}
    return [
        allow("StackCreate", "cloudformation:CreateStack TagResource", scope.stacks, requested),
        allow("StackOwn", "cloudformation:DeleteStack UntagResource UpdateStack", scope.stacks, OWNED),
        allow(
            "StackRead",
            STACK_READS,
            [*scope.stacks, ref("AWS::StackId")],
        ),
    ]


def _parts(spec: Cluster, scope: Scope) -> list[Statement]:
    foreign = fragment.has(spec.parallelcluster.raw, "Scheduling.SlurmSettings.Dns.HostedZoneId")
    dashboard = arn("cloudwatch", f"dashboard/{scope.name}-${{AWS::Region}}", region=False)
    return [
        allow("Ec2Change", EC2_CHANGE, "*", scope.not_foreign),
        allow("Tables", TABLE_ACTIONS, scope.tables),
        allow("Zone", ZONE_ACTIONS, "*"),
        allow("ZoneNames", "route53:ChangeResourceRecordSets", "*", scope.dns_names(own_zone=not foreign)),
        allow(
            "Watch",
            WATCH_ACTIONS,
            [arn("cloudwatch", f"alarm:{scope.name}-HeadNode*"), dashboard],
        ),
        allow("Read", READS, "*"),
    ]


def _functions(scope: Scope) -> list[Statement]:
    """The names of functions do not tell the cluster; the polling rule's begins with our resource's logical id."""
    functions = [arn("lambda", "function:pcluster-Cleanup*"), arn("lambda", "function:pcluster-cfn-*")]
    return [
        allow("Functions", FUNCTION_ACTIONS, functions),
        allow("Poll", "events:DeleteRule PutRule PutTargets RemoveTargets", arn("events", "rule/Cluster????????")),
        allow("Logs", LOG_ACTIONS, scope.log_groups),
    ]


def _files(scope: Scope) -> list[Statement]:
    """Buckets. The provider's own comes into being after this role, with a name that CloudFormation makes."""
    release = "${AWS::Region}-aws-parallelcluster"
    providers = ["*-pclustercustomresourceb*", "*-pclustercustomresourceb*/*"]
    return [
        allow(
            "EngineBucket",
            ENGINE_BUCKET_ACTIONS,
            [own_bucket(scope.engine_bucket), *own_objects(scope.engine_bucket)],
        ),
        allow("Scripts", "s3:GetObject", own_objects(scope.staging_bucket, ["entry.sh"])),
        allow(
            "ProviderBucket",
            "s3:DeleteObject DeleteObjectVersion GetObject ListBucket ListBucketVersions PutObject",
            [bucket_arn(name) for name in providers],
            {"StringEquals": {"aws:ResourceAccount": ref("AWS::AccountId")}},
        ),
        allow("Release", "s3:GetObject ListBucket", [bucket_arn(release), bucket_arn(f"{release}/*")]),
    ]
