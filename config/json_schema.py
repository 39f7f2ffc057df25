"""The JSON Schemas for editors: completion, hover text, and a first check while typing.

A file is one layer of several, so a key that a cluster needs may stand in the defaults or in a profile: the
schemas say so in the hover text and demand only what every layer has to repeat, the name of a list's item.
Whether a cluster is complete is decided when it is loaded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from config.models.account import Account
from config.models.base import Model
from config.models.cluster import Cluster
from config.models.storage_file import StorageFile

# The draft that editors know best.
_DRAFT = "http://json-schema.org/draft-07/schema#"


def cluster_schema() -> dict[str, Any]:
    """For files in ``config/clusters``."""
    return _schema("Clusterform cluster", "A cluster, as a file in config/clusters declares it")


def profile_schema() -> dict[str, Any]:
    """For files in ``config/profiles`` and for ``config/defaults.yaml``, which cannot extend anything."""
    schema = _schema("Clusterform profile or defaults", "Values that clusters share")
    del schema["properties"]["extends"]
    return schema


def account_schema() -> dict[str, Any]:
    """For ``config/account.yaml``."""
    return standalone_schema(Account, "Clusterform account", "What all clusters of an account and Region share")


def storage_schema() -> dict[str, Any]:
    """For files in ``config/storage``."""
    return standalone_schema(StorageFile, "Clusterform storage", "Filesystems that outlive clusters")


def standalone_schema(model: type[Model], title: str, description: str) -> dict[str, Any]:
    """For a file without layers beneath it: whatever it needs is demanded while typing."""
    schema = model.model_json_schema()
    definitions: dict[str, Any] = schema.get("$defs", {})
    for definition in (schema, *definitions.values()):
        _describe(definition, definitions, required="Required.")
    head = {"$schema": _DRAFT, "title": title, "description": description}
    return head | _for_editors({key: value for key, value in schema.items() if key not in head})


def text(schema: dict[str, Any]) -> str:
    """The committed form."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _schema(title: str, description: str) -> dict[str, Any]:
    schema = Cluster.model_json_schema()
    definitions: dict[str, Any] = schema.pop("$defs")
    named = set(_items(schema, *definitions.values()))
    for definition in (schema, *definitions.values()):
        _describe(definition, definitions)
    for name, definition in definitions.items():
        needed = definition.pop("required", [])
        if name in named and "name" in needed:
            definition["required"] = ["name"]
    del schema["required"]
    head = {"$schema": _DRAFT, "title": title, "description": description}
    body = {key: value for key, value in schema.items() if key not in head}
    return head | _for_editors(body | {"$defs": definitions})


def _items(*schemas: dict[str, Any]) -> Iterator[str]:
    """The names of the definitions that are items of lists."""
    for schema in schemas:
        for entry in schema["properties"].values():
            items = entry.get("items", {})
            for option in (items, *items.get("oneOf", ())):
                if "$ref" in option:
                    yield option["$ref"].rpartition("/")[2]


def _describe(
    definition: dict[str, Any], definitions: dict[str, Any], required: str = "Required, here or in another layer."
) -> None:
    """Put into every key's description what an editor would not show otherwise."""
    for key, entry in definition["properties"].items():
        sentences = [entry.get("description") or _described_elsewhere(entry, definitions)]
        if key in definition.get("required", ()):
            sentences.append(required)
        elif entry.get("default") is not None:
            sentences.append(f"Default: {json.dumps(entry['default'], ensure_ascii=False)}.")
        entry["description"] = " ".join(_ended(sentence) for sentence in sentences if sentence)
        if entry.get("default", ...) is None:
            del entry["default"]


def _described_elsewhere(entry: dict[str, Any], definitions: dict[str, Any]) -> str:
    options = (entry, *entry.get("anyOf", ()))
    name = next((option["$ref"].rpartition("/")[2] for option in options if "$ref" in option), "")
    return definitions[name]["description"] if name else ""


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def _for_editors(value: Any) -> Any:
    """Without what only Python or OpenAPI understands. A union's tag may be inherited: several may match."""
    if isinstance(value, list):
        return [_for_editors(item) for item in value]
    if not isinstance(value, dict):
        return value
    plain = {
        "anyOf" if key == "oneOf" else key: _for_editors(item)
        for key, item in value.items()
        if key != "discriminator" or not isinstance(item, dict) or "propertyName" not in item
    }
    if isinstance(pattern := plain.get("pattern"), str):
        plain["pattern"] = pattern.replace(r"\Z", "$")
    return plain
