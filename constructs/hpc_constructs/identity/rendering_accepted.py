"""Wildcards in the policies of clusters that a reviewer's tool finds, and why each is as narrow as it can be."""

from __future__ import annotations

from hpc_constructs.rendering_accepted import Accepted

WILDCARDS = "AwsSolutions-IAM5"


def _wildcards(policies: tuple[str, ...], findings: tuple[str, ...], why: str) -> Accepted:
    return Accepted(WILDCARDS, policies, why, findings)


NODES = (
    _wildcards(
        ("ComputeBase",),
        ("<StagingBucket.Arn>/downloads/", "<StagingBucket.Arn>/scripts/"),
        "what nodes run is kept under the SHA-256 of its content",
    ),
    _wildcards(
        ("HeadStorage", "ComputeBase", "Boundary"),
        ("s3 ",),
        "objects below the prefix that a line of the cluster's file names, which may be none",
    ),
    _wildcards(("HeadCompute",), ("s3 dcv-license.",), "where AWS publishes the remote desktop's licence"),
    _wildcards(
        ("ComputeBase", "HeadStorage", "Boundary", "ProviderPolicyFeatures", "Ceiling"),
        ("Action::kms:GenerateDataKey", "Action::kms:ReEncrypt"),
        "both forms of each, on named keys: which one a service takes is not documented",
    ),
)

BOUNDARY = (
    _wildcards(
        ("Boundary",),
        ("<EngineBucket.Arn>*", "<StagingBucket.Arn>/"),
        "this stack's own buckets; the policies beneath name the objects",
    ),
    _wildcards(
        ("Boundary",),
        (
            "Action::dynamodb:*Item",
            "autoscaling autoScalingGroup:*",
            "cloudformation stack/",
            "dynamodb table/parallelcluster-",
            "logs log-group:/aws/parallelcluster/",
        ),
        "this cluster's own by name; ids, times, Region and account are left to the condition and to AWS",
    ),
    _wildcards(("Boundary",), ("iam role/clusterform/",), "the nodes' roles, under this cluster's path"),
    _wildcards(("Boundary",), ("kms key/",), "only through EC2, for disks; which keys, the policies beneath say"),
    _wildcards(("Boundary",), ("logs log-group:/aws/lambda/pcluster-Cleanup",), "named after the stack's id"),
    _wildcards(
        ("Boundary",),
        ("elasticfilesystem file-system/",),
        "only where a fragment asks for IAM authorization of EFS; ids are not known before",
    ),
    _wildcards(
        ("Boundary",), ("ssm parameter/AmazonCloudWatch-",), "as AWS's own policy for the monitoring agent has it"
    ),
)

PROVIDER = (
    _wildcards(
        ("ProviderPolicyStacks",),
        ("cloudformation stack/", "cloudwatch alarm:"),
        "this cluster's own by name; ids are not known before",
    ),
    _wildcards(
        ("ProviderPolicyIam",),
        ("iam instance-profile/clusterform/", "iam role/clusterform/"),
        "under this cluster's path, and roles only with its boundary",
    ),
    _wildcards(
        ("ProviderPolicyIam",),
        ("iam policy/",),
        "reading what policies a configuration names, before they are used",
    ),
    _wildcards(
        ("ProviderPolicyIam",),
        ("<EngineBucket.Arn>/", "logs log-group:/aws/parallelcluster/"),
        "this cluster's own",
    ),
    _wildcards(
        ("ProviderPolicyIam",),
        (
            "lambda function:pcluster-Cleanup",
            "lambda function:pcluster-cfn-",
            "logs log-group:/aws/lambda/pcluster-",
            "s3 *-pclustercustomresourceb",
        ),
        "named by CloudFormation, after the role was made",
    ),
    _wildcards(
        ("ProviderPolicyIam",), ("s3 Region-aws-parallelcluster/",), "what AWS publishes of ParallelCluster"
    ),
    _wildcards(
        ("ProviderPolicyFeatures",),
        ("elasticfilesystem file-system/", "fsx association/", "fsx file-system/"),
        "ids are not known before; refused where they carry another cluster's tag",
    ),
    _wildcards(
        ("ProviderPolicyFeatures",),
        ("iam role/aws-service-role/",),
        "roles that services make for themselves, of the services that a condition names",
    ),
    _wildcards(
        ("ProviderPolicyFeatures",),
        ("Action::s3:Get*", "Action::s3:List*", "s3 "),
        "what FSx for Lustre asks of whoever links a bucket; the bucket is a line of the cluster's file",
    ),
)

CEILING = (
    _wildcards(
        ("Ceiling",),
        (
            "<EngineBucket.Arn>*",
            "<StagingBucket.Arn>*",
            "Action::iam:",
            "Action::s3:",
            "cloudformation stack/",
            "cloudwatch alarm:",
            "cloudwatch dashboard/",
            "dynamodb table/parallelcluster-",
            "events rule/Cluster????????",
            "iam instance-profile/clusterform/",
            "iam role/aws-service-role/",
            "iam role/clusterform/",
            "lambda function:pcluster-",
            "logs log-group:/aws/lambda/pcluster-",
            "logs log-group:/aws/parallelcluster/",
            "logs log-group:/clusterform/",
            "s3 ",
            "sns clusterform-pc-",
        ),
        "a cap, which grants nothing and has to fit into one document; the policies beneath are narrower",
    ),
)

ACCEPTED = (*NODES, *BOUNDARY, *PROVIDER, *CEILING)
