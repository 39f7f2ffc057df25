"""``clusterform facts``: the committed facts that synthesis reads instead of asking AWS."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ops.facts import Refreshed

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback()
def facts() -> None:
    """The committed facts that synthesis reads instead of asking AWS."""


@app.command()
def refresh(
    region: Annotated[
        str | None, typer.Option(help="The Region to ask. Left out: the profile's, else us-east-1")
    ] = None,
    profile: Annotated[str | None, typer.Option(help="The AWS profile to use")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what changed as one JSON document")] = False,
) -> None:
    """Renew the facts of instance types from the EC2 API.

    Writes config/facts/instance_types.json and shows what changed. Types that the Region does not offer
    leave the file; config/facts/additions.json stays as it is.
    """
    from ops import facts as action

    result = action.refresh(region, profile, progress=lambda text: print(text, file=sys.stderr, flush=True))
    if as_json:
        import dataclasses
        import json

        print(json.dumps(dataclasses.asdict(result), indent=2))
    else:
        print(_text(result))


def _text(result: Refreshed) -> str:
    lines = [f"{result.total} instance types of {result.region} written to config/facts/instance_types.json"]
    for sign, names in (("added", result.added), ("removed", result.removed)):
        lines += [f"{sign} {len(names)}: {', '.join(names)}"] if names else []
    for name, (old, new) in result.changed.items():
        differences = [
            f"{key} {old.get(key)} -> {new.get(key)}"
            for key in sorted(old.keys() | new)
            if old.get(key) != new.get(key)
        ]
        lines.append(f"changed {name}: {', '.join(differences)}")
    return "\n".join(lines if len(lines) > 1 else [*lines, "no type changed"])
