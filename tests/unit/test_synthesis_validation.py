"""The checks that are too slow for every synthesis: the CDK's own validation as errors, and cfn-lint."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.projects import Project, with_account


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return with_account(tmp_path_factory.mktemp("validation"))


@pytest.mark.slow
def test_the_cdks_own_validation_finds_nothing_in_any_example(project: Project) -> None:
    run = project.synthesize(
        context={"@aws-cdk/core:validateAgainstDefaultRules": True}, environment={"CDK_VALIDATION": "true"}
    )
    assert run.status == 0, run.errors
    assert run.errors == ""
    # Written only when the validation ran.
    assert json.loads((project.outdir / "validation-report.json").read_text())["pluginReports"] == []


@pytest.mark.slow
def test_cfn_lint_finds_nothing_in_any_example(project: Project) -> None:
    if not project.outdir.exists():
        assert project.synthesize().status == 0
    templates = sorted(str(path) for path in project.outdir.glob("*.template.json"))
    assert any("clusterform-account" in template for template in templates)
    command = [str(Path(sys.executable).with_name("cfn-lint")), *templates]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
