"""What the policies of one cluster may name: its own things, as ParallelCluster and we call them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hpc_constructs.intrinsics import Value, arn, ref, sub

BOUNDARY_ID = "Boundary"
OWNER_TAG = "clusterform:owner"
"""Carried by every stack and instance of a cluster: the id of the stack that owns it."""
CLUSTER_TAG = "parallelcluster:cluster-name"
"""ParallelCluster's own tag on all that it makes for a cluster."""

NESTED_STACKS = ("ComputeFleet*NestedStack*", "LoginNodes*NestedStack*")
"""ParallelCluster's nested stacks, after the cluster's name. Capitals, which no cluster's name has."""


@dataclass(frozen=True, kw_only=True)
class Scope:
    """A cluster's name, and the logical ids of what its policies refer to."""

    name: str
    region: str
    staging_bucket: str
    engine_bucket: str
    key_pair: str
    database_secret: str | None = None

    @property
    def stacks(self) -> list[Value]:
        """The cluster's own stack and its nested ones."""
        return [arn("cloudformation", f"stack/{name}") for name in self.stack_names]

    @property
    def stack_names(self) -> list[str]:
        """Patterns of the same. ``NAME-*`` would also be the cluster ``NAME-2``, and its nested ones."""
        return [f"{self.name}/*", *(f"{self.name}-{part}/*" for part in NESTED_STACKS)]

    @property
    def tables(self) -> list[Value]:
        """ParallelCluster's two tables."""
        names = (f"parallelcluster-{self.name}", f"parallelcluster-slurm-{self.name}")
        return [arn("dynamodb", f"table/{name}") for name in names]

    @property
    def roles(self) -> Value:
        """Every role under the cluster's path."""
        return arn("iam", f"role/clusterform/{self.name}/*", region=False)

    @property
    def node_roles(self) -> Value:
        """The instances' roles: ParallelCluster appends the cluster's name to the path that it is given."""
        return arn("iam", f"role/clusterform/{self.name}/{self.name}/*", region=False)

    @property
    def manager_roles(self) -> Value:
        """Our own roles: CloudFormation begins their names with our stack's, as no cluster's name can begin."""
        return arn("iam", f"role/clusterform/{self.name}/clusterform-pc-*", region=False)

    @property
    def instance_profiles(self) -> Value:
        """Every instance profile under the cluster's path."""
        return arn("iam", f"instance-profile/clusterform/{self.name}/*", region=False)

    @property
    def policies(self) -> Value:
        """Every managed policy under the cluster's path."""
        return arn("iam", f"policy/clusterform/{self.name}/*", region=False)

    @property
    def log_groups(self) -> list[Value]:
        """The nodes' log group, whose name ends in the minute of its creation, and the functions'."""
        return [
            *(arn("logs", f"log-group:{name}") for name in self.node_log_groups),
            arn("logs", "log-group:/aws/lambda/pcluster-*"),
        ]

    @property
    def node_log_groups(self) -> list[str]:
        """The nodes' log group, alone and with what is in it. ``NAME-20*`` would also be ``NAME-2026-20...``."""
        group = f"/aws/parallelcluster/{self.name}-20??????????"
        return [group, f"{group}:*"]

    @property
    def tagged(self) -> dict[str, Value]:
        """Condition: the thing carries ParallelCluster's tag of this cluster."""
        return {"StringEquals": {f"aws:ResourceTag/{CLUSTER_TAG}": self.name}}

    @property
    def not_foreign(self) -> dict[str, Value]:
        """Condition: the thing does not carry ParallelCluster's tag of another cluster."""
        return {"StringEqualsIfExists": {f"aws:ResourceTag/{CLUSTER_TAG}": self.name}}

    @property
    def instance_service(self) -> list[str]:
        """Condition value: the service that takes the nodes' roles. In China either name may be passed."""
        return ["ec2.amazonaws.com", *(["ec2.amazonaws.com.cn"] if self.region.startswith("cn-") else [])]

    @property
    def bounded(self) -> dict[str, Value]:
        """Condition: the role has, or gets, the cluster's boundary."""
        return BOUNDED

    @property
    def owned(self) -> dict[str, Value]:
        """Condition: the thing belongs to the stack that manages it."""
        return OWNED

    @property
    def own_files(self) -> list[Value]:
        """The stack's two buckets, with their objects."""
        return [own_bucket(bucket, and_objects=True) for bucket in (self.engine_bucket, self.staging_bucket)]

    def dns_names(self, own_zone: bool) -> dict[str, Value]:
        """Condition: only names of this cluster's nodes; in a zone of the user's they end in that zone's name."""
        pattern = f"*.{self.name}.pcluster" if own_zone else f"*.{self.name}.*"
        return {"ForAllValues:StringLike": {"route53:ChangeResourceRecordSetsNormalizedRecordNames": pattern}}


BOUNDED = {"StringEquals": {"iam:PermissionsBoundary": ref(BOUNDARY_ID)}}
"""Condition: the role has, or gets, the cluster's boundary."""

OWNED = {"StringEquals": {f"aws:ResourceTag/{OWNER_TAG}": ref("AWS::StackId")}}
"""Condition: the thing belongs to this very stack, not to an earlier or other cluster of the same name."""

IN_REGION = {"StringEquals": {"aws:RequestedRegion": ref("AWS::Region")}}
"""Condition: the request goes to the stack's own Region."""


def bucket_arn(name: str) -> Value:
    """A bucket by its name."""
    return sub(f"arn:${{AWS::Partition}}:s3:::{name}")


def own_bucket(logical_id: str, *, and_objects: bool = False) -> Value:
    """A bucket of the stack, on demand with its objects.

    One pattern serves for both, since the name ends in characters of CloudFormation's making: no other bucket's
    name begins with it.
    """
    return sub(f"${{{logical_id}.Arn}}{'*' if and_objects else ''}")


def own_objects(logical_id: str, keys: Sequence[str] = ("*",)) -> list[Value]:
    """Objects in a bucket of the stack."""
    return [sub(f"${{{logical_id}.Arn}}/{key}") for key in keys]


def ec2_arns(*kinds: str) -> list[Value]:
    """All EC2 resources of some kinds in this account and Region."""
    return [arn("ec2", f"{kind}/*") for kind in kinds]


def aws_policy(name: str) -> Value:
    """A managed policy of AWS's own."""
    return sub(f"arn:${{AWS::Partition}}:iam::aws:policy/{name}")
