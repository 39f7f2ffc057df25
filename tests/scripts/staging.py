"""Small scripts in the directory that stands for the staging bucket."""

from __future__ import annotations

from pathlib import Path

from bootstrap_assets.manifest import Download, Manifest, Script
from bootstrap_assets.renderer import render_manifest
from tests.factories import cluster
from tests.scripts.node import Node

ENTRY = render_manifest("demo", cluster(), Path()).entry
EVERY_NODE = ("head", "login", "compute")


def script(
    name: str, body: str, *args: str, stage: str = "configured", nodes: tuple[str, ...] = EVERY_NODE
) -> Script:
    return Script(name, f"#!/bin/bash\nset -euo pipefail\n{body}\n".encode(), stage, nodes, args)


def note(name: str, **more: object) -> Script:
    """A script that notes its name in the node's root."""
    return script(name, f'echo {name} >>"$CLUSTERFORM_ROOT/ran"', **more)  # type: ignore[arg-type]


def staged(node: Node, *scripts: Script, downloads: tuple[Download, ...] = ()) -> Manifest:
    manifest = Manifest(ENTRY, scripts, downloads)
    node.stage(manifest)
    return manifest


def ran(node: Node) -> list[str]:
    file = node.root / "ran"
    return file.read_text().split() if file.exists() else []
