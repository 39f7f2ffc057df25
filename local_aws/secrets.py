"""Generated secrets leave out the characters that the template excludes, and a name is taken once.

ministack 1.5.33 reads ``ExcludeCharacters`` alone and ignores the switches that name whole classes; a second
secret of a name replaces the first, and is deleted in its stead when its own stack is rolled back.
"""

from __future__ import annotations

import string
from typing import Any

from ministack.services import secretsmanager

from local_aws import resource_handlers

CLASSES = {
    "ExcludePunctuation": string.punctuation,
    "ExcludeNumbers": string.digits,
    "ExcludeLowercase": string.ascii_lowercase,
    "ExcludeUppercase": string.ascii_uppercase,
}


def _spelt_out(properties: dict[str, Any]) -> dict[str, Any]:
    """The same properties with the excluded classes written as characters."""
    generate = properties.get("GenerateSecretString")
    if not generate:
        return properties
    excluded = generate.get("ExcludeCharacters", "") + "".join(
        characters for switch, characters in CLASSES.items() if str(generate.get(switch, "")).lower() == "true"
    )
    length = int(generate.get("PasswordLength", 32))
    return properties | {
        "GenerateSecretString": generate | {"ExcludeCharacters": excluded, "PasswordLength": length}
    }


def _create(original: Any, logical_id: str, properties: dict[str, Any], stack_name: str) -> Any:
    name = properties.get("Name")
    if name and name in secretsmanager._secrets:
        raise ValueError(
            f"The operation failed because the secret {name} already exists. (Service: SecretsManager)"
        )
    return original(logical_id, _spelt_out(properties), stack_name)


def _update(original: Any, physical_id: str, old: dict[str, Any], new: dict[str, Any], *rest: Any) -> Any:
    return original(physical_id, _spelt_out(old), _spelt_out(new), *rest)


def install() -> None:
    """Put the translation around the type's create and update."""
    resource_handlers.around("AWS::SecretsManager::Secret", "create", _create)
    resource_handlers.around("AWS::SecretsManager::Secret", "update", _update)
