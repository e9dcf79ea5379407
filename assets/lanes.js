// Two lanes on one left edge and on one clock: what each arm had written when the chosen step ended.

function laneSpans(arm, limit, place) {
  if (place.key !== arm || place.run !== state.run || place.done > arm.steps.length) {
    Object.assign(place, { key: arm, run: state.run, done: 0, spans: [] });
    place.text.replaceChildren();
  }
  // a character that was still unfinished is drawn again with what followed
  while (place.spans.length && Number(place.spans[place.spans.length - 1].dataset.step) >= place.done)
    place.spans.pop().remove();
  for (const group of characterGroups(arm.steps.slice(place.done), place.done)) {
    const span = el("span", { class: `w ${group.kind}`, "data-step": group.step }, laneText(group));
    place.spans.push(span);
    place.text.append(span);
    place.open = group.open ? group.step : null;
  }
  place.done = place.open ?? arm.steps.length;
  for (const span of place.spans) span.classList.toggle("ahead", Number(span.dataset.step) >= limit);
}

function laneText(group) {
  return group.text.split(/(\n|\t)/).map((piece) => (piece === "\n" ? [mark("newline", "ws"), "\n"] : piece));
}

const laneState = { speculative: {}, plain: {} };

function drawLanes() {
  const panel = part("lanes");
  if (!panel.firstChild) buildLanes(panel);
  panel.classList.toggle("whole", state.whole);
  panel.hidden = !state.trace;
  if (!state.trace) return;
  const arm = state.trace.speculative;
  const plain = state.trace.baseline[state.plain];
  const last = state.step >= arm.steps.length - 1;
  const moment = state.clock ?? prefillOf(arm) + sum(arm.steps.slice(0, state.step + 1).map((step) => step.seconds));
  const all = state.clock === null && last; // at the end both lanes stand whole
  drawLane("speculative", arm, state.clock === null ? null : moment, state.clock === null ? state.step + 1 : null);
  drawLane("plain", plain, all || state.phase === "running" ? null : moment, null);
  const tabs =
    state.trace.baseline.length > 1
      ? state.trace.baseline.map((_, i) =>
          el(
            "button",
            {
              type: "button",
              class: "tab",
              "data-do": "arm",
              "data-arm": i,
              "aria-pressed": String(i === state.plain),
              "aria-label": t("arm_plain", { number: i + 1 }),
            },
            String(i + 1),
          ),
        )
      : [];
  panel.querySelector(".tabs").replaceChildren(...tabs);
  const running = state.phase === "running" || state.phase === "loading";
  panel.querySelector(".odds").textContent =
    state.trace.settings.temperature === 0 ? t("temperature_zero") : t("same_odds");
  const links = panel.querySelector(".links");
  links.replaceChildren(
    el(
      "button",
      { type: "button", class: "link", "data-do": "plain", disabled: running || state.source !== "live" },
      t("another_plain"),
    ),
    el(
      "button",
      { type: "button", class: "link", "data-do": "replay", disabled: running },
      t(replaying() ? "replay_stop" : "replay"),
    ),
    el(
      "button",
      { type: "button", class: "link", "data-do": "whole", "aria-expanded": String(state.whole) },
      t(state.whole ? "whole_text_less" : "whole_text"),
    ),
  );
}

function buildLanes(panel) {
  for (const name of ["speculative", "plain"]) {
    const text = el("div", { class: "text", tabindex: 0, dir: "auto", role: "region" });
    const lane = el("div", { class: `lane ${name}` }, [
      el("strong", { class: "name" }),
      text,
      el("span", { class: "figures" }),
    ]);
    laneState[name] = { lane, text, spans: [], done: 0, key: null };
    panel.append(lane);
  }
  laneState.plain.lane.querySelector(".name").after(el("span", { class: "tabs" }));
  panel.append(el("div", { class: "under" }, [el("span", { class: "odds" }), el("span", { class: "links" })]));
}

function drawLane(name, arm, moment, limit) {
  const place = laneState[name];
  place.lane.querySelector(".name").textContent = t("lane_" + name);
  place.text.setAttribute("aria-label", t("lane_" + name));
  const figures = place.lane.querySelector(".figures");
  if (!arm || (!arm.steps.length && state.phase === "running" && state.arm !== (name === "plain" ? 1 : 0))) {
    place.text.replaceChildren(
      el("span", { class: "muted" }, t(state.phase === "running" ? "lane_waiting" : "lane_none")),
    );
    Object.assign(place, { key: null, spans: [], done: 0 });
    figures.textContent = "";
    return;
  }
  const whole = {
    steps: arm.steps.length,
    tokens: sum(arm.steps.map((s) => s.emitted.length)),
    in_steps: sum(arm.steps.map((s) => s.seconds)),
    seconds: 0,
  };
  whole.seconds = prefillOf(arm) + whole.in_steps;
  let now = moment === null ? whole : reached(arm, moment);
  if (limit !== null && limit < arm.steps.length) {
    const first = arm.steps.slice(0, limit);
    const inSteps = sum(first.map((s) => s.seconds));
    now = {
      steps: limit,
      tokens: sum(first.map((s) => s.emitted.length)),
      in_steps: inSteps,
      seconds: prefillOf(arm) + inSteps,
    };
  }
  laneSpans(arm, now.steps, place);
  const values = {
    tokens: now.tokens,
    passes: now.steps,
    seconds: seconds(now.seconds),
    rate: now.in_steps > 0 ? (now.tokens / now.in_steps).toFixed(1) : t("na"),
  };
  figures.textContent = t(narrow() ? "lane_figures_short" : "lane_figures", values);
  figures.dataset.tokens = now.tokens;
  figures.dataset.passes = now.steps;
  if (!state.whole) keepInSight(place, now.steps);
}

function keepInSight(place, steps) {
  const last = [...place.spans].reverse().find((span) => Number(span.dataset.step) < steps);
  const box = place.text;
  if (!last) {
    box.scrollLeft = box.scrollTop = 0;
    return;
  }
  box.scrollLeft = Math.max(0, last.offsetLeft + last.offsetWidth - box.clientWidth + 40);
  const line = parseFloat(getComputedStyle(box).lineHeight) || 28;
  box.scrollTop = Math.max(0, Math.ceil((last.offsetTop + last.offsetHeight - box.clientHeight) / line) * line);
}
