"""A project in a folder of its own: the application's code as it is, with other files for people to edit."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.factories import MINIMAL

ROOT = Path(__file__).parents[1]
EDITED = ("clusters", "profiles", "storage", "defaults.yaml", "account.yaml")
"""What people edit in config/; everything else there is code."""

OUTDIR = "cdk.out"


@dataclass(frozen=True)
class Run:
    """What one run of the application came to."""

    status: int
    errors: str
    cpu_seconds: float
    peak_mib: float


@dataclass(frozen=True)
class Project:
    """A folder that holds a project."""

    root: Path

    @property
    def outdir(self) -> Path:
        return self.root / OUTDIR

    def write(self, file: str, content: str | bytes) -> Path:
        """Write one of its files; ``file`` is relative to the root."""
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def synthesize(
        self,
        *,
        context: Mapping[str, object] | None = None,
        environment: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        umask: int = 0o022,
        command: tuple[str, ...] = (),
    ) -> Run:
        """Run ``python app.py`` as a CDK CLI would, without one."""
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("AWS_", "CDK_"))}
        given = {"CDK_CONTEXT_JSON": json.dumps(context)} if context is not None else {}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            command or (sys.executable, str(self.root / "app.py")),
            cwd=cwd or self.root,
            env={**inherited, **given, **(environment or {})},
            umask=umask,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Run(done.returncode, done.stdout + done.stderr, cpu, after.ru_maxrss / 1024)


def create(root: Path, clusters: Mapping[str, str] | None = None) -> Project:
    """A project with ``clusters`` (file contents by name), or with the smallest valid one, ``demo``."""
    project = Project(root)
    for file in ("app.py", "cdk.json"):
        project.write(file, (ROOT / file).read_bytes())
    for folder in ("stacks", "bootstrap_assets"):
        (root / folder).symlink_to(ROOT / folder)
    (root / "constructs").mkdir()
    (root / "constructs" / "hpc_constructs").symlink_to(ROOT / "constructs" / "hpc_constructs")
    (root / "config").mkdir()
    for path in (ROOT / "config").iterdir():
        if path.name not in EDITED and path.name != "__pycache__":
            (root / "config" / path.name).symlink_to(path)
    for name, content in (clusters or {"demo": minimal()}).items():
        project.write(f"config/clusters/{name}.yaml", content)
    return project


def examples(root: Path) -> Project:
    """A project with the repository's own cluster files, profiles and defaults."""
    project = create(root)
    shutil.rmtree(root / "config" / "clusters")
    for name in EDITED:
        path = ROOT / "config" / name
        if path.is_dir():
            shutil.copytree(path, root / "config" / name)
        elif path.exists():
            shutil.copy(path, root / "config" / name)
    return project


def with_account(root: Path) -> Project:
    """The examples, and the account's example as the file that is loaded."""
    project = examples(root)
    project.write("config/account.yaml", (ROOT / "config/account.example.yaml").read_text(encoding="utf-8"))
    return project


def minimal(**changes: object) -> str:
    """The smallest valid cluster file, with top-level keys replaced."""
    return yaml.safe_dump({**MINIMAL, **changes}, sort_keys=False)
