"""Alarms: what EventBridge brings, and the state of the fleet, which nothing in AWS announces by itself."""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.exceptions import ClientError

from .layout import Message, command, message, paragraph, section
from .messages import About

Event = dict[str, Any]
"""An event of EventBridge's."""

PERIOD = datetime.timedelta(minutes=5)
"""How often the state of the fleet is looked at: the schedule of the rule that calls this function."""
FLEET = "COMPUTE_FLEET"
PROTECTED = "PROTECTED"
CLUSTER, STACK = "CLUSTER", "STACK_ID"
"""The function's settings: whose alarms these are."""


@dataclass(frozen=True)
class Alarm:
    """What an alarm of ParallelCluster's means: in a subject, when it is over, in sentences, and what to do."""

    short: str
    over: str
    means: str
    advice: str


ALARMS = {
    "Health": Alarm(
        "its head node fails its health check",
        "its head node passes its health check again",
        "EC2's health check of the head node fails. Running jobs may go on, but nothing is scheduled, and nobody "
        "can log in there.",
        "If it does not recover by itself in some minutes, stop and start the instance in the EC2 console.",
    ),
    "Disk": Alarm(
        "its head node's disk is nearly full",
        "its head node's disk has room again",
        "The head node's root volume is more than 90 % full. When it is full, Slurm stops working, and with it "
        "the cluster.",
        "Remove what is not needed: logs, packages, and home directories where they stand on this volume.",
    ),
    "ClustermgtdHeartbeat": Alarm(
        "its head node gives no sign of life",
        "its head node gives signs of life again",
        "ParallelCluster's manager on the head node has been silent for ten minutes. Nodes are neither started "
        "nor replaced nor stopped.",
        "See whether the instance runs, and read /var/log/parallelcluster/clustermgtd there.",
    ),
}
"""By the end of the alarm's name, as ParallelCluster 3.15 and 3.16 make it: ``CLUSTER-HeadNode-Health``."""

RESTART = "pcluster update-compute-fleet --cluster-name {name} --region {region} --status START_REQUESTED"


def handle(event: Event) -> Message | None:
    """What to tell about an event; None when there is nothing to tell."""
    about = About(os.environ[CLUSTER], event["region"], os.environ[STACK])
    if event["detail-type"] == "Scheduled Event":
        return _protected(about) if _newly_protected(about.name, event["time"]) else None
    return _alarm(about, event["detail"])


def _alarm(about: About, detail: Mapping[str, Any]) -> Message | None:
    alarm = ALARMS[detail["alarmName"].rpartition("-")[2]]
    state, former = detail["state"]["value"], detail.get("previousState", {}).get("value")
    if state == "ALARM":
        return message(
            f"Cluster {about.name}: {alarm.short}",
            paragraph(f"{about.cluster}: {alarm.short}."),
            paragraph(alarm.means),
            paragraph(alarm.advice),
            section("CloudWatch says", [paragraph(detail["state"].get("reason", "no reason"))]),
            f"Alarm: {detail['alarmName']}",
            about.footer,
        )
    if (state, former) == ("OK", "ALARM"):
        return message(
            f"Cluster {about.name}: {alarm.over}",
            paragraph(f"{about.cluster}: {alarm.over}."),
            f"Alarm: {detail['alarmName']}",
            about.footer,
        )
    return None


def _newly_protected(name: str, time: str) -> bool:
    """Whether the fleet was put into protected mode in the period that ended last before ``time``.

    Periods begin at whole multiples of their length, and each is looked at by the one event that follows it, a
    repeated attempt included: so each change is told once, and nothing has to be remembered.
    """
    fleet = _fleet(name)
    if fleet.get("status", {}).get("S") != PROTECTED:
        return False
    changed = datetime.datetime.fromisoformat(fleet["lastStatusUpdatedTime"]["S"])
    changed = changed if changed.tzinfo else changed.replace(tzinfo=datetime.UTC)
    now = datetime.datetime.fromisoformat(time)
    end = now - (now - datetime.datetime.min.replace(tzinfo=datetime.UTC)) % PERIOD
    return end - PERIOD <= changed < end


def _fleet(name: str) -> dict[str, Any]:
    """ParallelCluster's own record of the fleet's state; nothing while there is no cluster."""
    try:
        answer = boto3.client("dynamodb").get_item(
            TableName=f"parallelcluster-{name}", Key={"Id": {"S": FLEET}}, ConsistentRead=True
        )
    except ClientError as error:
        if error.response["Error"]["Code"] == "ResourceNotFoundException":
            return {}
        raise
    return answer.get("Item", {}).get("Data", {}).get("M", {})


def _protected(about: About) -> Message:
    return message(
        f"Cluster {about.name} is in protected mode",
        paragraph(
            f"{about.cluster} has put itself into protected mode: nodes of a queue failed to start again and "
            "again. ParallelCluster has switched off that queue, so that they do not go on failing and costing "
            "money. Other queues go on; jobs of this one wait."
        ),
        paragraph(
            f"Why is told by the log group /aws/parallelcluster/{about.name}-..., in the streams that end in "
            "clustermgtd and in those of the nodes. When the cause is mended, start the fleet again:"
        ),
        command(RESTART.format(name=about.name, region=about.region)),
        about.footer,
    )
