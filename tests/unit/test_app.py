"""The application as the CDK CLI starts it: what is selected, and what bad input gets."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.projects import ROOT, Project, Run, create, minimal

SECRET = "arn:aws:secretsmanager:us-east-1:123456789012:secret:{}-AbCdEf"


def refused(project: Project, run: Run) -> str:
    """What a refusal printed, once it is sure that there was nothing else."""
    assert run.status == 1, run.errors
    assert "Traceback" not in run.errors
    assert not project.outdir.exists()
    return run.errors


def stacks(project: Project) -> list[str]:
    artifacts: dict[str, Any] = json.loads((project.outdir / "manifest.json").read_text())["artifacts"]
    return [name for name, artifact in artifacts.items() if artifact["type"] == "aws:cloudformation:stack"]


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        ({"cluster": ""}, ["clusters: demo, other"]),
        ({"cluster": "demo", "scope": "account"}, ["cluster and scope given at once"]),
        ({"cluster": "../demo"}, ["../demo", "did you mean 'demo'"]),
        ({"cluster": "dem"}, ["there is no cluster", "did you mean 'demo'"]),
        ({"queues.cpu.max_nodes": "4"}, ["did you mean clusterform:queues.cpu.max_nodes?"]),
        ({"clusterform:queues.cpu.max_node": "4"}, ["max_node"]),
    ],
)
def test_a_wrong_selector_or_override_is_refused(
    tmp_path: Path, context: dict[str, str], expected: list[str]
) -> None:
    project = create(tmp_path, {"demo": minimal(), "other": minimal()})
    errors = refused(project, project.synthesize(context=context))
    assert [text for text in expected if text not in errors] == [], errors


def test_every_file_reports_every_problem_in_one_run(tmp_path: Path) -> None:
    files = {
        "demo": minimal(engin="parallelcluster", os="ubuntu"),
        "other": minimal() + "\tbroken\n",
        "sound": minimal(),
    }
    project = create(tmp_path, files)
    errors = refused(project, project.synthesize())
    for text in (
        "config/clusters/demo.yaml: 2 problems",
        "engin",
        "ubuntu",
        "config/clusters/other.yaml: 1 problem",
    ):
        assert text in errors
    assert "sound" not in errors


def test_a_policy_that_iam_would_refuse_is_refused_with_its_line(tmp_path: Path) -> None:
    secrets = [SECRET.format(f"{'x' * 100}-{index}") for index in range(40)]
    project = create(tmp_path, {"demo": minimal(access={"secrets": secrets})})
    errors = refused(project, project.synthesize())
    assert "6144" in errors
    line = 1 + (project.root / "config/clusters/demo.yaml").read_text().splitlines().index("access:")
    assert f"line {line + 1}: access.secrets" in errors or f"line {line}: access" in errors, errors


def test_a_stray_package_file_is_named_instead_of_a_traceback(tmp_path: Path) -> None:
    project = create(tmp_path)
    project.write("constructs/__init__.py", "")
    errors = refused(project, project.synthesize())
    assert errors == "constructs/__init__.py hides the library of that name, which the CDK needs: delete it\n"


@pytest.mark.parametrize("version", [(3, 10), (3, 14)])
def test_an_unsupported_python_is_named_in_one_line(tmp_path: Path, version: tuple[int, int]) -> None:
    project = create(tmp_path)
    pretend = f"import runpy, sys; sys.version_info = {(*version, 0, 'final', 0)}; "
    pretend += "runpy.run_path('app.py', None, '__main__')"
    errors = refused(project, project.synthesize(command=(sys.executable, "-c", pretend)))
    assert errors == f"clusterform needs Python 3.11, 3.12 or 3.13; this is {version[0]}.{version[1]}\n"


def test_an_old_python_can_parse_the_application_far_enough_to_be_told() -> None:
    ast.parse((ROOT / "app.py").read_text(), feature_version=(3, 8))


def test_the_application_stays_short() -> None:
    assert len((ROOT / "app.py").read_text().splitlines()) < 60


def test_without_a_selector_every_cluster_is_synthesized_and_warnings_are_shown(tmp_path: Path) -> None:
    root_volume = {"encrypted": False}
    head = {"instance_type": "c8g.xlarge", "subnet": "public-a", "root_volume": root_volume}
    project = create(tmp_path, {"demo": minimal(head_node=head), "other": minimal()})
    run = project.synthesize()
    assert run.status == 0, run.errors
    assert stacks(project) == ["clusterform-pc-demo", "clusterform-pc-other"]
    assert "config/clusters/demo.yaml: 1 warning" in run.errors


def test_a_selector_narrows_the_application_and_an_override_reaches_the_template(tmp_path: Path) -> None:
    project = create(tmp_path, {"demo": minimal(), "other": minimal()})
    run = project.synthesize(context={"cluster": "other", "clusterform:queues.cpu.max_nodes": "5"})
    assert run.status == 0, run.errors
    assert stacks(project) == ["clusterform-pc-other"]
    template = json.loads((project.outdir / "clusterform-pc-other.template.json").read_text())
    (queue,) = template["Resources"]["Cluster"]["Properties"]["ClusterConfiguration"]["Scheduling"]["SlurmQueues"]
    assert queue["ComputeResources"][0]["MaxCount"] == 5
