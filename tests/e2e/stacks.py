"""Stacks of ours and of others, deployed without the CLI, which would add seconds to each case."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

from ops.local.credentials import ACCOUNT, REGION
from ops.local.inventory import Item, inventory, unaccounted
from tests.e2e.project import STACK, TOOLKIT, template
from tests.local_stacks import CAPABILITIES, Stack

CLUSTER, GUARD, GATE = "Cluster", "ClusterNameGuard", "ClusterOwnershipGate"
FOREIGN = {"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}}
"""Somebody's stack of the cluster's name."""


def publish(assembly: Path, aws: Any) -> dict[str, Any]:
    """The stack's template, with its assets put where it expects them."""
    assets = json.loads((assembly / f"{STACK}.assets.json").read_text())["files"]
    for asset in assets.values():
        path, how = assembly / asset["source"]["path"], asset["source"]["packaging"]
        for target in asset["destinations"].values():
            aws("s3").put_object(
                Bucket=f"cdk-clform-assets-{ACCOUNT}-{REGION}",
                Key=target["objectKey"],
                Body=path.read_bytes() if how == "file" else zipped(path),
            )
    return template(assembly)


def zipped(folder: Path) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, file.relative_to(folder))
    return buffer.getvalue()


def start(cloudformation: Any, body: dict[str, Any], name: str = STACK) -> Stack:
    answer = cloudformation.create_stack(StackName=name, TemplateBody=json.dumps(body), Capabilities=CAPABILITIES)
    return Stack(cloudformation, answer["StackId"])


def start_update(stack: Stack, body: dict[str, Any]) -> None:
    stack.client.update_stack(StackName=stack.id, TemplateBody=json.dumps(body), Capabilities=CAPABILITIES)


def update(stack: Stack, body: dict[str, Any]) -> str:
    start_update(stack, body)
    return stack.wait()


def ours(cloudformation: Any) -> Stack:
    """The stack that declares the demo cluster."""
    return Stack(cloudformation, cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]["StackId"])


def cluster_id(cloudformation: Any) -> str:
    """The id of the living stack that bears the cluster's name."""
    return cloudformation.describe_stacks(StackName="demo")["Stacks"][0]["StackId"]


def foreign_cluster(cloudformation: Any) -> str:
    """Somebody else's cluster of the name; its stack's id."""
    tags = [{"Key": "parallelcluster:version", "Value": "3.16.1"}]
    body = json.dumps(FOREIGN)
    stack_id = cloudformation.create_stack(StackName="demo", TemplateBody=body, Tags=tags)["StackId"]
    assert Stack(cloudformation, stack_id).wait() == "CREATE_COMPLETE"
    return stack_id


def left_over(aws: Any, assembly: Path) -> list[Item]:
    """What neither the bootstrap nor the deployed stack's own ledger accounts for."""
    ledger = template(assembly)["Resources"]["GoneNotice"]["Properties"]["Kept"]
    return unaccounted(inventory(aws), aws, toolkit=TOOLKIT, ledger=[entry["What"] for entry in ledger])
