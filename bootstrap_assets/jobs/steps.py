"""Scripts of the user's that Slurm runs on a node around each job."""

from __future__ import annotations

from collections.abc import Iterator

from bootstrap_assets.step import HEAD, Step, Subject

PREFIX = "50_clusterform_"
"""Of ours in Slurm's folders. Slurm runs a folder in reverse alphabetical order; so ParallelCluster's check of a
node's health, which begins with 90, comes before ours, as its documentation advises."""
LAST = 99


def steps(subject: Subject) -> Iterator[Step]:
    """Always one, since it also takes away what a cluster no longer lists."""
    yield Step(
        "install-job-scripts",
        "jobs/install_job_scripts.sh.j2",
        seconds=1,
        nodes=HEAD,
        values={"prefix": PREFIX},
    )


def job_file(folder: str, position: int, name: str) -> str:
    """Where a script goes below ``/opt/slurm/etc/scripts``: named so that Slurm runs the first of the list first.

    ParallelCluster's slurm.conf names ``prolog.d/*`` and ``epilog.d/*`` there, since 3.6.
    """
    return f"{folder}/{PREFIX}{LAST - position:02}_{name}"
