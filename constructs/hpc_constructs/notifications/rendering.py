"""What people are told about the end of a cluster, as plain data."""

from __future__ import annotations

from config.derived import is_managed
from config.models.cluster import Cluster
from config.models.storage import Nfs

KEPT = {"retain": "is kept", "snapshot": "is deleted after a snapshot, which is kept"}


def kept(name: str, spec: Cluster) -> list[str]:
    """What outlives the cluster on purpose and may cost money, one line each, with the way to remove it."""
    lines = [
        f"log group /aws/parallelcluster/{name}-...: its entries expire after {spec.logs.retention_days} days; "
        "remove it with aws logs delete-log-group",
        "log group /aws/lambda/pcluster-cfn-...: written by the function that managed the cluster; "
        "remove it with aws logs delete-log-group",
    ]
    for storage in spec.storage:
        if isinstance(storage, Nfs) or not is_managed(storage) or storage.on_delete not in KEPT:
            continue
        lines.append(f"{storage.type} {storage.name} {KEPT[storage.on_delete]} (on_delete: {storage.on_delete})")
    return lines
