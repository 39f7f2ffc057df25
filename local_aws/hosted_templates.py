"""Templates that AWS hosts, at the addresses that production uses.

ministack 1.5.33 reads every TemplateURL path-style and from the account's own buckets, so that the address of
ParallelCluster's hosted provider leads nowhere. The bucket is AWS's: it shows in no listing here.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from ministack.services import s3
from ministack.services.cloudformation import helpers

from local_aws.provider import template

HOSTED = re.compile(
    r"(?P<region>[a-z0-9-]+)-aws-parallelcluster\.s3\.(?P=region)\.amazonaws\.com(\.cn)?"
    r"/parallelcluster/(?P<version>[0-9.]+)/templates/custom_resource/cluster\.yaml"
)
VIRTUAL_HOST = re.compile(r"(?P<bucket>[a-z0-9.-]+)\.s3[.-](?:[a-z0-9-]+\.)?amazonaws\.com(\.cn)?")


def _resolve(original: Any, parameters: dict[str, Any], body_key: str, url_key: str, label: str) -> Any:
    url = helpers._p(parameters, url_key)
    if not url or helpers._p(parameters, body_key):
        return original(parameters, body_key, url_key, label)
    address = urlsplit(url)
    if hosted := HOSTED.fullmatch(address.netloc + address.path):
        text = template.hosted(hosted["version"])
        return (text, None) if text else _denied()
    if virtual := VIRTUAL_HOST.fullmatch(address.netloc):
        content = s3._get_object_data(virtual["bucket"], address.path.lstrip("/"))
        return (content.decode(), None) if content is not None else _denied()
    return original(parameters, body_key, url_key, label)


def _denied() -> Any:
    """S3's answer, which does not say whether the object exists."""
    return None, helpers._error("ValidationError", "S3 error: Access Denied")


def install() -> None:
    """Look at hosted and virtual-hosted addresses first."""
    original = helpers._resolve_document

    def resolve(*arguments: Any) -> Any:
        return _resolve(original, *arguments)

    helpers._resolve_document = resolve
