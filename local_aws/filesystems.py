"""``AWS::FSx::FileSystem`` and ``AWS::Backup::BackupSelection``, which ministack 1.5.33 lacks.

FSx's own API only tells which filesystems there are; they come and go with stacks.
"""

from __future__ import annotations

import json
import uuid
from typing import Any

from ministack import app
from ministack.core import router
from ministack.core.responses import AccountRegionScopedDict, get_account_id, get_region
from ministack.services import backup
from ministack.services.cloudformation import provisioners

from local_aws import resource_handlers

FSX = "AWS::FSx::FileSystem"
SELECTION = "AWS::Backup::BackupSelection"
VAULT = "AWS::Backup::BackupVault"

_filesystems: Any = AccountRegionScopedDict()


def _create_filesystem(logical_id: str, properties: dict[str, Any], stack_name: str) -> Any:
    identifier = f"fs-{uuid.uuid4().hex[:17]}"
    _filesystems[identifier] = properties
    attributes = {
        "DNSName": f"{identifier}.fsx.{get_region()}.amazonaws.com",
        "LustreMountName": identifier[-8:],
        "ResourceARN": f"arn:aws:fsx:{get_region()}:{get_account_id()}:file-system/{identifier}",
    }
    return identifier, attributes


async def _answer(method: str, path: str, headers: dict[str, str], body: bytes, query: dict[str, Any]) -> Any:
    """FSx's API: ``DescribeFileSystems``."""
    action = headers.get("x-amz-target", "").rpartition(".")[2]
    kind = {"Content-Type": "application/x-amz-json-1.1"}
    if action != "DescribeFileSystems":
        return (
            400,
            kind,
            json.dumps({"__type": "BadRequest", "Message": f"{action} is not answered here"}).encode(),
        )
    found = [
        {
            "FileSystemId": identifier,
            "FileSystemType": properties["FileSystemType"],
            "Lifecycle": "AVAILABLE",
            "Tags": properties.get("Tags", []),
        }
        for identifier, properties in _filesystems.items()
    ]
    return 200, kind, json.dumps({"FileSystems": found}).encode()


def _delete_filesystem(physical_id: str, properties: dict[str, Any]) -> None:
    _filesystems.pop(physical_id, None)


def _create_selection(logical_id: str, properties: dict[str, Any], stack_name: str) -> Any:
    plan = properties["BackupPlanId"]
    status, _, body = backup._create_selection(plan, {"BackupSelection": properties["BackupSelection"]})
    answer = json.loads(body)
    if status >= 400:
        raise ValueError(str(answer.get("message") or answer))
    identifier = answer["SelectionId"]
    return f"{identifier}|{plan}", {"SelectionId": identifier, "BackupPlanId": plan}


def _delete_selection(physical_id: str, properties: dict[str, Any]) -> None:
    backup._selections.pop(physical_id.partition("|")[0], None)


def _delete_vault(original: Any, physical_id: str, properties: dict[str, Any]) -> Any:
    """A vault that holds backups cannot be deleted."""
    vault = backup._vaults.get(physical_id)
    if vault is not None and vault["NumberOfRecoveryPoints"]:
        raise ValueError(f"Backup vault cannot be deleted because it contains recovery points: {physical_id}")
    return original(physical_id, properties)


def install() -> None:
    """Add both types and FSx's API, and refuse to delete a vault in use."""
    router.SERVICE_PATTERNS["fsx"] = {"target_prefixes": ["AWSSimbaAPIService"], "credential_scope": "fsx"}
    services: dict[str, Any] = app.SERVICE_HANDLERS
    services["fsx"] = _answer
    resource_handlers.register(FSX, create=_create_filesystem, delete=_delete_filesystem)
    provisioners._REPLACING_PROPERTIES[FSX] = (
        *("BackupId", "FileSystemType", "KmsKeyId", "SecurityGroupIds", "SubnetIds"),
    )
    resource_handlers.register(SELECTION, create=_create_selection, delete=_delete_selection)
    resource_handlers.around(VAULT, "delete", _delete_vault)
