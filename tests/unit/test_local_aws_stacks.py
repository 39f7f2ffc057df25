"""Each mend of CloudFormation itself: order, failures, rollback, nesting, one thing at a time."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests import local_stacks
from tests.faults import Faults
from tests.local_stacks import CAPABILITIES, custom, recorded, recorder, template, unique

pytestmark = pytest.mark.xdist_group("local-aws")


def topic(**properties: Any) -> dict[str, Any]:
    return {"Type": "AWS::SNS::Topic", "Properties": properties}


def test_a_failed_create_of_a_custom_resource_is_sent_a_delete(aws: Any) -> None:
    """The heart of the taken-name disaster: the provider then deletes by name."""
    resources = recorder() | {
        "Kept": custom("kept"),
        "Broken": custom("broken", fail="Create", depends_on=["Kept"]),
    }
    stack = local_stacks.create(aws("cloudformation"), resources)
    assert stack.wait() == "ROLLBACK_COMPLETE"
    seen = recorded_before_rollback(aws, stack)
    assert [(event["RequestType"], event["LogicalResourceId"]) for event in seen] == [
        ("Create", "Kept"),
        ("Create", "Broken"),
        ("Delete", "Broken"),
        ("Delete", "Kept"),
    ]
    assert seen[2]["PhysicalResourceId"] == "broken-id"


def recorded_before_rollback(aws: Any, stack: local_stacks.Stack) -> list[dict[str, Any]]:
    """The recorder's events of a stack that is gone, found by its function's name in the stack's events."""
    events = stack.client.describe_stack_events(StackName=stack.id)["StackEvents"]
    name = next(
        e["PhysicalResourceId"] for e in events if e["LogicalResourceId"] == "Function" and e["PhysicalResourceId"]
    )
    found = aws("logs").filter_log_events(logGroupName=f"/aws/lambda/{name}")["events"]
    lines = [line for event in found for line in event["message"].splitlines()]
    return [json.loads(line) for line in lines if line.startswith('{"RequestType"')]


def test_a_failure_is_worded_as_cloudformation_words_it(aws: Any) -> None:
    stack = local_stacks.create(aws("cloudformation"), recorder() | {"Broken": custom("broken", fail="Create")})
    assert stack.reason("Broken") == (
        "Received response status [FAILED] from custom resource. Message returned: told to fail"
    )


def test_a_failed_create_in_an_update_is_sent_a_delete(aws: Any) -> None:
    stack = local_stacks.create(aws("cloudformation"), recorder())
    assert stack.update(recorder() | {"Broken": custom("broken", fail="Create")}) == "UPDATE_ROLLBACK_COMPLETE"
    assert [event["RequestType"] for event in recorded(aws("logs"), stack)] == ["Create", "Delete"]


def test_a_stack_left_in_create_failed_sends_the_delete_when_deleted(aws: Any) -> None:
    resources = recorder() | {"Broken": custom("broken", fail="Create")}
    stack = local_stacks.create(aws("cloudformation"), resources, DisableRollback=True)
    assert stack.wait() == "CREATE_FAILED"
    assert stack.delete() == "DELETE_COMPLETE"
    assert [event["RequestType"] for event in recorded_before_rollback(aws, stack)] == ["Create", "Delete"]


def test_unchanged_resources_are_left_alone_by_an_update(aws: Any) -> None:
    resources = recorder() | {"Same": custom("same"), "Topic": topic(DisplayName="one")}
    stack = local_stacks.create(aws("cloudformation"), resources)
    assert stack.update(resources | {"Topic": topic(DisplayName="two")}) == "UPDATE_COMPLETE"
    touched = {logical_id for logical_id, status, _ in stack.events() if status.startswith("UPDATE")}
    assert touched == {"Topic", stack.describe()["StackName"]}
    assert [event["RequestType"] for event in recorded(aws("logs"), stack)] == ["Create"]


def test_what_a_failed_deletion_depends_on_stays(aws: Any) -> None:
    resources = recorder() | {
        "Needed": topic(),
        "Stuck": custom("stuck", fail="Delete", depends_on=["Needed"]),
        "Unrelated": topic(),
    }
    stack = local_stacks.create(aws("cloudformation"), resources)
    assert stack.delete() == "DELETE_FAILED"
    assert stack.left() == {"Stuck", "Needed", "Function", "Role"}
    assert not stack.events("Needed")[-1][1].startswith("DELETE")
    assert aws("sns").get_topic_attributes(TopicArn=stack.physical_id("Needed"))
    assert stack.delete(RetainResources=["Stuck"]) == "DELETE_COMPLETE"
    assert stack.left() == set()


def test_a_rollback_that_cannot_delete_keeps_the_resource(aws: Any) -> None:
    resources = recorder() | {
        "Stuck": custom("stuck", fail="Delete"),
        "Broken": custom("broken", fail="Create", depends_on=["Stuck"]),
    }
    stack = local_stacks.create(aws("cloudformation"), resources)
    assert stack.wait() == "ROLLBACK_FAILED"
    assert stack.left() == {"Stuck", "Function", "Role"}


def test_a_forced_deletion_leaves_what_does_not_go(aws: Any) -> None:
    stack = local_stacks.create(aws("cloudformation"), recorder() | {"Stuck": custom("stuck", fail="Delete")})
    assert stack.delete() == "DELETE_FAILED"
    assert stack.delete(DeletionMode="FORCE_DELETE_STACK") == "DELETE_COMPLETE"


def test_a_second_update_waits_for_nobody_and_is_refused(aws: Any) -> None:
    cloudformation = aws("cloudformation")
    slow = {"Handle": {"Type": "AWS::CloudFormation::WaitConditionHandle"}, "Topic": topic()}
    slow["Wait"] = {
        "Type": "AWS::CloudFormation::WaitCondition",
        "Properties": {"Handle": {"Ref": "Handle"}, "Timeout": "1", "Count": 1},
    }
    name = unique()
    cloudformation.create_stack(StackName=name, TemplateBody=template(slow))
    with pytest.raises(ClientError, match="CREATE_IN_PROGRESS state and can not be updated"):
        cloudformation.update_stack(StackName=name, TemplateBody=template({"Topic": topic()}))
    with pytest.raises(ClientError, match="can not be updated"):
        cloudformation.create_change_set(
            StackName=name, ChangeSetName="c", TemplateBody=template({"Topic": topic()})
        )


def test_a_deletion_during_a_create_comes_after_it(aws: Any) -> None:
    cloudformation = aws("cloudformation")
    name = unique()
    stack_id = cloudformation.create_stack(
        StackName=name, TemplateBody=template(recorder() | {"A": custom("a")}), Capabilities=CAPABILITIES
    )["StackId"]
    cloudformation.delete_stack(StackName=name)
    stack = local_stacks.Stack(cloudformation, stack_id)
    deadline = time.monotonic() + 30
    while stack.describe()["StackStatus"] != "DELETE_COMPLETE":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    statuses = [status for logical_id, status, _ in stack.events("A")]
    assert statuses == ["CREATE_IN_PROGRESS", "CREATE_COMPLETE", "DELETE_IN_PROGRESS", "DELETE_COMPLETE"]


@pytest.mark.parametrize(("left", "fail"), [("ROLLBACK_COMPLETE", "Create"), ("DELETE_FAILED", "Delete")])
def test_a_stack_that_can_only_be_deleted_is_neither_updated_nor_made_anew(aws: Any, left: str, fail: str) -> None:
    cloudformation, name = aws("cloudformation"), unique()
    stack = local_stacks.create(cloudformation, recorder() | {"Broken": custom("broken", fail=fail)}, name)
    if fail == "Delete":
        stack.delete()
    assert stack.describe()["StackStatus"] == left
    asked = {"StackName": name, "TemplateBody": template({"Topic": topic()})}
    for attempt in ("update_stack", "create_change_set"):
        change_set = {"ChangeSetName": "c"} if attempt == "create_change_set" else {}
        with pytest.raises(ClientError, match=f"is in {left} state and can not be updated"):
            getattr(cloudformation, attempt)(**asked, **change_set)
    with pytest.raises(ClientError, match="already exists"):
        cloudformation.create_stack(**asked)
    with pytest.raises(ClientError, match="already exists"):
        cloudformation.create_change_set(**asked, ChangeSetName="c", ChangeSetType="CREATE")


def test_a_deletion_during_an_update_is_refused(aws: Any, faults: Faults) -> None:
    stack = local_stacks.create(aws("cloudformation"), recorder() | {"A": custom("a")})
    with faults(resource="A", action="Update", effect="hold") as fault:
        body = template(recorder() | {"A": custom("a", Other="x")})
        stack.client.update_stack(StackName=stack.id, TemplateBody=body, Capabilities=CAPABILITIES)
        fault.wait()
        with pytest.raises(ClientError, match="cannot be deleted while in status UPDATE_IN_PROGRESS"):
            stack.client.delete_stack(StackName=stack.id)
    assert stack.wait() == "UPDATE_COMPLETE"
    assert stack.delete() == "DELETE_COMPLETE"


def test_a_rollback_goes_on_with_nothing_to_skip(aws: Any, faults: Faults) -> None:
    """The CDK CLI sends an empty list."""
    stack = local_stacks.create(aws("cloudformation"), recorder() | {"A": custom("a")})
    changed = recorder() | {"A": custom("a", fail="Update")}
    with (
        faults(resource="A", action="Update", effect="fail"),
        faults(resource="A", action="Update", effect="refuse"),
    ):
        assert stack.update(changed) == "UPDATE_ROLLBACK_FAILED"
    stack.client.continue_update_rollback(StackName=stack.id, ResourcesToSkip=[])
    assert stack.wait() == "UPDATE_ROLLBACK_COMPLETE"


@pytest.fixture
def nested(aws: Any) -> Any:
    """``nested(resources, parameters={}, outputs={})``: an AWS::CloudFormation::Stack whose template is in S3."""

    def build(resources: dict[str, Any], **sections: Any) -> dict[str, Any]:
        bucket, key = unique("templates"), "child.json"
        aws("s3").create_bucket(Bucket=bucket)
        body = {"AWSTemplateFormatVersion": "2010-09-09", "Resources": resources, **sections}
        aws("s3").put_object(Bucket=bucket, Key=key, Body=json.dumps(body).encode())
        url = f"https://{bucket}.s3.us-east-1.amazonaws.com/{key}"
        return {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": url}}

    return build


def test_a_nested_stack_keeps_what_its_template_retains(aws: Any, nested: Any) -> None:
    name = f"/clusterform/{unique()}"
    kept = {"Type": "AWS::Logs::LogGroup", "DeletionPolicy": "Retain", "Properties": {"LogGroupName": name}}
    stack = local_stacks.create(aws("cloudformation"), {"Child": nested({"Group": kept})})
    assert stack.delete() == "DELETE_COMPLETE"
    assert aws("logs").describe_log_groups(logGroupNamePrefix=name)["logGroups"]


def test_a_nested_stack_that_does_not_delete_fails_its_parent(aws: Any, nested: Any) -> None:
    child = nested(recorder() | {"Stuck": custom("stuck", fail="Delete")})
    stack = local_stacks.create(aws("cloudformation"), {"Child": child})
    assert stack.delete() == "DELETE_FAILED"
    assert "was not successfully deleted: The following resource(s) failed to delete: [Stuck]." in stack.reason(
        "Child"
    )


def test_a_nested_stack_that_fails_leaves_nothing(aws: Any, nested: Any) -> None:
    child = nested(recorder() | {"Topic": topic(TopicName=unique()), "Broken": custom("broken", fail="Create")})
    before = aws("sns").list_topics()["Topics"]
    stack = local_stacks.create(aws("cloudformation"), {"Child": child})
    assert stack.wait() == "ROLLBACK_COMPLETE"
    assert "was not successfully created: Broken: Received response status" in stack.reason("Child")
    # A topic of an earlier test may still be on its way out.
    assert [each for each in aws("sns").list_topics()["Topics"] if each not in before] == []


def test_a_nested_stack_keeps_its_outputs_through_an_update(aws: Any, nested: Any) -> None:
    outputs = {"Arn": {"Value": {"Fn::GetAtt": ["Function", "Arn"]}}}
    child = nested(recorder(), Outputs=outputs)
    consumer = topic(DisplayName={"Fn::GetAtt": ["Child", "Outputs.Arn"]})
    stack = local_stacks.create(aws("cloudformation"), {"Child": child, "Topic": consumer})
    tagged = child | {"Properties": child["Properties"] | {"Tags": [{"Key": "a", "Value": "b"}]}}
    assert stack.update({"Child": tagged, "Topic": consumer}) == "UPDATE_COMPLETE"
    name = aws("sns").get_topic_attributes(TopicArn=stack.physical_id("Topic"))["Attributes"]["DisplayName"]
    assert ":function:" in name


def test_a_nested_stacks_update_that_fails_is_rolled_back(aws: Any, nested: Any) -> None:
    good, bad = nested({"Topic": topic()}), nested(recorder() | {"Broken": custom("broken", fail="Create")})
    stack = local_stacks.create(aws("cloudformation"), {"Child": good})
    assert stack.update({"Child": bad}) == "UPDATE_ROLLBACK_COMPLETE"
    child = aws("cloudformation").describe_stacks(StackName=stack.physical_id("Child"))["Stacks"][0]
    assert child["StackStatus"] == "UPDATE_COMPLETE"


@pytest.mark.parametrize(
    "url",
    [
        "https://us-east-1-aws-parallelcluster.s3.us-east-1.amazonaws.com/parallelcluster/9.9.9/templates/"
        "custom_resource/cluster.yaml",
        "https://nobodys-bucket.s3.us-east-1.amazonaws.com/x.yaml",
    ],
)
def test_a_template_that_is_not_there_fails_the_stack(aws: Any, url: str) -> None:
    child = {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": url}}
    assert "S3 error: Access Denied" in local_stacks.create(aws("cloudformation"), {"Child": child}).reason(
        "Child"
    )


def test_a_condition_evaluates_what_it_compares(aws: Any) -> None:
    """The CDK's bootstrap template joins an empty list parameter to find out whether it was given."""
    parameters = {"Names": {"Type": "CommaDelimitedList", "Default": ""}}
    joined = {"Fn::Join": ["", {"Ref": "Names"}]}
    conditions = {"Given": {"Fn::Not": [{"Fn::Equals": ["", joined]}]}}
    body = {
        "Parameters": parameters,
        "Conditions": conditions,
        "Resources": {"Always": topic(), "Sometimes": topic() | {"Condition": "Given"}},
    }
    name = unique()
    stack_id = aws("cloudformation").create_stack(StackName=name, TemplateBody=json.dumps(body))["StackId"]
    stack = local_stacks.Stack(aws("cloudformation"), stack_id)
    stack.wait()
    assert stack.left() == {"Always"}
