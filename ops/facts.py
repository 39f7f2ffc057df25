"""Renews the committed facts about instance types from the EC2 API."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import boto3

from config.facts.ec2_form import document
from config.facts.instance_types import CATALOGUE

DEFAULT_REGION = "us-east-1"
"""Asked when neither the command nor the profile names a Region: it offers most types."""


@dataclass(frozen=True)
class Refreshed:
    """What a refresh changed; the numbers are of types."""

    region: str
    source: str
    date: str
    total: int
    added: tuple[str, ...]
    kept: tuple[str, ...]
    """Types that the Region does not offer: as they were, since clusters elsewhere may use them."""
    changed: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]]
    """By name: the record as it was and as it is."""


def refresh(
    region: str | None = None,
    profile: str | None = None,
    catalogue: Path = CATALOGUE,
    progress: Callable[[str], None] = lambda _: None,
) -> Refreshed:
    """Write the types that a Region offers today, and keep those that it does not offer.

    All or nothing: an error, botocore's as it comes or a failing disk's, leaves the file as it was.
    """
    session = boto3.Session(profile_name=profile, region_name=region)
    asked = session.region_name or DEFAULT_REGION
    progress(f"asking EC2 in {asked}")
    infos: list[Mapping[str, Any]] = []
    for page in session.client("ec2", region_name=asked).get_paginator("describe_instance_types").paginate():
        infos.extend(page["InstanceTypes"])
        progress(f"  {len(infos)} types")
    return replace(catalogue, infos, asked)


def replace(catalogue: Path, infos: Iterable[Mapping[str, Any]], region: str) -> Refreshed:
    """Write what EC2 answered and tell what that changed."""
    before = json.loads(catalogue.read_text(encoding="utf-8"))
    text = document(infos, f"DescribeInstanceTypes of {region}", datetime.now(UTC).date().isoformat(), before)
    after = json.loads(text)
    part = catalogue.with_suffix(".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(catalogue)
    finally:
        part.unlink(missing_ok=True)
    old, new = before["types"], after["types"]
    return Refreshed(
        region=region,
        source=after["source"],
        date=after["date"],
        total=len(new),
        added=tuple(sorted(new.keys() - old.keys())),
        kept=tuple(sorted(name for group in after.get("kept", []) for name in group["types"])),
        changed={name: (old[name], new[name]) for name in sorted(new.keys() & old) if new[name] != old[name]},
    )
