"""What can't be used is refused in a sentence, before weights are read where that is possible."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from transformers import MambaConfig, T5Config

from specviz.decoding import runs
from specviz.decoding.models import LanguageModel, check_pair, describe, is_here, load
from specviz.decoding.runs import Shelf
from specviz.errors import InputError, ModelError, PairError, SpecvizError
from specviz.request import RunRequest
from tests.conftest import BOS, EOS, LOGITS, TOKENS, make_network, make_tokenizer, save
from tests.decoding.fakes import finish


def quiet(_: str) -> None:
    pass


def refusal(name: str | Path, kind: type[SpecvizError] = ModelError) -> str:
    with pytest.raises(kind) as refused:
        describe(str(name), quiet)
    assert refused.value.hint
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a tokenizer and no model yet."""
    return save(tmp_path / "model", None, make_tokenizer())


# --- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["nope", "nobody/nothing", "qwen3-0.6b"])
def test_a_model_that_is_not_here_and_cannot_be_fetched_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert name in refusal(name)
    assert not is_here(name)


@pytest.mark.parametrize(
    "name",
    ["../../x", "/no/such/folder", "a b", "a/b/c", "<script>", "~nobody-of-that-name/x", "x" * 5000, "..", "a/.."],
)
def test_a_name_that_is_none_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path / "..")
    assert len(refusal(name, SpecvizError)) < 400
    assert not is_here(name) or Path(name).exists()


def test_a_missing_gguf_is_named(tmp_path: Path) -> None:
    assert "There is no file gone.gguf" in refusal(tmp_path / "gone.gguf", InputError)


def test_a_gguf_that_is_none_is_refused_and_leaves_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "text.gguf"
    file.write_text("not a model")
    refusal(file)
    assert not list((tmp_path / "home").rglob("config.json"))


# --- folders --------------------------------------------------------------------------------------------------------


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    assert "no config.json" in refusal(tmp_path, InputError)


def test_a_folder_with_only_an_adapter_is_refused(folder: Path) -> None:
    (folder / "adapter_config.json").write_text("{}")
    assert "holds an adapter" in refusal(folder)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "3", '{"model_type": "no-such-type"}', "{}"])
def test_a_config_that_describes_no_model_is_refused(folder: Path, text: str) -> None:
    (folder / "config.json").write_text(text)
    assert "model" in refusal(folder)


def test_an_encoder_decoder_is_refused(folder: Path) -> None:
    T5Config(vocab_size=LOGITS, d_model=16, num_layers=1).save_pretrained(folder)
    assert "is an encoder-decoder model" in refusal(folder)


def test_a_model_with_code_of_its_own_is_refused_and_the_code_never_runs(folder: Path) -> None:
    config = {"model_type": "homemade", "auto_map": {"AutoConfig": "code.C", "AutoModelForCausalLM": "code.M"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "code.py").write_text(f"open({str(folder / 'ran')!r}, 'w')")
    assert "code of its own" in refusal(folder)
    assert not (folder / "ran").exists()


def test_a_known_architecture_is_loaded_without_the_code_that_lies_beside_it(folder: Path) -> None:
    make_network().save_pretrained(folder)
    config = json.loads((folder / "config.json").read_text())
    config["auto_map"] = {"AutoModelForCausalLM": "code.M"}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "code.py").write_text(f"open({str(folder / 'ran')!r}, 'w')")
    load(describe(str(folder), quiet), device="cpu", dtype="auto", report=quiet)
    assert not (folder / "ran").exists()


def test_a_recurrent_model_is_refused_since_its_memory_cannot_be_rolled_back(folder: Path) -> None:
    MambaConfig(vocab_size=LOGITS, hidden_size=16, num_hidden_layers=1, state_size=4).save_pretrained(folder)
    assert "recurrent layers" in refusal(folder)


def test_a_folder_without_a_tokenizer_is_refused(tmp_path: Path) -> None:
    make_network().config.save_pretrained(tmp_path / "model")
    assert "can't be loaded" in refusal(tmp_path / "model")


def test_missing_and_cut_off_weights_are_refused(models: SimpleNamespace, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="stranger can't be loaded"):
        load(describe(str(models.stranger), quiet), device="cpu", dtype="auto", report=quiet)
    cut = tmp_path / "cut"
    shutil.copytree(models.draft, cut)
    weights = cut / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1000])
    with pytest.raises(ModelError, match="cut can't be loaded"):
        load(describe(str(cut), quiet), device="cpu", dtype="auto", report=quiet)


def test_weights_that_lack_a_layer_are_not_filled_with_random_numbers(models: SimpleNamespace, tmp_path: Path) -> None:
    deeper = tmp_path / "deeper"
    shutil.copytree(models.draft, deeper)
    config = json.loads((deeper / "config.json").read_text())
    (deeper / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 2}))
    with pytest.raises(ModelError, match=r"deeper .* weights"):
        load(describe(str(deeper), quiet), device="cpu", dtype="auto", report=quiet)


def test_tied_embeddings_are_no_missing_weights(tmp_path: Path) -> None:
    where = save(tmp_path / "tied", make_network(tie_word_embeddings=True), make_tokenizer())
    model = load(describe(str(where), quiet), device="cpu", dtype="float32", report=quiet)
    assert model.network.lm_head.weight is model.network.model.embed_tokens.weight


# --- what a model is ------------------------------------------------------------------------------------------------


def test_a_loaded_model_knows_its_sizes_and_ends(loaded: Callable[[str], LanguageModel]) -> None:
    model = loaded("target")
    assert (model.vocab, model.context, model.eos_ids, model.dtype, model.device) == (
        LOGITS,
        512,
        (EOS,),
        "float32",
        "cpu",
    )
    assert (model.name, model.ref.revision) == ("target", "local")
    assert model.bytes == 4 * model.parameters
    assert len(model.tokenizer) == TOKENS


@pytest.mark.parametrize(
    ("generation", "config", "expected"),
    [([3, 7], 1, (3, 7)), (5, 1, (5,)), (None, 1, (1,)), (None, [1, 2], (1, 2)), (None, None, ())],
)
def test_ends_are_those_of_the_generation_config_else_of_the_config(
    tmp_path: Path, generation: Any, config: Any, expected: tuple[int, ...]
) -> None:
    network = make_network(eos_token_id=config)
    network.generation_config.eos_token_id = generation
    where = save(tmp_path / "model", network, make_tokenizer())
    assert load(describe(str(where), quiet), device="cpu", dtype="float32", report=quiet).eos_ids == expected


def test_float16_is_refused_on_a_cpu_and_a_float16_checkpoint_gets_a_sane_format(tmp_path: Path) -> None:
    where = save(tmp_path / "half", make_network().half(), make_tokenizer())
    description = describe(str(where), quiet)
    with pytest.raises(InputError, match=r"float16 .* on a CPU"):
        load(description, device="cpu", dtype="float16", report=quiet)
    assert load(description, device="cpu", dtype="auto", report=quiet).dtype == "float32"


def test_a_device_that_is_not_there_is_refused(models: SimpleNamespace) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is one")
    with pytest.raises(InputError, match="no cuda device"):
        load(describe(str(models.draft), quiet), device="cuda", dtype="auto", report=quiet)


# --- pairs ----------------------------------------------------------------------------------------------------------


def test_padded_vocabularies_of_any_size_go_together(models: SimpleNamespace) -> None:
    for name in ("draft", "wide_draft", "narrow_draft"):
        check_pair(describe(str(models.target), quiet), describe(str(getattr(models, name)), quiet))


def test_the_draft_models_padding_does_not_change_a_token(models: SimpleNamespace, shelf: Shelf) -> None:
    request = RunRequest(target=str(models.target), prompt="a happy", max_new_tokens=30, seed=3, baseline=False)
    import dataclasses

    traces = [
        finish(runs.run(dataclasses.replace(request, drafter=str(drafter)), shelf=shelf))[1]
        for drafter in (models.draft, models.wide_draft)
    ]
    assert traces[0].speculative.output == traces[1].speculative.output


def test_two_tokenizers_are_refused_before_any_weights_are_looked_for(models: SimpleNamespace) -> None:
    """The draft model's folder holds no weights at all, and that is not what is complained about."""
    request = RunRequest(target=str(models.target), drafter=str(models.stranger), prompt="a")
    shelf = Shelf()
    with pytest.raises(PairError, match="stranger can't draft for target: their tokenizers are not the same"):
        list(runs.run(request, shelf=shelf))
    assert not shelf._models


def special(model: SimpleNamespace, **tokens: str) -> Any:
    tokenizer = make_tokenizer()
    for name, token in tokens.items():
        setattr(tokenizer, name, token)
    return SimpleNamespace(tokenizer=tokenizer, name="other")


def test_tokenizers_that_differ_in_special_tokens_or_in_splitting_are_refused(models: SimpleNamespace) -> None:
    ours: Any = SimpleNamespace(tokenizer=make_tokenizer(), name="ours")
    check_pair(ours, special(models))
    with pytest.raises(PairError, match="special tokens differ"):
        check_pair(ours, special(models, eos_token="<s>"))
    other = special(models)
    from tokenizers import normalizers

    other.tokenizer.backend_tokenizer.normalizer = normalizers.NFD()
    with pytest.raises(PairError, match="split the same text differently"):
        check_pair(ours, other)


# --- requests that fail, and the next one ---------------------------------------------------------------------------


def ask(models: SimpleNamespace, **changes: Any) -> RunRequest:
    return RunRequest(
        **{
            "target": str(models.target),
            "drafter": str(models.draft),
            "prompt": "a happy",
            "max_new_tokens": 4,
            **changes,
        }
    )


def test_a_failed_request_leaves_the_loaded_pair_in_use(models: SimpleNamespace, shelf: Shelf) -> None:
    finish(runs.run(ask(models), shelf=shelf))
    pair = shelf.pair(ask(models), quiet)
    bad: list[dict[str, Any]] = [
        {"gamma": 0},
        {"prompt": ""},
        {"target": "no such model"},
        {"drafter": str(models.stranger)},
        {"max_new_tokens": 600},
        {"chat": True},
    ]
    for changes in bad:
        with pytest.raises(SpecvizError):
            list(runs.run(ask(models, **changes), shelf=shelf))
        assert shelf.pair(ask(models), quiet) is pair
    finish(runs.run(ask(models), shelf=shelf))


def test_a_pair_whose_weights_fail_is_forgotten_and_the_former_one_loads_again(models: SimpleNamespace) -> None:
    shelf = Shelf()
    finish(runs.run(ask(models), shelf=shelf))
    with pytest.raises(ModelError):
        list(runs.run(ask(models, target=str(models.stranger), drafter="prompt-lookup"), shelf=shelf))
    finish(runs.run(ask(models), shelf=shelf))


def test_a_prompt_that_does_not_fit_is_refused_with_both_numbers(models: SimpleNamespace, shelf: Shelf) -> None:
    with pytest.raises(
        InputError, match=r"has 600 tokens and 4 new ones .* target reads 512\. Shorten it by 89 tokens"
    ):
        list(runs.run(ask(models, prompt="%" * 600), shelf=shelf))
    with pytest.raises(InputError, match=r"has 500 tokens and 13 new ones .* reads 512\. Ask for at most 12"):
        list(runs.run(ask(models, prompt="%" * 500, max_new_tokens=13), shelf=shelf))
    _, trace = finish(runs.run(ask(models, prompt="%" * 500, max_new_tokens=12, min_new_tokens=12), shelf=shelf))
    assert len(trace.speculative.output.ids) == 12


@pytest.mark.parametrize("prompt", [" ", "\n", "🙂", "</s>", "<s>", "\u200d", "e\u0302\u0301"])
def test_the_shortest_prompts_run(models: SimpleNamespace, shelf: Shelf, prompt: str) -> None:
    _, trace = finish(runs.run(ask(models, prompt=prompt), shelf=shelf))
    assert trace.prompt.text == trace.prompt.rendered == prompt
    assert b"".join(bytes.fromhex(trace.tokens[i].bytes) for i in trace.prompt.ids) == prompt.encode()


def test_chat_is_refused_without_a_template(models: SimpleNamespace, shelf: Shelf) -> None:
    with pytest.raises(InputError, match=r"target has no chat template.*Use raw mode"):
        list(runs.run(ask(models, chat=True), shelf=shelf))


@pytest.mark.parametrize(("chat", "used"), [(None, True), (True, True), (False, False)])
def test_an_instruct_model_is_spoken_to_in_its_template_with_one_beginning(
    models: SimpleNamespace, shelf: Shelf, chat: bool | None, used: bool
) -> None:
    _, trace = finish(runs.run(ask(models, target=str(models.chat), chat=chat), shelf=shelf))
    assert trace.settings.chat is used
    assert trace.prompt.rendered == ("<s>user: a happy<s>assistant:" if used else "a happy")
    assert trace.prompt.ids.count(BOS) == (2 if used else 0)


def test_a_template_that_fails_is_told_in_a_sentence(models: SimpleNamespace, tmp_path: Path, shelf: Shelf) -> None:
    template = "{{ raise_exception('no such role') }}"
    where = save(tmp_path / "fussy", make_network(), make_tokenizer(chat_template=template))
    request = ask(models, target=str(where), drafter="prompt-lookup")
    import dataclasses

    with pytest.raises(InputError, match="chat template fails: no such role"):
        list(runs.run(dataclasses.replace(request, chat=True), shelf=shelf))
    assert finish(runs.run(request, shelf=shelf))[1].settings.chat is False


def test_a_tokenizer_with_more_ids_than_the_model_is_refused_where_the_prompt_uses_them(
    tmp_path: Path, models: SimpleNamespace, shelf: Shelf
) -> None:
    tokenizer = make_tokenizer()
    tokenizer.add_tokens([f"<more{i}>" for i in range(30)])
    where = save(tmp_path / "more", make_network(), tokenizer)
    with pytest.raises(ModelError, match=r"token 329 .* has 320"):
        list(runs.run(ask(models, target=str(where), drafter="prompt-lookup", prompt="a<more29>"), shelf=shelf))
