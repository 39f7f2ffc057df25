"""Each secret is read by the roles that need it, and by no other role of the whole world."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from config.models.cluster import Cluster
from tests.iam.resolver import ACCOUNT
from tests.privilege.documents import listed, papers
from tests.privilege.roles import NODES, Role, roles
from tests.privilege.world import Deployed, World

SECRET_READS = ("secretsmanager:GetSecretValue", "secretsmanager:BatchGetSecretValue")
PARAMETER_READS = (
    "ssm:GetParameter",
    "ssm:GetParameterHistory",
    "ssm:GetParameters",
    "ssm:GetParametersByPath",
)
CHANGES = (
    "secretsmanager:DeleteSecret",
    "secretsmanager:PutResourcePolicy",
    "secretsmanager:PutSecretValue",
    "secretsmanager:UpdateSecret",
    "ssm:DeleteParameter",
    "ssm:PutParameter",
)
EXECUTION = ("parameter/cdk-bootstrap/", "secret:/clusterform/")
"""What CloudFormation's execution role reads: the bootstrap's version, and secrets that it makes itself."""


@dataclass(frozen=True)
class Secret:
    """A secret by its ARN, the kinds of roles of one stack that read it, and the policy that lets them, if one."""

    what: str
    arn: str
    stack: Deployed
    kinds: tuple[str, ...]
    names: tuple[str, ...] = ()

    def meant_for(self, role: Role) -> bool:
        return role.stack is self.stack and (role.kind in self.kinds or role.name in self.names)


def problems(world: World) -> list[str]:
    """Who reads what is not theirs, who cannot read what is, and who may change any of it."""
    found = []
    everybody, every = roles(world), [each for stack in world.clusters for each in secrets_of(stack)]
    for secret in every:
        shared = [other for other in every if other.arn == secret.arn]
        reads = PARAMETER_READS if ":ssm:" in secret.arn else SECRET_READS
        for role in everybody:
            passed = [action for action in reads if role.principal.may(action, secret.arn)]
            if passed and not any(other.meant_for(role) for other in shared):
                found.append(f"{role.label}: reads {secret.what} of {secret.stack.cluster} by {', '.join(passed)}")
            if secret.meant_for(role) and reads[0] not in passed:
                found.append(f"{role.label}: cannot read {secret.what}")
            if changes := [action for action in CHANGES if role.principal.may(action, secret.arn)]:
                found.append(f"{role.label}: may change {secret.what} by {', '.join(changes)}")
    return [*found, *_opened(world)]


def secrets_of(stack: Deployed) -> Iterator[Secret]:
    """The secrets of a cluster, with their readers."""
    spec, resolver = stack.loaded.spec, stack.resolver
    assert isinstance(spec, Cluster)
    key = resolver.value({"Fn::GetAtt": ["KeyPair", "KeyPairId"]})
    parameter = f"arn:{stack.partition}:ssm:{stack.region}:{ACCOUNT}:parameter/ec2/keypair/{key}"
    yield Secret("the private key", parameter, stack, (), (spec.ssh.key_reader,) if spec.ssh.key_reader else ())
    if spec.software.accounting:
        yield Secret("the database's secret", resolver.arn("DatabaseSecret"), stack, ("head",))
    if spec.directory is not None:
        yield Secret("the directory's secret", spec.directory.password_secret, stack, ("head",))
    if spec.notifications.webhook_secret is not None:
        yield Secret("the webhook's secret", spec.notifications.webhook_secret, stack, (), ("LifecycleRole",))
    for arn in spec.access.secrets:
        yield Secret("a secret for nodes", arn, stack, NODES)
    munge = spec.parallelcluster.raw.get("Scheduling", {}).get("SlurmSettings", {}).get("MungeKeySecretArn")
    if munge is not None:
        # ParallelCluster checks the key's content before it makes the cluster.
        yield Secret("Munge's key", munge, stack, ("head",), ("ProviderRole",))


def _opened(world: World) -> list[str]:
    """Policies of people and of the bootstrap, which are attached to no role of the world."""
    return [
        f"{paper.label} {statement['Sid']}: reads secrets"
        for paper in papers(world)
        for statement in paper.allows
        if paper.stack.kind == "account" and not paper.cap and paper.type_name == "AWS::IAM::ManagedPolicy"
        if any(action in (*SECRET_READS, *PARAMETER_READS) for action in statement["Action"])
        if not (paper.logical_id.startswith("Execution") and _of_execution(statement))
    ]


def _of_execution(statement: dict[str, Any]) -> bool:
    return all(resource.split(":", 5)[-1].startswith(EXECUTION) for resource in listed(statement["Resource"]))
