"""The demo: the cluster of ``config/clusters/demo.yaml`` is deployed, looked at, changed and destroyed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from ops.demo import report
from ops.demo.programs import ProgramFailed, run
from ops.demo.screen import Screen
from ops.local import server as local_server
from ops.local.credentials import ACCOUNT, client, exports, isolated
from ops.local.inventory import inventory, unaccounted
from ops.local.server import ROOT, LocalAwsError, Server

CLUSTER = "demo"
STACK = f"clusterform-pc-{CLUSTER}"
CHANGE = "clusterform:queues.cpu.max_nodes"
STEPS = 9
SHOWN_OUTPUT = 25
"""Lines of a failed program's output that are shown; all of it goes to a file."""

REFUSED, FAILED, INTERRUPTED = 1, 4, 130


class LeftOver(Exception):
    """Something is left that nobody accounts for; the text lists it."""


def tell() -> int:
    """Run the demo from its first step to its last; the exit status. Leaves no process, whatever happens."""
    screen = Screen(Console(), STEPS)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    folder = Path(tempfile.mkdtemp(prefix="clusterform-demo-"))
    started = time.monotonic()
    try:
        _Demo(screen, folder).run()
    except KeyboardInterrupt:
        screen.failed("interrupted; nothing is left running")
        return INTERRUPTED
    except (ProgramFailed, LocalAwsError, LeftOver) as failure:
        return _explain(screen, failure)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    _last_words(screen, time.monotonic() - started)
    return 0


class _Demo:
    """One run: a screen, and a folder for everything it writes."""

    def __init__(self, screen: Screen, folder: Path) -> None:
        self.screen = screen
        self.folder = folder
        self.settings: dict[str, str] = {}

    def run(self) -> None:
        """All steps, with the local AWS stopped at the end of them in any case."""
        self.screen.step("A private AWS on this machine", "./clusterform local up")
        with self._local_aws() as running:
            self.screen.done(f"listening at {running.endpoint}: no account, no network, no cost")
            body = self._synthesize(running)
            self._bootstrap()
            self._deploy()
            self._show(body)
            self._change(body)
            self._destroy(body)

    @contextmanager
    def _local_aws(self) -> Iterator[Server]:
        with self.screen.activity() as activity:
            activity.text = "starting"
            running = local_server.start(self.folder / "aws")
        self.settings = exports(running)
        try:
            yield running
        finally:
            local_server.stop(running)

    def _synthesize(self, running: Server) -> dict[str, Any]:
        source = ROOT / "config" / "clusters" / f"{CLUSTER}.yaml"
        self.screen.step(
            f"One file, config/clusters/{source.name}, becomes CloudFormation",
            f"./clusterform cdk synth -c cluster={CLUSTER}",
        )
        self.screen.say(Text(_without_comments(source.read_text(encoding="utf-8")), style="dim"))
        seconds, _ = self._cdk("synth", "--quiet")
        assembly = self.folder / "cdk.out"
        account, region = report.target(assembly, STACK)
        self.settings = exports(running, region, account or ACCOUNT)
        body = report.template(assembly, STACK)
        self.screen.done(report.contents(body), seconds)
        return body

    def _bootstrap(self) -> None:
        where = f"aws://{self.settings['AWS_ACCESS_KEY_ID']}/{self.settings['AWS_REGION']}"
        self.screen.step(
            "The CDK's own bootstrap, once for an account and Region", f"./clusterform cdk bootstrap {where}"
        )
        seconds, _ = self._cdk("bootstrap", where)
        self.screen.done("ready for deployments", seconds)

    def _deploy(self) -> None:
        self.screen.step("Deploy the cluster", f"./clusterform cdk deploy -c cluster={CLUSTER}")
        seconds, _ = self._cdk("deploy", "--require-approval", "never")
        self.screen.done("ParallelCluster's own rules have accepted it, and it is up", seconds)

    def _show(self, body: dict[str, Any]) -> None:
        self.screen.step("What there is now")
        self.screen.table(report.existing(self._client, STACK, CLUSTER, body))

    def _change(self, body: dict[str, Any]) -> None:
        queue = body["Resources"]["Cluster"]["Properties"]["ClusterConfiguration"]["Scheduling"]["SlurmQueues"][0]
        value = f"{CHANGE}={queue['ComputeResources'][0]['MaxCount'] + 2}"
        self.screen.step(
            "Change one value, and review what that would do",
            f"./clusterform cdk diff -c cluster={CLUSTER} -c {value}",
        )
        seconds, diff = self._cdk("diff", "--method", "template", "-c", value)
        for line in report.changes(diff):
            style = "green" if "[+]" in line else "red" if "[-]" in line else "dim"
            self.screen.say(Text(line, style=style))
        self.screen.done("nothing has been touched yet", seconds)
        self.screen.step("Deploy the change", f"./clusterform cdk deploy -c cluster={CLUSTER} -c {value}")
        seconds, _ = self._cdk("deploy", "--require-approval", "never", "-c", value)
        self.screen.done(f"updated in place: {', '.join(report.updated(self._client, STACK))}", seconds)

    def _destroy(self, body: dict[str, Any]) -> None:
        self.screen.step("Destroy everything", f"./clusterform cdk destroy -c cluster={CLUSTER}")
        seconds, _ = self._cdk("destroy", "--force")
        self.screen.done("the cluster and its stack are gone", seconds)
        self.screen.step("What is left, and why")
        toolkit = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["toolkitStackName"]
        ledger = body["Resources"]["GoneNotice"]["Properties"]["Kept"]
        found = inventory(self._client)
        kept = unaccounted(found, self._client, toolkit=toolkit, ledger=())
        self.screen.table(
            [
                ("the CDK's bootstrap", f"{len(found) - len(kept)} things, for the next deployments"),
                *(("kept on purpose", f"{entry['What']}: {entry['Reason']}") for entry in ledger),
            ]
        )
        named = [entry["What"] for entry in ledger]
        if left := unaccounted(found, self._client, toolkit=toolkit, ledger=named):
            raise LeftOver("\n".join(map(str, left)))
        self.screen.done("nothing else")

    def _cdk(self, command: str, *arguments: str) -> tuple[float, str]:
        """Run the stock CDK CLI; its seconds and its output."""
        environment = isolated(self.settings, self.folder / "home")
        programs = str(Path(sys.executable).parent)
        environment["PATH"] = os.pathsep.join([programs, environment.get("PATH", os.defpath)])
        # Programs that are interrupted leave their temporary files behind.
        temporary = self.folder / "tmp"
        temporary.mkdir(exist_ok=True)
        environment["TMPDIR"] = str(temporary)
        fixed = [
            "-c",
            f"cluster={CLUSTER}",
            "--output",
            str(self.folder / "cdk.out"),
            "--no-notices",
            "--no-color",
        ]
        with self.screen.activity() as activity:

            def follow(line: str) -> None:
                activity.text = report.event(line) or activity.text

            program = shutil.which("cdk", path=environment["PATH"]) or "cdk"
            try:
                output = run(
                    [program, command, *arguments, *fixed], folder=ROOT, environment=environment, each_line=follow
                )
            except FileNotFoundError as missing:
                raise LocalAwsError(
                    "the CDK CLI is not installed here; ./clusterform demo installs it"
                ) from missing
        return activity.seconds, output

    @property
    def _client(self) -> Callable[[str], Any]:
        return lambda service: client(self.settings, service)


def _without_comments(text: str) -> str:
    """A file as short as it reads well: without comments and empty lines."""
    lines = (line.partition(" #")[0].rstrip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.lstrip().startswith("#"))


def _explain(screen: Screen, failure: Exception) -> int:
    """Say why the demo failed, and where to read more; the exit status."""
    screen.failed(str(failure))
    if not isinstance(failure, ProgramFailed):
        return FAILED
    log = Path(tempfile.gettempdir()) / f"clusterform-demo-{os.getpid()}.log"
    log.write_text(failure.output, encoding="utf-8")
    lines = failure.output.strip().splitlines()
    screen.say(Text("\n".join(lines[-SHOWN_OUTPUT:])))
    screen.say(Text(f"all of its output: {log}", style="dim"))
    return REFUSED if failure.command[1] == "synth" else FAILED


def _last_words(screen: Screen, seconds: float) -> None:
    """What to do next."""
    command = "bold cyan"
    screen.panel(
        f" Done in {seconds:.0f} seconds; the local AWS is stopped ",
        [
            Text("A cluster of your own"),
            Text("  cp config/clusters/demo.yaml config/clusters/mine.yaml", style=command),
            Text("  put in your Region, VPC and subnets, then"),
            Text("  ./clusterform validate mine", style=command),
            Text(""),
            Text("With your AWS credentials in this shell, the same commands do the real thing"),
            Text("  ./clusterform cdk bootstrap aws://ACCOUNT/REGION -c cluster=mine", style=command),
            Text("  ./clusterform cdk deploy -c cluster=mine", style=command),
            Text(""),
            Text("Or go on without an account: a local AWS that stays"),
            Text("  ./clusterform local up", style=command),
            Text(""),
            Text("README.md tells the rest, also what a local AWS cannot prove."),
        ],
    )
