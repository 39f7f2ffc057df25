# pyright: reportMissingImports=false
"""What known facts answer in AWS's place, in boto3's names and forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from botocore.exceptions import ClientError

from pcluster_rules.worker.unknown import Known, NotChecked

Facts = Mapping[str, Any]
"""``region``; ``instance_types`` in EC2's own form by name; ``subnets`` likewise by id. Each may be missing."""


Answers = Mapping[str, Callable[..., dict[str, Any]]]


def answers(facts: Facts) -> Mapping[str, Answers]:
    """By service, the operations that facts can answer, in boto3's names and forms."""
    return {
        "ec2": {
            "describe_instance_types": partial(_instance_types, facts.get("instance_types")),
            "describe_instance_type_offerings": partial(_offerings, facts.get("instance_types")),
            "describe_subnets": partial(_subnets, facts.get("subnets", {})),
            "describe_images": lambda ImageIds=("official",), **_: _listed("Images", "image", "ImageId", ImageIds),
            "describe_capacity_reservations": lambda CapacityReservationIds: _listed(
                "CapacityReservations", "capacity reservation", "CapacityReservationId", CapacityReservationIds
            ),
        },
        "fsx": {
            "describe_file_systems": lambda FileSystemIds: _listed(
                "FileSystems", "file system", "FileSystemId", FileSystemIds
            ),
            "describe_volumes": lambda VolumeIds: _listed("Volumes", "volume", "VolumeId", VolumeIds),
        },
    }


def _instance_types(types: Mapping[str, Any] | None, InstanceTypes: list[str]) -> dict[str, Any]:
    if types is None:
        raise NotChecked("the facts of the instance types")
    unknown = ", ".join(name for name in InstanceTypes if name not in types)
    if unknown:
        error = {"Code": "InvalidInstanceType", "Message": f"unknown instance types: {unknown}"}
        raise ClientError({"Error": error}, "DescribeInstanceTypes")
    return {"InstanceTypes": [types[name] for name in InstanceTypes]}


def _offerings(types: Mapping[str, Any] | None, **filters: Any) -> dict[str, Any]:
    if filters or types is None:
        raise NotChecked("where EC2 offers the instance types")
    return {"InstanceTypeOfferings": [{"InstanceType": name} for name in types]}


def _subnets(subnets: Mapping[str, Any], SubnetIds: list[str]) -> dict[str, Any]:
    found = [Known(subnets.get(name, {}), What=f"subnet {name}", SubnetId=name) for name in SubnetIds]
    return {"Subnets": found}


def _listed(key: str, kind: str, id_key: str, ids: Iterable[str]) -> dict[str, Any]:
    """Resources of which nothing is known but their ids; ``CreationDate`` is only ever compared with another's."""
    return {key: [Known({id_key: name}, What=f"{kind} {name}", CreationDate="") for name in ids]}
