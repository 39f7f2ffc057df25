# pyright: reportMissingImports=false
"""Runs ParallelCluster's schema and every validator of its that needs no AWS."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from marshmallow import ValidationError
from pcluster.aws.common import AWSClientError
from pcluster.config.common import Resource
from pcluster.schemas.cluster_schema import ClusterSchema
from pcluster.utils import to_pascal_case
from pcluster.validators.common import AsyncValidator, ValidatorContext

from pcluster_rules.worker import offline
from pcluster_rules.worker.unknown import NotChecked

Message = dict[str, str]

# ParallelCluster's attributes whose keys in the document have other names.
KEYS = {"scheduling.queues": "SlurmQueues", "scheduling.settings": "SlurmSettings"}


def validate(cluster_name: str, configuration: dict[str, Any], facts: offline.Facts) -> list[Message]:
    """Everything that ParallelCluster says, then what it could not check offline; each thing once."""
    offline.use(facts)
    try:
        cluster = ClusterSchema(cluster_name=cluster_name).load(configuration)
    except ValidationError as error:
        return list(_flat(error.messages, ""))
    except NotChecked as need:
        return [_message("info", "not_checked", f"further checks of this section need {need}", "", "")]
    messages = list(_run(cluster, "", ""))
    return [dict(unique) for unique in dict.fromkeys(tuple(message.items()) for message in messages)]


def _flat(messages: Any, path: str) -> Iterator[Message]:
    """Marshmallow nests its messages as the document is nested; ``_schema`` marks those on a whole section."""
    if isinstance(messages, dict):
        for key, inner in messages.items():
            if isinstance(key, int):
                yield from _flat(inner, f"{path}[{key}]")
            else:
                yield from _flat(inner, path if key == "_schema" else f"{path}.{key}".strip("."))
        return
    for message in messages if isinstance(messages, list) else [messages]:
        if isinstance(message, dict):
            yield from _flat(message, path)
        else:
            yield _message("error", "schema", str(message), path, "ConfigSchemaValidator")


def _run(resource: Resource, path: str, parent: str) -> Iterator[Message]:
    """Nested resources first, as ParallelCluster does it; unlike there, one that fails stops no other."""
    for name, value in list(vars(resource).items()):
        key = KEYS.get(f"{parent}.{name}", to_pascal_case(name))
        inner = f"{path}.{key}".strip(".")
        if isinstance(value, Resource):
            yield from _run(value, inner, name)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, Resource):
                    yield from _run(item, f"{inner}[{index}]", name)
    resource._validators.clear()
    try:
        resource._register_validators(ValidatorContext())
    except NotChecked as need:
        yield _message("info", "not_checked", f"further checks of this section need {need}", path, "")
    except AWSClientError as refusal:
        yield _refusal(refusal)
    except Exception as error:
        yield _message("error", "crash", f"ParallelCluster's own check fails: {error}", path, "")
    for validator, arguments in list(resource._validators):
        yield from _execute(validator, arguments, path)


def _execute(validator_class: Any, arguments: dict[str, Any], path: str) -> Iterator[Message]:
    validator = validator_class()
    name = validator.type.removeprefix("AsyncTimed")
    try:
        if isinstance(validator, AsyncValidator):
            asyncio.run(validator.execute_async(**arguments))
        else:
            validator.execute(**arguments)
    except NotChecked as need:
        yield _message("info", "not_checked", f"{name} needs {need}", path, name)
    except AWSClientError as refusal:
        yield _refusal(refusal)
    except Exception as error:
        yield _message("error", "crash", f"{name} fails: {error}", path, name)
    for failure in validator._failures:
        yield _message(str(failure.level).lower(), "validator", failure.message, path, name)


def _refusal(refusal: AWSClientError) -> Message:
    """An answer of AWS's that ParallelCluster does not expect; without a place, so that it is said once."""
    return _message("error", "validator", refusal.message, "", "")


def _message(level: str, kind: str, message: str, path: str, rule: str) -> Message:
    return {"level": level, "kind": kind, "message": message, "path": path, "rule": rule}
