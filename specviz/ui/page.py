"""The page: controls, the stage that draws a trace, and what happens when something is pressed."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")  # read when gradio is imported

import gradio as gr

from specviz.errors import SpecvizError, TraceError
from specviz.request import RunRequest
from specviz.trace import checks, records
from specviz.trace.events import Event
from specviz.trace.records import Trace
from specviz.ui import assets, choices, controls, words
from specviz.ui.feed import Feed, problem, whole
from specviz.ui.live import Engine, Stops, real_engine, saved, updates

ENGINE = "engine"  # every event that runs a model shares this queue: one run at a time
QUEUE = 20  # people that may wait
PRIVATE: dict[str, Any] = {"api_visibility": "private"}
QUICK: dict[str, Any] = {"queue": False, "show_progress": "hidden", **PRIVATE}


def build(engine: Engine | None = None, *, traces: Path = assets.TRACES) -> gr.Blocks:
    """The page as Blocks, not launched. `engine` replaces the real one; `traces` holds the recorded runs."""
    engine_now = (lambda: engine) if engine else real_engine
    recordings = [path.stem for path in sorted(traces.glob("*.json"))]
    stops = Stops()

    with gr.Blocks(title="specviz", analytics_enabled=False, fill_width=True, delete_cache=(3600, 86400)) as demo:
        made = controls.build(recordings, *choices.default_pair())
        place = gr.HTML(
            html_template='<span class="place"></span>', js_on_load=None, elem_id="sv-place", apply_default_css=False
        )
        first = _trace_of(traces, recordings[0]) if recordings else None
        trace = gr.State(first)
        runs_so_far = gr.State(0)
        request_of = gr.State(None)  # the request that the trace came from, for one more plain run
        stage = gr.HTML(
            value=_recorded(first, recordings[0]) if first else {"run": None},
            html_template=assets.SKELETON,
            js_on_load=assets.script(choices.to_fetch()),
            elem_id="sv-stage",
            apply_default_css=False,
        )
        outputs = [stage, trace, made.download]

        def show(message: dict[str, Any], found: Trace | None) -> tuple[Any, Any, Any]:
            """A trace that stands already: on the stage, kept for download, its plots with it."""
            feed = Feed()
            file = gr.update(value=saved(found, stage.GRADIO_CACHE), interactive=True) if found else gr.skip()
            messages = [message, _figures(found)] if found else [message]
            return feed.send(*messages, final=True), found or gr.skip(), file

        def begin(request: gr.Request) -> dict[str, Any]:
            stops.clear(request.session_hash)
            return Feed().send({"type": "queued"})

        def stop(request: gr.Request) -> None:
            stops.ask(request.session_hash)

        def live(
            start: Callable[[Callable[[], bool]], Iterator[Any]], session: str | None
        ) -> Iterator[tuple[Any, Any, Any]]:
            feed = Feed()
            for value, found in updates(lambda: start(lambda: stops.asked(session)), feed):
                yield value, gr.skip() if found is None else found, gr.skip()
                if found:
                    file = gr.update(value=saved(found, stage.GRADIO_CACHE), interactive=True)
                    yield feed.send(_figures(found), final=True), found, file

        def run(request: gr.Request, before: int, *values: Any) -> Iterator[tuple[Any, ...]]:
            asked: list[RunRequest] = []

            def start(stopped: Callable[[], bool]) -> Iterator[Event]:
                asked.append(controls.asked(*values).checked())
                # every second run of a session begins with the plain arm: neither is always the one that is warmer
                return engine_now().run(asked[0], stopped=stopped, plain_first=before % 2 == 1)

            for value, found, file in live(start, request.session_hash):
                finished = isinstance(found, Trace)
                yield value, found, file, *((asked[0], before + 1) if finished else (gr.skip(), gr.skip()))

        def plain(
            request: gr.Request, before: Trace | None, asked: RunRequest | None
        ) -> Iterator[tuple[Any, Any, Any]]:
            if before is None or asked is None:
                error = SpecvizError(words.word("en", "error_no_trace"), hint=words.word("en", "error_no_trace_hint"))
                yield Feed().send(problem(error)), gr.skip(), gr.skip()
                return
            yield from live(
                lambda stopped: engine_now().another_plain(asked, before, stopped=stopped), request.session_hash
            )

        def opened(path: str | None) -> tuple[Any, Any, Any]:
            if not path:
                return gr.skip(), gr.skip(), gr.skip()
            try:
                found = checks.check(records.load(path))
                return show(whole(found, source="file", title=Path(path).name[:60]), found)
            except SpecvizError as error:
                return show(problem(error), None)

        def recorded(name: str, **where: int | None) -> tuple[Any, Any, Any]:
            try:
                found = _trace_of(traces, name)
                return show(whole(found, source="recorded", title=choices.slug(name), **where), found)
            except SpecvizError as error:
                return show(problem(error), None)

        def resync(found: Trace | None) -> Any:
            return Feed().send(whole(found, source="live"), _figures(found), final=True) if found else gr.skip()

        busy: dict[str, Any] = {"concurrency_limit": 1, "concurrency_id": ENGINE, "show_progress": "minimal", **PRIVATE}
        made.run.click(begin, None, stage, **QUICK).then(
            run, [runs_so_far, *made.inputs()], [*outputs, request_of, runs_so_far], show_progress_on=place, **busy
        )
        stage.plain(begin, None, stage, **QUICK).then(
            plain, [trace, request_of], outputs, show_progress_on=place, **busy
        )
        made.stop.click(stop, None, None, **QUICK)
        demo.unload(stop)
        made.open.upload(opened, made.open, outputs, show_progress="hidden", **PRIVATE)
        made.recorded.input(recorded, made.recorded, outputs, show_progress="hidden", **PRIVATE)
        stage.resync(resync, trace, stage, show_progress="hidden", **PRIVATE)
        made.examples.input(lambda name: choices.prompt_of(name) or gr.skip(), made.examples, made.prompt, **QUICK)

        pairing = [made.drafter, made.target, made.draft_model]
        gr.on([made.drafter.input, made.target.input], choices.paired, pairing, pairing[1:], **QUICK).then(
            None, pairing, None, js="(...pair) => { window.specviz.paired(...pair); }", **PRIVATE
        )
        relabelled = functools.partial(controls.relabelled, recordings=recordings)
        heard = [made.language, made.drafter, made.temperature, made.target]
        made.language.change(
            relabelled,
            heard,
            made.spoken(),
            js="(l, ...rest) => { window.specviz.setLanguage(l); return [l, ...rest]; }",
            **QUICK,
        )
        turned = [made.drafter.change, made.temperature.release, made.target.change]
        gr.on(turned, relabelled, heard, made.spoken(), **QUICK)
        toggle = "() => { window.specviz.toggleDrawer(); }"
        made.settings.click(None, None, None, js=toggle, **PRIVATE)
        made.close.click(None, None, None, js=toggle, **PRIVATE)
        restored = [getattr(made, name) for name in choices.LINKED]
        demo.load(
            _linked(recordings, recorded, lambda: saved(first, stage.GRADIO_CACHE) if first else None),
            None,
            [made.language, made.recorded, *restored, *outputs],
            show_progress="hidden",
            **PRIVATE,
        )

    demo.queue(max_size=QUEUE, default_concurrency_limit=8, status_update_rate=1)
    return demo


def launch(demo: gr.Blocks, **more: Any) -> Any:
    """Launch the page; the arguments that belong to it stand here and nowhere else."""
    if (plotly := assets.plotly_file()) is not None:
        gr.set_static_paths([plotly])
    arguments: dict[str, Any] = {
        "theme": gr.themes.Base(
            font=[gr.themes.LocalFont("IBM Plex Sans", weights=(400, 700)), "system-ui", "sans-serif"],
            font_mono=[gr.themes.LocalFont("IBM Plex Mono", weights=(400, 700)), "ui-monospace", "monospace"],
        ),
        # not by `css`: that comes a second time, under a prefix that classes of the body can't meet
        "head": f"<style>{assets.style()}</style>",
        "run_history": False,
        "enable_monitoring": False,
        "show_error": False,
        "max_file_size": records.MAX_FILE_BYTES,
        "footer_links": ["gradio", "settings"],
        "ssr_mode": False,
    }
    return demo.launch(**arguments | more)


def _trace_of(traces: Path, asked: str) -> Trace:
    name = choices.recording((path.stem for path in sorted(traces.glob("*.json"))), asked)
    if name is None:
        raise TraceError(words.word("en", "error_recording"), hint=words.word("en", "error_recording_hint"))
    return checks.check(records.load(traces / f"{name}.json"))


def _recorded(found: Trace, name: str) -> dict[str, Any]:
    return Feed().send(whole(found, source="recorded", title=choices.slug(name)), _figures(found), final=True)


def _figures(trace: Trace) -> dict[str, Any]:
    """The plots in every language, as JSON texts; plotly is imported when there is something to plot."""
    from specviz.views.figures import figures

    made = {
        language: [figure.to_json() for figure in figures(trace, words.table(language))] for language in words.LANGUAGES
    }
    return {"type": "figures", "figures": made}


def _linked(
    recordings: list[str], recorded: Callable[..., Any], first: Callable[[], str | None]
) -> Callable[..., list[Any]]:
    """What a link names: ?lang=, settings for a run, ?run=, ?step=, ?position=. Without ?run= the `first` recorded
    run stands there already, and can be downloaded."""

    def load(request: gr.Request) -> list[Any]:
        query = dict(request.query_params)
        language = query.get("lang", "")
        settings = choices.linked(query)
        if language in words.LANGUAGES and "prompt" not in settings:
            settings["prompt"] = choices.first_prompt(language, settings.get("target", choices.default_pair()[0]))
        updates = [gr.update(value=settings[name]) if name in settings else gr.skip() for name in choices.LINKED]
        chosen = gr.update(value=language) if language in words.LANGUAGES else gr.skip()
        if name := query.get("run"):
            where = {key: _counted(query.get(key)) for key in ("step", "position")}
            found = choices.recording(recordings, name)
            return [chosen, gr.update(value=found) if found else gr.skip(), *updates, *recorded(name, **where)]
        file = first()
        return [
            chosen,
            gr.skip(),
            *updates,
            gr.skip(),
            gr.skip(),
            gr.update(value=file, interactive=True) if file else gr.skip(),
        ]

    return load


def _counted(text: str | None) -> int | None:
    """A count from 1 in a link as an index from 0; None where it is none."""
    return int(text) - 1 if text and text.isascii() and text.isdigit() and int(text[:9]) > 0 else None
