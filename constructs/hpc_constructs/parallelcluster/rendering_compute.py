"""Login pools and queues."""

from __future__ import annotations

from collections.abc import Sequence

from config.derived import QUEUE_ROOT_GIB, gpudirect, login_instance_type, placement_group
from config.facts.instance_types import InstanceTypes
from config.models.cluster import Cluster
from config.models.compute import LoginPool, Queue
from config.vcpu_classes import VcpuClass, classes
from hpc_constructs.intrinsics import Value
from hpc_constructs.parallelcluster.rendering_actions import login_actions, queue_actions
from hpc_constructs.parallelcluster.rendering_references import References
from hpc_constructs.parallelcluster.rendering_storage import root_volume, storage_security_groups

LOGIN_GRACETIME_MINUTES = 10
"""How long users are warned before a login node stops; ParallelCluster's own default."""
CAPACITY_TYPE = {"spot": "SPOT", "ondemand": "ONDEMAND"}


def login_pool(spec: Cluster, pool: LoginPool, types: InstanceTypes, references: References) -> dict[str, Value]:
    """A login pool. Without ``Ssh`` it inherits the head node's, and a changed list needs no stopped pool."""
    return {
        "Name": pool.name,
        "InstanceType": login_instance_type(spec, pool, types),
        "Count": pool.count,
        "GracetimePeriod": LOGIN_GRACETIME_MINUTES,
        "Networking": {
            "SubnetIds": [spec.network.subnets[pool.subnet].id],
            **security_groups(spec, pool.security_groups),
        },
        "CustomActions": login_actions(spec, references),
        "Iam": node_iam(references.login_policies, pool.policies),
    }


def slurm_queue(spec: Cluster, queue: Queue, types: InstanceTypes, references: References) -> dict[str, Value]:
    """A queue, with one compute resource for each vCPU class of its instance types."""
    document: dict[str, Value] = {"Name": queue.name, "CapacityType": CAPACITY_TYPE[queue.capacity]}
    if queue.custom_ami is not None:
        document["Image"] = {"CustomAmi": queue.custom_ami}
    networking: dict[str, Value] = {"SubnetIds": [spec.network.subnets[key].id for key in queue.subnets]}
    if placement_group(queue):
        networking["PlacementGroup"] = {"Enabled": True}
    return document | {
        "Networking": networking | security_groups(spec, queue.security_groups),
        "ComputeSettings": {"LocalStorage": {"RootVolume": root_volume(queue.root_volume, QUEUE_ROOT_GIB)}},
        "ComputeResources": [
            _resource(queue, group, types, queue.min_nodes if place == 0 else 0)
            for place, group in enumerate(classes(queue, types))
        ],
        "CustomActions": queue_actions(spec, queue, references),
        "Iam": node_iam(references.compute_policies, queue.policies),
    }


def security_groups(spec: Cluster, more: Sequence[str]) -> dict[str, Value]:
    """Groups in addition to those that ParallelCluster makes, if any."""
    ours = storage_security_groups(spec)
    groups = [*dict.fromkeys(more), *(group for group in ours if group not in more)]
    return {"AdditionalSecurityGroups": groups} if groups else {}


def node_iam(policies: Sequence[Value], more: Sequence[str]) -> dict[str, Value]:
    """A node's managed policies: ours, then the user's."""
    attached = [*policies, *(policy for policy in more if policy not in policies)]
    return {"AdditionalIamPolicies": [{"Policy": policy} for policy in attached]}


def _resource(queue: Queue, group: VcpuClass, types: InstanceTypes, min_nodes: int) -> dict[str, Value]:
    """One compute resource. Types are a list even when there is one: a further type can then join it."""
    document: dict[str, Value] = {
        "Name": group.name,
        "Instances": [{"InstanceType": name} for name in group.instance_types],
        "MinCount": min_nodes,
        "MaxCount": queue.max_nodes,
    }
    if not queue.multithreading:
        document["DisableSimultaneousMultithreading"] = True
    if queue.efa:
        document["Efa"] = {"Enabled": True}
        # ParallelCluster takes the key for any type; it means something on GPU types only.
        if all(types[name].gpus for name in group.instance_types):
            document["Efa"]["GdrSupport"] = gpudirect(queue, types)
    return document
