"""The role that EC2 needs before it starts the first Spot instance of an account; nothing of ours may make it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import boto3
from botocore.exceptions import ClientError

PROPERTY = "SpotRole"
"""A guard's property: the role's name, where the cluster has Spot queues."""


def require_role(properties: Mapping[str, Any]) -> None:
    """Raise ValueError where the cluster needs the role and the account lacks it."""
    role = properties.get(PROPERTY)
    if role is None:
        return
    try:
        boto3.client("iam").get_role(RoleName=role)
    except ClientError as error:
        if error.response["Error"]["Code"] != "NoSuchEntity":
            raise
        raise ValueError(
            f"cluster {properties['ClusterName']} has Spot queues, and the account lacks the role {role}, without "
            "which EC2 starts no Spot instance. Nothing was touched. An administrator runs, once an account, "
            "aws iam create-service-linked-role --aws-service-name spot.amazonaws.com, or writes "
            "spot_role: create into config/account.yaml and deploys the account's stack"
        ) from error
