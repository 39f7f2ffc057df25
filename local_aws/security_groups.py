"""Security group rules as resources of their own (``AWS::EC2::SecurityGroupIngress`` and ``Egress``).

ministack 1.5.33 knows only the rules inside a group.
"""

from __future__ import annotations

import uuid
from typing import Any

from ministack.services import ec2
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


def install() -> None:
    """Add both types."""
    for type_name, direction in (
        ("AWS::EC2::SecurityGroupIngress", "IpPermissions"),
        ("AWS::EC2::SecurityGroupEgress", "IpPermissionsEgress"),
    ):
        create, delete = _rules(direction)
        resource_handlers.register(type_name, create=create, delete=delete)
