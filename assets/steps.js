// The list of steps: one row is one target pass. Rows are made once and then only marked, so that long runs stay quick.

const list = { run: null, trace: null, lang: null, done: 0, rows: [] };

function draftChip(draft, index, position) {
  const name = t("chip_draft", {
    state: t(draft.status),
    token: spoken(tokenOf(draft.id)),
    id: draft.id,
    p: num(draft.p),
    q: num(draft.q),
  });
  return chip(draft.id, draft.status, name, index, position);
}

function addedChip(added, index, position) {
  const name = t("chip_added", {
    state: t(added.kind),
    token: spoken(tokenOf(added.id)),
    id: added.id,
    p: num(added.probability),
  });
  return chip(added.id, added.kind, name, index, position);
}

function chip(id, status, name, index, position) {
  const part = tokenText(tokenOf(id)) === null ? " partial" : "";
  return el(
    "button",
    {
      type: "button",
      class: `chip ${status}${part}`,
      "data-step": index,
      "data-position": position,
      tabindex: -1,
      "aria-label": name,
    },
    [mark(status), shown(tokenOf(id))],
  );
}

function stepRow(step, index) {
  const chips = step.drafts.map((draft, position) => draftChip(draft, index, position));
  const added = addedOf(step);
  const why = step.cut ? t("cut_" + step.cut) : step.limit ? t("limit_" + step.limit) : "";
  return el("li", { class: "step", "data-step": index }, [
    el("span", { class: "index" }, String(index + 1)),
    el("span", { class: "chips", dir: "ltr" }, [
      el("span", { class: "drafts" }, chips),
      added ? addedChip(added, index, step.drafts.length) : null,
      why ? el("span", { class: "limit", title: why }, why) : null,
    ]),
    el("strong", { class: "gain" }, "+" + step.emitted.length),
  ]);
}

function drawSteps() {
  const panel = part("steps");
  panel.hidden = !state.trace;
  if (!state.trace) return;
  if (!panel.querySelector("ol"))
    panel.replaceChildren(el("div", { class: "head" }), el("ol", { class: "rowlist" }), el("div", { class: "sum" }));
  const rows = panel.querySelector("ol");
  if (list.trace !== state.trace || list.lang !== state.lang || list.done > steps().length) {
    Object.assign(list, { trace: state.trace, lang: state.lang, done: 0, rows: [], chosen: null });
    rows.replaceChildren();
  }
  const fresh = steps()
    .slice(list.done)
    .map((step, i) => stepRow(step, list.done + i));
  rows.append(...fresh);
  list.rows.push(...fresh);
  list.done = steps().length;
  markChosen(rows);
  drawHead(panel.querySelector(".head"));
  drawSum(panel.querySelector(".sum"), rows);
}

function markChosen(rows) {
  for (const old of rows.querySelectorAll(".chosen, [aria-current]")) {
    old.classList.remove("chosen", "veiled");
    old.removeAttribute("aria-current");
    if (old.matches(".chip")) old.tabIndex = -1;
    if (old.matches("li")) delete old.dataset.beat;
  }
  const row = list.rows[state.step];
  if (!row) return;
  row.classList.add("chosen");
  if (state.beat !== null) row.dataset.beat = state.beat;
  row.classList.toggle("veiled", state.guess && !state.revealed);
  row.style.setProperty("--from", state.position);
  const chosen = row.querySelector(`[data-position="${state.position}"]`);
  for (const c of row.querySelectorAll(".chip"))
    c.classList.toggle("behind", Number(c.dataset.position) >= state.position);
  if (chosen) {
    chosen.classList.add("chosen");
    chosen.setAttribute("aria-current", "true");
    chosen.tabIndex = 0;
  }
  const top = row.offsetTop; // of the list, which is its offsetParent
  if (top < rows.scrollTop || top + row.offsetHeight > rows.scrollTop + rows.clientHeight)
    rows.scrollTop = Math.max(0, top - rows.clientHeight / 2 + row.offsetHeight / 2);
}

function drawHead(head) {
  const icon = (name, says = t(name), shape = name) =>
    el("button", { type: "button", class: "icon", "data-do": name, "aria-label": says, title: says }, mark(shape));
  const now =
    document.activeElement && head.contains(document.activeElement) ? document.activeElement.dataset.do : null;
  const beats =
    state.beat === null
      ? []
      : ["draft", "check", "decide", "add"].map((name, i) =>
          el("span", { class: "beat" + (state.beat >= i + 1 ? " on" : "") }, t("beat_" + name)),
        );
  head.replaceChildren(
    el(
      "h2",
      {},
      narrow()
        ? t("card_title", { step: state.step + 1, steps: steps().length })
        : [t("steps"), " ", el("small", {}, t("steps_rule"))],
    ),
    beats.length ? el("span", { class: "beats", "aria-live": "polite" }, beats) : "",
    el("span", { class: "nav" }, [
      icon("first"),
      icon("previous"),
      el(
        "output",
        { class: "where" },
        t("step_of", { step: steps().length ? state.step + 1 : 0, steps: steps().length }),
      ),
      icon("next"),
      icon("last"),
      icon("beat", t("beat_next")),
      icon("play", t(walking() ? "pause" : "play_all"), walking() ? "pause" : "play"),
      el(
        "button",
        { type: "button", class: "link", "data-do": "guess", "aria-pressed": String(state.guess) },
        t("guess"),
      ),
    ]),
  );
  if (now) head.querySelector(`[data-do="${now}"]`)?.focus();
}

// 50 accepted + 19 resampled + 6 bonus = 75 tokens; 19 rejected, 31 discarded: the legend, and a filter
function drawSum(place, rows) {
  const found = counts(state.trace.speculative);
  const item = (name) =>
    el(
      "button",
      {
        type: "button",
        class: `key ${name}`,
        "data-do": "filter",
        "data-state": name,
        "aria-pressed": String(state.filter === name),
        title: t("filter_help", { state: t(name) }),
        "data-count": found[name],
      },
      [mark(name), el("b", {}, String(found[name])), " " + t(name)],
    );
  const kinds = ["accepted", "resampled", "bonus", ...(found.plain ? ["plain"] : [])];
  place.replaceChildren(
    ...kinds.flatMap((name, i) => [i ? el("span", { class: "op" }, "+") : "", item(name)]),
    el("span", { class: "total" }, t("sum_tokens", { tokens: found.tokens })),
    item("rejected"),
    item("discarded"),
  );
  if (list.filter === state.filter && list.filtered === list.done) return;
  Object.assign(list, { filter: state.filter, filtered: list.done });
  for (const row of list.rows) row.hidden = Boolean(state.filter) && !row.querySelector(`.chip.${state.filter}`);
}
