"""What the CDK CLI uploads before a deployment: scripts, and the code of our functions.

A script's key in the bootstrap bucket is the SHA-256 of its content (CDK's own asset hashes cover more than the
content), so that an edited script changes one line of the template: the one that says which script it is.

The CDK's calls for an asset answer with a location that we know already, and cost more than the rest of a stack;
so the files are put beside the templates here, and their entries into the stack's asset manifest, in the form of
the entry that the CDK makes for the template itself.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bootstrap_assets.manifest import Script
from hpc_constructs.intrinsics import Value, sub
from hpc_constructs.rendering_bootstrap import ASSETS_BUCKET

HANDLERS = Path(__file__).parent / "functions" / "handlers"


@dataclass(frozen=True)
class Code:
    """An archive in the bootstrap bucket."""

    bucket: Value
    key: str


@dataclass(frozen=True)
class Asset:
    """A file, or a folder that becomes an archive, to be uploaded under ``key``; ``path`` lies in the assembly."""

    sha256: str
    key: str
    path: str
    name: str
    packaging: str


def handlers_code() -> Code:
    """Where the functions find their code."""
    return Code(sub(ASSETS_BUCKET), f"{_handlers()[0]}.zip")


def add_assets(outdir: Path, stack: str, scripts: Iterable[Script]) -> None:
    """Put scripts and handlers into the assembly in ``outdir``, for the deployment of ``stack``.

    To be called after the synthesis, which writes the stack's asset manifest.
    """
    path = outdir / f"{stack}.assets.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    (pattern,) = manifest["files"].values()  # the template's own
    for asset in (*_scripts(outdir, scripts), _archive(outdir)):
        destinations = copy.deepcopy(pattern["destinations"])
        for destination in destinations.values():
            destination["objectKey"] = asset.key
        manifest["files"][asset.sha256] = {
            "displayName": asset.name,
            "source": {"path": asset.path, "packaging": asset.packaging},
            "destinations": destinations,
        }
    path.write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def _scripts(outdir: Path, scripts: Iterable[Script]) -> Iterator[Asset]:
    for script in scripts:
        path = outdir / f"asset.{script.sha256}.sh"
        _write(path, script.content)
        yield Asset(script.sha256, f"{script.sha256}.sh", path.name, script.name, "file")


def _archive(outdir: Path) -> Asset:
    sha256, sources = _handlers()
    folder = outdir / f"asset.{sha256}"
    _make(folder)
    _make(folder / HANDLERS.name)
    for name, content in sources:
        _write(folder / HANDLERS.name / name, content)
    return Asset(sha256, f"{sha256}.zip", folder.name, "functions", "zip")


@cache
def _handlers() -> tuple[str, tuple[tuple[str, bytes], ...]]:
    """The handlers' files and a hash of their names and contents."""
    sources = tuple((path.name, path.read_bytes()) for path in sorted(HANDLERS.glob("*.py")))
    digest = hashlib.sha256()
    for name, content in sources:
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest(), sources


# Once a synthesis, however many clusters there are. Readable for all whatever the umask: the archive keeps the
# modes, and Lambda reads it as another user.
@cache
def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.chmod(0o644)


@cache
def _make(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
