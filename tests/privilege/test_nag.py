"""cdk-nag's AwsSolutions over every example: each finding is fixed, or accepted with a reason beside the resource.

The templates are read back in as typed resources: its rules look at nothing else, and ours are declared untyped.
Only this module loads cdk-nag, so that no synthesis pays for it.
"""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import cdk_nag
import pytest
from aws_cdk import App, LegacyStackSynthesizer, Stack, Validations
from aws_cdk.cloudformation_include import CfnInclude

from hpc_constructs.identity.rendering_allowances import ON_EVERYTHING, SERVICE_WIDE
from tests.layout.project_files import imports, python_files
from tests.privilege.accepted import ACCEPTED
from tests.privilege.world import world

FAULTY: dict[str, Any] = {
    "SeededBucket": {"Type": "AWS::S3::Bucket"},
    "SeededGroup": {
        "Type": "AWS::EC2::SecurityGroup",
        "Properties": {
            "GroupDescription": "x",
            "VpcId": "vpc-0",
            "SecurityGroupIngress": [{"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22, "CidrIp": "0.0.0.0/0"}],
        },
    },
    "SeededPolicy": {
        "Type": "AWS::IAM::ManagedPolicy",
        "Properties": {
            "PolicyDocument": {"Statement": [{"Effect": "Allow", "Action": ["s3:*"], "Resource": ["*"]}]}
        },
    },
    "SeededTopic": {"Type": "AWS::SNS::Topic"},
}
SEEDED = {
    ("SeededBucket", "AwsSolutions-S1"),
    ("SeededBucket", "AwsSolutions-S10"),
    ("SeededGroup", "AwsSolutions-EC23"),
    ("SeededPolicy", "AwsSolutions-IAM5"),
    ("SeededTopic", "AwsSolutions-SNS3"),
}


class Finding(NamedTuple):
    """What the tool says of a resource; ``detail`` is the wildcard, where it is about one."""

    resource: str
    rule: str
    detail: str


@pytest.fixture(scope="module")
def findings() -> set[Finding]:
    with tempfile.TemporaryDirectory() as folder:
        app = App(outdir=folder, analytics_reporting=False)
        templates = {stack.name: stack.template for stack in world("aws").stacks} | {
            "Seeded": {"Resources": FAULTY}
        }
        for name, template in templates.items():
            path = Path(folder) / f"{name}.json"
            path.write_text(json.dumps(template), encoding="utf-8")
            CfnInclude(Stack(app, name, synthesizer=LegacyStackSynthesizer()), "T", template_file=str(path))
        Validations.of(app).add_plugins(cdk_nag.AwsSolutionsChecks(app))
        with pytest.raises(RuntimeError, match="ValidationFailed"):
            app.synth()
        report = json.loads((Path(folder) / "validation-report.json").read_text(encoding="utf-8"))
    return {
        Finding(place["constructPath"].rpartition("/")[2], *_rule(violation["ruleName"]))
        for plugin in report["pluginReports"]
        for violation in plugin["violations"]
        for place in violation["violatingConstructs"]
    }


def _rule(name: str) -> tuple[str, str]:
    rule, _, detail = name.removesuffix("]").partition("[") if name.endswith("]") else (name, "", "")
    detail = re.sub(r"<AWS::(\w+)>", r"\1", detail.removeprefix("Resource::"))
    arn = re.fullmatch(r"arn:Partition:([\w-]+):[^:]*:[^:]*:(.*)", detail)
    return rule, detail if arn is None else f"{arn[1]} {arn[2]}"


def _allowed(found: Finding) -> bool:
    """Whether the permissions' own list has it: what stands on everything, or means a whole service."""
    action = found.detail.removeprefix("Action::")
    return found.rule == "AwsSolutions-IAM5" and any(
        found.resource in row.policies and (found.detail == "*" or action in row.names)
        for row in (*ON_EVERYTHING, *SERVICE_WIDE)
    )


def test_the_tool_sees_what_it_is_shown(findings: set[Finding]) -> None:
    seen = {(found.resource, found.rule) for found in findings if found.resource in FAULTY}
    assert seen >= SEEDED


def test_every_finding_has_its_reason(findings: set[Finding]) -> None:
    rest = {found for found in findings if found.resource not in FAULTY and not _allowed(found)}
    assert {found for found in rest if not any(_covers(row, found) for row in ACCEPTED)} == set()


def test_every_reason_has_its_finding(findings: set[Finding]) -> None:
    unused = [
        (row.rule, resource, beginning)
        for row in ACCEPTED
        for resource in row.resources
        for beginning in row.findings
        if not any(
            (found.rule, found.resource) == (row.rule, resource) and found.detail.startswith(beginning)
            for found in findings
        )
    ]
    assert unused == []


def _covers(row: Any, found: Finding) -> bool:
    return row.covers(found.rule, found.resource, found.detail)


def test_no_other_module_loads_it() -> None:
    loading = {
        path.as_posix() for path in python_files() if any(name.startswith("cdk_nag") for name in imports(path))
    }
    assert loading == {"tests/privilege/test_nag.py"}
