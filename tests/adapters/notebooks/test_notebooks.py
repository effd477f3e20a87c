"""The notebooks run from the first cell to the last, without an exception and without a warning about our code.

What came out is written to ``build/notebooks``, to be looked at.
"""

import sys
from pathlib import Path

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).parents[3]
SOURCES = sorted((ROOT / "examples" / "notebooks").glob("*.py"))
SECONDS_A_CELL = 600

# Runs before the first cell. Warnings are errors where the code that they are about is a cell or one of our modules:
# Jupyter's own machinery runs in the same process. Modules are told by name, or by file if nothing else is known.
OURS = r"__main__$|.*ipykernel_\d+|(.*/)?(island_core|dracheninsel_env|isla_dorada_env)\b"
FIRST_CELL = f"""
import sys
import warnings

assert sys.prefix == {sys.prefix!r}, sys.prefix
warnings.filterwarnings("error", module={OURS!r})
"""


def execute(notebook, folder):
    """Run all cells in a new kernel, in that folder, and give what the notebook became, the first cell left out."""
    notebook.cells.insert(0, nbformat.v4.new_code_cell(FIRST_CELL))
    client = NotebookClient(
        notebook, timeout=SECONDS_A_CELL, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    try:
        client.execute()
    finally:
        del notebook.cells[0]
    return notebook


def notebook_of(*cells):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])


def shown(notebook):
    """All kinds of things that the cells show, such as ``image/png``, and ``stdout``, once for each time."""
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    kinds = [
        kind for output in outputs if output.output_type in {"display_data", "execute_result"} for kind in output.data
    ]
    return kinds + [output.name for output in outputs if output.output_type == "stream"]


def test_there_are_notebooks():
    assert SOURCES


@pytest.mark.parametrize("path", SOURCES, ids=[path.stem for path in SOURCES])
def test_notebook_runs_and_shows_text_and_pictures(path, tmp_path, monkeypatch):
    # Quiet: that something is compiled is said on stderr, and is no fault of the notebook.
    monkeypatch.setenv("ISLAND_ENVS_QUIET", "1")
    notebook = jupytext.read(path)
    built = ROOT / "build" / "notebooks" / f"{path.stem}.ipynb"
    built.parent.mkdir(parents=True, exist_ok=True)
    try:
        execute(notebook, tmp_path)
    finally:
        nbformat.write(notebook, built)
    assert {"stdout", "image/png"} <= set(shown(notebook))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("cell", "name", "message"),
    [
        ("1 / 0", "ZeroDivisionError", "division by zero"),
        ("warnings.warn('in a cell')", "UserWarning", "in a cell"),
        ("import numpy as np\nnp.array([1.0]) / 0", "RuntimeWarning", "divide by zero encountered in divide"),
        ("warnings.warn_explicit('ours', UserWarning, 'f.py', 1, module='island_core.search')", "UserWarning", "ours"),
        ("warnings.warn_explicit('ours', UserWarning, '/a/isla_dorada_env/text.py', 1)", "UserWarning", "ours"),
    ],
)
def test_exception_or_warning_of_ours_fails(cell, name, message, tmp_path):
    with pytest.raises(CellExecutionError) as caught:
        execute(notebook_of("import warnings", cell), tmp_path)
    assert (caught.value.ename, caught.value.evalue) == (name, message)


def test_warning_of_others_does_not_fail(tmp_path):
    cell = "import warnings\nwarnings.warn_explicit('theirs', UserWarning, 'f.py', 1, module='jupyter_client.session')"
    assert shown(execute(notebook_of(cell), tmp_path)) == ["stderr"]
