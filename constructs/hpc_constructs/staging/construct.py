"""The bucket from which nodes fetch what they run, and the deployment that fills it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from aws_cdk import Stack

from bootstrap_assets.renderer import render_manifest
from config.models.cluster import Cluster
from hpc_constructs.assets import Code
from hpc_constructs.cloudformation import Part, declare
from hpc_constructs.functions.construct import ManagedFunction
from hpc_constructs.intrinsics import Value, get_att, ref, sub
from hpc_constructs.staging.rendering import bucket, bucket_policy, only_writer, staging_statements, tls_only

STAGING_BUCKET_ID = "StagingBucket"
ENGINE_BUCKET_ID = "EngineBucket"
FUNCTION_SECONDS = 900
"""Lambda's maximum: downloads from the internet may be large."""
SERVICE_SECONDS = FUNCTION_SECONDS + 60
"""CloudFormation's clock runs before the function's does; an answer in its last seconds still has to count."""
STORAGE_MB = 2048
"""A download passes through the function's disk, and is limited to less than that."""


class Buckets(Part):
    """The staging bucket, written by the deployment alone, and the one in which the engine keeps its files."""

    def __init__(self, scope: Part | Stack, construct_id: str, *, tags: Sequence[Value]) -> None:
        super().__init__(scope, construct_id)
        self.staging = declare(self, STAGING_BUCKET_ID, "AWS::S3::Bucket", bucket(tags))
        self.engine = declare(self, ENGINE_BUCKET_ID, "AWS::S3::Bucket", bucket(tags))
        self.dependencies = [self.staging, self.engine]


class ScriptStaging(Part):
    """Stages scripts and manifest; at the end it empties both buckets, since S3 deletes no bucket with content.

    ``root`` is where the configuration's paths of scripts start.
    """

    def __init__(
        self,
        scope: Part | Stack,
        construct_id: str,
        *,
        name: str,
        spec: Cluster,
        root: Path,
        buckets: Buckets,
        code: Code,
        ceiling: Value,
        log_days: int,
        tags: Sequence[Value],
    ) -> None:
        super().__init__(scope, construct_id)
        manifest = render_manifest(name, spec, root)
        self.manifest_sha256 = manifest.sha256
        self.job_sha256 = manifest.job_sha256
        self.scripts = (manifest.entry, *manifest.scripts)
        function = ManagedFunction(
            self,
            "Staging",
            cluster=name,
            code=code,
            purpose="staging",
            description=f"Stages the scripts of cluster {name}",
            ceiling=ceiling,
            statements=staging_statements(buckets.staging, buckets.engine, code.bucket),
            timeout_seconds=FUNCTION_SECONDS,
            log_days=log_days,
            tags=tags,
            storage_mb=STORAGE_MB,
        )
        writer = only_writer(buckets.staging, get_att(function.role, "Arn"))
        policies = [
            self._policy(buckets.staging, [tls_only(buckets.staging), writer]),
            self._policy(buckets.engine, [tls_only(buckets.engine)]),
        ]
        self.entry_url = sub(f"s3://${{{buckets.staging}}}/entry.sh")
        self.dependencies = [
            declare(
                self,
                "ScriptManifest",
                "Custom::ScriptManifest",
                {
                    "ServiceToken": function.token,
                    "ServiceTimeout": SERVICE_SECONDS,
                    "SourceBucket": code.bucket,
                    "Bucket": ref(buckets.staging),
                    "EngineBucket": ref(buckets.engine),
                    "Lines": manifest.lines(),
                },
                depends_on=policies,
            )
        ]

    def _policy(self, bucket_id: str, statements: Sequence[Value]) -> str:
        return declare(self, f"{bucket_id}Policy", "AWS::S3::BucketPolicy", bucket_policy(bucket_id, statements))
