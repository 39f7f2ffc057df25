"""What CloudFormation knows of a stack."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import boto3
from botocore.exceptions import ClientError

OWNER_TAG = "clusterform:owner"
"""On the cluster's own stack: the id of the stack that declared the cluster."""
VERSION_TAG = "parallelcluster:version"
"""On the cluster's own stack, by ParallelCluster: the version that made it."""

PAGES = 20
"""Of deleted stacks, which CloudFormation lists for 90 days, a hundred a page: a limit to the search for one."""


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


def owned(name: str, owner_id: str) -> str | None:
    """The id of the stack of that name that ``owner_id`` declared, living or deleted; None where there is none."""
    living = find(name)
    for stack_id in [living["StackId"]] if living else _deleted(name):
        stack = find(stack_id)
        if stack and owner(stack) == owner_id:
            return stack_id
    return None


def template(stack_id: str) -> Mapping[str, Any]:
    """The stack's own template as it was deployed, intrinsic functions unresolved."""
    body = boto3.client("cloudformation").get_template(StackName=stack_id, TemplateStage="Original")[
        "TemplateBody"
    ]
    return json.loads(body) if isinstance(body, str) else body


def _deleted(name: str) -> Iterator[str]:
    """Ids of deleted stacks of that name. A deleted stack is found by its id alone."""
    pages = (
        boto3.client("cloudformation").get_paginator("list_stacks").paginate(StackStatusFilter=["DELETE_COMPLETE"])
    )
    for page in islice(pages, PAGES):
        yield from (each["StackId"] for each in page["StackSummaries"] if each["StackName"] == name)


def _tag(stack: dict[str, Any], key: str) -> str | None:
    return next((tag["Value"] for tag in stack.get("Tags", []) if tag["Key"] == key), None)
