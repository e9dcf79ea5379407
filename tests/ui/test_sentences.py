"""Every sentence that the engine or the trace reader can say to a person has a Vietnamese one.

The sentences are read from the source: what is handed to an error class, to `hint=`, to a report or to Loading, and
what the checks of a trace yield. A value inside a sentence stands as {1}, {2}, ...
"""

import ast
import itertools
from pathlib import Path

import pytest

from specviz.ui import errors

ROOT = Path(errors.__file__).parents[1]
FILES = [ROOT / "request.py", *sorted((ROOT / "decoding").glob("*.py")), *sorted((ROOT / "trace").glob("*.py"))]
SAYERS = {"InputError", "ModelError", "PairError", "TraceError", "report", "Loading"}


class Sentences(ast.NodeVisitor):
    """Collects the texts of one file; names are looked up among the assignments of their function and of the file."""

    def __init__(self, tree: ast.Module) -> None:
        self.found: set[str] = set()
        self.scopes: list[ast.AST] = [tree]
        self.asked: list[str] = []
        self.visit(tree)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.scopes.append(node)
        self.generic_visit(node)
        self.scopes.pop()

    def visit_Call(self, node: ast.Call) -> None:
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in SAYERS and node.args:
            self.found |= self.texts(node.args[0])
        for keyword in node.keywords:
            if keyword.arg == "hint":
                self.found |= self.texts(keyword.value)
        self.generic_visit(node)

    def texts(self, node: ast.AST) -> set[str]:
        """Every text that an expression can give, its unknown values as {}."""
        match node:
            case ast.Constant(value=str(text)):
                return {text}
            case ast.IfExp(body=one, orelse=other):
                return self.texts(one) | self.texts(other)
            case ast.Name(id=name):
                return self.named(name)
            case ast.FormattedValue(value=ast.Name(id=name)):
                return self.named(name)
            case ast.JoinedStr(values=parts):
                return {"".join(each) for each in itertools.product(*(self.texts(part) for part in parts))}
        return {"{}"}

    def named(self, name: str) -> set[str]:
        """What a name was given as a text: in the innermost function that gives it anything, else in the file."""
        if name in self.asked:  # it is given itself, longer
            return {"{}"}
        self.asked.append(name)
        for scope in reversed(self.scopes):
            given = [
                node.value
                for node in ast.walk(scope)
                if isinstance(node, ast.Assign) and any(getattr(t, "id", "") == name for t in node.targets)
            ]
            found = set().union(*(self.texts(value) for value in given)) - {""}
            if found:
                break
        self.asked.pop()
        return found or {"{}"}


def sentences() -> list[str]:
    found: set[str] = set()
    for path in FILES:
        found |= Sentences(ast.parse(path.read_text(encoding="utf-8"))).found
    checks = ast.parse((ROOT / "trace/checks.py").read_text(encoding="utf-8"))
    reader = Sentences(ast.Module([], []))
    for node in ast.walk(checks):
        if isinstance(node, ast.Yield) and node.value:
            found |= reader.texts(node.value)
    return sorted(text for text in found if text.strip("{}"))


@pytest.mark.parametrize("sentence", sentences())
def test_every_sentence_of_the_engine_is_there_in_vietnamese(sentence: str) -> None:
    said = sentence
    for number in range(sentence.count("{}")):
        said = said.replace("{}", f"<{number}>", 1)
    vietnamese = errors.translated(said)["vi"]
    unchanged = sentence in {"speculative, {}", "baseline[{}], {}"}  # names of keys in the file
    assert (vietnamese == said) == unchanged
    for number in range(sentence.count("{}")):
        assert f"<{number}>" in vietnamese, "a value is lost"


def test_what_a_sentence_quotes_is_shown_as_it_is() -> None:
    said = errors.translated("There is no model '<b>{2}</b> \\1'.")
    assert said["vi"] == "Không có mô hình '<b>{2}</b> \\1'."


def test_a_sentence_that_is_not_known_stays_english() -> None:
    assert errors.translated("Nobody has said this.")["vi"] == "Nobody has said this."
