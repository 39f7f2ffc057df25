"""A file from the internet: https only, no larger than the function's disk, and exactly the declared content."""

from __future__ import annotations

import hashlib
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO
from urllib.error import HTTPError
from urllib.parse import urlsplit

LIMIT_BYTES = 1_500_000_000
"""The staging function's disk holds 2048 MB (its EphemeralStorage)."""

CHUNK_BYTES = 1 << 20
TIMEOUT_SECONDS = 60


@contextmanager
def fetch(url: str, sha256: str) -> Iterator[IO[bytes]]:
    """The file's content, checked; raises ``ValueError`` for anything else than the declared content."""
    _require_https(url)
    opener = urllib.request.build_opener(_HttpsOnly())
    with tempfile.TemporaryFile() as file:
        try:
            with opener.open(url, timeout=TIMEOUT_SECONDS) as response:
                actual = _store(response, file, url)
        except OSError as error:
            raise ValueError(f"{url} could not be downloaded: {error}") from error
        if actual != sha256:
            raise ValueError(f"{url} has SHA-256 {actual}, declared is {sha256}")
        file.seek(0)
        yield file


def _store(response: IO[bytes], file: IO[bytes], url: str) -> str:
    digest, size = hashlib.sha256(), 0
    while chunk := response.read(CHUNK_BYTES):
        size += len(chunk)
        if size > LIMIT_BYTES:
            raise ValueError(f"{url} is larger than {LIMIT_BYTES} bytes")
        digest.update(chunk)
        file.write(chunk)
    return digest.hexdigest()


def _require_https(url: str) -> None:
    if urlsplit(url).scheme != "https":
        raise ValueError(f"{url} is not an https address")


class _HttpsOnly(urllib.request.HTTPRedirectHandler):
    """Follows redirections to https only."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
        """Refuse a redirection that leaves https."""
        try:
            _require_https(newurl)
        except ValueError as error:
            raise HTTPError(req.full_url, code, f"redirected: {error}", headers, fp) from error
        return super().redirect_request(req, fp, code, msg, headers, newurl)
