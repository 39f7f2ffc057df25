"""How long a policy is once CloudFormation has filled in every name, before anything is deployed.

IAM refuses a managed policy above 6144 characters, white space not counted, and an eleventh managed policy on a
role (IAM and STS quotas). Both would fail a deployment halfway, so they are findings here.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from hpc_constructs.identity.rendering_documents import Statement, document
from hpc_constructs.identity.rendering_scope import BOUNDARY_ID, Scope
from hpc_constructs.intrinsics import Value

POLICY_LIMIT = 6144
ATTACHMENT_LIMIT = 10

ACCOUNT = "123456789012"
UUID = "01234567-89ab-cdef-0123-456789abcdef"
BUCKET_NAME_LIMIT = 63
_VARIABLE = re.compile(r"\$\{(!?)([^}]*)\}")


def partition_of(region: str) -> str:
    """The partition that a Region belongs to."""
    return {"cn": "aws-cn", "us-gov": "aws-us-gov"}.get(region.rpartition("-")[0].rpartition("-")[0], "aws")


@dataclass(frozen=True)
class Names:
    """What intrinsic functions come to at their longest: generated names take all the room that they may."""

    scope: Scope

    def resolve(self, value: Value) -> Value:
        """A JSON value without intrinsic functions. Raises KeyError for a resource that no policy refers to."""
        if isinstance(value, list):
            return [self.resolve(item) for item in value]
        if not isinstance(value, dict):
            return value
        match value:
            case {"Ref": str(name)}:
                return self._name(name)
            case {"Fn::Sub": str(text)}:
                return _VARIABLE.sub(lambda found: f"${{{found[2]}}}" if found[1] else self._name(found[2]), text)
        return {key: self.resolve(item) for key, item in value.items()}

    def size(self, statements: list[Statement]) -> int:
        """Characters of a policy document as IAM counts them."""
        return len(json.dumps(self.resolve(document(statements)), separators=(",", ":")))

    def _name(self, name: str) -> str:
        scope = self.scope
        partition, region = partition_of(scope.region), scope.region
        stack = f"clusterform-pc-{scope.name}"
        if name.endswith(".Arn"):
            return f"arn:{partition}:s3:::{'b' * BUCKET_NAME_LIMIT}"
        known = {
            "AWS::Partition": partition,
            "AWS::Region": region,
            "AWS::AccountId": ACCOUNT,
            "AWS::URLSuffix": "amazonaws.com.cn" if partition == "aws-cn" else "amazonaws.com",
            "AWS::StackId": f"arn:{partition}:cloudformation:{region}:{ACCOUNT}:stack/{stack}/{UUID}",
            BOUNDARY_ID: (
                f"arn:{partition}:iam::{ACCOUNT}:policy/clusterform/{scope.name}/"
                f"clusterform-{scope.name}-boundary-{region}"
            ),
            f"{scope.key_pair}.KeyPairId": "key-0123456789abcdef0",
        }
        if scope.database_secret is not None:
            secret = f"secretsmanager:{region}:{ACCOUNT}:secret:/clusterform/{scope.name}/database-AbCdEf"
            known[scope.database_secret] = f"arn:{partition}:{secret}"
        return known[name]
