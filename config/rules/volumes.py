"""EBS volumes: root volumes and shared ones. Bounds are EC2's, as ParallelCluster 3.16.1 checks them."""

from __future__ import annotations

from collections.abc import Iterator

from config.derived import DEFAULT_IOPS, DEFAULT_THROUGHPUT
from config.models.storage_file import StorageFile
from config.rules.base import FileSubject, FilesystemRule, Problem, Subject
from config.rules.parts import volumes

SIZE_GIB = {"gp2": (1, 16384), "gp3": (1, 16384), "io1": (4, 16384), "io2": (4, 65536), "st1": (500, 16384)}
IOPS = {"gp3": (3000, 16000), "io1": (100, 64000), "io2": (100, 256000)}
IOPS_PER_GIB = {"gp3": 500, "io1": 50, "io2": 1000}
THROUGHPUT = (125, 1000)
THROUGHPUT_PER_IOPS = 0.25


class VolumeSize(FilesystemRule):
    """A volume's size lies within the bounds of its type."""

    name = "volume-size"

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Compare sizes that are given."""
        for volume in volumes(subject.spec):
            low, high = SIZE_GIB[volume.type]
            if volume.size_gib is not None and not low <= volume.size_gib <= high:
                message = f"{volume.size_gib} GiB: {volume.type} volumes have {low} to {high} GiB"
                yield Problem((*volume.path, "size_gib"), message, f"write {_clamped(volume.size_gib, low, high)}")


class RootVolumeMinimum(FilesystemRule):
    """A root volume holds ParallelCluster's image: 45 GiB (its own default in 3.16.1). Your own may differ."""

    name = "root-volume-minimum"
    needed_gib = 45

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Compare root volumes under ParallelCluster's images."""
        for volume in volumes(subject.spec):
            size = volume.size_gib
            if volume.is_root and not volume.custom_image and size is not None and size < self.needed_gib:
                message = f"{size} GiB is too small for the image, which needs {self.needed_gib} GiB"
                yield Problem(
                    (*volume.path, "size_gib"), message, f"write {self.needed_gib} or more, or leave it out"
                )


class RootVolumeType(FilesystemRule):
    """Nothing boots from st1 (EC2)."""

    name = "root-volume-type"

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Look at root volumes."""
        for volume in volumes(subject.spec):
            if volume.is_root and volume.type == "st1":
                yield Problem((*volume.path, "type"), "a node cannot boot from st1", "write gp3")


class VolumeIops(FilesystemRule):
    """IOPS exist for gp3, io1 and io2, within the bounds of the type."""

    name = "volume-iops"

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Compare IOPS that are given."""
        for volume in volumes(subject.spec):
            path = (*volume.path, "iops")
            if volume.iops is None:
                continue
            if volume.type not in IOPS:
                yield Problem(path, f"{volume.type} volumes have no iops to set", "remove it, or write type gp3")
            elif not IOPS[volume.type][0] <= volume.iops <= IOPS[volume.type][1]:
                low, high = IOPS[volume.type]
                message = f"{volume.iops} IOPS: {volume.type} volumes have {low} to {high}"
                yield Problem(path, message, f"write {_clamped(volume.iops, low, high)}")


class VolumeIopsRatio(FilesystemRule):
    """IOPS per GiB are limited: gp3 500, io1 50, io2 1000."""

    name = "volume-iops-ratio"

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Compare with the size, defaults of both included."""
        for volume in volumes(subject.spec):
            if volume.type not in IOPS_PER_GIB:
                continue
            iops, per_gib = volume.iops or DEFAULT_IOPS[volume.type], IOPS_PER_GIB[volume.type]
            if iops > volume.gib * per_gib:
                message = f"{iops} IOPS on {volume.gib} GiB: {volume.type} allows {per_gib} a GiB"
                key = "size_gib" if volume.iops is None else "iops"
                yield Problem((*volume.path, key), message, "make the volume larger or ask for fewer IOPS")


class VolumeThroughput(FilesystemRule):
    """Throughput is set for gp3 only: 125 to 1000 MB/s."""

    name = "volume-throughput"

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Compare throughput that is given."""
        low, high = THROUGHPUT
        for volume in volumes(subject.spec):
            path = (*volume.path, "throughput")
            if volume.throughput is None:
                continue
            if volume.type != "gp3":
                yield Problem(
                    path, f"{volume.type} volumes have no throughput to set", "remove it, or write type gp3"
                )
            elif not low <= volume.throughput <= high:
                message = f"{volume.throughput} MB/s: gp3 volumes have {low} to {high} MB/s"
                yield Problem(path, message, f"write {_clamped(volume.throughput, low, high)}")


class VolumeThroughputRatio(FilesystemRule):
    """A gp3 volume's throughput is at most 0.25 MB/s for each of its IOPS."""

    name = "volume-throughput-ratio"

    def check(self, subject: Subject | FileSubject[StorageFile]) -> Iterator[Problem]:
        """Compare the two, defaults included."""
        for volume in volumes(subject.spec):
            if volume.type != "gp3":
                continue
            iops, throughput = volume.iops or DEFAULT_IOPS["gp3"], volume.throughput or DEFAULT_THROUGHPUT
            if throughput > iops * THROUGHPUT_PER_IOPS:
                message = f"{throughput} MB/s need {throughput * 4} IOPS, and the volume has {iops}"
                yield Problem((*volume.path, "throughput"), message, f"write iops: {throughput * 4}")


def _clamped(value: int, low: int, high: int) -> int:
    """The nearest value within the bounds."""
    return max(low, min(value, high))
