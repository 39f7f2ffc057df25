"""``AWS::EC2::Volume``; ministack 1.5.33 has the API alone."""

from __future__ import annotations

import time
import uuid
from typing import Any

from ministack.services import ec2
from ministack.services.cloudformation import provisioners

from local_aws import resource_handlers

TYPE = "AWS::EC2::Volume"


def _settings(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "Size": int(properties.get("Size") or 0),
        "VolumeType": properties.get("VolumeType", "gp2"),
        "Iops": int(properties.get("Iops") or 0),
        "Throughput": int(properties.get("Throughput") or 0),
    }


def _create(logical_id: str, properties: dict[str, Any], stack_name: str) -> Any:
    identifier = f"vol-{uuid.uuid4().hex[:17]}"
    ec2._volumes[identifier] = {
        "VolumeId": identifier,
        "AvailabilityZone": properties["AvailabilityZone"],
        "State": "available",
        "SnapshotId": properties.get("SnapshotId", ""),
        "Encrypted": str(properties.get("Encrypted", False)).lower() == "true",
        "CreateTime": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
        "Attachments": [],
        "MultiAttachEnabled": False,
        **_settings(properties),
    }
    ec2._tags[identifier] = properties.get("Tags") or []
    return identifier, {"VolumeId": identifier}


def _update(physical_id: str, old: dict[str, Any], new: dict[str, Any], stack_name: str) -> Any:
    settings, volume = _settings(new), ec2._volumes[physical_id]
    if settings["Size"] < volume["Size"]:
        raise ValueError("New size cannot be smaller than existing size")
    volume |= settings
    ec2._tags[physical_id] = new.get("Tags") or []
    return physical_id, {"VolumeId": physical_id}


def _delete(physical_id: str, properties: dict[str, Any]) -> None:
    volume = ec2._volumes.get(physical_id)
    if volume is not None and volume["Attachments"]:
        raise ValueError(f"Volume {physical_id} is currently attached to {volume['Attachments'][0]['InstanceId']}")
    ec2._volumes.pop(physical_id, None)
    ec2._tags.pop(physical_id, None)


def install() -> None:
    """Add the type; where a volume is and whether it is encrypted never changes."""
    resource_handlers.register(TYPE, create=_create, update=_update, delete=_delete)
    provisioners._REPLACING_PROPERTIES[TYPE] = ("AvailabilityZone", "Encrypted", "KmsKeyId", "SnapshotId")
