// Books as the exchange of a desk shows them: levels of others, and what of ours rests.
import { decimal } from '../../../src/domain/decimal.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';
import { type Desk, textOf } from './trader-kit.ts';

type Levels = readonly (readonly [price: number, quantity: string])[];

/** Books as they are: these levels of others, and what of ours rests. Returns what is created from now on. */
export function showBook(desk: Desk, bids: Levels, asks: Levels): string[] {
  const side = (others: Levels, name: 'buy' | 'sell') => {
    const levels = new Map(others.map(([price, quantity]) => [price, decimal(quantity)]));
    for (const row of desk.shows.orders.filter((each) => each.side === name)) {
      const price = row.price.toNumber();
      levels.set(price, row.remainingQuantity.add(levels.get(price) ?? 0));
    }
    const sorted = [...levels].sort(([a], [b]) => (name === 'buy' ? b - a : a - b));
    return sorted.map(([price, quantity]) => ({ price: decimal(price), quantity }));
  };
  const created: string[] = [];
  desk.reply = (request: VenueRequest) => {
    if (request.kind === 'create') created.push(textOf(request.order));
    if (request.kind !== 'order-book') return undefined;
    const rows = { bids: side(bids, 'buy'), asks: side(asks, 'sell') };
    return { kind: 'read', read: { rows, complete: true, sentAt: desk.now(), receivedAt: desk.now() } };
  };
  return created;
}
