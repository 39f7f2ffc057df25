"""Every action that any policy of ours allows on ``*``, and every one that means a whole service, with the reason.

Plain data for the documentation, and for the test that finds whatever is not here, and what is here for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

REGION = "aws:RequestedRegion"
OWNER = "aws:ResourceTag/clusterform:owner"
CLUSTER = "aws:ResourceTag/parallelcluster:cluster-name"
STORAGE = "aws:ResourceTag/ClusterStorage"
NEW = "ec2:CreateAction"
RECORDS = "route53:ChangeResourceRecordSetsNormalizedRecordNames"


@dataclass(frozen=True)
class Allowance:
    """Actions as the policies write them (``service:Name Name``, several services in several texts).

    ``policies`` are logical ids; ``limit`` is the condition key without which it is not allowed, or empty.
    """

    policies: tuple[str, ...]
    actions: tuple[str, ...]
    why: str
    limit: str = ""

    @property
    def names(self) -> list[str]:
        """The actions' full names."""
        found = []
        for text in self.actions:
            service, _, names = text.partition(":")
            found += [f"{service}:{name}" for name in names.split()]
        return found

    def covers(self, policy: str, action: str, conditions: Sequence[str]) -> bool:
        """Whether an action of a policy, under conditions on some keys, is meant."""
        limited = not self.limit or self.limit in conditions
        return policy in self.policies and action in self.names and limited


NODES = ("ComputeBase", "Boundary")
PROVIDER = ("ProviderPolicyStacks", "ProviderPolicyFeatures")
BACKUP = ("BackupPolicy", "BackupCeiling")
PEOPLE = ("Viewer", "Operator")
EXECUTION = ("ExecutionParts",)

ON_EVERYTHING = (
    Allowance(
        NODES,
        ("ec2messages:*", "ssm:UpdateInstanceInformation", "ssmmessages:*"),
        "Systems Manager's agent, as AWS's own policy has it; no message can be addressed",
    ),
    Allowance(
        ("Boundary",),
        ("cloudwatch:PutMetricData", "ec2:Describe*", "elasticloadbalancing:DescribeTarget*", "logs:DescribeLog*"),
        "descriptions and metrics, mostly without a resource level",
        REGION,
    ),
    Allowance(("Boundary",), ("ec2:CreateFleet RunInstances",), "ids are not known before", REGION),
    Allowance(
        ("Boundary",),
        ("ec2:AttachVolume CreateTags DetachVolume GetConsoleOutput TerminateInstances",),
        "only what carries this cluster's tag",
        CLUSTER,
    ),
    Allowance(("Boundary", "Ceiling"), ("ec2:CreateTags",), "only on what is being made", NEW),
    Allowance(
        ("Boundary",),
        ("ec2:AssignPrivateIpAddresses CreateNetworkInterface DeleteNetworkInterface UnassignPrivateIpAddresses",),
        "only where a fragment puts the cleanup functions into a VPC: Lambda's interfaces have no name before",
    ),
    Allowance(
        ("Boundary",),
        ("route53:ChangeResourceRecordSets ListResourceRecordSets",),
        "the zone's id is not known before; records have to bear the cluster's name",
        RECORDS,
    ),
    Allowance(
        ("ProviderPolicyStacks",),
        (
            "autoscaling:Describe*",
            "cloudformation:ListStacks",
            "cloudwatch:DescribeAlarms ListDashboards",
            "ec2:Describe* GetSecurityGroupsForVpc",
            "elasticfilesystem:Describe* ListTagsForResource",
            "elasticloadbalancing:Describe*",
            "fsx:Describe* ListTagsForResource",
            "logs:DescribeLogGroups DescribeMetricFilters",
            "resource-groups:GetGroupConfiguration ListGroupResources",
            "tag:GetResources",
        ),
        "descriptions, most of them without a resource level; ParallelCluster finds things by their tags",
    ),
    Allowance(
        ("ProviderPolicyStacks",),
        ("xray:PutTelemetryRecords PutTraceSegments",),
        "the provider function's own traces; the service has no resources",
    ),
    Allowance(
        ("ProviderPolicyStacks",),
        (
            "ec2:AllocateAddress CreateLaunchTemplate CreateNetworkInterface CreatePlacementGroup",
            "ec2:CreateSecurityGroup CreateSnapshot CreateTags CreateVolume RunInstances",
        ),
        "ids are not known before",
        REGION,
    ),
    Allowance(
        ("ProviderPolicyStacks",),
        (
            "ec2:AssociateAddress AttachNetworkInterface AuthorizeSecurityGroupEgress",
            "ec2:AuthorizeSecurityGroupIngress",
            "ec2:CreateLaunchTemplateVersion DeleteLaunchTemplate DeleteNetworkInterface DisassociateAddress",
            "ec2:ModifyLaunchTemplate ModifyNetworkInterfaceAttribute ModifyVolume ModifyVolumeAttribute",
            "ec2:RevokeSecurityGroupEgress RevokeSecurityGroupIngress",
        ),
        "things that may bear no tag; refused where they carry another cluster's",
        CLUSTER,
    ),
    Allowance(
        PROVIDER,
        (
            "autoscaling:DeleteAutoScalingGroup DeleteLifecycleHook DeleteTags UpdateAutoScalingGroup",
            "ec2:CreateTags DeletePlacementGroup DeleteSecurityGroup DeleteTags DeleteVolume ReleaseAddress",
            "ec2:TerminateInstances",
            "elasticfilesystem:DeleteFileSystem DeleteMountTarget UntagResource",
            "elasticloadbalancing:DeleteListener DeleteLoadBalancer DeleteTargetGroup RemoveTags",
            "fsx:DeleteDataRepositoryAssociation DeleteFileSystem UntagResource",
        ),
        "only what carries this very stack's id",
        OWNER,
    ),
    Allowance(
        ("ProviderPolicyFeatures",),
        (
            "autoscaling:CreateAutoScalingGroup CreateOrUpdateTags PutLifecycleHook PutNotificationConfiguration",
            "elasticfilesystem:CreateFileSystem",
            "elasticloadbalancing:AddTags CreateListener CreateLoadBalancer CreateTargetGroup ModifyListener",
            "elasticloadbalancing:ModifyLoadBalancerAttributes ModifyTargetGroup ModifyTargetGroupAttributes",
            "elasticloadbalancing:SetSecurityGroups SetSubnets",
        ),
        "ids are not known before; only where a cluster has login pools, or an EFS filesystem to make",
        REGION,
    ),
    Allowance(
        ("ProviderPolicyStacks",),
        (
            "route53:ChangeTagsForResource CreateHostedZone DeleteHostedZone GetChange GetHostedZone",
            "route53:ListQueryLoggingConfigs ListResourceRecordSets ListTagsForResource",
        ),
        "the zone's id is not known before; Route 53 has no condition on tags",
    ),
    Allowance(
        ("ProviderPolicyStacks",),
        ("route53:ChangeResourceRecordSets",),
        "the zone's id is not known before; records have to bear the cluster's name",
        RECORDS,
    ),
    Allowance(
        ("LifecyclePolicy",),
        ("cloudformation:ListStacks",),
        "a deleted stack is known by its id alone, and only this call, which no resource limits, tells the id",
    ),
    Allowance(
        BACKUP,
        ("tag:GetResources", "ec2:DescribeSnapshots DescribeTags DescribeVolumes"),
        "AWS Backup finds what it copies; no resource level",
    ),
    Allowance(
        BACKUP, ("fsx:DescribeBackups DescribeFileSystems",), "the same; a new copy's id is not known before"
    ),
    Allowance(
        PEOPLE,
        (
            "cloudformation:ListStacks",
            "ec2:DescribeInstanceTypes DescribeInstances",
            "logs:DescribeLogGroups",
            "tag:GetResources",
        ),
        "looking for clusters and what they left behind; no resource level",
    ),
    Allowance(("User",), ("ec2:DescribeInstances",), "finding the login node; no resource level"),
    Allowance(
        ("Ceiling",),
        (
            "autoscaling:Describe*",
            "cloudformation:Describe* Get* List*",
            "cloudwatch:Describe* List*",
            "ec2:Describe* GetSecurityGroupsForVpc",
            "elasticfilesystem:Describe* List*",
            "elasticloadbalancing:Describe*",
            "fsx:Describe* List*",
            "iam:Get* List*",
            "logs:Describe*",
            "resource-groups:Get* List*",
            "tag:GetResources",
            "xray:Put*",
        ),
        "a cap: what may be read at all by roles whose own policies say what is",
    ),
    Allowance(
        ("Ceiling",),
        (
            "autoscaling:Create* Put*",
            "ec2:*LaunchTemplate* *NetworkInterface* *SecurityGroup*gress A*Address CreatePlacementGroup",
            "ec2:CreateSecurityGroup CreateSnapshot CreateVolume Dis*Address ModifyVolume* RunInstances",
            "elasticfilesystem:Create* Put* TagResource UpdateFileSystem",
            "elasticloadbalancing:Add* Create* Modify* Set*",
            "fsx:Create* TagResource Update*",
        ),
        "a cap: what has no name of a cluster's while it is made",
        REGION,
    ),
    Allowance(
        ("Ceiling",),
        (
            "autoscaling:*",
            "cloudformation:*",
            "ec2:CreateTags Delete* ReleaseAddress TerminateInstances",
            "elasticfilesystem:*",
            "elasticloadbalancing:*",
            "fsx:*",
        ),
        "a cap: only what bears the id of the stack that owns it",
        OWNER,
    ),
    Allowance(
        ("Ceiling",),
        ("route53:Change* CreateHostedZone DeleteHostedZone Get* List*",),
        "a cap: the zone's id is not known before; records have to bear the cluster's name",
        RECORDS,
    ),
    Allowance(
        ("Ceiling",),
        (
            "backup:CopyIntoBackupVault DescribeBackupVault",
            "ec2:DeleteSnapshot",
            "elasticfilesystem:Backup",
            "fsx:DeleteBackup",
        ),
        "a cap: only what carries the tag of a storage file",
        STORAGE,
    ),
    Allowance(
        EXECUTION,
        (
            "backup-storage:MountCapsule",
            "ec2:DescribeInstances DescribeKeyPairs DescribeManagedPrefixLists DescribeSecurityGroupRules",
            "ec2:DescribeSecurityGroups DescribeSnapshots DescribeTags DescribeVolumes",
            "ec2:DescribeVolumesModifications",
            "elasticfilesystem:CreateFileSystem",
            "fsx:DescribeFileSystems",
            "logs:DescribeIndexPolicies DescribeLogGroups DescribeResourcePolicies",
            "secretsmanager:GetRandomPassword",
        ),
        "AWS knows no resource to limit them to",
    ),
    Allowance(
        EXECUTION,
        ("sns:GetSubscriptionAttributes SetSubscriptionAttributes Unsubscribe",),
        "a subscription that nobody has confirmed has no ARN",
    ),
)

SERVICE_WIDE = (
    Allowance(
        NODES,
        ("ec2messages:*", "ssmmessages:*"),
        "the two services know nothing but the agent's own messages",
    ),
    Allowance(
        ("Ceiling",),
        ("autoscaling:*", "cloudformation:*", "elasticfilesystem:*", "elasticloadbalancing:*", "fsx:*"),
        "a cap: only what bears the id of the stack that owns it",
        OWNER,
    ),
    Allowance(
        ("Ceiling",),
        ("cloudwatch:*", "dynamodb:*", "events:*", "lambda:*", "logs:*"),
        "a cap: only things with a cluster's name, in its Region",
        REGION,
    ),
)
