// The page put together: the parts of the first screen, what is drawn when, and what is listened to. Runs last.

// The line stands in the bar, in a component of its own; everything else inside this one.
const part = (name) => document.querySelector(`[data-part="${name}"]`);

function drawBar() {
  const line = part("line");
  if (!line) return setTimeout(drawBar, 100); // Gradio mounts the bar in its own time
  if (!state.trace) return line.replaceChildren();
  const s = state.trace.settings;
  const parts = [
    el("b", {}, pairLine()),
    t("gamma_line", { gamma: s.gamma }),
    t("temperature_line", { temperature: s.temperature }),
    s.target.dtype,
    hardware(),
  ];
  const origin = state.source === "recorded" ? t("recorded") : state.source === "file" ? t("opened") : t("live");
  // on a phone this line opens the sheet with the settings
  return line.replaceChildren(
    el(
      "button",
      {
        type: "button",
        class: "what",
        "data-do": narrow() ? "sheet" : "about",
        title: narrow() ? null : t("about"),
        "aria-expanded": String(narrow() ? document.body.classList.contains("sv-sheet") : state.about),
      },
      [origin + ": ", ...parts.filter(Boolean).flatMap((p, i) => (i ? [" · ", p] : [p]))],
    ),
    el("span", { class: "shares" }, [
      narrow() ? el("button", { type: "button", class: "link", "data-do": "about" }, t("about")) : null,
      el("button", { type: "button", class: "link", "data-do": "copy" }, t("copy_result")),
      el("button", { type: "button", class: "link", "data-do": "link" }, t("copy_link")),
      el(
        "button",
        { type: "button", class: "link", "data-do": "present" },
        t(document.body.classList.contains("sv-present") ? "present_off" : "present"),
      ),
      el("span", { "data-part": "copied", role: "status" }),
    ]),
  );
}

function drawStatus() {
  const place = part("status");
  document.body.dataset.sv = ["running", "loading", "queued"].includes(state.phase) ? "busy" : "idle";
  const nodes = [];
  if (state.error) {
    nodes.push(
      el("p", { class: "problem", role: "alert" }, [
        el("strong", {}, t("error_title") + " "),
        errorWords(state.error.message),
        " ",
        errorWords(state.error.hint),
      ]),
    );
  } else if (state.phase === "queued") {
    nodes.push(el("p", {}, [el("span", { class: "spin", "aria-hidden": "true" }), t("queued")]));
  } else if (state.phase === "loading") {
    nodes.push(
      el("p", {}, [
        el("span", { class: "spin", "aria-hidden": "true" }),
        errorWords(state.message) || t("loading"),
        state.fraction !== null && state.fraction !== undefined
          ? el("progress", { max: 1, value: state.fraction })
          : null,
      ]),
    );
  } else if (state.phase === "running") {
    const name = state.arm === 0 ? t("arm_speculative") : t("arm_plain", { number: state.arm });
    nodes.push(el("p", {}, [el("span", { class: "spin", "aria-hidden": "true" }), t("running", { arm: name })]));
  } else if (state.note) nodes.push(el("p", {}, state.note));
  else if (state.phase === "stopped") nodes.push(el("p", {}, t("stopped")));
  const key = JSON.stringify([
    state.error,
    state.phase,
    state.message,
    state.fraction,
    state.arm,
    state.lang,
    state.note,
  ]);
  if (place.dataset.key !== key) {
    place.dataset.key = key;
    place.replaceChildren(...nodes);
  }
}

// An error is a pair of sentences, in both languages where the server could translate it.
const errorWords = (words) => (typeof words === "string" ? words : words ? words[state.lang] || words.en : "");

function drawThumb() {
  const bar = part("thumb");
  bar.hidden = !steps().length;
  const item = (name, text) => el("button", { type: "button", "data-do": name }, text);
  bar.replaceChildren(
    item("previous", [mark("previous"), t("previous")]),
    el("output", {}, t("step_of", { step: state.step + 1, steps: steps().length })),
    item("guess", t("guess")),
    item("next", [t("next"), mark("next")]),
  );
}

function draw() {
  element.querySelector(".sv").lang = state.lang;
  element.querySelector(".sv").classList.toggle("blank", !state.trace);
  drawStatus();
  drawBar();
  drawIntro();
  drawLanes();
  drawSteps();
  drawWhy();
  drawPay();
  drawNumbers();
  drawThumb();
  fit();
}

// The two panels take the room that the first screen leaves them, so that it never scrolls where it can be helped.
function fit() {
  const two = element.querySelector(".two");
  const top = two.getBoundingClientRect().top + window.scrollY;
  const room = window.innerHeight - top - part("pay").offsetHeight - 10;
  const panel = `${Math.round(clamp(room, 330, 640))}px`;
  const root = part("root");
  if (root.style.getPropertyValue("--panel") === panel) return;
  root.style.setProperty("--panel", panel);
  drawWhy(); // it holds as many rows as fit
}

let waiting = false;

function drawSoon() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    draw();
  });
}

function setLanguage(lang) {
  state.lang = lang in WORDS ? lang : "en";
  document.documentElement.lang = state.lang;
  drawSoon();
}

// ---- wiring -------------------------------------------------------------------------------------------------------

element.querySelector(".sv").prepend(patterns());
document.addEventListener("click", onClick); // the bar's line is another component
element.addEventListener("input", onInput);
element.addEventListener(
  "toggle",
  (event) => {
    if (event.target.matches && event.target.matches(".play")) state.playing = event.target.open;
  },
  true,
);
element.addEventListener("pointerdown", onDrag);
element.addEventListener("pointermove", onDrag);
document.addEventListener("keydown", onKey);
document.addEventListener("keydown", onDrawerKey);
wireCard();

// On a phone the settings stand behind Run: the first press shows them, the second runs.
document.addEventListener(
  "click",
  (event) => {
    if (!event.target.closest("#sv-run") || !narrow() || !state.trace) return;
    const open = document.body.classList.toggle("sv-sheet");
    if (open) {
      event.stopImmediatePropagation();
      event.preventDefault();
    }
  },
  true,
);

let knownWidth = 0;
new ResizeObserver(() => {
  const width = part("why").clientWidth;
  if (width && Math.abs(width - knownWidth) > 1) {
    knownWidth = width;
    drawSoon();
  }
}).observe(part("why"));
window.addEventListener("resize", drawSoon);
// what stands above may still change its height: fonts that arrive, a bar that is mounted later, a line that wraps
new ResizeObserver(() => requestAnimationFrame(fit)).observe(document.body);
new MutationObserver(drawSoon).observe(document.body, { attributes: true, attributeFilter: ["class"] });

const take = () => readFeed(props.value) && drawSoon();
watch("value", take);
window.specviz = {
  state,
  toggleDrawer,
  paired,
  walking,
  tradeBox,
  stretchedCells,
  merged,
  edgeCells,
  outcome,
  misses,
  characterGroups,
  setLanguage,
  draw,
  num,
  percent,
  told,
};
setLanguage(state.lang);
if (new URLSearchParams(location.search).get("mode") === "present" && !narrow()) togglePresent();
take();
draw();
