// The last own fills as a strategy is told them, and what the base cost that they bought.
import type { Decimal } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import { compareTradeIds, type OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { DurationMs } from '../../domain/time.ts';
import type { OwnFill } from '../../quoting/strategy.ts';
import type { Durable } from '../durable/durable.ts';
import type { FillRecord } from '../durable/events.ts';
import type { Intent } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import { costOfHeld, type OwnLot } from '../durable/remembered.ts';
import type { TraderState } from '../state/state.ts';
import type { Turn } from '../state/turn.ts';

/**
 * Oldest first, by when they happened: a row may come late. At most as many as the journal's fold remembers. Times are
 * by our clock, as all that they meet are.
 */
export function ownFillsOf(state: FillSources, symbol: InstrumentSymbol): readonly OwnFill[] {
  return toldFills(state, symbol).map(({ told }) => told);
}

type FillSources = Pick<TraderState, 'durable' | 'clock'>;

/** A fill as the journal has it, and as a strategy is told it. */
export interface ToldFill {
  readonly fill: Fill;
  readonly told: OwnFill;
}

/** `booked`: fills of before or now that count as well, where the journal's fold remembers newer ones alone. */
export function toldFills(
  { durable, clock }: FillSources,
  symbol: InstrumentSymbol,
  booked: readonly Fill[] = [],
): readonly ToldFill[] {
  const offsetMs = clock?.offsetMs ?? 0;
  const recent = marketIn(durable, symbol).tally.recent.flatMap(({ fill, ours }) => (ours ? [fill] : []));
  const isRecent = (fill: Fill): boolean => recent.some((each) => isSameFill(each, fill));
  const own = [...recent, ...booked.filter((fill) => !isRecent(fill))];
  if (own.length === 0) return [];
  const seen = new Set<OrderId>();
  const newestFirst = own.toSorted((a, b) => b.venueTime - a.venueTime || compareTradeIds(b.tradeId, a.tradeId));
  const fills = newestFirst.map((fill) => {
    const isLast = !seen.has(fill.orderId);
    seen.add(fill.orderId);
    return { fill, told: ownFill(fill, intentOf(durable, fill), { isLast, offsetMs }) };
  });
  return fills.reverse();
}

/** A trade with ourselves is two rows of one id. */
export const isSameFill = (a: Fill, b: Fill): boolean => a.tradeId === b.tradeId && a.side === b.side;

function ownFill(
  { side, price, quantity, venueTime, liquidity }: Fill,
  intent: Intent | undefined,
  { isLast, offsetMs }: { readonly isLast: boolean; readonly offsetMs: DurationMs },
): OwnFill {
  const completesOrder = isLast && intent?.filled.gte(intent.quantity) === true;
  const at = venueTime - offsetMs;
  return { side, slot: intent?.slot ?? null, price, quantity, at, liquidity, completesOrder };
}

function intentOf({ orders }: Pick<Durable, 'orders'>, { orderId }: Fill): Intent | undefined {
  const id = orders.byOrderId.get(orderId);
  return id === undefined ? undefined : (orders.intents.get(id) ?? orders.closed.get(id));
}

/**
 * What the base cost that own fills bought and did not sell again: the average price of the newest buys that add up to
 * it, with the fee that was taken off; where that has no price here, the configured one. Null where there is none of
 * it, or where the buys that are remembered don't add up to it.
 */
export function averageCostOf(durable: Durable, symbol: InstrumentSymbol, feeRatio: Decimal): Decimal | null {
  const feeOf = ({ worth, fee }: OwnLot): Decimal => (fee.isZero() ? worth.mul(feeRatio) : fee);
  const cost = costOfHeld(marketIn(durable, symbol), (lot) => lot.worth.add(feeOf(lot)));
  return cost?.toDecimalPlaces(COST_PLACES) ?? null;
}

const COST_PLACES = 20;

// What filled of the bot's own orders, as a turn took note of it.

/** One that was booked as the owner's until this turn is one of them; one that is only booked anew is not. */
export function ownFillsIn({ events }: Turn): readonly FillRecord[] {
  return events.flatMap((event) => {
    if (event.type === 'fill') return event.payload.intentId === null ? [] : [event.payload.fill];
    if (event.type !== 'fill-corrected' || event.payload.fill === null) return [];
    return event.payload.attributed ? [event.payload.fill] : [];
  });
}
