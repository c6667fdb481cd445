// Each conclusion names the requests that it rests on, by the moments at which they left.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { TraderEvent } from '../../../../src/trader/durable/events.ts';
import type { Reads } from '../../../../src/trader/durable/hold-events.ts';
import { BTC, deskSettings, HORIZON_MS, LAG_MS } from '../desk-settings.ts';
import { list, lostBid } from '../lost-bid.ts';
import { type Desk, fillNow, foldAll, inSlot, quotingDesk, readyDesk, tradeNow, unknown } from '../trader-kit.ts';

type Kind = Desk['sent'][number]['chosen']['request']['kind'];

const sentAt = (desk: Desk, kind: Kind): number[] =>
  desk.sent.filter(({ chosen }) => chosen.request.kind === kind).map(({ at }) => at);

/** What the last such event names; of one intent where it is given. */
const readsOf = (desk: Desk, type: TraderEvent['type'], id?: string): Reads => {
  const isOf = ({ payload }: TraderEvent): boolean =>
    id === undefined || ('intentId' in payload && payload.intentId === id);
  const payload = desk.events.findLast((event) => event.type === type && isOf(event))?.payload;
  return (payload !== undefined && 'reads' in payload ? payload.reads : undefined) as Reads;
};

/** Two lists, trades and a wallet of the desk, all as late as `from`. */
function expectWhole(desk: Desk, reads: Reads, from: number): void {
  for (const at of reads.orders ?? []) expect(sentAt(desk, 'open-orders')).toContain(at);
  expect(sentAt(desk, 'spot-trades')).toContain(reads.trades?.[0]);
  expect(sentAt(desk, 'wallet')).toContain(reads.wallet);
  for (const at of [...(reads.orders ?? []), ...(reads.trades ?? []), reads.wallet])
    expect(at).toBeGreaterThanOrEqual(from);
}

test('a canceled order: the list that lacked it first, and list, trades and wallet a lag later', () => {
  const desk = quotingDesk();
  desk.run(2_500);
  const bid = inSlot(desk, 'buy:0');
  desk.shows.books[BTC] = [96_000, 98_000];
  desk.run(LAG_MS + 4_000);
  const first = readsOf(desk, 'listed', bid.intentId).orders?.[0] ?? 0;
  expect(sentAt(desk, 'open-orders')).toContain(first);
  const reads = readsOf(desk, 'closed', bid.intentId);
  expectWhole(desk, reads, first + LAG_MS);
  expect(reads.orders).toHaveLength(1);
});

test('an order that nobody canceled: a list a lag later, and trades and wallet after it', () => {
  const desk = quotingDesk();
  desk.run(2_500);
  const { orderId: id } = inSlot(desk, 'buy:0');
  desk.shows.orders = desk.shows.orders.filter((row) => row.orderId !== id);
  desk.run(2 * LAG_MS + 8_000);
  const first = readsOf(desk, 'listed').orders?.[0] ?? 0;
  const { orders = [], ...counted } = readsOf(desk, 'closed');
  const [begun, again = 0] = orders;
  expect(begun).toBe(first);
  expect(again).toBeGreaterThanOrEqual(first + LAG_MS);
  expectWhole(desk, counted, again);
});

test('a filled order: the page that showed its last fill', () => {
  const desk = quotingDesk();
  desk.run(2_500);
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(2_500);
  const reads = readsOf(desk, 'closed');
  expect(Object.keys(reads)).toEqual(['trades']);
  expect(sentAt(desk, 'spot-trades')).toContain(reads.trades?.[0]);
});

test('a create that was never placed: two lists, trades and wallet after horizon and lag', () => {
  const { desk, sentAt: left } = lost();
  desk.run(HORIZON_MS + 3 * LAG_MS + 10_000);
  const reads = readsOf(desk, 'closed');
  expectWhole(desk, reads, left + HORIZON_MS + LAG_MS);
  expect(reads.orders).toHaveLength(2);
  expect(reads).not.toHaveProperty('fence');
});

test('on an account that is the bot’s alone the fence before them', () => {
  const { desk, sentAt: left } = lost('refuse');
  desk.run(HORIZON_MS + LAG_MS + 20_000);
  const { fence = 0, ...reads } = readsOf(desk, 'closed');
  expect(sentAt(desk, 'cancel-symbol')).toContain(fence);
  expect(fence).toBeGreaterThanOrEqual(left + HORIZON_MS);
  expectWhole(desk, reads, fence + LAG_MS);
});

function lost(foreignOrders: 'ignore' | 'refuse' = 'ignore'): { desk: Desk; sentAt: number } {
  const { desk, id } = lostBid(unknown, readyDesk(deskSettings({ foreignOrders, symbols: [BTC] })));
  return { desk, sentAt: desk.intents().find(({ intentId }) => intentId === id)?.sentAt ?? 0 };
}

test('a found create: the list that shows it, or the page with its fill', () => {
  const listed = lostBid();
  list(listed.desk, listed.order, '1-9-1');
  listed.desk.run(1_500);
  expect(sentAt(listed.desk, 'open-orders')).toContain(readsOf(listed.desk, 'adopted').orders?.[0]);
  const filled = lostBid();
  tradeNow(filled.desk, filled.order, '1-9-1', { quantity: decimal('0.01') });
  filled.desk.run(1_500);
  expect(sentAt(filled.desk, 'spot-trades')).toContain(readsOf(filled.desk, 'adopted').trades?.[0]);
});

test('a stop: two lists of each symbol', () => {
  const desk = readyDesk();
  desk.tell({ kind: 'stop' });
  const from = desk.now();
  desk.run(500);
  const ended = readsOf(desk, 'session-ended') as unknown as Record<string, Reads>;
  const lists = ended[BTC]?.orders ?? [];
  expect(lists).toHaveLength(2);
  for (const at of lists) expect(sentAt(desk, 'open-orders').filter((each) => each >= from)).toContain(at);
});

test('a journal from before it was written folds to the same', () => {
  const desk = quotingDesk();
  desk.run(2_500);
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.shows.books[BTC] = [96_000, 98_000];
  desk.run(LAG_MS + 4_000);
  const older = desk.events.map(({ type, payload }) => {
    const { reads: _, ...rest } = payload as typeof payload & { reads?: Reads };
    return { type, payload: rest } as TraderEvent;
  });
  expect(foldAll(older)).toEqual(desk.state().durable);
});
