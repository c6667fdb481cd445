// A bid whose answer was lost, and what the exchange then shows.
import type { OrderRequest } from '../../../src/domain/order.ts';
import type { Chosen } from '../../../src/trader/state/session.ts';
import { BTC } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import { type Desk, nextCreate, readyDesk, rowOf, type softRejected, unknown } from './trader-kit.ts';

export interface Lost {
  readonly desk: Desk;
  readonly create: Chosen;
  readonly order: OrderRequest;
  readonly id: string;
}

/** A bid whose answer was lost; no other create is answered. */
export function lostBid(outcome: typeof unknown | typeof softRejected = unknown, desk: Desk = readyDesk()): Lost {
  const create = nextCreate(desk);
  if (create.request.kind !== 'create') throw new Error('No create.');
  desk.answer(create, outcome);
  desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
  return { desk, create, order: create.request.order, id: create.intentId };
}

export const haltOf = (desk: Desk): string | undefined => haltsIn(desk.state().durable).get(BTC);
export const list = (desk: Desk, order: OrderRequest, id: string, at = desk.now()): void => {
  desk.shows.orders.push(rowOf(order, id, at));
};
