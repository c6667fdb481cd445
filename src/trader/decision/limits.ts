// Limits outside the risk gate, by order-truth §10. Check 14: profit of own fills against session, day and peak. Check
// 7: the number of messages sent, and when waiting has lasted long enough to halt.
import { Decimal, minOf, shownPlain } from '../../domain/decimal.ts';
import { floorToLot, type InstrumentSymbol } from '../../domain/instrument.ts';
import { type EpochMs, MINUTE } from '../../domain/time.ts';
import { amountDecimal, NO_VALUE, type Value, valueDecimal, valueText } from '../../ledger/amount.ts';
import { markPnl, type Pnl, pnlParts } from '../../ledger/pnl.ts';
import type { Unwinding } from '../../quoting/block.ts';
import { whyNotPlaceable } from '../../quoting/pipeline/guards.ts';
import { unwindWords } from '../../quoting/pipeline/unwind.ts';
import type { MarketView } from '../../quoting/strategy.ts';
import { marketIn } from '../durable/market.ts';
import { dayOf } from '../durable/remembered.ts';
import type { Market } from '../state/market.ts';
import type { RunSettings } from '../state/settings.ts';
import type { With } from '../state/state.ts';
import { emit, haltSymbol, notice, type Step, type Turn } from '../state/turn.ts';
import { priceBlockers } from './readiness.ts';
import { messageCounts } from './view.ts';

/**
 * Profit is recorded after it moves by this fraction of the smallest limit: the most that a crash can lose of the peak.
 */
const STEPS_OF_LIMIT = 100n;

/** One loss against its limit, in quote. */
export interface Loss {
  readonly code: 'loss-session' | 'loss-day' | 'loss-drawdown';
  readonly key: 'maxSessionLoss' | 'maxDayLoss' | 'maxDrawdown';
  /** A negative loss is a profit. */
  readonly loss: Value;
  /** Null if no limit is set. */
  readonly limit: Value | null;
}

/** The three losses as last known; empty before the first mark. */
export function lossesOf(state: With<'durable'>, market: Market): Loss[] {
  const marks = marketIn(state.durable, market.symbol).risk.profit;
  if (marks === null) return [];
  const { run } = market;
  // While it is halted, no profit is marked under another tax treatment: the last mark stands until then.
  const isComparable = marks.treatment === undefined || marks.treatment === run.taxTreatment;
  const total = (isComparable ? market.profit?.total : undefined) ?? marks.last;
  const limits = lossLimitsOf(run);
  const loss = (from: Value): Value => (from - total) as Value;
  return [
    {
      code: 'loss-session',
      key: 'maxSessionLoss',
      loss: loss(marks.session ?? total),
      limit: limits.maxSessionLoss,
    },
    { code: 'loss-day', key: 'maxDayLoss', loss: loss(marks.day?.from ?? total), limit: limits.maxDayLoss },
    { code: 'loss-drawdown', key: 'maxDrawdown', loss: loss(marks.peak), limit: limits.maxDrawdown },
  ];
}

/** Halts the symbol if it has a limit and has lost more. A session begins once the symbol may trade. */
export function watchLosses(turn: Turn, market: Market): void {
  const { state } = turn;
  if (state.phase !== 'running') return;
  const { step } = lossLimitsOf(market.run);
  if (step === null) endWatching(turn, market.symbol);
  else watch(turn, market, step);
}

/** Marks once that profit is no longer watched: losses of that time don't count against a limit set on a later day. */
function endWatching(turn: Step, symbol: InstrumentSymbol): void {
  const marks = marketIn(turn.state.durable, symbol).risk.profit;
  if (marks === null || marks.isUnwatched === true) return;
  emit(turn, { type: 'profit-marked', payload: { symbol, mark: null, at: turn.now } });
}

function watch(turn: Step<'settings' | 'session' | 'reconciliation'>, market: Market, step: Value): void {
  const { symbol } = market;
  const { state, now } = turn;
  const total = profitNow(state, market, now);
  // While it is halted, quoting can lose nothing, and its price may be the cause of the halt (F62).
  const { halt, risk } = marketIn(state.durable, symbol);
  if (total === null || halt !== null) return;
  const marks = risk.profit;
  const isNew = marks === null || marks.session === null || marks.isUnwatched === true;
  const isCountedAnew = marks?.treatment !== market.run.taxTreatment;
  const isNewDay = dayOf(now) > (marks?.day?.number ?? 0);
  // Records the profit from now on: a protection compares with it.
  const isLookedAtAnew = !risk.protections.peakHolds;
  if (isNew || isCountedAnew || isNewDay || isLookedAtAnew || distance(total, marks.last) >= step)
    mark(turn, market, total);
  const over = lossesOf(state, market).find(({ loss, limit }) => limit !== null && loss >= limit);
  if (over === undefined) return;
  if (marketIn(state.durable, symbol).risk.profit?.last !== total) mark(turn, market, total);
  const { quote } = market.run.instrument;
  const limit = `its limit ${over.key} is ${moneyText(over.limit ?? NO_VALUE, quote)} ${quote}`;
  haltAtLimit(turn, market, `${WORDS[over.code]} was ${moneyText(over.loss, quote)} ${quote}; ${limit}.`);
}

/** With `limits.unwind`, how far it goes back is decided here, once: later deposits or prices don't change it. */
function haltAtLimit(turn: Step<'session'>, market: Market, lost: string): void {
  const { run, decision } = market;
  if (run.limits.unwind === undefined) return haltSymbol(turn, market, lost, 'loss');
  const view = decision?.view ?? null;
  const way = view && wayToTarget(view, marketIn(turn.state.durable, market.symbol).pnl);
  if (way === null)
    return haltSymbol(turn, market, `${lost} It holds: its own trades have not moved it off its target.`, 'loss');
  const unwind = { side: way.side, quantity: way.left.toFixed() };
  haltSymbol(turn, market, `${lost} It ${unwindWords(way, run.instrument)}.`, 'loss', { unwind });
}

/**
 * How far own fills have moved the base away from its target: never more than they bought, or sold, on balance. Null if
 * no order is large enough for that.
 */
function wayToTarget(
  { base, inventoryTarget, instrument, referencePrice: price }: MarketView,
  { inventory }: Pick<Pnl, 'inventory'>,
): Omit<Unwinding, 'takes'> | null {
  const own = amountDecimal(inventory);
  const off = base.total.sub(inventoryTarget);
  if (own.isNegative() !== off.isNegative()) return null;
  const left = floorToLot(minOf(own.abs(), off.abs()), instrument);
  const side = off.isNegative() ? 'buy' : 'sell';
  return whyNotPlaceable({ side, level: 0, price, quantity: left }, instrument) === null ? { side, left } : null;
}

const WORDS = {
  'loss-session': 'Session loss (since the session began)',
  'loss-day': 'Day loss (since midnight UTC)',
  'loss-drawdown': 'Drawdown (below the highest profit so far)',
} as const;

function mark(turn: Step, market: Market, total: Value): void {
  const { taxTreatment: treatment } = market.run;
  const payload = { symbol: market.symbol, mark: { total: valueText(total), treatment }, at: turn.now };
  emit(turn, { type: 'profit-marked', payload });
}

/**
 * Profit of all own fills since the opening, holdings valued at the reference price; the same object again if neither
 * has changed. Null if there are holdings and no good price: the last profit then stands, and quoting is denied anyway.
 */
function profitNow(
  state: With<'settings' | 'durable' | 'markets' | 'reconciliation'>,
  market: Market,
  now: EpochMs,
): Value | null {
  const { pnl } = marketIn(state.durable, market.symbol);
  const price = pnl.inventory === 0n ? null : goodPrice(state, market, now);
  if (pnl.inventory !== 0n && price === null) return null;
  const known = market.profit;
  if (known !== null && known.pnl === pnl && known.price === price) return known.total;
  const { total } = pnlParts(markPnl(pnl, price), market.run.taxTreatment);
  market.profit = { pnl, price, total };
  return total;
}

/**
 * The reference price if it is fit for valuation: from the latest decision, fresh, trusted, and near the last good one.
 * A price that jumped is not fit, nor one that only the previous session saw.
 */
function goodPrice(
  state: With<'settings' | 'durable' | 'markets' | 'reconciliation'>,
  market: Market,
  now: EpochMs,
): Decimal | null {
  const { decision, lastGoodReference } = market;
  const price = decision?.view?.referencePrice;
  if (price === undefined || lastGoodReference === null || !price.eq(lastGoodReference)) return null;
  return priceBlockers(state, market, now).length === 0 ? price : null;
}

/** A run's loss limits as values, and how far profit moves before it is marked; null if no limit is set. */
interface LossLimits extends Readonly<Record<Loss['key'], Value | null>> {
  readonly step: Value | null;
}

/** Cached by run, as its limits never change: they are read every turn. */
const lossLimits = new WeakMap<RunSettings, LossLimits>();

function lossLimitsOf(run: RunSettings): LossLimits {
  const known = lossLimits.get(run);
  if (known !== undefined) return known;
  const values = {
    maxSessionLoss: limitOf(run.limits.maxSessionLoss),
    maxDayLoss: limitOf(run.limits.maxDayLoss),
    maxDrawdown: limitOf(run.limits.maxDrawdown),
  };
  // Profit is also marked for the protection that uses it.
  const [smallest] = [...Object.values(values), limitOf(run.protections.drawdown?.quote)]
    .filter((value) => value !== null)
    .sort((a, b) => (a < b ? -1 : 1));
  const step = smallest === undefined ? null : ((smallest / STEPS_OF_LIMIT || 1n) as Value);
  const made = { ...values, step };
  lossLimits.set(run, made);
  return made;
}

const limitOf = (limit: Decimal | undefined): Value | null => (limit === undefined ? null : valueOfLimit(limit));

/** An amount of the configuration, in quote. */
export const valueOfLimit = (limit: Decimal): Value =>
  BigInt(limit.toFixed(36, Decimal.ROUND_DOWN).replace('.', '')) as Value;

const distance = (a: Value, b: Value): bigint => (a > b ? a - b : b - a);

/** Rounded for people; comparisons are exact. */
const moneyText = (value: Value, asset: string): string => shownPlain(valueDecimal(value), asset);

// Check 7 of order-truth §10 outside the gate: the number of messages sent, and when waiting has lasted long enough to
// halt.

/** Every symbol halts after this many minutes in a row in which a create had to wait. */
const HALT_AFTER_MINUTES = 10;

/**
 * Records each minute in which creates had to wait, and halts every symbol after too many of them, or after too many
 * messages today.
 */
export function watchMessageRate(turn: Turn): void {
  const { state, now } = turn;
  if (state.phase !== 'running') return;
  const { maxPerMinute, maxPerDay } = state.settings.messageRate;
  const { messages } = state.durable;
  const { today } = messageCounts(messages, now);
  if (today >= maxPerDay)
    return haltAll(turn, `${today} creates and cancels have left today; messageRate.maxPerDay is ${maxPerDay}.`);
  const at = state.requests.createsWithheldAt;
  state.requests.createsWithheldAt = null;
  if (at === null || (messages.throttled !== null && at < messages.throttled.at + MINUTE)) return;
  emit(turn, { type: 'creates-throttled', payload: { at } });
  const minutes = messages.throttled?.minutes ?? 0;
  const text =
    'creates have had to wait for room within messageRate.maxPerMinute ' +
    `(${maxPerMinute}) in ${minutes} minutes in a row`;
  notice(turn, { level: 'warn', op: 'creates-throttled', message: `${text[0]?.toUpperCase()}${text.slice(1)}.` });
  if (minutes >= HALT_AFTER_MINUTES) haltAll(turn, `${text}; the limit is ${HALT_AFTER_MINUTES}.`);
}

function haltAll(turn: Step<'session'>, reason: string): void {
  for (const market of turn.state.markets.values()) haltSymbol(turn, market, reason, 'message-rate');
}
