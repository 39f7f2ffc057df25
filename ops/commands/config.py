"""``clusterform config``: what a cluster's files amount to, and the files generated from the models."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

ROOT = Path(__file__).resolve().parents[2]

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback()
def config() -> None:
    """What a cluster's files amount to; JSON Schemas for editors."""


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="The cluster: the stem of a file in config/clusters")],
    context: Annotated[
        list[str] | None,
        typer.Option(
            "-c", "--context", metavar="clusterform:PATH=VALUE", help="Override a value, as cdk takes it"
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document")] = False,
) -> None:
    """Print a cluster's configuration, each value with its origin. All layers are merged, overrides included.

    Then how long its nodes take to start, and what they need in subnets without internet.
    """
    import json

    from config import explain
    from config.findings import ConfigError
    from config.loader import load_clusters
    from config.report import as_data, render
    from config.selection import select
    from ops import node_plan

    try:
        (cluster,) = load_clusters(ROOT, select(_context(name, context), ROOT))
    except ConfigError as error:
        if as_json:
            print(json.dumps({"findings": as_data(error.findings)}, indent=2))
        raise
    if cluster.findings:
        print(render(cluster.findings), file=sys.stderr)
    what = (cluster.name, cluster.spec, ROOT)
    if as_json:
        print(json.dumps(explain.data(cluster) | node_plan.data(*what), indent=2))
    else:
        print(explain.text(cluster) + node_plan.text(*what), end="")


def _context(name: str, pairs: list[str] | None) -> dict[str, object]:
    """CDK's context of a run about one cluster."""
    context: dict[str, object] = {}
    for pair in pairs or []:
        key, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} has no value, write clusterform:PATH=VALUE", param_hint="-c")
        context[key] = value
    if "cluster" in context:
        raise typer.BadParameter("the cluster is named twice, as an argument and with -c", param_hint="-c")
    return context | {"cluster": [name]}


@app.command()
def schema(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail if a file is out of date")] = False,
) -> None:
    """Write the JSON Schemas for editors and the reference pages. Both follow from the models and rules."""
    from config.generated import outdated, write

    stale = outdated(ROOT)
    if not check:
        write(ROOT)
    for file in stale:
        print(f"{file}: {'out of date, run: clusterform config schema' if check else 'written'}", file=sys.stderr)
    raise typer.Exit(1 if check and stale else 0)
