"""Create, update and delete as ParallelCluster's custom resource does them (aws-parallelcluster 3.13 to 3.16)."""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from local_aws import faults
from local_aws.permissions import allowed
from local_aws.provider import answers, cluster_stack, existence
from local_aws.provider.answers import Finding
from local_aws.provider.clients import Clients
from local_aws.provider.cluster_stack import ClusterStack
from local_aws.provider.inner_template import inner_template
from local_aws.rules import EngineRules

BOOTSTRAP_SECONDS = 60
"""How long a cluster's stack waits for its head node."""


@dataclass(frozen=True)
class Operation:
    """One request: the cluster's name, what is asked for it, and whom to ask."""

    name: str
    version: str
    configuration: dict[str, Any]
    log_group: str
    role: str
    aws: Clients
    rules: EngineRules


def create(request: Operation) -> dict[str, str]:
    """Create the cluster and wait for it; returns its attributes. Raises Refused."""
    if cluster_stack.find(request.name, request.aws):
        raise answers.bad_request(f"Cluster {request.name} already exists.")
    messages = _validate(request)
    if "CustomS3Bucket" not in request.configuration:
        raise answers.Refused("the local AWS has no default bucket of ParallelCluster's; give CustomS3Bucket")
    remembered = {
        "ResourcesS3Bucket": request.configuration["CustomS3Bucket"],
        "ArtifactS3RootDirectory": cluster_stack.artifact_directory(request.name, request.version),
        # ParallelCluster's stamp ends with the minute; here a cluster can come and go within one.
        "LogGroup": f"/aws/parallelcluster/{request.name}-{datetime.datetime.now():%Y%m%d%H%M%S%f}",
    }
    fault = faults.take(("refuse", "silent"), head_node=request.name)
    if fault and fault.effect == "silent":
        _deploy(request, remembered, request.aws.cloudformation.create_stack, int(fault.seconds))
        return _settled(request, "CREATE_COMPLETE")
    _deploy(request, remembered, request.aws.cloudformation.create_stack)
    failure = fault.message if fault else None
    if stage := existence.missing_head_script(request.configuration, request.aws):
        failure = f"Failed to download {stage} script"
    cluster_stack.boot_head_node(request.name, failure, request.aws)
    return _settled(request, "CREATE_COMPLETE") | {"validationMessages": messages}


def update(request: Operation) -> dict[str, str]:
    """Update the cluster to another configuration; one without changes is a success. Raises Refused."""
    cluster = cluster_stack.find(request.name, request.aws)
    if cluster is None:
        raise answers.bad_request(f"Cluster '{request.name}' does not exist.")
    if (running := cluster.tags.get("parallelcluster:version")) != request.version:
        raise answers.bad_request(
            f"the update can be performed only with the same ParallelCluster version ({running}) "
            "used to create the cluster."
        )
    if cluster.status.endswith("_IN_PROGRESS"):
        raise answers.bad_request(f"Cannot execute update while stack is in {cluster.status} status.")
    _authorize(request.role, "cloudformation:UpdateStack", cluster)
    messages = _validate(request)
    # Against what the cluster runs, not what CloudFormation believes: a rollback then finds nothing to change.
    old = cluster_stack.stored(cluster, request.aws)
    result = request.rules.update(request.version, request.name, old, request.configuration, request.aws.region)
    if result.refused:
        raise answers.update_failure(result.blocking)
    if not result.changes:
        return attributes(request, cluster) | {"validationMessages": messages}
    kept = {key: cluster.remembered[key] for key in ("ResourcesS3Bucket", "ArtifactS3RootDirectory", "LogGroup")}
    _deploy(request, kept, request.aws.cloudformation.update_stack)
    return _settled(request, "UPDATE_COMPLETE") | {"validationMessages": messages}


def delete(name: str, aws: Clients, role: str) -> None:
    """Delete whatever cluster bears the name, as the real provider does; none is a success.

    Raises Refused when it does not go, or when the function's ``role`` may not delete it.
    """
    cluster = cluster_stack.find(name, aws)
    if cluster is None:
        return
    if "parallelcluster:version" not in cluster.tags:
        raise answers.bad_request(f"Cluster '{name}' belongs to an incompatible ParallelCluster major version.")
    _authorize(role, "cloudformation:DeleteStack", cluster)
    cluster_stack.delete_artifacts(cluster, aws)
    aws.cloudformation.delete_stack(StackName=name)
    if left := cluster_stack.wait_for_deletion(name, aws):
        raise answers.Refused(f"{name}:  (stack status {left.status})")


def _authorize(role: str, action: str, cluster: ClusterStack) -> None:
    """Raise Refused, as CloudFormation words it, where the role may not touch this very stack."""
    stack_id = cluster.stack["StackId"]
    if not allowed(role, action, stack_id, cluster.tags):
        raise answers.bad_request(f"User: {role} is not authorized to perform: {action} on resource: {stack_id}")


def _validate(request: Operation) -> str:
    """Schema, validators and existence; returns the warnings as attribute text."""
    facts = {
        "region": request.aws.region,
        "instance_types": existence.instance_types(request.configuration, request.aws),
    }
    messages = request.rules.validate(request.version, request.name, request.configuration, facts)
    findings = [
        Finding(
            message.level.upper(),
            message.rule,
            f"{message.path}: {message.message}" if message.path else message.message,
        )
        for message in messages
        if message.kind != "not_checked"
    ]
    if not _fatal(findings):
        findings += existence.check(request.configuration, request.aws)
    if _fatal(findings):
        raise answers.invalid_configuration(findings)
    return answers.validation_messages(findings)


def _fatal(findings: list[Finding]) -> bool:
    return any(finding.level == "ERROR" for finding in findings)


def _deploy(
    request: Operation, remembered: dict[str, str], operation: Any, bootstrap_seconds: int = BOOTSTRAP_SECONDS
) -> None:
    """Store the configuration and start the stack's create or update."""
    bucket, directory = remembered["ResourcesS3Bucket"], remembered["ArtifactS3RootDirectory"]
    version = cluster_stack.store(request.configuration, bucket, directory, request.aws)
    template = inner_template(
        request.name,
        request.configuration,
        region=request.aws.region,
        remembered=remembered | {"ConfigVersion": version},
        bootstrap_seconds=bootstrap_seconds,
    )
    try:
        operation(
            StackName=request.name,
            TemplateBody=json.dumps(template),
            Tags=_tags(request),
            Capabilities=["CAPABILITY_NAMED_IAM"],
        )
    except ClientError as error:
        raise answers.bad_request(error.response["Error"]["Message"]) from error


def _tags(request: Operation) -> list[dict[str, str]]:
    """The configuration's tags and the two by which ParallelCluster knows its own stacks."""
    own = {"parallelcluster:cluster-name": request.name, "parallelcluster:version": request.version}
    given = {tag["Key"]: tag["Value"] for tag in request.configuration["Tags"]}
    return [{"Key": key, "Value": value} for key, value in (given | own).items()]


def _settled(request: Operation, wanted: str) -> dict[str, str]:
    """The cluster's attributes once the operation has ended as wanted."""
    cluster = cluster_stack.wait(request.name, request.aws)
    if cluster is None:
        raise answers.Refused(f"{request.name} failed. See LogGroup: {request.log_group}")
    if cluster.status != wanted:
        code = cluster_stack.creation_failure(cluster.stack["StackId"], request.aws)
        raise answers.Refused(f"{request.name}: {code} (LogGroup: {request.log_group})")
    return attributes(request, cluster)


def attributes(request: Operation, cluster: ClusterStack) -> dict[str, str]:
    """What GetAtt offers: describe-cluster's answer, flattened. The head node's values are made up."""
    head = request.configuration["HeadNode"]
    node = {
        "instanceId": "i-0123456789abcdef0",
        "instanceType": head["InstanceType"],
        "state": "running",
        "privateIpAddress": "10.0.0.10",
    }
    if head["Networking"].get("ElasticIp"):
        node["publicIpAddress"] = "203.0.113.10"
    return answers.flatten(
        {
            "creationTime": cluster.stack["CreationTime"].isoformat(),
            "version": request.version,
            "clusterName": request.name,
            "clusterStatus": cluster.status,
            "cloudFormationStackStatus": cluster.status,
            "cloudformationStackArn": cluster.stack["StackId"],
            "computeFleetStatus": "RUNNING",
            "region": request.aws.region,
            "headNode": node,
        }
    )
