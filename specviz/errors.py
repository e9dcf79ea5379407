"""The errors that a person may see: one sentence on what is wrong, one hint on what to do.

    SpecvizError
    ├── InputError      a setting, a prompt or a name that cannot be used as given
    ├── ModelError      a model that cannot be found, fetched, loaded or trusted with a number
    │   └── PairError   two models that cannot work together
    └── TraceError      a file that is not a trace, or not a sound one

Everything else that is raised is a defect of ours and keeps its traceback.
"""

from __future__ import annotations


class SpecvizError(Exception):
    """What went wrong, and what the person can do about it.

    >>> str(InputError("Draft length 0 is too short.", hint="Choose 1 to 32."))
    'Draft length 0 is too short. Choose 1 to 32.'
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} {hint}".strip())


class InputError(SpecvizError):
    """A setting, a prompt or a name that cannot be used as given."""


class ModelError(SpecvizError):
    """A model that cannot be found, fetched, loaded or trusted with a number."""


class PairError(ModelError):
    """Two models that cannot work together."""


class TraceError(SpecvizError):
    """A file that is not a trace, or not a sound one."""
