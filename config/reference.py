"""The reference page of the configuration, generated from the models."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from typing import Any, get_args, get_origin

from annotated_types import Ge, Le, MaxLen, MinLen
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from config.finding_names import NAMES
from config.models.account import Account
from config.models.cluster import Cluster
from config.models.storage_file import StorageFile
from config.shape import bare, child, field_type, fields, is_model, members, tag_of
from config.wording import expected

_HEAD = """# Configuration reference

Generated from `config/models/` by `./clusterform config schema`; edit the models instead.

A cluster is one file, `config/clusters/NAME.yaml`. Its values come in layers, of which the later wins:

1. the defaults named in the tables below,
2. `config/defaults.yaml`, if there is one, for every cluster,
3. one profile: `extends: research` in a cluster's file takes `config/profiles/research.yaml`,
4. the cluster's own file,
5. the command line: `-c clusterform:queues.cpu.max_nodes=4`. Items of a list go by name or number, a value is read
   as in the file (`true`, `4`, `[a, b]`), and it applies to every selected cluster.

Mappings merge. A list replaces the one below it, except where all items have a `name`: those merge item by item,
new ones come last, and an item whose `type` changes is replaced whole. An empty list (`[]`) removes the items, an
empty value removes an optional one. *Required* means: in some layer.

`./clusterform config show NAME` prints a whole cluster and where each value was written. Files are YAML 1.2 in
UTF-8 with spaces and LF line ends, at most 256 KiB; `4:20:00` and `no` are text, `3.10` is a number unless quoted.
Anchors, aliases, merge keys and tags are not read. What else a cluster has to fulfil: [rules](rules.md).
"""


_ACCOUNT_HEAD = """# The account's file

Generated from `config/models/` by `./clusterform config schema`; edit the models instead.

`config/account.yaml` declares the stack `clusterform-account`, which an administrator deploys once an account and
Region: `./clusterform cdk deploy -c scope=account`. It stands alone, without layers. Without that file there is no
such stack; [config/account.example.yaml](../config/account.example.yaml) is one to copy. Who gets which of its
policies: [the account's permissions](account-permissions.md).
"""


_STORAGE_HEAD = """# Storage files

Generated from `config/models/` by `./clusterform config schema`; edit the models instead.

`config/storage/NAME.yaml` declares the stack `clusterform-storage-NAME` with filesystems that outlive clusters:
`./clusterform cdk deploy -c storage=NAME`. It stands alone, without layers. A cluster of the same account, Region
and VPC mounts one by `{name: home, mount: /home, from: NAME}`, and with several filesystems in the file also
`filesystem: ITS-NAME`. As long as a cluster does, CloudFormation refuses to delete the stack. The other forms of a
filesystem are in the [configuration reference](configuration.md), backups and retained filesystems in the
[restore runbook](runbooks/restore.md).
"""


def markdown() -> str:
    """The cluster's page: one table a model, in the order in which a reader meets them."""
    return _HEAD + _sections(Cluster) + _finding_names()


def account_markdown() -> str:
    """The page of the account's file."""
    return _ACCOUNT_HEAD + _sections(Account)


def storage_markdown() -> str:
    """The page of storage files."""
    return _STORAGE_HEAD + _sections(StorageFile)


def _sections(root: type[BaseModel]) -> str:
    sections = dict[type[BaseModel], list[str]]()
    for path, model in _models(root, ""):
        sections.setdefault(model, []).append(path)
    return "".join(_section(model, paths) for model, paths in sections.items())


def _finding_names() -> str:
    rows = "".join(f"| `{name}` | {meaning} |\n" for name, meaning in NAMES.items())
    return f"\n## What is found before any rule runs\n\n| Name | |\n|---|---|\n{rows}"


def _models(model: type[BaseModel], path: str) -> Iterator[tuple[str, type[BaseModel]]]:
    yield path, model
    for key, field in fields(model).items():
        here = f"{path}.{key}" if path else key
        for suffix, inner in _inner(field_type(field)):
            yield from _models(inner, here + suffix)


def _inner(annotation: Any) -> Iterator[tuple[str, type[BaseModel]]]:
    """The models directly inside a type, each with what leads to it."""
    annotation = bare(annotation)
    if get_origin(annotation) in (list, dict):
        suffix = "[]" if get_origin(annotation) is list else ".NAME"
        item = child(annotation, 0)
        for member in members(item):
            tag = f" (type: {tag_of(member, 'type')})" if tag_of(member, "type") else ""
            yield from ((suffix + inner + tag, model) for inner, model in _inner(member))
    for member in members(annotation):
        if is_model(bare(member)):
            yield "", bare(member)


def _section(model: type[BaseModel], paths: list[str]) -> str:
    title = ", ".join(f"`{path}`" for path in paths if path) or "The file's own keys"
    rows = "".join(_row(key, field) for key, field in fields(model).items())
    head = "| Key | Takes | Default | |\n|---|---|---|---|\n"
    return f"\n## {title}\n\n{_cell(inspect.getdoc(model) or '')}\n\n{head}{rows}"


def _row(key: str, field: FieldInfo) -> str:
    takes = _takes(field_type(field)) + _bounds(field)
    return f"| `{key}` | {_cell(takes)} | {_cell(_default(field))} | {_cell(_purpose(field))} |\n"


def _purpose(field: FieldInfo) -> str:
    """The key's own description, else the first sentence of its model's."""
    if field.description:
        return field.description
    annotation = field_type(field)
    models = [model for _, model in _inner(annotation)]
    return (inspect.getdoc(models[0]) or "").splitlines()[0] if models else ""


def _takes(annotation: Any) -> str:
    inner = bare(annotation)
    if get_origin(inner) is list:
        return f"a list of: {_takes(child(inner, 0))}"
    if get_origin(inner) is dict:
        value = get_args(inner)[1]
        return "a mapping" if value is Any else f"a mapping of names to: {_takes(value)}"
    tags = [str(tag) for member in members(inner) if (tag := tag_of(member, "type"))]
    if tags:
        return f"a mapping with type {', '.join(tags)}"
    return expected(annotation)


def _bounds(field: FieldInfo) -> str:
    words = []
    for item in field.metadata:
        if isinstance(item, Ge | Le):
            words.append(f"at least {item.ge}" if isinstance(item, Ge) else f"at most {item.le}")
        if isinstance(item, MinLen | MaxLen):
            count = item.min_length if isinstance(item, MinLen) else item.max_length
            words.append(f"{'at least' if isinstance(item, MinLen) else 'at most'} {count}")
    return f" ({', '.join(words)})" if words else ""


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "*required*"
    value = field.get_default(call_default_factory=True)
    if value is None:
        return "none"
    return "as below" if isinstance(value, BaseModel) else f"`{json.dumps(value, ensure_ascii=False)}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("``", "`").replace("|", "\\|")
