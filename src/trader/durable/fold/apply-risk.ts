// The fold of what limits remember. Pure: times come from the events, limits are not known here.

import { type Decimal, decimal, ZERO } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/fill.ts';
import { intentId } from '../../../domain/ids.ts';
import { DAY, type EpochMs, MINUTE } from '../../../domain/time.ts';
import type { Value } from '../../../ledger/amount.ts';
import { pnlParts, type TaxTreatment } from '../../../ledger/pnl.ts';
import { isSameLock, LONGEST_PROTECTION_MS, type LockCode } from '../../../quoting/protection-settings.ts';
import type { Durable } from '../durable.ts';
import type { FillRecord, PayloadOf, TraderEvent } from '../events.ts';
import { type DurableMarket, marketToChange } from '../market.ts';
import {
  costOfHeld,
  feeWorth,
  type MarketRisk,
  type MessageLog,
  type Peak,
  type ProfitMarks,
  type ProtectionMemory,
  REMEMBERED,
  withEvent,
} from '../remembered.ts';
import { exactValue, fromFillRecord } from './fill-record.ts';

/** A throttled minute that follows the one before within this time is in a row with it. */
const IN_A_ROW_MS = 2 * MINUTE;

/** The UTC day of a moment, as days since 1970. */
export const dayOf = (at: EpochMs): number => Math.floor(at / DAY);

/** Changes `durable` in place, before anything else of the event does: how the session before ended counts. */
export function applyRisk(durable: Durable, event: TraderEvent): void {
  switch (event.type) {
    case 'session-started':
      // What begins after a crash is the same session: a bot that dies again and again would have no limit else.
      if (durable.journal.endedFlat) beginSession(durable);
      return;
    case 'intent':
      return countMessage(durable.messages, event.payload.sentAt);
    case 'cancel-sent':
      // An order is two messages. A cancel that is repeated until it is answered must not keep creates back afterward.
      if ((durable.orders.intents.get(intentId(event.payload.intentId))?.cancel ?? 'none') !== 'none') return;
      return countMessage(durable.messages, event.payload.at);
    case 'fill':
      return countOwnFill(durable, event.payload);
    case 'fill-corrected':
      // One that was the owner's until now counts like any other; a change of what counted does not once more.
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
  // A clock that was set back does not give the day's room a second time.
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

/** Each fill adds up at its own time, whichever order it is of. */
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
 * Tax that counts otherwise from here on is neither lost nor won: what was marked by the treatment of before moves by
 * as much, so that what was lost until then stays what it was.
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

/** What the night brought is the new day's: nothing falls between two days. Of days that nobody measured nothing is. */
const lastKnown = (marks: ProfitMarks | null): Value | null =>
  marks === null || marks.isUnwatched === true ? null : marks.last;

function markUnwatched(risk: MarketRisk): void {
  if (risk.profit !== null) risk.profit = { ...risk.profit, isUnwatched: true };
  lookAnew(risk);
}

/** A person has looked: what halted the market begins anew, and nothing else does. */
function resume({ halt, risk }: DurableMarket, messages: MessageLog): void {
  if (halt?.code === 'repeated-fills') beginFillsAnew(risk);
  if (halt?.code === 'message-rate') Object.assign(messages, { today: 0, throttled: null });
  if (halt?.code === 'loss') risk.profit = null;
}

// The fold of what protections remember: own sales below cost, refused creates, the highest profits, turnover.

/** Before the fill is booked for ours: what was held until now has a cost. */
function countForProtections(market: DurableMarket, record: FillRecord): void {
  const fill = fromFillRecord(record);
  const { risk } = market;
  if (isLosing(market, fill)) countLosingSale(risk, fill.venueTime);
  risk.protections = { ...risk.protections, turnover: withFill(risk.protections.turnover, fill) };
}

/** A sale that brought less, its fee taken off, than the base had cost with its fees. */
function isLosing(market: DurableMarket, fill: Fill): boolean {
  if (fill.side !== 'sell') return false;
  const cost = costOfHeld(market, ({ worth, fee }) => worth.add(fee));
  return cost !== null && fill.price.sub(unitFee(fill)).lt(cost);
}

const unitFee = (fill: Fill): Decimal => feeWorth(fill).div(fill.quantity);

function withFill({ day, notional }: ProtectionMemory['turnover'], fill: Fill): ProtectionMemory['turnover'] {
  const dayOfFill = Math.floor(fill.venueTime / DAY);
  // What is booked late of the day before takes no room of this one.
  if (dayOfFill < day) return { day, notional };
  const worth = fill.price.mul(fill.quantity);
  return { day: dayOfFill, notional: dayOfFill === day ? notional.add(worth) : worth };
}

/** What stood until now is as high a moment ago as when it was reached. */
function recordPeak(risk: MarketRisk, { at, total }: Peak): void {
  const { peaks, peakHolds } = risk.protections;
  const newest = peaks.at(-1);
  const before = newest !== undefined && peakHolds ? [...peaks.slice(0, -1), { ...newest, at }] : peaks;
  const higher = before.filter((peak) => peak.total > total && peak.at >= at - LONGEST_PROTECTION_MS);
  risk.protections = { ...risk.protections, peaks: [...higher, { at, total }], peakHolds: true };
}

/** Profit was not looked at for a while, or by other settings: when it fell meanwhile is not known. */
function lookAnew(risk: MarketRisk): void {
  risk.protections = { ...risk.protections, peakHolds: false };
}

function countLosingSale(risk: MarketRisk, at: EpochMs): void {
  const losingSales = withEvent(risk.protections.losingSales, { at }, REMEMBERED.losingSales);
  risk.protections = { ...risk.protections, losingSales };
}

/** What filled before counts as one-sided no more. The tax that was withheld on it stays withheld. */
function beginFillsAnew(risk: MarketRisk): void {
  risk.fillParts = risk.fillParts.map((part) => ({ ...part, isResumed: true }));
}

// The fold of locks. What made a protection lock begins anew with its lock, and once more when that ends.

/** Who removes a lock whose end has come. */
export const BY_TIME = 'time';

export function applyLock(durable: Durable, { symbol, code, side, lock, by, at }: PayloadOf<'lock'>): void {
  const market = marketToChange(durable, symbol);
  const others = market.locks.filter((each) => !isSameLock(each, { code, side }));
  market.locks = lock === null ? others : [...others, { code, side, ...lock, since: at }];
  if (lock !== null || by === BY_TIME) beginAnew(market.risk, code, at);
  else removed(market.risk, code, at);
}

/** A person has looked: what halted the market and what locked it begins anew, and nothing else does. */
export function resumeProtections(market: DurableMarket, at: EpochMs): void {
  const { halt, locks, risk } = market;
  // While it was halted nobody looked at its profit.
  lookAnew(risk);
  for (const { code } of locks) removed(risk, code, at);
  if (halt?.code === 'loss') beginAnew(risk, 'drawdown', at);
  market.locks = [];
}

/** By a person: who removes the lock of a full day gives it its room once more. */
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
