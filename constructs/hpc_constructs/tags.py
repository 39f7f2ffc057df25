"""The cluster's tags in CloudFormation's form; imports no aws_cdk."""

from __future__ import annotations

from config.models.cluster import Cluster
from hpc_constructs.intrinsics import Value, ref
from hpc_constructs.parallelcluster.rendering_tags import OWNER_TAG, cluster_tags


def resource_tags(name: str, spec: Cluster) -> list[dict[str, Value]]:
    """What every resource of the stack carries, the key pair excepted; the owner is the stack itself."""
    tags: dict[str, Value] = {**cluster_tags(name, spec), OWNER_TAG: ref("AWS::StackId")}
    return [{"Key": key, "Value": value} for key, value in sorted(tags.items())]
