"""Head node, login pools and queues: what runs, on which instances, with which disks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from config.models.base import AmiId, InstanceTypeName, Model, PolicyArn, ResourceName, SecurityGroupId

VolumeType = Literal["gp2", "gp3", "io1", "io2", "st1"]
SubnetKey = Annotated[str, Field(description="A key of network.subnets")]


class RootVolume(Model):
    """The disk a node boots from; unset values take ParallelCluster's own defaults."""

    size_gib: int | None = Field(default=None, description="GiB. Left out: 100 for the head node, 250 for queues")
    type: VolumeType = Field(default="gp3", description="EBS volume type; st1 cannot be booted from")
    iops: int | None = Field(default=None, description="Only for gp3, io1 and io2. Left out with gp3: 3000")
    throughput: int | None = Field(default=None, description="MB/s, only for gp3. Left out: 125")
    encrypted: bool = Field(default=True, description="false is reported as a finding")


class Dcv(Model):
    """Remote desktop (Amazon DCV) on a node."""

    enabled: bool = Field(default=False, description="Run the remote desktop")
    port: int = Field(default=8443, ge=1, le=65535, description="Where it listens")
    allowed_cidrs: list[str] = Field(default_factory=list, description="Left out: ssh.allowed_cidrs")


class HeadNode(Model):
    """The node that runs Slurm's controller and owns the cluster's state."""

    instance_type: InstanceTypeName = Field(
        description="Large enough for all nodes: 1 GiB of memory for 25 of them"
    )
    subnet: SubnetKey
    elastic_ip: bool = Field(default=False, description="Give the node a fixed public address")
    multithreading: bool = Field(default=True, description="false turns simultaneous multithreading off")
    root_volume: RootVolume = Field(default_factory=RootVolume)
    dcv: Dcv = Field(default_factory=Dcv)
    bootstrap_timeout: int | None = Field(
        default=None,
        description="Seconds until the head node counts as failed, 1-43200, used as given. "
        "Left out: 2100, with a new Lustre 3900, else with a new EFS 2700. A live cluster cannot change it",
    )
    home_on_root_volume: bool = Field(
        default=False, description="true: in prod, /home may end with the cluster, on this node's root volume"
    )
    policies: list[PolicyArn] = Field(default_factory=list, description="Further managed policies for this node")
    security_groups: list[SecurityGroupId] = Field(default_factory=list, description="In addition to ours")


class LoginPool(Model):
    """A pool of always-on login nodes."""

    name: ResourceName = Field(description="At most 25 characters")
    subnet: SubnetKey
    instance_type: InstanceTypeName | None = Field(
        default=None, description="Left out: c8g.xlarge beside an arm64 head node, c5.xlarge beside an x86_64 one"
    )
    count: int = Field(default=1, ge=0, description="Nodes; 0 keeps the pool and stops its nodes")
    policies: list[PolicyArn] = Field(default_factory=list, description="Further managed policies for these nodes")
    security_groups: list[SecurityGroupId] = Field(default_factory=list, description="In addition to ours")


class Queue(Model):
    """A Slurm partition.

    Its instance types become one compute resource for each vCPU class, by names that stay: vcpu8, vcpu16-gpu1,
    and core4 with multithreading off.
    """

    name: ResourceName = Field(description="At most 25 characters")
    instance_types: list[InstanceTypeName] = Field(
        min_length=1, description="Any number, of one CPU architecture; equal vCPU counts share a compute resource"
    )
    subnets: list[SubnetKey] = Field(min_length=1, description="Keys of network.subnets, at most one of each zone")
    capacity: Literal["spot", "ondemand"] = Field(
        default="spot", description="spot can be interrupted at any time, and costs less"
    )
    min_nodes: int = Field(default=0, ge=0, description="Always running, of the class of the first instance type")
    max_nodes: int = Field(default=8, ge=1, description="At most, of each vCPU class of the queue")
    multithreading: bool = Field(default=True, description="false turns simultaneous multithreading off")
    efa: bool = Field(default=False, description="Elastic Fabric Adapter; implies a placement group")
    gpudirect: bool | None = Field(
        default=None, description="GPUDirect RDMA over EFA. Left out: on where EFA is and every type can"
    )
    placement_group: bool = Field(default=False, description="Place the nodes close together; efa implies it")
    custom_ami: AmiId | None = Field(default=None, description="Your own image for this queue")
    root_volume: RootVolume = Field(default_factory=RootVolume)
    policies: list[PolicyArn] = Field(default_factory=list, description="Further managed policies for these nodes")
    security_groups: list[SecurityGroupId] = Field(default_factory=list, description="In addition to ours")


class Slurm(Model):
    """Settings of the scheduler itself."""

    scaledown_idletime: int = Field(default=5, ge=1, description="Minutes an idle node is kept")
    queue_update_strategy: Literal["COMPUTE_FLEET_STOP", "DRAIN", "TERMINATE"] = Field(
        default="COMPUTE_FLEET_STOP", description="What happens to running nodes when their queue changes"
    )
    custom_settings: list[dict[str, str | int]] = Field(
        default_factory=list, description="Lines of slurm.conf, as ParallelCluster's CustomSlurmSettings"
    )
