// How a token looks: spaces and line ends visible, parts of characters as their bytes; its name for a screen reader.

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function rawBytes(token) {
  const hex = token ? token.bytes : "";
  return Uint8Array.from({ length: hex.length >> 1 }, (_, i) => parseInt(hex.substr(2 * i, 2), 16));
}

function decoded(bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

function tokenOf(id) {
  return (state.trace && state.trace.tokens[id]) || { text: "#" + id, bytes: "" };
}

// The token's own text, or null where its bytes are only a part of a character.
function tokenText(token) {
  return token.bytes ? decoded(rawBytes(token)) : token.text;
}

const UNSEEN = new RegExp(
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f" +
    "\\u2028-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff]",
);
const code = (character) => "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

// [{ text }] or [{ mark, label }] pieces; every character of the token is in exactly one of them
function pieces(token) {
  const text = tokenText(token);
  if (text === null)
    return [
      {
        small: token.bytes.toUpperCase().replace(/(..)(?=.)/g, "$1 "),
        label: t("part_bytes", { bytes: token.bytes }),
      },
    ];
  if (text === "") return [{ small: "∅", label: t("empty_token") }];
  const found = [];
  for (const character of text) {
    if (character === " ") found.push({ dot: true, label: t("whitespace_space") });
    else if (character === "\n") found.push({ mark: "newline", label: t("whitespace_newline") });
    else if (character === "\t") found.push({ mark: "tab", label: t("whitespace_tab") });
    else if (character === "\u00a0") found.push({ small: "nbsp", label: t("whitespace_nbsp") });
    else if (UNSEEN.test(character))
      found.push({ small: code(character), label: t("whitespace_zero", { code: code(character) }) });
    else if (found.length && found[found.length - 1].text !== undefined) found[found.length - 1].text += character;
    else found.push({ text: /^\p{M}/u.test(character) && !found.length ? "\u25cc" + character : character });
  }
  return found;
}

function shown(token, most = 28) {
  let room = most;
  const nodes = [];
  for (const piece of pieces(token)) {
    if (room <= 0) {
      nodes.push("…");
      break;
    }
    if (piece.dot) nodes.push(el("span", { class: "ws" }, "·"));
    else if (piece.mark) nodes.push(mark(piece.mark, "ws"));
    else if (piece.small) nodes.push(el("span", { class: "raw" }, piece.small));
    else
      nodes.push(
        el("bdi", {}, piece.text.length > room ? [...piece.text].slice(0, room).join("") + "…" : piece.text),
      );
    room -= piece.text ? piece.text.length : 1;
  }
  return el("span", { class: "tok" }, nodes);
}

// Plain text for SVG labels and names. Names spell out what a person can't hear.
function label(token) {
  return pieces(token)
    .map((p) => (p.dot ? "·" : p.mark === "newline" ? "\u21b5" : p.mark === "tab" ? "\u21e5" : p.small || p.text))
    .join("");
}

function spoken(token) {
  return pieces(token)
    .map((p) => p.label || p.text)
    .join(" ")
    .trim();
}

// A chip inside a sentence: looks like the one in the list, can't be pressed.
function inlineChip(id, status) {
  return el("span", { class: `chip ${status}` }, [status === "none" ? null : mark(status), shown(tokenOf(id))]);
}

// Emitted tokens in groups that end on whole characters: [{ text, kinds, step }]; an emoji of two tokens is one group.
function characterGroups(steps, from = 0) {
  const groups = [];
  let held = null;
  steps.forEach((step, index) => {
    step.emitted.forEach((token, position) => {
      const bytes = rawBytes(tokenOf(token.id));
      const before = held ? held.bytes : new Uint8Array();
      const joined = new Uint8Array([...before, ...bytes]);
      const text = tokenOf(token.id).bytes ? decoded(joined) : tokenOf(token.id).text;
      const group = held || { step: index + from, position, ids: [] };
      group.kind = token.kind;
      group.ids.push(token.id);
      if (text === null && joined.length < 4) {
        held = { ...group, bytes: joined };
      } else {
        groups.push({ ...group, text: text === null ? "\ufffd" : text });
        held = null;
      }
    });
  });
  if (held) groups.push({ ...held, text: "\ufffd", open: true });
  return groups;
}
