"""Tiny models in the Transformers format, made once a session: the suite needs no network and no weights of anybody's.

Torch works on one thread here: these models are too small for two.
"""

from __future__ import annotations

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read when huggingface_hub is imported

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer, decoders, pre_tokenizers
from tokenizers.models import BPE
from tokenizers.trainers import BpeTrainer
from transformers import LlamaConfig, LlamaForCausalLM, MistralConfig, MistralForCausalLM, PreTrainedTokenizerFast

from specviz.decoding import hardware
from specviz.decoding.models import LanguageModel, describe, load
from specviz.decoding.runs import Pair, Shelf

torch.set_num_threads(1)

TEXT = """The capital of France is Paris, and the capital of Việt Nam is Hà Nội.
một con chim yếu đuối, một người Việt; mo\u0323\u0302t con chim ye\u0302\u0301u.
def total(prices): return sum(prices)  # 1 2 3 1 2 3
A happy face 🙂 and a scientist 👩‍🔬, serving serving serving.
""".splitlines()
TOKENS, LOGITS = 300, 320  # the tokenizer's ids, and the padded vocabulary of the models
BOS, EOS = 0, 1
TEMPLATE = (
    "{% for m in messages %}<s>{{ m.role }}: {{ m.content }}{% if m.role == 'assistant' %}</s>{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<s>assistant:{% endif %}"
)


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hardware, "available_cores", lambda: 1)
        yield


def make_tokenizer(lines: list[str] = TEXT, *, size: int = TOKENS, **options: Any) -> PreTrainedTokenizerFast:
    """A byte-level BPE: every byte is a token, so any text has one. An emoji takes several tokens."""
    backend = Tokenizer(BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = BpeTrainer(
        vocab_size=size, special_tokens=["<s>", "</s>"], initial_alphabet=sorted(alphabet), show_progress=False
    )
    backend.train_from_iterator(lines, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=backend, bos_token="<s>", eos_token="</s>", **options)


def make_network(seed: int = 0, *, kind: str = "llama", sharpness: float = 4.0, **options: Any) -> Any:
    """Random weights from a seed. sharpness scales the logits: 4 is peaked, and not one-hot."""
    config: dict[str, Any] = {
        "vocab_size": LOGITS,
        "hidden_size": 64,
        "intermediate_size": 96,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 512,
        "initializer_range": 0.1,
        "bos_token_id": BOS,
        "eos_token_id": EOS,
        "pad_token_id": None,
        **options,
    }
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        if kind == "mistral":
            network: Any = MistralForCausalLM(MistralConfig(**config))
        else:
            network = LlamaForCausalLM(LlamaConfig(**config))
    network.requires_grad_(False)
    network.lm_head.weight.mul_(sharpness)
    for last in network.model.layers[1:]:  # a small say, so that a model without it often agrees
        last.self_attn.o_proj.weight.mul_(0.4)
        last.mlp.down_proj.weight.mul_(0.4)
    return network.eval()


def shallower(network: Any, *, vocab: int = LOGITS, **options: Any) -> Any:
    """A draft model that often agrees with `network`: its first layer, embeddings and head, for `vocab` ids."""
    small = make_network(1, kind=network.config.model_type, num_hidden_layers=1, vocab_size=vocab, **options)
    theirs, ours = network.state_dict(), small.state_dict()
    for name, weight in ours.items():
        rows = min(len(weight), len(theirs[name]))
        weight[:rows] = theirs[name][:rows]
    return small


def save(folder: Path, network: Any, tokenizer: Any) -> Path:
    if network is not None:
        network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """Folders of models that share a tokenizer, but for `stranger`; see the names."""
    root = tmp_path_factory.mktemp("models")
    tokenizer = make_tokenizer()
    target = make_network()
    sliding = make_network(2, kind="mistral", sliding_window=16)
    made = {
        "target": target,
        "draft": shallower(target),
        "wide_draft": shallower(target, vocab=LOGITS + 16),
        "narrow_draft": shallower(target, vocab=TOKENS + 4),
        "short_draft": shallower(target, max_position_embeddings=64),
        "sliding": sliding,
        "sliding_draft": shallower(sliding, sliding_window=16),
    }
    folders = {name: save(root / name, network, tokenizer) for name, network in made.items()}
    folders["chat"] = save(root / "chat", target, make_tokenizer(chat_template=TEMPLATE))
    folders["stranger"] = save(root / "stranger", None, make_tokenizer(TEXT[::-1], size=TOKENS - 5))
    make_network().config.save_pretrained(folders["stranger"])  # its weights are missing: nobody may look for them
    return SimpleNamespace(**folders)


@pytest.fixture(scope="session")
def loaded(models: SimpleNamespace) -> Callable[[str], LanguageModel]:
    """A model of `models` by its name, in float32, loaded once a session."""
    found: dict[str, LanguageModel] = {}

    def get(name: str) -> LanguageModel:
        if name not in found:
            description = describe(str(getattr(models, name)), lambda _: None)
            found[name] = load(description, device="cpu", dtype="float32", report=lambda _: None)
        return found[name]

    return get


@pytest.fixture(scope="session")
def pair_of(loaded: Callable[[str], LanguageModel]) -> Callable[..., Pair]:
    """(target, draft or None) to a loaded Pair."""
    return lambda target="target", draft="draft": Pair(loaded(target), loaded(draft) if draft else None)


@pytest.fixture(scope="session")
def shelf() -> Shelf:
    """One shelf for the whole session: most tests want the same pair."""
    return Shelf()


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPECVIZ_HOME", str(tmp_path / "home"))
