"""Stacks on the local AWS, made from templates given as data."""

from __future__ import annotations

import json
import time
import uuid
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

CAPABILITIES = ["CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"]

LAMBDA_TRUST = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
    ],
}

RECORDER = """
import json, urllib.request
def handler(event, context):
    properties = event["ResourceProperties"]
    print(json.dumps(event))
    failed = properties.get("Fail") == event["RequestType"]
    answer = {key: event[key] for key in ("StackId", "RequestId", "LogicalResourceId")}
    answer |= {"Status": "FAILED" if failed else "SUCCESS", "Reason": "told to fail",
               "PhysicalResourceId": event.get("PhysicalResourceId", properties["Name"] + "-id"), "Data": {}}
    body = json.dumps(answer).encode()
    request = urllib.request.Request(event["ResponseURL"], body, {"Content-Type": ""}, method="PUT")
    urllib.request.urlopen(request)
"""
"""A function that prints each event and fails the kind of request that the resource names."""


@dataclass(frozen=True)
class Stack:
    """A stack by its unique id, so that a deleted one can still be looked at."""

    client: Any
    id: str

    def describe(self) -> dict[str, Any]:
        return self.client.describe_stacks(StackName=self.id)["Stacks"][0]

    def wait(self) -> str:
        """The status once nothing is in progress."""
        deadline = time.monotonic() + 60
        while (status := self.describe()["StackStatus"]).endswith("_IN_PROGRESS"):
            assert time.monotonic() < deadline, f"stack stays {status}"
            time.sleep(0.02)
        return status

    def update(self, resources: dict[str, Any]) -> str:
        """Update and wait for the end; ``resources`` as in :func:`create`."""
        self.client.update_stack(StackName=self.id, TemplateBody=template(resources), Capabilities=CAPABILITIES)
        return self.wait()

    def delete(self, **options: Any) -> str:
        self.client.delete_stack(StackName=self.id, **options)
        return self.wait()

    def events(self, logical_id: str | None = None) -> list[tuple[str, str, str]]:
        """Logical id, status and reason of the events, oldest first."""
        found = self.client.describe_stack_events(StackName=self.id)["StackEvents"]
        return [
            (event["LogicalResourceId"], event["ResourceStatus"], event.get("ResourceStatusReason", ""))
            for event in reversed(found)
            if logical_id in (None, event["LogicalResourceId"])
        ]

    def reason(self, logical_id: str) -> str:
        """Why the resource failed last."""
        return next(reason for _, status, reason in reversed(self.events(logical_id)) if status.endswith("FAILED"))

    def physical_id(self, logical_id: str) -> str:
        detail = self.client.describe_stack_resource(StackName=self.id, LogicalResourceId=logical_id)
        return detail["StackResourceDetail"]["PhysicalResourceId"]

    def left(self) -> set[str]:
        """Logical ids that the stack still holds."""
        found = self.client.list_stack_resources(StackName=self.id)["StackResourceSummaries"]
        return {each["LogicalResourceId"] for each in found if each["ResourceStatus"] != "DELETE_COMPLETE"}


def template(resources: dict[str, Any]) -> str:
    return json.dumps({"AWSTemplateFormatVersion": "2010-09-09", "Resources": resources})


def unique(prefix: str = "t") -> str:
    """A name that no other test uses."""
    return f"{prefix}-{uuid.uuid4().hex[:10]}"


def create(client: Any, resources: dict[str, Any], name: str | None = None, **options: Any) -> Stack:
    """Create a stack and wait for the end, whichever it is."""
    answer = client.create_stack(
        StackName=name or unique(), TemplateBody=template(resources), Capabilities=CAPABILITIES, **options
    )
    stack = Stack(client, answer["StackId"])
    stack.wait()
    return stack


def recorder() -> dict[str, Any]:
    """Resources ``Role`` and ``Function``: the function behind :func:`custom` resources."""
    return {
        "Role": {
            "Type": "AWS::IAM::Role",
            "Properties": {
                "AssumeRolePolicyDocument": LAMBDA_TRUST,
                "ManagedPolicyArns": ["arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"],
            },
        },
        "Function": {
            "Type": "AWS::Lambda::Function",
            "Properties": {
                "Runtime": "python3.12",
                "Handler": "index.handler",
                "Timeout": 30,
                "Role": {"Fn::GetAtt": ["Role", "Arn"]},
                "Code": {"ZipFile": RECORDER},
            },
        },
    }


def custom(name: str, *, fail: str = "", depends_on: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    """A custom resource served by :func:`recorder`; ``fail`` is the kind of request that it fails."""
    own = {"ServiceToken": {"Fn::GetAtt": ["Function", "Arn"]}, "ServiceTimeout": 30, "Name": name, "Fail": fail}
    resource: dict[str, Any] = {"Type": "Custom::Recorded", "Properties": own | properties}
    return resource | ({"DependsOn": depends_on} if depends_on else {})


def recorded(logs: Any, stack: Stack) -> list[dict[str, Any]]:
    """The events that the recorder of a stack has seen, in order."""
    group = f"/aws/lambda/{stack.physical_id('Function')}"
    try:
        found = logs.filter_log_events(logGroupName=group)["events"]
    except ClientError:
        return []
    lines = [line for event in found for line in event["message"].splitlines()]
    return [json.loads(line) for line in lines if line.startswith('{"RequestType"')]
