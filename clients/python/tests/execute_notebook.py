"""Executes a notebook in this process and writes its outputs into it: `execute_notebook.py FILE`, without Jupyter.

A cell's output is what it prints and, as in Jupyter, the value of its last expression as text and as HTML.
"""

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any


def execute(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """Run one cell with these names; its outputs in the notebook format 4."""
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(last, "cell", "eval"), names) if last else None
    outputs: list[dict[str, Any]] = []
    if text := printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "to_html"):
            data["text/html"] = value.to_html(border=0).splitlines(keepends=True)
        outputs.append({"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return outputs


def main(path: Path) -> None:
    notebook = json.loads(path.read_text())
    names: dict[str, Any] = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for count, cell in enumerate(cells, 1):
        cell["execution_count"] = count
        cell["outputs"] = execute("".join(cell["source"]), names)
        for output in cell["outputs"]:
            if "execution_count" in output:
                output["execution_count"] = count
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
