"""The identity part of a cluster's stack, synthesized alone."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from aws_cdk import App, Stack

from config.models.cluster import Cluster
from hpc_constructs.cloudformation import declare
from hpc_constructs.identity.construct import ClusterIdentity
from tests.iam.evaluation import Principal
from tests.iam.resolver import PARTITIONS, Resolver

LONGEST_NAME = "genomics-production-cluster"
"""27 characters, the most that a cluster's name may have."""


class IdentityStack(Stack):
    """The construct under test, with what it refers to."""

    def __init__(self, app: App, name: str, spec: Cluster) -> None:
        super().__init__(app, f"clusterform-pc-{name}")
        declare(self, "StagingBucket", "AWS::S3::Bucket", {})
        declare(self, "EngineBucket", "AWS::S3::Bucket", {})
        declare(self, "KeyPair", "AWS::EC2::KeyPair", {"KeyName": f"{name}-key"})
        if spec.software.accounting:
            secret = {"Name": f"/clusterform/{name}/database"}
            declare(self, "DatabaseSecret", "AWS::SecretsManager::Secret", secret)
        self.identity = ClusterIdentity(
            self,
            "Identity",
            name=name,
            spec=spec,
            staging_bucket="StagingBucket",
            engine_bucket="EngineBucket",
            database_secret="DatabaseSecret" if spec.software.accounting else None,
            key_pair="KeyPair",
        )


def synthesize(name: str, spec: Cluster) -> tuple[dict[str, Any], ClusterIdentity]:
    """The template, and the construct with what it exposes."""
    with tempfile.TemporaryDirectory() as folder:
        app = App(outdir=folder, analytics_reporting=False)
        stack = IdentityStack(app, name, spec)
        app.synth()
        text = Path(folder, f"clusterform-pc-{name}.template.json").read_text()
    return json.loads(text), stack.identity


@cache
def _cached(name: str, spec: str) -> str:
    return json.dumps(synthesize(name, Cluster.model_validate_json(spec))[0])


def resolved(name: str, spec: Cluster) -> Resolver:
    """A cluster's template with the means to resolve it, in the partition of the cluster's Region."""
    partition = next((key for key, region in PARTITIONS.items() if region == spec.region), "aws")
    template = json.loads(_cached(name, spec.model_dump_json()))
    return Resolver(template, partition, spec.region, f"clusterform-pc-{name}")


NODE_IDS = {
    "head": ("HeadCompute", "HeadStorage", "HeadIdentity", "ComputeBase", "NodeDeny"),
    "login": ("ComputeBase", "NodeDeny"),
    "compute": ("ComputeBase", "NodeDeny"),
}


def node(kind: str, resolver: Resolver, *engine: dict[str, Any]) -> Principal:
    """A node's role: our policies, ParallelCluster's own as given, and the boundary."""
    resources = resolver.template["Resources"]
    ours = [resolver.document(logical_id) for logical_id in NODE_IDS[kind] if logical_id in resources]
    return Principal([*ours, *engine], resolver.document("Boundary"), resolver.region)


def provider(resolver: Resolver) -> Principal:
    """The provider's role under the ceiling."""
    policies = resolver.template["Resources"]["ProviderRole"]["Properties"]["ManagedPolicyArns"]
    documents = [resolver.document(policy["Ref"]) for policy in policies]
    return Principal(documents, resolver.document("Ceiling"), resolver.region)
