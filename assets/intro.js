// What a first-time visitor reads first, and what a recorded run was: openly labelled, with all that was chosen among.

function drawIntro() {
  const place = part("intro");
  const first = state.source === "recorded" && state.intro && !document.body.classList.contains("sv-present");
  place.hidden = !state.trace || !(first || state.about);
  const key = JSON.stringify([first, state.about, state.lang, state.run]);
  if (place.hidden || place.dataset.key === key) return;
  place.dataset.key = key;
  place.replaceChildren(first ? headline() : "", state.about ? about() : "");
}

function headline() {
  const lookup = state.trace.settings.drafter.kind === "prompt_lookup";
  return el("div", { class: "headline" }, [
    el("p", {}, t(lookup ? "headline_lookup" : "headline")),
    button("watch", { class: "small", "data-do": "watch" }),
    button("run_live", { class: "small", "data-do": "runlive" }),
    el(
      "button",
      { type: "button", class: "icon", "data-do": "introduced", "aria-label": t("hide"), title: t("hide") },
      [mark("rejected")],
    ),
  ]);
}

// [word, text] pairs of the run; whatever a file says is text here and nothing else.
function about() {
  const { settings, prompt, environment } = state.trace;
  const e = environment || {};
  const recorded = e.recorded || {};
  const text = (value) => (["string", "number"].includes(typeof value) ? String(value) : "");
  const models = Object.values(e.models || {}).map((model) => text(model && model.source));
  const seeds = Object.entries(recorded.speedups || {}).map(([seed, ratio]) => `${seed}: ${text(ratio)}`);
  const order = Array.isArray(e.order)
    ? e.order.map((arm) => t(arm === "baseline" ? "lane_plain" : "lane_speculative"))
    : [];
  const rows = [
    ["prompt", prompt.text],
    ["about_pair", pairLine()],
    ["about_settings", settingsLine(settings)],
    ["about_weights", [...new Set(models.filter(Boolean))].join("; ")],
    ["about_machine", [hardware(), settings.target.dtype].filter(Boolean).join(", ")],
    [
      "about_software",
      ["torch", "transformers"]
        .map((name) => e[name] && `${name} ${text(e[name])}`)
        .filter(Boolean)
        .join(", "),
    ],
    ["about_date", text(e.date).slice(0, 10)],
    ["about_order", order.join(", ")],
    ["about_rule", errorWords(state.rule_of_choice)],
    ["about_seeds", seeds.join("; ")],
  ];
  return el(
    "dl",
    { class: "card about" },
    rows.filter((row) => row[1]).flatMap(([name, value]) => [el("dt", {}, t(name)), el("dd", {}, value)]),
  );
}

function settingsLine(s) {
  const more = { top_k: 0, top_p: 1, min_p: 0, repetition_penalty: 1 };
  const named = Object.keys(more)
    .filter((name) => s[name] !== more[name])
    .map((name) => `${t(name)} ${s[name]}`);
  return [
    t("gamma_line", { gamma: s.gamma }),
    t("temperature_line", { temperature: s.temperature }),
    ...named,
    `seed ${s.seed}`,
    t(s.chat ? "mode_chat" : "mode_raw"),
  ].join(" · ");
}

// Which pair has been chosen, and what it costs or can: said when a drop-down changes it.
function paired(drafter, target, draft) {
  const names = drafter === "prompt_lookup" ? [target] : [target, draft];
  const line = names.length > 1 ? t("pair_line", { target, drafter: draft }) : t("pair_line_lookup", { target });
  const fetched = names.filter((name) => Object.hasOwn(TO_FETCH, name));
  const says = [line + "."];
  if (target === "bundled") says.push(t("bundled_only"));
  if (fetched.length) {
    const megabytes = sum(fetched.map((name) => TO_FETCH[name])).toLocaleString("en");
    says.push(t("note_fetch", { models: fetched.join(", "), megabytes }));
  }
  state.note = says.join(" ");
  clearTimeout(paired.timer);
  paired.timer = setTimeout(() => {
    state.note = "";
    drawSoon();
  }, 8000);
  drawSoon();
}
