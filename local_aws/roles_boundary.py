"""Roles keep their permissions boundary, and name only policies that exist.

ministack 1.5.33 drops ``PermissionsBoundary`` from a template's role and attaches policies that nobody created.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ministack.services import iam

from local_aws import resource_handlers


def _require(arns: list[str]) -> None:
    """Refuse a customer managed policy that does not exist, in IAM's words."""
    for arn in arns:
        if not iam._policy_exists(arn):
            raise ValueError(f"Policy {arn} does not exist or is not attachable. (Service: Iam, Status Code: 404)")


def _check(properties: Mapping[str, Any]) -> None:
    boundary = properties.get("PermissionsBoundary")
    if boundary and not iam._policy_exists(boundary):
        raise ValueError(
            f"Scope ARN: {boundary} does not exist or is not attachable. (Service: Iam, Status Code: 404)"
        )
    _require(properties.get("ManagedPolicyArns") or [])


def _create(original: Any, logical_id: str, properties: dict[str, Any], stack_name: str) -> Any:
    _check(properties)
    if (name := properties.get("RoleName")) and name in iam._roles:
        raise ValueError(f"Role with name {name} already exists. (Service: Iam, Status Code: 409)")
    name, attributes = original(logical_id, properties, stack_name)
    iam._roles[name]["PermissionsBoundary"] = properties.get("PermissionsBoundary")
    return name, attributes


def _update(original: Any, physical_id: str, old: Any, new: dict[str, Any], *rest: Any) -> Any:
    _check(new)
    name, attributes = original(physical_id, old, new, *rest)
    iam._roles[name]["PermissionsBoundary"] = new.get("PermissionsBoundary")
    return name, attributes


def install() -> None:
    """Put the checks around the type's create and update."""
    resource_handlers.around("AWS::IAM::Role", "create", _create)
    resource_handlers.around("AWS::IAM::Role", "update", _update)
