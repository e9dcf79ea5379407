"""The controls: the bar that is always in sight, and the drawer with the rest. What they say comes from words.py."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from specviz import catalog
from specviz.request import DEVICES, DTYPES, PROMPT_LOOKUP, RunRequest
from specviz.ui import choices, words
from specviz.ui.assets import LINE
from specviz.ui.choices import DRAFT_MODELS, LOOKUP, MODEL

MODES = {"auto": None, "chat": True, "raw": False}
TARGETS = [name for name in catalog.MODELS if name != "bundled-draft"]
DRAFTS = list(dict.fromkeys(DRAFT_MODELS))
# the settings of a RunRequest that a control gives as they stand
PLAIN = (
    "gamma",
    "temperature",
    "target",
    "top_k",
    "top_p",
    "min_p",
    "repetition_penalty",
    "max_ngram",
    "max_new_tokens",
)


@dataclass
class Controls:
    """Every control by its name, in the order of the page."""

    language: gr.Radio
    run: gr.Button
    stop: gr.Button
    settings: gr.Button
    recorded: gr.Dropdown
    prompt: gr.Textbox
    examples: gr.Dropdown
    drafter: gr.Radio
    gamma: gr.Slider
    temperature: gr.Slider
    target: gr.Dropdown
    draft_model: gr.Dropdown
    top_k: gr.Number
    top_p: gr.Number
    min_p: gr.Number
    repetition_penalty: gr.Number
    max_ngram: gr.Number
    max_new_tokens: gr.Number
    seed: gr.Number
    stop_strings: gr.Textbox
    mode: gr.Radio
    dtype: gr.Dropdown
    device: gr.Dropdown
    download: gr.DownloadButton
    open: gr.UploadButton
    close: gr.Button

    def inputs(self) -> list[gr.components.Component]:
        return [getattr(self, name) for name in INPUTS]

    def spoken(self) -> list[gr.components.Component]:
        """The controls whose words `relabelled` gives, in its order."""
        return [getattr(self, field.name) for field in dataclasses.fields(self) if field.name != "language"]


INPUTS = ("prompt", "drafter", "draft_model", *PLAIN, "seed", "stop_strings", "mode", "dtype", "device")


def build(recordings: Sequence[str], target: str, draft_model: str) -> Controls:
    """Lay the controls out, in English; `relabelled` says them in another language."""
    w = words.table("en")
    made: dict[str, Any] = {}
    with gr.Row(elem_id="sv-bar"):
        gr.HTML(
            html_template='<h1 class="brand">specviz</h1>', js_on_load=None, elem_id="sv-brand", apply_default_css=False
        )
        made["recorded"] = gr.Dropdown(
            choices.titles(recordings, "en"),
            value=recordings[0] if recordings else None,
            elem_id="sv-recorded",
            container=False,
            label=w["recorded_run"],
            show_label=False,
            visible=bool(recordings),
            interactive=True,
            filterable=False,
        )
        gr.HTML(html_template=LINE, js_on_load=None, elem_id="sv-line", apply_default_css=False)
        made["settings"] = gr.Button(w["settings"], elem_id="sv-settings-button", size="sm")
        made["run"] = gr.Button(w["run"], variant="primary", elem_id="sv-run", size="sm")
        made["stop"] = gr.Button(w["stop"], variant="stop", elem_id="sv-stop", size="sm")
        languages = [(name, key) for key, name in words.LANGUAGES.items()]
        made["language"] = gr.Radio(
            languages,
            value="en",
            label=w["language"],
            show_label=False,
            container=False,
            elem_id="sv-language",
            interactive=True,
        )
    with gr.Row(elem_id="sv-hand"):
        with gr.Column(elem_id="sv-prompt-column", scale=6, min_width=120):
            made["prompt"] = gr.Textbox(
                choices.first_prompt("en", target),
                label=w["prompt_bundled" if target == choices.BUNDLED else "prompt"],
                lines=1,
                max_lines=6,
                elem_id="sv-prompt",
                interactive=True,
            )
            made["examples"] = gr.Dropdown(
                choices.prompts("en", target),
                value="",
                label=w["examples"],
                show_label=False,
                elem_id="sv-examples",
                container=False,
                filterable=False,
                interactive=True,
                min_width=80,
            )
        made["drafter"] = gr.Radio(
            [(w["drafter_model"], MODEL), (w["drafter_lookup"], LOOKUP)],
            value=LOOKUP if draft_model == PROMPT_LOOKUP else MODEL,
            label=w["drafter"],
            elem_id="sv-drafter",
            interactive=True,
            min_width=120,
        )
        made["gamma"] = gr.Slider(
            1, 16, 4, step=1, label=w["gamma"], elem_id="sv-gamma", interactive=True, min_width=120, buttons=[]
        )
        made["temperature"] = gr.Slider(
            0,
            2,
            0.8,
            step=0.05,
            label=w["temperature"],
            elem_id="sv-temperature",
            interactive=True,
            min_width=120,
            buttons=[],
        )
    with gr.Column(elem_id="sv-settings"):
        made["close"] = gr.Button(w["close"], elem_id="sv-close", size="sm")
        made["download"] = gr.DownloadButton(w["download"], elem_id="sv-download", size="sm", interactive=False)
        made["open"] = gr.UploadButton(w["open"], elem_id="sv-open", size="sm", file_types=[".json"], type="filepath")
        made |= _drawer(w, target, draft_model)
    return Controls(**made)


def _drawer(w: dict[str, str], target: str, draft_model: str) -> dict[str, Any]:
    def number(name: str, value: float | None, **more: Any) -> gr.Number:
        return gr.Number(
            value, label=w[name], info=w[f"{name}_help"], interactive=True, min_width=120, elem_id=f"sv-{name}", **more
        )

    def model(name: str, names: Sequence[str], value: str) -> gr.Dropdown:
        return gr.Dropdown(
            choices.models(names, "en"),
            value=value,
            label=w[name],
            info=w[f"{name}_help"],
            allow_custom_value=True,
            interactive=True,
            elem_id=f"sv-{name}",
        )

    lookup = draft_model == PROMPT_LOOKUP
    return {
        "target": model("target", TARGETS, target),
        "draft_model": model("draft_model", DRAFTS, DRAFT_MODELS[0] if lookup else draft_model),
        "top_k": number("top_k", 0, precision=0),
        "top_p": number("top_p", 1),
        "min_p": number("min_p", 0),
        "repetition_penalty": number("repetition_penalty", 1),
        "max_ngram": number("max_ngram", 3, precision=0),
        "max_new_tokens": number("max_new_tokens", 96, precision=0),
        "seed": number("seed", 7, precision=0),
        "stop_strings": gr.Textbox(
            "",
            label=w["stop_strings"],
            info=w["stop_strings_help"],
            lines=1,
            interactive=True,
            elem_id="sv-stop_strings",
        ),
        "mode": gr.Radio(
            [(w[f"mode_{m}"], m) for m in MODES],
            value="auto",
            label=w["mode"],
            info=w["mode_help"],
            interactive=True,
            elem_id="sv-mode",
        ),
        "dtype": gr.Dropdown(
            list(DTYPES), value="auto", label=w["dtype"], info=w["dtype_help"], interactive=True, elem_id="sv-dtype"
        ),
        "device": gr.Dropdown(
            list(DEVICES), value="auto", label=w["device"], info=w["device_help"], interactive=True, elem_id="sv-device"
        ),
    }


def asked(*values: Any) -> RunRequest:
    """The request that the controls of INPUTS describe; `RunRequest.checked` judges it."""
    given = dict(zip(INPUTS, values))
    stops = tuple(line for line in str(given["stop_strings"] or "").splitlines() if line)
    return RunRequest(
        prompt=given["prompt"] or "",
        drafter=PROMPT_LOOKUP if given["drafter"] == LOOKUP else given["draft_model"] or "",
        chat=MODES.get(given["mode"]),
        seed=given["seed"],
        stop=stops,
        dtype=given["dtype"],
        device=given["device"],
        **{name: given[name] for name in PLAIN},
    )


def relabelled(
    language: str, drafter: str, temperature: float, target: str = "", *, recordings: Sequence[str] = ()
) -> list[Any]:
    """Words for every control of `spoken`; what can't be combined is disabled, with the reason in place of its help."""
    w = words.table(language)
    off = {"draft_model": drafter == LOOKUP, "max_ngram": drafter == MODEL}
    off |= dict.fromkeys(("top_k", "top_p", "min_p"), temperature == 0)
    reason = {"draft_model": "draft_model_off", "max_ngram": "max_ngram_off"}
    offered = {
        "drafter": [(w["drafter_model"], MODEL), (w["drafter_lookup"], LOOKUP)],
        "examples": choices.prompts(language, target),
        "mode": [(w[f"mode_{m}"], m) for m in MODES],
        "recorded": choices.titles(recordings, language),
        "target": choices.models(TARGETS, language),
        "draft_model": choices.models(DRAFTS, language),
    }
    bundled = target == choices.BUNDLED
    label = {"recorded": "recorded_run", "prompt": "prompt_bundled" if bundled else "prompt"}
    updates = []
    for field in dataclasses.fields(Controls):
        name = field.name
        if name == "language":
            continue
        if name in ("run", "stop", "settings", "close"):
            updates.append(gr.update(value=w[name]))
            continue
        more: dict[str, Any] = {"label": w[label.get(name, name)]}
        if name in offered:
            more["choices"] = offered[name]
        if name == "prompt":
            more["placeholder"] = w["prompt_placeholder"]
        if f"{name}_help" in w:
            more["info"] = w[reason.get(name, "sampling_off")] if off.get(name) else w[f"{name}_help"]
        if name == "target" and bundled:
            more["info"] = w["bundled_only"]
        if name in off:
            more["interactive"] = not off[name]
        updates.append(gr.update(**more))
    return updates
