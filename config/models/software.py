"""Optional software of a cluster."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from config.models.base import Model, Pattern, Sha256


class SpackRelease(Model):
    """A release of Spack, instead of the one that comes with this version of Clusterform."""

    version: Annotated[str, Pattern(r"\d+\.\d+\.\d+", "must be a release such as 0.23.1")] = Field(
        description="From 1.0 on Spack fetches its recipes from the internet at first use"
    )
    sha256: Sha256 = Field(description="Of spack-VERSION.tar.gz, as the release's page on GitHub offers it")


class Software(Model):
    """Optional software of the cluster."""

    accounting: bool = Field(default=True, description="Slurm accounting; declares the database's secret")
    spack: bool = Field(
        default=False,
        description="Spack and Lmod in the package directory, which is pkg on the best shared filesystem; "
        "a deployment then fetches Spack's release from GitHub",
    )
    spack_release: SpackRelease | None = Field(
        default=None, description="Left out: the one that comes with this version"
    )
