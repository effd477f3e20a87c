"""``examples/notebooks/training.py``, which needs torch: it runs, shows what it should, and what it finds holds."""

from tests.common.notebooks import run, shown

CHECKS = """
assert [row["iteration"] for row in rows] == list(range(1, 41))
assert [row["iteration"] for row in rows if "won" in row] == list(range(5, 41, 5))
assert all(0 <= row["won_low"] <= row["won"] <= row["won_high"] <= 1 for row in rows if "won" in row)
assert {"entropy", "divergence", "value_loss"} <= rows[-1].keys() & MEANING.keys()
# Something was learnt, and less of it with steps that are too large.
assert of_first["random"].low > 0.5 and of_first["random"].low > of_module["random"].high
assert of_wild["random"].high < of_first["random"].low
assert after_imitating(rows, "divergence") < after_imitating(wild_rows, "divergence")
assert after_imitating(rows, "entropy") > after_imitating(wild_rows, "entropy")
assert not Path(runs.name).exists()
"""


def test_notebook_shows_text_and_pictures_and_what_it_finds_holds(tmp_path, monkeypatch):
    # Quiet: that something is compiled is said on stderr, and is no fault of the notebook.
    monkeypatch.setenv("ISLAND_ENVS_QUIET", "1")
    notebook = run("training", tmp_path, CHECKS)
    printed = "".join(output.text for cell in notebook.cells for output in cell.get("outputs", []) if "text" in output)
    assert printed.count(" min, iteration ") == 16
    assert shown(notebook).count("image/png") == 3
