"""The application: one stack for each selected cluster, storage file and account."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from aws_cdk import App

from config.project import Project
from hpc_constructs.assets import add_assets
from stacks.account import AccountStack
from stacks.parallelcluster_cluster import ParallelClusterStack
from stacks.storage import StorageStack

UNREAD = {"aws:cdk:disable-creation-stack-traces": True, "aws:cdk:disable-logicalId-metadata": True}
"""What the CDK would note down of each resource, and nobody reads: where it was made, and its id once more."""


def synthesize(project: Project, context: Mapping[str, object], root: Path, outdir: Path) -> None:
    """Write the cloud assembly of ``project`` to ``outdir``; ``root`` is where configured paths start."""
    app = App(analytics_reporting=False, stack_traces=False, context={**context, **UNREAD}, outdir=str(outdir))
    stacks = {
        cluster.name: ParallelClusterStack(app, name=cluster.name, spec=cluster.spec, root=root)
        for cluster in project.clusters
    }
    for file in project.storage:
        StorageStack(app, name=file.name, spec=file.spec)
    if project.account is not None:
        AccountStack(app, spec=project.account.spec)
    app.synth()
    for name, stack in stacks.items():
        add_assets(outdir, f"clusterform-pc-{name}", stack.scripts)
