"""One cluster's provider role in one partition, with the requests that tests put to it."""

from __future__ import annotations

from typing import Any

from tests import accounts
from tests.factories import cluster
from tests.iam.evaluation import Principal
from tests.iam.resolver import ACCOUNT, PARTITIONS, Resolver
from tests.iam.templates import provider, resolved

NAME = "demo"
EVERYTHING = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
LUSTRE = {"name": "fsx", "mount": "/fsx", "type": "fsx-lustre", "hydration": {"import_bucket": "data"}}
EFS = {"name": "efs", "mount": "/efs", "type": "efs"}
LOGIN = [{"name": "login", "subnet": "public-a"}]
Rows = list[tuple[str, str, dict[str, Any]]]
"""Action, resource and context of requests."""


class Setting:
    """One cluster's provider role in one partition, under the cluster's own ceiling or the ``account``'s."""

    def __init__(self, partition: str = "aws", under: str = "cluster", **changes: Any) -> None:
        self.partition, self.region = partition, PARTITIONS[partition]
        self.resolver: Resolver = resolved(NAME, cluster(region=self.region, **changes))
        self.alone = Principal(provider(self.resolver).documents, None, self.region)
        ceiling = self.resolver.document("Ceiling")
        if under == "account":
            ceiling = accounts.resolved(partition, ceiling={"buckets": ["data"]}).document("Ceiling")
        self.role = Principal(self.alone.documents, ceiling, self.region)
        self.ceiling = Principal([EVERYTHING], ceiling, self.region)
        self.owner = self.resolver.value({"Ref": "AWS::StackId"})
        self.boundary = self.resolver.arn("Boundary")

    def arn(self, service: str, resource: str, *, region: str | None = None) -> str:
        """An ARN of this account."""
        return f"arn:{self.partition}:{service}:{self.region if region is None else region}:{ACCOUNT}:{resource}"

    @property
    def own(self) -> dict[str, Any]:
        """Context: the thing is this stack's."""
        return {"resource_tags": {"clusterform:owner": self.owner, "parallelcluster:cluster-name": NAME}}

    def refused(self, rows: Rows) -> Rows:
        """Rows that the role under the ceiling is refused."""
        return [row for row in rows if not self.role.may(*row[:2], **row[2])]

    def let_pass(self, rows: Rows) -> Rows:
        """Rows that the role alone is allowed, or that the ceiling would let pass."""
        return [row for row in rows if any(it.may(*row[:2], **row[2]) for it in (self.alone, self.ceiling))]
