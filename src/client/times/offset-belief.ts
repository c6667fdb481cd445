// What is believed of one time field's shift, in whole quarter hours: a range that samples narrow, and doubt where they
// don't fit.

/** Shifts that are possible, both ends included; none where `least` is above `most`. */
interface OffsetRange {
  readonly least: number;
  readonly most: number;
}

/**
 * One answer's word. Its lower end can only fail where a clock is wrong: no row is from the future. Its upper end can
 * also fail where a list shows a row late, unless it is firm.
 */
export interface OffsetSample extends OffsetRange {
  readonly firm: boolean;
}

export interface OffsetBelief {
  readonly range: OffsetRange;
  /** Samples that bear the range out. */
  readonly samples: number;
  /** Samples in a row that do not fit it. */
  readonly misfits: number;
  /** What the last misfits agree on, and how many of them do. */
  readonly rival: { readonly range: OffsetRange; readonly samples: number } | null;
}

/** `contradicted`: the old range and the new one share nothing. */
interface Weighed {
  readonly belief: OffsetBelief;
  readonly contradicted: boolean;
}

/** No zone of the world is further from UTC: 12 hours behind, 14 ahead. */
export const PLAUSIBLE: OffsetRange = { least: -12 * 4, most: 14 * 4 };

export const NOTHING_KNOWN: OffsetBelief = { range: PLAUSIBLE, samples: 0, misfits: 0, rival: null };

/** So many doubtful samples that agree outweigh what was believed: one row with a wrong time does not. */
const ENOUGH = 3;
/**
 * A list that shows a row late looks like a field that is behind. What is less than an hour behind is taken for a late
 * row.
 */
const LATE_UNDER = 4;

export const isProved = ({ range }: OffsetBelief): boolean => range.least === range.most;

/**
 * A clock that runs some minutes ahead looks like a quarter hour at least, and then no row that comes fits: no zone of
 * the world is less than an hour from UTC.
 */
export function isUnfit(belief: OffsetBelief): boolean {
  const { least } = belief.range;
  return !isProved(belief) && belief.misfits >= ENOUGH && least > 0 && least < LATE_UNDER;
}

/** Takes in one sample. */
export function weigh(belief: OffsetBelief, sample: OffsetSample): Weighed {
  const allowed = shared(sample, PLAUSIBLE);
  const joined = shared(belief.range, allowed);
  if (isDoubtful(belief, { ...allowed, firm: sample.firm })) return weighDoubtful(belief, allowed);
  if (isEmpty(joined)) return { belief: believed(allowed, 1), contradicted: true };
  // A lower end below what is known or possible tells nothing: it is an old row on the page of a thin symbol.
  const tells = (joined.least === allowed.least && allowed.least > PLAUSIBLE.least) || allowed.most < PLAUSIBLE.most;
  return { belief: tells ? believed(joined, belief.samples + 1) : belief, contradicted: false };
}

/** The same rows came again with other times: whatever was believed has moved with them. */
export function movedBy({ range }: OffsetBelief, quarters: number): OffsetBelief {
  const moved = shared({ least: range.least + quarters, most: range.most + quarters }, PLAUSIBLE);
  return isEmpty(moved) ? NOTHING_KNOWN : believed(moved, 1);
}

/**
 * Doubtful is what fits no shift, what contradicts something better founded, and what would be the first to say "behind
 * UTC".
 */
function isDoubtful({ range, samples }: OffsetBelief, sample: OffsetSample): boolean {
  if (isEmpty(sample)) return true;
  if (sample.firm) return false;
  const contradicts = isEmpty(shared(range, sample));
  const higher = sample.least > range.most;
  if (contradicts) return !higher || samples >= ENOUGH;
  return sample.most < 0 && range.most >= 0;
}

function weighDoubtful(belief: OffsetBelief, allowed: OffsetRange): Weighed {
  const misfits = belief.misfits + 1;
  if (isEmpty(allowed) || isLate(belief, allowed)) {
    return { belief: { ...belief, misfits, rival: null }, contradicted: false };
  }
  const rival = rivalOf(belief.rival, allowed);
  if (rival.samples < ENOUGH) return { belief: { ...belief, misfits, rival }, contradicted: false };
  const joined = shared(belief.range, rival.range);
  const contradicted = isEmpty(joined);
  return { belief: believed(contradicted ? rival.range : joined, rival.samples), contradicted };
}

function isLate({ range }: OffsetBelief, { most }: OffsetRange): boolean {
  const behind = Math.max(range.least, 0) - most;
  return behind > 0 && behind < LATE_UNDER;
}

function rivalOf(before: OffsetBelief['rival'], allowed: OffsetRange): NonNullable<OffsetBelief['rival']> {
  const common = before === null ? allowed : shared(before.range, allowed);
  return before === null || isEmpty(common)
    ? { range: allowed, samples: 1 }
    : { range: common, samples: before.samples + 1 };
}

const believed = (range: OffsetRange, samples: number): OffsetBelief => ({ range, samples, misfits: 0, rival: null });

const isEmpty = ({ least, most }: OffsetRange): boolean => least > most;

const shared = (a: OffsetRange, b: OffsetRange): OffsetRange => ({
  least: Math.max(a.least, b.least),
  most: Math.min(a.most, b.most),
});
