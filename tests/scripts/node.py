"""A node to run scripts on: a directory for its root, and stubs for the commands that need a real machine."""

from __future__ import annotations

import os
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from bootstrap_assets.manifest import Manifest

STACK_ID = (
    "arn:aws:cloudformation:us-east-1:123456789012:stack/clusterform-pc-demo/4c5f1e0a-0000-1111-2222-333344445555"
)
# Copies from a directory that stands for the bucket; each call is one line of the trace.
AWS = """
printf '%s\\n' "$*" >>"$STUBS/trace"
[[ "$1 $2 $3 $4 $5" == "s3 cp --only-show-errors --region us-east-1" ]] || exit 64
if [[ -e $STUBS/failures ]] && (($(<"$STUBS/failures") > 0)); then
  echo "$(($(<"$STUBS/failures") - 1))" >"$STUBS/failures"
  echo "fatal error: no network" >&2
  exit 1
fi
cp "$STUBS/bucket/${6#s3://bucket/}" "$7"
"""


@dataclass
class Node:
    """``root`` takes the place of /, ``stubs`` holds the stubs, their trace and the bucket."""

    root: Path
    stubs: Path

    def __post_init__(self) -> None:
        (self.stubs / "bin").mkdir(parents=True)
        (self.stubs / "bucket/scripts").mkdir(parents=True)
        (self.stubs / "bucket/downloads").mkdir()
        (self.stubs / "tmp").mkdir()
        (self.root / "etc/parallelcluster").mkdir(parents=True)
        self.stub("aws", AWS)
        self.stub("logger", 'printf "%s\\n" "$*" >>"$STUBS/syslog"\n')
        self.stub("sleep", 'printf "sleep %s\\n" "$*" >>"$STUBS/trace"\n')

    def stub(self, name: str, body: str) -> None:
        """Put a bash script of this name first on the path."""
        file = self.stubs / "bin" / name
        file.write_text(f"#!/bin/bash\n{body}")
        file.chmod(0o755)

    def is_a(self, kind: str) -> None:
        """Say what ParallelCluster calls this node."""
        self.cfnconfig(f"cfn_region=us-east-1\ncfn_node_type={kind}\n")

    def cfnconfig(self, text: str) -> None:
        """Write ParallelCluster's configuration of the node."""
        (self.root / "etc/parallelcluster/cfnconfig").write_text(text)

    def stage(self, manifest: Manifest) -> None:
        """Fill the bucket as the deployment does."""
        bucket = self.stubs / "bucket"
        for script in manifest.scripts:
            (bucket / f"scripts/{script.name}-{script.sha256}.sh").write_bytes(script.content)
        (bucket / "manifest").write_text("".join(f"{line}\n" for line in manifest.lines()))

    def enter(self, manifest: Manifest, stage: str = "configured", *more: str) -> subprocess.CompletedProcess[str]:
        """Run the entry script as ParallelCluster does."""
        entry = self.stubs / "entry.sh"
        entry.write_bytes(manifest.entry.content)
        return self.run(entry, "s3://bucket/entry.sh", "us-east-1", stage, STACK_ID, *more)

    def begin(self, manifest: Manifest, stage: str = "configured") -> subprocess.Popen[str]:
        """Start the entry script and leave it running."""
        entry = self.stubs / "entry.sh"
        entry.write_bytes(manifest.entry.content)
        return subprocess.Popen(
            ["bash", str(entry), "s3://bucket/entry.sh", "us-east-1", stage, STACK_ID],
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, script: Path, *args: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a script with the stubs before everything else on the path, and no other environment."""
        return subprocess.run(
            ["bash", str(script), *args],
            env=self.environment() | environment,
            input="typed by somebody\n",
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def environment(self) -> dict[str, str]:
        """All that a script finds in its environment."""
        return {
            "PATH": f"{self.stubs / 'bin'}:{os.environ['PATH']}",
            "STUBS": str(self.stubs),
            "TMPDIR": str(self.stubs / "tmp"),
            "CLUSTERFORM_ROOT": str(self.root),
        }

    def trace(self) -> list[list[str]]:
        """Every call of a stub."""
        file = self.stubs / "trace"
        return [shlex.split(line) for line in file.read_text().splitlines()] if file.exists() else []

    def log(self, name: str, stage: str = "configured") -> Path:
        """Where a script's output is kept."""
        return self.root / f"var/log/clusterform/{stage}/{name}.log"
