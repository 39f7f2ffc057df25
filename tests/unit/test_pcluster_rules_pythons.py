"""The rules install and answer alike under every Python that the project supports and this machine has."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pcluster_rules import install
from tests.unit.pcluster_documents import DOCUMENT, changed

ROOT = Path(__file__).parents[2]
OTHERS = [f"python3.{minor}" for minor in (11, 12, 13) if minor != sys.version_info.minor]
DOCUMENTS = [
    DOCUMENT,
    changed(DOCUMENT, Image__Os="centos7"),
    changed(DOCUMENT, HeadNode__InstanceType="c8g.4xlarge"),
]

SCRIPT = """
import json, pathlib, sys
from dataclasses import asdict
from pcluster_rules.install import ensure
from pcluster_rules.worker_client import Rules

version, root, documents = sys.argv[1], pathlib.Path(sys.argv[2]), json.loads(sys.argv[3])
with Rules(version, ensure(version, root)) as rules:
    print(json.dumps([rules.schema_tree()], indent=1))
    for document in documents:
        print([asdict(message) for message in rules.validate("demo", document)])
        print([asdict(change) for change in rules.update("demo", documents[0], document).changes])
"""


def answers(python: str, root: Path) -> str:
    """What that Python's rules say, installed in ``root`` first if need be."""
    command = [python, "-c", SCRIPT, install.versions()[-1], str(root), json.dumps(DOCUMENTS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_another_python_installs_them_and_gets_the_same_answers(name: str, tmp_path: Path) -> None:
    python = shutil.which(name)
    # A version manager's stand-in is on the path, but only says that it has no such version.
    if python is None or subprocess.run([python, "-c", "import pip"], capture_output=True, check=False).returncode:
        pytest.skip(f"this machine has no {name} with pip")
    expected = answers(sys.executable, install.RULES)
    assert "UNSUPPORTED" in expected and "Must be one of" in expected
    assert answers(python, tmp_path) == expected
