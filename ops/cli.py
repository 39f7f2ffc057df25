"""The ``clusterform`` command: finds the module of the command asked for, and turns its end into a status.

Exit status: 0 fine, 1 refused or failed, 2 usage, 4 AWS or an engine failed, 130 interrupted.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

import typer
from typer.core import TyperGroup

COMMANDS = ("config", "validate", "facts", "local", "demo", "test", "cdk")
"""In the order of the help. Each is a module of ``ops.commands``: with an ``app`` of several commands, or with one
function of its own name (and, where Typer must be told more of it, ``SETTINGS``)."""

PLAIN: dict[str, Any] = {
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "add_completion": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}
"""How each of our applications prints: plain text, since loading rich takes longer than most commands run."""


class Commands(TyperGroup):
    """The commands, each imported when it is asked for: the imports of one never cost another."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Every command's name, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, or None."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"ops.commands.{cmd_name}")
        if hasattr(module, "app"):
            command = typer.main.get_group(module.app)
        else:
            single = typer.Typer(**PLAIN)
            single.command(**getattr(module, "SETTINGS", {}))(getattr(module, cmd_name))
            command = typer.main.get_command(single)
        command.name = cmd_name
        return command


app = typer.Typer(name="clusterform", cls=Commands, no_args_is_help=True, **PLAIN)


@app.callback()
def clusterform() -> None:
    """Slurm clusters on AWS, each declared by one YAML file and deployed by the AWS CDK."""


def main() -> None:
    """Run the command line and exit with its status."""
    try:
        app(prog_name="clusterform")
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        status = _explained(error)
        if status is None:
            raise
        sys.exit(status)


def _explained(error: Exception) -> int | None:
    """Print an error that has words for the user and return its exit status; None for one that is a defect."""
    from config.findings import ConfigError

    if isinstance(error, ConfigError):
        from config.report import render

        print(render(error.findings), file=sys.stderr)
        return 1
    if type(error).__module__.partition(".")[0] in ("botocore", "boto3"):
        print(f"clusterform: AWS: {error}", file=sys.stderr)
        return 4
    if isinstance(error, ModuleNotFoundError) and error.name in ("ministack", "moto"):
        print(f"clusterform: needs {error.name}, which ./clusterform installs for the command", file=sys.stderr)
        return 1
    return None


if __name__ == "__main__":
    main()
