"""What the CDK CLI uploads before a deployment: scripts, and the code of our functions.

A script's key in the bootstrap bucket is the SHA-256 of its content (CDK's own asset hashes cover more than the
content), so that an edited script changes one line of the template: the one that says which script it is.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from aws_cdk import FileAssetPackaging, Stack, Stage
from constructs import Construct

from bootstrap_assets.manifest import Script

HANDLERS = Path(__file__).parent / "functions" / "handlers"


@dataclass(frozen=True)
class Code:
    """An archive in the bootstrap bucket; the bucket's name may be a token."""

    bucket: str
    key: str


def script_assets(scope: Construct, scripts: tuple[Script, ...]) -> None:
    """Stage scripts, each under the key ``SHA256.sh``."""
    stack = Stack.of(scope)
    synthesizer, outdir = stack.synthesizer, _outdir(stack)
    for script in scripts:
        path = outdir / f"asset.{script.sha256}.sh"
        _write(path, script.content)
        synthesizer.add_file_asset(
            source_hash=script.sha256,
            file_name=path.name,
            packaging=FileAssetPackaging.FILE,
            display_name=script.name,
        )


def handlers_asset(stack: Stack) -> Code:
    """Stage the code of our functions, all in one archive."""
    sha256, sources = _handlers()
    folder = _outdir(stack) / f"asset.{sha256}"
    _make(folder)
    _make(folder / HANDLERS.name)
    for name, content in sources:
        _write(folder / HANDLERS.name / name, content)
    location = stack.synthesizer.add_file_asset(
        source_hash=sha256,
        file_name=folder.name,
        packaging=FileAssetPackaging.ZIP_DIRECTORY,
        display_name="functions",
    )
    return Code(location.bucket_name, location.object_key)


@cache
def _handlers() -> tuple[str, tuple[tuple[str, bytes], ...]]:
    """The handlers' files and a hash of their names and contents."""
    sources = tuple((path.name, path.read_bytes()) for path in sorted(HANDLERS.glob("*.py")))
    digest = hashlib.sha256()
    for name, content in sources:
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest(), sources


def _outdir(stack: Stack) -> Path:
    stage = Stage.of(stack)
    assert stage is not None  # every stack stands in the App, which is one
    return Path(stage.outdir)


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
