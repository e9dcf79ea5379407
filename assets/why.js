// The panel of the chosen position: the decision as a sentence, the box, the token rows, and what one may play with.

function sentence(item) {
  const { draft, added, lost } = item;
  const step = stepNow();
  const verdict = (name) => () => el("strong", { class: `verdict ${name}` }, t("v_" + name));
  if (!draft) {
    if (added.kind === "resampled") return sentence({ draft: lost, added: null, lost });
    const values = {
      verdict: verdict(added.kind),
      x: () => inlineChip(added.id, added.kind),
      p: num(added.probability),
      count: step.drafts.length,
    };
    return rich(added.kind === "bonus" ? "s_bonus" : "s_plain", values);
  }
  const x = () => inlineChip(draft.id, draft.status);
  if (draft.status === "discarded") {
    return rich(lost ? "s_discarded" : "s_discarded_cut", {
      verdict: verdict("discarded"),
      x,
      lost: () => lost && inlineChip(lost.id, "rejected"),
    });
  }
  const [p, q] = told(draft.p, draft.q);
  const ratio = draft.q > 0 ? Math.min(1, draft.p / draft.q) : 0;
  const [u] = told(draft.u, ratio);
  const after = addedOf(step);
  const values = {
    verdict: verdict(draft.status),
    x,
    p,
    q,
    u,
    percent: percent(ratio),
    added: () => (after ? inlineChip(after.id, after.kind) : ""),
  };
  const greedy = state.trace.settings.temperature === 0;
  const lookup = draft.from === "prompt_lookup";
  let key = "s_rejected";
  if (draft.status === "accepted")
    key = greedy
      ? "s_accepted_greedy"
      : draft.p >= draft.q
        ? "s_accepted_sure"
        : lookup
          ? "s_accepted_lookup"
          : "s_accepted_lucky";
  else if (greedy) key = "s_rejected_greedy";
  else if (draft.p === 0) key = "s_rejected_zero";
  else if (lookup) key = "s_rejected_lookup";
  return rich(key, values);
}

// Rows of (id, p, q), the likeliest first; the drafted and the added token always among them; the rest as others.
function tableRows(item, most) {
  const draft = item.draft || (item.added && item.added.kind === "resampled" ? item.lost : null);
  if (!draft) {
    const rows = (item.added.top || []).map(([id, p]) => ({ id, p, q: null }));
    return withOthers(rows, [item.added.id], most, Math.max(0, 1 - sum(rows.map((row) => row.p))), null, null);
  }
  const rows = draft.top.map(([id, p, q]) => ({ id, p, q }));
  if (!rows.some((row) => row.id === draft.id)) rows.push({ id: draft.id, p: draft.p, q: draft.q });
  const after = addedOf(stepNow());
  const keep = [draft.id, ...(draft.status === "rejected" && after ? [after.id] : [])];
  const box = tradeBox({ x: draft.id, p: draft.p, q: draft.q, overlap: draft.overlap, rows: draft.top });
  return withOthers(
    rows,
    keep,
    most,
    box.others.shared + box.others.owed,
    box.others.shared + box.others.much,
    box.others.shared,
  );
}

function withOthers(rows, keep, most, p, q, both) {
  const order = [...rows].sort((a, b) => Math.max(b.p, b.q ?? 0) - Math.max(a.p, a.q ?? 0));
  const first = [
    ...order.filter((row) => keep.includes(row.id)),
    ...order.filter((row) => !keep.includes(row.id)),
  ].slice(0, most);
  const shownRows = order
    .filter((row) => first.includes(row))
    .map((row) => ({ ...row, both: Math.min(row.p, row.q ?? row.p) }));
  const left = order.filter((row) => !first.includes(row));
  const others = {
    id: OTHERS,
    p: p + sum(left.map((row) => row.p)),
    q: q === null ? null : q + sum(left.map((row) => row.q)),
    both: both === null ? p + sum(left.map((row) => row.p)) : both + sum(left.map((row) => Math.min(row.p, row.q))),
  };
  return others.p > 1e-6 || (others.q ?? 0) > 1e-6 ? [...shownRows, others] : shownRows;
}

function drawRows(item, most) {
  const rows = tableRows(item, most);
  const scale = Math.max(
    ...rows.map((row) =>
      Math.max(
        row.both + (row.p - row.both) + 0,
        row.q ?? 0,
        row.id === OTHERS ? row.p + (row.q ?? row.p) - row.both : 0,
      ),
    ),
    1e-9,
  );
  const draft = item.draft || (item.added.kind === "resampled" ? item.lost : null);
  const two = rows.some((row) => row.q !== null);
  const bar = (share, kind) =>
    share > 1e-9
      ? el("i", { class: kind, style: { width: `${(100 * share) / scale}%` }, "data-share": share })
      : null;
  const cells = rows.map((row) => {
    const pin =
      draft && row.id === draft.id && draft.u !== null && state.revealed ? (100 * draft.u * draft.q) / scale : null;
    const kind = two ? "kept" : item.added.id === row.id ? item.added.kind : "target";
    return el("tr", { class: draft && row.id === draft.id ? "drafted" : "" }, [
      el("th", { scope: "row" }, row.id === OTHERS ? t("others") : shown(tokenOf(row.id), 16)),
      el("td", { class: "bars" }, [
        bar(row.both, kind),
        two ? bar((row.q ?? 0) - row.both, "lost") : null,
        two ? bar(row.p - row.both, "owed") : null,
        pin === null ? null : el("b", { class: "rowpin", style: { left: `${clamp(pin, 0, 100)}%` } }),
      ]),
      el("td", { class: "n" }, num(row.p)),
      two ? el("td", { class: "n" }, num(row.q)) : null,
      two ? el("td", { class: "n" }, signed(row.p - row.q)) : null,
    ]);
  });
  const head = ["rows_token", null, "rows_p", ...(two ? ["rows_q", "rows_difference"] : [])];
  return el("table", { class: "rows", "aria-label": t("rows_name") }, [
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        head.map((key, i) => (key ? el("th", { scope: "col", class: i > 1 ? "n" : "sr" }, t(key)) : el("td"))),
      ),
    ),
    el("tbody", {}, cells),
  ]);
}

function drawWhy() {
  const panel = part("why");
  const step = stepNow();
  if (!step || !positionsOf(step)) {
    panel.replaceChildren(el("p", { class: "muted" }, t(state.trace ? "why_empty" : "empty")));
    return;
  }
  const item = at(step, state.position);
  const hidden = state.guess && !state.revealed && item.draft && item.draft.status !== "discarded";
  const width = Math.max(240, Math.floor(panel.clientWidth - panelPadding(panel)));
  const says = el("p", { class: "sentence", "aria-live": "polite" }, hidden ? guessing(item) : sentence(item));
  const nodes = [says];
  const boxed =
    item.draft && item.draft.status !== "discarded"
      ? item
      : item.added && item.added.kind === "resampled"
        ? at(step, step.drafts.indexOf(item.lost))
        : null;
  if (item.draft && item.draft.status === "discarded") {
    if (item.lost)
      nodes.push(
        el("p", {}, el("button", { type: "button", class: "link", "data-do": "rejection" }, t("go_to_rejection"))),
      );
    nodes.push(el("p", { class: "muted" }, t("rule")));
  } else {
    nodes.push(el("div", { class: "boxwrap" }, boxed ? drawBox(boxed, step, width) : drawEdge(item.added, width)));
    const after =
      boxed && boxed.draft.status === "rejected" && !hidden && (state.beat === null || state.beat > 3)
        ? addedOf(step)
        : null;
    if (after && after.draw !== null) nodes.push(el("p", { class: "note" }, stretchedWords(boxed.draft, after)));
    if (boxed && boxed.draft.p >= boxed.draft.q && !hidden) nodes.push(el("p", { class: "note" }, t("always_kept")));
    nodes.push(drawRows(boxed || item, rowsThatFit()));
    if (boxed && !hidden) nodes.push(drawPlay(boxed, step));
  }
  if (step.lookup && item.draft) nodes.push(drawLookup(step));
  panel.replaceChildren(...nodes);
}

// Fewer rows where the headline takes their room.
function rowsThatFit() {
  const panel = parseFloat(part("root").style.getPropertyValue("--panel")) || 400;
  return state.present || (panel < 375 && !narrow()) ? 3 : 5;
}

function stretchedWords(draft, after) {
  const box = tradeBox({ x: draft.id, p: draft.p, q: draft.q, overlap: draft.overlap, rows: draft.top });
  return rich("stretched", {
    percent: percent(1 - box.beta),
    draw: num(after.draw),
    token: () => inlineChip(after.id, "resampled"),
  });
}

const panelPadding = (panel) => {
  const style = getComputedStyle(panel);
  return parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
};

function guessing(item) {
  return [
    inlineChip(item.draft.id, "none"),
    ` p = ${num(item.draft.p)}, q = ${num(item.draft.q)}. ${t("guess_ask")} `,
    ...["accepted", "rejected"].map((name) =>
      el("button", { type: "button", class: "small", "data-do": "reveal", "data-say": name }, [mark(name), t(name)]),
    ),
  ];
}

// The copied span, lit in the text it was copied from: some tokens before, the match, the copy.
function drawLookup(step) {
  const before = [];
  for (let i = 0; i < state.step; i += 1) before.push(...steps()[i].emitted.map((token) => token.id));
  const ids = [...state.trace.prompt.ids, ...before];
  const [matched, copied] = [step.lookup.matched, step.lookup.copied];
  const from = Math.max(0, matched[0] - 6);
  const nodes = ids.slice(from, copied[1] + 3).map((id, i) => {
    const place = from + i;
    const kind =
      place >= copied[0] && place < copied[1] ? "copied" : place >= matched[0] && place < matched[1] ? "matched" : "";
    return el("span", { class: kind }, shown(tokenOf(id)));
  });
  return el("p", { class: "lookup" }, [
    el("span", { class: "muted" }, [
      el("i", { class: "matched" }, t("lookup_matched")),
      " · ",
      el("i", { class: "copied" }, t("lookup_copied")),
      " ",
    ]),
    from > 0 ? "… " : "",
    ...nodes,
    " …",
  ]);
}
