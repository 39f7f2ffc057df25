"""Which stacks a run is about, and which values the command line overrides: the context keys that are ours."""

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

# 27 characters leave room for the names that are derived from it.
_NAME = re.compile(r"[a-z]([a-z0-9-]{0,25}[a-z0-9])?\Z")
_SHORTEST = 3
# Keys of others are refused only where they look very much like ours ("clusters", "clusterfrom:").
_SURE = 0.75
_NAME_RULE = (
    "must be 3-27 characters of a-z, 0-9 and single hyphens, starting with a letter, not ending with a hyphen"
)


@dataclass(frozen=True)
class Kind:
    """Files of one folder that a selector chooses from; ``what`` and ``several`` are what people call them.

    ``unknown`` and ``misnamed`` are the names of findings.
    """

    selector: str
    folder: str
    what: str
    several: str
    unknown: str
    misnamed: str


CLUSTER = Kind("cluster", CLUSTERS, "cluster", "clusters", "unknown-cluster", "cluster-name")
STORAGE_FILE = Kind("storage", STORAGE, "storage file", "storage files", "unknown-storage", "storage-name")


@dataclass(frozen=True)
class Selection:
    """The selected names, sorted, and the overrides that apply to each cluster.

    ``storage`` holds stems of files in ``config/storage``; ``account`` stands for ``config/account.yaml``.
    """

    clusters: tuple[str, ...]
    overrides: tuple[Override, ...] = ()
    storage: tuple[str, ...] = ()
    account: bool = False


def select(context: Mapping[str, object], root: Path) -> Selection:
    """Read our keys out of CDK's context: ``cluster``, ``scope``, ``storage`` and ``clusterform:PATH``.

    ``root`` is the project's root. Without a selector every cluster file is selected. Raises ``ConfigError`` with
    everything that is wrong with these keys; keys of others are left alone.
    """
    findings = _foreign_keys(context)
    given = [key for key in SELECTORS if key in context]
    clusters: tuple[str, ...] = ()
    storage: tuple[str, ...] = ()
    account = False
    if len(given) > 1:
        message, hint = f"{' and '.join(given)} given at once", f"give one of them; {_hint(CLUSTER, None, root)}"
        findings.append(_finding("selector", message, hint))
    elif given == ["scope"]:
        account = _scope(context["scope"], root, findings)
    elif given == ["storage"]:
        storage = _chosen(context["storage"], STORAGE_FILE, root, findings)
    elif given:
        clusters = _chosen(context["cluster"], CLUSTER, root, findings)
    else:
        clusters, storage = _all(CLUSTER, root, findings), _all(STORAGE_FILE, root, findings)
        account = (root / ACCOUNT).is_file()
        if not clusters and not storage and not account and not findings:
            findings.append(_finding("no-clusters", "there is no cluster file", "write one: NAME.yaml", CLUSTERS))
    overrides = _overrides(context, findings)
    if overrides and given in (["scope"], ["storage"]):
        message = f"{PREFIX} overrides values of clusters, and none is selected by {given[0]}="
        findings.append(_finding("override-path", message, "leave it out, or write the value into the file"))
    if findings:
        raise ConfigError(findings)
    return Selection(clusters, overrides, storage, account)


def existing(root: Path, folder: str = CLUSTERS) -> list[str]:
    """The stems of a folder's ``.yaml`` files, sorted; hidden files are an editor's business."""
    try:
        names = [path.name for path in (root / folder).iterdir()]
    except OSError:
        return []
    return sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml") and name[0] != ".")


def name_problem(name: str) -> str | None:
    """What is wrong with a cluster's or a storage file's name, or None."""
    if len(name) < _SHORTEST or not _NAME.match(name) or "--" in name:
        return _NAME_RULE
    if name == "account":
        return "must not be 'account', the account stack's name"
    if name.startswith("clusterform-"):
        return "must not start with 'clusterform-', as our own stacks' names do"
    return None


def _finding(rule: str, message: str, hint: str = "", file: str = COMMAND_LINE.file) -> Finding:
    return Finding(rule=rule, message=message, hint=hint, file=file)


def _chosen(value: object, kind: Kind, root: Path, findings: list[Finding]) -> tuple[str, ...]:
    parts = value if isinstance(value, list | tuple) else [value]
    names = [
        name.strip() for part in parts for name in (part.split(",") if isinstance(part, str) else [str(part)])
    ]
    if not parts or "" in names:
        findings.append(_finding("selector", f"{kind.selector}= holds an empty name", _hint(kind, None, root)))
    chosen = sorted({name for name in names if name})
    for name in chosen:
        if problem := _unusable(name, kind, root):
            findings.append(problem)
    return tuple(chosen)


def _unusable(name: str, kind: Kind, root: Path) -> Finding | None:
    known = existing(root, kind.folder)
    if name not in known:
        if re.fullmatch(r"[a-z0-9-]+", name) and (root / kind.folder / f"{name}.yml").is_file():
            return _wrong_suffix(f"{kind.folder}/{name}.yml")
        stem = name.removesuffix(".yaml").rpartition("/")[2]
        close = stem if stem in known else nearest(name, known)
        message = f"there is no {kind.what} {quoted(name)}"
        if (problem := name_problem(name)) and close is None:
            message = f"a {kind.what}'s name {problem}; got {quoted(name)}"
        return _finding(kind.unknown, message, _hint(kind, close, root))
    problem = name_problem(name)
    return _bad_file_name(name, kind, problem) if problem else None


def _hint(kind: Kind, close: str | None, root: Path) -> str:
    known = f"{kind.several}: {listing(existing(root, kind.folder))}"
    return f"did you mean {close!r}? {known}" if close else known


def _all(kind: Kind, root: Path, findings: list[Finding]) -> tuple[str, ...]:
    names = existing(root, kind.folder)
    findings += [_bad_file_name(name, kind, problem) for name in names if (problem := name_problem(name))]
    wrong = sorted((root / kind.folder).glob("[!.]*.yml"))
    findings += [_wrong_suffix(f"{kind.folder}/{path.name}") for path in wrong]
    return tuple(names)


def _bad_file_name(name: str, kind: Kind, problem: str) -> Finding:
    message = f"a {kind.what}'s name, its file's stem, {problem}; got {quoted(name)}"
    return _finding(kind.misnamed, message, "rename the file", f"{kind.folder}/{name}.yaml")


def _wrong_suffix(file: str) -> Finding:
    hint = f"rename it to {file.removesuffix('.yml')}.yaml"
    return _finding("file-suffix", "configuration files end in .yaml", hint, file)


def _scope(value: object, root: Path, findings: list[Finding]) -> bool:
    """Whether ``scope=account`` selects the account's stack."""
    if value != "account":
        findings.append(
            _finding("selector", f"scope must be account; got {quoted(str(value))}", "write scope=account")
        )
        return False
    if not (root / ACCOUNT).is_file():
        message = f"there is no {ACCOUNT}, which the account's stack is declared in"
        findings.append(_finding("selector", message, f"write {ACCOUNT}; {_hint(CLUSTER, None, root)}"))
        return False
    return True


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
