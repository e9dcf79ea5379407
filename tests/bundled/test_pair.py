"""The pair that comes with the project: small, loadable by anyone, and worth looking at."""

from __future__ import annotations

from pathlib import Path

import pytest
from transformers import AutoModelForCausalLM, AutoTokenizer

from specviz.decoding.runs import Shelf, run
from specviz.request import RunRequest
from specviz.trace import checks
from specviz.trace.events import Finished
from specviz.trace.records import Trace

FOLDER = Path(__file__).parents[2] / "assets" / "bundled"


@pytest.fixture(scope="module")
def pair() -> Shelf:
    return Shelf()


def finish(request: RunRequest, shelf: Shelf) -> Trace:
    return next(event.trace for event in run(request, shelf=shelf) if isinstance(event, Finished))


def test_every_file_is_under_9_mb_and_all_of_them_under_20() -> None:
    sizes = [path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()]
    assert max(sizes) < 9_000_000
    assert sum(sizes) < 20_000_000


@pytest.mark.parametrize("name", ["target", "draft"])
def test_anyone_can_load_it_with_transformers_alone(name: str) -> None:
    network = AutoModelForCausalLM.from_pretrained(FOLDER / name, local_files_only=True)
    tokenizer = AutoTokenizer.from_pretrained(FOLDER / name, local_files_only=True)
    assert network.config.model_type == "llama"
    assert network.config.max_position_embeddings == 1024
    text = "Cô bé có chiếc khăn đỏ. 🙂 x += 1"
    assert tokenizer.decode(tokenizer(text).input_ids, skip_special_tokens=True) == text


@pytest.mark.parametrize("prompt", ["Once upon a time", "Ngày xửa ngày xưa"])
def test_a_story_holds_decisions_of_every_kind(prompt: str, pair: Shelf) -> None:
    models = {"target": "bundled", "drafter": "bundled-draft"}
    trace = finish(RunRequest(**models, prompt=prompt, temperature=1.0, seed=3, max_new_tokens=120), pair)
    assert list(checks.problems(trace)) == []
    assert trace.settings.target.dtype == "float32"
    numbers = trace.metrics
    assert all(numbers[kind] > 0 for kind in ("accepted", "rejected", "resampled", "bonus", "discarded"))
    assert 0.4 < numbers["acceptance_rate"] < 0.97


def test_at_temperature_0_both_arms_tell_the_same_story(pair: Shelf) -> None:
    request = RunRequest(target="bundled", drafter="bundled-draft", prompt="Once", temperature=0, max_new_tokens=100)
    trace = finish(request, pair)
    assert trace.speculative.output == trace.baseline[0].output
