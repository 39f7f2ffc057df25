"""Where one cluster's roles may reach what is another's, because IAM has no narrower form; plain data.

Names, paths and tags keep clusters apart, also ``demo`` from ``demo-a`` and ``demo2``. A test asks for every
action of every role on everything that another cluster consists of, and compares what is allowed with this list.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Shared:
    """Actions on things, as patterns (of an ARN the part after the account), with words for people."""

    actions: tuple[str, ...]
    things: tuple[str, ...]
    what: str
    why: str

    def covers(self, action: str, thing: str) -> bool:
        """Whether an action on a thing is meant."""
        return any(fnmatchcase(action, each) for each in self.actions) and any(
            fnmatchcase(thing, each) for each in self.things
        )


SHARED = (
    Shared(
        (
            *(f"{service}:Describe*" for service in ("cloudwatch", "ec2", "elasticfilesystem", "fsx", "logs")),
            *("ec2:GetSecurityGroupsForVpc", "elasticfilesystem:ListTagsForResource", "fsx:ListTagsForResource"),
            "iam:GetPolicy",
        ),
        ("*",),
        "descriptions, by nodes (EC2, logs) and the provider (alarms, filesystems and policies too)",
        "AWS has no narrower form for most of them; they tell names and states, no data and no secret",
    ),
    Shared(
        ("ssm:UpdateInstanceInformation",),
        ("instance/*",),
        "signs of life of Systems Manager's agent, by nodes",
        "AWS's own policy for the agent is no narrower; a node's id is not known before",
    ),
    Shared(
        ("ec2:AllocateAddress", "ec2:Create*", "ec2:RunInstances"),
        ("*",),
        "`ec2:RunInstances` and other creations, by the head node and the provider",
        "ids are not known before; limited to the Region. The roles that instances may get are this cluster's",
    ),
    Shared(
        ("ec2:*Address", "ec2:*LaunchTemplate*", "ec2:*NetworkInterface*"),
        ("elastic-ip/*", "launch-template/*", "network-interface/*"),
        "launch templates, network interfaces, addresses, by the provider",
        "CloudFormation cannot tag launch templates, EFS makes interfaces of its own, an address may be the "
        "user's; refused where they carry another cluster's tag",
    ),
    Shared(
        ("route53:*",),
        ("hostedzone/*",),
        "hosted zones, by the provider; reading their records, by nodes",
        "the zone's id is not known before; what records are written has to bear the cluster's name",
    ),
    Shared(
        ("lambda:*",),
        ("function:pcluster-*",),
        "functions `pcluster-...`, by the provider",
        "ParallelCluster names them after the stack's id, which no one knows before",
    ),
    Shared(
        ("logs:*",),
        ("log-group:/aws/lambda/pcluster-*",),
        "logs of functions `pcluster-...`, by the provider and, writing only, by nodes and cleanup functions",
        "named after those functions",
    ),
    Shared(
        ("events:*",),
        ("rule/Cluster????????",),
        "rules `Cluster????????`, by the provider",
        "named after our resource's logical id, which is the same in every cluster",
    ),
    Shared(
        ("s3:*",),
        ("*-pclustercustomresourceb*",),
        "the provider's own bucket, by the provider",
        "comes into being after the role; by pattern, in this account only",
    ),
    Shared(
        ("autoscaling:Create*", "autoscaling:Put*", "elasticloadbalancing:*"),
        ("autoScalingGroup:*", "listener/*", "loadbalancer/*", "targetgroup/*"),
        "login pools while they are created and changed, by the provider, where a cluster has one",
        "ids are not known before, and the services do not agree on tags of a request; ending them takes this "
        "stack's tag",
    ),
)
