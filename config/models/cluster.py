"""A cluster file: everything one cluster is."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from config.models.access import Access, Directory, Identity, Network, Notifications, Owner, Ssh
from config.models.base import AccountId, AmiId, Model, Region
from config.models.compute import HeadNode, LoginPool, Queue, Slurm
from config.models.scripts import Download, Hooks
from config.models.software import Software
from config.models.storage import Storage


def _none_if_empty(value: Any) -> Any:
    """``key: {}`` says the same as no key."""
    return None if value == {} else value


class Logs(Model):
    """CloudWatch logs of the nodes."""

    retention_days: int = Field(default=30, description="Days; one of CloudWatch's own values")


class ParallelClusterOptions(Model):
    """What only ParallelCluster has."""

    raw: dict[str, Any] = Field(
        default_factory=dict,
        description="A fragment of ParallelCluster's own configuration, merged last; lists merge by Name",
    )


class Cluster(Model):
    """One cluster, as ``config/clusters/NAME.yaml`` declares it after all layers are merged."""

    engine: Literal["parallelcluster"] = Field(default="parallelcluster", description="What runs the cluster")
    parallelcluster_version: str = Field(
        description="Explicit, since a cluster can only be updated by the version that made it"
    )
    account: AccountId | None = Field(
        default=None, description="When given, a deploy with other credentials is refused"
    )
    region: Region = Field(description="The AWS Region, e.g. us-east-1")
    extends: str | None = Field(default=None, description="One profile: the stem of a file in config/profiles")
    owner: Owner
    environment: Literal["dev", "test", "stage", "prod"] = Field(
        default="dev", description="What the cluster is for; prod has rules of its own"
    )
    termination_protection: bool | None = Field(
        default=None,
        description="Refuse to delete the stack until this is taken off. Left out: on in prod, off elsewhere",
    )
    os: Literal["ubuntu2204", "ubuntu2404", "rhel9", "alinux2023"] = Field(
        default="ubuntu2404", description="The operating system of every node"
    )
    custom_ami: AmiId | None = Field(
        default=None, description="Your own image, made for this ParallelCluster version and operating system"
    )
    network: Network
    ssh: Ssh
    session_manager: bool = Field(
        default=True, description="Reach nodes through Systems Manager, without an open port"
    )
    head_node: HeadNode
    login: list[LoginPool] = Field(
        default_factory=list, max_length=10, description="Pools of login nodes; none by default"
    )
    queues: list[Queue] = Field(min_length=1, max_length=50, description="Slurm partitions")
    slurm: Slurm = Field(default_factory=Slurm)
    storage: list[Storage] = Field(default_factory=list, description="Filesystems, mounted on every node")
    directory: Annotated[
        Directory | None,
        BeforeValidator(_none_if_empty),
        Field(description="Users from LDAP or Active Directory. Left out or {}: those of the image"),
    ] = None
    access: Access = Field(default_factory=Access)
    identity: Identity = Field(default_factory=Identity)
    software: Software = Field(default_factory=Software)
    hooks: Hooks = Field(default_factory=Hooks)
    downloads: list[Download] = Field(
        default_factory=list, description="Files from the internet that scripts need"
    )
    rollout: Annotated[
        Literal["next_boot", "drain"],
        Field(
            description="When running compute nodes get changed scripts: at their next boot, or by being drained"
        ),
    ] = "next_boot"
    notifications: Notifications = Field(default_factory=Notifications)
    logs: Logs = Field(default_factory=Logs)
    tags: dict[str, str] = Field(default_factory=dict, description="In addition to ours")
    parallelcluster: ParallelClusterOptions = Field(default_factory=ParallelClusterOptions)
