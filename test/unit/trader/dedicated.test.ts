// Whose the account is: with `ignore` nothing of somebody else's is touched, with `refuse` nothing of somebody else's
// is borne.
import { describe, expect, test } from '@jest/globals';
import { decimal, plain } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { MINUTE } from '../../../src/domain/time.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import type { ForeignOrders } from '../../../src/trader/state/settings.ts';
import { ledgerTotal } from '../../../src/trader/state/state.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import { BTC, deskSettings, ETH, HORIZON_MS, LAG_MS } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import { list, lostBid } from './lost-bid.ts';
import {
  accepted,
  type Desk,
  endOf,
  fillNow,
  fillOf,
  inSlot,
  moveWallet,
  nextCreate,
  ops,
  quotingDesk,
  readyDesk,
  rejected,
  rowOf,
  textOf,
  tradeNow,
  unknown,
} from './trader-kit.ts';

const alone = (foreignOrders: ForeignOrders = 'refuse', symbols = [BTC]) => deskSettings({ foreignOrders, symbols });
const haltOf = (desk: Desk, symbol = BTC): string | undefined => haltsIn(desk.state().durable).get(symbol);
const kinds = (desk: Desk): string[] => desk.sent.map(({ chosen }) => chosen.request.kind);
const STRANGE = { symbol: BTC, side: 'buy', price: decimal(90_000), quantity: decimal('0.5') } as const;

/** The same signed bytes arrive twice: two orders, one answer. */
function takeTwice(desk: Desk, id = '1-900-1'): void {
  let done = false;
  desk.reply = (request) => {
    if (request.kind !== 'create' || done) return undefined;
    done = true;
    const answer = desk.answerTo(request, desk.now());
    desk.shows.orders.push(rowOf(request.order, id, desk.now()));
    return answer;
  };
}

describe('a foreign order', () => {
  test('is left alone with `ignore`', () => {
    const desk = quotingDesk(alone('ignore'));
    desk.shows.orders.push(rowOf(STRANGE, '1-7-1', desk.now()));
    desk.run(4_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
  });

  test('halts every symbol with `refuse`, is named, and is never canceled by name', () => {
    const desk = quotingDesk(alone('refuse', [BTC, ETH]));
    desk.shows.orders.push(rowOf(STRANGE, '1-7-1', desk.now()));
    desk.run(4_000);
    const reason =
      "The account is the bot's alone (account.foreignOrders: refuse), and order 1-7-1 (buy 0.5 @ 90000) is not " +
      "the bot's.";
    expect(marketIn(desk.state().durable, BTC).halt?.code).toBe('not-alone');
    expect(haltOf(desk)).toBe(reason);
    expect(haltOf(desk, ETH)).toBe(reason);
    const canceled = desk.sent.flatMap(({ chosen }) =>
      chosen.request.kind === 'cancel' ? [chosen.request.orderId] : [],
    );
    expect(canceled).not.toContain('1-7-1');
  });

  test('of a symbol without a run halts with `refuse` as well', () => {
    const desk = quotingDesk(alone());
    desk.shows.orders.push(rowOf({ ...STRANGE, symbol: 'DOGE/INR' }, '1-7-1', desk.now()));
    desk.run(4_000);
    expect(haltOf(desk)).toContain('order 1-7-1 (buy 0.5 @ 90000) of DOGE/INR is not');
  });

  test('filled before any list showed it halts with `refuse`, and is booked as external', () => {
    const desk = quotingDesk(alone());
    const fill = tradeNow(desk, STRANGE, '1-7-1');
    desk.run(4_000);
    expect(haltOf(desk)).toContain(`trade ${fill.tradeId} of order 1-7-1 (${BTC}) is not the bot's`);
    expect(plain(ledgerTotal(desk.state().durable.books, 'BTC'))).toBe('1.5');
    expect(takeSnapshot(desk.state(), desk.now()).symbols[0]?.fills.buys).toBe(0);
  });
});

describe('a create that the exchange accepted twice (F11)', () => {
  test('with `refuse` the second is canceled within ten seconds, alarm is given, and quoting goes on', () => {
    const desk = readyDesk(alone());
    takeTwice(desk);
    const from = desk.now();
    for (; desk.now() < from + 10_000 && !ops(desk).includes('duplicate-order'); ) desk.run(100);
    for (; desk.now() < from + 10_000 && desk.shows.orders.some((row) => row.orderId === '1-900-1'); ) desk.run(100);
    expect(desk.now()).toBeLessThan(from + 10_000);
    expect(desk.notices.filter(({ op, level }) => op === 'duplicate-order' && level === 'page')).toHaveLength(1);
    desk.run(LAG_MS + 4_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
    expect(endOf(desk, '1-1~1-900-1')).toBe('canceled');
  });

  test('with `refuse` a second one that fills first is booked as the strategy’s', () => {
    const desk = readyDesk(alone());
    desk.reply = (request) => {
      if (request.kind !== 'create' || request.order.side === 'sell') return undefined;
      desk.reply = () => undefined;
      const answer = desk.answerTo(request, desk.now());
      tradeNow(desk, request.order, '1-900-1');
      return answer;
    };
    desk.run(6_000);
    expect(endOf(desk, '1-1~1-900-1')).toBe('filled 0.01 of 0.01');
    expect(haltOf(desk)).toBeUndefined();
    expect(takeSnapshot(desk.state(), desk.now()).symbols[0]?.fills.buys).toBe(1);
    expect(plain(ledgerTotal(desk.state().durable.books, 'BTC'))).toBe('1.01');
  });

  test('with `refuse` a second one belongs to the create that just left, not to an older one that may be live', () => {
    const desk = readyDesk(alone());
    desk.run(3_000);
    desk.shows.books[BTC] = [99_000, 99_200];
    desk.reply = (request) => {
      if (request.kind !== 'create' || request.order.side === 'sell') return undefined;
      desk.reply = () => undefined;
      const answer = desk.answerTo(request, desk.now());
      const price = request.order.price.sub(1_000);
      const second = { ...request.order, price, quantity: decimal('0.004') };
      const fill = { ...fillOf(second, orderId('1-900-1'), { at: desk.now() }), liquidity: 'taker' } as const;
      desk.shows.fills.push(fill);
      moveWallet(desk.shows, fill);
      return answer;
    };
    desk.run(6_000);
    const found = desk.events.flatMap((event) =>
      event.type === 'adopted' && event.payload.order ? [event.payload.order] : [],
    );
    const newest = desk.events.findLast((event) => event.type === 'intent' && event.payload.side === 'buy');
    expect(found.map(({ of }) => of)).toEqual([newest?.type === 'intent' && newest.payload.intentId]);
    expect(found.map(({ of }) => of)).not.toContain('1-1');
  });

  test('with `refuse` and no answer at all, one is adopted and the other canceled; a part that filled counts', () => {
    const desk = readyDesk(alone());
    const create = nextCreate(desk);
    const first = rowOf(create.request.order, '1-800-1', desk.now());
    const second = rowOf(create.request.order, '1-900-1', desk.now());
    desk.shows.orders.push(first, second);
    desk.answer(create, unknown);
    tradeNow(desk, { ...second, quantity: decimal('0.004') }, '1-900-1');
    desk.run(LAG_MS + 9_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
    const booked = [...desk.state().durable.orders.closed.values(), ...desk.intents()].filter(({ filled }) =>
      filled.gt(0),
    );
    expect(booked.map(({ filled }) => plain(filled))).toEqual(['0.004']);
  });
});

describe('a fence', () => {
  test('with `ignore` never leaves', () => {
    const desk = readyDesk(alone('ignore'));
    desk.answer(nextCreate(desk), unknown);
    desk.run(HORIZON_MS + LAG_MS + 5_000);
    desk.tell({ kind: 'stop' });
    desk.run(LAG_MS + 4_000);
    expect(kinds(desk)).not.toContain('cancel-symbol');
    expect(desk.state().durable.journal.endedFlat).toBe(true);
  });

  test('leaves for an unknown order after its horizon and not before, and then absence is proved', () => {
    const desk = readyDesk(alone());
    const create = nextCreate(desk);
    const sentAt = desk.now();
    desk.answer(create, unknown);
    desk.run(HORIZON_MS + 2 * LAG_MS + 4_000);
    const fence = desk.sent.find(({ chosen }) => chosen.request.kind === 'cancel-symbol');
    expect((fence?.at ?? 0) - sentAt).toBeGreaterThanOrEqual(HORIZON_MS);
    expect(endOf(desk, create.intentId)).toBe('not-placed');
  });

  test('that is not taken is sent again; then two lists, trades and wallet are the proof (seed 5431)', () => {
    const desk = readyDesk(alone());
    const create = nextCreate(desk);
    desk.answer(create, unknown);
    desk.reply = ({ kind }) =>
      kind === 'cancel-symbol'
        ? { kind: 'unknown', fault: { sent: true, reason: 'status', detail: 'HTTP 504' } }
        : undefined;
    desk.run(HORIZON_MS + 2 * LAG_MS - 500);
    expect(kinds(desk).filter((kind) => kind === 'cancel-symbol').length).toBeGreaterThan(1);
    expect(endOf(desk, create.intentId)).toBe('not closed');
    desk.run(60_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(endOf(desk, create.intentId)).toBe('not-placed');
  });

  test('that is not accepted leaves a wallet difference to a person', () => {
    const desk = readyDesk(alone());
    const create = nextCreate(desk);
    desk.answer(create, unknown);
    // As a fill would have it: of both assets.
    desk.shows.balances.BTC = decimal('1.01');
    desk.shows.balances.INR = desk.shows.balances.INR?.sub(980) ?? decimal(0);
    desk.reply = ({ kind }) => (kind === 'cancel-symbol' ? rejected(-1123) : undefined);
    desk.run(150_000);
    expect(endOf(desk, create.intentId)).toBe('not closed');
    expect(haltOf(desk)).toBeDefined();
  });

  test('repeated after a restart gets its time: the deadline does not begin before it (seed 6828)', () => {
    const assumptions = { readLagBoundMs: 20_000, resolutionDeadlineMs: 8_000 };
    const desk = readyDesk(deskSettings({ foreignOrders: 'refuse', assumptions }));
    desk.answer(nextCreate(desk), unknown);
    desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
    const [lost] = desk.intents();
    desk.run(HORIZON_MS + 20_000 - 1_000);
    desk.restart();
    desk.run(20_000 + 4_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(endOf(desk, lost?.intentId ?? '')).toBe('not-placed');
  });

  test('is part of a stop: the two lists that prove it left after the fence', () => {
    const desk = quotingDesk(alone());
    desk.tell({ kind: 'stop' });
    desk.run(HORIZON_MS + 2 * LAG_MS + 6_000);
    expect(desk.state().durable.journal.endedFlat).toBe(true);
    const all = kinds(desk);
    const fenced = all.indexOf('cancel-symbol');
    expect(fenced).toBeGreaterThan(0);
    expect(all.slice(fenced).filter((kind) => kind === 'open-orders').length).toBeGreaterThanOrEqual(2);
  });

  test('that is refused leaves a stop that is not flat', () => {
    const desk = quotingDesk(alone());
    desk.reply = ({ kind }) => (kind === 'cancel-symbol' ? rejected(-1123) : undefined);
    desk.tell({ kind: 'stop' });
    desk.run(40_000);
    expect(desk.state().phase).toBe('stopping');
    desk.tell({ kind: 'stop-deadline' });
    expect(desk.state().durable.journal.endedFlat).toBe(false);
  });

  test('refused again and again leaves the lane to the reads', () => {
    const desk = quotingDesk(
      deskSettings({ foreignOrders: 'refuse', symbols: [BTC, ETH], requestsPerSecond: { public: 1, private: 0.5 } }),
    );
    desk.reply = ({ kind }) => (kind === 'cancel-symbol' ? rejected(-1123) : undefined);
    desk.tell({ kind: 'stop' });
    const from = desk.sent.length;
    desk.run(120_000, 2_000);
    const sent = kinds(desk).slice(from);
    expect(sent.filter((kind) => kind === 'cancel-symbol').length).toBeGreaterThan(5);
    for (const kind of ['open-orders', 'spot-trades', 'wallet'])
      expect(sent.filter((each) => each === kind).length).toBeGreaterThan(1);
  });

  test('that is not accepted revokes nothing: an order whose own cancel was acknowledged is not canceled again', () => {
    const readLagBoundMs = 20_000;
    const desk = readyDesk(deskSettings({ foreignOrders: 'refuse', assumptions: { readLagBoundMs } }));
    desk.answer(nextCreate(desk));
    const [open] = desk.intents();
    const lost = nextCreate(desk);
    desk.answer(lost, unknown);
    desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
    const canceled: string[] = [];
    desk.reply = (request) => {
      if (request.kind === 'cancel-symbol')
        return { kind: 'unknown', fault: { sent: true, reason: 'status', detail: 'HTTP 504' } };
      if (request.kind !== 'cancel') return undefined;
      canceled.push(request.orderId);
      // Lists may show it for a lag bound after that.
      return { kind: 'acknowledged', msg: 'The order is being canceled.' };
    };
    for (let waited = 0; waited < 2 * HORIZON_MS && !kinds(desk).includes('cancel-symbol'); waited += 100)
      desk.run(100);
    expect(canceled).toEqual([open?.orderId]);
    const { request } = lost;
    if (request.kind === 'create') desk.shows.orders.push(rowOf(request.order, '1-900-1', desk.now()));
    desk.run(readLagBoundMs / 2);
    expect(canceled).toEqual([open?.orderId, '1-900-1']);
  });

  test('also ends orders that an earlier list lacked: that list may have had a hole (seed 24067)', () => {
    const readLagBoundMs = 20_000;
    const desk = readyDesk(deskSettings({ foreignOrders: 'refuse', assumptions: { readLagBoundMs } }));
    desk.answer(nextCreate(desk));
    const [open] = desk.intents();
    desk.answer(nextCreate(desk), unknown);
    desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
    desk.reply = ({ kind }) => (kind === 'cancel' ? rejected(-1123) : undefined);
    desk.run(HORIZON_MS - 500);
    desk.shows.orders = [];
    for (let waited = 0; waited < 2 * HORIZON_MS && !kinds(desk).includes('cancel-symbol'); waited += 100)
      desk.run(100);
    const fencedAt = desk.now();
    expect(desk.events.filter(({ type }) => type === 'listed')).toMatchObject([
      { payload: { intentId: open?.intentId, listed: false } },
    ]);
    desk.run(3 * readLagBoundMs);
    const ended = desk.events.flatMap((event) => (event.type === 'closed' ? [event.payload] : []));
    const closed = ended.find(({ intentId }) => intentId === open?.intentId);
    expect(closed?.as).toBe('canceled');
    for (const sentAt of [closed?.reads?.wallet, closed?.reads?.trades?.at(-1), closed?.reads?.orders?.at(-1)])
      expect(sentAt).toBeGreaterThanOrEqual(fencedAt + readLagBoundMs - 100);
  });

  test('refused again and again does not keep a vanished order from being closed', () => {
    const assumptions = { readLagBoundMs: 15_000, resolutionDeadlineMs: 10 * MINUTE };
    const desk = readyDesk(deskSettings({ foreignOrders: 'refuse', assumptions }));
    const bid = nextCreate(desk);
    desk.answer(bid);
    desk.answer(nextCreate(desk), unknown);
    desk.reply = ({ kind }) => {
      if (kind === 'create') return null;
      return kind === 'cancel' || kind === 'cancel-symbol' ? rejected(-5014) : undefined;
    };
    desk.run(3_000);
    desk.shows.orders = [];
    desk.run(3 * MINUTE);
    expect(kinds(desk).filter((kind) => kind === 'cancel-symbol').length).toBeGreaterThan(5);
    expect(endOf(desk, bid.intentId ?? '')).toBe('canceled');
  });

  test('leaves filled orders alone', () => {
    const desk = quotingDesk(alone());
    const bid = inSlot(desk, 'buy:0');
    tradeNow(desk, bid, bid.orderId ?? '');
    desk.tell({ kind: 'stop' });
    desk.run(HORIZON_MS + 2 * LAG_MS + 6_000);
    expect(endOf(desk, bid.intentId)).toBe('filled 0.01 of 0.01');
    expect(desk.state().durable.journal.endedFlat).toBe(true);
  });
});

describe('an order like a lost create that claims to be older, on an account of the bot alone', () => {
  const LONG_AGO = 330 * MINUTE;
  const withoutFence = ({ kind }: { readonly kind: string }) =>
    kind === 'cancel-symbol' ? rejected(-5014) : kind === 'create' ? null : undefined;

  test('belongs to the only create', () => {
    const { desk, order, id } = lostBid(unknown, readyDesk(alone()));
    desk.reply = withoutFence;
    list(desk, order, '1-9-1', desk.now() - LONG_AGO);
    desk.run(2_000);
    expect(ops(desk)).not.toContain('duplicate-order');
    expect(inSlot(desk, 'buy:0')).toMatchObject({ intentId: id, orderId: '1-9-1' });
  });

  test('is a second one if its time fits an earlier create', () => {
    const desk = readyDesk(alone());
    const first = nextCreate(desk);
    desk.answer(first, accepted('1-8-1'));
    const { order } = first.request;
    list(desk, order, '1-8-1');
    const at = desk.now();
    desk.run(LAG_MS + 5_000);
    fillNow(desk, inSlot(desk, 'buy:0'));
    const { id, order: lost } = lostBid(unknown, desk);
    expect(textOf(lost)).toBe(textOf(order));
    desk.reply = withoutFence;
    list(desk, lost, '1-9-1', at);
    desk.run(1_000);
    expect(ops(desk)).toContain('duplicate-order');
    expect(inSlot(desk, 'buy:0')).toMatchObject({ intentId: id, state: 'unknown' });
  });
});
