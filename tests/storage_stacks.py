"""Templates of storage files' stacks."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from config.models.storage_file import StorageFile
from config.project import Project
from config.standalone import LoadedFile
from stacks.application import synthesize
from tests.assembly import CONTEXT, ROOT


def template(spec: StorageFile, name: str = "shared-home") -> dict[str, Any]:
    """The template of ``spec`` under a name."""
    with tempfile.TemporaryDirectory() as outdir:
        project = Project((), storage=(LoadedFile(name, spec, {}, ()),))
        synthesize(project, CONTEXT, ROOT, Path(outdir))
        path = Path(outdir) / f"clusterform-storage-{name}.template.json"
        return json.loads(path.read_text(encoding="utf-8"))


def manifest(spec: StorageFile, name: str = "shared-home") -> dict[str, Any]:
    """What the assembly says about the stack beside its template."""
    with tempfile.TemporaryDirectory() as outdir:
        project = Project((), storage=(LoadedFile(name, spec, {}, ()),))
        synthesize(project, CONTEXT, ROOT, Path(outdir))
        found = json.loads((Path(outdir) / "manifest.json").read_text(encoding="utf-8"))
        return found["artifacts"][f"clusterform-storage-{name}"]["properties"]
