"""What CloudFormation really hands ParallelCluster's provider, against what we rendered."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pcluster_rules.worker_client import Rules
from tests.e2e.project import STACK, Project, template
from tests.local_stacks import Stack

pytestmark = [pytest.mark.xdist_group("e2e-life"), pytest.mark.slow]

SUBSTITUTED = re.compile(r"\$\{([\w:]+)\}")


@pytest.fixture(scope="module")
def deployed(project: Project, assembly: Path, cloudformation: Any) -> Iterator[Stack]:
    """The demo cluster, deployed by the CLI."""
    done = project.cdk("deploy", "--require-approval", "never", "-a", str(assembly))
    assert done.returncode == 0, done.stdout
    stack = Stack(cloudformation, cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]["StackId"])
    yield stack
    assert stack.delete() == "DELETE_COMPLETE"


def resolved(value: Any, stack: Stack) -> Any:
    """A template's value with its references to this stack resolved."""
    if isinstance(value, list):
        return [resolved(item, stack) for item in value]
    if not isinstance(value, dict):
        return value
    match value:
        case {"Ref": str(name)}:
            return reference(name, stack)
        case {"Fn::Sub": str(text)}:
            return SUBSTITUTED.sub(lambda match: reference(match[1], stack), text)
        case {"Fn::Select": [index, {"Fn::Split": [separator, text]}]}:
            return resolved(text, stack).split(separator)[index]
    return {key: resolved(item, stack) for key, item in value.items()}


def reference(name: str, stack: Stack) -> str:
    pseudo = {"AWS::StackId": stack.id, "AWS::Region": stack.id.split(":")[3], "AWS::Partition": "aws"}
    return pseudo.get(name) or stack.physical_id(name)


def handed_over(stack: Stack, aws: Any) -> dict[str, Any]:
    """The configuration in the event that the provider kept."""
    provider = aws("cloudformation").list_stack_resources(StackName=stack.physical_id("Provider"))
    bucket = next(
        each["PhysicalResourceId"]
        for each in provider["StackResourceSummaries"]
        if each["LogicalResourceId"] == "PclusterCustomResourceBucket"
    )
    event = json.loads(aws("s3").get_object(Bucket=bucket, Key="demo/event.json")["Body"].read())
    return event["ResourceProperties"]["ClusterConfiguration"]


def scalars(value: Any) -> set[type]:
    if isinstance(value, dict):
        return set().union(*map(scalars, value.values()))
    if isinstance(value, list):
        return set().union(*map(scalars, value)) if value else set()
    return {type(value)}


def test_strings_are_handed_over_and_compare_as_what_we_rendered(
    deployed: Stack, assembly: Path, aws: Any
) -> None:
    properties = template(assembly)["Resources"]["Cluster"]["Properties"]
    rendered = resolved(properties["ClusterConfiguration"], deployed)
    handed = handed_over(deployed, aws)
    assert (scalars(rendered), scalars(handed)) == ({str, int, bool}, {str})
    with Rules("3.16.1") as rules:
        assert rules.update("demo", rendered, handed).changes == ()
        assert not [each for each in rules.validate("demo", handed) if each.level == "error"]


def test_one_byte_of_a_script_is_one_line_of_the_template_and_of_the_diff(
    deployed: Stack, project: Project, assembly: Path, tmp_path: Path
) -> None:
    edited = project.synth_edited(tmp_path / "edited")
    name = f"{STACK}.template.json"
    before, after = ((folder / name).read_text().splitlines() for folder in (assembly, edited))
    lines = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert len(lines) == 1
    assert '"prepare-scratch ' in lines[0][1]
    shown = project.cdk("diff", "-a", str(edited)).stdout
    assert [line for line in shown.splitlines() if "[-]" in line or "[+]" in line] == [
        line for line in shown.splitlines() if "prepare-scratch" in line
    ]
    assert shown.count("prepare-scratch") == 2
