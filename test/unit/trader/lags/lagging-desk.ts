// A desk at an exchange whose lists trail, and a market that moves: for what is measured of that.
import type { Fill } from '../../../../src/domain/fill.ts';
import type { OpenOrder } from '../../../../src/domain/order.ts';
import { MINUTE } from '../../../../src/domain/time.ts';
import { BTC } from '../desk-settings.ts';
import { type Desk, fillNow, readNow, tradesPage } from '../trader-kit.ts';

interface Then {
  readonly at: number;
  readonly orders: readonly OpenOrder[];
  readonly fills: readonly Fill[];
}

/** How far each list trails; may be changed meanwhile. */
export interface Lags {
  orders: number;
  trades: number;
}

/** From now on each list shows what was so a while ago. */
export function trailBy(desk: Desk, lags: Lags): void {
  const history: Then[] = [];
  const then = (lagMs: number): Then => {
    const { orders, fills } = desk.shows;
    const now = { at: desk.now(), orders: [...orders], fills: [...fills] };
    history.push(now);
    return history.findLast(({ at }) => at <= desk.now() - lagMs) ?? history[0] ?? now;
  };
  desk.reply = (request) => {
    then(0);
    if (request.kind === 'open-orders') return readNow(desk, [...then(lags.orders).orders]);
    if (request.kind === 'spot-trades') return readNow(desk, tradesPage(then(lags.trades).fills, request));
    return undefined;
  };
}

/** The market moves every few seconds, and an order fills now and then. */
export function trade(desk: Desk, rounds: number, everyMs = 100): void {
  for (let round = 0; round < rounds; round += 1) {
    const middle = round % 2 === 0 ? 97_000 : 100_000;
    desk.shows.books[BTC] = [middle - 1_000, middle + 1_000];
    desk.run(7_000, everyMs);
    const resting = desk.intents().find(({ state }) => state === 'open');
    if (round % 3 === 0 && resting) fillNow(desk, resting);
    desk.run(7_000, everyMs);
  }
  desk.run(MINUTE, everyMs);
}
