# pyright: reportMissingImports=false
"""Keeps ParallelCluster off the network: known facts are answered, everything else counts as not checked."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any, NoReturn

import pcluster.aws.common
from pcluster.aws import aws_resources
from pcluster.aws.aws_api import AWSApi
from pcluster.aws.common import Cache
from pcluster.config import cluster_config, common
from pcluster.utils import retrieve_supported_regions

from pcluster_rules.worker.answers import Answers, Facts, answers
from pcluster_rules.worker.unknown import NotChecked, Unknown


@cache
def seal() -> None:
    """Close the network for this process, for good."""

    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise NotChecked("the network")

    socket.socket.connect = refuse
    socket.getaddrinfo = refuse
    pcluster.aws.common.boto3.client = lambda name, **_: _Client(name, {})
    pcluster.aws.common.boto3.resource = lambda name, **_: _Client(name, {})
    packaged = files("pcluster").joinpath("resources", "supported-regions").read_text(encoding="utf-8")
    retrieve_supported_regions.cache = _Regions(packaged.split())
    for module in (cluster_config, common, aws_resources):
        for cls in vars(module).values():
            if isinstance(cls, type) and cls.__module__.startswith("pcluster."):
                _defer(cls)


def _defer(cls: type) -> None:
    """A property that cannot be computed offline is unknown: the checks that do not use it can still run."""
    for name, found in list(vars(cls).items()):
        if isinstance(found, property) and found.fget and not hasattr(found.fget, "deferred"):
            setattr(cls, name, property(_deferred(found.fget), found.fset, found.fdel))


def _deferred(compute: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def value(self: Any) -> Any:
        try:
            return compute(self)
        except NotChecked as need:
            return Unknown(str(need))

    value.deferred = True  # pyright: ignore[reportFunctionMemberAccess]
    return value


def use(facts: Facts) -> None:
    """Answer from these facts and forget the former ones."""
    os.environ["AWS_DEFAULT_REGION"] = facts.get("region", "us-east-1")
    known = answers(facts)
    pcluster.aws.common.boto3.client = lambda name, **_: _Client(name, known.get(name, {}))
    AWSApi.reset()
    Cache.clear_all()


class _Regions(frozenset[str]):
    """The Regions that were supported when the version was released: another one may have joined since."""

    def __contains__(self, region: object) -> bool:
        if not super().__contains__(region):
            raise NotChecked("today's list of supported Regions")
        return True


class _Client:
    """Looks like a boto3 client to ParallelCluster."""

    def __init__(self, service: str, answers: Answers) -> None:
        self._service = service
        self._answers = answers
        self.meta = _Meta()

    def __getattr__(self, operation: str) -> Callable[..., dict[str, Any]]:
        def call(**query: Any) -> dict[str, Any]:
            if operation not in self._answers:
                raise NotChecked(f"AWS ({self._service} {operation})")
            return self._answers[operation](**query)

        call.__name__ = operation  # by which ParallelCluster asks for the paginator
        return call

    def get_paginator(self, operation: str) -> _Pages:
        """Every answer has one page."""
        return _Pages(getattr(self, operation))


class _Pages:
    def __init__(self, call: Callable[..., dict[str, Any]]) -> None:
        self._call = call
        self._answer: dict[str, Any] = {}

    def paginate(self, **query: Any) -> _Pages:
        self._answer = self._call(**query)
        return self

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter([self._answer])

    def result_key_iters(self) -> list[list[Any]]:
        return list(self._answer.values())


class _Meta:
    """The corner of a client's ``meta`` that ParallelCluster touches, to log its calls."""

    def __init__(self) -> None:
        self.events = self
        self.client = self
        self.meta = self

    def register(self, *_: Any) -> None:
        """Nothing is called, so nothing is logged."""
