"""A function of ours, with a role that can do what it needs and a log group that goes when it goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aws_cdk import Stack

from hpc_constructs.assets import Code
from hpc_constructs.cloudformation import Part, declare
from hpc_constructs.functions.rendering import log_statement
from hpc_constructs.identity.rendering_documents import Statement
from hpc_constructs.identity.roles import managed_policy, managed_role
from hpc_constructs.intrinsics import Value, get_att, ref
from hpc_constructs.rendering_accepted import Accepted

RUNTIME = "python3.13"
MEMORY_MB = 256

ACCEPTED = (
    Accepted(
        "AwsSolutions-L1",
        ("LifecycleFunction", "StagingFunction"),
        "the newest Python under which this project's tests run; a newer runtime is a change of its own",
    ),
)


class ManagedFunction(Part):
    """A Lambda function that custom resources call by its ``token``, from our one archive of handlers.

    Role, policy and log group stand in its references, and so outlive it and every resource that calls it. The log
    group is declared here and the role may not create one: Lambda would bring it back after the deletion.
    """

    def __init__(
        self,
        scope: Part | Stack,
        name: str,
        *,
        cluster: str,
        code: Code,
        purpose: str,
        description: str,
        ceiling: Value,
        statements: Sequence[Statement],
        timeout_seconds: int,
        log_days: int,
        tags: Sequence[Value],
        storage_mb: int = 512,
        environment: Mapping[str, Value] | None = None,
    ) -> None:
        """``name`` begins the logical ids (``NameFunction``), ``purpose`` is the handler's module.

        ``environment`` holds settings, never a secret: whoever sees the function sees them.
        """
        super().__init__(scope, name)
        logs = declare(
            self,
            f"{name}Logs",
            "AWS::Logs::LogGroup",
            {"LogGroupName": f"/clusterform/{cluster}/{purpose}", "RetentionInDays": log_days, "Tags": tags},
        )
        policy = managed_policy(
            self,
            f"{name}Policy",
            cluster=cluster,
            purpose=purpose,
            statements=[log_statement(logs), *statements],
        )
        self.role = managed_role(
            self, f"{name}Role", cluster=cluster, service="lambda", ceiling=ceiling, policies=[ref(policy)]
        )
        self.function = declare(
            self,
            f"{name}Function",
            "AWS::Lambda::Function",
            {
                "Description": description,
                "Runtime": RUNTIME,
                "Handler": f"handlers.{purpose}.handler",
                "Code": {"S3Bucket": code.bucket, "S3Key": code.key},
                "Role": get_att(self.role, "Arn"),
                "Timeout": timeout_seconds,
                "MemorySize": MEMORY_MB,
                "EphemeralStorage": {"Size": storage_mb},
                "LoggingConfig": {"LogGroup": ref(logs)},
                **({"Environment": {"Variables": dict(environment)}} if environment else {}),
                "Tags": tags,
            },
        )
        self.token = get_att(self.function, "Arn")
