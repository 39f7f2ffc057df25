"""The parts of a cluster that several rules walk over, with their places in the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from config.derived import HEAD_ROOT_GIB, QUEUE_ROOT_GIB, is_managed, login_instance_type, made_by_engine
from config.findings import KeyPath
from config.models.cluster import Cluster
from config.models.compute import RootVolume
from config.models.filesystems import EbsSettings, EfsSettings, LustreSettings
from config.models.storage import FsxLustre
from config.models.storage_file import StorageFile
from config.near import listing, nearest
from config.rules.base import Subject


@dataclass(frozen=True)
class Volume:
    """An EBS volume that is created; ``size_gib`` is None where none is written, and ``gib`` what it then has."""

    path: KeyPath
    type_key: str
    type: str
    size_gib: int | None
    gib: int
    iops: int | None
    throughput: int | None
    is_root: bool
    custom_image: bool


def made(spec: Cluster | StorageFile) -> Iterator[tuple[KeyPath, EbsSettings | EfsSettings | LustreSettings]]:
    """The filesystems that a file has made, by whomever; never those that exist already."""
    if isinstance(spec, StorageFile):
        yield from ((("filesystems", index), each) for index, each in enumerate(spec.filesystems))
    else:
        yield from ((("storage", index), each) for index, each in enumerate(spec.storage) if is_managed(each))


def volumes(spec: Cluster | StorageFile) -> Iterator[Volume]:
    """Root volumes of the head node and the queues, and new shared volumes; never those that exist already."""
    if isinstance(spec, Cluster):
        yield from _root_volumes(spec)
    for path, each in made(spec):
        if isinstance(each, EbsSettings):
            size, iops, throughput = each.size_gib, each.iops, each.throughput
            yield Volume(path, "volume_type", each.volume_type, size, size, iops, throughput, False, False)


def _root_volumes(spec: Cluster) -> Iterator[Volume]:
    roots: list[tuple[KeyPath, RootVolume, int, str | None]] = [
        (("head_node", "root_volume"), spec.head_node.root_volume, HEAD_ROOT_GIB, spec.custom_ami)
    ]
    for index, queue in enumerate(spec.queues):
        image = queue.custom_ami or spec.custom_ami
        roots.append((("queues", index, "root_volume"), queue.root_volume, QUEUE_ROOT_GIB, image))
    for path, root, default, image in roots:
        gib = default if root.size_gib is None else root.size_gib
        iops, throughput, own_image = root.iops, root.throughput, image is not None
        yield Volume(path, "type", root.type, root.size_gib, gib, iops, throughput, True, own_image)


def instance_types(spec: Cluster) -> Iterator[tuple[KeyPath, str]]:
    """Every instance type that the file names, with its place."""
    yield ("head_node", "instance_type"), spec.head_node.instance_type
    for index, pool in enumerate(spec.login):
        if pool.instance_type is not None:
            yield ("login", index, "instance_type"), pool.instance_type
    for index, queue in enumerate(spec.queues):
        for place, name in enumerate(queue.instance_types):
            yield ("queues", index, "instance_types", place), name


def known_types(subject: Subject) -> Iterator[tuple[KeyPath, str]]:
    """Every instance type in use whose facts are known, defaults of login pools included."""
    for path, name in instance_types(subject.spec):
        if name in subject.types:
            yield path, name
    if subject.spec.head_node.instance_type in subject.types:
        for index, pool in enumerate(subject.spec.login):
            name = login_instance_type(subject.spec, pool, subject.types)
            if pool.instance_type is None and name in subject.types:
                yield ("login", index), name


def new_lustre(spec: Cluster | StorageFile) -> Iterator[tuple[KeyPath, LustreSettings]]:
    """The Lustre filesystems that a file has made, with their places."""
    yield from ((path, each) for path, each in made(spec) if isinstance(each, LustreSettings))


def engine_lustre(spec: Cluster) -> Iterator[tuple[int, FsxLustre]]:
    """The Lustre filesystems that ParallelCluster makes with the cluster."""
    for index, storage in enumerate(spec.storage):
        if made_by_engine(storage) and isinstance(storage, FsxLustre):
            yield index, storage


def did_you_mean(word: str, known: list[str]) -> str:
    """A hint: the nearest of the known words, else all of them."""
    near = nearest(word, known)
    return f"did you mean {near}?" if near else f"known are: {listing(known)}"
