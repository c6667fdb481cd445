// What an order would reserve and a fill would move, for whoever has to know before, or after, the engine does it.
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import type { Side } from '../domain/order.ts';
import { type FillTerms, fillTerms, reservationOf } from './charges.ts';
import type { EngineState } from './engine-state.ts';
import type { Market } from './market.ts';
import { reservedAsset } from './reservation.ts';
import type { Lots, Ticks, Units } from './types.ts';

interface Priced {
  readonly symbol: InstrumentSymbol;
  readonly price: Ticks;
  readonly quantity: Lots;
}

/** What a limit order would lock. The symbol must be known. */
export function orderReservation(
  state: EngineState,
  { symbol, side, price, quantity }: Priced & { readonly side: Side },
): { readonly asset: Asset; readonly amount: Units } {
  const market = marketOf(state, symbol);
  const amount = reservationOf(state.charges, { market, side, price, remaining: quantity });
  return { asset: reservedAsset(market, side), amount };
}

/** What a fill moves where both sides can pay all of it. The symbol must be known. */
export function tradeTerms(
  state: EngineState,
  { symbol, price, quantity, makerSide }: Priced & { readonly makerSide: Side },
): FillTerms {
  return fillTerms(state.charges, marketOf(state, symbol), { price, quantity, makerSide });
}

function marketOf({ markets }: EngineState, symbol: InstrumentSymbol): Market {
  const market = markets.get(symbol);
  invariant(market !== undefined, () => `There is no instrument ${symbol}.`);
  return market;
}
