"""What CloudFormation makes of a template's intrinsic functions, in a partition of choice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ACCOUNT = "123456789012"
UUID = "51af3dc0-da77-11e4-872e-1234567db123"
PARTITIONS = {"aws": "ap-southeast-2", "aws-cn": "cn-northwest-1", "aws-us-gov": "us-gov-west-1"}
"""Each partition with its Region of the longest name."""

_VARIABLE = re.compile(r"\$\{(!?)([^}]*)\}")
_NAMES = ("ManagedPolicyName", "RoleName", "KeyName", "LogGroupName", "BackupVaultName", "BucketName", "Name")
_IDS = {
    "AWS::EC2::Volume": "vol-0123456789abcdef0",
    "AWS::EFS::FileSystem": "fs-0123456789abcdef0",
    "AWS::FSx::FileSystem": "fs-0123456789abcdef1",
}
"""Ids of what has no name."""


@dataclass(frozen=True)
class Resolver:
    """Resolves the values of one template's resources."""

    template: Mapping[str, Any]
    partition: str
    region: str
    stack: str

    def document(self, logical_id: str) -> dict[str, Any]:
        """A managed policy's document."""
        return self.value(self.template["Resources"][logical_id]["Properties"]["PolicyDocument"])

    def value(self, value: Any) -> Any:
        """A value without intrinsic functions."""
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if not isinstance(value, dict):
            return value
        match value:
            case {"Ref": name}:
                return self._ref(name)
            case {"Fn::GetAtt": [name, attribute]}:
                return self._attribute(name, attribute)
            case {"Fn::Sub": str(text)}:
                return _VARIABLE.sub(self._substitute, text)
            case {"Fn::Sub": [str(text), dict(given)]}:
                known = {f"${{{key}}}": str(self.value(item)) for key, item in given.items()}
                return _VARIABLE.sub(lambda found: known.get(found[0]) or self._substitute(found), text)
        return self._rarer(value)

    def _rarer(self, value: dict[str, Any]) -> Any:
        match value:
            case {"Fn::Join": [str(between), list(parts)]}:
                return between.join(str(self.value(part)) for part in parts)
            case {"Fn::Split": [str(between), text]}:
                return str(self.value(text)).split(between)
            case {"Fn::Select": [int(index), items]}:
                return self.value(items)[index]
            case {"Fn::ImportValue": name}:
                return f"imported-{self.value(name)}"
        assert not any(key.startswith("Fn::") for key in value), f"no resolution for {value}"
        return {key: self.value(item) for key, item in value.items()}

    def arn(self, logical_id: str) -> str:
        """A resource's ARN."""
        resource = self.template["Resources"][logical_id]
        name, path = self._name(logical_id), resource.get("Properties", {}).get("Path", "/")
        where = f"{self.region}:{ACCOUNT}"
        parts = {
            "AWS::IAM::ManagedPolicy": f"iam::{ACCOUNT}:policy{path}{name}",
            "AWS::IAM::Role": f"iam::{ACCOUNT}:role{path}{name}",
            "AWS::IAM::ServiceLinkedRole": f"iam::{ACCOUNT}:role/aws-service-role/{name}",
            "AWS::S3::Bucket": f"s3:::{name}",
            "AWS::Backup::BackupVault": f"backup:{where}:backup-vault:{name}",
            "AWS::EFS::FileSystem": f"elasticfilesystem:{where}:file-system/fs-0123456789abcdef0",
            "AWS::Events::Rule": f"events:{where}:rule/{name}",
            "AWS::SecretsManager::Secret": f"secretsmanager:{where}:secret:{name}-AbCdEf",
            "AWS::SNS::Topic": f"sns:{where}:{name}",
            "AWS::Logs::LogGroup": f"logs:{where}:log-group:{name}:*",
            "AWS::Lambda::Function": f"lambda:{where}:function:{name}",
        }
        return f"arn:{self.partition}:{parts[resource['Type']]}"

    def _substitute(self, found: re.Match[str]) -> str:
        literal, name = found.groups()
        if literal:
            return f"${{{name}}}"
        if "." in name:
            return str(self._attribute(*name.split(".", 1)))
        return str(self._ref(name))

    def _ref(self, name: str) -> str:
        where = f"cloudformation:{self.region}:{ACCOUNT}"
        pseudo = {
            "AWS::Partition": self.partition,
            "AWS::Region": self.region,
            "AWS::AccountId": ACCOUNT,
            "AWS::URLSuffix": "amazonaws.com.cn" if self.partition == "aws-cn" else "amazonaws.com",
            "AWS::StackName": self.stack,
            "AWS::StackId": f"arn:{self.partition}:{where}:stack/{self.stack}/{UUID}",
        }
        if name in pseudo:
            return pseudo[name]
        by_arn = ("AWS::IAM::ManagedPolicy", "AWS::SecretsManager::Secret", "AWS::SNS::Topic")
        return self.arn(name) if self.template["Resources"][name]["Type"] in by_arn else self._name(name)

    def _attribute(self, name: str, attribute: str) -> str:
        if attribute == "KeyPairId":
            return "key-0123456789abcdef0"
        assert attribute in ("Arn", "BackupVaultArn"), f"no resolution for {name}.{attribute}"
        return self.arn(name)

    def _name(self, logical_id: str) -> str:
        """The name given, else one as CloudFormation makes it: at its longest for a bucket."""
        kind = self.template["Resources"][logical_id]["Type"]
        properties = self.template["Resources"][logical_id].get("Properties", {})
        for key in _NAMES:
            if key in properties:
                return str(self.value(properties[key]))
        made = f"{self.stack}-{logical_id}-1A2B3C4D5E6F7"
        if kind == "AWS::S3::Bucket":
            return made.lower()[:50].ljust(63, "x")
        return _IDS.get(kind, made[:64])
