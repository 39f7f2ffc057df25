"""``clusterform validate``: ParallelCluster's own rules on clusters of this project, without AWS."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from config.findings import Finding
    from ops.validate import Checked

ROOT = Path(__file__).resolve().parents[2]


def validate(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Left out: every cluster")] = None,
    context: Annotated[
        list[str] | None, typer.Option("-c", "--context", metavar="KEY=VALUE", help="As cdk takes it")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document")] = False,
) -> None:
    """Check clusters by ParallelCluster's own rules, without AWS. They are those of each cluster's version."""
    from bootstrap_assets.findings import node_findings
    from config.findings import ConfigError, Severity
    from config.project import load
    from config.report import render
    from config.selection import select
    from hpc_constructs.rendering_findings import consequences
    from ops.validate import validate as check
    from pcluster_rules.errors import RulesError

    try:
        project = load(ROOT, select(_context(names, context), ROOT))
    except ConfigError as error:
        if as_json:
            print(_json(error.findings, ()))
        raise
    findings = [*project.findings, *consequences(project), *node_findings(project, ROOT)]
    if findings:
        print(render(findings), file=sys.stderr)
    checked: list[Checked] = []
    try:
        for one in check(project.clusters):
            checked.append(one)
            if not as_json:
                print(text(one), flush=True)
    except RulesError as error:
        print(f"clusterform: {error}", file=sys.stderr)
        raise typer.Exit(4) from error
    if as_json:
        print(_json(findings, checked))
    invalid = any(finding.severity is Severity.ERROR for finding in findings)
    raise typer.Exit(1 if invalid or any(one.refused for one in checked) else 0)


def _context(names: list[str] | None, pairs: list[str] | None) -> dict[str, object]:
    """The command line as CDK's context, which :func:`config.selection.select` understands."""
    context: dict[str, object] = {}
    for pair in pairs or []:
        key, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} has no value, write KEY=VALUE", param_hint="-c")
        context[key] = value
    if names:
        if "cluster" in context:
            raise typer.BadParameter("clusters are named twice, as arguments and with -c", param_hint="NAME")
        context["cluster"] = ",".join(names)
    return context


def text(checked: Checked) -> str:
    """One cluster's result for people: what ParallelCluster says, then what only AWS could tell."""
    verdict = "refused" if checked.refused else "accepted"
    lines = [f"{checked.name}: {verdict} by the rules of ParallelCluster {checked.version}"]
    reasons: dict[str, set[str]] = defaultdict(set)
    for message in checked.messages:
        if message.kind == "not_checked":
            check, _, need = message.message.partition(" need")
            reasons[need.removeprefix("s").strip()].add(check)
        else:
            place = f"{message.path}: " if message.path else ""
            rule = f" [{message.rule}]" if message.rule else ""
            lines.append(f"  {message.level}: {place}{message.message}{rule}")
    if reasons:
        lines.append("  not checked, since it needs")
        lines += [f"    {need}: {', '.join(sorted(checks))}" for need, checks in sorted(reasons.items())]
    return "\n".join(lines)


def _json(findings: Iterable[Finding], checked: Iterable[Checked]) -> str:
    """What our own rules find and, of what can be rendered, what ParallelCluster's say.

    ``{"findings": [...], "clusters": [{"name", "parallelcluster_version", "refused", "messages": [...]}]}``.
    """
    import dataclasses
    import json

    from config.report import as_data

    clusters: list[dict[str, Any]] = [
        {
            "name": one.name,
            "parallelcluster_version": one.version,
            "refused": one.refused,
            "messages": [dataclasses.asdict(message) for message in one.messages],
        }
        for one in checked
    ]
    return json.dumps({"findings": as_data(findings), "clusters": clusters}, indent=2)
