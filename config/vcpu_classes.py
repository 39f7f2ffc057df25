"""Splits a queue's instance types into the groups that ParallelCluster accepts as one compute resource.

ParallelCluster refuses unequal vCPU counts (core counts with multithreading off) and unequal accelerators within
one compute resource, since Slurm describes all its nodes by one line.
"""

from __future__ import annotations

from dataclasses import dataclass

from config.facts.instance_types import InstanceType, InstanceTypes
from config.models.compute import Queue

# The makers whose accelerators ParallelCluster's own images drive; others show in the class's name.
_USUAL_MAKERS = {"gpu": "nvidia", "inference": "aws", "neuron": "aws", "fpga": "xilinx", "media": "xilinx"}

# ParallelCluster takes names of 25 characters at most.
_SHORT = {"inference": "inf"}


@dataclass(frozen=True)
class VcpuClass:
    """One compute resource: its name within the queue, and its instance types in the order of the file."""

    name: str
    instance_types: tuple[str, ...]


def classes(queue: Queue, types: InstanceTypes) -> list[VcpuClass]:
    """The queue's compute resources, in order of first appearance. Raises KeyError for an unknown type.

    Names depend on the class alone, never on its neighbours, so that adding a type to a queue renames nothing:
    ``vcpu8``, ``core4`` with multithreading off, ``vcpu16-gpu1`` with one NVIDIA GPU, ``vcpu16-gpu1-amd``.
    """
    grouped: dict[str, list[str]] = {}
    for name in queue.instance_types:
        grouped.setdefault(class_name(types[name], multithreading=queue.multithreading), []).append(name)
    return [VcpuClass(name, tuple(members)) for name, members in grouped.items()]


def class_name(instance_type: InstanceType, *, multithreading: bool) -> str:
    """The name of the class that a type belongs to."""
    parts = [f"vcpu{instance_type.vcpus}" if multithreading else f"core{instance_type.cores}"]
    for accelerator in sorted(instance_type.accelerators, key=lambda a: (a.kind, a.maker, a.count)):
        kind = _SHORT.get(accelerator.kind, accelerator.kind)
        parts.append(f"{kind}{accelerator.count or ''}")  # a fraction of a GPU counts 0
        maker = accelerator.maker.lower().replace(" ", "")
        if maker != _USUAL_MAKERS.get(accelerator.kind):
            parts.append(maker)
    return "-".join(parts)
