"""No role reaches into another cluster, be its name an extension of one's own: ``demo``, ``demo-a``, ``demo2``.

What IAM cannot keep apart is listed with the reason; the documentation shows the same list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hpc_constructs.identity.rendering_reach import SHARED
from tests.iam.lint import fits, matching, resource_level
from tests.iam.resolver import ACCOUNT
from tests.privilege.documents import listed
from tests.privilege.roles import Role, roles
from tests.privilege.world import Deployed, World

UUID = "9c1f0a52-da77-11e4-872e-1234567db999"


def problems(world: World) -> list[str]:
    """Actions of one cluster's roles on another's things, beyond the list; and lines of the list without use."""
    found, used = [], set()
    shortest = min(world.clusters, key=lambda stack: len(stack.cluster))
    for role in roles(world):
        for other in world.clusters:
            if role.stack is shortest and other is not shortest:
                for action, thing in reached(role, other):
                    row = next((row for row in SHARED if row.covers(action, thing.split(":", 5)[5])), None)
                    used.add(row)
                    if row is None:
                        found.append(f"{role.label}: {action} on {thing}")
    return [*found, *(f"nothing needs the line about {row.what}" for row in SHARED if row not in used)]


def reached(role: Role, other: Deployed) -> Iterator[tuple[str, str]]:
    """What a role may do with the things of another cluster."""
    consisting_of = things(other)
    for action in _actions(role):
        for thing in consisting_of:
            if fits(action, thing) and role.principal.may(action, thing, **_context(role, other, action, thing)):
                yield action, thing


def _actions(role: Role) -> list[str]:
    """Every action with a resource level that the role is allowed anywhere."""
    patterns = {
        action
        for document in (*role.ours, *role.engine)
        for statement in document["Statement"]
        if statement["Effect"] == "Allow"
        for action in listed(statement["Action"])
    }
    return sorted({action for pattern in patterns for action in matching(pattern) if resource_level(action)})


UNTAGGED = ("elastic-ip", "launch-template", "network-interface")
"""What may bear no tag, though a cluster has it."""
RECORDS = "route53:ChangeResourceRecordSetsNormalizedRecordNames"


def _context(role: Role, other: Deployed, action: str, thing: str) -> dict[str, Any]:
    """The keys of a request against another cluster's thing: its tags, and all else as the role would like it."""
    own = role.stack
    tags = {"parallelcluster:cluster-name": other.cluster, "clusterform:owner": _stack_id(other, other.name)}
    names = {RECORDS: [f"cpu-dy-1.{other.cluster}.pcluster"]} if action == RECORDS.partition("Normal")[0] else {}
    return {
        "resource_tags": {} if thing.split(":", 5)[5].startswith(UNTAGGED) else tags,
        "request_tags": {"clusterform:owner": own.resolver.value({"Ref": "AWS::StackId"})},
        "keys": {
            "aws:ResourceAccount": ACCOUNT,
            "iam:PermissionsBoundary": own.resolver.arn("Boundary"),
            "iam:PolicyARN": own.resolver.arn("ComputeBase"),
            "iam:PassedToService": "ec2.amazonaws.com",
            **names,
        },
    }


def _stack_id(stack: Deployed, name: str) -> str:
    return f"arn:{stack.partition}:cloudformation:{stack.region}:{ACCOUNT}:stack/{name}/{UUID}"


def things(stack: Deployed) -> list[str]:
    """ARNs of what a cluster consists of, as we and ParallelCluster name it."""
    name, resolver = stack.cluster, stack.resolver
    pools = [pool["Name"] for pool in (stack.configuration or {}).get("LoginNodes", {}).get("Pools", [])]

    def arn(service: str, resource: str, region: str = stack.region, account: str = ACCOUNT) -> str:
        return f"arn:{stack.partition}:{service}:{region}:{account}:{resource}"

    buckets = [resolver.arn(each) for each in ("StagingBucket", "EngineBucket")]
    provider = f"arn:{stack.partition}:s3:::clusterform-pc-{name}-prov"[:60] + "-pclustercustomresourcebucke-1a2b"
    group = f"/aws/parallelcluster/{name}-202612011200"
    return [
        *(
            _stack_id(stack, each)
            for each in (
                name,
                stack.name,
                f"{stack.name}-Provider-1A2B3C4D5E6F",
                f"{name}-LoginNodesNestedStackLoginNodesNestedStackResource9D07E6AA-1A2B3C4D5E6F",
                f"{name}-ComputeFleetQueuesNestedStackQueuesNestedStackResource1FDB94D9-1A2B3C4D5E6F",
            )
        ),
        *(arn("dynamodb", f"table/parallelcluster-{kind}{name}") for kind in ("", "slurm-")),
        arn("dynamodb", f"table/parallelcluster-slurm-{name}/index/InstanceId"),
        *(arn("logs", f"log-group:{each}") for each in (group, f"{group}:*", f"{group}:log-stream:ip-10-0-0-1")),
        *(arn("logs", f"log-group:/clusterform/{name}/{each}") for each in ("staging", "lifecycle:*")),
        arn("logs", "log-group:/aws/lambda/pcluster-CleanupResources-9c1f0a52:log-stream:x"),
        arn("lambda", "function:pcluster-CleanupResources-9c1f0a52"),
        arn("lambda", f"function:{stack.name}-StagingFunction-1A2B"),
        arn("events", "rule/Cluster9C1F0A52"),
        arn("events", f"rule/{stack.name}-Alarms-1A2B"),
        arn("cloudwatch", f"alarm:{name}-HeadNode-Cpu"),
        arn("cloudwatch", f"dashboard/{name}-{stack.region}", ""),
        *(arn("iam", f"{kind}/clusterform/{name}/{name}/{name}-x", "") for kind in ("role", "instance-profile")),
        arn("iam", f"role/clusterform/{name}/{stack.name}-StagingRole-1A2B", ""),
        *(resolver.arn(each) for each in stack.of_type("AWS::IAM::ManagedPolicy")),
        *(resolver.arn(each) for each in stack.of_type("AWS::SecretsManager::Secret")),
        *(resolver.arn(each) for each in stack.of_type("AWS::SNS::Topic")),
        arn("ssm", f"parameter/ec2/keypair/{resolver.value({'Fn::GetAtt': ['KeyPair', 'KeyPairId']})}"),
        *(each for bucket in (*buckets, provider) for each in (bucket, f"{bucket}/scripts/x.sh")),
        *(
            arn("autoscaling", f"autoScalingGroup:0:autoScalingGroupName/{name}-{pool}-AutoScalingGroup")
            for pool in pools
        ),
        *(arn("elasticloadbalancing", f"{each}/net/{name}/0") for each in ("loadbalancer", "listener")),
        arn("elasticloadbalancing", f"targetgroup/{name}/0"),
        *(
            arn("ec2", f"{kind}/x-0")
            for kind in ("instance", "volume", "network-interface", "security-group", "launch-template", "fleet")
        ),
        *(arn("ec2", f"{kind}/x-0") for kind in ("placement-group", "elastic-ip", "key-pair", "snapshot")),
        arn("elasticfilesystem", "file-system/fs-0"),
        *(arn("fsx", f"{kind}/x-0") for kind in ("file-system", "association")),
        arn("route53", "hostedzone/Z0", "", ""),
    ]
