"""What a reviewer reads of one cluster: an inventory, the template, and each rendered document in its own form."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from bootstrap_assets.manifest import Manifest
from bootstrap_assets.renderer import render_manifest
from config.loader import LoadedCluster
from tests.assembly import Assembly

CODE_KEY = re.compile(r"[0-9a-f]{64}\.zip")
"""The hash of our functions' code: it changes with every edit, and the edit itself is there to be reviewed."""


def manifest_of(cluster: LoadedCluster, root: Path) -> Manifest:
    """What the cluster's nodes run."""
    return render_manifest(cluster.name, cluster.spec, root)


def artifacts(assembly: Assembly, cluster: LoadedCluster, root: Path) -> dict[str, str]:
    """Texts by file name. The scripts are not among them: see :func:`scripts`."""
    stack = f"clusterform-pc-{cluster.name}"
    template = assembly.template(cluster.name)
    document = template["Resources"]["Cluster"]["Properties"]["ClusterConfiguration"]
    template["Resources"]["Cluster"]["Properties"]["ClusterConfiguration"] = "parallelcluster.yaml"
    return {
        "inventory.yaml": inventory(stack, template),
        f"{stack}.template.yaml": dump(without_bootstrap_checks(template), sort_keys=True),
        "parallelcluster.yaml": dump(document),
        "manifest": "".join(f"{line}\n" for line in manifest_of(cluster, root).lines()),
        "configuration.yaml": dump(cluster.spec.model_dump(mode="json")),
    }


def scripts(manifests: dict[str, Manifest]) -> dict[str, str]:
    """Every distinct script, once, under ``NAME/CASE.sh`` with the first case that runs it."""
    found: dict[tuple[str, bytes], str] = {}
    for case in sorted(manifests):
        for script in (manifests[case].entry, *manifests[case].scripts):
            found.setdefault((script.name, script.content), case)
    return {f"{name}/{case}.sh": content.decode() for (name, content), case in found.items()}


def inventory(stack: str, template: dict[str, Any]) -> str:
    """One line a resource; a resource that leaves and one that arrives are what to look for in a change."""
    kept = ("Retain", "RetainExceptOnCreate")
    lines = [
        f"{stack} {item['Type']} {logical_id}{' (kept)' if item.get('DeletionPolicy') in kept else ''}"
        for logical_id, item in template["Resources"].items()
    ]
    return "".join(f"- {line}\n" for line in sorted(lines))


def without_bootstrap_checks(template: dict[str, Any]) -> dict[str, Any]:
    """The template without what the CDK adds to every template, and without our functions' hash."""
    kept = {key: value for key, value in template.items() if key not in ("Rules", "Parameters")}
    assert set(template["Parameters"]) == {"BootstrapVersion"}
    return _masked(kept)


def dump(value: Any, *, sort_keys: bool = False) -> str:
    """YAML of a JSON value, without anchors."""
    return yaml.dump(value, Dumper=_Plain, sort_keys=sort_keys, width=115, allow_unicode=True)


def _masked(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _masked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_masked(item) for item in value]
    return CODE_KEY.sub("HASH.zip", value) if isinstance(value, str) else value


class _Plain(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        return True
