"""``clusterform cdk``: the pinned CDK CLI, in the project's folder and environment."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand

ROOT = Path(__file__).resolve().parents[2]


class Verbatim(TyperCommand):
    """A command that leaves its whole command line, ``--help`` and ``--`` included, to the program it runs."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep every argument as it came."""
        ctx.args = list(args)
        return args


SETTINGS = {"cls": Verbatim, "options_metavar": "ARGS..."}


def cdk(ctx: typer.Context) -> None:
    """Run the pinned CDK CLI, as in: cdk deploy -c cluster=demo. Every argument is passed on."""
    # app.py is started as python3 and itself starts node: both must be this environment's.
    programs = str(Path(sys.executable).parent)
    path = os.pathsep.join([programs, os.environ.get("PATH", os.defpath)])
    program = shutil.which("cdk", path=path)
    if program is None:
        print("clusterform: no CDK CLI on the PATH; ./clusterform cdk brings its own", file=sys.stderr)
        raise typer.Exit(1)
    environment = {"CDK_DISABLE_CLI_TELEMETRY": "true", **os.environ, "PATH": path}
    os.chdir(ROOT)
    os.execve(program, ["cdk", *ctx.args], environment)
