# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The code of the pages, the notebook and the docstrings runs."""

import doctest
import json
import pathlib
import re

import numpy as np
import pytest

import opencoremotion
from opencoremotion import _activity, _filter

BINDINGS = pathlib.Path(__file__).resolve().parent.parent
ROOT = BINDINGS.parent.parent


def test_the_notebook_runs(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((BINDINGS / "examples/first-steps.ipynb").read_text())
    names = {"__name__": "__main__"}
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)


@pytest.mark.parametrize("page", [BINDINGS / "README.md", ROOT / "Sources/CoreMotion/CoreMotion.docc/Python.md"])
def test_the_pages_run(page, recording, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
    assert blocks
    names = dict(t=recording.t, gyr=recording.gyr, acc=recording.acc, mag=recording.mag)
    for block in blocks:
        exec(block, names)


@pytest.mark.parametrize("module", [opencoremotion, _activity, _filter])
def test_the_docstrings_run(module):
    with np.printoptions():
        result = doctest.testmod(module)
    assert result.attempted and not result.failed
