// What a person does: buttons, keys, beats, replay. Every action changes `state` and asks for a redraw.

const replay = { timer: null, start: 0 };
const replaying = () => replay.timer !== null;

const ACTIONS = {
  first: () => chooseStep(0),
  previous: () => chooseStep(state.step - 1),
  next: () => chooseStep(state.step + 1),
  last: () => chooseStep(steps().length - 1),
  beat: nextBeat,
  guess: () => Object.assign(state, { guess: !state.guess, revealed: state.guess }),
  reveal: () => {
    state.revealed = true;
  },
  rejection: () =>
    choosePosition(
      state.step,
      stepNow().drafts.findIndex((draft) => draft.status === "rejected"),
    ),
  filter: (node) => {
    state.filter = state.filter === node.dataset.state ? null : node.dataset.state;
  },
  bar: (node) => chooseStep(Number(node.dataset.step)),
  arm: (node) => {
    state.plain = Number(node.dataset.arm);
  },
  plain: () => trigger("plain"),
  whole: () => {
    state.whole = !state.whole;
  },
  replay: () => (replaying() ? stopReplay() : startReplay()),
  simulate: () => {
    state.simulated = Array.from({ length: 100 }, () => Math.random());
    state.playing = true;
  },
  rule: (node) => {
    state.rule = node.value;
    state.playing = true;
  },
  present: () => togglePresent(),
  sheet: () => document.body.classList.toggle("sv-sheet"),
  watch: () => watchThisStep(),
  play: () => (walking() ? stopWalking() : walk(Infinity)),
  about: () => {
    state.about = !state.about;
  },
  introduced: () => {
    state.intro = false;
  },
  runlive: () => {
    if (!narrow()) state.intro = false;
    document.getElementById("sv-run").click();
  },
  copy: () => copyText(resultLine()),
  link: () => copyText(linkHere()),
};

// ---- a step in four beats: draft, check, decide, add --------------------------------------------------------------

function nextBeat() {
  if (!steps().length) return;
  if (state.beat === null) state.beat = 1;
  else if (state.beat < 4) state.beat += 1;
  else {
    const more = state.step < steps().length - 1;
    if (more) chooseStep(state.step + 1, true);
    state.beat = more ? 1 : null;
  }
  state.follow = false;
}

const walker = { timer: null, left: 0 };
const walking = () => walker.timer !== null;

// Beat by beat by itself, for so many beats, or to the end of the run; what a person does in between ends it.
function walk(beats, pause = 1000) {
  stopWalking();
  walker.left = beats;
  walker.timer = setInterval(() => {
    const end = state.beat === 4 && state.step >= steps().length - 1;
    if (walker.left <= 0 || end) stopWalking();
    else {
      nextBeat();
      walker.left -= 1;
      if (walker.left <= 0) stopWalking();
    }
    draw();
  }, pause);
  nextBeat();
  walker.left -= 1;
}

function stopWalking() {
  clearInterval(walker.timer);
  walker.timer = null;
}

function watchThisStep() {
  state.beat = null;
  if (calm()) nextBeat();
  else walk(4, 1300);
}

// ---- the race again, at the speed that was measured; both lanes on one clock --------------------------------------

function startReplay() {
  const arms = [state.trace.speculative, state.trace.baseline[state.plain]].filter(Boolean);
  const end = Math.max(...arms.map((arm) => prefillOf(arm) + sum(arm.steps.map((step) => step.seconds))));
  replay.start = performance.now();
  replay.timer = setInterval(() => {
    const clock = (performance.now() - replay.start) / 1000;
    if (clock >= end) return stopReplay();
    state.clock = clock;
    const index = reached(state.trace.speculative, clock).steps - 1;
    if (index >= 0 && index !== state.step) {
      state.step = index;
      state.position = telling(stepNow());
      draw();
    } else drawLanes();
    return undefined;
  }, 100);
}

function stopReplay() {
  clearInterval(replay.timer);
  replay.timer = null;
  state.clock = null;
  chooseStep(state.step);
  draw();
}

// ---- keys ---------------------------------------------------------------------------------------------------------

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || !steps().length) return;
  const target = event.target;
  if (event.key === "Escape") hideCard();
  if (event.key === "Escape" && !drawerOpen() && document.body.classList.contains("sv-present")) {
    togglePresent();
    return draw();
  }
  if (!(target === document.body || element.contains(target)) || target.matches("input, textarea, select")) return;
  if (target.closest(".text") && event.key.startsWith("Arrow")) return;
  const move = (by) => {
    const position = state.position + by;
    if (position < 0) choosePosition(state.step - 1, 99);
    else if (position >= positionsOf(stepNow()))
      choosePosition(
        state.step + (state.step < steps().length - 1 ? 1 : 0),
        state.step < steps().length - 1 ? 0 : 99,
      );
    else choosePosition(state.step, position);
  };
  const keys = {
    ArrowRight: () => move(1),
    ArrowLeft: () => move(-1),
    ArrowDown: ACTIONS.next,
    ArrowUp: ACTIONS.previous,
    Home: ACTIONS.first,
    End: ACTIONS.last,
    " ": target.matches("button, summary") && !target.matches(".chip") ? null : nextBeat,
  };
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  const inList = target.closest(".rowlist");
  stopWalking();
  act();
  draw();
  if (inList) element.querySelector(".chip.chosen")?.focus({ preventScroll: true });
}

function onClick(event) {
  const chipNode = event.target.closest(".rowlist .chip, .lookup .chip");
  if (chipNode) {
    stopWalking();
    choosePosition(Number(chipNode.dataset.step), Number(chipNode.dataset.position));
    return draw();
  }
  const doer = event.target.closest("[data-do]");
  if (doer && !doer.matches("input") && ACTIONS[doer.dataset.do]) {
    if (doer.dataset.do !== "play") stopWalking();
    ACTIONS[doer.dataset.do](doer);
    return draw();
  }
  const word = event.target.closest(".lane.speculative .w");
  if (word) {
    chooseStep(Number(word.dataset.step));
    return draw();
  }
  return undefined;
}

function onInput(event) {
  const doing = event.target.dataset.do;
  if (doing === "whatif") {
    state.whatif = Number(event.target.value);
    redrawPin();
  } else if (doing === "rule") {
    ACTIONS.rule(event.target);
    draw();
    element.querySelector(`input[name="sv-rule"][value="${state.rule}"]`)?.focus();
  }
}

// While the dotted pin is dragged only the picture and the words change: the slider under the finger stays.
function redrawPin() {
  const old = element.querySelector(".tradebox");
  const step = stepNow();
  const item = at(step, state.position).draft
    ? at(step, state.position)
    : at(
        step,
        step.drafts.findIndex((d) => d.status === "rejected"),
      );
  old.replaceWith(drawBox(item, step, old.geometry.width));
  const kept = state.whatif < item.draft.p / item.draft.q;
  element.querySelector(".whatif-words").textContent = t("whatif", {
    u: num(state.whatif),
    outcome: t(kept ? "whatif_kept" : "whatif_lost"),
  });
}

// The dotted pin can be drawn with the pointer too, along the drafted token's stretch of the top edge.
function onDrag(event) {
  const picture = event.target.closest && event.target.closest(".tradebox:not(.edge-only)");
  if (!picture || (event.type === "pointermove" && !(event.buttons & 1)) || !state.revealed) return;
  const { box, draft, width } = picture.geometry;
  const frame = picture.getBoundingClientRect();
  const x = ((event.clientX - frame.left) / frame.width) * width;
  state.whatif = clamp((x / width - box.start) / Math.max(draft.q, 1e-9), 0, 0.999);
  const slider = element.querySelector('[data-do="whatif"]');
  if (slider) slider.value = state.whatif;
  redrawPin();
}

function togglePresent() {
  state.present = document.body.classList.toggle("sv-present");
  part("root").classList.toggle("present", state.present);
}
