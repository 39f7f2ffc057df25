"""The account's stack, synthesized in this process."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from config.models.account import Account
from config.project import Project
from config.standalone import LoadedFile
from stacks import application
from tests.assembly import CONTEXT, ROOT
from tests.iam.resolver import ACCOUNT, PARTITIONS, Resolver

STACK = "clusterform-account"
MINIMAL: dict[str, Any] = {
    "account": ACCOUNT,
    "region": "us-east-1",
    "owner": {"name": "hpc", "email": "hpc@example.org"},
}


def account(**changes: Any) -> Account:
    """An account's file that is valid, with changes of top-level keys."""
    return Account.model_validate(MINIMAL | changes)


def synthesize(spec: Account) -> dict[str, Any]:
    """Every file of the assembly by its name, parsed."""
    return json.loads(_assembly(spec.model_dump_json()))


def template(spec: Account) -> dict[str, Any]:
    return synthesize(spec)[f"{STACK}.template.json"]


def resolved(partition: str = "aws", **changes: Any) -> Resolver:
    """The template in a partition, in its Region of the longest name, with the means to resolve it."""
    region = PARTITIONS[partition]
    return Resolver(template(account(region=region, **changes)), partition, region, STACK)


@cache
def _assembly(spec: str) -> str:
    loaded = LoadedFile("account", Account.model_validate_json(spec), {}, ())
    with tempfile.TemporaryDirectory() as folder:
        application.synthesize(Project((), account=loaded), CONTEXT, ROOT, Path(folder))
        return json.dumps({path.name: json.loads(path.read_text()) for path in Path(folder).glob("*.json")})
