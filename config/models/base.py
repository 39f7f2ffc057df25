"""What every model of ours has in common, and the scalar types with their sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema


class Model(BaseModel):
    """Frozen, and strict twice: no unknown key, no silent conversion of types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, serialize_by_alias=True)


@dataclass(frozen=True)
class Pattern:
    """A pattern the whole value has to match, with the sentence that people read instead of it.

    Both reach the JSON Schema (``pattern``, and ``errorMessage`` for editors that show it).
    """

    regex: str
    sentence: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """Check after the type was checked."""
        compiled = re.compile(rf"(?:{self.regex})\Z")

        def check(value: str) -> str:
            if not compiled.match(value):
                raise ValueError(self.sentence)
            return value

        return core_schema.no_info_after_validator_function(check, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Show pattern and sentence to editors."""
        return handler(schema) | {"pattern": f"^(?:{self.regex})$", "errorMessage": self.sentence}


ID = r"[0-9a-f]{8}(?:[0-9a-f]{9})?"

# Each limit's source: EC2/IAM/S3 API references, and ParallelCluster 3.16.1's schema for names.
AccountId = Annotated[str, Pattern(r"\d{12}", 'must be 12 digits in quotes, e.g. "123456789012"')]
Region = Annotated[str, Pattern(r"[a-z]{2}(-[a-z]+)+-\d+", "must be a Region such as us-east-1")]
Zone = Annotated[
    str,
    Pattern(
        r"[a-z]{2}(-[a-z]+)+-\d+[a-z]",
        "must be an Availability Zone such as us-east-1a (a Region has no letter)",
    ),
]
VpcId = Annotated[
    str, Pattern(rf"vpc-{ID}", "must be a VPC id such as vpc-0abc1234 (8 or 17 characters of 0-9 and a-f)")
]
SubnetId = Annotated[
    str,
    Pattern(rf"subnet-{ID}", "must be a subnet id such as subnet-0abc1234 (8 or 17 characters of 0-9 and a-f)"),
]
SecurityGroupId = Annotated[
    str,
    Pattern(rf"sg-{ID}", "must be a security group id such as sg-0abc1234 (8 or 17 characters of 0-9 and a-f)"),
]
AmiId = Annotated[
    str, Pattern(rf"ami-{ID}", "must be an image id such as ami-0abc1234 (8 or 17 characters of 0-9 and a-f)")
]
InstanceTypeName = Annotated[
    str, Pattern(r"[a-z][a-z0-9-]{0,31}\.[a-z0-9-]{1,31}", "must be an instance type such as c8g.xlarge")
]
BucketName = Annotated[
    str,
    Pattern(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", "must be a bucket name: 3-63 characters of a-z, 0-9, . and -"),
]
ObjectPrefix = Annotated[
    str,
    Pattern(
        r"(?!/)[A-Za-z0-9!_.'()/-]+",
        "must be an object prefix: letters, digits and ! _ . ' ( ) / -, no leading slash, no wildcard",
    ),
]
Email = Annotated[str, Pattern(r"[^@\s]+@[^@\s]+\.[^@\s]+", "must be an e-mail address such as hpc@example.org")]
SecretArn = Annotated[
    str,
    Pattern(
        r"arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[A-Za-z0-9/_+=.@-]+",
        "must be a Secrets Manager secret's ARN, without wildcards",
    ),
]
KmsKeyArn = Annotated[
    str,
    Pattern(
        r"arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key/[A-Za-z0-9-]+",
        "must be a KMS key's ARN (of the key, not of an alias)",
    ),
]
PolicyArn = Annotated[
    str, Pattern(r"arn:aws[a-z-]*:iam::(\d{12}|aws):policy/[A-Za-z0-9+=,.@_/-]+", "must be a managed policy's ARN")
]
Sha256 = Annotated[str, Pattern(r"[0-9a-f]{64}", "must be a SHA-256: 64 characters of 0-9 and a-f")]
MountDir = Annotated[
    str,
    Pattern(
        r"/(?!/)[A-Za-z0-9._/-]*[A-Za-z0-9._-]",
        "must be an absolute directory of letters, digits and . _ - /, without quotes or shell characters",
    ),
]
ResourceName = Annotated[
    str,
    Pattern(
        r"(?!default\Z)(?!.*--)[a-z][a-z0-9-]{0,62}",
        "must start with a letter, hold only a-z, 0-9 and single hyphens, and not be 'default'",
    ),
]
