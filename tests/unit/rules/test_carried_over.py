"""The page of what carries over names every behaviour that is checked or rendered, and only rules that exist."""

import re
from pathlib import Path

from config.rules.registry import RULES

PAGE = Path(__file__).parents[3] / "docs" / "carried-over.md"
# Behaviour that shows in a template or is checked at synthesis. The others are commands' or node scripts'.
NUMBERS = {*range(1, 14), *range(15, 28), *range(29, 43), *range(44, 54), *range(55, 80), 84, 111, 117, 118}
STEPS = (Path(__file__).parents[3] / "bootstrap_assets").glob("*/steps.py")


def rows() -> dict[int, str]:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    cells = [line.strip("|").split("|") for line in lines if re.match(r"\| \d+ \|", line)]
    return {int(number): place for number, _, place in cells}


def test_every_number_has_a_place() -> None:
    assert set(rows()) == NUMBERS
    assert all(place.strip() for place in rows().values())


def test_named_rules_exist() -> None:
    """A word in backticks with a hyphen and nothing else is the name of a rule, or of a script on nodes."""
    named = {word for place in rows().values() for word in re.findall(r"`([a-z]+(?:-[a-z]+)+)`", place)}
    assert len(named) > 30
    scripts = {name for file in STEPS for name in re.findall(r'"([a-z-]+)",\s+"[a-z]+/', file.read_text())}
    assert named <= {rule.name for rule in RULES} | scripts
