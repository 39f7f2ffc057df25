"""What the local AWS adds for the account's stack: service-linked roles, and events of stacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.local_inbox import Inbox
from tests.local_stacks import create, unique

SPOT = "AWSServiceRoleForEC2Spot"


def spot_role(retain: bool = True) -> dict[str, Any]:
    policy = {"DeletionPolicy": "Retain"} if retain else {}
    return {
        "Spot": {
            "Type": "AWS::IAM::ServiceLinkedRole",
            "Properties": {"AWSServiceName": "spot.amazonaws.com"},
            **policy,
        }
    }


def test_the_role_of_spot_is_there_and_can_be_made_once(aws: Any) -> None:
    role = aws("iam").get_role(RoleName=SPOT)["Role"]
    assert role["Path"] == "/aws-service-role/spot.amazonaws.com/"
    failed = create(aws("cloudformation"), spot_role())
    assert failed.describe()["StackStatus"] == "ROLLBACK_COMPLETE"
    assert "has been taken in this account" in failed.reason("Spot")
    aws("iam").delete_service_linked_role(RoleName=SPOT)
    with pytest.raises(ClientError, match="NoSuchEntity"):
        aws("iam").get_role(RoleName=SPOT)
    made = create(aws("cloudformation"), spot_role())
    assert made.physical_id("Spot") == SPOT
    assert made.delete() == "DELETE_COMPLETE"
    assert aws("iam").get_role(RoleName=SPOT)["Role"]["Arn"] == role["Arn"]


def test_the_api_makes_it_under_the_same_name_and_once(aws: Any) -> None:
    aws("iam").delete_service_linked_role(RoleName=SPOT)
    made = aws("iam").create_service_linked_role(AWSServiceName="spot.amazonaws.com")["Role"]
    assert made["RoleName"] == SPOT
    assert aws("iam").get_role(RoleName=SPOT)["Role"]["Arn"] == made["Arn"]
    with pytest.raises(ClientError, match="has been taken in this account"):
        aws("iam").create_service_linked_role(AWSServiceName="spot.amazonaws.com")


@pytest.fixture
def inbox(aws: Any) -> Iterator[Inbox]:
    """What CloudFormation tells EventBridge of stacks called ``watched-...``."""
    inbox, rule = Inbox(aws), unique("watch")
    pattern = (
        '{"source": ["aws.cloudformation"], "detail-type": ["CloudFormation Stack Status Change"],'
        ' "detail": {"stack-id": [{"prefix": "arn:aws:cloudformation:us-east-1:123456789012:stack/watched-"}]}}'
    )
    aws("events").put_rule(Name=rule, EventPattern=pattern)
    aws("events").put_targets(Rule=rule, Targets=[{"Id": "inbox", "Arn": inbox.arn}])
    yield inbox
    aws("events").remove_targets(Rule=rule, Ids=["inbox"])
    aws("events").delete_rule(Name=rule)
    inbox.close()


def test_a_stack_tells_each_status_and_why(aws: Any, inbox: Inbox) -> None:
    topic: dict[str, Any] = {"Topic": {"Type": "AWS::SNS::Topic"}}
    stack = create(aws("cloudformation"), topic, unique("watched"))
    assert stack.update({**topic, **spot_role()}) == "UPDATE_ROLLBACK_COMPLETE"
    told: list[tuple[str, str]] = []
    while not told or told[-1][0] != "UPDATE_ROLLBACK_COMPLETE":
        event = inbox.next()
        assert event["detail"]["stack-id"] == stack.id
        details = event["detail"]["status-details"]
        told.append((details["status"], details["status-reason"]))
    assert "Spot" in dict(told)["UPDATE_ROLLBACK_IN_PROGRESS"]
    assert stack.delete() == "DELETE_COMPLETE"
