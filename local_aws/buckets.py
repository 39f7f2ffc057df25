"""A bucket that holds objects, or only versions of them, refuses deletion.

ministack 1.5.33 deletes it together with its content.
"""

from __future__ import annotations

from typing import Any

from ministack.services import s3

from local_aws import resource_handlers


def _delete(original: Any, physical_id: str, properties: dict[str, Any]) -> Any:
    bucket = s3._buckets.get(physical_id)
    if bucket and (bucket["objects"] or s3._bucket_has_versions(physical_id)):
        raise ValueError(
            f"The bucket you tried to delete is not empty. You must delete all versions in the bucket."
            f" (Service: S3, Status Code: 409, Bucket: {physical_id})"
        )
    return original(physical_id, properties)


def install() -> None:
    """Put the check around the type's delete."""
    resource_handlers.around("AWS::S3::Bucket", "delete", _delete)
