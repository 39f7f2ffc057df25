"""The mend by which alarms of the local AWS reach EventBridge."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.local_inbox import Inbox
from tests.local_stacks import unique

pytestmark = pytest.mark.xdist_group("local-aws")


@pytest.fixture
def inbox(aws: Any) -> Iterator[Inbox]:
    queue = Inbox(aws)
    yield queue
    queue.close()


def test_an_alarm_that_changes_reaches_the_rules_that_ask_for_it(aws: Any, inbox: Inbox) -> None:
    name, rule = unique("alarm"), unique("rule")
    pattern = {
        "source": ["aws.cloudwatch"],
        "detail-type": ["CloudWatch Alarm State Change"],
        "detail": {"alarmName": [name], "state": {"value": ["ALARM"]}},
    }
    aws("events").put_rule(Name=rule, EventPattern=json.dumps(pattern))
    aws("events").put_targets(Rule=rule, Targets=[{"Id": "Inbox", "Arn": inbox.arn}])
    for alarm in (name, unique("other")):
        aws("cloudwatch").put_metric_alarm(
            AlarmName=alarm,
            Namespace="AWS/EC2",
            MetricName="StatusCheckFailed",
            Statistic="Maximum",
            Period=60,
            EvaluationPeriods=1,
            Threshold=0,
            ComparisonOperator="GreaterThanThreshold",
        )
        for state in ("OK", "ALARM"):
            aws("cloudwatch").set_alarm_state(AlarmName=alarm, StateValue=state, StateReason=f"now {state}")
    event = inbox.next()
    assert (event["source"], event["detail-type"]) == ("aws.cloudwatch", "CloudWatch Alarm State Change")
    assert event["region"]
    assert event["resources"][0].endswith(f":alarm:{name}")
    detail = event["detail"]
    assert (detail["alarmName"], detail["state"]) == (name, {"value": "ALARM", "reason": "now ALARM"})
    assert detail["previousState"]["value"] == "OK"
    assert inbox.is_empty()
    aws("events").remove_targets(Rule=rule, Ids=["Inbox"])
    aws("events").delete_rule(Name=rule)
