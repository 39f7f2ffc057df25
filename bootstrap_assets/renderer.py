"""The one renderer of what runs on nodes.

Scripts hold nothing that a deployment decides: such values reach them as arguments or in their environment. So a
script's hash is known at synthesis and changes with its text alone.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, count
from pathlib import Path, PurePosixPath

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bootstrap_assets.manifest import CONFIGURED, START, UPDATED, Download, Manifest, Script
from config.models.cluster import Cluster
from config.models.scripts import Hook
from config.models.storage import Nfs

EVERY_NODE = ("head", "login", "compute")
HEAD = ("head",)
OUR_STAGES = f"{CONFIGURED},{UPDATED}"
"""Our scripts may run again: an update of the cluster brings its head node to the changed configuration."""
OS_FAMILY = {"ubuntu2204": "debian", "ubuntu2404": "debian", "rhel9": "redhat", "alinux2023": "amazon"}


def render_manifest(name: str, spec: Cluster, root: Path) -> Manifest:
    """Everything that runs on the nodes of cluster ``name``; ``root`` is where hooks' paths start.

    Ours come first, then the user's hooks as they are; the completion marker is last, since it says that all ran.
    The rules have seen the hooks' files; one that is gone since raises ``FileNotFoundError``.
    """
    family = OS_FAMILY[spec.os]
    ours = [
        Script("prepare-scratch", _scratch(spec), OUR_STAGES, EVERY_NODE),
        *(_mount_nfs(storage, family) for storage in spec.storage if isinstance(storage, Nfs)),
    ]
    marker = Script("completion-marker", _render("marker/completion_marker.sh.j2"), CONFIGURED, HEAD)
    return Manifest(
        entry=Script("entry", _render("entry/entry.sh.j2"), "entry", EVERY_NODE),
        scripts=(*ours, *_hooks(spec, root), marker),
        downloads=tuple(Download(item.name, item.sha256, item.url) for item in spec.downloads),
    )


def _scratch(spec: Cluster) -> bytes:
    shared = any(PurePosixPath(storage.mount).is_relative_to("/scratch") for storage in spec.storage)
    return _render("scratch/prepare_scratch.sh.j2", scratch_is_shared=shared)


def _mount_nfs(storage: Nfs, family: str) -> Script:
    content = _render("nfs/mount_nfs.sh.j2", family=family)
    args = (storage.server, storage.export, storage.mount)
    return Script(f"mount-nfs-{storage.name}", content, OUR_STAGES, EVERY_NODE, args)


def _hooks(spec: Cluster, root: Path) -> list[Script]:
    """The user's scripts, by moment. A script that is listed twice has two names, since its arguments differ."""
    hooks = [
        *((START, hook) for hook in spec.hooks.on_node_start),
        *((CONFIGURED, hook) for hook in spec.hooks.on_node_configured),
        *((UPDATED, hook) for hook in spec.hooks.on_node_updated),
    ]
    names: set[str] = set()
    scripts = []
    for stage, hook in hooks:
        name = _hook_name(hook, names)
        names.add(name)
        content = (root / hook.script).read_bytes()
        scripts.append(Script(name, content, stage, tuple(hook.nodes), tuple(hook.args)))
    return scripts


def _hook_name(hook: Hook, taken: set[str]) -> str:
    """``site/after.sh`` as ``hook-site-after``: by its path, so that a further hook renames nothing."""
    name = "hook-" + "-".join(PurePosixPath(hook.script).with_suffix("").parts)
    candidates = chain([name], (f"{name}-{number}" for number in count(2)))
    return next(candidate for candidate in candidates if candidate not in taken)


@cache
def _render(template: str, **values: str | bool) -> bytes:
    """A template's text. A value that the template names and nobody gave raises ``UndefinedError``."""
    return _environment().get_template(template).render(values).encode()


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(Path(__file__).parent, encoding="utf-8"),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # The usual {# begins bash's ${#array[@]} as well.
        comment_start_string="<#",
        comment_end_string="#>",
    )
