// Did it pay: one line of arithmetic, and the break-even strip. The mean height over the dashed line is the speedup.

function drawPay() {
  const panel = part("pay");
  panel.hidden = !state.trace;
  if (!state.trace) return;
  const m = state.trace.metrics || {};
  const words = el("div", { class: "paywords" }, payWords(m));
  panel.replaceChildren(
    words,
    drawStrip(m, Math.max(200, panel.clientWidth < 700 ? panel.clientWidth - 28 : panel.clientWidth / 2 - 30)),
  );
}

function payWords(m) {
  const ratio = m.measured_speedup;
  if (ratio === null || ratio === undefined) {
    const key = state.phase === "running" ? "pay_running" : "pay_unknown_more";
    return [
      el("p", { class: "verdict-line" }, [
        el("strong", {}, t("pay_unknown")),
        " ",
        el("span", { class: "muted" }, t(key)),
      ]),
      el("p", { class: "muted" }, t("pay_note")),
    ];
  }
  const verdict = ratio >= 1.1 ? "pay_yes" : ratio >= 1 ? "pay_barely" : "pay_no";
  const asides = [];
  if (m.theory_speedup !== null && m.theory_speedup !== undefined)
    asides.push(t("pay_theory", { ratio: num(m.theory_speedup) }));
  const loss = ratio < 1 ? [t("pay_loss", { cost: num(m.step_cost, 1), tau: num(m.mean_acceptance_length, 1) })] : [];
  asides.push(advice(m, ratio));
  const sumLine = rich("pay_arithmetic", {
    tau: () => el("b", {}, num(m.mean_acceptance_length)),
    cost: () => el("b", {}, num(m.step_cost)),
    ratio: () => el("b", {}, num(ratio)),
  });
  const costs = [t("pay_prefill", { seconds: seconds(m.speculative ? m.speculative.prefill_seconds : null) })];
  if (state.trace.settings.drafter.kind === "prompt_lookup") costs.push(t("pay_no_memory"));
  else if (draftMemory()) costs.push(t("pay_memory", { megabytes: Math.round(draftMemory() / 1e6) }));
  return [
    el("p", { class: "verdict-line" }, [
      el("strong", { class: ratio >= 1 ? "won" : "lost" }, t(verdict, { ratio: num(ratio, ratio < 1 ? 2 : 1) })),
      " ",
      el("span", { class: "muted" }, asides.join(" ")),
    ]),
    el("p", { class: "sumline" }, sumLine),
    el("p", { class: "muted costs" }, [...loss, ...costs].join(" ")),
  ];
}

// One piece of advice, from the theory at this alpha and c: another draft length, or none at all.
function advice(m, ratio) {
  const { gamma } = state.trace.settings;
  if (m.best_gamma === 0) return t("pay_off");
  if (m.best_gamma && m.best_gamma !== gamma && m.best_gamma_speedup > Math.max(1, ratio))
    return t("pay_best", { gamma: m.best_gamma, ratio: num(m.best_gamma_speedup) });
  return ratio < 1 ? t("pay_no_better") : "";
}

const draftMemory = () => ((state.trace.environment || {}).models || {}).draft?.bytes || null;

function drawStrip(m, width) {
  const all = steps();
  const most = Math.max(2, ...all.map((step) => step.emitted.length), Math.ceil(m.step_cost || 0));
  const high = 66;
  const unit = Math.min(13, (high - 6) / most);
  const note = m.step_cost ? (state.present ? 132 : 92) : 8;
  const column = Math.min(22, (width - note) / Math.max(1, all.length));
  const gap = column > 6 ? 3 : column > 3 ? 1 : 0;
  const columns = all.map((step, index) => {
    const x = index * column;
    const blocks = step.emitted.map((token, i) =>
      svg("rect", {
        class: `block ${token.kind}`,
        x: x + gap / 2,
        y: high - (i + 1) * unit,
        width: Math.max(0.8, column - gap),
        height: Math.max(1, unit - (unit > 4 ? 2 : 0.5)),
        rx: unit > 6 ? 2 : 0,
      }),
    );
    return svg(
      "g",
      {
        class: "bar" + (index === state.step ? " chosen" : ""),
        "data-do": "bar",
        "data-step": index,
        "data-tokens": step.emitted.length,
      },
      [
        svg("title", {}, t("strip_bar", { step: index + 1, tokens: step.emitted.length })),
        svg("rect", { class: "hit", x, y: 0, width: column, height: high }),
        ...blocks,
      ],
    );
  });
  const end = Math.min(width - note + 6, all.length * column + 6);
  const line = m.step_cost ? high - m.step_cost * unit : null;
  return svg(
    "svg",
    {
      class: "strip",
      viewBox: `0 0 ${width} ${high + 2}`,
      width,
      height: high + 2,
      role: "img",
      "aria-label": t("strip_name"),
      "data-cost": m.step_cost ?? null,
      "data-unit": unit,
    },
    [
      ...columns,
      line === null ? null : svg("line", { class: "even", x1: 0, x2: end, y1: line, y2: line }),
      line === null
        ? null
        : svg(
            "text",
            { x: end + 6, y: clamp(line + 4, 12, high), class: "note-text" },
            t("break_even", { cost: num(m.step_cost, 1) }),
          ),
    ],
  );
}
