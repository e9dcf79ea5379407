// A small card beside the token under the pointer or the keyboard: its id, text, p, q, and what decided.

let cardOf = null;

function showCard(node) {
  const step = steps()[Number(node.dataset.step)];
  if (!step) return;
  const position = Number(node.dataset.position);
  const { draft, added } = at(step, position);
  const token = draft || added;
  if (!token) return hideCard();
  const hidden =
    state.guess && !state.revealed && Number(node.dataset.step) === state.step && position >= state.position;
  const kind = draft ? draft.status : added.kind;
  const rows = draft
    ? [
        ["p", num(draft.p)],
        ["q", num(draft.q)],
      ]
    : [[added.kind === "resampled" ? t("residual_short") : "p", num(added.probability)]];
  if (draft && draft.u !== null && !hidden)
    rows.push(["p/q", num(Math.min(1, draft.p / draft.q))], ["u", num(draft.u)]);
  if (!draft && added.draw !== null) rows.push([t("draw_short"), num(added.draw)]);
  const card = el("div", { class: "hovercard", "aria-hidden": "true" }, [
    el("strong", {}, hidden ? "?" : t(kind)),
    el("span", { class: "text" }, [shown(tokenOf(token.id), 40), el("small", {}, ` id ${token.id}`)]),
    el(
      "span",
      { class: "pq" },
      rows.map(([name, value]) => el("span", {}, `${name} ${value}`)),
    ),
  ]);
  hideCard();
  element.querySelector(".sv").append(card);
  cardOf = { node, card };
  const from = node.getBoundingClientRect();
  const own = card.getBoundingClientRect();
  const below = from.bottom + 6 + own.height < window.innerHeight;
  card.style.left = `${clamp(from.left, 4, Math.max(4, window.innerWidth - own.width - 4))}px`;
  card.style.top = `${below ? from.bottom + 6 : from.top - own.height - 6}px`;
  return undefined;
}

function hideCard() {
  if (cardOf) cardOf.card.remove();
  cardOf = null;
}

const chipUnder = (event) => event.target.closest && event.target.closest(".rowlist .chip");

function wireCard() {
  element.addEventListener("mouseover", (event) => {
    const node = chipUnder(event);
    if (node ? !cardOf || cardOf.node !== node : cardOf) return node ? showCard(node) : hideCard();
    return undefined;
  });
  element.addEventListener("focusin", (event) => {
    const node = chipUnder(event);
    if (node && node.matches(":focus-visible")) showCard(node);
    else hideCard();
  });
  element.addEventListener("focusout", hideCard);
  element.addEventListener("mouseleave", hideCard);
  document.addEventListener("scroll", hideCard, true);
}
