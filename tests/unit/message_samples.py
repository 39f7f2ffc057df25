"""Every message once, made from a synthesized stack as the function makes it in AWS."""

from __future__ import annotations

from functools import cache
from typing import Any

from hpc_constructs.functions.handlers import alarms, messages
from hpc_constructs.functions.handlers.failures import Failure
from hpc_constructs.functions.handlers.layout import Message
from hpc_constructs.functions.handlers.messages import About, Left, Remains
from hpc_constructs.functions.handlers.shape import notice, shape
from tests.assembly import synthesize
from tests.factories import cluster

STACK_ID = (
    "arn:aws:cloudformation:us-east-1:123456789012:stack/clusterform-pc-demo/4c5f1e0a-0000-1111-2222-333344445555"
)
ABOUT = About("demo", "us-east-1", STACK_ID)
LEFT = Left(STACK_ID.replace("clusterform-pc-", ""), "DELETE_FAILED", ours=True)
CHAIN = [
    Failure(
        "HeadNodeWaitCondition20261201101500",
        "demo",
        "WaitCondition received failed message: 'clusterform: script mount-nfs-nas failed with exit code 1 "
        "in stage configured: nas:/export cannot be mounted at /nfs/nas: is port 2049 of the server open to "
        "this node? | "
        "fetch_and_run - Failed to execute OnNodeConfigured script 1, return code: 1.' for uniqueId: "
        "i-0123456789abcdef0",
    ),
    Failure(
        "Cluster",
        "clusterform-pc-demo",
        "Received response status [FAILED] from custom resource. Message returned: demo: "
        "OnNodeConfiguredExecutionFailure (LogGroup: /aws/lambda/pcluster-cfn-4c5f1e0a)",
    ),
]
CROSSED = {
    "Health": "1 out of the last 1 datapoints [1.0 (01/12/26 10:15:00)] was greater than the threshold (0.0)",
    "Disk": "1 out of the last 1 datapoints [97.1 (01/12/26 10:15:00)] was greater than the threshold (90.0)",
    "ClustermgtdHeartbeat": "no datapoints were received for 10 periods and 10 missing datapoints were treated as "
    "[Breaching]",
}
"""As CloudWatch words them."""

SPEC = cluster(
    ssh={"allowed_cidrs": ["10.1.0.0/16", "10.2.0.0/16"], "key_reader": "hpc-admins"},
    login=[{"name": "login", "subnet": "public-a", "count": 2}],
    queues=[
        {"name": "cpu", "instance_types": ["c8g.2xlarge", "c7g.2xlarge", "c8g.4xlarge"], "subnets": ["private-a"]},
        {
            "name": "gpu",
            "instance_types": ["g5g.2xlarge"],
            "subnets": ["private-a"],
            "capacity": "ondemand",
            "min_nodes": 1,
            "max_nodes": 2,
        },
    ],
    storage=[
        {"name": "shared", "mount": "/shared", "type": "ebs", "size_gib": 500, "on_delete": "snapshot"},
        {"name": "projects", "mount": "/projects", "type": "efs"},
        {
            "name": "scratch",
            "mount": "/scratch",
            "type": "fsx-lustre",
            "on_delete": "delete",
            "hydration": {"import_bucket": "genomes"},
        },
        {"name": "nas", "mount": "/nfs/nas", "type": "nfs", "server": "nas.example.org", "export": "/export/nas"},
    ],
)


@cache
def template() -> dict[str, Any]:
    """The template of a cluster with some of everything."""
    return synthesize({"demo": SPEC}).template()


def alarm(kind: str) -> dict[str, Any]:
    return {
        "alarmName": f"demo-HeadNode-{kind}",
        "state": {"value": "ALARM", "reason": f"Threshold Crossed: {CROSSED[kind]}."},
    }


@cache
def samples() -> dict[str, Message]:
    """The messages by what has happened."""
    declared = template()
    told, has = notice(declared), shape(declared)
    remains = Remains(told["Kept"], told["Lost"])
    over = {"alarmName": "demo-HeadNode-Disk", "state": {"value": "OK"}, "previousState": {"value": "ALARM"}}
    found = {
        "The cluster is up": messages.up(ABOUT, has, told["Up"]["Storage"], told["Up"]["Access"]),
        "The cluster could not be created": messages.not_created(ABOUT, CHAIN, None, remains),
        "The cluster is gone": messages.gone(ABOUT, has, None, remains),
        "The cluster was not deleted": messages.left_behind(ABOUT, LEFT),
        "The head node fails its health check": alarms._alarm(ABOUT, alarm("Health")),
        "The head node's disk is nearly full": alarms._alarm(ABOUT, alarm("Disk")),
        "The head node is silent": alarms._alarm(ABOUT, alarm("ClustermgtdHeartbeat")),
        "An alarm is over": alarms._alarm(ABOUT, over),
        "The cluster is in protected mode": alarms._protected(ABOUT),
    }
    return {what: message for what, message in found.items() if message}
