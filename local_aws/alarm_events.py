"""A CloudWatch alarm that changes its state tells EventBridge; ministack 1.5.33 tells the alarm's actions alone.

The event has the fields that CloudWatch's documentation shows; what else AWS puts into it is not proven.
"""

from __future__ import annotations

import json
from typing import Any

from ministack.services import cloudwatch, eventbridge


def _dispatch(original: Any, alarm: dict[str, Any], old_state: str, new_state: str, reason: str) -> None:
    original(alarm, old_state, new_state, reason)
    detail = {
        "alarmName": alarm["AlarmName"],
        "state": {"value": new_state, "reason": reason},
        "previousState": {"value": old_state},
        "configuration": {"description": alarm.get("AlarmDescription", "")},
    }
    entry = {
        "Source": "aws.cloudwatch",
        "DetailType": "CloudWatch Alarm State Change",
        "Resources": [alarm["AlarmArn"]],
        "Detail": json.dumps(detail),
    }
    eventbridge._put_events({"Entries": [entry]}, allow_aws_source=True)


def install() -> None:
    """Tell after the alarm's actions."""
    original = cloudwatch._dispatch_alarm_actions
    cloudwatch._dispatch_alarm_actions = lambda *a, **k: _dispatch(original, *a, **k)
