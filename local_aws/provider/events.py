"""One CloudFormation event in, the answer to it out."""

from __future__ import annotations

import json
import logging
import re
import uuid
from typing import Any

from local_aws.provider import answers, operations
from local_aws.provider.clients import Clients, clients
from local_aws.provider.cluster_stack import empty, find
from local_aws.rules import EngineRules

logger = logging.getLogger("local_aws.provider")

META = {"ServiceToken", "DeletionPolicy"}
"""Properties that the provider keeps for itself; every other becomes an argument of ParallelCluster's API."""

ARGUMENTS = {
    "Create": {
        "ClusterName",
        "ClusterConfiguration",
        "Region",
        "SuppressValidators",
        "ValidationFailureLevel",
        "Dryrun",
        "RollbackOnFailure",
    },
    "Update": {
        "ClusterName",
        "ClusterConfiguration",
        "Region",
        "SuppressValidators",
        "ValidationFailureLevel",
        "Dryrun",
        "ForceUpdate",
    },
}
"""What create-cluster and update-cluster take; RollbackOnFailure is create's alone and breaks every update."""


def cluster_event(version: str, question: dict[str, Any], rules: EngineRules) -> dict[str, Any]:
    """Answer an event of ``Custom::PclusterCluster``; never raises."""
    event, properties = question["event"], question["event"]["ResourceProperties"]
    aws = clients(question["credentials"])
    name = properties.get("ClusterName")
    try:
        if event["RequestType"] == "Delete":
            empty(question["bucket"], f"{name}/", aws)
            _check_deletion_policy(properties)
            if properties.get("DeletionPolicy", "Delete") == "Delete":
                operations.delete(name, aws, question["role"])
            return _answer(event, "SUCCESS", name)
        aws.s3.put_object(Bucket=question["bucket"], Key=f"{name}/event.json", Body=json.dumps(event).encode())
        data = _create_or_update(version, question, aws, rules)
        return _answer(event, "SUCCESS", name, data=data)
    except answers.Refused as refusal:
        return _answer(event, "FAILED", _physical_id(event), reason=answers.reason(str(refusal)))
    except Exception as failure:
        logger.exception("the provider's stand-in failed")
        return _answer(event, "FAILED", _physical_id(event), reason=answers.reason(repr(failure)))


def cleanup_event(question: dict[str, Any]) -> dict[str, Any]:
    """Answer an event of the provider's own clean-up resource: at its deletion its bucket is emptied."""
    event = question["event"]
    if event["RequestType"] == "Delete":
        empty(event["ResourceProperties"]["S3Bucket"], "", clients(question["credentials"]))
    return _answer(event, "SUCCESS", event.get("PhysicalResourceId", "CleanupS3bucketCustomResource"))


def _create_or_update(version: str, question: dict[str, Any], aws: Clients, rules: EngineRules) -> dict[str, str]:
    event, properties = question["event"], question["event"]["ResourceProperties"]
    kind = event["RequestType"]
    _check_deletion_policy(properties)
    if "ClusterName" not in properties:
        raise answers.Refused("Couldn't find a ClusterName in the properties.")
    if kind == "Update" and event["PhysicalResourceId"] != properties["ClusterName"]:
        raise answers.Refused("Cannot update the ClusterName in the properties.")
    if unexpected := set(properties) - META - ARGUMENTS[kind]:
        names = sorted(re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in unexpected)
        raise answers.Refused(f"<{kind.lower()}-cluster> got unexpected arguments: {{{str(names)[1:-1]}}}")
    request = operations.Operation(
        name=properties["ClusterName"],
        version=version,
        configuration=_with_tags(properties["ClusterConfiguration"], event["StackId"], aws),
        log_group=question["log_group"],
        role=question["role"],
        aws=aws,
        rules=rules,
    )
    return {"Create": operations.create, "Update": operations.update}[kind](request)


def _check_deletion_policy(properties: dict[str, Any]) -> None:
    if properties.get("DeletionPolicy", "Delete") not in ("Retain", "Delete"):
        raise answers.Refused('DeletionPolicy must be one of ["Retain", "Delete"].')


def _with_tags(configuration: dict[str, Any], stack_id: str, aws: Clients) -> dict[str, Any]:
    """The configuration with the stack's own tags in front of its tags, and the provider's mark behind."""
    own = configuration.get("Tags") or []
    named = {tag["Key"] for tag in own}
    owner = find(stack_id, aws)
    stack = [
        {"Key": key, "Value": value}
        for key, value in (owner.tags if owner else {}).items()
        if not key.startswith("aws:") and key not in named
    ]
    mark = {"Key": "parallelcluster:custom_resource", "Value": "cluster"}
    return configuration | {"Tags": [*stack, *own, mark]}


def _physical_id(event: dict[str, Any]) -> str:
    """The known id, or for a failed create a made-up one, as the real provider's helper does."""
    stack = event["StackId"].split("/")[1]
    return (
        event.get("PhysicalResourceId") or f"{stack}_{event['LogicalResourceId']}_{uuid.uuid4().hex[:8].upper()}"
    )


def _answer(
    event: dict[str, Any], status: str, physical_id: str, *, reason: str = "", data: dict[str, str] | None = None
) -> dict[str, Any]:
    return {
        "Status": status,
        "Reason": reason,
        "PhysicalResourceId": physical_id,
        "StackId": event["StackId"],
        "RequestId": event["RequestId"],
        "LogicalResourceId": event["LogicalResourceId"],
        "Data": data or {},
    }
