"""Who may import whom, and what a trace costs to open."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STANDARD = sys.stdlib_module_names
# room: (rooms of ours it may import, outside libraries it may import)
ALLOWED: dict[str, tuple[set[str], set[str]]] = {
    "errors": (set(), set()),
    "catalog": (set(), set()),
    "request": ({"errors"}, set()),
    "trace": ({"errors", "trace"}, set()),
    "decoding": (
        {"errors", "catalog", "request", "trace", "decoding"},
        {"torch", "huggingface_hub", "safetensors", "tokenizers"},
    ),
    "bundled": (
        {"errors", "catalog", "request", "trace", "decoding", "bundled"},
        {"torch", "transformers", "tokenizers", "safetensors"},
    ),
    "views": ({"errors", "trace", "views"}, {"plotly"}),
    "labs": ({"errors", "catalog", "request", "trace", "decoding", "labs"}, {"torch"}),
    "ui": ({"errors", "catalog", "request", "trace", "decoding", "labs", "views", "ui"}, {"gradio", "plotly"}),
    "__main__": ({"errors", "catalog", "request", "trace", "decoding", "labs", "ui"}, set()),
    "__init__": ({"errors", "request", "trace", "decoding"}, set()),
}
# the only files that know transformers: its model classes, its logits processors
TRANSFORMERS = {"decoding/models.py", "decoding/sampling.py"}
ALONE = {
    "transformers": TRANSFORMERS,
    "accelerate": TRANSFORMERS,
    "playwright": {"ui/screenshots.py"},  # lazily, to make the README's pictures
}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", sorted((ROOT / "specviz").rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    inside = path.relative_to(ROOT / "specviz")
    room = inside.parts[0].removesuffix(".py")
    ours, outside = ALLOWED[room]
    for name in imports(path):
        first, *rest = name.split(".")
        if first == "specviz":
            assert rest, f"{inside}: import the names, not the package"
            assert rest[0] in ours, f"{inside} must not import {name}"
        elif first not in STANDARD:
            known = first in outside or str(inside) in ALONE.get(first, ())
            assert known, f"{inside} must not import {name}"


def test_opening_and_drawing_a_trace_imports_no_torch() -> None:
    script = (
        "import sys; import specviz; from specviz.trace import records, checks, metrics; import specviz.views.figures;"
        "import specviz.request; assert not {'torch', 'transformers'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT)
