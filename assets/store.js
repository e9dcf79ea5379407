// The page's one state: a trace (the JSON of specviz.trace, grown step by step while a run is live) and a cursor in it.

const state = {
  lang: new URLSearchParams(location.search).get("lang") === "vi" ? "vi" : "en",
  run: null,
  feeds: 0,
  next: 0, // which feed, and the number of its next message
  trace: null,
  source: "",
  title: "",
  phase: "idle",
  arm: 0,
  message: "",
  fraction: null,
  error: null,
  figures: null,
  step: 0,
  position: 0,
  follow: true, // follow: the cursor goes with a live run until a person moves it
  plain: 0,
  filter: null,
  beat: null,
  guess: false,
  revealed: true,
  clock: null,
  whole: false,
  intro: true, // whether the headline still stands
  about: false,
  note: "",
  rule_of_choice: null, // how a recorded run was taken among others
  whatif: null,
  simulated: null,
  rule: "exact",
};

const steps = () => (state.trace ? state.trace.speculative.steps : []);
const stepNow = () => steps()[state.step] || null;
const finished = () => ["done", "stopped", "recorded"].includes(state.phase);

const emptyArm = () => ({
  prefill: { target_seconds: 0, draft_seconds: 0 },
  steps: [],
  output: { ids: [], text: "", stop_reason: "" },
});
const armOf = (arm) => {
  if (arm === 0) return state.trace.speculative;
  while (state.trace.baseline.length < arm) state.trace.baseline.push(emptyArm());
  return state.trace.baseline[arm - 1];
};

const READ = {
  queued: () => Object.assign(state, { phase: "queued", message: "", error: null }),
  loading: (m) => Object.assign(state, { phase: "loading", message: m.message, fraction: m.fraction, error: null }),
  started(m) {
    const again = m.order.length && m.order[0] > 0 && !m.order.includes(0) && state.trace; // another plain run
    if (!again) {
      state.trace = {
        settings: m.settings,
        prompt: m.prompt,
        tokens: {},
        speculative: emptyArm(),
        baseline: [],
        metrics: {},
        environment: m.environment,
      };
      Object.assign(state, {
        rule_of_choice: null,
        step: 0,
        position: 0,
        follow: true,
        plain: 0,
        figures: null,
        filter: null,
        beat: null,
        simulated: null,
        whatif: null,
      });
    }
    Object.assign(state.trace.tokens, m.tokens);
    Object.assign(state, { phase: "running", source: "live", title: "", error: null, clock: null, order: m.order });
  },
  arm(m) {
    armOf(m.arm).prefill = m.prefill;
    state.arm = m.arm;
    if (m.arm > 0) state.plain = m.arm - 1;
  },
  step(m) {
    Object.assign(state.trace.tokens, m.tokens);
    armOf(m.arm).steps.push(m.step);
    if (m.arm === 0 && state.follow) chooseStep(steps().length - 1, true);
  },
  arm_end: (m) => {
    armOf(m.arm).output = m.output;
  },
  finished(m) {
    Object.assign(state.trace, { metrics: m.metrics, environment: m.environment });
    Object.assign(state.trace.tokens, m.tokens);
    Object.assign(state, { phase: m.cancelled ? "stopped" : "done", message: "", fraction: null });
  },
  trace(m) {
    Object.assign(state, {
      trace: m.trace,
      rule_of_choice: m.rule,
      source: m.source,
      title: m.title || "",
      phase: "recorded",
      error: null,
      message: "",
      plain: 0,
      follow: false,
      figures: null,
      filter: null,
      beat: null,
      simulated: null,
      whatif: null,
      clock: null,
    });
    const at = m.step ?? tellingStep();
    chooseStep(clamp(at, 0, Math.max(0, steps().length - 1)), true);
    if (m.position !== null && m.position !== undefined) state.position = m.position;
  },
  figures: (m) => {
    state.figures = m.figures;
  },
  error: (m) => Object.assign(state, { error: m, phase: state.trace ? "recorded" : "idle", message: "" }),
};

// value: { run, last, chunks: { number: JSON text of a list of messages } }. After a gap the server is asked for all.
function readFeed(value) {
  if (!value || !value.run) return false;
  if (value.run !== state.run) Object.assign(state, { run: value.run, next: 0, feeds: state.feeds + 1 });
  if (value.last < state.next) return false;
  while (state.next <= value.last) {
    const chunk = value.chunks[state.next];
    if (chunk === undefined) {
      if (value.final) trigger("resync");
      return false;
    }
    for (const message of JSON.parse(chunk)) READ[message.type](message);
    state.next += 1;
  }
  return true;
}

// ---- the cursor ---------------------------------------------------------------------------------------------------

// A position is a draft's number; the number after the last draft is the token that was added.
function telling(step) {
  const lost = step.drafts.findIndex((draft) => draft.status === "rejected");
  return lost >= 0 ? lost : step.drafts.length;
}

// The first step that shows most: accepted, rejected, discarded and resampled, with a fair overlap.
function tellingStep() {
  const good = (step) => {
    const lost = step.drafts.findIndex((draft) => draft.status === "rejected");
    if (lost < 1 || lost === step.drafts.length - 1) return false;
    return step.drafts[lost].overlap >= 0.4 && step.drafts[lost].overlap <= 0.8;
  };
  return Math.max(0, steps().findIndex(good));
}

function chooseStep(index, keepFollowing = false) {
  if (!steps().length) return;
  state.step = clamp(index, 0, steps().length - 1);
  state.position = clamp(telling(stepNow()), 0, Math.max(0, positionsOf(stepNow()) - 1));
  forget(keepFollowing);
}

function choosePosition(step, position) {
  state.step = clamp(step, 0, Math.max(0, steps().length - 1));
  state.position = clamp(position, 0, Math.max(0, positionsOf(stepNow()) - 1));
  forget(false);
}

function forget(keepFollowing) {
  Object.assign(state, { whatif: null, simulated: null, clock: null, revealed: !state.guess });
  if (!keepFollowing)
    Object.assign(state, {
      follow: state.phase === "running" && state.arm === 0 && state.step === steps().length - 1,
      beat: null,
    });
}

// The token the target added itself; null where the run ended on an accepted draft.
function addedOf(step) {
  const last = step.emitted[step.emitted.length - 1];
  return last && last.kind !== "accepted" ? last : null;
}

function positionsOf(step) {
  return step ? step.drafts.length + (addedOf(step) ? 1 : 0) : 0;
}

// What stands at a position: { draft } or { added }, and the draft whose rejection it answers.
function at(step, position) {
  const lost = step.drafts.find((draft) => draft.status === "rejected") || null;
  if (position < step.drafts.length) return { draft: step.drafts[position], added: null, lost };
  return { draft: null, added: addedOf(step), lost };
}

// A draft may be 'accepted' by its test and yet lie behind an end: then it is discarded in the trace itself.
function counts(arm) {
  const found = { accepted: 0, rejected: 0, discarded: 0, resampled: 0, bonus: 0, plain: 0, tokens: 0 };
  for (const step of arm.steps) {
    for (const draft of step.drafts) if (draft.status !== "accepted") found[draft.status] += 1;
    for (const token of step.emitted) found[token.kind] += 1;
    found.tokens += step.emitted.length;
  }
  return found;
}

const prefillOf = (arm) => arm.prefill.target_seconds + arm.prefill.draft_seconds;

// How far an arm is at a moment of its own clock: { steps, tokens, seconds }.
function reached(arm, moment) {
  let clock = prefillOf(arm);
  let tokens = 0;
  let index = 0;
  for (; index < arm.steps.length; index += 1) {
    if (clock + arm.steps[index].seconds > moment + 1e-9) break;
    clock += arm.steps[index].seconds;
    tokens += arm.steps[index].emitted.length;
  }
  return { steps: index, tokens, seconds: Math.min(moment, clock), in_steps: clock - prefillOf(arm) };
}
