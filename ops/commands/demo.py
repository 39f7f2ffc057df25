"""``clusterform demo``: a cluster's whole life on a private local AWS."""

from __future__ import annotations

import typer


def demo() -> None:
    """Deploy, change and destroy the demo cluster on a local AWS. Takes about a minute and needs no account."""
    from ops.demo import story

    raise typer.Exit(story.tell())
