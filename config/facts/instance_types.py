"""Committed facts about EC2 instance types; synthesis reads these and never asks AWS."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
CATALOGUE = FOLDER / "instance_types.json"
ADDITIONS = FOLDER / "additions.json"


@dataclass(frozen=True)
class Accelerator:
    """One kind of accelerator on an instance type. ``kind`` is gpu, inference, neuron (Trainium), fpga or media.

    ``count`` is EC2's and 0 for a type that has a fraction of one.
    """

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
    gpudirect: bool | None
    """Whether the GPUs exchange data over EFA by themselves; None where no source says so or the contrary."""
    instance_store_gb: int
    instance_store_nvme: bool
    efa_interfaces: int = 0
    network_cards: int = 1
    network_interfaces: int = 1
    spot: bool = True
    cluster_placement: bool = True

    @property
    def gpus(self) -> int:
        """How many GPUs the type has."""
        return sum(a.count for a in self.accelerators if a.kind == "gpu")

    @property
    def family(self) -> str:
        """What stands before the dot, e.g. ``c8g``."""
        return self.name.partition(".")[0]


class InstanceTypes(Mapping[str, InstanceType]):
    """The catalogue by name."""

    def __init__(self, types: Mapping[str, InstanceType]) -> None:
        self._types = types

    def __getitem__(self, name: str) -> InstanceType:
        return self._types[name]

    def __contains__(self, name: object) -> bool:
        return name in self._types

    def __iter__(self) -> Iterator[str]:
        return iter(self._types)

    def __len__(self) -> int:
        return len(self._types)

    def near(self, name: str, limit: int = 3) -> list[str]:
        """Known names that may have been meant, best first: other sizes of the family, else like families."""
        name = name.lower()
        family, _, size = name.partition(".")
        sizes = [known for known in self if known.startswith(f"{family}.")]
        if sizes:
            return difflib.get_close_matches(name, sizes, n=limit, cutoff=0)
        families = difflib.get_close_matches(
            family, sorted({k.partition(".")[0] for k in self}), n=limit, cutoff=0.5
        )
        same_size = [known for known in (f"{like}.{size}" for like in families) if known in self]
        return same_size or difflib.get_close_matches(name, list(self), n=limit, cutoff=0.5)


class _Records(Mapping[str, InstanceType]):
    """Makes a type when it is asked for: a synthesis uses a handful of some 1400."""

    def __init__(self, records: Mapping[str, Mapping[str, Any]], gpudirect: Mapping[str, bool]) -> None:
        self._records = records
        self._gpudirect = gpudirect
        self._made: dict[str, InstanceType] = {}

    def __getitem__(self, name: str) -> InstanceType:
        if name not in self._made:
            self._made[name] = _instance_type(name, self._records[name], self._gpudirect)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._records

    def __iter__(self) -> Iterator[str]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)


@cache
def load() -> InstanceTypes:
    """The committed catalogue with the local additions, which override it."""
    return read(CATALOGUE, ADDITIONS)


def read(catalogue: Path, additions: Path) -> InstanceTypes:
    """A catalogue and additions from other files than the committed ones."""
    local = json.loads(additions.read_text(encoding="utf-8"))
    records = json.loads(catalogue.read_text(encoding="utf-8"))["types"] | local["types"]
    with_it, without = local["gpudirect"]["families"], local["gpudirect"]["without"]
    return InstanceTypes(_Records(records, dict.fromkeys(with_it, True) | dict.fromkeys(without, False)))


def _instance_type(name: str, record: Mapping[str, Any], gpudirect: Mapping[str, bool]) -> InstanceType:
    efa = record.get("efa", 0)
    accelerators = tuple(Accelerator(**accelerator) for accelerator in record.get("accelerators", []))
    able = efa > 0 and any((each.kind, each.maker) == ("gpu", "NVIDIA") for each in accelerators)
    return InstanceType(
        name=name,
        vcpus=record["vcpus"],
        cores=record["cores"],
        threads_per_core=record["threads"],
        architecture=record["arch"],
        memory_mib=record["memory_mib"],
        accelerators=accelerators,
        efa=efa > 0,
        gpudirect=gpudirect.get(name.partition(".")[0]) if able else False,
        instance_store_gb=record.get("store_gb", 0),
        instance_store_nvme=record.get("nvme", False),
        efa_interfaces=efa,
        network_cards=record.get("cards", 1),
        network_interfaces=record["interfaces"],
        spot=not record.get("no_spot", False),
        cluster_placement=not record.get("no_cluster_placement", False),
    )
