"""Committed facts about EC2 instance types; synthesis reads these and never asks AWS."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Accelerator:
    """One kind of accelerator on an instance type. ``kind`` is gpu, inference or fpga."""

    kind: str
    maker: str
    name: str
    count: int


@dataclass(frozen=True)
class InstanceType:
    """What the rules need to know of one type; memory in MiB, instance store in GB."""

    name: str
    vcpus: int
    cores: int
    threads_per_core: int
    architecture: str
    memory_mib: int
    accelerators: tuple[Accelerator, ...]
    efa: bool
    gpudirect: bool
    instance_store_gb: int
    instance_store_nvme: bool

    @property
    def gpus(self) -> int:
        """How many GPUs the type has."""
        return sum(a.count for a in self.accelerators if a.kind == "gpu")


class InstanceTypes(Mapping[str, InstanceType]):
    """The catalogue by name."""

    def __init__(self, types: Mapping[str, InstanceType]) -> None:
        self._types = types

    def __getitem__(self, name: str) -> InstanceType:
        return self._types[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._types)

    def __len__(self) -> int:
        return len(self._types)
