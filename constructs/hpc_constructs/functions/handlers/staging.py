"""The staging function: puts a cluster's scripts, downloads and manifest into its bucket, and empties the buckets.

Manifest and entry script have fixed keys; everything else bears its SHA-256 in its key, and so does a second copy
of the entry script. Old objects stay until the cluster is deleted: running nodes may still ask for them, and a
rollback finds them there. The manifest is written last: a node never reads of a script that is not there yet.
"""

from __future__ import annotations

import hashlib
from typing import Any

import boto3
from botocore.exceptions import ClientError

from .download import fetch
from .response import Event, answer

PHYSICAL_ID = "script-manifest"
ENTRY_KEY = "entry.sh"
ENTRY_STAGE = "entry"
MANIFEST_KEY = "manifest"
SCRIPT = "text/x-shellscript"
"""Content type."""


def handler(event: Event, context: Any) -> None:
    """Lambda's entry point, for resources of type ``Custom::ScriptManifest``."""
    answer(event, context, PHYSICAL_ID, lambda: _run(event))


def _run(event: Event) -> None:
    properties, s3 = event["ResourceProperties"], boto3.client("s3")
    if event["RequestType"] == "Delete":
        for bucket in (properties["Bucket"], properties["EngineBucket"]):
            empty(s3, bucket)
    else:
        deploy(s3, properties)


def deploy(s3: Any, properties: dict[str, Any]) -> None:
    """Bring the bucket to what ``properties`` declare; raises ``ValueError`` for content that is not as declared.

    ``Lines`` is the manifest: name and SHA-256 first, then a script's stage or a download's address.
    """
    source, bucket, lines = properties["SourceBucket"], properties["Bucket"], properties["Lines"]
    entry = b""
    for line in lines:
        name, sha256, kind = line.partition("\t")[0].split(" ")[:3]
        if kind.startswith("https://"):
            _download(s3, bucket, f"downloads/{name}-{sha256}", kind, sha256)
            continue
        content = _copy(s3, source, bucket, name, sha256)
        if kind == ENTRY_STAGE:
            entry = content
    s3.put_object(Bucket=bucket, Key=ENTRY_KEY, Body=entry, ContentType=SCRIPT)
    manifest = "".join(f"{line}\n" for line in lines)
    s3.put_object(Bucket=bucket, Key=MANIFEST_KEY, Body=manifest.encode(), ContentType="text/plain")


def _copy(s3: Any, source: str, bucket: str, name: str, sha256: str) -> bytes:
    """Copy a script, unless the bucket holds it: in a rollback the source may be gone already. Its content."""
    key = f"scripts/{name}-{sha256}.sh"
    content = _read(s3, bucket, key)
    if content is not None and hashlib.sha256(content).hexdigest() == sha256:
        return content
    content = _source(s3, source, f"{sha256}.sh")
    if content is None:
        raise ValueError(
            f"script {name} is not in the asset bucket {source}, or not to be read there: "
            "deploy again from the project"
        )
    if (actual := hashlib.sha256(content).hexdigest()) != sha256:
        raise ValueError(f"script {name}: the staged object has SHA-256 {actual}, declared is {sha256}")
    s3.put_object(Bucket=bucket, Key=key, Body=content, ContentType=SCRIPT)
    return content


def _download(s3: Any, bucket: str, key: str, url: str, sha256: str) -> None:
    """Fetch a file from the internet, unless the bucket holds it: only this function's role can write there."""
    if _exists(s3, bucket, key):
        return
    with fetch(url, sha256) as file:
        s3.upload_fileobj(file, bucket, key)


def empty(s3: Any, bucket: str) -> None:
    """Delete every version and every delete marker; a bucket that is gone counts as empty."""
    try:
        for page in s3.get_paginator("list_object_versions").paginate(Bucket=bucket):
            found = page.get("Versions", []) + page.get("DeleteMarkers", [])
            objects = [{"Key": item["Key"], "VersionId": item["VersionId"]} for item in found]
            if objects:
                result = s3.delete_objects(Bucket=bucket, Delete={"Objects": objects, "Quiet": True})
                _raise_for(bucket, result.get("Errors", []))
    except ClientError as error:
        if error.response["Error"]["Code"] != "NoSuchBucket":
            raise


def _raise_for(bucket: str, errors: list[dict[str, str]]) -> None:
    if errors:
        first = errors[0]
        raise ValueError(
            f"{len(errors)} objects of {bucket} could not be deleted, first {first['Key']}: {first['Message']}"
        )


def _read(s3: Any, bucket: str, key: str) -> bytes | None:
    try:
        return s3.get_object(Bucket=bucket, Key=key)["Body"].read()
    except ClientError as error:
        if error.response["Error"]["Code"] in ("NoSuchKey", "404"):
            return None
        raise


def _source(s3: Any, bucket: str, key: str) -> bytes | None:
    """The same for the asset bucket, which our role may not list: S3 then denies what is not there."""
    try:
        return _read(s3, bucket, key)
    except ClientError as error:
        if error.response["Error"]["Code"] == "AccessDenied":
            return None
        raise


def _exists(s3: Any, bucket: str, key: str) -> bool:
    return s3.list_objects_v2(Bucket=bucket, Prefix=key, MaxKeys=1).get("KeyCount", 0) > 0
