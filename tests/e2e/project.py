"""A copy of what a deployment is made from, in a folder of its own, where a test may edit files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("app.py", "cdk.json", "config", "stacks", "constructs", "bootstrap_assets")
STACK = "clusterform-pc-demo"
TOOLKIT = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["toolkitStackName"]
"""The stack of the CDK's own bootstrap."""


@dataclass(frozen=True)
class Project:
    """The copy's folder, and the environment in which programs talk to the local AWS."""

    folder: Path
    environment: Mapping[str, str]

    @classmethod
    def copy(cls, folder: Path, environment: Mapping[str, str]) -> Project:
        """Copy the project; its modules come before those of the checkout."""
        folder.mkdir()
        for part in PARTS:
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copyfile(ROOT / part, folder / part)
        roots = os.pathsep.join([str(folder), str(folder / "constructs")])
        programs = os.pathsep.join([str(Path(sys.executable).parent), environment.get("PATH", os.defpath)])
        return cls(folder, {**environment, "PYTHONPATH": roots, "PATH": programs})

    def cdk(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the stock CDK CLI; both its outputs as one text."""
        return subprocess.run(
            ["cdk", *arguments, "--no-notices", "--no-color"],
            cwd=self.folder,
            env=dict(self.environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=240,
            check=False,
        )

    def synth(self, outdir: Path, **overrides: Any) -> Path:
        """The assembly of the demo cluster with some keys changed, written by app.py alone."""
        context = {"cluster": "demo", **{f"clusterform:{key}": value for key, value in overrides.items()}}
        done = subprocess.run(
            [sys.executable, "app.py"],
            cwd=self.folder,
            env={**self.environment, "CDK_OUTDIR": str(outdir), "CDK_CONTEXT_JSON": json.dumps(context)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return outdir

    def synth_edited(self, outdir: Path, **overrides: Any) -> Path:
        """The same, with one more byte in a script."""
        script = self.folder / "bootstrap_assets" / "scratch" / "prepare_scratch.sh.j2"
        original = script.read_text(encoding="utf-8")
        script.write_text(original + "#", encoding="utf-8")
        try:
            return self.synth(outdir, **overrides)
        finally:
            script.write_text(original, encoding="utf-8")


def template(assembly: Path) -> dict[str, Any]:
    """The stack's template in an assembly."""
    return json.loads((assembly / f"{STACK}.template.json").read_text(encoding="utf-8"))
