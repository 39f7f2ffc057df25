"""``AWS::EC2::KeyPair`` and the key type in DescribeKeyPairs; ministack 1.5.33 has neither.

As in AWS, a name is taken once, whoever asks first; the private key goes to the SSM parameter
``/ec2/keypair/<id>``; nothing about a key pair can be updated, tags included: a change replaces it.
"""

from __future__ import annotations

import base64
import hashlib
import uuid
from html import escape
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from ministack.services import ec2, ssm
from ministack.services.cloudformation import provisioners

from local_aws import resource_handlers

CREATE_ONLY = ("KeyName", "KeyType", "KeyFormat", "PublicKeyMaterial", "Tags")


def _material(key_type: str) -> tuple[str, str]:
    """A new private key as PEM, and its fingerprint as EC2 shows it for that type."""
    key = ed25519.Ed25519PrivateKey.generate() if key_type == "ed25519" else rsa.generate_private_key(65537, 2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH)
    digest = hashlib.sha256(base64.b64decode(public.split()[1])).digest()
    return pem.decode(), base64.b64encode(digest).decode()


def _create(logical_id: str, properties: dict[str, Any], stack_name: str) -> Any:
    name = properties["KeyName"]
    if name in ec2._key_pairs:
        raise ValueError(
            f"The keypair already exists: '{name}' (Service: Ec2, Status Code: 400, InvalidKeyPair.Duplicate)"
        )
    key_type, identifier = properties.get("KeyType", "rsa"), f"key-{uuid.uuid4().hex[:17]}"
    private, fingerprint = _material(key_type)
    ec2._key_pairs[name] = {
        "KeyName": name,
        "KeyPairId": identifier,
        "KeyFingerprint": fingerprint,
        "KeyType": key_type,
        "Tags": properties.get("Tags") or [],
    }
    if not properties.get("PublicKeyMaterial"):
        ssm._put_parameter({"Name": f"/ec2/keypair/{identifier}", "Type": "SecureString", "Value": private})
    return name, {"KeyPairId": identifier, "KeyFingerprint": fingerprint}


def _delete(physical_id: str, properties: dict[str, Any]) -> None:
    pair = ec2._key_pairs.pop(physical_id, None)
    if pair:
        ssm._delete_parameter({"Name": f"/ec2/keypair/{pair['KeyPairId']}"})


def _describe(parameters: dict[str, Any]) -> Any:
    names = ec2._parse_member_list(parameters, "KeyName")
    for name in names:
        if name not in ec2._key_pairs:
            return ec2._error("InvalidKeyPair.NotFound", f"The key pair '{name}' does not exist", 400)
    chosen = [pair for pair in ec2._key_pairs.values() if not names or pair["KeyName"] in names]
    return ec2._xml(200, "DescribeKeyPairsResponse", f"<keySet>{''.join(map(_item, chosen))}</keySet>")


def _item(pair: dict[str, Any]) -> str:
    tags = "".join(
        f"<item><key>{escape(tag['Key'])}</key><value>{escape(tag['Value'])}</value></item>"
        for tag in pair.get("Tags", [])
    )
    return (
        f"<item><keyName>{escape(pair['KeyName'])}</keyName><keyPairId>{pair['KeyPairId']}</keyPairId>"
        f"<keyFingerprint>{pair['KeyFingerprint']}</keyFingerprint><keyType>{pair.get('KeyType', 'rsa')}</keyType>"
        f"<tagSet>{tags}</tagSet></item>"
    )


def install() -> None:
    """Add the resource type and answer DescribeKeyPairs in full."""
    resource_handlers.register("AWS::EC2::KeyPair", create=_create, delete=_delete)
    provisioners._REPLACING_PROPERTIES["AWS::EC2::KeyPair"] = CREATE_ONLY
    actions: dict[str, Any] = ec2._ACTION_MAP
    actions["DescribeKeyPairs"] = _describe
