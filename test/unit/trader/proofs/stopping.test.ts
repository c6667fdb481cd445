// The proof of a stop: which lists count, what takes it back, and when the session ends, flat or not.
import { describe, expect, test } from '@jest/globals';
import type { OrderId } from '../../../../src/domain/ids.ts';
import type { OpenOrder } from '../../../../src/domain/order.ts';
import {
  beginStop,
  endSession,
  extendStopProof,
  finishStop,
  stopResult,
} from '../../../../src/trader/observe/stopping.ts';
import type { Fence } from '../../../../src/trader/state/seen.ts';
import { marketOf, type TraderState } from '../../../../src/trader/state/state.ts';
import { beginTurn } from '../../../../src/trader/state/turn.ts';
import { SHOWN } from '../../../../src/venue/lacked-twice.ts';
import { refused } from '../../refused.ts';
import { BTC, deskSettings, ETH, LAG_MS } from '../desk-settings.ts';
import { inSlot, quotingDesk, readNow, readyDesk, rowOf, unknown } from '../trader-kit.ts';

/** A bot that was told to stop, with nothing of its own left. */
function stopping(foreignOrders: 'ignore' | 'refuse' = 'ignore', symbols = [BTC]) {
  const desk = readyDesk(deskSettings({ foreignOrders, symbols }));
  const state = desk.state();
  for (const market of state.markets.values()) market.lastHorizon = 0;
  const at = desk.now();
  beginStop(beginTurn(state, at));
  return { state, at };
}

/** One that was acknowledged. */
const fenceOf = (sentAt: number, answeredAt: number): Fence => ({
  ...{ sentAt, answeredAt, attempts: 0, inFlight: new Map(), taken: { sentAt, answeredAt } },
});

const list = (state: TraderState, sentAt: number, rows: readonly OpenOrder[] = [], symbol = BTC): void =>
  extendStopProof(beginTurn(state, sentAt + 20), marketOf(state, symbol), {
    rows,
    complete: true,
    sentAt,
    receivedAt: sentAt + 20,
  });
const proved = (state: TraderState, symbol = BTC): boolean =>
  (marketOf(state, symbol).stopProof?.lacked.againAt ?? null) !== null;
const began = (state: TraderState): number | null | undefined => marketOf(state, BTC).stopProof?.lacked.firstAt;

describe('a stop', () => {
  test('begins once with a notice, and asks for the list of each symbol', () => {
    const desk = readyDesk(deskSettings({ symbols: [BTC, ETH] }));
    const state = desk.state();
    for (const { openOrders } of state.markets.values()) Object.assign(openOrders, { neededAfter: null });
    const turn = beginTurn(state, desk.now());
    beginStop(turn);
    expect(state).toMatchObject({ phase: 'stopping', stopRequestedAt: desk.now() });
    expect(turn.notices).toMatchObject([
      { level: 'info', op: 'stopping', message: 'Stopping: no new orders, own orders are canceled.' },
    ]);
    for (const { openOrders } of state.markets.values()) expect(openOrders.neededAfter).toBe(desk.now());
    const again = beginTurn(state, desk.now() + 5);
    beginStop(again);
    expect(again.notices).toEqual([]);
    expect(state.stopRequestedAt).toBe(desk.now());
  });

  test('does not begin in an ended session', () => {
    const { state, at } = stopping();
    endSession(beginTurn(state, at));
    beginStop(beginTurn(state, at + 5));
    expect(state.phase).toBe('stopped');
  });
});

describe('two lists', () => {
  test('are no proof if one shows an order of ours, even a closed one; and the proof is revoked', () => {
    const { state, at } = stopping();
    const own = rowOf({ symbol: BTC, side: 'buy', price: 1 as never, quantity: 1 as never }, '1-7-1', at);
    list(state, at);
    list(state, at + 1);
    state.durable.orders.byOrderId.set(own.orderId, 'intent' as never);
    list(state, at + 2, [own]);
    expect([began(state), proved(state)]).toEqual([null, false]);
    state.durable.orders.byOrderId.clear();
    list(state, at + 3, [own]);
    expect([began(state), proved(state)]).toEqual([at + 3, false]);
  });

  test('must show a second order of the last create: a lag after its latest possible arrival', () => {
    const { state, at } = stopping();
    marketOf(state, BTC).lastHorizon = at + 1_000;
    const shows = at + 1_000 + LAG_MS;
    list(state, shows - 1);
    expect(began(state)).toBeNull();
    expect(marketOf(state, BTC).openOrders.neededLater ?? 0).toBe(shows);
    list(state, shows);
    expect(began(state)).toBe(shows);
  });

  test('must have left after the answer to the fence on an account that is the bot’s alone', () => {
    const { state, at } = stopping('refuse');
    list(state, at + 60_000);
    expect(began(state)).toBeNull();
    const fence = (sentAt: number) => fenceOf(sentAt, at + 500);
    marketOf(state, BTC).fence = fence(at - 1);
    list(state, at + 60_000);
    expect(began(state)).toBeNull();
    marketOf(state, BTC).fence = fence(at);
    list(state, at + 499);
    expect(began(state)).toBeNull();
    list(state, at + 500);
    expect(began(state)).toBe(at + 500);
  });

  test('prove nothing while the bot trades', () => {
    const desk = readyDesk();
    const state = desk.state();
    marketOf(state, BTC).stopProof = { lacked: SHOWN, asked: false };
    list(state, desk.now());
    expect(began(state)).toBeNull();
  });
});

describe('the end of the session', () => {
  const finish = (state: TraderState, at: number) => {
    const turn = beginTurn(state, at);
    finishStop(turn);
    return turn.events.map(({ type, payload }) => ({ type, ...('flat' in payload ? { flat: payload.flat } : {}) }));
  };

  test('comes when every symbol is proved, flat', () => {
    const { state, at } = stopping('ignore', [BTC, ETH]);
    for (const sentAt of [at, at + 1]) list(state, sentAt);
    expect(finish(state, at + 30)).toEqual([]);
    for (const sentAt of [at, at + 1]) list(state, sentAt, [], ETH);
    expect(finish(state, at + 40)).toEqual([{ type: 'session-ended', flat: true }]);
    expect(stopResult(state.durable)).toEqual({ flat: true, openIntents: 0 });
    expect(finish(state, at + 50)).toEqual([]);
  });

  test('without waiting is flat only if everything was proved', () => {
    const ended = (state: TraderState): boolean => {
      endSession(beginTurn(state, 1));
      return stopResult(state.durable).flat;
    };
    expect(ended(stopping().state)).toBe(false);
    const { state, at } = stopping();
    for (const sentAt of [at, at + 1]) list(state, sentAt);
    expect(ended(state)).toBe(true);
    const open = quotingDesk();
    beginStop(beginTurn(open.state(), open.now()));
    marketOf(open.state(), BTC).stopProof = { lacked: { firstAt: 1, againAt: 2 }, asked: true };
    expect(ended(open.state())).toBe(false);
    expect(stopResult(open.state().durable).openIntents).toBe(2);
    expect(inSlot(open, 'buy:0').state).toBe('open');
  });

  test('is flat at once where the last one was and the exchange has answered nothing since', () => {
    const untouched = (changes: { beganFlat?: boolean; usedAt?: number | null }) => {
      const { state, at } = stopping();
      const { contact } = state;
      const lane = { ...contact.private, usedAt: changes.usedAt ?? null };
      Object.assign(state.session, { beganFlat: changes.beganFlat ?? true });
      Object.assign(state, { contact: { ...contact, private: lane } });
      return finish(state, at);
    };
    expect(untouched({})).toEqual([{ type: 'session-ended', flat: true }]);
    expect(untouched({ beganFlat: false })).toEqual([]);
    expect(untouched({ usedAt: 7 })).toEqual([]);
  });
});

// The proof of a stop: a list that can't be read whole shows an order of ours. Two whole lists after it are the proof
// all the same, and those before it are none any more.

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
    if (request.kind === 'cancel') return refused(-1124);
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
