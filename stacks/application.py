"""The application: one stack for each selected cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from aws_cdk import App

from config.loader import LoadedCluster
from stacks.parallelcluster_cluster import ParallelClusterStack


def synthesize(clusters: Sequence[LoadedCluster], context: Mapping[str, object], root: Path, outdir: Path) -> None:
    """Write the cloud assembly of ``clusters`` to ``outdir``; ``root`` is where configured paths start."""
    app = App(analytics_reporting=False, context=dict(context), outdir=str(outdir))
    for cluster in clusters:
        ParallelClusterStack(app, name=cluster.name, spec=cluster.spec, root=root)
    app.synth()
