"""A cluster's shape in words, read from the template that declares it, fragment and all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

CAPACITY = {"ONDEMAND": "on demand", "SPOT": "spot", "CAPACITY_BLOCK": "capacity block"}


def shape(template: Mapping[str, Any]) -> list[str]:
    """Head node, login pools and queues, a line each."""
    configuration = _properties(template, "Custom::PclusterCluster")["ClusterConfiguration"]
    return [
        f"head node: {configuration['HeadNode']['InstanceType']}",
        *map(_pool, configuration.get("LoginNodes", {}).get("Pools", [])),
        *map(_queue, configuration["Scheduling"]["SlurmQueues"]),
    ]


def notice(template: Mapping[str, Any]) -> Mapping[str, Any]:
    """The properties of the notice: what it has to tell."""
    return _properties(template, "Custom::GoneNotice")


def _properties(template: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
    return next(each["Properties"] for each in template["Resources"].values() if each["Type"] == kind)


def _pool(pool: Mapping[str, Any]) -> str:
    return f"login pool {pool['Name']}: {pool['Count']} x {pool['InstanceType']}"


def _queue(queue: Mapping[str, Any]) -> str:
    capacity = queue.get("CapacityType", "ONDEMAND")
    nodes = "; ".join(_nodes(queue))
    return f"queue {queue['Name']} ({CAPACITY.get(capacity, capacity)}): {nodes}"


def _nodes(queue: Mapping[str, Any]) -> Iterator[str]:
    for resource in queue["ComputeResources"]:
        types = [each["InstanceType"] for each in resource.get("Instances", [])]
        named = " or ".join(types or [resource.get("InstanceType", "reserved instances")])
        yield f"{resource.get('MinCount', 0)} to {resource.get('MaxCount', 10)} nodes of {named}"
