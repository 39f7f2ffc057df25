"""Spack and Lmod: software of all users, in the package directory.

The release is staged in the bucket at deploy, so its installation needs no internet. What Spack then builds does:
sources come from the internet, or from a mirror of your own.
"""

from __future__ import annotations

from collections.abc import Iterator

from bootstrap_assets.manifest import Download
from bootstrap_assets.step import HEAD, Step, Subject
from config.derived import package_directory
from config.models.cluster import Cluster
from config.models.software import SpackRelease

RELEASE = SpackRelease(
    version="0.23.1",
    sha256="32ca622c49448a3b4e398eb1397d8ff9a6aa987a248de621261e24e65f287593",
)
"""The last release with all recipes inside; from 1.0 on Spack fetches them with git at its first use. The checksum
stands in Homebrew's formula of this version and in recipes of the package ``spack`` for Spack itself, alike."""
URL = "https://github.com/spack/spack/releases/download/v{version}/spack-{version}.tar.gz"

_NAMES = {"ubuntu2204": "ubuntu22.04", "ubuntu2404": "ubuntu24.04", "rhel9": "rhel9", "alinux2023": "amzn2023"}
"""What Spack calls the systems, in the names of its module folders."""


def steps(subject: Subject) -> Iterator[Step]:
    """Spack on the head node, Lmod where the head node reaches sources, and the environment on every node."""
    spec = subject.spec
    if not spec.software.spack:
        return
    release, directory = spack_release(spec), package_directory(spec)
    place, values = f"{directory}/spack/{release.version}", {"spack_os": _NAMES[spec.os]}
    yield Step(
        "install-spack",
        "spack/install_spack.sh.j2",
        # About 20,000 small files: seconds on a volume, minutes on EFS.
        seconds=240,
        nodes=HEAD,
        args=(release.version, release.sha256, directory),
    )
    if spec.network.subnets[spec.head_node.subnet].internet:
        # A dozen packages from source, on a head node of four cores.
        yield Step(
            "install-lmod", "spack/install_lmod.sh.j2", seconds=600, nodes=HEAD, values=values, args=(place,)
        )
    yield Step(
        "set-spack-environment",
        "spack/set_environment.sh.j2",
        seconds=1,
        values=values,
        args=(place,),
    )


def spack_release(spec: Cluster) -> SpackRelease:
    """The release that the file names, else ours."""
    return spec.software.spack_release or RELEASE


def downloads(spec: Cluster) -> list[Download]:
    """The release's tarball, for the head node alone."""
    if not spec.software.spack:
        return []
    release = spack_release(spec)
    url = URL.format(version=release.version)
    return [Download(f"spack-{release.version}.tar.gz", release.sha256, url, HEAD)]
