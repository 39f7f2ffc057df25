"""What people are told, received from the topic: from the first message to the last, by the stock CDK CLI.

The topic is the organisation's own, so that somebody listens before the cluster is there; the stack's own topic is
listened to in test_life. That AWS sends such events by itself is not proven here: CloudWatch's come from a mend of
the local AWS, the scheduled one from the test.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.project import STACK, Project, template
from tests.local_inbox import Inbox

pytestmark = [pytest.mark.xdist_group("e2e-messages"), pytest.mark.slow]

DEPLOY = ("deploy", "--require-approval", "never")
TABLE = "parallelcluster-demo"


@pytest.fixture(scope="module")
def topic(aws: Any) -> Iterator[str]:
    """The organisation's topic."""
    arn = aws("sns").create_topic(Name="hpc-news")["TopicArn"]
    yield arn
    aws("sns").delete_topic(TopicArn=arn)


@pytest.fixture(scope="module")
def inbox(aws: Any, topic: str) -> Iterator[Inbox]:
    """Somebody who listens to it."""
    queue = Inbox(aws)
    queue.subscribe(topic)
    yield queue
    queue.close()


def received(inbox: Inbox) -> tuple[str, str]:
    """Subject and text of the next message."""
    message = inbox.next()
    return message["Subject"], message["Message"]


def physical_id(aws: Any, logical_id: str) -> str:
    detail = aws("cloudformation").describe_stack_resource(StackName=STACK, LogicalResourceId=logical_id)
    return detail["StackResourceDetail"]["PhysicalResourceId"]


def ring(aws: Any, alarm: str, state: str) -> None:
    """Set an alarm of ParallelCluster's, which the local AWS's cluster does not make."""
    aws("cloudwatch").put_metric_alarm(
        AlarmName=alarm,
        Namespace="CWAgent",
        MetricName="disk_used_percent",
        Statistic="Maximum",
        Period=60,
        EvaluationPeriods=1,
        Threshold=90,
        ComparisonOperator="GreaterThanThreshold",
    )
    aws("cloudwatch").set_alarm_state(AlarmName=alarm, StateValue=state, StateReason=f"the test says {state}")


def protect(aws: Any, changed: datetime.datetime) -> None:
    """Put the fleet into protected mode, in ParallelCluster's own table."""
    aws("dynamodb").create_table(
        TableName=TABLE,
        KeySchema=[{"AttributeName": "Id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "Id", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    fleet = {"status": {"S": "PROTECTED"}, "lastStatusUpdatedTime": {"S": str(changed)}}
    aws("dynamodb").put_item(TableName=TABLE, Item={"Id": {"S": "COMPUTE_FLEET"}, "Data": {"M": fleet}})


def test_a_cluster_is_told_of_from_up_to_gone_and_of_alarms_that_only_the_local_aws_emits(
    project: Project, aws: Any, topic: str, inbox: Inbox, tmp_path: Path
) -> None:
    assembly = project.synth(tmp_path / "told", **{"notifications.topic_arn": topic})
    assert not [each for each in template(assembly)["Resources"].values() if each["Type"] == "AWS::SNS::Topic"]
    done = project.cdk(*DEPLOY, "-a", str(assembly))
    assert done.returncode == 0, done.stdout
    subject, text = received(inbox)
    assert subject == "Cluster demo is up"
    queue = template(assembly)["Resources"]["Cluster"]["Properties"]["ClusterConfiguration"]["Scheduling"][
        "SlurmQueues"
    ]
    assert f"- queue {queue[0]['Name']} (" in text
    assert "aws ssm start-session" in text

    for state in ("OK", "ALARM", "OK"):
        ring(aws, "demo-HeadNode-Disk", state)
        ring(aws, "other-HeadNode-Disk", state)
    # Two calls of a function may overtake each other.
    assert {received(inbox)[0] for _ in range(2)} == {
        "Cluster demo: its head node's disk is nearly full",
        "Cluster demo: its head node's disk has room again",
    }

    now = datetime.datetime(2026, 12, 1, 10, 5, 3, tzinfo=datetime.UTC)
    protect(aws, now - datetime.timedelta(minutes=2))
    event = {
        "detail-type": "Scheduled Event",
        "source": "aws.events",
        "region": "us-east-1",
        "time": now.isoformat(),
    }
    function = physical_id(aws, "LifecycleFunction")
    answer = aws("lambda").invoke(FunctionName=function, Payload=json.dumps(event).encode())
    assert "FunctionError" not in answer
    assert received(inbox)[0] == "Cluster demo is in protected mode"
    aws("dynamodb").delete_table(TableName=TABLE)

    done = project.cdk("destroy", "-a", str(assembly), "--all", "--force")
    assert done.returncode == 0, done.stdout
    subject, text = received(inbox)
    assert subject == "Cluster demo is gone"
    for entry in template(assembly)["Resources"]["GoneNotice"]["Properties"]["Kept"]:
        assert f"- {entry['What']}\n" in text
        assert entry["Reason"] in text
    assert "/home on it" in text
    assert inbox.is_empty()


def test_a_failed_creation_is_told_with_what_failed_in_the_clusters_own_stack(
    project: Project, aws: Any, topic: str, inbox: Inbox, tmp_path: Path
) -> None:
    changes = {"notifications.topic_arn": topic, "queues.cpu.max_nodes": 3}
    assembly = project.synth(tmp_path / "failing", **changes)
    broken = template(assembly)
    actions = broken["Resources"]["Cluster"]["Properties"]["ClusterConfiguration"]["HeadNode"]["CustomActions"]
    actions["OnNodeConfigured"]["Script"] = "s3://nobodys-bucket/missing.sh"
    (assembly / f"{STACK}.template.json").write_text(json.dumps(broken))
    done = project.cdk(*DEPLOY, "-a", str(assembly))
    assert done.returncode == 1, done.stdout
    subject, text = received(inbox)
    assert subject == "Cluster demo could not be created"
    first = text.partition("What failed first\n")[2]
    assert first.startswith("- HeadNodeWaitCondition of stack demo:\n"), text
    assert "Failed to download OnNodeConfigured script" in " ".join(first.split())
    assert "And therefore\n- Cluster of stack clusterform-pc-demo:" in text
    assert "cancelled" not in text.lower()
    assert inbox.is_empty()
    done = project.cdk("destroy", "-a", str(assembly), "--all", "--force")
    assert done.returncode == 0, done.stdout
