"""What the demo tells about a stack, read from its template, from CloudFormation and from the CLI's output."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

KINDS = {
    "AWS::IAM::ManagedPolicy": "policies",
    "AWS::IAM::Role": "roles",
    "AWS::S3::Bucket": "buckets",
    "AWS::Lambda::Function": "functions",
    "AWS::EC2::KeyPair": "SSH key",
    "AWS::SNS::Topic": "topic",
    "Custom::PclusterCluster": "cluster",
}
"""The kinds worth naming; the others are counted."""

CHANGE = re.compile(r"\[[-+~]\]|^\s*└─|^Resources$|^Stack ")


def template(assembly: Path, stack: str) -> dict[str, Any]:
    """The stack's template in an assembly."""
    return json.loads((assembly / f"{stack}.template.json").read_text(encoding="utf-8"))


def target(assembly: Path, stack: str) -> tuple[str | None, str]:
    """Account (None when the cluster's file names none) and Region that the stack is for."""
    manifest = json.loads((assembly / "manifest.json").read_text(encoding="utf-8"))
    account, region = manifest["artifacts"][stack]["environment"].removeprefix("aws://").split("/")
    return (None if account == "unknown-account" else account), region


def contents(body: dict[str, Any]) -> str:
    """The template's resources in one line."""
    counts = Counter(resource["Type"] for resource in body["Resources"].values())
    named = [f"{counts[kind]} {name}" for kind, name in KINDS.items() if counts[kind]]
    return f"{counts.total()} resources: {', '.join(named)}, ..."


def existing(
    client: Callable[[str], Any], stack: str, cluster: str, body: dict[str, Any]
) -> list[tuple[str, str]]:
    """What is there after a deployment: both stacks, the cluster's shape, its scripts, its key."""
    described = client("cloudformation").describe_stacks
    outputs = {
        output["OutputKey"]: output["OutputValue"] for output in described(StackName=stack)["Stacks"][0]["Outputs"]
    }
    staged = client("s3").list_objects_v2(Bucket=outputs["StagingBucketName"])["Contents"]
    configuration = body["Resources"]["Cluster"]["Properties"]["ClusterConfiguration"]
    return [
        ("stack", f"{stack}: {described(StackName=stack)['Stacks'][0]['StackStatus']}"),
        ("cluster", f"{cluster}: {described(StackName=cluster)['Stacks'][0]['StackStatus']}"),
        ("head node", configuration["HeadNode"]["InstanceType"]),
        *(("queue", queue_line(queue)) for queue in configuration["Scheduling"]["SlurmQueues"]),
        *(("script", script_line(item["Key"])) for item in staged),
        ("private key", f"SSM parameter {outputs['PrivateKeyParameter']}"),
    ]


def queue_line(queue: dict[str, Any]) -> str:
    """A queue with the size of each of its compute resources."""
    sizes = [f"{each['Name']} {each['MinCount']}..{each['MaxCount']}" for each in queue["ComputeResources"]]
    return f"{queue['Name']}: {', '.join(sizes)} nodes"


def script_line(key: str) -> str:
    """An object of the staging bucket, with its checksum cut short."""
    return re.sub(r"-([0-9a-f]{8})[0-9a-f]{56}", r"-\1...", key)


def changes(diff: str) -> list[str]:
    """The lines of ``cdk diff`` that say what changes."""
    return [line for line in diff.splitlines() if CHANGE.search(line)]


def event(line: str) -> str:
    """A line of the CLI's as an activity: of an event its count, status and resource."""
    parts = [part.strip() for part in line.split("|")]
    if len(parts) < 6:
        return line.strip()
    return f"{parts[1]}  {parts[3].lower().replace('_', ' ')}: {parts[5].rpartition('(')[2].rstrip(')')}"


def updated(client: Callable[[str], Any], stack: str) -> list[str]:
    """Logical ids that the stack's last operation changed."""
    events = client("cloudformation").describe_stack_events(StackName=stack)["StackEvents"]
    found: list[str] = []
    for each in events:
        if each["ResourceStatus"] == "UPDATE_IN_PROGRESS" and each["LogicalResourceId"] == stack:
            return sorted(set(found))
        if each["ResourceStatus"] == "UPDATE_COMPLETE" and each["LogicalResourceId"] != stack:
            found.append(each["LogicalResourceId"])
    return sorted(set(found))
