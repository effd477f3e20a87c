"""Notebooks as tests run them: every cell, without an exception and without a warning about our code.

Needs the extra ``notebooks``. What came out is written to ``build/notebooks``, to be looked at.
"""

import sys
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "examples" / "notebooks"
BUILT = ROOT / "build" / "notebooks"
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


def execute(notebook, folder, checks=""):
    """Run all cells in a new kernel, in that folder, and then ``checks``, which may use whatever the cells have left.

    Gives what the notebook became: the cells of its own alone.
    """
    count = len(notebook.cells)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(FIRST_CELL))
    notebook.cells.append(nbformat.v4.new_code_cell(checks))
    client = NotebookClient(
        notebook, timeout=SECONDS_A_CELL, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    try:
        client.execute()
    finally:
        notebook.cells = notebook.cells[1 : count + 1]
    return notebook


def run(name, folder, checks):
    """Execute the notebook of that name in an empty folder, which it leaves empty, and write what it became."""
    notebook = jupytext.read(SOURCES / f"{name}.py")
    BUILT.mkdir(parents=True, exist_ok=True)
    try:
        execute(notebook, folder, checks)
    finally:
        nbformat.write(notebook, BUILT / f"{name}.ipynb")
    assert not list(folder.iterdir())
    return notebook


def shown(notebook):
    """All kinds of things that the cells show, such as ``image/png``, and ``stdout``, once for each time."""
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    kinds = [
        kind for output in outputs if output.output_type in {"display_data", "execute_result"} for kind in output.data
    ]
    return kinds + [output.name for output in outputs if output.output_type == "stream"]
