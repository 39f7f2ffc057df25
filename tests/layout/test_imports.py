"""Who may import whom. The arrows point one way, and few doors lead to the heavy or the delicate parts."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.layout.project_files import HANDLERS, ROOT, canonical, imports, python_files, room, runtime_pins

MAY_IMPORT = {
    "config": set(),
    "bootstrap_assets": {"config"},
    "hpc_constructs": {"config", "bootstrap_assets"},
    "stacks": {"config", "hpc_constructs"},
    "pcluster_rules": set(),
    "ops": {"config", "bootstrap_assets", "pcluster_rules"},
    "local_aws": {"pcluster_rules"},
}
"""Rooms of ours that each room may import, beside itself."""

CDK = {"aws_cdk", "constructs", "jsii"}
OURS = MAY_IMPORT.keys()
LOCAL_LOCKS = ("requirements.lock", "requirements-local.lock")
OWN_LOCKS = {"local_aws": LOCAL_LOCKS, "tests": (*LOCAL_LOCKS, "requirements-test.lock")}
ELSEWHERE = {"pcluster", "marshmallow"}
"""What only the worker of pcluster_rules imports, from the folder of its version."""

ROOM_FILES = [path for path in python_files() if room(path) in OURS and not path.as_posix().startswith(HANDLERS)]


def is_plain_data(path: Path) -> bool:
    return path.name.startswith("rendering")


def is_rendering(name: str) -> bool:
    """Whether an import is of a plain-data module: ``hpc_constructs.storage.rendering_x`` or something in it."""
    return any(part.startswith("rendering") for part in name.split("."))


def by_name(path: Path) -> str:
    return path.as_posix()


@pytest.mark.parametrize("path", ROOM_FILES, ids=by_name)
def test_a_room_imports_only_what_it_may(path: Path) -> None:
    own = room(path)
    for name in imports(path):
        other = name.partition(".")[0]
        if other not in OURS or other == own or other in MAY_IMPORT[own]:
            continue
        # The operator's commands show what a cluster becomes, as plain data and without the CDK.
        assert own == "ops" and is_rendering(name), f"{path} imports {name}"


@pytest.mark.parametrize("path", [path for path in ROOM_FILES if is_plain_data(path)], ids=by_name)
def test_plain_data_imports_only_configuration_and_plain_data(path: Path) -> None:
    for name in imports(path):
        top = name.partition(".")[0]
        allowed = top == "config" or top in sys.stdlib_module_names
        ours = top == "hpc_constructs" and (is_rendering(name) or name.startswith("hpc_constructs.intrinsics."))
        assert allowed or ours, f"{path} imports {name}"


def test_only_constructs_and_stacks_know_the_cdk() -> None:
    known = {room(path) for path in ROOM_FILES if CDK & {name.partition(".")[0] for name in imports(path)}}
    assert known == {"hpc_constructs", "stacks"}


def test_functions_import_only_themselves_and_boto3() -> None:
    files = [path for path in python_files() if path.as_posix().startswith(HANDLERS)]
    assert files
    for path in files:
        for name in imports(path):
            beside = name.startswith(".".join(path.parts[:-1]))
            provided = name.partition(".")[0] in {"boto3", "botocore"} | sys.stdlib_module_names
            assert beside or provided, f"{path} imports {name}"


def test_nothing_imports_the_tests() -> None:
    assert not [path for path in ROOM_FILES for name in imports(path) if name.startswith("tests.")]


def test_what_is_imported_is_locked() -> None:
    """A package that only another one brings along can vanish with that one's next release."""
    distributions = importlib.metadata.packages_distributions()
    unlocked = set()
    for path in [*ROOM_FILES, *(path for path in python_files() if room(path) == "tests")]:
        locks = OWN_LOCKS.get(room(path), ("requirements.lock",))
        locked = {name for lock in locks for name in re.findall(r"^([\w-]+)==", (ROOT / lock).read_text(), re.M)}
        for top in {name.partition(".")[0] for name in imports(path)}:
            if top in OURS | {"tests"} or top in sys.stdlib_module_names or top in ELSEWHERE:
                continue
            owners = {canonical(owner) for owner in distributions.get(top, [])}
            if not owners & locked:
                unlocked.add((path.as_posix(), top))
    assert unlocked == set()


def test_what_the_runtime_requires_is_imported() -> None:
    """A requirement that nothing imports is one more thing to install, to renew and to trust."""
    imported = {name.partition(".")[0] for path in ROOM_FILES for name in imports(path)}
    distributions = importlib.metadata.packages_distributions()
    owners = {canonical(owner) for top in imported for owner in distributions.get(top, [])}
    assert {canonical(Requirement(line).name) for line in runtime_pins()} <= owners


def loaded_by(modules: list[str]) -> set[str]:
    """The top-level packages in a fresh interpreter that imported the modules."""
    program = f"import sys, {', '.join(modules)}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    path = {"PYTHONPATH": f"{ROOT}:{ROOT / 'constructs'}"}
    fresh = [sys.executable, "-c", program]
    return set(subprocess.run(fresh, env=path, check=True, capture_output=True, text=True).stdout.split())


def modules(paths: list[Path]) -> list[str]:
    """Their dotted names."""
    within = [path.relative_to("constructs") if path.parts[0] == "constructs" else path for path in paths]
    return [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in within]


def test_operating_commands_and_plain_data_do_not_load_the_cdk() -> None:
    light = [path for path in ROOM_FILES if room(path) == "ops" or is_plain_data(path)]
    loaded = loaded_by(modules(light))
    assert "config" in loaded
    assert not loaded & CDK


def test_command_modules_are_light() -> None:
    """Each command's module is loaded for the help page: what a command needs, its function imports."""
    commands = [path for path in ROOM_FILES if path.parent == Path("ops/commands")]
    heavy = {"boto3", "botocore", "pydantic", "yaml", "jinja2", "rich", "ministack", "moto"}
    assert not loaded_by(["ops.cli", *modules(commands)]) & heavy
