"""Marked sentences of rules documents become tables, and pages may have several generated parts."""

from pathlib import Path

import pytest

from island_core import docs
from island_core.rulings import homes, rulings, table

TEXT = """# Rules
- X1.1 A place. Everybody starts there **[D]**.
- X1.2 Ten cards **[R: two a place]**, shuffled **[D: the rulebook deals them]**. Nothing else.
- X1.10 Without a mark.
"""


def test_the_marked_sentences_with_their_reasons() -> None:
    assert [tuple(ruling) for ruling in rulings(TEXT)] == [
        ("D", "X1.1", "Everybody starts there.", "the rulebook is silent or contradicts itself"),
        ("R", "X1.2", "Ten cards, shuffled.", "two a place"),
        ("D", "X1.2", "Ten cards, shuffled.", "the rulebook deals them"),
    ]


def test_where_a_rule_lives(tmp_path: Path) -> None:
    package = tmp_path / "game"
    (package / "rules").mkdir(parents=True)
    (package / "rules" / "a.py").write_text("# X1.1")
    (package / "b.py").write_text("# X1.1, X1.2, X1.10")
    assert homes(package, "X1.1") == ["game/rules/a.py"]
    assert homes(package, "X1.2") == ["game/b.py"]
    assert homes(package, "X9.9") == []
    shown = table(TEXT, package, {"cards": "reconstructed"})
    assert (
        "| X1.1 | Everybody starts there. | the rulebook is silent or contradicts itself | `game/rules/a.py` |" in shown
    )
    assert "| `cards` | reconstructed |" in shown


def test_parts_of_a_page_are_replaced_apart(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    parts = [docs.markers(part) for part in ("one", "two")]
    page.write_text("\n".join(f"{begin}\n{end}" for begin, end in parts))
    pages = {(page, "one"): "first", (page, "two"): "second"}
    assert docs.stale_pages(pages) == list(pages)
    assert docs.write_pages(pages) == list(pages)
    assert docs.stale_pages(pages) == []
    text = page.read_text()
    assert text.index("first") < text.index(parts[0][1]) < text.index("second") < text.index(parts[1][1])
    with pytest.raises(ValueError, match="expected the markers"):
        docs.write_pages({(page, "three"): ""})
