"""What a value refers to, in whatever function it stands, and what follows for a resource's dependencies."""

from __future__ import annotations

from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk.assertions import Template

from hpc_constructs.cloudformation import declare
from hpc_constructs.intrinsics import arn, get_att, ref, references, sub


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("${NotAFunction}", set()),
        (1, set()),
        (ref("A"), {"A"}),
        (get_att("A", "Outputs.Token"), {"A"}),
        ({"a": [ref("A"), {"b": get_att("B", "Arn")}]}, {"A", "B"}),
        (sub("${A}/${B.Arn}/${!Literal}"), {"A", "B"}),
        (sub("${A}/${Given}", Given=ref("B")), {"A", "B"}),
        (arn("sns", "topic"), {"AWS::Partition", "AWS::Region", "AWS::AccountId"}),
    ],
)
def test_references_are_found(value: Any, expected: set[str]) -> None:
    assert references(value) == expected


def test_a_resource_names_only_dependencies_that_its_properties_do_not_imply() -> None:
    stack = Stack(App(analytics_reporting=False), "stack")
    declare(stack, "A", "AWS::SNS::Topic", {})
    declare(stack, "B", "AWS::SNS::Topic", {})
    declare(stack, "C", "AWS::SNS::Subscription", {"TopicArn": ref("A")}, depends_on=["B", "A", "B"])
    declare(stack, "D", "AWS::SNS::Subscription", {"TopicArn": ref("A")}, depends_on=["A"])
    resources = Template.from_stack(stack).to_json()["Resources"]
    assert resources["C"]["DependsOn"] == ["B"]
    assert "DependsOn" not in resources["D"]


def test_what_is_retained_is_kept_on_replacement_too() -> None:
    stack = Stack(App(analytics_reporting=False), "stack")
    declare(stack, "A", "AWS::SNS::Topic", {}, retain=True)
    resource = Template.from_stack(stack).to_json()["Resources"]["A"]
    assert (resource["DeletionPolicy"], resource["UpdateReplacePolicy"]) == ("Retain", "Retain")
