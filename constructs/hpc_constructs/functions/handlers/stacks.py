"""What CloudFormation knows of a stack."""

from __future__ import annotations

from typing import Any

import boto3
from botocore.exceptions import ClientError

OWNER_TAG = "clusterform:owner"
"""On the cluster's own stack: the id of the stack that declared the cluster."""
VERSION_TAG = "parallelcluster:version"
"""On the cluster's own stack, by ParallelCluster: the version that made it."""


def find(name_or_id: str) -> dict[str, Any] | None:
    """The stack, or None; raises ``ClientError`` when CloudFormation could not be asked."""
    try:
        return boto3.client("cloudformation").describe_stacks(StackName=name_or_id)["Stacks"][0]
    except ClientError as error:
        if error.response["Error"]["Code"] == "ValidationError" and "does not exist" in str(error):
            return None
        raise


def owner(stack: dict[str, Any]) -> str | None:
    """The id of the stack that declared this cluster, None for a stack that is no cluster of ours."""
    return _tag(stack, OWNER_TAG)


def version(stack: dict[str, Any]) -> str | None:
    """The ParallelCluster version that made this cluster, None for a stack that is no cluster."""
    return _tag(stack, VERSION_TAG)


def first_failure(stack_id: str) -> str:
    """What failed first in the stack's history, as ``LogicalId: reason``."""
    pages = boto3.client("cloudformation").get_paginator("describe_stack_events").paginate(StackName=stack_id)
    newest_first = [event for page in pages for event in page["StackEvents"]]
    for event in reversed(newest_first):
        if event.get("ResourceStatus", "").endswith("_FAILED"):
            return f"{event['LogicalResourceId']}: {event.get('ResourceStatusReason', 'no reason given')}"
    return "no failure is recorded in the stack's events"


def _tag(stack: dict[str, Any], key: str) -> str | None:
    return next((tag["Value"] for tag in stack.get("Tags", []) if tag["Key"] == key), None)
