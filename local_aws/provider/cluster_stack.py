"""ParallelCluster's side of a cluster: its own stack, and its configuration in the engine's bucket."""

from __future__ import annotations

import json
import time
import urllib.request
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml
from botocore.exceptions import ClientError

from local_aws.provider.clients import Clients

POLL_SECONDS = 0.05
CONFIGURATION = "configs/cluster-config.yaml"
"""Key of the deployed configuration below the cluster's folder in the engine's bucket."""


@dataclass(frozen=True)
class ClusterStack:
    """The stack that bears the cluster's name."""

    stack: Mapping[str, Any]

    @property
    def status(self) -> str:
        """CloudFormation's status of the stack."""
        return self.stack["StackStatus"]

    @property
    def remembered(self) -> dict[str, str]:
        """Bucket, folder and version of the configuration, and the log group: parameters, which even a stack has
        whose create failed."""
        return {each["ParameterKey"]: each["ParameterValue"] for each in self.stack.get("Parameters", [])}

    @property
    def tags(self) -> dict[str, str]:
        """The stack's tags."""
        return {tag["Key"]: tag["Value"] for tag in self.stack.get("Tags", [])}


def find(name: str, aws: Clients) -> ClusterStack | None:
    """The stack of that name, deleted ones excepted."""
    try:
        return ClusterStack(aws.cloudformation.describe_stacks(StackName=name)["Stacks"][0])
    except ClientError as error:
        if "does not exist" in str(error):
            return None
        raise


def wait(name: str, aws: Clients) -> ClusterStack | None:
    """The stack once no operation on it is in progress any more; None when it is gone."""
    while (cluster := find(name, aws)) and cluster.status.endswith("_IN_PROGRESS"):
        time.sleep(POLL_SECONDS)
    return cluster


def wait_for_deletion(name: str, aws: Clients) -> ClusterStack | None:
    """The stack whose deletion failed; None when it is gone.

    A deletion that was asked for during the creation starts when that has ended (``one_operation_per_stack``): in
    between the stack looks as if nothing were to come.
    """
    while (cluster := find(name, aws)) and cluster.status != "DELETE_FAILED":
        time.sleep(POLL_SECONDS)
    return cluster


def artifact_directory(name: str, version: str) -> str:
    """A new folder for a new cluster's files, unique for every cluster that ever had the name."""
    return f"parallelcluster/{version}/clusters/{name}-{uuid.uuid4().hex[:16]}"


def store(configuration: dict[str, Any], bucket: str, directory: str, aws: Clients) -> str:
    """Write the configuration; returns the version by which the stack refers to it."""
    text = yaml.safe_dump(configuration, sort_keys=False)
    return aws.s3.put_object(Bucket=bucket, Key=f"{directory}/{CONFIGURATION}", Body=text.encode()).get(
        "VersionId", ""
    )


def stored(cluster: ClusterStack, aws: Clients) -> dict[str, Any]:
    """The configuration that the cluster runs."""
    where = cluster.remembered
    key = f"{where['ArtifactS3RootDirectory']}/{CONFIGURATION}"
    version = {"VersionId": where["ConfigVersion"]} if where["ConfigVersion"] else {}
    return yaml.safe_load(aws.s3.get_object(Bucket=where["ResourcesS3Bucket"], Key=key, **version)["Body"].read())


def delete_artifacts(cluster: ClusterStack, aws: Clients) -> None:
    """Delete the cluster's folder with all versions, as the cluster's own clean-up function does."""
    where = cluster.remembered
    if "ResourcesS3Bucket" in where:
        empty(where["ResourcesS3Bucket"], where["ArtifactS3RootDirectory"] + "/", aws)


def empty(bucket: str, prefix: str, aws: Clients) -> None:
    """Delete every version below a prefix; a bucket that is gone already is none of our business."""
    try:
        for page in aws.s3.get_paginator("list_object_versions").paginate(Bucket=bucket, Prefix=prefix):
            versions = [*page.get("Versions", []), *page.get("DeleteMarkers", [])]
            keys = [{"Key": each["Key"], "VersionId": each["VersionId"]} for each in versions]
            if keys:
                aws.s3.delete_objects(Bucket=bucket, Delete={"Objects": keys})
    except aws.s3.exceptions.NoSuchBucket:
        return


def boot_head_node(name: str, failure: str | None, aws: Clients) -> None:
    """Signal the head node's end of boot, or its failure, to the stack that waits for it."""
    handle = _handle(name, aws)
    if handle is None:
        return
    signal = {
        "Status": "FAILURE" if failure else "SUCCESS",
        "Reason": failure or "HeadNode bootstrap complete",
        "UniqueId": uuid.uuid4().hex,
        "Data": "",
    }
    request = urllib.request.Request(handle, json.dumps(signal).encode(), {"Content-Type": ""}, method="PUT")
    urllib.request.urlopen(request).close()


def _handle(name: str, aws: Clients) -> str | None:
    """The address to signal to, once the stack has it; None when the stack failed before."""
    while (cluster := find(name, aws)) and cluster.status.endswith("_IN_PROGRESS"):
        for resource in aws.cloudformation.list_stack_resources(StackName=name)["StackResourceSummaries"]:
            if resource["LogicalResourceId"] == "HeadNodeWaitConditionHandle":
                return resource["PhysicalResourceId"]
        time.sleep(POLL_SECONDS)
    return None


def creation_failure(cluster_id: str, aws: Clients) -> str:
    """The failure code that ParallelCluster reads from its stack's wait condition."""
    events = aws.cloudformation.describe_stack_events(StackName=cluster_id)["StackEvents"]
    for event in events:
        if event["ResourceType"].endswith("WaitCondition") and event["ResourceStatus"] == "CREATE_FAILED":
            for stage in ("OnNodeConfigured", "OnNodeStart"):
                if f"Failed to download {stage} script" in event.get("ResourceStatusReason", ""):
                    return f"{stage}DownloadFailure"
            return "HeadNodeBootstrapFailure"
    return "ClusterCreationFailure"
