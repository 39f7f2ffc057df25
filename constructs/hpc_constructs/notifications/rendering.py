"""What people are told when a cluster is up: where its data is, and how to get in. Plain data."""

from __future__ import annotations

from collections.abc import Iterator

from config.derived import HYDRATION_HELPERS, export_target, hydrated_mounts, package_directory
from config.models.cluster import Cluster
from config.models.storage import Ebs, Efs, FsxLustre, Imported, Nfs, Storage
from hpc_constructs.intrinsics import Value
from hpc_constructs.storage.rendering_kept import WORDS

USERS = {"ubuntu2204": "ubuntu", "ubuntu2404": "ubuntu"}
USER = "ec2-user"
"""The account that every image of an operating system has."""

HEAD_NODE = (
    "aws ec2 describe-instances --region REGION --filters Name=instance-state-name,Values=running "
    "Name=tag:parallelcluster:cluster-name,Values=NAME Name=tag:parallelcluster:node-type,Values=HeadNode"
)
SHELL = (
    f'aws ssm start-session --region REGION --target "$({HEAD_NODE} '
    "--query 'Reservations[].Instances[].InstanceId' --output text)\""
)
OUTPUTS = (
    "aws cloudformation describe-stacks --region REGION --stack-name clusterform-pc-NAME "
    "--query 'Stacks[0].Outputs[].[OutputKey,OutputValue]' --output text"
)
KEY = (
    "umask 077; aws ssm get-parameter --region REGION --name PARAMETER --with-decryption "
    "--query Parameter.Value --output text > NAME-key.pem"
)

AT_THE_END = {
    "retain": "kept when the cluster is deleted",
    "delete": "deleted with the cluster",
    "snapshot": "deleted with the cluster, a snapshot is kept",
}


def told(name: str, spec: Cluster) -> dict[str, Value]:
    """The blocks of the message that follow from the configuration alone."""
    return {"Storage": storage_lines(spec), "Access": list(access(name, spec))}


def storage_lines(spec: Cluster) -> list[str]:
    """Exactly the filesystems there are, and where software goes; also an output of the stack."""
    lines = [line for storage in spec.storage for line in _storage(storage)]
    if hydrated_mounts(spec):
        lines.append(f"on the head node, in /opt/clusterform/bin: {', '.join(HYDRATION_HELPERS)}")
    if spec.storage or spec.software.spack:
        lines.append(f"{package_directory(spec)}: software for all users")
    return lines


def access(name: str, spec: Cluster) -> Iterator[dict[str, str]]:
    """The ways in, each with its command."""

    def way(text: str, command: str) -> dict[str, str]:
        return {"Text": text, "Command": command.replace("NAME", name).replace("REGION", spec.region)}

    if spec.session_manager:
        yield way("a shell on the head node, through Systems Manager, without key or open port:", SHELL)
    if spec.ssh.key_reader is not None:
        reader, networks = spec.ssh.key_reader, ", ".join(spec.ssh.allowed_cidrs)
        yield way("the head node's ADDRESS and the private key's PARAMETER, by the stack's outputs:", OUTPUTS)
        yield way(f"the private key, which role {reader} may read:", KEY)
        yield way(f"SSH, from {networks}:", f"ssh -i NAME-key.pem {USERS.get(spec.os, USER)}@ADDRESS")


def _storage(storage: Storage) -> Iterator[str]:
    yield f"{storage.mount}: {_kind(storage)}"
    if isinstance(storage, FsxLustre) and (target := export_target(storage)) and storage.hydration:
        source = storage.hydration
        yield f"{storage.mount}: loads from s3://{source.import_bucket}/{source.import_path}"
        yield f"{storage.mount}: writes back to s3://{target[0]}/{target[1]}"


def _kind(storage: Storage) -> str:
    match storage:
        case Nfs():
            return f"NFS server {storage.server}:{storage.export}"
        case Ebs():
            what = f"EBS volume {storage.id or storage.name}"
            size = f", {storage.size_gib} GiB {storage.volume_type}"
        case Efs():
            what, size = f"EFS filesystem {storage.id or storage.name}", ""
        case Imported():
            what = f"{WORDS[storage.stored.type]} {storage.stored.name}"
            return f"{what} of storage {storage.from_}, which outlives clusters"
        case FsxLustre():
            what = f"FSx for Lustre filesystem {storage.id or storage.name}"
            size = f", {storage.size_gib} GiB {storage.deployment_type}"
    if storage.id is not None:
        return f"{what}, which was there before the cluster and stays"
    return f"{what}{size}; {AT_THE_END[storage.on_delete]}"
