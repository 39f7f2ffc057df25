"""The cluster's boundary: at most what any head, login or compute node and any cleanup function may ever do.

It lets pass what ParallelCluster 3.15 and 3.16 write into the roles of their own making (the role definitions of
those versions), what AWS's CloudWatchAgentServerPolicy holds, and the configuration's grants. It grants nothing.

A role has one boundary, and that is one document of 6144 characters. So statements are few: an action works on its
own service's resources only, and what shares a condition shares a statement.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from config.models.cluster import Cluster
from hpc_constructs.identity import rendering_fragment as fragment
from hpc_constructs.identity.rendering_documents import Statement, allow
from hpc_constructs.identity.rendering_grants import (
    GRANT_KEY,
    LIST_BUCKET,
    LOCATE_BUCKET,
    READ_OBJECTS,
    Grant,
    grants,
)
from hpc_constructs.identity.rendering_nodes import grant_statements
from hpc_constructs.identity.rendering_scope import IN_REGION, Scope, bucket_arn, own_bucket, own_objects
from hpc_constructs.intrinsics import Value, sub

_ANYWHERE = (
    "cloudwatch:PutMetricData",
    "ec2:CreateFleet",
    "ec2:Describe*",
    "ec2:RunInstances",
    "elasticloadbalancing:DescribeTarget*",
    "logs:DescribeLog*",
)
"""What has no resource of its own, or one that is not known beforehand; in the stack's Region."""

_NAMED = (
    "cloudformation:DescribeStackResource",
    "cloudformation:DescribeStacks",
    "cloudformation:SignalResource",
    "dynamodb:*Item",
    "dynamodb:Query",
    "logs:CreateLogGroup",
    "logs:CreateLogStream",
    "logs:PutLogEvents",
    "logs:PutRetentionPolicy",
    "ssm:GetParameter",
)
"""On resources that bear the cluster's name, and the monitoring agent's parameters."""


def boundary_statements(spec: Cluster, scope: Scope) -> list[Statement]:
    """The boundary's statements: the engine's own needs, then the grants, those of one kind in one statement."""
    return [*_engine(spec, scope), *_compact(grants(spec, scope), scope)]


def _engine(spec: Cluster, scope: Scope) -> list[Statement]:
    """What every cluster needs, closer than ParallelCluster's own roles in two places.

    Its head node may tag any instance of the account, and terminate those with the cluster's tag: together that
    is any instance. Here tags are set only on something new, or on what is the cluster's already. And its PassRole
    has no condition.
    """
    foreign_zone = fragment.has(spec.parallelcluster.raw, "Scheduling.SlurmSettings.Dns.HostedZoneId")
    passed = {"StringEquals": {"iam:PassedToService": scope.instance_service}}
    own = "ec2:AttachVolume CreateTags DetachVolume GetConsoleOutput TerminateInstances"
    groups = login_groups(scope.name, spec)
    login = ["autoscaling:CompleteLifecycleAction"] if groups else []
    return [
        allow("Read", _ANYWHERE, "*", IN_REGION),
        allow("Named", [*login, *_NAMED], _named(scope, groups), IN_REGION),
        allow("TagNew", "ec2:CreateTags", "*", {"Null": {"ec2:CreateAction": "false"}}),
        allow("Own", own, "*", scope.tagged),
        allow("Pass", "iam:PassRole", scope.node_roles, passed),
        allow(
            "Dns",
            "route53:ChangeResourceRecordSets ListResourceRecordSets",
            "*",
            scope.dns_names(own_zone=not foreign_zone),
        ),
        allow(
            "Engine",
            "s3:DeleteObject DeleteObjectVersion GetBucketLocation GetObject GetObjectVersion ListBucket "
            "ListBucketVersions",
            own_bucket(scope.engine_bucket, and_objects=True),
        ),
    ]


def login_groups(name: str, spec: Cluster) -> list[str]:
    """Auto Scaling groups of login pools, as ParallelCluster calls them: ``NAME-*`` is cluster ``NAME-2`` too."""
    raw = fragment.texts(spec.parallelcluster.raw, f"{fragment.POOLS}.Name")
    pools = dict.fromkeys([*(pool.name for pool in spec.login), *raw])
    return [f"{name}-{pool}-AutoScalingGroup" for pool in pools]


def _named(scope: Scope, groups: Sequence[str]) -> list[Value]:
    name = scope.name
    here = "*:*"
    texts = (
        *(f"autoscaling:{here}:autoScalingGroup:*:autoScalingGroupName/{group}" for group in groups),
        *(f"cloudformation:{here}:stack/{stack}" for stack in scope.stack_names),
        f"dynamodb:{here}:table/parallelcluster-{name}",
        f"dynamodb:{here}:table/parallelcluster-slurm-{name}",
        f"dynamodb:{here}:table/parallelcluster-slurm-{name}/index/*",
        *(f"logs:{here}:log-group:{group}" for group in scope.node_log_groups),
        f"logs:{here}:log-group:/aws/lambda/pcluster-Cleanup*",
        f"ssm:{here}:parameter/AmazonCloudWatch-*",
    )
    return [sub(f"arn:${{AWS::Partition}}:{text}") for text in texts]


def _compact(asked: Sequence[Grant], scope: Scope) -> list[Statement]:
    """Grants of the same actions and condition as one statement.

    Two things are coarser here than in the nodes' policies, for brevity: a bucket may be listed below any prefix,
    and of the staging bucket every object may be read.
    """
    release = bucket_arn("${AWS::Region}-aws-parallelcluster/*")
    groups: dict[str, tuple[Grant, list[Value]]] = {}
    for grant in asked:
        listing = grant.actions in (LIST_BUCKET, LOCATE_BUCKET)
        key = "list" if listing else f"{grant.actions} {json.dumps(grant.condition, sort_keys=True)}"
        groups.setdefault(key, (grant, []))[1].extend(grant.resources)
    compact = []
    for key, (grant, resources) in groups.items():
        if key == "list":
            grant = replace(grant, sid="Buckets", actions="s3:GetBucketLocation ListBucket", condition=None)
        if grant.actions == GRANT_KEY:
            # Which keys, the nodes' policies say; here it counts that only EC2 can be helped to one.
            resources = [sub("arn:${AWS::Partition}:kms:*:*:key/*")]
        if grant.actions == READ_OBJECTS:
            # The first grant is that of the scripts, so this statement is always there.
            resources = [release, *own_objects(scope.staging_bucket), *resources[len(grant.resources) :]]
        compact.append(replace(grant, resources=tuple(resources)))
    return grant_statements(compact)
