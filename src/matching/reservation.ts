// Moves money between free and locked as an order comes, shrinks and goes.
import type { Asset } from '../domain/instrument.ts';
import type { Side } from '../domain/order.ts';
import { holdingOf } from './accounts.ts';
import { reservationOf } from './charges.ts';
import type { EngineState } from './engine-state.ts';
import type { LiveOrder, Market } from './market.ts';
import type { Units } from './types.ts';

/** Which asset an order of this side reserves. */
export function reservedAsset(market: Market, side: Side): Asset {
  return side === 'buy' ? market.instrument.quote : market.instrument.base;
}

/** Locks exactly what the order, with what remains of it, must reserve; the difference comes from or goes to free. */
export function adjustReservation(state: EngineState, order: LiveOrder): void {
  const { info, side, price, remaining } = order;
  setReservation(order, reservationOf(state.charges, { market: info.market, side, price, remaining }));
}

/** Frees all that the order reserves, as it leaves. */
export function releaseReservation(order: LiveOrder): void {
  setReservation(order, 0n);
}

function setReservation({ info, side }: LiveOrder, amount: Units): void {
  const holding = holdingOf(info.account, reservedAsset(info.market, side));
  const more = amount - info.locked;
  holding.free -= more;
  holding.locked += more;
  info.locked = amount;
}
