"""The fake engine must be sound, or the tests that draw its traces prove nothing."""

import pytest

from specviz.trace import checks, records
from tests.fakes.engine import trace


@pytest.mark.parametrize("drafter", ["fake-draft", "prompt-lookup"])
@pytest.mark.parametrize("temperature", [0, 0.8, 1.5])
def test_a_fake_trace_is_sound_and_survives_its_file(drafter, temperature):
    made = trace(drafter=drafter, temperature=temperature)
    assert list(checks.problems(made)) == []
    assert records.loads(records.dumps(made)) == made


def test_a_fake_trace_holds_every_state():
    made = trace(seed=3)
    states = {d.status for s in made.speculative.steps for d in s.drafts}
    kinds = {t.kind for s in made.speculative.steps for t in s.emitted}
    assert states == {"accepted", "rejected", "discarded"}
    assert {"accepted", "resampled", "bonus"} <= kinds
