// Keep and share: one line of result, a link to this view.

function pairLine() {
  const { target, drafter } = state.trace.settings;
  return drafter.kind === "prompt_lookup"
    ? t("pair_line_lookup", { target: target.name })
    : t("pair_line", { target: target.name, drafter: drafter.name });
}

function hardware() {
  const e = state.trace.environment || {};
  const name = e.hardware || e.gpu || e.processor || e.device || state.trace.settings.target.device || "";
  return e.threads && !e.gpu && !e.hardware ? `${name}, ${t("threads", { count: e.threads })}` : String(name);
}

function resultLine() {
  const m = state.trace.metrics || {};
  const s = state.trace.settings;
  const of = (key) => `${t("m_" + key)} ${num(m[key])}`;
  const memory = state.trace.environment && state.trace.environment.peak_memory_bytes;
  return [
    `specviz: ${pairLine()}`,
    t("gamma_line", { gamma: s.gamma }),
    t("temperature_line", { temperature: s.temperature }),
    s.target.dtype,
    hardware(),
    of("measured_speedup"),
    of("end_to_end_speedup"),
    of("theory_speedup"),
    of("acceptance_rate"),
    of("mean_acceptance_length"),
    of("cost_ratio"),
    memory ? `${Math.round(memory / 1e6)} MB` : null,
    `seed ${s.seed}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

// The settings that a link to a live run names; a longer prompt is not put into a link.
const SHARED = ["gamma", "temperature", "top_k", "top_p", "min_p", "repetition_penalty", "max_ngram"].concat([
  "max_new_tokens",
  "seed",
]);
const LONGEST = 1500;

function linkHere() {
  const query = new URLSearchParams({ lang: state.lang });
  if (state.source === "recorded" && state.title) query.set("run", state.title);
  query.set("step", state.step + 1);
  query.set("position", state.position + 1);
  if (state.source !== "recorded" && state.trace) {
    const s = state.trace.settings;
    for (const key of SHARED) query.set(key, s[key]);
    query.set("form", s.chat ? "chat" : "raw");
    if (state.trace.prompt.text.length <= LONGEST) query.set("prompt", state.trace.prompt.text);
    query.set("drafter", s.drafter.kind === "prompt_lookup" ? "prompt-lookup" : s.drafter.name);
    query.set("target", s.target.name);
    query.delete("step");
    query.delete("position");
  }
  if (document.body.classList.contains("sv-present")) query.set("mode", "present");
  return `${location.origin}${location.pathname}?${query}`;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el("textarea", { class: "sr" }, text);
    element.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  part("copied").textContent = t("copied");
}
