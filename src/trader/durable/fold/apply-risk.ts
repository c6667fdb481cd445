// The fold of the limits' memory. Pure: times come from the events, and limits are not known here.
import { type Decimal, decimal, ZERO } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/fill.ts';
import { intentId } from '../../../domain/ids.ts';
import { DAY, type EpochMs, MINUTE } from '../../../domain/time.ts';
import { exactValue, type Value } from '../../../ledger/amount.ts';
import { pnlParts, type TaxTreatment } from '../../../ledger/pnl.ts';
import { isSameLock, LONGEST_PROTECTION_MS, type LockCode } from '../../../quoting/protection-settings.ts';
import type { Durable } from '../durable.ts';
import type { FillRecord, PayloadOf, TraderEvent } from '../events.ts';
import { type DurableMarket, marketToChange } from '../market.ts';
import {
  costOfHeld,
  dayOf,
  feeWorth,
  type MarketRisk,
  type MessageLog,
  type Peak,
  type ProfitMarks,
  type ProtectionMemory,
  REMEMBERED,
  withEvent,
} from '../remembered.ts';
import { fromFillRecord } from './fill-record.ts';

/** A throttled minute within this time after the previous one continues its row. */
const IN_A_ROW_MS = 2 * MINUTE;

/** Changes `durable` in place, before any other part of the event: the end of the previous session counts. */
export function applyRisk(durable: Durable, event: TraderEvent): void {
  switch (event.type) {
    case 'session-started':
      // After a crash the session continues: otherwise a bot that keeps crashing would have no limit.
      if (durable.journal.endedFlat) beginSession(durable);
      return;
    case 'intent':
      return countMessage(durable.messages, event.payload.sentAt);
    case 'cancel-sent':
      // An order is two messages. Repeats of an unanswered cancel must not block creates afterward.
      if ((durable.orders.intents.get(intentId(event.payload.intentId))?.cancel ?? 'none') !== 'none') return;
      return countMessage(durable.messages, event.payload.at);
    case 'fill':
      return countOwnFill(durable, event.payload);
    case 'fill-corrected':
      // A fill that was the owner's until now counts like any other; a change of a counted fill does not count again.
      return event.payload.attributed ? countOwnFill(durable, event.payload) : undefined;
    case 'creates-throttled':
      return countThrottled(durable.messages, event.payload.at);
    case 'profit-marked':
      return recordProfit(marketToChange(durable, event.payload.symbol), event.payload);
    case 'run-revised':
      return lookAnew(marketToChange(durable, event.payload.symbol).risk);
    case 'symbol-resumed':
      return resume(marketToChange(durable, event.payload.symbol), durable.messages);
    default:
      return;
  }
}

function beginSession({ markets }: Durable): void {
  for (const { risk } of markets.values()) {
    if (risk.profit !== null) risk.profit.session = null;
    lookAnew(risk);
  }
}

function countMessage(messages: MessageLog, at: EpochMs): void {
  messages.recent = withEvent(messages.recent, { at }, REMEMBERED.messages);
  const day = dayOf(at);
  // A clock that was set back does not grant the day's room a second time.
  if (day > messages.day) Object.assign(messages, { day, today: 0 });
  messages.today += 1;
}

function countThrottled(messages: MessageLog, at: EpochMs): void {
  const before = messages.throttled;
  const minutes = before !== null && at - before.at < IN_A_ROW_MS ? before.minutes + 1 : 1;
  messages.throttled = { minutes, at };
}

type OwnFill = Pick<PayloadOf<'fill-corrected'>, 'fill' | 'intentId'>;

/** The owner's fills don't count. */
function countOwnFill(durable: Durable, { fill, intentId: id }: OwnFill): void {
  if (id === null || fill === null) return;
  const market = marketToChange(durable, fill.symbol);
  countForProtections(market, fill);
  addFillWorth(market.risk, fill);
}

/** Each fill counts at its own time, whichever order it belongs to. */
function addFillWorth(risk: MarketRisk, { side, price, quantity, venueTime: at }: FillRecord): void {
  const part = { at, side, notional: decimal(price).mul(quantity) };
  risk.fillParts = withEvent(risk.fillParts, part, REMEMBERED.fills);
}

function recordProfit(market: DurableMarket, { mark, at }: PayloadOf<'profit-marked'>): void {
  if (mark === null) return markUnwatched(market.risk);
  const { treatment } = mark;
  const total = exactValue(mark.total);
  countTaxBy(market, treatment);
  recordPeak(market.risk, { at, total });
  markProfit(market.risk, { at, total }, treatment);
}

/**
 * A change of tax treatment is neither loss nor profit: marks under the old treatment move by the difference, so that
 * the losses so far stay the same.
 */
function countTaxBy({ pnl, risk }: DurableMarket, treatment: TaxTreatment): void {
  const { profit, protections } = risk;
  if (profit === null || treatment === profit.treatment) return;
  const change = pnlParts(pnl, treatment).total - pnlParts(pnl, profit.treatment).total;
  const moved = (total: Value): Value => (total + change) as Value;
  risk.profit = {
    ...profit,
    session: profit.session === null ? null : moved(profit.session),
    day: profit.day === null ? null : { ...profit.day, from: moved(profit.day.from) },
    peak: moved(profit.peak),
    last: moved(profit.last),
  };
  const peaks = protections.peaks.map((peak) => ({ ...peak, total: moved(peak.total) }));
  risk.protections = { ...protections, peaks };
}

function markProfit(risk: MarketRisk, { at, total }: Peak, treatment: TaxTreatment): void {
  const before = risk.profit;
  const number = dayOf(at);
  const day = before?.day ?? null;
  risk.profit = {
    session: before?.session ?? total,
    day: day !== null && day.number >= number ? day : { number, from: lastKnown(before) ?? total },
    peak: before !== null && before.peak > total ? before.peak : total,
    last: total,
    treatment,
  };
}

/** Overnight changes belong to the new day: nothing falls between two days. Unwatched days have none. */
const lastKnown = (marks: ProfitMarks | null): Value | null =>
  marks === null || marks.isUnwatched === true ? null : marks.last;

function markUnwatched(risk: MarketRisk): void {
  if (risk.profit !== null) risk.profit = { ...risk.profit, isUnwatched: true };
  lookAnew(risk);
}

/** A person has resumed the market: only what halted it begins anew. */
function resume({ halt, risk }: DurableMarket, messages: MessageLog): void {
  if (halt?.code === 'repeated-fills') beginFillsAnew(risk);
  if (halt?.code === 'message-rate') Object.assign(messages, { today: 0, throttled: null });
  if (halt?.code === 'loss') risk.profit = null;
}

// The fold of the protections' memory: own sales below cost, refused creates, the highest profits, turnover.

/** Call it before the fill is booked as ours: it needs the cost of the holdings so far. */
function countForProtections(market: DurableMarket, record: FillRecord): void {
  const fill = fromFillRecord(record);
  const { risk } = market;
  if (isLosing(market, fill)) countLosingSale(risk, fill.venueTime);
  risk.protections = { ...risk.protections, turnover: withFill(risk.protections.turnover, fill) };
}

/** A sale that brought less, after its fee, than the base had cost with its fees. */
function isLosing(market: DurableMarket, fill: Fill): boolean {
  if (fill.side !== 'sell') return false;
  const cost = costOfHeld(market, ({ worth, fee }) => worth.add(fee));
  return cost !== null && fill.price.sub(unitFee(fill)).lt(cost);
}

const unitFee = (fill: Fill): Decimal => feeWorth(fill).div(fill.quantity);

function withFill({ day, notional }: ProtectionMemory['turnover'], fill: Fill): ProtectionMemory['turnover'] {
  const dayOfFill = Math.floor(fill.venueTime / DAY);
  // A late booking of the previous day takes no room of this one.
  if (dayOfFill < day) return { day, notional };
  const worth = fill.price.mul(fill.quantity);
  return { day: dayOfFill, notional: dayOfFill === day ? notional.add(worth) : worth };
}

/** The last profit lasted until just now, so it counts as a peak from a moment ago. */
function recordPeak(risk: MarketRisk, { at, total }: Peak): void {
  const { peaks, peakHolds } = risk.protections;
  const newest = peaks.at(-1);
  const before = newest !== undefined && peakHolds ? [...peaks.slice(0, -1), { ...newest, at }] : peaks;
  const higher = before.filter((peak) => peak.total > total && peak.at >= at - LONGEST_PROTECTION_MS);
  risk.protections = { ...risk.protections, peaks: [...higher, { at, total }], peakHolds: true };
}

/** Profit was unwatched for a while, or watched with other settings: when it fell in between is unknown. */
function lookAnew(risk: MarketRisk): void {
  risk.protections = { ...risk.protections, peakHolds: false };
}

function countLosingSale(risk: MarketRisk, at: EpochMs): void {
  const losingSales = withEvent(risk.protections.losingSales, { at }, REMEMBERED.losingSales);
  risk.protections = { ...risk.protections, losingSales };
}

/** Earlier fills no longer count as one-sided. Their withheld tax stays withheld. */
function beginFillsAnew(risk: MarketRisk): void {
  risk.fillParts = risk.fillParts.map((part) => ({ ...part, isResumed: true }));
}

// The fold of locks. The protection's cause begins anew with its lock, and again when the lock ends.

/** The name under which an expired lock is removed. */
export const BY_TIME = 'time';

export function applyLock(durable: Durable, { symbol, code, side, lock, by, at }: PayloadOf<'lock'>): void {
  const market = marketToChange(durable, symbol);
  const others = market.locks.filter((each) => !isSameLock(each, { code, side }));
  market.locks = lock === null ? others : [...others, { code, side, ...lock, since: at }];
  if (lock !== null || by === BY_TIME) beginAnew(market.risk, code, at);
  else removed(market.risk, code, at);
}

/** A person has resumed the market: only what halted or locked it begins anew. */
export function resumeProtections(market: DurableMarket, at: EpochMs): void {
  const { halt, locks, risk } = market;
  // While it was halted, its profit was unwatched.
  lookAnew(risk);
  for (const { code } of locks) removed(risk, code, at);
  if (halt?.code === 'loss') beginAnew(risk, 'drawdown', at);
  market.locks = [];
}

/** A person who removes the lock of a full day grants the day's room once more. */
function removed(risk: MarketRisk, code: LockCode, at: EpochMs): void {
  beginAnew(risk, code, at);
  const { turnover } = risk.protections;
  if (code === 'repeated-fills') beginFillsAnew(risk);
  if (code === 'turnover') risk.protections = { ...risk.protections, turnover: { ...turnover, notional: ZERO } };
}

function beginAnew(risk: MarketRisk, code: LockCode, at: EpochMs): void {
  const { protections, profit } = risk;
  if (code === 'losing-sales') risk.protections = { ...protections, losingSales: [] };
  if (code === 'drawdown') {
    const isKnown = profit !== null && protections.peakHolds;
    risk.protections = { ...protections, peaks: isKnown ? [{ at, total: profit.last }] : [] };
  }
}
