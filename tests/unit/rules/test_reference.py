from pathlib import Path

from config.rules.reference import ALL, markdown

PAGE = Path(__file__).parents[3] / "docs" / "rules.md"


def test_page_is_up_to_date() -> None:
    again = "run: python -m config.rules.reference > docs/rules.md"
    assert PAGE.read_text(encoding="utf-8") == markdown(ALL), again


def test_page_explains_every_rule() -> None:
    page = markdown(ALL)
    for rule in ALL:
        (line,) = [line for line in page.splitlines() if line.startswith(f"| `{rule.name}` |")]
        assert len(line.split("|")[3].strip()) > 20, line
