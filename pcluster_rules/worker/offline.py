# pyright: reportMissingImports=false
"""Keeps ParallelCluster off the network: known facts are answered, everything else counts as not checked."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from typing import Any, NoReturn

import pcluster.aws.common
from botocore.exceptions import ClientError
from pcluster.aws.aws_api import AWSApi
from pcluster.aws.common import Cache
from pcluster.utils import retrieve_supported_regions

Facts = Mapping[str, Any]
"""``region``; ``instance_types`` in EC2's own form by name; ``subnets`` likewise by id. Each may be missing."""


class NotChecked(BaseException):
    """A check asked for something that only AWS or the network knows; the message names it.

    No Exception, for ParallelCluster catches those and makes findings of them.
    """


class Known(dict[str, Any]):
    """What is known of one resource: asking for more ends the check, instead of finding nothing there."""

    def __missing__(self, key: str) -> NoReturn:
        raise NotChecked(f"{key} of {self['What']}")

    def get(self, key: str, default: Any = None) -> Any:
        """Like the subscript: a default would invent a fact."""
        return self[key]


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


def use(facts: Facts) -> None:
    """Answer from these facts and forget the former ones."""
    os.environ["AWS_DEFAULT_REGION"] = facts.get("region", "us-east-1")
    answers = _answers(facts)
    pcluster.aws.common.boto3.client = lambda name, **_: _Client(name, answers if name == "ec2" else {})
    AWSApi.reset()
    Cache.clear_all()


def _answers(facts: Facts) -> dict[str, Callable[..., dict[str, Any]]]:
    """EC2's operations that facts can answer, in boto3's names and forms."""
    types: Mapping[str, Any] | None = facts.get("instance_types")
    subnets: Mapping[str, Any] = facts.get("subnets", {})

    def describe_instance_types(InstanceTypes: list[str]) -> dict[str, Any]:
        if types is None:
            raise NotChecked("the facts of the instance types")
        names = ", ".join(name for name in InstanceTypes if name not in types)
        if names:
            raise _refused("DescribeInstanceTypes", f"unknown instance types: {names}")
        return {"InstanceTypes": [types[name] for name in InstanceTypes]}

    def describe_instance_type_offerings(**filters: Any) -> dict[str, Any]:
        if filters or types is None:
            raise NotChecked("where EC2 offers the instance types")
        return {"InstanceTypeOfferings": [{"InstanceType": name} for name in types]}

    def describe_subnets(SubnetIds: list[str]) -> dict[str, Any]:
        for unknown in (subnet for subnet in SubnetIds if subnet not in subnets):
            raise NotChecked(f"subnet {unknown}")
        return {"Subnets": [Known(subnets[name], What=f"subnet {name}", SubnetId=name) for name in SubnetIds]}

    def describe_images(**query: Any) -> dict[str, Any]:
        """An image of which nothing is known but what a later, unrelated check could not be reached without."""
        (name,) = query.get("ImageIds") or ("ami-00000000000000000",)
        disk = {"DeviceName": "/dev/xvda", "Ebs": {"VolumeSize": 40}}
        image = Known(What="the image", ImageId=name, BlockDeviceMappings=[disk], CreationDate="")
        return {"Images": [image]}

    known = (describe_instance_types, describe_instance_type_offerings, describe_subnets, describe_images)
    return {answer.__name__: answer for answer in known}


def _refused(operation: str, message: str) -> ClientError:
    return ClientError({"Error": {"Code": "InvalidInstanceType", "Message": message}}, operation)


class _Regions(frozenset[str]):
    """The Regions that were supported when the version was released: another one may have joined since."""

    def __contains__(self, region: object) -> bool:
        if not super().__contains__(region):
            raise NotChecked("today's list of supported Regions")
        return True


class _Client:
    """Looks like a boto3 client to ParallelCluster."""

    def __init__(self, service: str, answers: Mapping[str, Callable[..., dict[str, Any]]]) -> None:
        self._service = service
        self._answers = answers
        self.meta = _Meta()

    def __getattr__(self, operation: str) -> Callable[..., dict[str, Any]]:
        if operation in self._answers:
            return self._answers[operation]

        def refuse(*_: Any, **__: Any) -> NoReturn:
            raise NotChecked(f"AWS ({self._service} {operation})")

        refuse.__name__ = operation
        return refuse

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
