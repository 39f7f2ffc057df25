"""Runbooks as people read them: sections with commands in indented blocks, and the tests that run them."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jmespath
from botocore import xform_name

FAILURES = Path(__file__).parents[1] / "docs/runbooks/failures.md"
INNER = re.compile(r'"\$\((aws [^"]*?)\)"')
GLOBAL = {"region", "query", "output"}
"""Options that the AWS CLI takes beside those of the operation."""


@dataclass(frozen=True)
class Section:
    """A title, the commands in the order in which they are run, and the names of tests."""

    title: str
    commands: tuple[str, ...]
    tests: tuple[str, ...]


def sections(file: Path) -> dict[str, Section]:
    """The runbook's sections by title; without what stands before the first."""
    parts = re.split(r"^## (.+)$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {title: _section(title, body) for title, body in zip(parts[::2], parts[1::2], strict=True)}


def _section(title: str, body: str) -> Section:
    lines = [line[4:] for line in body.splitlines() if line.startswith("    ")]
    commands = re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines()
    return Section(title, tuple(commands), tuple(re.findall(r"`(test_\w+)`", body)))


@dataclass(frozen=True)
class Runner:
    """Runs a section's commands: the AWS CLI's by boto3, whose operations and options are the same.

    ``cdk`` runs the CDK CLI with a list of arguments and raises AssertionError if it fails; ``words`` take the
    place of the words in capitals.
    """

    aws: Callable[[str], Any]
    cdk: Callable[[Sequence[str]], None]
    words: dict[str, str]

    def follow(self, title: str, **words: str) -> None:
        """Run every command of the section."""
        for command in sections(FAILURES)[title].commands:
            self.run(command, self.words | words)

    def run(self, command: str, words: dict[str, str]) -> None:
        for word, meaning in words.items():
            command = re.sub(rf"\b{word}\b", meaning, command)
        command = INNER.sub(lambda match: shlex.quote(json.dumps(self._call(shlex.split(match[1])))), command)
        program, *arguments = shlex.split(command)
        if program == "aws":
            self._call([program, *arguments])
        else:
            assert (program, arguments[0]) == ("./clusterform", "cdk"), command
            self.cdk(arguments[1:])

    def _call(self, command: list[str]) -> Any:
        _, service, operation, *rest = command
        client = self.aws("s3" if service == "s3api" else service)
        if operation == "wait":
            waiter = client.get_waiter(rest[0].replace("-", "_"))
            return waiter.wait(**_options(rest[1:])[0], WaiterConfig={"Delay": 1, "MaxAttempts": 60})
        given, query = _options(rest, client.meta.service_model, operation)
        answer = getattr(client, operation.replace("-", "_"))(**given)
        return jmespath.search(query, answer) if query else answer


def _options(arguments: list[str], model: Any = None, operation: str = "") -> tuple[dict[str, Any], str]:
    """The operation's parameters, and what is asked of its answer."""
    given: dict[str, list[str]] = {}
    values: list[str] = []
    for argument in arguments:
        if argument.startswith("--"):
            values = given.setdefault(argument.removeprefix("--"), [])
        else:
            values.append(argument)
    query = " ".join(given.get("query", []))
    names = {name: "".join(map(str.capitalize, name.split("-"))) for name in given.keys() - GLOBAL}
    return {
        parameter: _value(given[name], parameter, model, operation) for name, parameter in names.items()
    }, query


def _value(values: list[str], parameter: str, model: Any, operation: str) -> Any:
    if model is None:
        return values[0]
    name = next(each for each in model.operation_names if xform_name(each, "-") == operation)
    kind = model.operation_model(name).input_shape.members[parameter].type_name
    return {"list": lambda: values, "structure": lambda: json.loads(values[0])}.get(kind, lambda: values[0])()
