// The fold of what protections remember: own sales below cost, refused creates, the highest profits, turnover.
import type { Decimal } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/fill.ts';
import { intentId } from '../../../domain/ids.ts';
import { DAY, type EpochMs } from '../../../domain/time.ts';
import { LONGEST_PROTECTION_MS } from '../../../quoting/protection-settings.ts';
import type { Durable } from '../durable.ts';
import type { FillRecord, PayloadOf } from '../events.ts';
import { type DurableMarket, marketToChange } from '../market.ts';
import { costOfHeld, feeWorth } from '../remembered/held-cost.ts';
import type { MarketRisk } from '../remembered/limits.ts';
import type { ProtectionMemory } from '../remembered/protections.ts';
import { PROTECTED, type ProtectedCode, withEvent } from '../remembered/windows.ts';
import { exactValue } from './exact-value.ts';
import { fromFillRecord } from './fill-record.ts';

/** Before the fill is booked for ours: what was held until now has a cost. */
export function noteOwnFill(market: DurableMarket, record: FillRecord): void {
  const fill = fromFillRecord(record);
  const { risk } = market;
  if (isLosing(market, fill)) count(risk, 'losing-sales', fill.venueTime);
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

/** With a code of the exchange's, or with 200 and its words alone. */
export const isRefusal = ({ outcome, refused }: PayloadOf<'create-outcome'>): boolean =>
  outcome === 'rejected' || refused === true;

export function noteRefusal(durable: Durable, payload: PayloadOf<'create-outcome'>): void {
  if (!isRefusal(payload)) return;
  const { intentId: id, at } = payload;
  const intent = durable.orders.intents.get(intentId(id));
  if (intent === undefined) return;
  count(marketToChange(durable, intent.symbol).risk, 'refusals', at);
}

/** What stood until now is as high a moment ago as when it was reached. */
export function notePeak(risk: MarketRisk, payload: PayloadOf<'profit-marked'>): void {
  const { at } = payload;
  const total = exactValue(payload.total);
  const { peaks, peakHolds } = risk.protections;
  const newest = peaks.at(-1);
  const before = newest !== undefined && peakHolds ? [...peaks.slice(0, -1), { ...newest, at }] : peaks;
  const higher = before.filter((peak) => peak.total > total && peak.at >= at - LONGEST_PROTECTION_MS);
  risk.protections = { ...risk.protections, peaks: [...higher, { at, total }], peakHolds: true };
}

/** Profit was not looked at for a while, or by other settings: when it fell meanwhile is not known. */
export function lookAnew(risk: MarketRisk): void {
  risk.protections = { ...risk.protections, peakHolds: false };
}

function count(risk: MarketRisk, code: ProtectedCode, at: EpochMs): void {
  const { counted } = risk.protections;
  const events = withEvent(counted[code], { at }, PROTECTED[code]);
  risk.protections = { ...risk.protections, counted: { ...counted, [code]: events } };
}

/** What filled before counts as one-sided no more. The tax that was withheld on it stays withheld. */
export function beginFillsAnew(risk: MarketRisk): void {
  risk.fillParts = risk.fillParts.map((part) => ({ ...part, isResumed: true }));
}
