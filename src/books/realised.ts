// What was earned with coins that were sold: the money they brought, less what they cost.
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import type { EpochMs } from '../domain/time.ts';
import { type Amount, times, type Value } from '../ledger/amount.ts';
import type { FillOrigin } from '../ledger/fill-entries.ts';
import type { LotEvent } from './lot-events.ts';
import type { Holding, Lot, Match, Price } from './lots.ts';

/** A quantity that was sold, by whom and for how much, and what it had cost. */
export interface Realised {
  readonly symbol: InstrumentSymbol;
  readonly origin: FillOrigin;
  readonly quote: Asset;
  readonly quantity: Amount;
  readonly proceeds: Value;
  /** In the same money; null where it is not known, or was paid in another. */
  readonly cost: Value | null;
}

/** What left without bringing money (a withdrawal, a fee in a third asset), or for other money than it cost. */
export interface LeftUnsold {
  readonly asset: Asset;
  readonly quantity: Amount;
  /** Null where it is not known. */
  readonly cost: Price | null;
}

/** What happened in a period, and what was held before and after it, by asset. */
export interface LotsOfPeriod {
  readonly opening: ReadonlyMap<Asset, readonly Lot[]>;
  readonly realised: readonly Realised[];
  readonly unsold: readonly LeftUnsold[];
  readonly closing: ReadonlyMap<Asset, readonly Lot[]>;
}

/** What a unit cost that came without a price, by asset: the owner says so. */
export type UnitCosts = ReadonlyMap<Asset, { readonly quote: Asset; readonly unit: Amount }>;

export interface LotsOptions {
  readonly method: () => Holding;
  readonly costs: UnitCosts;
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** Runs the lots from the first on and tells what happened in [from, to). A sale counts once it meets its purchase. */
export function lotsOfPeriod(events: readonly LotEvent[], { method, costs, from, to }: LotsOptions): LotsOfPeriod {
  const holdings = new Map<Asset, Holding>();
  const realised: Realised[] = [];
  const unsold: LeftUnsold[] = [];
  const take = (event: LotEvent): readonly Match[] => {
    const holding = holdings.get(event.asset) ?? method();
    holdings.set(event.asset, holding);
    return holding.take(priced(event, costs));
  };
  const held = (): ReadonlyMap<Asset, readonly Lot[]> =>
    new Map([...holdings].map(([asset, holding]) => [asset, [...holding.lots()]]));
  for (const event of events) if (event.at < from) take(event);
  const opening = held();
  for (const event of events) {
    if (event.at < from || event.at >= to) continue;
    for (const match of take(event)) {
      const sale = saleIn(match);
      if (sale !== null) realised.push(sale);
      const { came, left } = match;
      if (sale === null || (sale.cost === null && came.price !== null))
        unsold.push({ asset: event.asset, quantity: left.quantity, cost: came.price });
    }
  }
  return { opening, realised, unsold, closing: held() };
}

/** What came without a trade cost what the owner says. */
function priced(event: LotEvent, costs: UnitCosts): LotEvent {
  const cost = costs.get(event.asset);
  if (event.price !== null || event.origin !== null || event.quantity < 0n || cost === undefined) return event;
  return { ...event, price: { quote: cost.quote, value: times(event.quantity, cost.unit) } };
}

function saleIn({ came, left }: Match): Realised | null {
  if (left.price === null) return null;
  const { symbol, origin, quantity, price } = left;
  invariant(symbol !== null && origin !== null, 'Something was sold that no trade sold.');
  const { quote, value: proceeds } = price;
  const cost = came.price?.quote === quote ? came.price.value : null;
  return { symbol, origin, quote, quantity, proceeds, cost };
}
