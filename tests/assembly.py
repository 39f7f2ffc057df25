"""A cluster's synthesized stack, in this process: about 0.2 s each once the CDK has started."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from config.loader import LoadedCluster
from config.models.cluster import Cluster
from config.project import Project
from stacks import application

ROOT = Path(__file__).parents[1]
CONTEXT = json.loads((ROOT / "cdk.json").read_text())["context"]


@dataclass(frozen=True)
class Assembly:
    """The files that a synthesis wrote."""

    folder: Path

    def json(self, name: str) -> dict[str, Any]:
        return json.loads((self.folder / name).read_text())

    def template(self, name: str = "demo") -> dict[str, Any]:
        return self.json(f"clusterform-pc-{name}.template.json")

    def resources(self, name: str = "demo") -> dict[str, dict[str, Any]]:
        return self.template(name)["Resources"]

    def properties(self, logical_id: str, name: str = "demo") -> dict[str, Any]:
        return self.resources(name)[logical_id]["Properties"]

    @cached_property
    def artifacts(self) -> dict[str, dict[str, Any]]:
        return self.json("manifest.json")["artifacts"]


def synthesize(clusters: dict[str, Cluster], root: Path = ROOT) -> Assembly:
    """Synthesize ``clusters`` by name; ``root`` is where hooks' paths start."""
    folder = Path(tempfile.mkdtemp(prefix="clusterform-assembly-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    loaded = tuple(LoadedCluster(name, spec, {}, ()) for name, spec in clusters.items())
    application.synthesize(Project(loaded), CONTEXT, root, folder)
    return Assembly(folder)


def references(value: Any) -> set[str]:
    """Logical ids and pseudo parameters that a value refers to."""
    if isinstance(value, list):
        return {name for item in value for name in references(item)}
    if not isinstance(value, dict):
        return set()
    match value:
        case {"Ref": str(name)}:
            return {name}
        case {"Fn::GetAtt": [str(name), _]}:
            return {name}
        case {"Fn::Sub": str(text)}:
            return names_in(text)
        case {"Fn::Sub": [str(text), dict(values)]}:
            return (names_in(text) - set(values)) | references(values)
    return {name for item in value.values() for name in references(item)}


def names_in(text: str) -> set[str]:
    """What ``${Name}`` and ``${Name.Attribute}`` in a text refer to."""
    parts = [part.partition("}")[0] for part in text.split("${")[1:]]
    return {part.partition(".")[0] for part in parts if not part.startswith("!")}


def closure(resources: dict[str, dict[str, Any]], logical_id: str) -> set[str]:
    """Everything that is created before ``logical_id`` and deleted after it."""
    found: set[str] = set()
    pending = [logical_id]
    while pending:
        resource = resources[pending.pop()]
        listed = resource.get("DependsOn", [])
        needs = references(resource.get("Properties", {})) | ({listed} if isinstance(listed, str) else set(listed))
        fresh = {name for name in needs if name in resources} - found
        found |= fresh
        pending.extend(fresh)
    return found
