"""Filesystems, their mount targets and security groups, as CloudFormation makes them. Plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from config.derived import DEFAULT_IOPS, DEFAULT_THROUGHPUT, export_target, made_by_stack, used_subnets
from config.models.cluster import Cluster
from config.models.filesystems import EbsSettings, EfsSettings, LustreSettings
from config.models.storage_file import StorageFile, StoredEbs, StoredEfs, StoredLustre
from hpc_constructs.intrinsics import Value, get_att, ref
from hpc_constructs.storage.rendering_names import CLIENTS_ID, SERVERS_ID, filesystem_id

NFS_PORTS = ((2049, 2049),)
LUSTRE_PORTS = ((988, 988), (1018, 1023))
"""What EFS and FSx for Lustre ask for in their documentation; Lustre's servers also call its clients."""
LUSTRE_VERSION = "2.15"
"""Whose clients the operating systems have; what ParallelCluster 3.15.1 and 3.16.1 ask for."""


@dataclass(frozen=True)
class Made:
    """A filesystem to make: its settings, and where (``zones`` maps zones to subnets)."""

    name: str
    settings: EbsSettings | EfsSettings | LustreSettings
    zones: Mapping[str, str]
    idle_days: int | None = None

    @property
    def logical_id(self) -> str:
        """The filesystem's own."""
        return filesystem_id(self.name)

    @property
    def targets(self) -> dict[str, str]:
        """Logical ids of the mount targets, one a zone, with their subnets."""
        if not isinstance(self.settings, EfsSettings):
            return {}
        return {
            f"{self.logical_id}Target{zone.replace('-', '').capitalize()}": self.zones[zone]
            for zone in sorted(self.zones)
        }


@dataclass(frozen=True)
class Resource:
    """One resource; ``policy`` is what becomes of it when it leaves the stack, or the stack ends."""

    logical_id: str
    type_name: str
    properties: Mapping[str, Value]
    policy: str


def made_by_file(spec: StorageFile) -> list[Made]:
    """What a storage file's stack makes."""
    subnets = spec.network.subnets
    zones = {subnets[key].zone: subnets[key].id for key in sorted(subnets, reverse=True)}
    made = []
    for each in spec.filesystems:
        match each:
            case StoredEbs():
                made.append(Made(each.name, each, {each.zone: ""}))
            case StoredEfs():
                made.append(Made(each.name, each, zones, each.infrequent_access_after_days))
            case StoredLustre():
                subnet = subnets[each.subnet]
                made.append(Made(each.name, each, {subnet.zone: subnet.id}))
    return made


def made_by_cluster(spec: Cluster) -> list[Made]:
    """What a cluster's stack makes before the cluster: where its nodes are, volumes beside the head node."""
    subnets = spec.network.subnets
    zones = {subnets[key].zone: subnets[key].id for key in reversed(used_subnets(spec))}
    head, first = subnets[spec.head_node.subnet], subnets[spec.queues[0].subnets[0]]
    made = []
    for each in spec.storage:
        if made_by_stack(each):
            place = {head.zone: ""} if isinstance(each, EbsSettings) else {first.zone: first.id}
            made.append(Made(each.name, each, zones if isinstance(each, EfsSettings) else place))
    return made


def on_network(made: Sequence[Made]) -> list[Made]:
    """Those that nodes reach over the network, hence through security groups."""
    return [each for each in made if not isinstance(each.settings, EbsSettings)]


def groups_kept(made: Sequence[Made]) -> bool:
    """Whether the security groups stay, as they must with a filesystem that uses them."""
    return any(each.settings.on_delete == "retain" for each in on_network(made))


def resources(made: Sequence[Made], vpc_id: str, tags: Sequence[Value], prefix: str) -> list[Resource]:
    """All resources in an order of creation; ``prefix`` begins the names that people see."""
    found = list(_groups(made, vpc_id, tags, prefix))
    for each in made:
        found += _filesystem(each, [*tags, {"Key": "Name", "Value": f"{prefix}-{each.name}"}])
    return found


def _groups(made: Sequence[Made], vpc_id: str, tags: Sequence[Value], prefix: str) -> Iterator[Resource]:
    if not (networked := on_network(made)):
        return
    policy = "Retain" if groups_kept(made) else "Delete"
    lustre = any(isinstance(each.settings, LustreSettings) for each in networked)
    efs = any(isinstance(each.settings, EfsSettings) for each in networked)
    ports = [*(NFS_PORTS if efs else ()), *(LUSTRE_PORTS if lustre else ())]

    def group(logical_id: str, description: str, **rules: Value) -> Resource:
        properties = {"GroupDescription": description, "VpcId": vpc_id, **rules, "Tags": tags}
        return Resource(logical_id, "AWS::EC2::SecurityGroup", properties, policy)

    clients = get_att(CLIENTS_ID, "GroupId")
    yield group(CLIENTS_ID, f"Nodes that may mount filesystems of {prefix}")
    yield group(
        SERVERS_ID,
        f"Filesystems of {prefix}: only nodes of the clients' group get in".replace("'", ""),
        SecurityGroupIngress=[{**_rule(low, high), "SourceSecurityGroupId": clients} for low, high in ports],
        # Only Lustre's servers begin a conversation; EFS answers. ParallelCluster checks for both directions.
        SecurityGroupEgress=[{**_rule(low, high), "DestinationSecurityGroupId": clients} for low, high in ports],
    )
    servers = get_att(SERVERS_ID, "GroupId")
    for low, high in LUSTRE_PORTS if lustre else ():
        calls = {"GroupId": clients, **_rule(low, high), "SourceSecurityGroupId": servers}
        yield Resource(f"{CLIENTS_ID}From{low}", "AWS::EC2::SecurityGroupIngress", calls, policy)
        # Servers of one filesystem talk to one another.
        for direction, key in (("Ingress", "SourceSecurityGroupId"), ("Egress", "DestinationSecurityGroupId")):
            among = {"GroupId": servers, **_rule(low, high), key: servers}
            yield Resource(f"{SERVERS_ID}{direction}{low}", f"AWS::EC2::SecurityGroup{direction}", among, policy)


def _rule(low: int, high: int) -> dict[str, Value]:
    return {"IpProtocol": "tcp", "FromPort": low, "ToPort": high}


def _filesystem(made: Made, tags: Sequence[Value]) -> Iterator[Resource]:
    settings, policy = made.settings, made.settings.on_delete.capitalize()
    match settings:
        case EbsSettings():
            yield Resource(made.logical_id, "AWS::EC2::Volume", _volume(settings, made.zones, tags), policy)
        case EfsSettings():
            yield Resource(made.logical_id, "AWS::EFS::FileSystem", _efs(settings, made.idle_days, tags), policy)
            groups = [get_att(SERVERS_ID, "GroupId")]
            for logical_id, subnet in made.targets.items():
                target = {"FileSystemId": ref(made.logical_id), "SubnetId": subnet, "SecurityGroups": groups}
                yield Resource(logical_id, "AWS::EFS::MountTarget", target, policy)
        case LustreSettings():
            yield Resource(made.logical_id, "AWS::FSx::FileSystem", _lustre(settings, made.zones, tags), policy)


def _volume(settings: EbsSettings, zones: Mapping[str, str], tags: Sequence[Value]) -> dict[str, Value]:
    kind, iops = settings.volume_type, settings.iops or DEFAULT_IOPS.get(settings.volume_type)
    return _given(
        AvailabilityZone=next(iter(zones)),
        Size=settings.size_gib,
        VolumeType=kind,
        Iops=iops,
        Throughput=(settings.throughput or DEFAULT_THROUGHPUT) if kind == "gp3" else None,
        Encrypted=settings.encrypted,
        KmsKeyId=settings.kms_key,
        Tags=tags,
    )


def _efs(settings: EfsSettings, idle_days: int | None, tags: Sequence[Value]) -> dict[str, Value]:
    idle = "1_DAY" if idle_days == 1 else f"{idle_days}_DAYS"
    lifecycle = [{"TransitionToIA": f"AFTER_{idle}"}, {"TransitionToPrimaryStorageClass": "AFTER_1_ACCESS"}]
    return _given(
        PerformanceMode=settings.performance_mode,
        ThroughputMode=settings.throughput_mode,
        ProvisionedThroughputInMibps=settings.provisioned_throughput,
        Encrypted=settings.encrypted,
        KmsKeyId=settings.kms_key,
        LifecyclePolicies=lifecycle if idle_days else None,
        FileSystemTags=tags,
    )


def _lustre(settings: LustreSettings, zones: Mapping[str, str], tags: Sequence[Value]) -> dict[str, Value]:
    return _given(
        FileSystemType="LUSTRE",
        FileSystemTypeVersion=LUSTRE_VERSION,
        StorageCapacity=settings.size_gib,
        SubnetIds=list(zones.values()),
        SecurityGroupIds=[get_att(SERVERS_ID, "GroupId")],
        KmsKeyId=settings.kms_key,
        LustreConfiguration=_given(
            DeploymentType=settings.deployment_type,
            PerUnitStorageThroughput=settings.throughput_per_tib,
            WeeklyMaintenanceStartTime=settings.weekly_maintenance,
            **_hydration(settings),
        ),
        Tags=tags,
    )


def _hydration(settings: LustreSettings) -> dict[str, Value]:
    hydration, target = settings.hydration, export_target(settings)
    if hydration is None or target is None:
        return {}
    return {
        "ImportPath": f"s3://{hydration.import_bucket}/{hydration.import_path}",
        "ExportPath": "s3://{}/{}".format(*target),
        "ImportedFileChunkSize": hydration.chunk_size_mib,
        "AutoImportPolicy": hydration.auto_import,
    }


def _given(**properties: Value) -> dict[str, Value]:
    return {key: value for key, value in properties.items() if value is not None}
