"""The names by which a filesystem's stack and those who use it know each other. Plain data."""

from __future__ import annotations

from hpc_constructs.intrinsics import Value, get_att, import_value

SERVERS_ID = "StorageServers"
CLIENTS_ID = "StorageClients"
VAULT_ID = "BackupVault"


def stack_name(storage: str) -> str:
    """The stack of a storage file."""
    return f"clusterform-storage-{storage}"


def filesystem_id(name: str) -> str:
    """The logical id of a filesystem. Never to change: under another one CloudFormation would make a new one.

    No two names share one: a name has small letters only, so that each Z stands for a hyphen.
    """
    return f"Filesystem{name[0].upper()}{name[1:].replace('-', 'Z')}"


def id_export(storage: str, filesystem: str) -> str:
    """The export that holds a filesystem's id. Colons, since names have hyphens themselves."""
    return f"{stack_name(storage)}:{filesystem}:id"


def clients_export(storage: str) -> str:
    """The export that holds the security group which the filesystems admit."""
    return f"{stack_name(storage)}:clients"


def imported_id(storage: str, filesystem: str) -> dict[str, Value]:
    """A filesystem's id, as another stack gets it; the storage's stack cannot be deleted meanwhile."""
    return import_value(id_export(storage, filesystem))


def imported_clients(storage: str) -> dict[str, Value]:
    """The security group that nodes are put into, as another stack gets it."""
    return import_value(clients_export(storage))


def own_clients() -> dict[str, Value]:
    """The same, in the filesystem's own stack."""
    return get_att(CLIENTS_ID, "GroupId")
