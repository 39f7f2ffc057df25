"""Security group rules as resources of their own (``AWS::EC2::SecurityGroupIngress`` and ``Egress``).

ministack 1.5.33 knows only the rules inside a group, and deletes a group that something still uses.
"""

from __future__ import annotations

import uuid
from typing import Any

from ministack.services import ec2, efs
from ministack.services.cloudformation import provisioners

from local_aws import resource_handlers


def _rules(direction: str) -> tuple[Any, Any]:
    """The create and delete of one direction; ``direction`` is the group record's key."""

    def create(logical_id: str, properties: dict[str, Any], stack_name: str) -> Any:
        group = ec2._security_groups.get(properties["GroupId"])
        if group is None:
            raise ValueError(f"The security group '{properties['GroupId']}' does not exist")
        group[direction].extend(provisioners._ec2_sg_permissions([properties]))
        rule = "sgr-" + uuid.uuid4().hex[:17]
        return rule, {"Id": rule}

    def delete(physical_id: str, properties: dict[str, Any]) -> None:
        group = ec2._security_groups.get(properties["GroupId"])
        if group is None:
            return
        for permission in provisioners._ec2_sg_permissions([properties]):
            if permission in group[direction]:
                group[direction].remove(permission)

    return create, delete


def _delete_group(original: Any, physical_id: str, properties: dict[str, Any]) -> Any:
    """A group that other groups' rules name, or mount targets bear, cannot be deleted."""
    users = [
        group
        for group, record in ec2._security_groups.items()
        if group != physical_id and _names(record, physical_id)
    ]
    users += [
        identifier
        for identifier, target in efs._mount_targets.items()
        if physical_id in target.get("SecurityGroups", [])
    ]
    if users:
        raise ValueError(f"resource {physical_id} has a dependent object: {sorted(users)[0]}")
    return original(physical_id, properties)


def _names(record: dict[str, Any], group: str) -> bool:
    rules = [*record["IpPermissions"], *record["IpPermissionsEgress"]]
    return any(pair.get("GroupId") == group for rule in rules for pair in rule.get("UserIdGroupPairs", []))


def install() -> None:
    """Add both types, and refuse to delete a group in use."""
    resource_handlers.around("AWS::EC2::SecurityGroup", "delete", _delete_group)
    for type_name, direction in (
        ("AWS::EC2::SecurityGroupIngress", "IpPermissions"),
        ("AWS::EC2::SecurityGroupEgress", "IpPermissionsEgress"),
    ):
        create, delete = _rules(direction)
        resource_handlers.register(type_name, create=create, delete=delete)
