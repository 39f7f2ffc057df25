"""What rings: alarms that ParallelCluster makes, and a fleet that has put itself into protected mode."""

from __future__ import annotations

from typing import Any

import pytest

from hpc_constructs.functions.handlers import alarms, lifecycle
from hpc_constructs.notifications import rendering_alarms
from tests.unit import fake_cloud
from tests.unit.callback import STACK_ID, Context
from tests.unit.fake_cloud import TOPIC, Cloud

REASON = "Threshold Crossed: 1 out of the last 1 datapoints [97.1] was greater than the threshold (90.0)."


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Cloud:
    return fake_cloud.install(monkeypatch)


def alarm(name: str = "demo-HeadNode-Disk", state: str = "ALARM", former: str = "OK") -> dict[str, Any]:
    """CloudWatch's event, as its documentation has it."""
    return {
        "source": "aws.cloudwatch",
        "detail-type": "CloudWatch Alarm State Change",
        "region": "us-east-1",
        "time": "2026-12-01T10:02:00Z",
        "detail": {
            "alarmName": name,
            "state": {"value": state, "reason": REASON},
            "previousState": {"value": former},
        },
    }


def tick(time: str) -> dict[str, Any]:
    return {"source": "aws.events", "detail-type": "Scheduled Event", "region": "us-east-1", "time": time}


def fleet(status: str, changed: str) -> dict[str, Any]:
    """ParallelCluster's record, as its own code writes it (models/compute_fleet_status_manager.py)."""
    return {"status": {"S": status}, "lastStatusUpdatedTime": {"S": changed}}


@pytest.mark.parametrize("kind", rendering_alarms.ALARMS)
def test_every_alarm_of_the_rule_is_told_with_what_it_means(cloud: Cloud, kind: str) -> None:
    lifecycle.handler(alarm(f"demo-HeadNode-{kind}"), Context())
    (message,) = cloud.published
    known = alarms.ALARMS[kind]
    assert (message["TopicArn"], message["Subject"]) == (TOPIC, f"Cluster demo: {known.short}")
    text = " ".join(message["Message"].split())
    for part in (known.means, known.advice, REASON, f"Alarm: demo-HeadNode-{kind}", STACK_ID):
        assert part in text


def test_the_handler_knows_no_other_alarms_than_the_rule(cloud: Cloud) -> None:
    assert set(alarms.ALARMS) == set(rendering_alarms.ALARMS)


def test_the_end_of_an_alarm_is_told_too(cloud: Cloud) -> None:
    lifecycle.handler(alarm(state="OK", former="ALARM"), Context())
    assert cloud.published[0]["Subject"] == "Cluster demo: its head node's disk has room again"


def test_an_alarm_that_is_made_and_fine_is_not_worth_a_message(cloud: Cloud) -> None:
    lifecycle.handler(alarm(state="OK", former="INSUFFICIENT_DATA"), Context())
    assert cloud.published == []


@pytest.mark.parametrize(
    ("changed", "told_at"),
    [
        ("2026-12-01 10:00:00+00:00", "10:05"),
        ("2026-12-01 10:02:07.485674+00:00", "10:05"),
        ("2026-12-01 10:04:59.999999+00:00", "10:05"),
        ("2026-12-01 10:05:00+00:00", "10:10"),
        ("2026-12-01 10:05:00", "10:10"),
    ],
)
def test_protected_mode_is_told_once_by_the_period_that_it_began_in(
    cloud: Cloud, changed: str, told_at: str
) -> None:
    cloud.fleet = fleet("PROTECTED", changed)
    told = []
    for minute in ("10:00", "10:05", "10:10", "10:15"):
        before = len(cloud.published)
        # Events come some seconds late.
        lifecycle.handler(tick(f"2026-12-01T{minute}:03Z"), Context())
        if len(cloud.published) > before:
            told.append(minute)
    assert told == [told_at]
    assert cloud.published[0]["Subject"] == "Cluster demo is in protected mode"
    assert "--status START_REQUESTED" in cloud.published[0]["Message"]


def test_the_function_looks_as_often_as_the_rule_calls_it() -> None:
    minutes = int(alarms.PERIOD.total_seconds() // 60)
    assert f"cron(0/{minutes} * * * ? *)" == rendering_alarms.EVERY


@pytest.mark.parametrize("status", ["RUNNING", "STOPPED", "START_REQUESTED"])
def test_any_other_state_of_the_fleet_is_not_told(cloud: Cloud, status: str) -> None:
    cloud.fleet = fleet(status, "2026-12-01 10:02:00+00:00")
    lifecycle.handler(tick("2026-12-01T10:05:00Z"), Context())
    assert cloud.published == []


def test_before_and_after_the_cluster_there_is_no_fleet_and_no_complaint(
    cloud: Cloud, capsys: pytest.CaptureFixture[str]
) -> None:
    lifecycle.handler(tick("2026-12-01T10:05:00Z"), Context())
    assert (cloud.published, capsys.readouterr().out) == ([], "")


@pytest.mark.parametrize("event", [alarm("demo-HeadNode-Unknown"), tick("no time")])
def test_what_cannot_be_understood_is_logged_and_fails_nothing(
    cloud: Cloud, event: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    cloud.fleet = fleet("PROTECTED", "2026-12-01 10:02:00+00:00")
    lifecycle.handler(event, Context())
    assert cloud.published == []
    assert capsys.readouterr().out.startswith("problem: ")
