// Small helpers that everything else uses: elements, words, numbers. The files of this folder are joined in the order
// that specviz/ui/assets.py gives and run inside one function; `WORDS` and Gradio's `element`, `trigger`, `props`,
// `watch` come from outside. Text from models reaches the page through textContent only.

const NS = "http://www.w3.org/2000/svg";

function put(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") node.setAttribute("class", value);
    else if (key === "style") for (const [name, v] of Object.entries(value)) node.style.setProperty(name, v);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...[children].flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

// el("button", { class: "chip", title: text }, [child, "text"]); strings become text nodes, never markup
function el(name, attributes, children) {
  return put(document.createElement(name), attributes, children === undefined ? [] : children);
}

function svg(name, attributes, children) {
  return put(document.createElementNS(NS, name), attributes, children === undefined ? [] : children);
}

// ---- words -------------------------------------------------------------------------------------------------------

function template(key) {
  const words = WORDS[state.lang] || WORDS.en;
  return key in words ? words[key] : WORDS.en[key] || key;
}

function t(key, values) {
  return template(key).replace(/\{(\w+)\}/g, (whole, name) =>
    values && name in values ? String(values[name]) : whole,
  );
}

// The same with nodes for values: a list of text and nodes.
function rich(key, values) {
  return template(key)
    .split(/(\{\w+\})/)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part);
      if (!name) return part;
      const value = values[name[1]];
      return typeof value === "function" ? value() : value === undefined ? part : value;
    });
}

// ---- numbers: a decimal point in both languages -------------------------------------------------------------------

// Two decimals; two significant digits below 0.01; a share that is not 1 never reads as 1.
function num(x, digits = 2) {
  if (x === null || x === undefined || Number.isNaN(x)) return t("na");
  const size = Math.abs(x);
  if (size === 0) return "0";
  if (size < 1e-6)
    return x
      .toExponential(1)
      .replace("-", "−")
      .replace(/^−(?=\d)/, "−");
  if (size < 10 ** -digits)
    return Number(x.toPrecision(2))
      .toFixed(Math.ceil(-Math.log10(size)) + 1)
      .replace("-", "−");
  let text = x.toFixed(digits);
  if (size < 1 && Math.abs(Number(text)) === 1) text = size > 0.9999 ? (x < 0 ? "-0.9999" : "0.9999") : x.toFixed(4);
  return text.replace("-", "−");
}

// For sentences: two decimals, two significant digits below 0.1, so that a ratio can be checked by eye.
const figure = (x) =>
  x > 0 && x < 0.1 && x >= 1e-6 ? Number(x.toPrecision(2)).toFixed(Math.ceil(-Math.log10(x)) + 1) : num(x);

function percent(x) {
  if (x === null || x === undefined) return t("na");
  if (x > 0 && x < 1e-4) return "< 0.01 %";
  const whole = Math.round(100 * x);
  if (x > 0 && x < 1 && (whole === 100 || whole === 0))
    return (x > 0.5 ? Math.min(99.9, 100 * x).toFixed(1) : num(100 * x)) + " %";
  return whole + " %";
}

// Two numbers that must not look equal when they are not: as many digits as tell them apart.
function told(a, b) {
  if (a === b || figure(a) !== figure(b)) return [figure(a), figure(b)];
  let digits = 3;
  while (digits < 8 && num(a, digits) === num(b, digits)) digits += 1;
  return [num(a, digits), num(b, digits)];
}

function signed(x) {
  return Math.abs(x) < 5e-7 ? "0.00" : (x > 0 ? "+" : "") + (Math.abs(x) < 0.005 ? num(x) : num(x, 2));
}

function seconds(x) {
  return x === null || x === undefined ? t("na") : x >= 100 ? x.toFixed(0) : x >= 1 ? x.toFixed(1) : x.toFixed(3);
}

const sum = (values) => values.reduce((total, x) => total + x, 0);
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
const narrow = () => window.matchMedia("(max-width: 760px)").matches;
const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

// ---- marks: drawn, since the bundled fonts lack ticks, crosses and arrows -----------------------------------------

const MARKS = {
  accepted: "M2 6.5 L5 9.5 L10 2.5",
  rejected: "M2.5 2.5 L9.5 9.5 M9.5 2.5 L2.5 9.5",
  discarded: "M2.5 2.5 H9.5 V9.5 H2.5 Z",
  resampled: "M9.8 4 A4.2 4.2 0 1 0 10.2 6.8 M10.2 1.2 V4.4 H7",
  bonus: "M6 1.5 V10.5 M1.5 6 H10.5",
  plain: "M2.5 6 H9.5",
  newline: "M10 2 V6 H2.5 M5 3.5 L2.5 6 L5 8.5",
  tab: "M1.5 6 H9 M6.5 3.5 L9 6 L6.5 8.5 M10.5 2.5 V9.5",
  first: "M9.5 2 L5 6 L9.5 10 M2.5 2 V10",
  previous: "M8 1.5 L3.5 6 L8 10.5",
  next: "M4 1.5 L8.5 6 L4 10.5",
  last: "M2.5 2 L7 6 L2.5 10 M9.5 2 V10",
  beat: "M2.5 2 L7.5 6 L2.5 10 Z M10 2 V10",
  pause: "M3.5 2 V10 M8.5 2 V10",
  play: "M3 1.5 L10 6 L3 10.5 Z",
};

function mark(name, extra = "") {
  const filled = ["beat", "play"].includes(name);
  return svg("svg", { class: `mark ${extra}`, viewBox: "0 0 12 12", "aria-hidden": "true" }, [
    svg("path", { d: MARKS[name], fill: filled ? "currentColor" : "none", stroke: "currentColor" }),
  ]);
}

function button(key, attributes, children) {
  const label = t(key);
  return el(
    "button",
    { type: "button", ...attributes, "aria-label": children ? label : null, title: children ? label : null },
    children || label,
  );
}
