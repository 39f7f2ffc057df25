"""What ParallelCluster 3.16.1 writes into the roles that it makes itself, and what AWS's agent policy holds.

Written down from that version's role definitions, for a cluster with a login pool, so that a test can ask whether
a request passes both the role and the boundary.
"""

from __future__ import annotations

from typing import Any

from tests.iam.resolver import ACCOUNT


class EngineRoles:
    """The documents by kind of role."""

    def __init__(self, name: str, partition: str, region: str, engine_bucket: str) -> None:
        self.name, self.partition, self.region, self.engine_bucket = name, partition, region, engine_bucket

    def arn(self, service: str, resource: str, *, account: str = ACCOUNT, region: str | None = None) -> str:
        """An ARN of this account and Region."""
        return f"arn:{self.partition}:{service}:{self.region if region is None else region}:{account}:{resource}"

    def s3(self, path: str) -> str:
        """A bucket or an object."""
        return f"arn:{self.partition}:s3:::{path}"

    @property
    def stack(self) -> str:
        """The cluster's stack."""
        return self.arn("cloudformation", f"stack/{self.name}/0000")

    @property
    def tables(self) -> tuple[str, str]:
        """The cluster's table and Slurm's."""
        first, second = f"parallelcluster-{self.name}", f"parallelcluster-slurm-{self.name}"
        return self.arn("dynamodb", f"table/{first}"), self.arn("dynamodb", f"table/{second}")

    @property
    def agent(self) -> dict[str, Any]:
        """CloudWatchAgentServerPolicy."""
        return _document(
            ["cloudwatch:PutMetricData", "ec2:DescribeTags", "ec2:DescribeVolumes", "logs:CreateLogGroup"],
            "*",
            ["logs:CreateLogStream", "logs:DescribeLogGroups", "logs:DescribeLogStreams", "logs:PutLogEvents"],
            "*",
            ["logs:PutRetentionPolicy"],
            "*",
            ["ssm:GetParameter"],
            f"arn:{self.partition}:ssm:*:*:parameter/AmazonCloudWatch-*",
        )

    @property
    def head(self) -> dict[str, Any]:
        """The head node, without the parts that depend on a configuration."""
        cluster, slurm = self.tables
        launch = ["subnet", "fleet", "network-interface", "instance", "volume", "key-pair", "security-group"]
        launch += ["launch-template", "placement-group"]
        return _document(
            [f"ec2:Describe{what}" for what in ("LaunchTemplateVersions", "InstanceAttribute", "Instances")],
            "*",
            [f"ec2:Describe{what}" for what in ("InstanceStatus", "Volumes", "CapacityReservations")],
            "*",
            ["ec2:AttachVolume", "ec2:CreateTags", "ec2:DetachVolume"],
            [self.arn("ec2", "instance/*"), self.arn("ec2", "volume/*")],
            ["ec2:RunInstances", "ec2:CreateFleet"],
            [*(self.arn("ec2", f"{kind}/*") for kind in launch), self.arn("ec2", "image/*", account="")],
            ["ec2:TerminateInstances", "ec2:GetConsoleOutput"],
            "*",
            ["iam:PassRole"],
            self.arn("iam", f"role/clusterform/{self.name}/{self.name}/*", region=""),
            ["s3:GetObject"],
            [self.s3(f"{self.region}-aws-parallelcluster/*"), self.s3(f"dcv-license.{self.region}/*")],
            ["s3:GetObject", "s3:GetObjectVersion", "s3:GetBucketLocation", "s3:ListBucket"],
            [self.s3(self.engine_bucket), self.s3(f"{self.engine_bucket}/parallelcluster/*")],
            [f"cloudformation:{what}" for what in ("DescribeStacks", "DescribeStackResource", "SignalResource")],
            self.stack,
            [f"dynamodb:{what}" for what in ("UpdateItem", "PutItem", "GetItem", "BatchGetItem")],
            cluster,
            [f"dynamodb:{what}" for what in ("PutItem", "BatchWriteItem", "GetItem", "BatchGetItem")],
            slurm,
            ["route53:ChangeResourceRecordSets"],
            f"arn:{self.partition}:route53:::hostedzone/*",
            ["elasticloadbalancing:DescribeTargetGroups", "elasticloadbalancing:DescribeTargetHealth"],
            "*",
        )

    @property
    def compute(self) -> dict[str, Any]:
        """A queue's nodes."""
        cluster, slurm = self.tables
        return _document(
            ["ec2:DescribeInstanceAttribute"],
            "*",
            ["s3:GetObject"],
            self.s3(f"{self.region}-aws-parallelcluster/*"),
            ["cloudformation:DescribeStackResource"],
            self.arn("cloudformation", f"stack/{self.name}-*"),
            ["dynamodb:UpdateItem", "dynamodb:PutItem", "dynamodb:GetItem"],
            cluster,
            ["dynamodb:Query"],
            [slurm, f"{slurm}/index/*"],
        )

    @property
    def login(self) -> dict[str, Any]:
        """A login pool's nodes."""
        cluster, _ = self.tables
        group = f"autoScalingGroup:*:autoScalingGroupName/{self.name}-login-AutoScalingGroup"
        return _document(
            ["ec2:DescribeInstanceAttribute"],
            "*",
            ["s3:GetObject"],
            [self.s3(f"{self.region}-aws-parallelcluster/*"), self.s3(f"dcv-license.{self.region}/*")],
            ["autoscaling:CompleteLifecycleAction"],
            self.arn("autoscaling", group),
            ["cloudformation:DescribeStackResource", "cloudformation:DescribeStacks"],
            [
                self.arn("cloudformation", f"stack/{self.name}/*"),
                self.arn("cloudformation", f"stack/{self.name}-*"),
            ],
            ["dynamodb:UpdateItem", "dynamodb:PutItem", "dynamodb:GetItem"],
            cluster,
        )

    @property
    def cleanup(self) -> dict[str, Any]:
        """The functions that clean up at the end."""
        return _document(
            [f"s3:{what}" for what in ("DeleteObject", "DeleteObjectVersion", "ListBucket", "ListBucketVersions")],
            [self.s3(self.engine_bucket), self.s3(f"{self.engine_bucket}/parallelcluster/*")],
            ["logs:CreateLogStream", "logs:PutLogEvents"],
            self.arn("logs", "log-group:/aws/lambda/pcluster-Cleanup*"),
            ["ec2:DescribeInstances", "ec2:TerminateInstances"],
            "*",
            ["route53:ListResourceRecordSets", "route53:ChangeResourceRecordSets"],
            f"arn:{self.partition}:route53:::hostedzone/*",
        )


def _document(*pairs: Any) -> dict[str, Any]:
    statements = [
        {"Effect": "Allow", "Action": actions, "Resource": resources}
        for actions, resources in zip(pairs[::2], pairs[1::2], strict=True)
    ]
    return {"Version": "2012-10-17", "Statement": statements}
