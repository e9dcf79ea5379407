// The geometry of the trade box, and nothing else: numbers of the trace in, coordinates in [0, 1] out. No drawing.
//
// Top edge q, bottom edge p, every width a probability:
//   green  [0, beta]   min(p, q) of every token; the drafted token x stands last
//   upper  [beta, 1]   (q - p)+, "too much"; x stands first, so that x's stretch is q(x) long, cut at min(p, q)/q of it
//   lower  [beta, 1]   (p - q)+, "still owed"
// The pin stands at beta - min(p(x), q(x)) + u q(x): left of beta exactly when u < p/q.

const OTHERS = -1;

// rows: [[id, p, q], ...], one table a position. Returns cells { id, x, width } in the order in which they stand.
function tradeBox({ x, p, q, overlap, rows, u = null }) {
  const table = rows.filter((row) => row[0] !== x);
  const mine = Math.min(p, q);
  const beta = clamp(Math.max(overlap, mine + sum(table.map((row) => Math.min(row[1], row[2])))), 0, 1);

  const shared = table.map((row) => [row[0], Math.min(row[1], row[2])]).sort((a, b) => a[1] - b[1]);
  const much = table.map((row) => [row[0], Math.max(0, row[2] - row[1])]).sort((a, b) => b[1] - a[1]);
  const owed = [[x, Math.max(0, p - q)], ...table.map((row) => [row[0], Math.max(0, row[1] - row[2])])].sort(
    (a, b) => b[1] - a[1],
  );
  much.unshift([x, Math.max(0, q - p)]);

  const rest = (cells, total) => Math.max(0, total - sum(cells.map((cell) => cell[1])));
  const others = { shared: rest(shared, beta - mine), much: rest(much, 1 - beta), owed: rest(owed, 1 - beta) };
  return {
    beta,
    shared: laid([[OTHERS, others.shared], ...shared, [x, mine]], 0),
    much: laid([...much, [OTHERS, others.much]], beta),
    owed: laid([...owed, [OTHERS, others.owed]], beta),
    others,
    start: beta - mine,
    stretch: q,
    pin: u === null ? null : pinAt(beta, p, q, u),
    sure: p >= q,
  };
}

function pinAt(beta, p, q, u) {
  return beta - Math.min(p, q) + u * q;
}

// The lower half stretched to the full width: what a replacement is drawn from.
function stretchedCells(box) {
  const width = 1 - box.beta;
  if (width <= 0) return [];
  return box.owed.map((cell) => ({ id: cell.id, x: (cell.x - box.beta) / width, width: cell.width / width }));
}

// p alone, for a bonus or a plain token: rows of (id, p), the rest as others.
function edgeCells(rows) {
  const cells = rows.map((row) => [row[0], row[1]]).sort((a, b) => b[1] - a[1]);
  return laid([...cells, [OTHERS, Math.max(0, 1 - sum(cells.map((cell) => cell[1])))]], 0);
}

function laid(cells, from) {
  let x = from;
  return cells
    .filter((cell) => cell[1] > 1e-12)
    .map(([id, width]) => {
      const placed = { id, x, width };
      x += width;
      return placed;
    });
}

// Cells narrower than `least` join others, which stands where it stood or at the given end. `keep` is never merged.
function merged(cells, least, keep, end = "last") {
  const small = cells.filter((cell) => cell.id === OTHERS || (cell.width < least && !keep.includes(cell.id)));
  if (!small.length) return cells;
  const big = cells.filter((cell) => !small.includes(cell)).map((cell) => [cell.id, cell.width]);
  const others = [OTHERS, sum(small.map((cell) => cell.width))];
  return laid(end === "last" ? [...big, others] : [others, ...big], cells[0].x);
}

// The law of the token that comes out at this position under a rule: { id: probability }, computed, nothing drawn.
//   exact: min(p, q) + (1 - beta) residual = p;   keep: q;   from_p: min(p, q) + (1 - beta) p
function outcome(rule, { x, p, q, rows }, beta) {
  const law = new Map();
  for (const [id, pi, qi] of [...rows.filter((row) => row[0] !== x), [x, p, q]]) {
    law.set(id, rule === "keep" ? qi : rule === "from_p" ? Math.min(pi, qi) + (1 - beta) * pi : pi);
  }
  return law;
}

// Total variation from p, the tokens outside the table included: |q - p| and (1 - beta) p - (p - q)+ summed.
function misses(rule, position, box) {
  if (rule === "exact") return 0;
  if (rule === "keep") return 1 - box.beta;
  // sum over x of |min(p,q) + (1-beta) p - p| / 2, of which others' part is bounded by their shares
  const law = outcome(rule, position, box.beta);
  const table = [...position.rows.filter((row) => row[0] !== position.x), [position.x, position.p, position.q]];
  const inside = sum(table.map(([id, pi]) => Math.abs(law.get(id) - pi)));
  const p = Math.max(0, 1 - sum(table.map((row) => row[1])));
  return (inside + Math.abs(box.others.shared + (1 - box.beta) * p - p)) / 2;
}
