// The proof of a stop: a list that can't be read whole shows an order of ours. Two whole lists after it are the proof
// all the same, and those before it are none any more.
import { expect, test } from '@jest/globals';
import type { OrderId } from '../../../src/domain/ids.ts';
import { BTC, deskSettings, ETH, LAG_MS } from './desk-settings.ts';
import { inSlot, quotingDesk, readNow, rowOf, unknown } from './trader-kit.ts';

test('a list between the two of the proof counts, complete or not', () => {
  const desk = quotingDesk();
  const [bid] = desk.intents();
  if (!bid?.orderId) throw new Error('Nothing is quoted.');
  const { orderId } = bid;
  desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
  desk.run(LAG_MS * 3);
  expect(desk.intents()).toEqual([]);
  desk.tell({ kind: 'stop' });
  // The order rests (its lists trail by more than is assumed); its cancels do not come through.
  const row = rowOf(bid, orderId, desk.now());
  let lists = 0;
  desk.reply = (request) => {
    if (request.kind === 'cancel') return { kind: 'rejected', status: 400, code: -1124, msg: 'No.' };
    if (request.kind !== 'open-orders') return undefined;
    lists += 1;
    const isShown = lists === 2;
    const read = { rows: isShown ? [row] : [], complete: !isShown, sentAt: desk.now(), receivedAt: desk.now() };
    return { kind: 'read', read };
  };
  for (let n = 0; n < 300 && desk.state().phase === 'stopping' && lists < 3; n += 1) desk.run(100);
  expect(desk.notices.some(({ op }) => op === 'stray-order')).toBe(true);
  expect(desk.state().phase).toBe('stopping');
  // Two whole lists after it show nothing.
  desk.run(10_000);
  expect(desk.events.findLast(({ type }) => type === 'session-ended')?.payload).toMatchObject({ flat: true });
});

test('the stop is not proved if a later list shows an order of ours, even if it may be cut', () => {
  const desk = quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
  const bid = inSlot(desk, 'buy:0');
  if (bid.orderId === null) throw new Error('It has no order.');
  const symbolOf = (id: OrderId) => desk.shows.orders.find(({ orderId }) => orderId === id)?.symbol;
  let stuck = ETH;
  desk.reply = (request) => {
    if (request.kind === 'cancel') return symbolOf(request.orderId) === stuck ? unknown : undefined;
    if (request.kind !== 'open-orders' || stuck === ETH) return undefined;
    const rows = desk.shows.orders.filter(({ symbol }) => symbol === (request.symbol ?? symbol));
    return readNow(desk, rows, request.symbol === ETH);
  };
  desk.tell({ kind: 'stop' });
  desk.run(3 * LAG_MS);
  expect(desk.state().markets.get(BTC)?.stopProof?.lacked.againAt ?? null).not.toBeNull();
  // The order of the symbol that is proved rests all the while, and no list of it is whole any more.
  desk.shows.orders.push(rowOf(bid, bid.orderId, desk.now()));
  stuck = BTC;
  desk.run(5 * LAG_MS);
  expect(desk.intents()).toMatchObject([{ intentId: bid.intentId, state: 'cancel-sent' }]);
  expect(desk.state().phase).toBe('stopping');
  desk.tell({ kind: 'stop-deadline' });
  expect(desk.events.findLast(({ type }) => type === 'session-ended')?.payload).toMatchObject({ flat: false });
});
