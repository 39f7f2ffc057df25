"""The staging function: what it puts into the bucket, what it refuses, and that it leaves the buckets empty."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from bootstrap_assets.manifest import Download, Manifest, Script
from hpc_constructs.functions.handlers import staging
from tests.unit.callback import Callback, Context, listen

SOURCE, BUCKET, ENGINE = "asset-bucket", "staging-bucket", "engine-bucket"
ENTRY = Script("entry", b"#!/bin/bash\necho entry\n", "entry", ("head",))
FIRST = Script("first", b"#!/bin/bash\necho 1\n", "configured", ("head", "compute"), ("an argument", ""))
CHANGED = Script("first", b"#!/bin/bash\necho 2\n", "configured", ("head", "compute"))
CONTENT = b"a file from the internet"
FILE = Download("tool", hashlib.sha256(CONTENT).hexdigest(), "https://example.org/a tool")


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    with mock_aws():
        client = boto3.client("s3")
        for bucket in (SOURCE, BUCKET, ENGINE):
            client.create_bucket(Bucket=bucket)
            client.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
        yield client


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The internet: serves one file and records who asked."""
    urls: list[str] = []

    @contextmanager
    def fetch(url: str, sha256: str) -> Iterator[BytesIO]:
        urls.append(url)
        yield BytesIO(CONTENT)

    monkeypatch.setattr(staging, "fetch", fetch)
    return urls


@pytest.fixture
def callback() -> Iterator[Callback]:
    with listen() as address:
        yield address


def manifest(*scripts: Script, downloads: tuple[Download, ...] = (), entry: Script = ENTRY) -> Manifest:
    return Manifest(entry=entry, scripts=scripts, downloads=downloads)


def upload(s3: Any, what: Manifest) -> None:
    """What the CDK CLI does before a deployment."""
    for script in (what.entry, *what.scripts):
        s3.put_object(Bucket=SOURCE, Key=f"{script.sha256}.sh", Body=script.content)


def run(callback: Callback, request: str, what: Manifest) -> dict[str, Any]:
    callback.answers.clear()
    properties = {"SourceBucket": SOURCE, "Bucket": BUCKET, "EngineBucket": ENGINE, "Lines": what.lines()}
    staging.handler(callback.event("ScriptManifest", request, ResourceProperties=properties), Context())
    return callback.only


def objects(s3: Any, bucket: str = BUCKET) -> dict[str, bytes]:
    found = s3.list_objects_v2(Bucket=bucket).get("Contents", [])
    return {item["Key"]: s3.get_object(Bucket=bucket, Key=item["Key"])["Body"].read() for item in found}


def versions(s3: Any, bucket: str) -> int:
    page = s3.list_object_versions(Bucket=bucket)
    return len(page.get("Versions", [])) + len(page.get("DeleteMarkers", []))


def test_create_stages_scripts_downloads_and_manifest(s3: Any, callback: Callback, fetched: list[str]) -> None:
    what = manifest(FIRST, downloads=(Download("tool", FILE.sha256, "https://example.org/tool"),))
    upload(s3, what)
    assert run(callback, "Create", what)["Status"] == "SUCCESS"
    assert objects(s3) == {
        "entry.sh": ENTRY.content,
        f"scripts/entry-{ENTRY.sha256}.sh": ENTRY.content,
        f"scripts/first-{FIRST.sha256}.sh": FIRST.content,
        f"downloads/tool-{FILE.sha256}": CONTENT,
        "manifest": "".join(f"{line}\n" for line in what.lines()).encode(),
    }
    assert hashlib.sha256(objects(s3)["manifest"]).hexdigest() == what.sha256


def test_what_slurm_runs_and_what_some_nodes_fetch_is_staged_too(
    s3: Any, callback: Callback, fetched: list[str]
) -> None:
    job = Script("job-prolog-warm", b"#!/bin/bash\n", "job", ("head",), ("prolog.d/50_warm",))
    file = Download("spack.tgz", FILE.sha256, "https://example.org/spack.tgz", ("head",))
    what = manifest(job, downloads=(file,))
    upload(s3, what)

    assert run(callback, "Create", what)["Status"] == "SUCCESS"

    assert fetched == ["https://example.org/spack.tgz"]
    assert objects(s3)[f"scripts/job-prolog-warm-{job.sha256}.sh"] == job.content
    assert objects(s3)[f"downloads/spack.tgz-{FILE.sha256}"] == CONTENT


def test_update_adds_and_keeps_what_running_nodes_may_still_ask_for(s3: Any, callback: Callback) -> None:
    for request, what in (("Create", manifest(FIRST)), ("Update", manifest(CHANGED))):
        upload(s3, what)
        assert run(callback, request, what)["Status"] == "SUCCESS"
    staged = objects(s3)
    assert {f"scripts/first-{FIRST.sha256}.sh", f"scripts/first-{CHANGED.sha256}.sh"} <= set(staged)
    assert CHANGED.sha256.encode() in staged["manifest"]
    assert FIRST.sha256.encode() not in staged["manifest"]


def test_a_rollback_needs_no_source(s3: Any, callback: Callback) -> None:
    other_entry = Script("entry", b"#!/bin/bash\necho other entry\n", "entry", ("head",))
    before, after = manifest(FIRST), manifest(CHANGED, entry=other_entry)
    for request, what in (("Create", before), ("Update", after)):
        upload(s3, what)
        run(callback, request, what)
    for key in objects(s3, SOURCE):
        s3.delete_object(Bucket=SOURCE, Key=key)
    assert run(callback, "Update", before)["Status"] == "SUCCESS"
    assert FIRST.sha256.encode() in objects(s3)["manifest"]
    assert objects(s3)["entry.sh"] == ENTRY.content


def test_a_staged_object_that_was_altered_is_replaced(s3: Any, callback: Callback) -> None:
    what = manifest(FIRST)
    upload(s3, what)
    run(callback, "Create", what)
    key = f"scripts/first-{FIRST.sha256}.sh"
    s3.put_object(Bucket=BUCKET, Key=key, Body=b"rm -rf /")
    assert run(callback, "Update", what)["Status"] == "SUCCESS"
    assert objects(s3)[key] == FIRST.content


def test_the_physical_id_never_changes_since_another_one_would_delete_the_former(
    s3: Any, callback: Callback
) -> None:
    ids = set()
    for request, what in (("Create", manifest(FIRST)), ("Update", manifest(CHANGED)), ("Delete", manifest(FIRST))):
        upload(s3, what)
        ids.add(run(callback, request, what)["PhysicalResourceId"])
    assert ids == {"script-manifest"}


def test_a_script_that_is_not_what_it_says_is_refused_before_the_manifest_changes(
    s3: Any, callback: Callback
) -> None:
    what = manifest(FIRST)
    upload(s3, what)
    s3.put_object(Bucket=SOURCE, Key=f"{FIRST.sha256}.sh", Body=b"rm -rf /")
    answer = run(callback, "Create", what)
    assert answer["Status"] == "FAILED"
    assert (
        f"script first: the staged object has SHA-256 {hashlib.sha256(b'rm -rf /').hexdigest()}"
        in answer["Reason"]
    )
    assert {"entry.sh", "manifest"}.isdisjoint(objects(s3))


@pytest.mark.parametrize("missing", [ENTRY, FIRST])
def test_a_script_that_is_missing_is_named(s3: Any, callback: Callback, missing: Script) -> None:
    what = manifest(FIRST)
    upload(s3, what)
    s3.delete_object(Bucket=SOURCE, Key=f"{missing.sha256}.sh")
    answer = run(callback, "Create", what)
    assert answer["Status"] == "FAILED"
    assert f"script {missing.name} is not in the asset bucket {SOURCE}" in answer["Reason"]


def test_a_script_that_is_missing_is_named_where_s3_says_no_more_than_denied(
    s3: Any, callback: Callback, monkeypatch: pytest.MonkeyPatch
) -> None:
    # S3's answer about an object that is not there, to a role that may not list the bucket: ours may not.
    read = staging._read

    def denied(client: Any, bucket: str, key: str) -> bytes | None:
        if bucket == SOURCE:
            raise ClientError({"Error": {"Code": "AccessDenied", "Message": "Access Denied"}}, "GetObject")
        return read(client, bucket, key)

    monkeypatch.setattr(staging, "_read", denied)
    answer = run(callback, "Create", manifest(FIRST))
    assert answer["Status"] == "FAILED"
    assert f"script entry is not in the asset bucket {SOURCE}" in answer["Reason"]


def test_a_failed_download_leaves_the_manifest_as_it_was(
    s3: Any, callback: Callback, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(url: str, sha256: str) -> None:
        raise ValueError(f"{url} could not be downloaded")

    monkeypatch.setattr(staging, "fetch", refuse)
    what = manifest(FIRST, downloads=(Download("tool", FILE.sha256, "https://example.org/tool"),))
    upload(s3, what)
    answer = run(callback, "Create", what)
    assert (answer["Status"], answer["Reason"]) == ("FAILED", "https://example.org/tool could not be downloaded")
    assert "manifest" not in objects(s3)


def test_a_download_that_is_staged_is_not_fetched_again(s3: Any, callback: Callback, fetched: list[str]) -> None:
    what = manifest(downloads=(Download("tool", FILE.sha256, "https://example.org/tool"),))
    upload(s3, what)
    run(callback, "Create", what)
    run(callback, "Update", what)
    assert fetched == ["https://example.org/tool"]


def test_delete_empties_both_buckets_of_every_version(s3: Any, callback: Callback) -> None:
    for bucket in (BUCKET, ENGINE):
        for body in (b"1", b"2"):
            s3.put_object(Bucket=bucket, Key="a", Body=body)
        s3.put_object(Bucket=bucket, Key="b", Body=b"3")
        s3.delete_object(Bucket=bucket, Key="b")
    s3.put_object(Bucket=SOURCE, Key="untouched", Body=b"4")
    assert run(callback, "Delete", manifest(FIRST))["Status"] == "SUCCESS"
    assert [versions(s3, bucket) for bucket in (BUCKET, ENGINE, SOURCE)] == [0, 0, 1]


def test_delete_takes_a_bucket_that_is_gone_for_empty(s3: Any, callback: Callback) -> None:
    s3.delete_bucket(Bucket=ENGINE)
    assert run(callback, "Delete", manifest(FIRST))["Status"] == "SUCCESS"


def test_delete_fails_when_an_object_could_not_be_deleted(s3: Any) -> None:
    with pytest.raises(ValueError, match="2 objects of b could not be deleted, first x: denied"):
        staging._raise_for("b", [{"Key": "x", "Message": "denied"}, {"Key": "y", "Message": "denied"}])
