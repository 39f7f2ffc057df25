"""The actions of the policies that ParallelCluster publishes for whoever creates clusters, Slurm clusters only.

From its parallelcluster-policies.yaml (cluster policies 1 and 2, the IAM administration policy, FSx access to S3)
and the provider template's own policies. Service-wide wildcards of theirs are left out: nothing to compare.
"""

PUBLISHED = {
    "ec2": """
        AllocateAddress AssociateAddress AttachNetworkInterface AuthorizeSecurityGroupEgress
        AuthorizeSecurityGroupIngress CreateLaunchTemplate CreateLaunchTemplateVersion CreateNetworkInterface
        CreatePlacementGroup CreateSecurityGroup CreateSnapshot CreateTags CreateVolume DeleteLaunchTemplate
        DeleteNetworkInterface DeletePlacementGroup DeleteSecurityGroup DeleteTags DeleteVolume DescribeImages
        DescribeInstances DescribeInstanceTypes DescribeSubnets DisassociateAddress ModifyLaunchTemplate
        ModifyNetworkInterfaceAttribute ModifyVolume ModifyVolumeAttribute ReleaseAddress RevokeSecurityGroupEgress
        RevokeSecurityGroupIngress RunInstances TerminateInstances
    """,
    "dynamodb": """
        CreateTable DeleteTable DescribeTable GetItem ListTagsOfResource PutItem Query TagResource UntagResource
        UpdateItem
    """,
    "route53": """
        ChangeResourceRecordSets ChangeTagsForResource CreateHostedZone DeleteHostedZone GetChange GetHostedZone
        ListQueryLoggingConfigs ListResourceRecordSets
    """,
    "cloudformation": """
        CreateStack DeleteStack DescribeStackEvents DescribeStackResources DescribeStacks GetTemplate ListStacks
        UpdateStack
    """,
    "cloudwatch": """
        DeleteAlarms DeleteDashboards DescribeAlarms GetDashboard ListDashboards PutCompositeAlarm PutDashboard
        PutMetricAlarm
    """,
    "iam": """
        AddRoleToInstanceProfile AttachRolePolicy CreateInstanceProfile CreateRole CreateServiceLinkedRole
        DeleteInstanceProfile DeleteRole DeleteRolePolicy DetachRolePolicy GetInstanceProfile GetPolicy GetRole
        GetRolePolicy PassRole PutRolePolicy RemoveRoleFromInstanceProfile TagRole UntagRole
    """,
    "lambda": """
        AddPermission CreateFunction DeleteFunction GetFunction GetFunctionConfiguration InvokeFunction ListTags
        RemovePermission TagResource UntagResource UpdateFunctionConfiguration
    """,
    "logs": """
        CreateLogGroup CreateLogStream DeleteLogGroup DeleteMetricFilter DescribeLogGroups DescribeMetricFilters
        ListTagsForResource PutLogEvents PutMetricFilter PutRetentionPolicy TagResource UntagResource
    """,
    "resource-groups": "GetGroupConfiguration ListGroupResources",
    "autoscaling": """
        CreateAutoScalingGroup CreateOrUpdateTags DeleteAutoScalingGroup DeleteLifecycleHook DeleteTags
        DescribeAutoScalingGroups DescribeLifecycleHooks DescribeScalingActivities PutLifecycleHook
        UpdateAutoScalingGroup
    """,
    "elasticloadbalancing": """
        AddTags CreateListener CreateLoadBalancer CreateTargetGroup DeleteListener DeleteLoadBalancer
        DeleteTargetGroup DescribeListeners DescribeLoadBalancers DescribeTags DescribeTargetGroups
        DescribeTargetHealth ModifyLoadBalancerAttributes ModifyTargetGroup RemoveTags
    """,
    "events": "DeleteRule PutRule PutTargets RemoveTargets",
    "s3": "DeleteObject GetObject ListBucket ListBucketVersions PutObject",
}
ACTIONS = [f"{service}:{name}" for service, names in PUBLISHED.items() for name in names.split()]

LEFT_OUT = {
    "ec2:CreateFleet": "only the head node calls it",
    "iam:DeleteServiceLinkedRole": "a role that the whole account shares is not this cluster's to delete",
    "iam:SimulatePrincipalPolicy": "only their own command line's checks used it",
    "s3:PutBucketPolicy": "for the bucket that they create themselves; ours is declared by the stack",
}
