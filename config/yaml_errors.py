"""What the YAML parser says, in words that help somebody who edits a file."""

from __future__ import annotations

import yaml

# libyaml's own sentences (0.2.5) and what they mean to a reader; anything else is passed on as it is.
_MEANINGS = {
    "mapping values are not allowed in this context": (
        "a second 'key: value' starts inside a value",
        "put text that holds ': ' in quotes, or correct the indentation of this line or the one above",
    ),
    "could not find expected ':'": (
        "this line, or the one above, is a key without a colon",
        "write key: value, with a space after the colon",
    ),
    "did not find expected key": (
        "the indentation fits nothing above it",
        "begin the line in the same column as the other keys or list items of its block",
    ),
    "block sequence entries are not allowed in this context": (
        "a list item starts on its key's line",
        "begin the list on the next line, or write it as [a, b]",
    ),
    "did not find expected node content": (
        "a bracket or brace closes what was never opened, or a comma is left over",
        "compare the opening and closing brackets of this line",
    ),
    "did not find expected <document start>": (
        "the file goes on after its end",
        "a file holds one document: remove the line '...' or bring this line to the left margin",
    ),
    "found unknown escape character": (
        "the text in double quotes holds a backslash that means nothing",
        "use single quotes, or write \\\\ for one backslash",
    ),
}
_UNCLOSED = {
    "found unexpected end of stream": "the quotes opened here are",
    "did not find expected ',' or ']'": "the [ opened here is",
    "did not find expected ',' or '}'": "the { opened here is",
}


def explain(error: yaml.YAMLError, text: str) -> tuple[int, str, str]:
    """Line (from 1), message and hint for a parser's error over ``text``."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return 0, f"not valid YAML: {error}", ""
    lines = text.count("\n") + (not text.endswith("\n"))
    line = min(error.problem_mark.line + 1, max(lines, 1))
    problem = error.problem or ""
    if problem in _MEANINGS:
        message, hint = _MEANINGS[problem]
        return line, f"not valid YAML: {message}", hint
    opened = error.context_mark.line + 1 if error.context_mark else line
    if problem in _UNCLOSED:
        what = _UNCLOSED[problem]
        return (
            opened,
            f"not valid YAML: {what} never closed",
            f"close it before line {line + 1}",
        )
    if problem == "found character that cannot start any token":
        character = _character(error.problem_mark, text)
        return line, f"cannot be read as YAML: a value starts with {character}", "put the value in quotes"
    return line, f"not valid YAML: {problem}", ""


def _character(mark: yaml.Mark, text: str) -> str:
    lines = text.split("\n")
    if mark.line < len(lines) and mark.column < len(lines[mark.line]):
        return repr(lines[mark.line][mark.column])
    return "a character with a meaning of its own"
