"""What the CDK CLI uploads before a deployment: scripts, and the code of our functions.

A script's key in the bootstrap bucket is the SHA-256 of its content (CDK's own asset hashes cover more than the
content), so that an edited script changes one line of the template: the one that says which script it is.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from aws_cdk import FileAssetLocation, FileAssetPackaging, Stack, Stage
from constructs import Construct

from bootstrap_assets.manifest import Script

HANDLERS = Path(__file__).parent / "functions" / "handlers"


def script_asset(scope: Construct, script: Script) -> str:
    """Stage a script under the key ``SHA256.sh`` and return the bucket's name, as a token."""
    stack = Stack.of(scope)
    path = _outdir(stack) / f"asset.{script.sha256}.sh"
    _write(path, script.content)
    return _add(stack, script.name, script.sha256, path.name, FileAssetPackaging.FILE).bucket_name


def handlers_asset(scope: Construct) -> tuple[str, str]:
    """Stage the code of our functions, all in one archive; returns bucket and key."""
    stack = Stack.of(scope)
    sources = {path.name: path.read_bytes() for path in sorted(HANDLERS.glob("*.py"))}
    digest = hashlib.sha256()
    for name, content in sources.items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    sha256 = digest.hexdigest()
    folder = _outdir(stack) / f"asset.{sha256}"
    package = folder / HANDLERS.name
    package.mkdir(parents=True, exist_ok=True)
    for path in (folder, package):
        path.chmod(0o755)
    for name, content in sources.items():
        _write(package / name, content)
    location = _add(stack, "functions", sha256, folder.name, FileAssetPackaging.ZIP_DIRECTORY)
    return location.bucket_name, location.object_key


def _outdir(stack: Stack) -> Path:
    stage = Stage.of(stack)
    assert stage is not None  # every stack stands in the App, which is one
    return Path(stage.outdir)


def _write(path: Path, content: bytes) -> None:
    """Readable for all whatever the umask: the archive keeps the modes, and Lambda reads it as another user."""
    path.write_bytes(content)
    path.chmod(0o644)


def _add(stack: Stack, name: str, sha256: str, file: str, packaging: FileAssetPackaging) -> FileAssetLocation:
    return stack.synthesizer.add_file_asset(
        source_hash=sha256, file_name=file, packaging=packaging, display_name=name
    )
