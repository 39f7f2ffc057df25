"""The one place that knows EC2's own form of an instance type (``InstanceTypeInfo`` of DescribeInstanceTypes).

A record is our compact form, one line a type in ``instance_types.json``; what is zero, false or usual is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Set
from typing import Any

from config.facts.instance_types import InstanceType

Record = dict[str, Any]

# EC2's section, the list in it, and our word for the kind.
ACCELERATORS = (
    ("GpuInfo", "Gpus", "gpu"),
    ("InferenceAcceleratorInfo", "Accelerators", "inference"),
    ("NeuronInfo", "NeuronDevices", "neuron"),
    ("FpgaInfo", "Fpgas", "fpga"),
    ("MediaAcceleratorInfo", "Accelerators", "media"),
)
# i386 is listed beside x86_64 by some old types; what ParallelCluster can boot counts.
ARCHITECTURES = ("x86_64", "arm64")


def record(info: Mapping[str, Any]) -> Record:
    """One ``InstanceTypeInfo`` as our record; raises KeyError for an answer without vCPUs, memory or processor."""
    cpu = info["VCpuInfo"]
    network = info.get("NetworkInfo", {})
    store = info.get("InstanceStorageInfo", {})
    threads = cpu.get("DefaultThreadsPerCore", 1)
    facts: Record = {
        "vcpus": cpu["DefaultVCpus"],
        "cores": cpu.get("DefaultCores", cpu["DefaultVCpus"] // threads),
        "threads": threads,
        "arch": _architecture(info["ProcessorInfo"]["SupportedArchitectures"]),
        "memory_mib": info["MemoryInfo"]["SizeInMiB"],
        "interfaces": network.get("MaximumNetworkInterfaces", 1),
    }
    unusual: Record = {
        "cards": network["MaximumNetworkCards"] if network.get("MaximumNetworkCards", 1) > 1 else 0,
        "efa": _efa_interfaces(network),
        "accelerators": _accelerators(info),
        "store_gb": store.get("TotalSizeInGB", 0),
        "nvme": store.get("NvmeSupport") in ("required", "supported"),
        "no_spot": "spot" not in info.get("SupportedUsageClasses", ["spot"]),
        "no_cluster_placement": "cluster" not in info.get("PlacementGroupInfo", {}).get("SupportedStrategies", []),
    }
    return facts | {key: value for key, value in unusual.items() if value}


def document(
    infos: Iterable[Mapping[str, Any]], source: str, date: str, before: Mapping[str, Any] | None = None
) -> str:
    """The text of ``instance_types.json``: one line a type, sorted, so that a change is one changed line.

    ``before`` is the file's present content. What only that knows is kept, with the source and date it came from.
    """
    records = {info["InstanceType"]: record(info) for info in infos}
    kept = _kept(before, records.keys()) if before else []
    known = (before["types"] if before else {}) | records
    head = [f'"source": {json.dumps(source)}', f'"date": {json.dumps(date)}']
    if kept:
        head.append('"kept": [\n' + ",\n".join(json.dumps(group) for group in kept) + "\n]")
    lines = [f"{json.dumps(name)}: {json.dumps(known[name])}" for name in sorted(known)]
    return "{" + ",\n".join([*head, '"types": {\n' + ",\n".join(lines) + "\n}"]) + "}\n"


def _kept(before: Mapping[str, Any], fresh: Set[str]) -> list[Record]:
    """By source: the types that an earlier answer described and this one does not name."""
    earlier = before.get("kept", [])
    listed = {name for group in earlier for name in group["types"]}
    latest = {"source": before["source"], "date": before["date"], "types": before["types"].keys() - listed}
    remaining = [dict(group, types=sorted(set(group["types"]) - fresh)) for group in (latest, *earlier)]
    return [group for group in remaining if group["types"]]


def as_ec2(facts: InstanceType) -> dict[str, Any]:
    """A type in EC2's form, as far as ParallelCluster's own rules look at it."""
    info: dict[str, Any] = {
        "InstanceType": facts.name,
        "VCpuInfo": {
            "DefaultVCpus": facts.vcpus,
            "DefaultCores": facts.cores,
            "DefaultThreadsPerCore": facts.threads_per_core,
        },
        "ProcessorInfo": {"SupportedArchitectures": [facts.architecture]},
        "MemoryInfo": {"SizeInMiB": facts.memory_mib},
        "InstanceStorageSupported": facts.instance_store_gb > 0,
        "SupportedUsageClasses": ["on-demand"] + (["spot"] if facts.spot else []),
        "PlacementGroupInfo": {
            "SupportedStrategies": ["partition", "spread"] + (["cluster"] if facts.cluster_placement else [])
        },
        "NetworkInfo": _network(facts),
    }
    if facts.instance_store_gb:
        nvme = "required" if facts.instance_store_nvme else "unsupported"
        info["InstanceStorageInfo"] = {"TotalSizeInGB": facts.instance_store_gb, "NvmeSupport": nvme}
    for section, items, kind in ACCELERATORS:
        devices = [a for a in facts.accelerators if a.kind == kind]
        if devices:
            info[section] = {items: [{"Manufacturer": a.maker, "Name": a.name, "Count": a.count} for a in devices]}
    return info


def _network(facts: InstanceType) -> dict[str, Any]:
    per_card = max(facts.network_interfaces // facts.network_cards, 1)
    return {
        "MaximumNetworkCards": facts.network_cards,
        "MaximumNetworkInterfaces": facts.network_interfaces,
        "EfaSupported": facts.efa,
        "EfaInfo": {"MaximumEfaInterfaces": facts.efa_interfaces},
        "NetworkCards": [
            {"NetworkCardIndex": index, "MaximumNetworkInterfaces": per_card}
            for index in range(facts.network_cards)
        ],
    }


def _architecture(supported: list[str]) -> str:
    return next((name for name in ARCHITECTURES if name in supported), supported[0])


def _efa_interfaces(network: Mapping[str, Any]) -> int:
    if not network.get("EfaSupported"):
        return 0
    return network.get("EfaInfo", {}).get("MaximumEfaInterfaces", 1)


def _accelerators(info: Mapping[str, Any]) -> list[Record]:
    """Every accelerator once: Inferentia is listed as a Neuron device too. Neuron devices are all AWS's own."""
    found = [
        {
            "kind": kind,
            "maker": device.get("Manufacturer", "AWS"),
            "name": device["Name"],
            "count": device["Count"],
        }
        for section, items, kind in ACCELERATORS
        for device in info.get(section, {}).get(items, [])
    ]
    inference = {device["name"] for device in found if device["kind"] == "inference"}
    return [device for device in found if device["kind"] != "neuron" or device["name"] not in inference]
