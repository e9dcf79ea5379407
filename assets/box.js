// The trade box as a picture. Coordinates come from tradebox.js; here is only drawing, in pixels of the panel's width.

const CHARACTER = 7.9; // width of one character of the labels, 13 px mono

function patterns() {
  const lines = (id, d, colour, size, turn) =>
    svg(
      "pattern",
      {
        id,
        width: size,
        height: size,
        patternUnits: "userSpaceOnUse",
        patternTransform: turn ? `rotate(${turn})` : null,
      },
      [
        svg("rect", { width: size, height: size, style: { fill: `var(--${colour}-fill)` } }),
        svg("path", { d, style: { stroke: `var(--${colour}-line)`, "stroke-width": "1.6" } }),
      ],
    );
  return svg("svg", { class: "sv-defs", width: 0, height: 0, "aria-hidden": "true" }, [
    svg("defs", {}, [lines("sv-hatch", "M0 0 V8", "lost", 8, 45), lines("sv-stripe", "M0 4 H8", "owed", 8, 0)]),
  ]);
}

// One row of cells. `kind`: kept, lost, owed, target. Labels only where they fit.
function drawCells(cells, { width, y, height, kind, outline, status }) {
  return cells.map((cell) => {
    const left = cell.x * width;
    const wide = cell.width * width;
    const whole = cell.id === OTHERS ? t("others") : label(tokenOf(cell.id));
    const chosen = outline.includes(cell.id) && cell.id !== OTHERS;
    const most = Math.floor((wide - 8) / CHARACTER);
    const name = chosen && whole.length > most && most > 3 ? whole.slice(0, most - 1) + "…" : whole;
    const fits = name.length * CHARACTER + 8 <= wide;
    const share = `${name} ${percent(cell.width)}`;
    return svg(
      "g",
      {
        class: `cell ${kind} ${chosen ? "chosen" : ""} ${status || ""}`,
        "data-id": cell.id,
        "data-x": cell.x,
        "data-width": cell.width,
      },
      [
        svg("title", {}, `${whole}: ${num(cell.width)}`),
        svg("rect", { x: left, y, width: Math.max(0.5, wide), height, rx: 1.5 }),
        fits
          ? svg(
              "text",
              { x: left + wide / 2, y: y + height / 2 + 4.5, "text-anchor": "middle" },
              kind !== "kept" && height < 32 && share.length * CHARACTER + 8 <= wide ? share : name,
            )
          : null,
      ],
    );
  });
}

const thin = 3; // pixels: narrower cells join others

function drawBox(item, step, width) {
  const { draft, lost } = item;
  const box = tradeBox({ x: draft.id, p: draft.p, q: draft.q, overlap: draft.overlap, rows: draft.top, u: draft.u });
  const rejection = draft.status === "rejected";
  const added = rejection ? addedOf(step) : null;
  const revealed = state.revealed && !(state.beat !== null && state.beat < 3);
  const least = thin / width;
  const keep = [draft.id, ...(added ? [added.id] : [])];
  const top = 25; // room for the pin's label
  const high = state.present ? 44 : 35;
  const bottom = top + 2 * high + 4;
  const edge = (y, name) => svg("line", { x1: 0, x2: width, y1: y, y2: y, class: `edge ${name}` });
  const lookup = draft.from === "prompt_lookup";
  const cut = box.beta * width;
  const parts = [
    svg("text", { x: 0, y: 12, class: "q-label" }, t(lookup ? "edge_q_lookup" : "edge_q")),
    edge(top - 2, "q"),
    ...drawCells(merged(box.shared, least, keep, "first"), {
      width,
      y: top,
      height: 2 * high + 4,
      kind: "kept",
      outline: [draft.id],
    }),
    ...drawCells(merged(box.much, least, keep), { width, y: top, height: high, kind: "lost", outline: [draft.id] }),
    ...drawCells(merged(box.owed, least, keep), {
      width,
      y: top + high + 4,
      height: high,
      kind: "owed",
      outline: added && revealed ? [added.id] : [],
    }),
    edge(bottom + 2, "p"),
    svg("text", { x: 0, y: bottom + 17, class: "p-label" }, t("edge_p")),
  ];
  const shared = t("shared", { percent: percent(box.beta) });
  if (shared.length * 7.2 + 12 < cut)
    parts.push(svg("text", { x: 7, y: top + 17, class: "strong kept-text" }, shared));
  if (1 - box.beta > 1e-9) {
    const much = t("too_much", { percent: percent(1 - box.beta) });
    const owed = t("still_owed", { percent: percent(1 - box.beta) });
    const large = state.present ? 1.35 : 1;
    const room = width - t("edge_p").length * 7;
    if (!(revealed && box.pin !== null && box.pin * width + 90 * large > width - much.length * 6.8 * large))
      parts.push(svg("text", { x: width, y: 12, class: "lost-text", "text-anchor": "end" }, much));
    if (owed.length * 7 < room)
      parts.push(svg("text", { x: width, y: bottom + 17, class: "owed-text", "text-anchor": "end" }, owed));
  }
  if (box.beta > 1e-9 && box.beta < 1 - 1e-9)
    parts.push(svg("line", { x1: cut, x2: cut, y1: top - 5, y2: bottom + 5, class: "cut" }));
  if (state.simulated) parts.push(...drawSimulated(box, draft, width, top));
  if (revealed && box.pin !== null)
    parts.push(drawPin(box.pin * width, top, 2 * high, `u = ${num(draft.u)}`, width, "pin"));
  const whatif = state.whatif === null ? null : pinAt(box.beta, draft.p, draft.q, state.whatif);
  if (whatif !== null) parts.push(drawPin(whatif * width, top, 2 * high, "", width, "pin whatif"));
  let height = bottom + 22;
  if (rejection && revealed && added) {
    const y = bottom + 25;
    const stretched = stretchedCells(box);
    parts.unshift(
      // under the labels
      svg("path", { class: "flare", d: `M${cut} ${bottom + 3} L${width} ${bottom + 3} L${width} ${y} L0 ${y} Z` }),
      svg("path", { class: "flare-line", d: `M${cut} ${bottom + 3} L0 ${y} M${width} ${bottom + 3} L${width} ${y}` }),
    );
    parts.push(
      ...drawCells(merged(stretched, least, [added.id]), {
        width,
        y,
        height: 24,
        kind: "owed",
        outline: [added.id],
        status: "stretched",
      }),
    );
    const cell = stretched.find((c) => c.id === added.id);
    if (cell && added.draw !== null)
      parts.push(drawFlag(clamp((cell.x + cell.width / 2) * width, 6, width - 6), y + 24));
    height = y + 35;
  }
  const name = t("box_name", {
    beta: percent(box.beta),
    u: draft.u === null ? t("na") : num(draft.u),
    status: t(draft.status),
  });
  const picture = svg(
    "svg",
    {
      class: "tradebox",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-label": name,
      "data-beta": box.beta,
      "data-pin": box.pin,
    },
    parts,
  );
  picture.geometry = { box, draft, width, lost };
  return picture;
}

// A triangle and a line; the label goes to the side with room.
function drawPin(x, top, height, text, width, kind) {
  const wide = text.length * 7.6 + 14;
  const right = x + wide < width;
  return svg("g", { class: kind, "data-x": x / width }, [
    svg("path", { d: `M${x - 6} ${top - 14} L${x + 6} ${top - 14} L${x} ${top - 5} Z` }),
    svg("line", { x1: x, x2: x, y1: top - 6, y2: top + height + 4 }),
    text
      ? svg(
          "text",
          { x: right ? x + 10 : x - 10, y: top - 6, "text-anchor": right ? "start" : "end", class: "strong" },
          text,
        )
      : null,
  ]);
}

// Which cell the second draw fell into. Its place inside the cell is not claimed: draws run in the order of ids.
function drawFlag(x, y) {
  return svg("g", { class: "pin flag" }, [
    svg("path", { d: `M${x - 6} ${y + 9} L${x + 6} ${y + 9} L${x} ${y + 1} Z` }),
  ]);
}

function drawSimulated(box, draft, width, top) {
  return state.simulated.map((u) => {
    const x = pinAt(box.beta, draft.p, draft.q, u);
    return svg("line", {
      class: `sim ${u < draft.p / draft.q ? "kept" : "lost"}`,
      x1: x * width,
      x2: x * width,
      y1: top - 5,
      y2: top + 9,
    });
  });
}

// p alone, for a bonus or a plain token.
function drawEdge(added, width) {
  const rows = added.top || [[added.id, added.probability ?? 0]];
  const cells = edgeCells(rows);
  const least = thin / width;
  const cell = cells.find((c) => c.id === added.id);
  const high = 44;
  const parts = [
    ...drawCells(merged(cells, least, [added.id]), {
      width,
      y: 6,
      height: high,
      kind: "target",
      outline: [added.id],
      status: added.kind,
    }),
    svg("line", { x1: 0, x2: width, y1: high + 9, y2: high + 9, class: "edge p" }),
    svg(
      "text",
      { x: 0, y: high + 38, class: "p-label" },
      t("edge_p") + " · " + t("draw_label", { draw: num(added.draw) }),
    ),
  ];
  if (cell && added.draw !== null && added.draw !== undefined)
    parts.push(drawFlag(clamp((cell.x + cell.width / 2) * width, 6, width - 6), high + 9));
  return svg(
    "svg",
    {
      class: "tradebox edge-only",
      viewBox: `0 0 ${width} ${high + 44}`,
      width,
      height: high + 44,
      role: "img",
      "aria-label": t("box_name_p"),
    },
    parts,
  );
}
