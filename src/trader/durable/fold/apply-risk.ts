// The fold of what limits remember. Pure: times come from the events, limits are not known here.
import { decimal } from '../../../domain/decimal.ts';
import { intentId } from '../../../domain/ids.ts';
import { DAY, type EpochMs, MINUTE } from '../../../domain/time.ts';
import type { Value } from '../../../ledger/amount.ts';
import { pnlParts } from '../../../ledger/pnl.ts';
import type { Durable } from '../durable.ts';
import type { FillRecord, PayloadOf, TraderEvent } from '../events.ts';
import { type DurableMarket, marketToChange } from '../market.ts';
import type { MarketRisk, MessageLog, ProfitMarks } from '../remembered/limits.ts';
import { REMEMBERED, withEvent } from '../remembered/windows.ts';
import { exactValue } from './exact-value.ts';
import { beginFillsAnew, lookAnew, noteOwnFill, notePeak, noteRefusal } from './protections.ts';

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
      return noteOwn(durable, event.payload);
    case 'fill-corrected':
      // One that was the owner's until now counts like any other; a change of what counted does not once more.
      return event.payload.attributed ? noteOwn(durable, event.payload) : undefined;
    case 'create-outcome':
      return noteRefusal(durable, event.payload);
    case 'creates-throttled':
      return noteThrottled(durable.messages, event.payload.at);
    case 'profit-marked': {
      const market = marketToChange(durable, event.payload.symbol);
      countTaxBy(market, event.payload);
      notePeak(market.risk, event.payload);
      return markProfit(market.risk, event.payload);
    }
    case 'profit-unwatched':
      return noteUnwatched(marketToChange(durable, event.payload.symbol).risk);
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

function noteThrottled(messages: MessageLog, at: EpochMs): void {
  const before = messages.throttled;
  const minutes = before !== null && at - before.at < IN_A_ROW_MS ? before.minutes + 1 : 1;
  messages.throttled = { minutes, at };
}

type OwnFill = Pick<PayloadOf<'fill'>, 'fill' | 'intentId'>;

/** The owner's fills don't count. */
function noteOwn(durable: Durable, payload: OwnFill): void {
  if (payload.intentId === null) return;
  const market = marketToChange(durable, payload.fill.symbol);
  noteOwnFill(market, payload.fill);
  noteWorth(market.risk, payload.fill);
}

/** Each fill adds up at its own time, whichever order it is of. */
function noteWorth(risk: MarketRisk, { side, price, quantity, venueTime: at }: FillRecord): void {
  const part = { at, side, notional: decimal(price).mul(quantity) };
  risk.fillParts = withEvent(risk.fillParts, part, REMEMBERED.fills);
}

/**
 * Tax that counts otherwise from here on is neither lost nor won: what was marked by the treatment of before moves by
 * as much, so that what was lost until then stays what it was.
 */
function countTaxBy({ pnl, risk }: DurableMarket, { treatment }: PayloadOf<'profit-marked'>): void {
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

function markProfit(risk: MarketRisk, payload: PayloadOf<'profit-marked'>): void {
  const total = exactValue(payload.total);
  const before = risk.profit;
  const number = dayOf(payload.at);
  const day = before?.day ?? null;
  risk.profit = {
    session: before?.session ?? total,
    day: day !== null && day.number >= number ? day : { number, from: lastKnown(before) ?? total },
    peak: before !== null && before.peak > total ? before.peak : total,
    last: total,
    treatment: payload.treatment,
  };
}

/** What the night brought is the new day's: nothing falls between two days. Of days that nobody measured nothing is. */
const lastKnown = (marks: ProfitMarks | null): Value | null =>
  marks === null || marks.isUnwatched === true ? null : marks.last;

function noteUnwatched(risk: MarketRisk): void {
  if (risk.profit !== null) risk.profit = { ...risk.profit, isUnwatched: true };
  lookAnew(risk);
}

/** A person has looked: what halted the market begins anew, and nothing else does. */
function resume({ halt, risk }: DurableMarket, messages: MessageLog): void {
  if (halt?.code === 'repeated-fills') beginFillsAnew(risk);
  if (halt?.code === 'message-rate') Object.assign(messages, { today: 0, throttled: null });
  if (halt?.code.startsWith('loss-')) risk.profit = null;
}
