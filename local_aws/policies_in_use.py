"""A managed policy that a role still uses, attached or as its boundary, refuses deletion.

ministack 1.5.33 deletes it, which hides every stack whose policies go before the roles that ParallelCluster made.
"""

from __future__ import annotations

from typing import Any

from ministack.services import iam

from local_aws import resource_handlers


def _create(original: Any, logical_id: str, properties: dict[str, Any], stack_name: str) -> Any:
    name, path = properties.get("ManagedPolicyName"), properties.get("Path", "/")
    if name and any(policy["PolicyName"] == name for policy in iam._policies.values()):
        raise ValueError(f"A policy called {name} already exists. Duplicate names are not allowed. ({path})")
    return original(logical_id, properties, stack_name)


def _delete(original: Any, physical_id: str, properties: dict[str, Any]) -> Any:
    own = set(properties.get("Roles") or [])
    users = [
        name
        for name, role in iam._roles.items()
        if (physical_id in role.get("AttachedPolicies", []) and name not in own)
        or role.get("PermissionsBoundary") == physical_id
    ]
    if users:
        raise ValueError(
            f"Cannot delete a policy attached to entities: {physical_id} is used by {', '.join(sorted(users))}."
            " (Service: Iam, Status Code: 409, DeleteConflict)"
        )
    return original(physical_id, properties)


def install() -> None:
    """Put the checks around the type's create and delete."""
    resource_handlers.around("AWS::IAM::ManagedPolicy", "create", _create)
    resource_handlers.around("AWS::IAM::ManagedPolicy", "delete", _delete)
