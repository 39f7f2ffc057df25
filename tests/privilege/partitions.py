"""No partition is written out: not in what is deployed, and not in the sources that it is made from."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.assembly import ROOT
from tests.privilege.world import World

ARN = re.compile(r"arn:aws(?:-cn|-us-gov)?:[^\"\s,\\]*")
SOURCES = ("app.py", "bootstrap_assets", "config", "constructs", "ops", "pcluster_rules", "stacks", "benchmarks")
SUFFIXES = (".py", ".sh", ".j2", ".yaml")
EXAMPLES = ("config/clusters/", "config/profiles/", "config/storage/", "config/account.example.yaml")
KNOWN = {
    "config/models/access.py": "an example in the sentence of an error",
    "ops/stand_ins.py": "values of a form for offline checks, which reach nothing",
}
"""Sources that write a partition out, with the reason. The local AWS is not among them: it stands for one."""


def problems(world: World) -> list[str]:
    """ARNs of another partition than the world's own: whatever is written out belongs to one of the three."""
    found = []
    for stack in world.stacks:
        given = json.dumps(stack.loaded.spec.model_dump(mode="json", by_alias=True))
        for logical_id, resource in stack.resources.items():
            written = ARN.findall(json.dumps(resource))
            found += [f"{stack.name} {logical_id}: {arn}" for arn in written if arn not in given]
    return found


def written_out() -> set[str]:
    """Sources with an ARN's partition in them. Files that people edit name things of their own."""
    found = set()
    for path in _files():
        name = path.relative_to(ROOT).as_posix()
        if ARN.search(path.read_text(encoding="utf-8")) and not name.startswith(EXAMPLES):
            found.add(name)
    return found


def _files() -> list[Path]:
    paths = [ROOT / each for each in SOURCES if (ROOT / each).exists()]
    inside = [file for path in paths if path.is_dir() for file in sorted(path.rglob("*"))]
    return [path for path in (*paths, *inside) if path.is_file() and path.suffix in SUFFIXES]
