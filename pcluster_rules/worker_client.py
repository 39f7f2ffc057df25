"""Asks ParallelCluster's own rules, which run in a process of their own with their own packages."""

from __future__ import annotations

import json
import select
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from pcluster_rules.errors import RulesError
from pcluster_rules.install import ensure
from pcluster_rules.results import Change, Message, UpdateResult

# The rules' folder first, our own root last: neither can hide a package of the other.
START = (
    "import sys; rules, root = sys.argv[1:]; sys.path.insert(0, rules); sys.path.append(root); "
    "from pcluster_rules.worker.main import main; main()"
)
# No credentials, no files of the user's, and the same order of sets in every run.
ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "none",
    "AWS_SECRET_ACCESS_KEY": "none",
    "AWS_CONFIG_FILE": "/dev/null",
    "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_DEFAULT_REGION": "us-east-1",
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
}
TIMEOUT = 60.0
"""Seconds for one answer; the slowest seen, the first of a process on a busy machine, took 4."""


class WorkerFailure(Exception):
    """The worker died, hung or failed over one request; the message says how. The next request starts another."""


class Rules:
    """The rules of one version. Use it as a context manager, which ends the process; threads may share it.

    Raises RulesError on creation for an unsupported version or when its rules cannot be installed.
    """

    def __init__(self, version: str, folder: Path | None = None) -> None:
        self.version = version
        self._folder = folder or ensure(version)
        self._process: subprocess.Popen[str] | None = None
        self._errors: IO[str] | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Rules:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def validate(
        self, cluster_name: str, configuration: Mapping[str, Any], facts: Mapping[str, Any] | None = None
    ) -> list[Message]:
        """Everything that ParallelCluster says about a document, errors first, then what it could not check.

        ``facts`` may hold ``region``, and in EC2's own form ``instance_types`` by name and ``subnets`` by id: the
        more is known, the more is checked.
        """
        try:
            found = self._ask(
                "validate", cluster_name=cluster_name, configuration=configuration, facts=facts or {}
            )
        except WorkerFailure as failure:
            return [Message("error", "crash", f"ParallelCluster's rules fail on this document: {failure}", "")]
        order = ("error", "warning", "info")
        return sorted((Message(**message) for message in found), key=lambda message: order.index(message.level))

    def update(
        self,
        cluster_name: str,
        old: Mapping[str, Any],
        new: Mapping[str, Any],
        fleet_running: bool = True,
        login_running: bool = True,
        region: str = "us-east-1",
    ) -> UpdateResult:
        """What becomes of every difference, in the given state of the compute fleet and of the login nodes.

        ``old`` is the deployed document. Scalars may be strings on either side, as CloudFormation hands them over.
        """
        try:
            found = self._ask(
                "update",
                cluster_name=cluster_name,
                old=old,
                new=new,
                fleet_running=fleet_running,
                login_running=login_running,
                region=region,
            )
        except WorkerFailure as failure:
            reason = f"ParallelCluster's rules fail on this update: {failure}"
            return UpdateResult((Change("", None, None, "", "unknown", reason),))
        return UpdateResult(tuple(Change(**change) for change in found))

    def schema_tree(self) -> dict[str, Any]:
        """The schema as ``config/facts/parallelcluster/`` keeps it; raises WorkerFailure."""
        return self._ask("schema_tree", version=self.version)

    def close(self) -> None:
        """End the process; the next request would start a new one."""
        process, self._process = self._process, None
        errors, self._errors = self._errors, None
        if process:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe:
                    with suppress(BrokenPipeError):  # a request that a dead worker never read
                        pipe.close()
        if errors:
            errors.close()

    def _ask(self, call: str, **arguments: Any) -> Any:
        with self._lock:
            process = self._process or self._start()
            answer = self._exchange(process, json.dumps({"call": call, **arguments}))
        if "failure" in answer:
            raise WorkerFailure(answer["failure"])
        return answer["result"]

    def _start(self) -> subprocess.Popen[str]:
        """In a session of its own: Ctrl-C is for us, who then end it."""
        command = [sys.executable, "-s", "-S", "-P", "-c", START]
        command += [str(self._folder), str(Path(__file__).parents[1])]
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                command,
                env=ENVIRONMENT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                encoding="utf-8",
                start_new_session=True,
            )
        except OSError as error:
            raise RulesError(f"the rules of ParallelCluster {self.version} do not start: {error}") from error
        return self._process

    def _exchange(self, process: subprocess.Popen[str], request: str) -> dict[str, Any]:
        """One request and its answer; whatever interrupts it ends the process, whose next answer would be late."""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(request + "\n")
            process.stdin.flush()
            ready, _, _ = select.select([process.stdout], [], [], TIMEOUT)
            line = process.stdout.readline() if ready else ""
        except BrokenPipeError:
            line, ready = "", [process.stdout]
        except BaseException:
            self.close()
            raise
        if line:
            return json.loads(line)
        reason = self._last_words() if ready else f"no answer within {TIMEOUT:.0f} seconds"
        self.close()
        raise WorkerFailure(reason)

    def _last_words(self) -> str:
        if not self._errors:
            return "the process ended"
        self._errors.seek(0)
        lines = self._errors.read().strip().splitlines()
        return f"the process ended: {lines[-1]}" if lines else "the process ended"
