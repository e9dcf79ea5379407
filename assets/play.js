// What one may play with at a position: labelled as invented, computed from the same numbers.

function drawPlay(item, step) {
  const { draft } = item;
  const box = tradeBox({ x: draft.id, p: draft.p, q: draft.q, overlap: draft.overlap, rows: draft.top, u: draft.u });
  const ratio = Math.min(1, draft.p / draft.q);
  const outcomeWords =
    state.whatif === null
      ? t("whatif_start")
      : t("whatif", {
          u: num(state.whatif),
          outcome: t(state.whatif < draft.p / draft.q ? "whatif_kept" : "whatif_lost"),
        });
  const slider = el("input", {
    type: "range",
    min: 0,
    max: 0.999,
    step: 0.001,
    value: state.whatif ?? draft.u ?? 0.5,
    "data-do": "whatif",
    "aria-label": t("whatif_name"),
  });
  const kept = state.simulated ? state.simulated.filter((u) => u < draft.p / draft.q).length : 0;
  const rules = ["exact", "keep", "from_p"].map((name) =>
    el("label", {}, [
      el("input", { type: "radio", name: "sv-rule", value: name, checked: state.rule === name, "data-do": "rule" }),
      t("rule_" + name),
    ]),
  );
  return el("details", { class: "play", open: state.playing }, [
    el("summary", {}, t("play")),
    el("div", { class: "playrow" }, [
      el("label", { class: "whatif" }, [slider, el("span", { class: "whatif-words" }, outcomeWords)]),
      el("button", { type: "button", class: "small", "data-do": "simulate" }, t("simulate")),
      state.simulated
        ? el(
            "span",
            { class: "muted" },
            t("simulated", { kept, lost: state.simulated.length - kept, percent: percent(ratio) }),
          )
        : null,
    ]),
    el("fieldset", { class: "playrow" }, [
      el("legend", { class: "sr" }, t("play")),
      ...rules,
      el("span", { class: "muted" }, ruleResult(draft, box)),
    ]),
  ]);
}

function ruleResult(draft, box) {
  if (state.rule === "exact") return t("rule_result_exact");
  const position = { x: draft.id, p: draft.p, q: draft.q, rows: draft.top };
  const law = outcome(state.rule, position, box.beta);
  const wanted = new Map([...draft.top.map((row) => [row[0], row[1]]), [draft.id, draft.p]]);
  const worst = [...law.keys()].sort(
    (a, b) => Math.abs(law.get(b) - wanted.get(b)) - Math.abs(law.get(a) - wanted.get(a)),
  )[0];
  const tv = (state.rule === "from_p" ? "≥ " : "") + num(misses(state.rule, position, box));
  return rich("rule_result_wrong", {
    tv,
    token: () => inlineChip(worst, "none"),
    got: num(law.get(worst)),
    want: num(wanted.get(worst)),
  });
}
