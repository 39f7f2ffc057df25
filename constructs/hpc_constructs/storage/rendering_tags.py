"""The tags of a storage stack, in CloudFormation's form."""

from __future__ import annotations

from config.models.storage_file import StorageFile
from hpc_constructs.intrinsics import Value

STORAGE_TAG = "ClusterStorage"
"""On everything of a storage stack, and on its backups: the account's ceiling goes by it."""


def storage_tags(name: str, spec: StorageFile) -> list[dict[str, Value]]:
    """Like a cluster's, without what only a cluster has; no date, since a clock would change every synthesis."""
    tags = {
        "ClusterOwner": spec.owner.name,
        "ClusterOwnerDepartment": spec.owner.department,
        "ClusterOwnerEmail": spec.owner.email,
        STORAGE_TAG: name,
        "ProdLevel": spec.environment,
        **({"ProjectID": spec.owner.project} if spec.owner.project else {}),
    }
    return [{"Key": key, "Value": value} for key, value in sorted(tags.items())]
