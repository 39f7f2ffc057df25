"""What a deployment prints at its end."""

from __future__ import annotations

import json
from functools import cache

from aws_cdk import CfnOutput, Stack, Token

from config.models.cluster import Cluster
from hpc_constructs.intrinsics import ref, sub
from hpc_constructs.notifications.construct import Notifications
from hpc_constructs.notifications.rendering import storage_lines
from hpc_constructs.secrets.construct import ClusterSecrets
from hpc_constructs.staging.construct import Buckets

ADDRESS_COMMAND = (
    "aws ec2 describe-instances --region ${AWS::Region} --filters Name=instance-state-name,Values=running "
    "Name=tag:parallelcluster:cluster-name,Values=NAME Name=tag:parallelcluster:node-type,Values=HeadNode "
    "--query 'Reservations[].Instances[].[PublicIpAddress,PrivateIpAddress]' --output text"
)


def declare_outputs(
    stack: Stack,
    name: str,
    spec: Cluster,
    secrets: ClusterSecrets,
    notifications: Notifications,
    buckets: Buckets,
) -> None:
    """Declare the outputs, none of which asks the cluster for anything.

    An attribute of the head node would fail the deployment where the node has no public address or is not running,
    and a failure here, after the cluster, deletes a new cluster. So the address is a command.
    """
    outputs = {
        "ClusterName": name,
        "HeadNodeAddressCommand": sub(ADDRESS_COMMAND.replace("NAME", name)),
        "PrivateKeyParameter": secrets.private_key_parameter,
        "StagingBucketName": ref(buckets.staging),
        "Storage": "; ".join(storage_lines(spec)) or "none",
        "TopicArn": notifications.topic_arn,
    }
    for key, value in outputs.items():
        CfnOutput(stack, key, value=value if isinstance(value, str) else _token(json.dumps(value)))


@cache
def _token(value: str) -> str:
    """An intrinsic function, given as JSON, as the text that an output takes; once for all stacks."""
    return Token.as_string(json.loads(value))
