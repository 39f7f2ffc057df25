"""What differs between the operating systems of nodes: the one place for it.

Scripts never ask which system they run on. They get a system's packages from here, and its commands from the
partial of its family in ``families/``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Family = Literal["debian", "redhat", "amazon"]


@dataclass(frozen=True, eq=False)
class OperatingSystem:
    """``packages`` are what a concern of ours installs, by the concern's name."""

    name: str
    family: Family
    login_user: str
    packages: Mapping[str, tuple[str, ...]]


_SPACK = ("make", "patch", "tar", "gzip", "bzip2", "unzip", "file", "git", "python3")
_DEBIAN = {
    "nfs": ("nfs-common",),
    "spack": ("build-essential", "gfortran", "xz-utils", "gnupg", *_SPACK),
}
_REDHAT = {"nfs": ("nfs-utils",), "spack": ("gcc", "gcc-c++", "gcc-gfortran", "xz", "gnupg2", *_SPACK)}
_AMAZON = {"nfs": ("nfs-utils",), "spack": ("gcc", "gcc-c++", "gcc-gfortran", "xz", *_SPACK)}

OPERATING_SYSTEMS = {
    system.name: system
    for system in (
        OperatingSystem("ubuntu2204", "debian", "ubuntu", _DEBIAN),
        OperatingSystem("ubuntu2404", "debian", "ubuntu", _DEBIAN),
        OperatingSystem("rhel9", "redhat", "ec2-user", _REDHAT),
        OperatingSystem("alinux2023", "amazon", "ec2-user", _AMAZON),
    )
}
"""By the name that a cluster's file and ParallelCluster use."""
