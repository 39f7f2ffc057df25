"""What the lifecycle function asks of AWS, as far as it asks."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError

from hpc_constructs.functions.handlers import alarms, delivery, failures, stacks
from tests.unit.callback import STACK_ID

TOPIC = "arn:aws:sns:us-east-1:123456789012:topic"
CLUSTER_STACK = "arn:aws:cloudformation:us-east-1:123456789012:stack/demo/9"

TEMPLATE: dict[str, Any] = {
    "Resources": {
        "GoneNotice": {
            "Type": "Custom::GoneNotice",
            "Properties": {
                "Up": {
                    "Storage": ["/data: EFS"],
                    "Access": [{"Text": "a shell:", "Command": "aws ssm start-session"}],
                }
            },
        },
        "Cluster": {
            "Type": "Custom::PclusterCluster",
            "Properties": {
                "ClusterConfiguration": {
                    "HeadNode": {"InstanceType": "c8g.xlarge"},
                    "LoginNodes": {"Pools": [{"Name": "login", "Count": 2, "InstanceType": "c8g.large"}]},
                    "Scheduling": {
                        "SlurmQueues": [
                            {
                                "Name": "cpu",
                                "CapacityType": "SPOT",
                                "ComputeResources": [
                                    {
                                        "Instances": [
                                            {"InstanceType": "c8g.2xlarge"},
                                            {"InstanceType": "c7g.2xlarge"},
                                        ],
                                        "MinCount": 1,
                                        "MaxCount": 8,
                                    }
                                ],
                            }
                        ]
                    },
                }
            },
        },
    }
}


class Cloud:
    """CloudFormation, SNS, Secrets Manager and DynamoDB; ``broken`` holds the calls that are refused."""

    def __init__(self) -> None:
        self.stacks: dict[str, dict[str, Any]] = {}
        self.deleted: list[dict[str, str]] = []
        self.event_pages: dict[str, list[list[dict[str, str]]]] = {}
        self.template: Any = TEMPLATE
        self.published: list[dict[str, str]] = []
        self.secrets: dict[str, str] = {}
        self.fleet: dict[str, Any] | None = None
        self.asked: list[str] = []
        self.broken: set[str] = set()

    def client(self, service: str, **_: Any) -> Cloud:
        return self

    def add(self, key: str, stack_id: str, status: str, **tags: str) -> None:
        """A stack, found under ``key``; a tag's name is written with ``__`` for the colon."""
        listed = [{"Key": name.replace("__", ":"), "Value": value} for name, value in tags.items()]
        self.stacks[key] = {"StackId": stack_id, "StackStatus": status, "Tags": listed}

    def events(self, stack_id: str, *newest_first: dict[str, str]) -> None:
        """The events of a stack, as one page."""
        self.event_pages[stack_id] = [list(newest_first)]

    def describe_stacks(self, StackName: str) -> dict[str, Any]:
        self._check("DescribeStacks")
        if StackName not in self.stacks:
            raise error("DescribeStacks", "ValidationError", f"Stack with id {StackName} does not exist")
        return {"Stacks": [self.stacks[StackName]]}

    def get_template(self, StackName: str, TemplateStage: str) -> dict[str, Any]:
        self._check("GetTemplate")
        assert (StackName, TemplateStage) == (STACK_ID, "Original")
        return {"TemplateBody": self.template}

    def get_paginator(self, operation: str) -> Any:
        return {"describe_stack_events": Events, "list_stacks": Deleted}[operation](self)

    def publish(self, **message: str) -> None:
        self._check("Publish")
        self.published.append(message)

    def get_secret_value(self, SecretId: str) -> dict[str, str]:
        self._check("GetSecretValue")
        return {"SecretString": self.secrets[SecretId]}

    def get_item(self, TableName: str, Key: dict[str, Any], ConsistentRead: bool) -> dict[str, Any]:
        self._check("GetItem")
        assert (TableName, Key, ConsistentRead) == ("parallelcluster-demo", {"Id": {"S": "COMPUTE_FLEET"}}, True)
        if self.fleet is None:
            raise error("GetItem", "ResourceNotFoundException", "Requested resource not found")
        return {"Item": {"Id": {"S": "COMPUTE_FLEET"}, "Data": {"M": self.fleet}}}

    def _check(self, operation: str) -> None:
        self.asked.append(operation)
        if operation in self.broken:
            raise error(operation, "AccessDenied", "not allowed")


class Events:
    """The pages of a stack's events."""

    def __init__(self, cloud: Cloud) -> None:
        self.cloud = cloud

    def paginate(self, StackName: str) -> list[dict[str, Any]]:
        self.cloud._check("DescribeStackEvents")
        if StackName not in self.cloud.event_pages:
            raise error("DescribeStackEvents", "ValidationError", f"Stack [{StackName}] does not exist")
        return [{"StackEvents": page} for page in self.cloud.event_pages[StackName]]


class Deleted(Events):
    """The pages of deleted stacks."""

    def paginate(self, StackStatusFilter: list[str]) -> list[dict[str, Any]]:  # type: ignore[override]
        self.cloud._check("ListStacks")
        assert StackStatusFilter == ["DELETE_COMPLETE"]
        return [{"StackSummaries": [each]} for each in self.cloud.deleted]


def error(operation: str, code: str, message: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": message}}, operation)


def failed(logical_id: str, reason: str, kind: str = "AWS::SNS::Topic", physical_id: str = "") -> dict[str, str]:
    """An event of a failed creation."""
    return {
        "LogicalResourceId": logical_id,
        "PhysicalResourceId": physical_id,
        "ResourceType": kind,
        "ResourceStatus": "CREATE_FAILED",
        "ResourceStatusReason": reason,
    }


def install(monkeypatch: pytest.MonkeyPatch) -> Cloud:
    """A cloud in place of boto3's clients, and the function's settings."""
    cloud = Cloud()
    for module in (alarms, delivery, failures, stacks):
        monkeypatch.setattr(module.boto3, "client", cloud.client)
    for key, value in (("CLUSTER", "demo"), ("STACK_ID", STACK_ID), ("TOPIC_ARN", TOPIC)):
        monkeypatch.setenv(key, value)
    monkeypatch.delenv("WEBHOOK_SECRET", raising=False)
    return cloud
