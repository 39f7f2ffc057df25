"""A stack that changes its status tells EventBridge, as on AWS; ministack 1.5.33 keeps it to itself.

The event has the fields that CloudFormation's documentation shows. What else AWS puts into it, and whether it
sends one for every status that a stack goes through, is not proven.
"""

from __future__ import annotations

import json
from typing import Any

from ministack.services import eventbridge
from ministack.services.cloudformation import stacks

TYPE = "AWS::CloudFormation::Stack"


def _add_event(
    original: Any, stack_id: str, stack_name: str, logical_id: str, kind: str, status: str, *rest: Any, **more: Any
) -> None:
    original(stack_id, stack_name, logical_id, kind, status, *rest, **more)
    if kind != TYPE or logical_id != stack_name:
        return  # a resource, or a nested stack as its parent sees it
    reason = rest[0] if rest else more.get("reason", "")
    detail = {
        "stack-id": stack_id,
        "status-details": {"status": status, "status-reason": reason},
        "client-request-token": "",
    }
    entry = {
        "Source": "aws.cloudformation",
        "DetailType": "CloudFormation Stack Status Change",
        "Resources": [stack_id],
        "Detail": json.dumps(detail),
    }
    eventbridge._put_events({"Entries": [entry]}, allow_aws_source=True)


def install() -> None:
    """Tell after the event is recorded."""
    original = stacks._add_event
    stacks._add_event = lambda *a, **k: _add_event(original, *a, **k)
