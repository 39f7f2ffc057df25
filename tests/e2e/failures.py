"""A cluster's stack that is brought into trouble, and the runbook that gets it out."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError

from ops.local.credentials import REGION
from tests.e2e import stacks
from tests.e2e.project import Project
from tests.local_stacks import Stack
from tests.runbook import Runner

WITHOUT_QUESTIONS = {"deploy": ("--require-approval", "never"), "destroy": ("--all", "--force")}


@dataclass(frozen=True)
class Site:
    """The project in a local AWS, ``assembly`` being what its file declares."""

    project: Project
    aws: Callable[[str], Any]
    assembly: Path

    @property
    def cloudformation(self) -> Any:
        return self.aws("cloudformation")

    def create(self) -> Stack:
        """A living cluster, made without the CLI."""
        stack = self.start()
        assert stack.wait() == "CREATE_COMPLETE", stack.events()
        return stack

    def start(self) -> Stack:
        return stacks.start(self.cloudformation, stacks.publish(self.assembly, self.aws))

    def update(self, assembly: Path) -> str:
        """Deploy another assembly without the CLI; the status in which it ends."""
        return stacks.update(self.stack(), stacks.publish(assembly, self.aws))

    def start_update(self, assembly: Path) -> None:
        """The same, without waiting for the end."""
        stacks.start_update(self.stack(), stacks.publish(assembly, self.aws))

    def stack(self) -> Stack:
        """The stack as it is now."""
        return stacks.ours(self.cloudformation)

    def status(self) -> str | None:
        """The stack's status, None where there is no stack."""
        try:
            return self.stack().describe()["StackStatus"]
        except ClientError:
            return None

    def has_cluster(self) -> bool:
        try:
            stacks.cluster_id(self.cloudformation)
        except ClientError:
            return False
        return True

    def follow(self, section: str, assembly: Path | None = None, **words: str) -> None:
        """Run the commands of a section of the runbook, the assembly being what the file declares by then."""
        known = {"NAME": "demo", "REGION": REGION}

        def cdk(arguments: Sequence[str]) -> None:
            done = self.run(assembly or self.assembly, *arguments)
            assert done.returncode == 0, done.stdout

        Runner(self.aws, cdk, known).follow(section, **words)

    def run(self, assembly: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """The CDK CLI on an assembly; ``-c cluster=demo`` has chosen it already."""
        command = [argument for argument in arguments if argument not in ("-c", "cluster=demo")]
        return self.project.cdk(*command, *WITHOUT_QUESTIONS.get(command[0], ()), "-a", str(assembly))

    @contextmanager
    def killed_cli(self, *arguments: str) -> Iterator[None]:
        """The CLI at work, killed with its whole process group when the context ends."""
        process = subprocess.Popen(
            ["cdk", *arguments, "--no-notices", "--no-color"],
            cwd=self.project.folder,
            env=dict(self.project.environment),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield
            assert process.poll() is None, "it ended by itself"
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def remove(self) -> None:
        """Delete the stack, where there is one."""
        if self.status() is not None:
            assert self.stack().delete() == "DELETE_COMPLETE"


def wait_for(path: Path, seconds: float = 60) -> None:
    """Until a file exists."""
    deadline = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < deadline, f"{path.name} does not appear"
        time.sleep(0.02)
