"""Find, load, run a language model, and roll its cache back. The only file that knows transformers' model classes."""

from __future__ import annotations

import gc
import json
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from torch import Tensor
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, GenerationConfig, GgufConfig
from transformers.cache_utils import DynamicCache
from transformers.utils import logging as transformers_logging

from specviz.decoding import hardware, sources
from specviz.decoding.packing import PackedLinear, can_pack, pack
from specviz.decoding.sources import Report, Source, is_here
from specviz.decoding.text import Text
from specviz.errors import ModelError, PairError, SpecvizError
from specviz.trace.records import ModelRef

__all__ = ["CachedReading", "Description", "LanguageModel", "check_pair", "describe", "is_here", "load", "release"]

_LOCAL = {"trust_remote_code": False, "local_files_only": True}
_PROBE = "Việt Nam: 1,234 x+=1\n\n\t\u00a0café ‘quoted’ 日本語 🙂👩‍🔬 <|x|>"


@dataclass(frozen=True)
class Description:
    """A model before its weights: enough to refuse it, or to pair it."""

    source: Source
    config: Any
    tokenizer: Any
    parameters: int

    @property
    def name(self) -> str:
        return self.source.label


class CachedReading:
    """A model's key-value cache over the tokens it has read so far."""

    def __init__(self, model: LanguageModel) -> None:
        self.length = 0
        self._network = model.network
        self._cache = DynamicCache(config=model.network.config)
        self._cache.activate_past_recording()  # else a sliding window would forget what a rollback needs
        self._device = model.device

    def read(self, ids: Tensor, *, rows: int) -> Tensor:
        """Read ids [n] behind the others; the logits of the last `rows` positions, [rows, vocab]."""
        logits = self._network(input_ids=ids[None], cache=self._cache, use_cache=True, logits_to_keep=rows).logits
        self.length += len(ids)
        return logits[0]

    def keep(self, length: int) -> None:
        """Roll back to the first `length` tokens. Cropping by 0 matters too: it trims a sliding window."""
        self._cache.crop(length - self.length)
        self.length = length


@dataclass
class LanguageModel:
    """A causal language model, ready to run. vocab: how many logits it gives, padding included. context: the most
    tokens it can read. eos_ids: what ends a text, by its generation config, else its config."""

    description: Description
    network: Any
    device: str
    dtype: str
    vocab: int
    context: int
    eos_ids: tuple[int, ...]
    load_seconds: float

    def __post_init__(self) -> None:
        self.name, self.source = self.description.name, self.description.source
        self.tokenizer, self.parameters = self.description.tokenizer, self.description.parameters
        self.text = Text(self.tokenizer)

    def reading(self) -> CachedReading:
        return CachedReading(self)

    @property
    def ref(self) -> ModelRef:
        return ModelRef(self.name, self.source.revision, self.dtype, self.device)

    @property
    def packed(self) -> bool:
        """Whether the weights lie in a faster layout than transformers gave them."""
        return any(isinstance(module, PackedLinear) for module in self.network.modules())

    @property
    def bytes(self) -> int:
        """Memory of the weights."""
        packed = sum(module.bytes for module in self.network.modules() if isinstance(module, PackedLinear))
        return packed + sum(p.numel() * p.element_size() for p in self.network.parameters())


def describe(name: str, report: Report) -> Description:
    """Fetch and read what describes a model, without its weights; ModelError where it can't be used."""
    source = sources.locate(name, report, weights=False)
    folder = source.path
    if source.is_gguf:
        folder = _converted_folder(source)
        if not (folder / "config.json").exists():
            report(f"Reading {source.path.name} …")
            _write_whole(folder, lambda new: _convert_description(source.path, new))
    name = source.label
    _refuse_unusable(folder, name)
    try:
        config = AutoConfig.from_pretrained(folder, **_LOCAL)
        tokenizer = AutoTokenizer.from_pretrained(folder, **_LOCAL)
        with torch.device("meta"):
            shape = AutoModelForCausalLM.from_config(config, trust_remote_code=False)
    except Exception as error:  # transformers raises many kinds; what matters is which model, and why
        raise ModelError(f"{name} can't be loaded: {_first_line(error)}", hint="Choose another model.") from error
    if not hasattr(tokenizer, "backend_tokenizer"):
        raise ModelError(f"{name} has no fast tokenizer.", hint="Choose a model with a tokenizer.json.")
    if not DynamicCache(config=config).is_croppable:
        raise ModelError(
            f"{name} has recurrent layers, whose memory can't be rolled back after a rejected draft.",
            hint="Choose a model with attention layers only.",
        )
    return Description(source, config, tokenizer, sum(p.numel() for p in shape.parameters()))


def check_pair(target: Description, draft: Description) -> None:
    """PairError unless both tokenizers are the same: equal ids for equal tokens, and equal special tokens.

    The number of logits may differ, since vocabularies are padded to different sizes.
    """
    ours, theirs = target.tokenizer, draft.tokenizer
    reason = ""
    if ours.get_vocab() != theirs.get_vocab():
        differing = len(ours.get_vocab().items() ^ theirs.get_vocab().items())
        reason = f"{differing:,} entries of their vocabularies differ"
    elif (ours.eos_token_id, ours.bos_token_id) != (theirs.eos_token_id, theirs.bos_token_id):
        reason = "their special tokens differ"
    elif ours(_PROBE).input_ids != theirs(_PROBE).input_ids:
        reason = "they split the same text differently"
    if reason:
        raise PairError(
            f"{draft.name} can't draft for {target.name}: their tokenizers are not the same ({reason}).",
            hint="Choose a smaller model of the target's own family, or prompt lookup.",
        )


def load(description: Description, *, device: str, dtype: str, report: Report, faster: bool = True) -> LanguageModel:
    """Load the weights, fetching or converting them first where need be.

    faster: let a bfloat16 model on a CPU have its weights packed. False leaves the network as transformers made it.
    """
    started = time.perf_counter()
    source = sources.locate(description.source.name, report, weights=True)
    folder = _converted_folder(source) if source.is_gguf else source.path
    if source.is_gguf and not any(folder.glob("*.safetensors")):
        report(f"Converting {source.path.name} once, to load in a second from then on …")
        _write_whole(folder, lambda new: _convert_weights(source.path, new))
    device = hardware.pick_device(device)
    number_format = hardware.pick_dtype(dtype, device, description.parameters)
    hardware.use_available_cores()
    report(f"Loading {description.name}, {description.parameters / 1e6:,.0f} M parameters, as {_name(number_format)} …")
    try:
        loaded: Any = AutoModelForCausalLM.from_pretrained(
            folder, dtype=number_format, output_loading_info=True, **_LOCAL
        )
        network, found = loaded[0].to(device).eval(), loaded[1]
    except torch.OutOfMemoryError:
        raise ModelError(f"{description.name} does not fit into memory.", hint="Choose a smaller model.") from None
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise ModelError(f"{description.name} can't be loaded: {_first_line(error)}", hint="Fetch it again.") from error
    if found["missing_keys"]:  # transformers fills them with random numbers
        lost = f"{len(found['missing_keys'])} of its weights are not in its files"
        raise ModelError(f"{description.name} can't be loaded: {lost}.", hint="Fetch it again.")
    network.requires_grad_(False)
    vocab = network.get_output_embeddings().weight.shape[0]
    if faster and device == "cpu" and number_format == torch.bfloat16 and can_pack():
        pack(network)
    return LanguageModel(
        description=description,
        network=network,
        device=device,
        dtype=_name(number_format),
        vocab=vocab,
        context=getattr(description.config, "max_position_embeddings", None) or 1 << 30,
        eos_ids=_eos_ids(network.generation_config, description.config),
        load_seconds=time.perf_counter() - started,
    )


def release() -> None:
    """Give the memory of models that are no longer referred to back to the machine."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


# --- what can't be used ---------------------------------------------------------------------------------------------


def _refuse_unusable(folder: Path, name: str) -> None:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        config = None
    if not isinstance(config, dict):
        raise ModelError(f"The model {name} has no readable config.json.", hint="Fetch it again.")
    if config.get("is_encoder_decoder"):
        raise ModelError(f"{name} is an encoder-decoder model.", hint="Choose a decoder-only language model.")
    if "auto_map" in config and config.get("model_type") not in _known_types():
        raise ModelError(f"{name} needs code of its own to run, which is never run here.", hint="Choose another model.")


def _known_types() -> set[str]:
    from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

    return set(MODEL_FOR_CAUSAL_LM_MAPPING_NAMES)


def _eos_ids(generation: GenerationConfig | None, config: Any) -> tuple[int, ...]:
    found = getattr(generation, "eos_token_id", None)
    if found is None:
        found = getattr(config, "eos_token_id", None)
    return tuple(found) if isinstance(found, (list, tuple)) else () if found is None else (found,)


# --- GGUF -----------------------------------------------------------------------------------------------------------


def _converted_folder(source: Source) -> Path:
    return sources.home() / "converted" / f"{source.path.stem}-{sources._fingerprint(source.path)}"


def _convert_description(gguf: Path, folder: Path) -> None:
    where = {"gguf_file": gguf.name, **_LOCAL}
    AutoConfig.from_pretrained(gguf.parent, **where).save_pretrained(folder)
    AutoTokenizer.from_pretrained(gguf.parent, **where).save_pretrained(folder)


def _convert_weights(gguf: Path, folder: Path) -> None:
    """Dequantise to bfloat16, which keeps more digits than four-bit weights have."""
    network = AutoModelForCausalLM.from_pretrained(
        gguf.parent,
        gguf_file=gguf.name,
        quantization_config=GgufConfig(dequantize=True),
        dtype=torch.bfloat16,
        **_LOCAL,
    )
    network.save_pretrained(folder)


def _write_whole(folder: Path, write: Any) -> None:
    """Have `write` fill a new folder, then move its files into place: nothing is left half-written."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        try:
            write(Path(temporary))
        except SpecvizError:
            raise
        except Exception as error:
            raise ModelError(f"The file can't be converted: {_first_line(error)}", hint="Try another GGUF.") from error
        for file in sorted(Path(temporary).iterdir(), key=lambda f: f.suffix == ".safetensors"):
            shutil.move(file, folder / file.name)


def _first_line(error: Exception) -> str:
    text = str(error).strip()
    return (text.splitlines()[0] if text else type(error).__name__)[:300]


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


transformers_logging.set_verbosity_error()  # its advice is for programmers; ours stands in errors
transformers_logging.disable_progress_bar()
