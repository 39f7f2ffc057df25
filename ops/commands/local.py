"""``clusterform local up|down|status|reset``: the local AWS in the background."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import typer

if TYPE_CHECKING:
    from ops.local.server import Server

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="A local AWS to deploy to, in the background, without an account.",
)
Result = TypeVar("Result")
AS_JSON = typer.Option(False, "--json", help="Print one JSON document instead of text.")


@app.command()
def up(as_json: bool = AS_JSON) -> None:
    """Start it, if it does not run already, and say how to use it."""
    from ops.local import actions

    _show(_act(actions.up), as_json)


@app.command()
def down(as_json: bool = AS_JSON) -> None:
    """Stop it and everything it started."""
    from ops.local import actions

    stopped = _act(actions.down)
    print(json.dumps({"stopped": stopped}) if as_json else "stopped" if stopped else "it was not running")


@app.command()
def status(as_json: bool = AS_JSON) -> None:
    """Say whether it runs, and how to use it. Exit status 1 when it does not."""
    from ops.local import actions

    server = actions.status()
    if server:
        _show(server, as_json)
        return
    print(json.dumps({"running": False}) if as_json else "not running; clusterform local up starts it")
    raise typer.Exit(1)


@app.command()
def reset(as_json: bool = AS_JSON) -> None:
    """Start it afresh, with nothing in it."""
    from ops.local import actions

    _show(_act(actions.reset), as_json)


def _act(action: Callable[[], Result]) -> Result:
    """Run an action; what goes wrong with the local AWS itself ends with status 4."""
    from ops.local.server import LocalAwsError

    try:
        return action()
    except LocalAwsError as error:
        print(f"clusterform: {error}", file=sys.stderr)
        raise typer.Exit(4) from error


def _show(server: Server, as_json: bool) -> None:
    from ops.local.credentials import exports

    settings = exports(server)
    log = server.state / "server.log"
    if as_json:
        print(json.dumps({"running": True, "pid": server.pid, "environment": settings, "log": str(log)}))
        return
    print(f"# local AWS at {server.endpoint}, process {server.pid}, log {log}")
    print('# for this shell: eval "$(./clusterform local status)"')
    for name, value in settings.items():
        print(f"export {name}={shlex.quote(value)}")
