"""The command line: what it prints, what it writes, and how it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from specviz.__main__ import main
from specviz.trace import checks, records


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "--prompt", "x"], "--target"),
        (["run", "--target", "no-such-model", "--prompt", "x"], "no-such-model"),
        (["run", "--target", "../../x", "--prompt", "x"], "no model"),
        (["run", "--target", "smollm2-135m", "--prompt", ""], "empty"),
        (["run", "--target", "smollm2-135m", "--prompt", "x", "--gamma", "0"], "1 to 32"),
        (["run", "--target", "smollm2-135m", "--prompt", "x", "--gamma", "100000"], "1 to 32"),
        (["run", "--target", "smollm2-135m", "--prompt", "x", "--gamma", "many"], "1 to 32"),
        (["run", "--target", "smollm2-135m", "--prompt", "x", "--temperature", "-1"], "0 to 10"),
        (["run", "--target", "smollm2-135m", "--prompt", "x", "--temperature", "nan"], "0 to 10"),
        (["run", "--target", "smollm2-135m", "--prompt", "x", "--json", "/no/such/folder/t.json"], "can't be written"),
        (["run", "--target", "smollm2-135m", "--prompt-file", "/no/such/file"], "can't be read"),
        (["run", "--target", "smollm2-135m", "--prompt", "x", "--surprise"], "--surprise"),
        (["bench", "--target", "smollm2-135m", "--drafter", "prompt-lookup", "--repeats", "0"], "1 to 100"),
        ([], "COMMAND"),
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments: list[str], words: str, capsys: pytest.CaptureFixture) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err
    assert said.err.count("\n") == 1


def test_an_over_long_prompt_is_refused_with_both_numbers(
    models: SimpleNamespace, capsys: pytest.CaptureFixture
) -> None:
    arguments = ["run", "--target", str(models.target), "--raw", "--prompt", "a b " * 2000, "--max-new-tokens", "50"]
    assert main(arguments) == 2
    assert "50 new ones" in capsys.readouterr().err


def test_a_failed_run_leaves_the_old_file_alone(models: SimpleNamespace, tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    file.write_text("old")
    arguments = ["run", "--target", str(models.target), "--raw", "--prompt", "a b " * 2000, "--json", str(file)]
    assert main(arguments) == 2
    assert [p.name for p in tmp_path.iterdir()] == ["trace.json"]
    assert file.read_text() == "old"


def test_a_run_prints_the_text_and_writes_a_sound_trace(
    models: SimpleNamespace, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    file = tmp_path / "trace.json"
    pair = ["--target", str(models.target), "--drafter", str(models.draft), "--raw"]
    amount = ["--max-new-tokens", "20", "--gamma", "3", "--seed", "5"]
    assert main(["run", *pair, "--prompt", "once upon", *amount, "--baseline", "--json", str(file)]) == 0
    trace = records.load(file)
    assert list(checks.problems(trace)) == []
    assert trace.settings.gamma == 3
    assert len(trace.baseline) == 1
    assert trace.speculative.output.text in capsys.readouterr().out
    assert str(Path(models.target).parent) not in file.read_text(), (
        "a path of this machine in a file that is passed around"
    )


def test_bench_writes_every_arm_and_ratio(models: SimpleNamespace, tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    pair = ["--target", str(models.target), "--drafter", str(models.draft)]
    prompts = tmp_path / "prompts.txt"
    prompts.write_text("once upon\na time\n")
    arguments = ["--repeats", "2", "--max-new-tokens", "8", "--prompts", str(prompts), "--json", str(file)]
    assert main(["bench", *pair, *arguments]) == 0
    result = json.loads(file.read_text())
    assert set(result["arms"]) == {"baseline", "generate", "speculative", "speculative_untraced", "assisted"}
    assert all(len(arm["runs"]) == 2 for arm in result["arms"].values())
    ratios = {"baseline_vs_generate", "speculative_vs_baseline", "speculative_vs_assisted", "trace_cost"}
    assert set(result["ratios"]) == ratios
    assert result["measured_speedup"] == pytest.approx(result["predicted_from_parts"], rel=0.05)


def test_the_catalog_is_listed_with_what_is_here(capsys: pytest.CaptureFixture) -> None:
    assert main(["models"]) == 0
    assert "smollm2-135m" in capsys.readouterr().out
