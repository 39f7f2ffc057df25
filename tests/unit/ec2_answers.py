"""What EC2 answers about instance types, as moto recorded it."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import moto


@cache
def recorded() -> dict[str, Any]:
    """EC2's answer as moto recorded it, by name."""
    file = Path(moto.__file__).parent / "ec2" / "resources" / "instance_types.json.gz"
    return json.loads(gzip.decompress(file.read_bytes()))


def infos(*names: str, **changes: Any) -> list[dict[str, Any]]:
    """EC2's answer for some types, with what they all have changed."""
    return [recorded()[name] | changes for name in names]
