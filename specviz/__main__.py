"""The command line: python -m specviz run | bench | models.

Text goes to standard output, everything else to standard error. Bad input is one line and exit status 2.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from specviz import catalog
from specviz.errors import InputError, SpecvizError
from specviz.request import DEVICES, DTYPES, PROMPT_LOOKUP, RULES, RunRequest
from specviz.trace import events
from specviz.trace.records import Trace, dumps


class Parser(argparse.ArgumentParser):
    """One that complains in one line."""

    def error(self, message: str) -> NoReturn:
        raise InputError(message[0].upper() + message[1:] + ".", hint=f"`{self.prog} --help` shows what there is.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    try:
        given = parser().parse_args(arguments)
        given.command(given)
        return 0
    except SpecvizError as error:
        print(f"specviz: {error}".replace("\n", " "), file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def parser() -> Parser:
    top = Parser(prog="python -m specviz", description="See, test and measure exact speculative decoding.")
    commands = top.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)

    run = commands.add_parser("run", help="generate once, speculatively, and beside it plainly with --baseline")
    _add_models(run, drafter=PROMPT_LOOKUP, gamma=4, temperature=0.8, new_tokens=128)
    prompt = run.add_mutually_exclusive_group(required=True)
    prompt.add_argument("--prompt", metavar="TEXT")
    prompt.add_argument("--prompt-file", metavar="F", help="a UTF-8 text file")
    mode = run.add_mutually_exclusive_group()
    mode.add_argument("--chat", action="store_const", const=True, help="use the model's chat template")
    mode.add_argument("--raw", dest="chat", action="store_const", const=False, help="send the text as it stands")
    run.add_argument("--rule", default="token", choices=RULES)
    run.add_argument("--top-k", type=_number, default=0, metavar="N", help="0 is off")
    run.add_argument("--top-p", type=_number, default=1.0, metavar="X", help="1 is off")
    run.add_argument("--min-p", type=_number, default=0.0, metavar="X", help="0 is off")
    run.add_argument("--repetition-penalty", type=_number, default=1.0, metavar="X", help="1 is off")
    run.add_argument("--min-new-tokens", type=_number, default=0, metavar="N")
    run.add_argument("--stop", nargs="+", default=[], metavar="S", help="end where one of these texts appears")
    run.add_argument("--seed", type=_number, metavar="N", help="default: drawn, and shown")
    run.add_argument("--baseline", action="store_true", help="run plain decoding too")
    run.add_argument("--json", metavar="FILE", help="write the trace")
    run.set_defaults(command=run_command)

    bench = commands.add_parser("bench", help="measure five arms in alternation")
    _add_models(bench, drafter=None, gamma=4, temperature=0, new_tokens=64)
    bench.add_argument("--prompts", metavar="FILE", help="a JSON list of texts, or a text file with one a line")
    bench.add_argument("--repeats", type=_number, default=3, metavar="N")
    bench.add_argument("--json", metavar="FILE", help="write the result")
    bench.set_defaults(command=bench_command)

    models = commands.add_parser("models", help="the catalog, and what of it is on this machine")
    models.set_defaults(command=models_command)
    return top


def _add_models(command: Parser, *, drafter: str | None, gamma: int, temperature: float, new_tokens: int) -> None:
    name = "a catalog name, a Hub id, a folder in the Transformers format, or a .gguf file"
    command.add_argument("--target", required=True, metavar="T", help=name)
    help_drafter = f"the same, or {PROMPT_LOOKUP}" + (" (the default)" if drafter else "")
    command.add_argument("--drafter", required=drafter is None, default=drafter, metavar="D", help=help_drafter)
    command.add_argument("--gamma", type=_number, default=gamma, metavar="N", help="most drafts a step, 1 to 32")
    command.add_argument("--temperature", type=_number, default=temperature, metavar="X", help="0 is greedy")
    command.add_argument("--max-new-tokens", type=_number, default=new_tokens, metavar="N")
    command.add_argument("--max-ngram", type=_number, default=3, metavar="N", help="longest n-gram of prompt lookup")
    command.add_argument("--dtype", default="auto", choices=DTYPES)
    command.add_argument("--device", default="auto", choices=DEVICES)


def _number(text: str) -> Any:
    """A number if it is one; else the text itself, which RunRequest refuses with the allowed range."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def run_command(given: argparse.Namespace) -> None:
    fields = {name for name in RunRequest.__dataclass_fields__ if hasattr(given, name)}
    prompt = given.prompt if given.prompt is not None else _read_text(given.prompt_file)
    values = {name: getattr(given, name) for name in fields} | {"prompt": prompt, "stop": tuple(given.stop)}
    request = RunRequest(**values).checked()
    with _Output(given.json) as output:
        output.write(dumps(_run(request)))


def _run(request: RunRequest) -> Trace:
    from specviz.decoding.runs import run  # brings torch: not before the input is known to be good

    interrupted: list[bool] = []

    def interrupt(*_: object) -> None:
        interrupted.append(True)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # the second time at once
        _say("\nStopping after this step …")

    signal.signal(signal.SIGINT, interrupt)
    streamed = ""
    for event in run(request, stopped=lambda: bool(interrupted)):
        match event:
            case events.Loading():
                _say(event.message)
            case events.Started():
                _say(_settings_line(event))
            case events.ArmStarted():
                streamed = ""
                _say("\n--- speculative ---" if event.arm == 0 else "\n--- plain ---")
            case events.Stepped():
                streamed += event.text
                print(event.text, end="", flush=True)
            case events.ArmEnded():
                print(event.output.text.removeprefix(streamed), flush=True)  # half a character may be left over
                _say(f"[{event.output.stop_reason}]")
            case events.Finished():
                _say("\n" + summary(event.trace))
                return event.trace
    raise AssertionError("a run ends with Finished")


def _settings_line(started: events.Started) -> str:
    s = started.settings
    where = f"{s.target.dtype} on {s.target.device}, {started.environment['threads']} threads"
    sources = "; ".join(f"{role}: {model['source']}" for role, model in started.environment["models"].items())
    mode = "chat template" if s.chat else "raw text"
    return (
        f"{s.target.name} drafted by {s.drafter.name}, gamma {s.gamma}, temperature {s.temperature:g}, seed {s.seed}, "
        f"{mode}, {len(started.prompt.ids)} prompt tokens, {where}\n{sources}"
    )


def summary(trace: Trace) -> str:
    """The numbers of a trace in a few lines, each with what it is counted over."""
    m = trace.metrics
    lines = [
        f"{m['tokens']} tokens = {m['accepted']} accepted + {m['resampled']} resampled + {m['bonus']} bonus "
        f"+ {m['plain']} plain, in {m['steps']} target passes ({_show(m['mean_acceptance_length'])} a pass)",
        f"{m['drafted']} drafted = {m['accepted']} accepted + {m['rejected']} rejected + {m['discarded']} discarded; "
        f"acceptance rate {_show(m['acceptance_rate'])} = {m['accepted']} / {m['tested']} tested",
        f"{_show(m['speculative']['tokens_per_second'])} tokens a second, "
        f"time to first token {_show(m['speculative']['ttft_seconds'])} s",
    ]
    if trace.baseline:
        plain = m["baseline"][0]
        speedup = m["measured_speedup"]
        verdict = "n/a" if speedup is None else f"it {'paid' if speedup > 1 else 'lost'}: {speedup:.2f} times as fast"
        lines += [
            f"plain: {plain['tokens']} tokens, {_show(plain['tokens_per_second'])} a second; {verdict} in the steps, "
            f"{_show(m['end_to_end_speedup'])} with prefill",
            f"cost ratio c {_show(m['cost_ratio'])}, theory {_show(m['theory_speedup'])}, "
            f"from parts {_show(m['predicted_from_parts'])}",
        ]
    return "\n".join(lines)


def _show(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3g}"


def bench_command(given: argparse.Namespace) -> None:
    values = {name: getattr(given, name) for name in RunRequest.__dataclass_fields__ if hasattr(given, name)}
    request = RunRequest(**values, prompt="?", seed=0).checked()
    if not isinstance(given.repeats, int) or not 1 <= given.repeats <= 100:
        raise InputError(f"repeats can't be {given.repeats}.", hint="Choose a whole number from 1 to 100.")
    prompts = _read_prompts(given.prompts)
    from specviz.labs.bench import PROMPTS, bench

    with _Output(given.json) as output:
        result = bench(request, prompts or PROMPTS, repeats=given.repeats, say=_say)
        for name, value in result["ratios"].items():
            print(f"{name:24} {value:.3f}")
        for name in ("acceptance_rate", "cost_ratio", "theory_speedup", "predicted_from_parts", "measured_speedup"):
            print(f"{name:24} {_show(result[name])}")
        output.write(json.dumps(result, indent=1, allow_nan=False))


def models_command(given: argparse.Namespace) -> None:
    from specviz.decoding.models import is_here

    print(f"{'name':20} {'here':5} {'parameters':>10} {'to fetch':>9}  {'licence':21} good for")
    for name, entry in catalog.MODELS.items():
        here = "yes" if is_here(name) else "no"
        gated = " (gated: accept its licence on the Hub)" if entry.gated else ""
        size = f"{entry.megabytes:,} MB"
        print(f"{name:20} {here:5} {entry.parameters:>10} {size:>9}  {entry.licence:21} {entry.good_for}{gated}")
    print("\npairs: " + "; ".join(f"{target} + {drafter}" for target, drafter in catalog.PAIRS))


def _read_text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"{path} can't be read: {why}.", hint="Give a UTF-8 text file.") from None


def _read_prompts(path: str | None) -> tuple[str, ...]:
    if path is None:
        return ()
    text = _read_text(path)
    try:
        found = json.loads(text)
    except ValueError:
        found = [line for line in text.splitlines() if line.strip()]
    if not isinstance(found, list) or not found or any(not isinstance(p, str) or not p for p in found):
        raise InputError(f"{path} holds no prompts.", hint="Give a JSON list of texts, or one a line.")
    return tuple(found)


class _Output:
    """A file that is there whole or not at all. Opened before the work, so that a bad path is known at once."""

    def __init__(self, path: str | None) -> None:
        self.path = Path(path) if path else None

    def __enter__(self) -> _Output:
        if self.path:
            try:
                if self.path.is_dir():
                    raise IsADirectoryError(0, "it is a folder")
                handle, self.partial = tempfile.mkstemp(dir=self.path.resolve().parent, prefix=".specviz-")
                os.close(handle)
            except OSError as error:
                raise InputError(f"{self.path} can't be written: {error.strerror}.", hint="Choose another.") from None
        return self

    def write(self, text: str) -> None:
        if self.path:
            Path(self.partial).write_text(text + "\n", encoding="utf-8")
            os.chmod(self.partial, 0o666 & ~_umask())
            os.replace(self.partial, self.path)
            _say(f"wrote {self.path}")

    def __exit__(self, *_: object) -> None:
        if self.path:
            Path(self.partial).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
