// Stoikov, "The micro-price: a high-frequency estimator of future prices", Quantitative Finance 18(12), 2018: the
// expected mid price after enough moves, from the imbalance of the best sizes and the spread.

/** One observation of a book. */
export interface Snapshot {
  /** Bid size as a share of both best sizes, 0 to 1. */
  readonly imbalanceRatio: number;
  readonly spreadTicks: number;
  readonly mid: number;
}

interface MicroPriceShape {
  /** Number of equal parts that imbalance is divided into. */
  readonly imbalanceBuckets: number;
  /** Spreads of at least this many ticks count as one. */
  readonly mostSpreadTicks: number;
}

/**
 * Counts of transitions: between two observations the mid price stays or moves, and the state after it is the same or
 * another.
 */
export interface MicroPriceCounts {
  readonly shape: MicroPriceShape;
  /** `still[from][to]`: how often the mid price stayed. */
  readonly still: readonly (readonly number[])[];
  /** `moved[from][to]`: how often it moved. */
  readonly moved: readonly (readonly number[])[];
  /** Sum of its moves from the state, in basis points. */
  readonly movedBps: readonly number[];
  /** How often each state was left. */
  readonly left: readonly number[];
  readonly samples: number;
  readonly last: Snapshot | null;
}

const BPS = 10_000;
/** The paper uses six: the rest is below the measurement error. */
const TERMS = 6;

const statesOf = ({ imbalanceBuckets, mostSpreadTicks }: MicroPriceShape): number => imbalanceBuckets * mostSpreadTicks;

export function startMicroPrice(shape: MicroPriceShape): MicroPriceCounts {
  const zeros = (): number[] => new Array<number>(statesOf(shape)).fill(0);
  const square = (): number[][] => zeros().map(zeros);
  return { shape, still: square(), moved: square(), movedBps: zeros(), left: zeros(), samples: 0, last: null };
}

function stateOf({ imbalanceBuckets, mostSpreadTicks }: MicroPriceShape, snapshot: Snapshot): number {
  const bucket = Math.min(imbalanceBuckets - 1, Math.max(0, Math.floor(snapshot.imbalanceRatio * imbalanceBuckets)));
  const spread = Math.min(mostSpreadTicks, Math.max(1, Math.round(snapshot.spreadTicks)));
  return (spread - 1) * imbalanceBuckets + bucket;
}

/** The book with its sides exchanged: the same events happen in the other direction. */
const mirrored = (state: number, { imbalanceBuckets }: MicroPriceShape): number => {
  const bucket = state % imbalanceBuckets;
  return state - bucket + (imbalanceBuckets - 1 - bucket);
};

/**
 * The counts with one more observation. Each step counts twice, once with its sides exchanged (the paper's section
 * 3.2).
 */
export function countSnapshot(counts: MicroPriceCounts, snapshot: Snapshot): MicroPriceCounts {
  const { shape, last } = counts;
  if (last === null) return { ...counts, last: snapshot };
  const [from, to] = [stateOf(shape, last), stateOf(shape, snapshot)];
  const moveBps = (snapshot.mid / last.mid - 1) * BPS;
  const steps = [
    { from, to, moveBps },
    { from: mirrored(from, shape), to: mirrored(to, shape), moveBps: -moveBps },
  ];
  const name = moveBps === 0 ? 'still' : 'moved';
  const table = counts[name].map((row, index) => (steps.some((step) => step.from === index) ? [...row] : row));
  const movedBps = [...counts.movedBps];
  const left = [...counts.left];
  for (const step of steps) {
    const row = table[step.from] as number[];
    row[step.to] = (row[step.to] ?? 0) + 1;
    movedBps[step.from] = (movedBps[step.from] ?? 0) + step.moveBps;
    left[step.from] = (left[step.from] ?? 0) + 1;
  }
  return { ...counts, [name]: table, movedBps, left, samples: counts.samples + 1, last: snapshot };
}

/**
 * The micro-price's offset from the mid price in each state, in basis points: G* = Σ_{i<6} Bⁱ·G₁ with G₁ = (1−Q)⁻¹·R
 * and B = (1−Q)⁻¹·T. A state that was never left adds nothing.
 */
export function microPriceTable(counts: MicroPriceCounts): readonly number[] {
  const { still, moved, movedBps, left } = counts;
  const share = (row: readonly number[], from: number): number[] =>
    row.map((count) => (left[from] === 0 ? 0 : count / (left[from] ?? 1)));
  const q = still.map(share);
  const t = moved.map(share);
  const r = movedBps.map((sum, from) => (left[from] === 0 ? 0 : sum / (left[from] ?? 1)));
  const solve = (right: readonly number[]): number[] => solved(q, right);
  let term = solve(r);
  const sum = [...term];
  for (let i = 1; i < TERMS; i += 1) {
    term = solve(t.map((row) => row.reduce((total, value, to) => total + value * (term[to] ?? 0), 0)));
    for (const [state, value] of term.entries()) sum[state] = (sum[state] ?? 0) + value;
  }
  return sum;
}

/** The adjustment of one book, in basis points of its mid price. */
export function microPriceBps({ shape }: MicroPriceCounts, table: readonly number[], snapshot: Snapshot): number {
  return table[stateOf(shape, snapshot)] ?? 0;
}

/** x of (1−Q)·x = right, by elimination with pivots. A state never left by a move has no solution: 0. */
function solved(q: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = q.map((row, i) => [...row.map((value, j) => (i === j ? 1 : 0) - value), right[i] ?? 0]);
  const size = rows.length;
  const pivots: (number | null)[] = [];
  for (let column = 0, done = 0; column < size; column += 1) {
    let best = done;
    for (let row = done + 1; row < size; row += 1)
      if (Math.abs(rows[row]?.[column] ?? 0) > Math.abs(rows[best]?.[column] ?? 0)) best = row;
    if (Math.abs(rows[best]?.[column] ?? 0) < SINGULAR) {
      pivots.push(null);
      continue;
    }
    [rows[done], rows[best]] = [rows[best] as number[], rows[done] as number[]];
    eliminate(rows, done, column);
    pivots.push(done);
    done += 1;
  }
  return pivots.map((row, column) => (row === null ? 0 : (rows[row]?.[size] ?? 0) / (rows[row]?.[column] ?? 1)));
}

const SINGULAR = 1e-12;

function eliminate(rows: number[][], pivot: number, column: number): void {
  const source = rows[pivot] ?? [];
  for (const [index, row] of rows.entries()) {
    if (index === pivot) continue;
    const factor = (row[column] ?? 0) / (source[column] ?? 1);
    if (factor === 0) continue;
    for (let j = column; j < row.length; j += 1) row[j] = (row[j] ?? 0) - factor * (source[j] ?? 0);
  }
}
