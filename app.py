#!/usr/bin/env python3
"""The CDK application: reads the context, loads what is selected and declares one stack for each.

Everything here must parse on an old Python, which gets a sentence instead of a traceback.
"""

import json
import os
import sys

ROOT = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 -- pathlib may be too new here


def refuse_unsuitable_surroundings():
    """Exit with one line where the imports below would end in a traceback about something else."""
    if not (3, 11) <= sys.version_info[:2] < (3, 14):
        sys.exit("clusterform needs Python 3.11, 3.12 or 3.13; this is %d.%d" % sys.version_info[:2])  # noqa: UP031
    if os.path.exists(os.path.join(ROOT, "constructs", "__init__.py")):  # noqa: PTH110, PTH118
        sys.exit("constructs/__init__.py hides the library of that name, which the CDK needs: delete it")


def main():
    """Synthesize what the context selects, or print what is wrong and exit with status 1."""
    refuse_unsuitable_surroundings()
    # Off by default, for it takes four times the time of everything else; checked once in the tests.
    os.environ.setdefault("CDK_VALIDATION", "false")
    # A hundred clusters then need 300 MB instead of 400, at the same speed (tests/benchmarks).
    os.environ.setdefault("NODE_OPTIONS", "--max-semi-space-size=8")
    from pathlib import Path

    from bootstrap_assets.findings import node_findings
    from config.findings import ConfigError, Severity
    from config.project import load
    from config.report import render
    from config.selection import select
    from hpc_constructs.rendering_findings import consequences

    root = Path(ROOT)
    # The CDK CLI hands over cdk.json's context and every -c; without the CLI the result has to be the same.
    defaults = json.loads((root / "cdk.json").read_text(encoding="utf-8"))["context"]
    context = dict(defaults, **json.loads(os.environ.get("CDK_CONTEXT_JSON") or "{}"))
    try:
        project = load(root, select(context, root))
        findings = [*project.findings, *consequences(project), *node_findings(project, root)]
        if any(finding.severity is Severity.ERROR for finding in findings):
            raise ConfigError(findings)
    except ConfigError as error:
        sys.exit(render(error.findings))
    if findings:
        print(render(findings), file=sys.stderr)

    from stacks.application import synthesize

    synthesize(project, context, root, Path(os.environ.get("CDK_OUTDIR") or root / "cdk.out"))


if __name__ == "__main__":
    main()
