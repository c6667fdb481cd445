// Protections: when a symbol or one side of it is locked for a while, and when the lock ends. Judged in the turn of the
// events they count, so that a lowered setting locks nothing for old events.
import { Decimal, plain, shownPlain, ZERO } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import { DAY, type DurationMs, type EpochMs } from '../../domain/time.ts';
import { type Value, valueDecimal } from '../../ledger/amount.ts';
import type { Lock } from '../../quoting/protection-settings.ts';
import { LONGEST_FILLS_WINDOW_MS, ONE_SIDED_LOCKS, ONE_SIDED_MS } from '../../quoting/risk/risk-limits.ts';
import type { Durable } from '../durable/durable.ts';
import type { FillRecord } from '../durable/events.ts';
import { BY_TIME } from '../durable/fold/apply-risk.ts';
import { marketIn } from '../durable/market.ts';
import { type FillPart, hasSoMany, type Peak } from '../durable/remembered.ts';
import { ownFillsIn } from '../knowledge/knowledge-of.ts';
import type { Market } from '../state/market.ts';
import { marketOf, type With } from '../state/state.ts';
import { haltSymbol, hasLock, lockSymbol, type Step, unlockSymbol } from '../state/turn.ts';
import { valueOfLimit } from './limits.ts';

export function watchProtections(turn: Step<'session' | 'phase'>, market: Market): void {
  // Nothing is recorded after the end of a session.
  if (turn.state.phase === 'stopped') return;
  endLocks(turn, market);
  watchLosingSales(turn, market);
  watchTurnover(turn, market);
  watchDrawdown(turn, market);
}

/** A session compares the clocks first: if the clock was set in between, a lock would end at the wrong time. */
function endLocks(turn: Step<'session'>, market: Market): void {
  if (!turn.state.session.clockCompared) return;
  for (const lock of marketIn(turn.state.durable, market.symbol).locks)
    if (lock.until !== null && turn.now >= lock.until) unlockSymbol(turn, market, lock, BY_TIME);
}

function watchLosingSales(turn: Step, market: Market): void {
  const { symbol } = market;
  const rule = market.run.protections.losingSales;
  if (rule === undefined) return;
  const events = marketIn(turn.state.durable, symbol).risk.protections.losingSales;
  const begin = (events.at(-1)?.at ?? turn.now) - rule.withinMs;
  const isNew = ownFillsOf(turn, symbol).some(
    ({ side, venueTime: at }) => side === 'sell' && at >= begin && events.some((event) => event.at === at),
  );
  if (!isNew || !hasSoMany(events, rule)) return;
  const within = inSeconds(rule.withinMs);
  const reason = `${rule.count} own sales within ${within} brought less than their base had cost.`;
  protect(turn, market, { code: 'losing-sales', side: null, reason, until: turn.now + rule.lockMs });
}

function watchTurnover(turn: Step, market: Market): void {
  const { symbol } = market;
  const { protections, instrument } = market.run;
  const rule = protections.turnover;
  if (rule === undefined || ownFillsOf(turn, symbol).length === 0) return;
  const { day, notional } = marketIn(turn.state.durable, symbol).risk.protections.turnover;
  const until = (day + 1) * DAY;
  if (notional.lt(rule.quotePerDay) || turn.now >= until) return;
  const worth = `${shownPlain(notional, instrument.quote)} ${instrument.quote}`;
  const reason = `Own fills of this day are worth ${worth}; the most is ${plain(rule.quotePerDay)}.`;
  protect(turn, market, { code: 'turnover', side: null, reason, until });
}

function watchDrawdown(turn: Step, market: Market): void {
  const { protections, instrument } = market.run;
  const rule = protections.drawdown;
  const total = market.profit?.total;
  if (rule === undefined || total === undefined) return;
  const { halt, risk } = marketIn(turn.state.durable, market.symbol);
  // As with the losses that halt: while it is halted, its price may be the cause of the halt.
  if (halt !== null || !risk.protections.peakHolds) return;
  const highest = highestWithin(risk.protections.peaks, turn.now - rule.withinMs)?.total ?? total;
  if (highest - total < valueOfLimit(rule.quote)) return;
  const below = `${money((highest - total) as Value, instrument.quote)} ${instrument.quote} below its highest`;
  const reason = `Profit is ${below} within ${inSeconds(rule.withinMs)}; the lock begins at ${plain(rule.quote)}.`;
  protect(turn, market, { code: 'drawdown', side: null, reason, until: turn.now + rule.lockMs });
}

/** The newest peak holds until now, whenever it was reached. */
const highestWithin = (peaks: readonly Peak[], begin: EpochMs): Peak | undefined =>
  peaks.find(({ at }) => at >= begin) ?? peaks.at(-1);

/** An existing lock keeps its end. */
function protect(turn: Step, market: Market, lock: Omit<Lock, 'since'>): void {
  if (!hasLock(turn.state.durable, market.symbol, lock)) lockSymbol(turn, market, lock, 'protection');
}

const ownFillsOf = (turn: Step, symbol: InstrumentSymbol): readonly FillRecord[] =>
  ownFillsIn(turn.events).filter((fill) => fill.symbol === symbol);

const inSeconds = (ms: number): string => `${ms / 1_000} s`;

const money = (value: Value, asset: string): string => shownPlain(valueDecimal(value), asset);

// Check 8: a side that fills repeatedly rests for a while, and halts the symbol if it goes on, like an algorithm's
// throttle (EU RTS 6 art. 12, 15).

/** The fills of one side of one symbol in this turn. */
interface Seen {
  readonly symbol: InstrumentSymbol;
  readonly side: Side;
  readonly times: EpochMs[];
}

/**
 * Judges the sides that filled in this turn: old fills alone halt nothing, so a lowered limit or a resume can't trigger
 * it.
 */
export function watchRepeatedFills(turn: Step<'session'>): void {
  const seen = new Map<string, Seen>();
  for (const { symbol, side, venueTime } of ownFillsIn(turn.events)) {
    const key = `${symbol} ${side}`;
    const before = seen.get(key) ?? { symbol, side, times: [] };
    before.times.push(venueTime);
    seen.set(key, before);
  }
  for (const each of seen.values()) judge(turn, each);
}

/** By how much one side filled more than the other in the window that ends now, in quote. */
export function oneSidedFills(
  { durable, clock }: With<'durable' | 'clock'>,
  symbol: InstrumentSymbol,
  now: EpochMs,
): Decimal {
  const since = now + (clock?.offsetMs ?? 0) - ONE_SIDED_MS;
  return partsThatCount(durable, symbol)
    .reduce((sum, part) => (part.at < since ? sum : sum.add(signed(part, 'buy'))), ZERO)
    .abs();
}

/** Fills from before a person resumed the symbol don't count. */
const partsThatCount = (durable: Durable, symbol: InstrumentSymbol): readonly FillPart[] =>
  marketIn(durable, symbol).risk.fillParts.filter(({ isResumed }) => isResumed !== true);

function judge(turn: Step<'session'>, seen: Seen): void {
  const { symbol, side } = seen;
  const market = marketOf(turn.state, symbol);
  const { limits, instrument } = market.run;
  const parts = partsThatCount(turn.state.durable, symbol);
  const most = limits.maxOrderNotional.mul(new Decimal(limits.repeatedFills));
  const told = (worth: Decimal, windowMs: DurationMs, limit: Decimal): string => {
    const more = `${shownPlain(worth, instrument.quote)} ${instrument.quote} more than those of the other`;
    return `Fills of the ${side} side within ${windowMs / 1_000} s are worth ${more}; the limit is ${plain(limit)}.`;
  };
  const hourly = mostWorth(parts, seen, LONGEST_FILLS_WINDOW_MS);
  const mostHourly = most.mul(ONE_SIDED_LOCKS);
  if (hourly.gte(mostHourly))
    return haltSymbol(turn, market, told(hourly, LONGEST_FILLS_WINDOW_MS, mostHourly), 'repeated-fills');
  const worth = mostWorth(parts, seen, ONE_SIDED_MS);
  const lock = { code: 'repeated-fills', side } as const;
  if (worth.lt(most) || hasLock(turn.state.durable, symbol, lock)) return;
  const reason = told(worth, ONE_SIDED_MS, most);
  lockSymbol(turn, market, { ...lock, reason, until: turn.now + ONE_SIDED_MS }, 'limit');
}

/** The side's fills minus the other's: the maximum over all windows that hold a fill of this turn. */
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
