"""Who may do what: the local AWS's own evaluator on resolved documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ministack.core.iam_evaluator import EvalContext, evaluate, parse_policy_document

from tests.iam.resolver import ACCOUNT


@dataclass(frozen=True)
class Principal:
    """A role: the documents attached to it, and its permissions boundary."""

    documents: Sequence[dict[str, Any]]
    boundary: dict[str, Any] | None
    region: str

    def may(self, action: str, resource: str = "*", **context: Any) -> bool:
        """Whether a request is allowed.

        ``context`` holds condition keys: ``resource_tags`` and ``request_tags`` as dicts, all others under
        ``keys`` by their names.
        """
        keys = {key.lower(): value for key, value in context.get("keys", {}).items()}
        for tag, value in context.get("resource_tags", {}).items():
            keys[f"aws:resourcetag/{tag}".lower()] = value
            keys[f"ec2:resourcetag/{tag}".lower()] = value
        request_tags = context.get("request_tags", {})
        request = EvalContext(
            principal_arn=f"arn:aws:sts::{ACCOUNT}:assumed-role/tested/session",
            principal_type="AssumedRole",
            principal_account=ACCOUNT,
            action=action,
            resource_arn=resource,
            region=context.get("region", self.region),
            source_ip="10.0.0.1",
            secure_transport=True,
            request_tags=request_tags,
            tag_keys=list(request_tags),
            service_context=keys,
        )
        layers = self._about(action.partition(":")[0].lower())
        return all(any(layer) for layer in layers) and evaluate(request, *layers).decision == "Allow"

    def _about(self, service: str) -> list[list[list[Any]]]:
        """The statements that may say something about a service: most of a long policy does not."""
        if service not in self._by_service:
            self._by_service[service] = [
                [[each for each in document if _concerns(each, service)] for document in layer]
                for layer in self._layers
            ]
        return self._by_service[service]

    @cached_property
    def _by_service(self) -> dict[str, list[list[list[Any]]]]:
        return {}

    @cached_property
    def _layers(self) -> list[list[list[Any]]]:
        layers = [[parse_policy_document(document) for document in self.documents]]
        if self.boundary is not None:
            layers.append([parse_policy_document(self.boundary)])
        return layers


def _concerns(statement: Any, service: str) -> bool:
    own = (f"{service}:", "*")
    return not statement.actions or any(each.lower().startswith(own) for each in statement.actions)
