"""Which clusters a run is about, and which values the command line overrides: the context keys that are ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from config.document import COMMAND_LINE, Node, Override, from_plain
from config.findings import ConfigError, Finding
from config.models.cluster import Cluster
from config.near import listing, nearest
from config.source import parse_value
from config.wording import quoted

CLUSTERS = "config/clusters"
STORAGE = "config/storage"
ACCOUNT = "config/account.yaml"
PREFIX = "clusterform:"
SELECTORS = ("cluster", "scope", "storage")

# Row 2 of the baseline; 27 characters leave room for the names that are derived from it.
_NAME = re.compile(r"[a-z]([a-z0-9-]{0,25}[a-z0-9])?\Z")
_SHORTEST = 3
# Keys of others are refused only where they look very much like ours ("clusters", "clusterfrom:").
_SURE = 0.75
_NAME_RULE = (
    "must be 3-27 characters of a-z, 0-9 and single hyphens, starting with a letter, not ending with a hyphen"
)


@dataclass(frozen=True)
class Selection:
    """The selected clusters' names, sorted, and the overrides that apply to each of them."""

    clusters: tuple[str, ...]
    overrides: tuple[Override, ...] = ()


def select(context: Mapping[str, object], root: Path) -> Selection:
    """Read our keys out of CDK's context: ``cluster``, ``scope``, ``storage`` and ``clusterform:PATH``.

    ``root`` is the project's root. Without a selector every cluster file is selected. Raises ``ConfigError`` with
    everything that is wrong with these keys; keys of others are left alone.
    """
    findings = _foreign_keys(context)
    given = [key for key in SELECTORS if key in context]
    clusters: tuple[str, ...] = ()
    if len(given) > 1:
        findings.append(
            _finding(
                "selector",
                f"{' and '.join(given)} given at once",
                f"give one of them; {_hint(None, existing(root))}",
            )
        )
    elif given and given != ["cluster"]:
        findings.append(_later_stack(given[0], context[given[0]], root))
    elif given:
        clusters = _chosen(context["cluster"], root, findings)
    else:
        clusters = _all(root, findings)
    overrides = _overrides(context, findings)
    if findings:
        raise ConfigError(findings)
    return Selection(clusters, overrides)


def existing(root: Path, folder: str = CLUSTERS) -> list[str]:
    """The stems of a folder's ``.yaml`` files, sorted; hidden files are an editor's business."""
    try:
        names = [path.name for path in (root / folder).iterdir()]
    except OSError:
        return []
    return sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml") and name[0] != ".")


def name_problem(name: str) -> str | None:
    """What is wrong with a cluster's name, or None."""
    if len(name) < _SHORTEST or not _NAME.match(name) or "--" in name:
        return _NAME_RULE
    if name == "account":
        return "must not be 'account', the account stack's name"
    if name.startswith("clusterform-"):
        return "must not start with 'clusterform-', as our own stacks' names do"
    return None


def _finding(rule: str, message: str, hint: str = "", file: str = COMMAND_LINE.file) -> Finding:
    return Finding(rule=rule, message=message, hint=hint, file=file)


def _chosen(value: object, root: Path, findings: list[Finding]) -> tuple[str, ...]:
    parts = value if isinstance(value, list | tuple) else [value]
    names = [
        name.strip() for part in parts for name in (part.split(",") if isinstance(part, str) else [str(part)])
    ]
    known = existing(root)
    if not parts or "" in names:
        findings.append(_finding("selector", "cluster= holds an empty name", _hint(None, known)))
    chosen = sorted({name for name in names if name})
    for name in chosen:
        if problem := _unusable(name, known, root):
            findings.append(problem)
    return tuple(chosen)


def _unusable(name: str, known: list[str], root: Path) -> Finding | None:
    if name not in known:
        if re.fullmatch(r"[a-z0-9-]+", name) and (root / CLUSTERS / f"{name}.yml").is_file():
            return _wrong_suffix(f"{CLUSTERS}/{name}.yml")
        stem = name.removesuffix(".yaml").rpartition("/")[2]
        close = stem if stem in known else nearest(name, known)
        message = f"there is no cluster {quoted(name)}"
        if (problem := name_problem(name)) and close is None:
            message = f"a cluster's name {problem}; got {quoted(name)}"
        return _finding("unknown-cluster", message, _hint(close, known))
    problem = name_problem(name)
    return _bad_file_name(name, problem) if problem else None


def _hint(close: str | None, known: list[str]) -> str:
    clusters = f"clusters: {listing(known)}"
    return f"did you mean {close!r}? {clusters}" if close else clusters


def _all(root: Path, findings: list[Finding]) -> tuple[str, ...]:
    names = existing(root)
    findings += [_bad_file_name(name, problem) for name in names if (problem := name_problem(name))]
    findings += [_wrong_suffix(f"{CLUSTERS}/{path.name}") for path in sorted((root / CLUSTERS).glob("[!.]*.yml"))]
    if not names and not findings:
        findings.append(_finding("no-clusters", "there is no cluster file", "write one: NAME.yaml", CLUSTERS))
    return tuple(names)


def _bad_file_name(name: str, problem: str) -> Finding:
    message = f"a cluster's name, its file's stem, {problem}; got {quoted(name)}"
    return _finding("cluster-name", message, "rename the file", f"{CLUSTERS}/{name}.yaml")


def _wrong_suffix(file: str) -> Finding:
    hint = f"rename it to {file.removesuffix('.yml')}.yaml"
    return _finding("file-suffix", "configuration files end in .yaml", hint, file)


def _later_stack(selector: str, value: object, root: Path) -> Finding:
    """``scope`` and ``storage`` are reserved: this release declares clusters only."""
    if selector == "scope" and value != "account":
        return _finding("selector", f"scope must be account; got {quoted(str(value))}", "write scope=account")
    if not str(value).strip():
        return _finding("selector", "storage= is empty", f"storage files: {listing(existing(root, STORAGE))}")
    stems = existing(root, STORAGE) if selector == "storage" else ["account"] * (root / ACCOUNT).is_file()
    where = STORAGE if selector == "storage" else ACCOUNT
    message = f"{selector}={value}: this release declares clusters only, no {selector} stack"
    return _finding("selector", message, f"{where}: {listing(stems)}; clusters: {listing(existing(root))}")


def _overrides(context: Mapping[str, object], findings: list[Finding]) -> tuple[Override, ...]:
    overrides = []
    for key in sorted(key for key in context if key.startswith(PREFIX)):
        path = tuple(key.removeprefix(PREFIX).replace("[", ".").replace("]", "").split("."))
        if "" in path:
            message, hint = f"{key}: the path has an empty part", f"write {PREFIX}queues.cpu.max_nodes=4"
            findings.append(_finding("override-path", message, hint))
            continue
        try:
            overrides.append(Override(path, _value(context[key])))
        except ValueError as error:
            message = f"{key}: {error}, got {quoted(str(context[key]))}"
            findings.append(_finding("override-value", message, "put text in double quotes inside single ones"))
    return tuple(overrides)


def _value(value: object) -> Node:
    return parse_value(value, COMMAND_LINE) if isinstance(value, str) else from_plain(value, COMMAND_LINE)


def _foreign_keys(context: Mapping[str, object]) -> list[Finding]:
    """Keys that were probably meant for us: ignoring them would deploy something else than was asked for."""
    return [
        _finding("context-key", f"{key} is not a context key of Clusterform", f"did you mean {meant}?")
        for key in sorted(context)
        if key not in SELECTORS and not key.startswith(PREFIX) and (meant := _meant(key))
    ]


def _meant(key: str) -> str | None:
    prefix, colon, path = key.partition(":")
    if colon:
        return f"{PREFIX}{path}" if nearest(prefix, [PREFIX[:-1]], _SURE) and prefix != "clusterform" else None
    if key.startswith("@"):
        return None
    if re.split(r"[.\[]", key)[0] in Cluster.model_fields:
        return f"{PREFIX}{key}"
    if key.startswith("clusterform"):
        return f"{PREFIX}{key.removeprefix('clusterform').lstrip('.-_/') or 'queues.cpu.max_nodes'}"
    return nearest(key, SELECTORS, _SURE)
