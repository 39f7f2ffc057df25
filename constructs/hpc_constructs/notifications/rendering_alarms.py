"""Which alarms people are told of, as plain data."""

from __future__ import annotations

from hpc_constructs.intrinsics import Value

ALARMS = ("Health", "Disk", "ClustermgtdHeartbeat")
"""The head node's alarms that ask for somebody. ParallelCluster 3.15 and 3.16 make them in every cluster, as
``CLUSTER-HeadNode-Health`` and so on (``templates/cluster_stack.py``), unless ``Monitoring.Alarms.Enabled`` is
false; those for CPU and memory tell of work being done."""

EVERY = "cron(0/5 * * * ? *)"
"""When the state of the fleet is looked at, for no alarm, metric or event announces PROTECTED. It stands in the
table ``parallelcluster-CLUSTER``; in the logs as well, but their group's name ends in the minute of its creation,
which no template can know. The handler's ``PERIOD`` is the same."""


def rule(name: str, function: Value) -> dict[str, Value]:
    """Properties of the rule that calls ``function``: at alarms of cluster ``name``, and every five minutes."""
    return {
        "Description": f"Alarms of cluster {name}, and a look at its fleet",
        "EventPattern": {
            "source": ["aws.cloudwatch"],
            "detail-type": ["CloudWatch Alarm State Change"],
            "detail": {
                "alarmName": [f"{name}-HeadNode-{alarm}" for alarm in ALARMS],
                "state": {"value": ["ALARM", "OK"]},
            },
        },
        "ScheduleExpression": EVERY,
        "Targets": [{"Arn": function, "Id": "Lifecycle"}],
    }
