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
    stay in the file as they were; so does config/facts/additions.json.
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
    lines = [
        f"{result.total} instance types in config/facts/instance_types.json",
        f"source: {result.source}, {result.date}",
    ]
    changes = [f"added {len(result.added)}: {', '.join(result.added)}"] if result.added else []
    for name, (old, new) in result.changed.items():
        differences = [
            f"{key} {old.get(key)} -> {new.get(key)}"
            for key in sorted(old.keys() | new)
            if old.get(key) != new.get(key)
        ]
        changes.append(f"changed {name}: {', '.join(differences)}")
    lines += changes or ["no type changed"]
    if result.kept:
        lines.append(f"kept {len(result.kept)} that {result.region} does not offer: {', '.join(result.kept)}")
    return "\n".join(lines)
