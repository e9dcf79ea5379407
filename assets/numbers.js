// More numbers: every measure with its definition, where two greedy arms part, and the plots (drawn when opened).

const TABLE = [
  "measured_speedup",
  "end_to_end_speedup",
  "predicted_from_parts",
  "theory_speedup",
  "step_cost",
  "tokens",
  "steps",
  "drafted",
  "tested",
  "acceptance_rate",
  "mean_overlap",
  "mean_acceptance_length",
  "mean_drafted",
  "cost_ratio",
];
const TIMES = ["tokens_per_second", "ttft_seconds", "tpot_seconds", "itl_median_seconds", "itl_max_seconds"];
const WHOLE = ["tokens", "steps", "drafted", "tested"];
const OVER = {
  acceptance_rate: ["accepted", "tested"],
  mean_acceptance_length: ["tokens", "steps"],
  mean_drafted: ["drafted", "steps"],
};

function drawNumbers() {
  const panel = part("numbers");
  panel.hidden = !state.trace || !Object.keys(state.trace.metrics || {}).length;
  if (
    panel.hidden ||
    list.numbers === `${state.run} ${state.lang} ${state.phase} ${Boolean(state.figures)} ${dark()}`
  )
    return;
  list.numbers = `${state.run} ${state.lang} ${state.phase} ${Boolean(state.figures)} ${dark()}`;
  const open = panel.querySelector("details")?.open || false;
  const body = el("div", { class: "numbersbody" });
  const details = el("details", { open }, [el("summary", {}, t("numbers")), body]);
  const fill = () => {
    if (!details.open || body.firstChild) return;
    body.replaceChildren(...differ(), metricsTable(), el("div", { class: "plots" }));
    drawPlots(body.querySelector(".plots"));
  };
  details.addEventListener("toggle", fill);
  panel.replaceChildren(details);
  fill();
}

function metricsTable() {
  const m = state.trace.metrics;
  const row = (key, value) =>
    el("tr", {}, [
      el("th", { scope: "row" }, t("m_" + key)),
      el("td", { class: "n" }, value),
      el("td", { class: "muted" }, t("d_" + key)),
    ]);
  const one = (key) => {
    const value =
      m[key] === null || m[key] === undefined ? t("na") : WHOLE.includes(key) ? String(m[key]) : num(m[key]);
    return row(key, OVER[key] && m[OVER[key][1]] ? `${value} = ${m[OVER[key][0]]}/${m[OVER[key][1]]}` : value);
  };
  const unit = (key, x) =>
    x === null || x === undefined ? t("na") : key === "tokens_per_second" ? num(x, 1) : `${num(1000 * x, 1)} ms`;
  const arms = [
    [t("arm_speculative"), m.speculative],
    ...(m.baseline || []).map((a, i) => [t("arm_plain", { number: i + 1 }), a]),
  ];
  const times = TIMES.map((key) =>
    row(
      key,
      arms.filter(([, a]) => a).map(([name, a]) => el("div", {}, `${name}: ${unit(key, a[key])}`)),
    ),
  );
  return el("table", { class: "metrics" }, [
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ["metric", "value", "definition"].map((key) => el("th", { scope: "col" }, t(key))),
      ),
    ),
    el("tbody", {}, [...TABLE.map(one), ...times]),
  ]);
}

// At temperature 0: the first token where speculative and plain part, and by what margin of the recorded logits.
function differ() {
  const plain = state.trace.baseline[0];
  if (state.trace.settings.temperature !== 0 || !plain) return [];
  const [a, b] = [state.trace.speculative.output.ids, plain.output.ids];
  const index = a.findIndex((id, i) => i < b.length && id !== b[i]);
  const box = (content) => [el("p", { class: "differ" }, [el("strong", {}, t("differ_title") + " "), content])];
  if (index < 0) return box(t("differ_none"));
  const top = plain.steps[index] && plain.steps[index].emitted[0].logits;
  const values = new Map(top || []);
  const margin =
    values.has(a[index]) && values.has(b[index]) ? Math.abs(values.get(a[index]) - values.get(b[index])) : null;
  const key = margin !== null && margin > 1 ? "differ_wide" : "differ";
  return box(
    rich(key, {
      index: index + 1,
      a: () => inlineChip(a[index], "none"),
      b: () => inlineChip(b[index], "none"),
      margin: num(margin, 4),
      dtype: state.trace.settings.target.dtype,
    }),
  );
}

// ---- plots: figures come from Python in both languages and light colours; the theme is put in here ----------------

const dark = () => document.body.classList.contains("dark") || document.documentElement.classList.contains("dark");
let plotly = null;

function loadPlotly() {
  plotly ||= new Promise((done, failed) => {
    const before = window.Plotly; // Gradio brings its own, older one
    const root = (window.gradio_config && window.gradio_config.root) || "";
    const script = el("script", { src: `${root}/gradio_api/file=${PLOTLY}` });
    script.onload = () => {
      const loaded = window.Plotly;
      if (before) window.Plotly = before;
      done(loaded);
    };
    script.onerror = failed;
    document.head.append(script);
  });
  return plotly;
}

async function drawPlots(place) {
  const figures = state.figures && (state.figures[state.lang] || state.figures.en);
  if (!figures || !place) return;
  let library;
  try {
    library = await loadPlotly();
  } catch {
    place.replaceChildren(el("p", { class: "muted" }, t("plot_missing")));
    return;
  }
  const made = figures.map((text) => JSON.parse(dark() ? darkened(text) : text));
  const frames = made.map((figure) =>
    el("div", { class: "plot", role: "img", "aria-label": figure.layout.title.text }),
  );
  place.replaceChildren(...frames); // all of them first, so that each is drawn at the width it keeps
  for (const [i, figure] of made.entries()) {
    const frame = frames[i];
    await library.newPlot(frame, figure.data, figure.layout, { displayModeBar: false, responsive: true });
    frame.on("plotly_click", (event) => {
      const step = event.points[0].customdata;
      if (typeof step === "number") {
        chooseStep(step);
        draw();
      }
    });
  }
}

function darkened(text) {
  return Object.entries(DARK).reduce((all, [light, night]) => all.replaceAll(light, night), text);
}
