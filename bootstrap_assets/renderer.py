"""The one renderer of what runs on nodes.

Scripts hold nothing that a deployment decides: such values reach them as arguments or in their environment. So a
script's hash is known at synthesis and changes with its text alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain, count
from pathlib import Path, PurePosixPath

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bootstrap_assets.catalogue import steps_after_hooks, steps_before_hooks
from bootstrap_assets.jobs.steps import job_file
from bootstrap_assets.manifest import CONFIGURED, JOB, START, UPDATED, Download, Manifest, Script
from bootstrap_assets.operating_systems import OPERATING_SYSTEMS, OperatingSystem
from bootstrap_assets.spack import steps as spack
from bootstrap_assets.step import EVERY_NODE, HEAD, Step, Value
from config.models.cluster import Cluster
from config.models.scripts import JobHook


def render_manifest(name: str, spec: Cluster, root: Path) -> Manifest:
    """Everything that runs on the nodes of cluster ``name``; ``root`` is where hooks' paths start.

    Ours come first, then the user's hooks as they are; the completion marker is last, since it says that all ran.
    The rules have seen the hooks' files; one that is gone since raises ``FileNotFoundError``.
    """
    system = OPERATING_SYSTEMS[spec.os]
    return Manifest(
        entry=Script("entry", _render("entry/entry.sh.j2"), "entry", EVERY_NODE),
        scripts=(
            *(_script(step, system) for step in steps_before_hooks(name, spec)),
            *_hooks(spec, root),
            *_job_scripts("prolog", spec.hooks.job_prolog, root),
            *_job_scripts("epilog", spec.hooks.job_epilog, root),
            *(_script(step, system) for step in steps_after_hooks(name, spec)),
        ),
        downloads=(
            *spack.downloads(spec),
            *(Download(item.name, item.sha256, item.url) for item in spec.downloads),
        ),
    )


def _script(step: Step, system: OperatingSystem) -> Script:
    content = _render(step.template, system=system, **step.values)
    return Script(step.name, content, step.stages, step.nodes, step.args)


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
        name = _name("hook", hook.script, names)
        content = (root / hook.script).read_bytes()
        scripts.append(Script(name, content, stage, tuple(hook.nodes), tuple(hook.args)))
    return scripts


def _job_scripts(moment: str, listed: Sequence[JobHook], root: Path) -> list[Script]:
    """The scripts that Slurm runs before or after each job."""
    names: set[str] = set()
    scripts = []
    for position, hook in enumerate(listed):
        name = _name(f"job-{moment}", hook.script, names)
        file = job_file(f"{moment}.d", position, name.removeprefix(f"job-{moment}-"))
        scripts.append(Script(name, (root / hook.script).read_bytes(), JOB, HEAD, (file,)))
    return scripts


def _name(kind: str, script: str, taken: set[str]) -> str:
    """``site/after.sh`` as ``hook-site-after``: by its path, so that a further hook renames nothing.

    The name is then among those that are ``taken``.
    """
    name = "-".join([kind, *PurePosixPath(script).with_suffix("").parts])
    candidates = chain([name], (f"{name}-{number}" for number in count(2)))
    free = next(candidate for candidate in candidates if candidate not in taken)
    taken.add(free)
    return free


@cache
def _render(template: str, **values: Value | OperatingSystem) -> bytes:
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
