"""Makes the storytellers from scratch: corpus, tokenizer, target, draft, evaluation and card.

python -m specviz.bundled --out FOLDER [--minutes 90] [--work FOLDER] [--seed 0]
"""

import argparse
import os
import sys
import time
from pathlib import Path

from specviz.bundled.card import write_card


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m specviz.bundled", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="where target/, draft/, README.md go")
    parser.add_argument("--minutes", type=float, default=75.0, help="about how long it may take (default 75)")
    parser.add_argument("--work", type=Path, help="checkpoints; run again with it to resume (default OUT/work)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--bench", type=Path, help="only rewrite the card, with this table (a JSON list of rows) in it")
    chosen = parser.parse_args(arguments)
    if chosen.bench is not None:
        write_card(chosen.out, bench=chosen.bench)
        return 0

    import torch  # late, so that --help is quick

    from specviz.bundled.making import make

    torch.set_num_threads(chosen.threads)
    started = time.monotonic()

    def report(line: str) -> None:
        print(f"[{(time.monotonic() - started) / 60:6.1f} min] {line}", flush=True)

    make(chosen.out, work=chosen.work or chosen.out / "work", minutes=chosen.minutes, seed=chosen.seed, report=report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
