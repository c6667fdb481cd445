// Check 8: a side that fills again and again rests for a while, and halts the symbol where it goes on, as a throttle
// of an algorithm should (EU RTS 6 art. 12, 15).
import { Decimal, plain, shownPlain, ZERO } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import { LONGEST_FILLS_WINDOW_MS, ONE_SIDED_LOCKS, ONE_SIDED_MS } from '../../quoting/risk/risk-limits.ts';
import type { Durable } from '../durable/durable.ts';
import { marketIn } from '../durable/market.ts';
import type { FillPart } from '../durable/remembered.ts';
import { ownFillsIn } from '../knowledge/own-fills.ts';
import { runOf, type TraderState } from '../state/state.ts';
import { haltSymbol, hasLock, lockSymbol, type Turn } from '../state/turn.ts';

/** The fills of one side of one symbol in this turn. */
interface Seen {
  readonly symbol: InstrumentSymbol;
  readonly side: Side;
  readonly times: EpochMs[];
}

/**
 * Judges the sides that filled in this turn: old fills alone latch nothing, so that a lowered limit or a resume is no
 * trap.
 */
export function watchRepeatedFills(turn: Turn): void {
  const seen = new Map<string, Seen>();
  for (const { symbol, side, venueTime } of ownFillsIn(turn)) {
    const key = `${symbol} ${side}`;
    const before = seen.get(key) ?? { symbol, side, times: [] };
    before.times.push(venueTime);
    seen.set(key, before);
  }
  for (const each of seen.values()) judge(turn, each);
}

/** What one side filled more than the other within the window that ends now, in quote. */
export function oneSidedFills(
  { durable, clock }: Pick<TraderState, 'durable' | 'clock'>,
  symbol: InstrumentSymbol,
  now: EpochMs,
): Decimal {
  const since = now + (clock?.offsetMs ?? 0) - ONE_SIDED_MS;
  return partsThatCount(durable, symbol)
    .reduce((sum, part) => (part.at < since ? sum : sum.add(signed(part, 'buy'))), ZERO)
    .abs();
}

/** Those of before a person resumed the symbol after them do not. */
const partsThatCount = (durable: Durable, symbol: InstrumentSymbol): readonly FillPart[] =>
  marketIn(durable, symbol).risk.fillParts.filter(({ isResumed }) => isResumed !== true);

function judge(turn: Turn, seen: Seen): void {
  const { symbol, side } = seen;
  const { limits, instrument } = runOf(turn.state, symbol);
  const parts = partsThatCount(turn.state.durable, symbol);
  const most = limits.maxOrderNotional.mul(new Decimal(limits.repeatedFills));
  const told = (worth: Decimal, windowMs: DurationMs, limit: Decimal): string => {
    const more = `${shownPlain(worth, instrument.quote)} ${instrument.quote} more than those of the other`;
    return `Fills of the ${side} side within ${windowMs / 1_000} s are worth ${more}; the limit is ${plain(limit)}.`;
  };
  const hourly = mostWorth(parts, seen, LONGEST_FILLS_WINDOW_MS);
  const mostHourly = most.mul(ONE_SIDED_LOCKS);
  if (hourly.gte(mostHourly))
    return haltSymbol(turn, symbol, told(hourly, LONGEST_FILLS_WINDOW_MS, mostHourly), 'repeated-fills');
  const worth = mostWorth(parts, seen, ONE_SIDED_MS);
  const lock = { code: 'repeated-fills', side } as const;
  if (worth.lt(most) || hasLock(turn.state.durable, symbol, lock)) return;
  const reason = told(worth, ONE_SIDED_MS, most);
  lockSymbol(turn, symbol, { ...lock, reason, until: turn.now + ONE_SIDED_MS }, 'limit');
}

/** What the side filled less what the other did, at its most over all windows that hold a fill of this turn. */
function mostWorth(parts: readonly FillPart[], { side, times }: Seen, windowMs: DurationMs): Decimal {
  const first = Math.min(...times);
  const last = Math.max(...times) + windowMs;
  const inTime = parts.filter(({ at }) => at >= first - windowMs && at <= last);
  let worth = ZERO;
  let most = ZERO;
  let oldest = 0;
  for (const [index, { at }] of inTime.entries()) {
    worth = worth.add(signed(inTime[index], side));
    for (; (inTime[oldest]?.at ?? at) < at - windowMs; oldest += 1) worth = worth.sub(signed(inTime[oldest], side));
    const isEnd = inTime[index + 1]?.at !== at;
    if (isEnd && at >= first && worth.gt(most)) most = worth;
  }
  return most;
}

function signed(part: FillPart | undefined, side: Side): Decimal {
  if (part === undefined) return ZERO;
  return part.side === side ? part.notional : part.notional.neg();
}
