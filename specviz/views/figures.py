"""Plots of a trace, in plotly: pure functions from a trace and a table of words to a figure.

Colours are the palette's light ones; the page swaps them for the dark ones. No token's text enters a figure. Marks
carry the index of their step as customdata, so that a click can choose it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate

import plotly.graph_objects as go

from specviz.trace import metrics
from specviz.trace.records import Arm, Trace
from specviz.views import palette as c

Words = Mapping[str, str]
HEIGHT = 280


def figures(trace: Trace, words: Words) -> list[go.Figure]:
    """Every plot that this trace has something for, in the order of the page."""
    made = [
        seconds(trace, words),
        acceptance(trace, words),
        lengths(trace, words),
        overlap(trace, words),
        over_time(trace, words),
    ]
    return [figure for figure in made if figure is not None]


def seconds(trace: Trace, words: Words) -> go.Figure | None:
    """Seconds a step by draft, verify and the rest, stacked; the mean plain step as a line."""
    steps = trace.speculative.steps
    if not steps:
        return None
    x = [step.index + 1 for step in steps]
    parts = (
        ("series_draft", [s.draft_seconds for s in steps], c.Q_EDGE, "/"),
        ("series_verify", [s.verify_seconds for s in steps], c.OWED, ""),
        ("series_rest", [max(0.0, s.seconds - s.draft_seconds - s.verify_seconds) for s in steps], c.MUTED, "x"),
    )
    figure = _figure(words, "plot_seconds", "axis_step", "axis_seconds")
    for name, values, colour, pattern in parts:
        marker = {"color": colour, "pattern": {"shape": pattern}}
        figure.add_bar(x=x, y=values, name=words[name], marker=marker, customdata=[step.index for step in steps])
    plain = [step.seconds for arm in trace.baseline for step in arm.steps]
    if plain:
        mean = sum(plain) / len(plain)
        line = {"color": c.INK, "dash": "dash"}
        figure.add_scatter(
            x=[0.5, len(steps) + 0.5], y=[mean, mean], mode="lines", name=words["series_plain"], line=line
        )
    return figure.update_layout(barmode="stack", bargap=0.15)


def acceptance(trace: Trace, words: Words) -> go.Figure | None:
    """Accepted of tested for the first draft of a step, the second, ..., with the counts on the bars."""
    columns = [(a, tested) for a, tested in metrics.acceptance_by_position(trace.speculative) if tested]
    if not columns:
        return None
    figure = _figure(words, "plot_position", "axis_position", "axis_rate")
    figure.add_bar(
        x=list(range(1, len(columns) + 1)),
        y=[a / tested for a, tested in columns],
        text=[f"{a}/{tested}" for a, tested in columns],
        marker={"color": c.KEPT_FILL, "line": {"color": c.KEPT, "width": 1.5}},
    )
    return figure.update_layout(showlegend=False).update_yaxes(range=[0, 1.05]).update_xaxes(dtick=1)


def lengths(trace: Trace, words: Words) -> go.Figure | None:
    """How many steps kept 0, 1, 2, ... drafts."""
    found = metrics.accepted_lengths(trace.speculative)
    if not found:
        return None
    figure = _figure(words, "plot_lengths", "axis_kept", "axis_steps")
    marker = {"color": c.KEPT_FILL, "line": {"color": c.KEPT, "width": 1.5}}
    figure.add_bar(x=list(found), y=list(found.values()), text=list(found.values()), marker=marker)
    return figure.update_layout(showlegend=False).update_xaxes(dtick=1)


def overlap(trace: Trace, words: Words) -> go.Figure | None:
    """Tested drafts in tenths of their overlap: the share accepted, beside what beta predicts."""
    tested = [d for step in trace.speculative.steps for d in step.drafts if d.status != "discarded"]
    if not tested or trace.settings.rule != "token":
        return None
    bins: dict[int, list[tuple[float, bool]]] = {}
    for draft in tested:
        bins.setdefault(min(9, int(draft.overlap * 10)), []).append((draft.overlap, draft.status == "accepted"))
    rows = [bins[key] for key in sorted(bins)]
    figure = _figure(words, "plot_overlap", "axis_overlap", "axis_share")
    line = {"color": c.MUTED, "dash": "dot"}
    figure.add_scatter(x=[0, 1], y=[0, 1], mode="lines", name=words["series_diagonal"], line=line, hoverinfo="skip")
    figure.add_scatter(
        x=[sum(b for b, _ in row) / len(row) for row in rows],
        y=[sum(kept for _, kept in row) / len(row) for row in rows],
        text=[f"{sum(kept for _, kept in row)}/{len(row)}" for row in rows],
        mode="markers+text",
        textposition="top center",
        name=words["axis_share"],
        marker={"color": c.KEPT, "size": [8 + 2 * min(8, len(row) ** 0.5) for row in rows]},
    )
    return figure.update_yaxes(range=[-0.05, 1.15]).update_xaxes(range=[-0.03, 1.03])


def over_time(trace: Trace, words: Words) -> go.Figure | None:
    """Tokens against each arm's own clock, prefill included; a step gives its tokens at its end."""
    if not trace.speculative.steps:
        return None
    figure = _figure(words, "plot_time", "axis_seconds", "axis_tokens")
    plain = [(words["arm_plain"].format(number=i + 1), arm, c.MUTED, "dash") for i, arm in enumerate(trace.baseline)]
    for name, arm, colour, dash in [(words["arm_speculative"], trace.speculative, c.KEPT, "solid"), *plain]:
        x, y = _curve(arm)
        line = {"color": colour, "dash": dash, "shape": "hv"}
        steps = [None, *(step.index for step in arm.steps)] if arm is trace.speculative else None
        figure.add_scatter(x=x, y=y, mode="lines", name=name, line=line, customdata=steps)
    return figure


def _curve(arm: Arm) -> tuple[list[float], list[int]]:
    start = arm.prefill.target_seconds + arm.prefill.draft_seconds
    clock = list(accumulate((step.seconds for step in arm.steps), initial=start))
    return clock, list(accumulate((len(step.emitted) for step in arm.steps), initial=0))


def _figure(words: Words, title: str, x: str, y: str) -> go.Figure:
    axis = {"gridcolor": c.LINE, "zerolinecolor": c.LINE, "linecolor": c.LINE, "automargin": True}
    return go.Figure(
        layout={
            "template": go.layout.Template(),  # an empty one: the default adds 6 kB of colours that no theme knows
            "height": HEIGHT,
            "title": {"text": words[title], "x": 0, "xref": "paper", "y": 0.98, "yanchor": "top", "font": {"size": 15}},
            "font": {"family": "IBM Plex Sans, sans-serif", "size": 13, "color": c.INK},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "margin": {"l": 8, "r": 8, "t": 60, "b": 8},
            "legend": {
                "orientation": "h",
                "y": 1.0,
                "yanchor": "bottom",
                "x": 1,
                "xanchor": "right",
                "font": {"size": 12},
            },
            "xaxis": axis | {"title": {"text": words[x]}},
            "yaxis": axis | {"title": {"text": words[y]}, "rangemode": "tozero"},
        }
    )
