"""What nodes may reach beyond the engine's own needs.

One list feeds the nodes' policies and the boundary alike: a grant cannot stand in one and miss in the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from config.derived import export_target, made_by_stack
from config.models.access import Bucket
from config.models.cluster import Cluster
from config.models.filesystems import EbsSettings
from config.models.storage import Ebs, FsxLustre, Imported
from hpc_constructs.identity import rendering_fragment as fragment
from hpc_constructs.identity.rendering_scope import Scope, bucket_arn, own_objects
from hpc_constructs.intrinsics import Value, arn, ref, sub
from hpc_constructs.storage.rendering_names import filesystem_id, imported_id

NODE_FILES = ("entry.sh", "manifest", "scripts/*", "downloads/*")
"""All that a node reads from the staging bucket."""

READ_SECRET = "secretsmanager:GetSecretValue"
READ_PARAMETER = "ssm:GetParameter"
READ_OBJECTS = "s3:GetObject"
WRITE_OBJECTS = "s3:AbortMultipartUpload DeleteObject GetObject ListMultipartUploadParts PutObject"
LIST_BUCKET = "s3:ListBucket"
LOCATE_BUCKET = "s3:GetBucketLocation"
USE_KEY = ("kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKey*", "kms:ReEncrypt*")
GRANT_KEY = "kms:CreateGrant"

SESSION_ACTIONS = ("ec2messages:*", "ssm:UpdateInstanceInformation", "ssmmessages:*")
"""What the agent needs for sessions and commands: the two services know nothing else. AWS's own
AmazonSSMManagedInstanceCore also lets a node read every parameter of the account, private SSH keys among them."""


@dataclass(frozen=True, kw_only=True)
class Grant:
    """One thing that nodes may do.

    ``policy`` is the logical id of the node policy that says so; None where ParallelCluster's own role policy says
    it and only the boundary has to let it pass. ``source`` is the place in the configuration that asks for it.
    """

    sid: str
    actions: str | tuple[str, ...]
    resources: tuple[Value, ...]
    policy: str | None
    source: str
    condition: Mapping[str, Value] | None = None


def grants(spec: Cluster, scope: Scope) -> list[Grant]:
    """Everything that the configuration asks for, raw fragment included."""
    return [
        _grant("Scripts", READ_OBJECTS, own_objects(scope.staging_bucket, NODE_FILES), "ComputeBase", "hooks"),
        *_session_manager(spec),
        *_access(spec),
        *_secrets_of_the_head(spec, scope),
        *_remote_desktop(spec),
        *_volume_keys(spec),
        *_given_volumes(spec),
        *_hydration(spec),
        *_raw_buckets(spec),
        *_raw_features(spec),
    ]


def hydrated(spec: Cluster) -> list[tuple[str, str, bool]]:
    """Bucket, prefix and whether it is written to, for each place that FSx for Lustre loads from or saves to."""
    places: list[tuple[str, str, bool]] = []
    for storage in spec.storage:
        if isinstance(storage, FsxLustre) and storage.hydration is not None:
            places.append((storage.hydration.import_bucket, storage.hydration.import_path, False))
            bucket, path = export_target(storage) or ("", "")
            places.append((bucket, path, True))
    raw = spec.parallelcluster.raw
    places += [(*place, False) for place in fragment.s3_paths(raw, f"{fragment.LUSTRE}.ImportPath")]
    places += [(*place, True) for place in fragment.s3_paths(raw, f"{fragment.LUSTRE}.ExportPath")]
    associations = f"{fragment.LUSTRE}.DataRepositoryAssociations[].DataRepositoryPath"
    places += [(*place, True) for place in fragment.s3_paths(raw, associations)]
    return list(dict.fromkeys(places))


def key_arn(key: str) -> Value:
    """A KMS key by its ARN, or by its id in this account."""
    return key if key.startswith("arn:") else arn("kms", f"key/{key}")


def _session_manager(spec: Cluster) -> Iterator[Grant]:
    if spec.session_manager:
        yield _grant("Session", SESSION_ACTIONS, ["*"], "ComputeBase", "session_manager")


def _access(spec: Cluster) -> Iterator[Grant]:
    secrets, keys = spec.access.secrets, spec.access.kms_keys
    if secrets:
        yield _grant("Secrets", READ_SECRET, secrets, "ComputeBase", "access.secrets")
    if keys:
        yield _grant("Keys", USE_KEY, keys, "ComputeBase", "access.kms_keys")
        yield _disk_keys("LaunchKeys", keys, "HeadCompute", "access.kms_keys")
    yield from _buckets("Bucket", spec.access.buckets, "ComputeBase", "access.buckets")


def _buckets(sid: str, buckets: Sequence[Bucket], policy: str, source: str) -> Iterator[Grant]:
    if not buckets:
        return
    arns = [bucket_arn(name) for name in dict.fromkeys(bucket.name for bucket in buckets)]
    yield _grant(f"{sid}Where", LOCATE_BUCKET, arns, policy, source)
    for actions, name, chosen in (
        (READ_OBJECTS, "Read", [bucket for bucket in buckets if not bucket.write]),
        (WRITE_OBJECTS, "Write", [bucket for bucket in buckets if bucket.write]),
    ):
        if chosen:
            yield _grant(f"{sid}{name}", actions, [_objects(bucket) for bucket in chosen], policy, source)
    by_prefix: dict[str, list[Value]] = {}
    for bucket in buckets:
        by_prefix.setdefault(bucket.prefix.strip("/"), []).append(bucket_arn(bucket.name))
    for prefix, listed in by_prefix.items():
        condition = {"StringLike": {"s3:prefix": [prefix, f"{prefix}/*"]}} if prefix else None
        yield _grant(f"{sid}List", LIST_BUCKET, listed, policy, source, condition)


def _objects(bucket: Bucket) -> Value:
    prefix = bucket.prefix.strip("/")
    return bucket_arn(f"{bucket.name}/{prefix}/*" if prefix else f"{bucket.name}/*")


def _secrets_of_the_head(spec: Cluster, scope: Scope) -> Iterator[Grant]:
    if scope.database_secret is not None and spec.software.accounting:
        yield _grant("Database", READ_SECRET, [ref(scope.database_secret)], "HeadIdentity", "software.accounting")
    if spec.directory is not None:
        yield _grant(
            "Directory", READ_SECRET, [spec.directory.password_secret], "HeadIdentity", "directory.password_secret"
        )
    raw = spec.parallelcluster.raw
    for sid, path in (
        ("RawDirectory", "DirectoryService.PasswordSecretArn"),
        ("RawDatabase", "Scheduling.SlurmSettings.Database.PasswordSecretArn"),
        ("RawMunge", "Scheduling.SlurmSettings.MungeKeySecretArn"),
    ):
        for secret in fragment.texts(raw, path):
            # A directory's password may also be a parameter of Systems Manager.
            actions = READ_PARAMETER if ":ssm:" in secret else READ_SECRET
            yield _grant(sid, actions, [secret], "HeadIdentity", f"parallelcluster.raw.{path}")


def _remote_desktop(spec: Cluster) -> Iterator[Grant]:
    if spec.head_node.dcv.enabled or fragment.wants_desktop(spec.parallelcluster.raw):
        license_bucket = bucket_arn("dcv-license.${AWS::Region}/*")
        yield _grant("DesktopLicense", READ_OBJECTS, [license_bucket], "HeadCompute", "head_node.dcv")


def _volume_keys(spec: Cluster) -> Iterator[Grant]:
    """The head node attaches the shared volumes, which takes their keys."""
    volumes = [storage.stored if isinstance(storage, Imported) else storage for storage in spec.storage]
    ours = [volume.kms_key for volume in volumes if isinstance(volume, EbsSettings) and volume.kms_key]
    for keys, source in (
        (ours, "storage.kms_key"),
        (fragment.kms_keys(spec.parallelcluster.raw, "Ebs"), "parallelcluster.raw.SharedStorage"),
    ):
        if keys:
            yield _grant("VolumeKeys", USE_KEY, [key_arn(key) for key in keys], "HeadStorage", source)
            yield _disk_keys("VolumeGrants", keys, "HeadStorage", source)


def _disk_keys(sid: str, keys: Sequence[str], policy: str, source: str) -> Grant:
    """Only for a disk, through EC2: a grant for a person or another service stays impossible."""
    through = {"StringEquals": {"kms:ViaService": sub("ec2.${AWS::Region}.${AWS::URLSuffix}")}}
    return _grant(sid, GRANT_KEY, [key_arn(key) for key in keys], policy, source, through)


def _given_volumes(spec: Cluster) -> Iterator[Grant]:
    """Volumes of the user's, which do not carry the cluster's tag."""
    ours = [storage.id for storage in spec.storage if isinstance(storage, Ebs) and storage.id]
    raw = fragment.texts(spec.parallelcluster.raw, "SharedStorage[].EbsSettings.VolumeId")
    arns = list(_own_volumes(spec))
    if volumes := list(dict.fromkeys([*ours, *raw])):
        arns += [arn("ec2", f"volume/{volume}") for volume in volumes]
    if arns:
        yield _grant("GivenVolumes", "ec2:AttachVolume DetachVolume", arns, None, "storage.id")


def _own_volumes(spec: Cluster) -> Iterator[Value]:
    """Volumes of the cluster's stack, and of storage files' stacks."""
    for storage in spec.storage:
        if isinstance(storage, Ebs) and made_by_stack(storage):
            yield arn("ec2", f"volume/${{{filesystem_id(storage.name)}}}")
        if isinstance(storage, Imported) and storage.stored.type == "ebs":
            volume = imported_id(storage.from_, storage.stored.name)
            yield sub("arn:${AWS::Partition}:ec2:${AWS::Region}:${AWS::AccountId}:volume/${Volume}", Volume=volume)


def _hydration(spec: Cluster) -> Iterator[Grant]:
    # A fragment's names have not been through our models.
    places = [Bucket.model_construct(name=name, prefix=path, write=write) for name, path, write in hydrated(spec)]
    yield from _buckets("Hydration", places, "HeadStorage", "storage.hydration")


def _raw_buckets(spec: Cluster) -> Iterator[Grant]:
    """Scripts of the fragment's custom actions, and its S3Access, which ParallelCluster writes into its roles."""
    raw = spec.parallelcluster.raw
    for node, policy in (
        (fragment.HEAD, "HeadStorage"),
        (fragment.POOLS, "ComputeBase"),
        (fragment.QUEUES, "ComputeBase"),
    ):
        if found := fragment.scripts(raw, node):
            objects = [bucket_arn(f"{bucket}/{key}") for bucket, key in found]
            sid = f"Raw{node.rpartition('.')[2].removesuffix('[]')}Scripts"
            yield _grant(sid, READ_OBJECTS, objects, policy, f"parallelcluster.raw.{node}.CustomActions")
    for node in (fragment.HEAD, fragment.QUEUES):
        path = f"{node}.Iam.S3Access[]"
        for access in fragment.values(raw, path):
            yield from _s3_access(access, f"parallelcluster.raw.{path}")


def _s3_access(access: object, source: str) -> Iterator[Grant]:
    for bucket in fragment.texts(access, "BucketName"):
        keys = fragment.texts(access, "KeyName")
        names = [f"{bucket}/{key}" for key in keys] or [bucket, f"{bucket}/*"]
        write = True in fragment.values(access, "EnableWriteAccess")
        actions = "s3:*" if write else "s3:Get* List*"
        yield _grant("RawS3Access", actions, [bucket_arn(fragment.literal(name)) for name in names], None, source)


def _raw_features(spec: Cluster) -> Iterator[Grant]:
    raw = spec.parallelcluster.raw
    if True in fragment.values(raw, "SharedStorage[].EfsSettings.IamAuthorization"):
        yield _grant(
            "RawEfs",
            "elasticfilesystem:ClientMount ClientRootAccess ClientWrite",
            [arn("elasticfilesystem", "file-system/*")],
            None,
            "parallelcluster.raw.SharedStorage",
        )
    if fragment.has(raw, "DeploymentSettings.LambdaFunctionsVpcConfig"):
        yield _grant(
            "RawVpc",
            "ec2:AssignPrivateIpAddresses CreateNetworkInterface DeleteNetworkInterface "
            "UnassignPrivateIpAddresses",
            ["*"],
            None,
            "parallelcluster.raw.DeploymentSettings",
        )
    yield from _raw_reservations(raw)


def _raw_reservations(raw: Mapping[str, object]) -> Iterator[Grant]:
    groups = [
        group
        for level in (fragment.QUEUES, f"{fragment.QUEUES}.ComputeResources[]")
        for group in fragment.texts(raw, f"{level}.CapacityReservationTarget.CapacityReservationResourceGroupArn")
    ]
    if groups:
        yield _grant(
            "RawReservations", "resource-groups:ListGroupResources", groups, None, "parallelcluster.raw.Scheduling"
        )


def _grant(
    sid: str,
    actions: str | tuple[str, ...],
    resources: Sequence[Value],
    policy: str | None,
    source: str,
    condition: Mapping[str, Value] | None = None,
) -> Grant:
    return Grant(
        sid=sid,
        actions=actions,
        resources=tuple(resources),
        policy=policy,
        source=source,
        condition=condition,
    )
