// One order against the lists of open orders: when it should have shown in them, and when not any more. Pure.
import type { InstrumentSymbol } from '../../../domain/instrument.ts';
import type { DurationMs, EpochMs } from '../../../domain/time.ts';

/** A list that was read. */
export interface Look {
  readonly sentAt: EpochMs;
  readonly receivedAt: EpochMs;
  /** It had no row at all: so does a list in an outage look. */
  readonly empty?: boolean;
}

/** When something happened at the exchange, as exactly as it is known, by our clock. */
export interface Happened {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** Whole lists in a row that all showed the order, or all lacked it. */
interface Run {
  readonly listed: boolean;
  readonly first: Look;
  beforeLast: Look;
  last: Look;
}

export interface OrderWatch {
  readonly symbol: InstrumentSymbol;
  /** From the create's leaving to its acknowledgment; null where that never came. */
  readonly accepted: Happened | null;
  readonly runs: Run[];
  /** When its first cancel left; null before. */
  cancelSentAt: EpochMs | null;
  /** When a cancel was first acknowledged; null before. */
  canceledAt: EpochMs | null;
  /** The last of its fills. */
  lastFill: Happened | null;
  closed: 'filled' | 'canceled' | null;
}

export const watchOrder = (symbol: InstrumentSymbol, accepted: Happened | null): OrderWatch => ({
  symbol,
  accepted,
  runs: [],
  cancelSentAt: null,
  canceledAt: null,
  lastFill: null,
  closed: null,
});

/** Lists come and go while they trail: what matters is the last wrong one, so few turns are enough. */
const RUNS_KEPT = 8;

/** A whole list was read. One that left before the last one, and came later, says nothing. */
export function noteListed({ runs }: OrderWatch, listed: boolean, look: Look): void {
  const run = runs.at(-1);
  if (run !== undefined && look.sentAt <= run.last.sentAt) return;
  if (run?.listed === listed) Object.assign(run, { beforeLast: run.last, last: look });
  else runs.push({ listed, first: look, beforeLast: look, last: look });
  if (runs.length > RUNS_KEPT) runs.shift();
}

/** What is proved; `atMostMs` is null where no list was right since. */
export interface Proved {
  readonly atLeastMs: DurationMs;
  /** The same by two looks in a row: one list may be an outage, and so may all that have no row. */
  readonly confirmedMs: DurationMs;
  readonly atMostMs: DurationMs | null;
}

/**
 * When the order ended: its last fill, or between the leaving of its first cancel and an acknowledgment. Null while it
 * has not, and where nothing of ours says when: somebody else may have canceled it at any time.
 */
export function endOf({ closed, lastFill, cancelSentAt, canceledAt }: OrderWatch): Happened | null {
  if (closed === 'filled') return lastFill;
  if (cancelSentAt === null || canceledAt === null) return null;
  return { from: cancelSentAt, to: canceledAt };
}

/**
 * How far open orders trailed its create. A list that lacks it counts only where the order surely rested when it came:
 * it filled later, or a later list showed it and it ended by a cancel of ours. A list that lacks what lists showed
 * before, longer after the create than any may trail, has a hole: that is another fault. Null where no list was to show
 * it.
 */
export function listedLag(watch: OrderWatch, assumedMs: DurationMs): Proved | null {
  const { accepted, runs, lastFill } = watch;
  const end = endOf(watch);
  if (accepted === null || end === null) return null;
  const lackedBy = (run: Run, until: EpochMs, shown: boolean): Wrong | null => {
    const before = looksOf(run).filter(({ receivedAt }) => receivedAt < until);
    const wrong = wrongBy(before, accepted.to);
    if (wrong === null || (shown && wrong.atLeastMs > assumedMs)) return null;
    const sound = before.filter(({ empty }) => empty !== true);
    return { ...wrong, confirmedMs: wrongBy(sound, accepted.to)?.confirmedMs ?? 0 };
  };
  let proved: Proved = NOT_WRONG;
  let perhaps: Wrong | null = null;
  for (const [index, run] of runs.entries()) {
    const shown = runs.slice(0, index).some(({ listed }) => listed);
    if (run.listed) {
      if (perhaps !== null) proved = { ...perhaps, atMostMs: null };
      proved = { ...proved, atMostMs: proved.atMostMs ?? run.first.receivedAt - accepted.from };
      perhaps = null;
    } else {
      const surely = lackedBy(run, lastFill?.from ?? 0, shown);
      if (surely !== null) proved = { ...surely, atMostMs: null };
      perhaps = lackedBy(run, end.from, shown);
    }
  }
  return proved;
}

type Wrong = Omit<Proved, 'atMostMs'>;

const NOT_WRONG: Proved = { atLeastMs: 0, confirmedMs: 0, atMostMs: null };

/** The last ones first. */
const looksOf = ({ first, beforeLast, last }: Run): Look[] => [...new Set([last, beforeLast, first])];

/** By how much wrong lists, the last ones first, left after something should have shown; null where none did. */
function wrongBy(looks: readonly Look[], since: EpochMs): Wrong | null {
  const [atLeastMs = 0, confirmedMs = 0] = looks.map(({ sentAt }) => Math.max(0, sentAt - since));
  return atLeastMs > 0 ? { atLeastMs, confirmedMs } : null;
}

/**
 * How far open orders trailed its end, so far. Null while it has not ended, and where lists lacked it before its cancel
 * left: somebody else ended it, nobody knows when.
 */
export function goneLag(watch: OrderWatch): Proved | null {
  const end = endOf(watch);
  if (end === null) return null;
  const before = watch.runs.findLast(({ first }) => first.receivedAt < end.from);
  if (watch.closed !== 'filled' && before?.listed === false) return null;
  let found = NOT_WRONG;
  for (const run of watch.runs) {
    const { listed, first, last } = run;
    const wrong = listed ? wrongBy(looksOf(run), end.to) : null;
    if (wrong !== null) found = { ...wrong, atMostMs: null };
    else if (!listed && last.sentAt > end.to) {
      // The first of them may have come before the order ended.
      const right = first.receivedAt >= end.from ? first : last;
      found = { ...found, atMostMs: found.atMostMs ?? right.receivedAt - end.from };
    }
  }
  return found;
}

/** Whether lists have lacked it for so long after its end that none is expected to show it again. */
export function isSettled(watch: OrderWatch, settledAfterMs: DurationMs): boolean {
  const end = endOf(watch);
  const run = watch.runs.at(-1);
  return watch.closed !== null && end !== null && run?.listed === false && run.last.sentAt >= end.to + settledAfterMs;
}
