// A market that is configured later: what the owner does, and what the tests of it look at.
import { expect } from '@jest/globals';
import { decimal, plain } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { orderId } from '../../../src/domain/ids.ts';
import type { OpenOrder } from '../../../src/domain/order.ts';
import { notReady } from '../../../src/trader/decision/readiness.ts';
import { ledgerTotal, marketOf } from '../../../src/trader/state/state.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import { crypto, move } from './money-kit.ts';
import { type Desk, fillOf, moveWallet, ops, quotingDesk, rowOf } from './trader-kit.ts';

export const BOTH = deskSettings({ symbols: [BTC, ETH] });
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const held = (desk: Desk, asset: string): string => plain(ledgerTotal(desk.state().durable.books, asset));
export const openings = (desk: Desk): Record<string, string>[] =>
  desk.events.flatMap((event) =>
    event.type === 'opened' && event.payload.later ? [{ ...event.payload.balances }] : [],
  );
/** How often a trade is booked, by whatever list. */
export const booked = (desk: Desk, { tradeId }: Fill): number =>
  desk.events.filter(({ type, payload }) => /^(?:fill|external-flow)$/.test(type) && tradeOf(payload) === tradeId)
    .length;
const tradeOf = (payload: object): string | null =>
  'fill' in payload ? (payload.fill as { readonly tradeId: string }).tradeId : null;
export const codes = (desk: Desk, symbol: string): string[] =>
  notReady(desk.state(), marketOf(desk.state(), symbol), desk.now()).map(({ code }) => code);

/** The owner's own trade: every list shows it at once. */
export function trade(desk: Desk, { quantity = '2', at = desk.now(), symbol = ETH } = {}): Fill {
  const fill = theirs({ quantity, at, symbol });
  desk.shows.fills.push(fill);
  moveWallet(desk.shows, fill);
  return fill;
}

let orders = 0;
export function theirs({ quantity, at, symbol }: { quantity: string; at: number; symbol: string }): Fill {
  orders += 1;
  const order = { symbol, side: 'buy', price: decimal(10_000), quantity: decimal(quantity) } as const;
  return fillOf(order, orderId(`1-7-${orders}`), { at });
}

/** Three ETH come in, as the list of deposits shows it. */
export function deposit(desk: Desk, status: 'pending' | 'success' = 'success'): void {
  crypto(desk, { status, statusText: status.toUpperCase(), transactionHash: `hash-${desk.now()}` });
  if (status === 'success') move(desk, 'ETH', '3');
}

/** The bot stops, the run is added, the bot starts. */
export function add(desk: Desk, settings = BOTH): void {
  desk.restart(settings);
  desk.look('book', 'orders');
}

/** A journal that knows BTC/INR alone is put back; in ETH/INR an order rests that was placed since. */
export function putBack(order: Pick<OpenOrder, 'side' | 'price'>, before: (desk: Desk) => void = () => {}): Desk {
  const desk = quotingDesk();
  desk.run(5_000);
  desk.tell({ kind: 'stop' });
  desk.run(30_000);
  desk.pass(600_000);
  desk.shows.orders.push(rowOf({ ...order, symbol: ETH, quantity: decimal('0.1') }, '1-900-1', desk.now()));
  desk.pass(300_000);
  before(desk);
  const doubt = { why: 'The journal was put back from a backup.', ownMarks: new Set([orderId('1-900-1')]) };
  desk.restart(BOTH, [], 0, { doubt });
  desk.look('book', 'orders');
  desk.run(500);
  return desk;
}

/** Of an asset, so much keeps its market from being opened. */
export const INEXACT = '0.0000000000000000000000000000000001';

/** ETH/INR can't be opened, as an amount is not exact; its owner has traded there. */
export function waitingDesk(): { desk: Desk; own: Fill } {
  const desk = quotingDesk();
  desk.run(5_000);
  move(desk, 'ETH', INEXACT);
  add(desk);
  desk.run(2_000);
  return { desk, own: trade(desk) };
}

export { account, differs, move } from './money-kit.ts';

/** Assets in which people were told of a difference. */
export const told = (desk: Desk): string[] =>
  desk.events.flatMap((event) => (event.type === 'difference' ? [event.payload.asset] : []));

/** What was booked as a person's own doing, as he said. */
export const accepted = (desk: Desk): string[] =>
  desk.events.flatMap(({ type, payload }) =>
    type === 'external-flow' && payload.kind === 'accepted' ? [`${payload.amount} ${payload.asset}`] : [],
  );

/** Nothing was ever taken for unexplained. */
export function expectCalm(desk: Desk): void {
  expect(ops(desk)).not.toContain('difference');
  expect(desk.state().durable.differences.byAsset.size).toBe(0);
  expect(ops(desk)).not.toContain('symbol-halted');
}
