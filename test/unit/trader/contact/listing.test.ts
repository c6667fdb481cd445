// Markets that the exchange does not list, or whose trades it does not show.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { orderId } from '../../../../src/domain/ids.ts';
import { HOUR, MINUTE } from '../../../../src/domain/time.ts';
import { notReady } from '../../../../src/trader/decision/readiness.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { MAINTENANCE } from '../../refused.ts';
import { account, BOTH, codes, deposit, move } from '../added-market-kit.ts';
import { BTC, deskSettings, ETH } from '../desk-settings.ts';
import { codesIn } from '../durable-kit.ts';
import { fiat } from '../money-kit.ts';
import { type Desk, deskWith, fillOf, makeReady, moveWallet, ops, quotingDesk, rejected } from '../trader-kit.ts';

const both = deskSettings({ symbols: [BTC, ETH] });
const restingIn = (desk: ReturnType<typeof deskWith>): string[] =>
  desk.shows.orders.map(({ symbol }) => symbol).toSorted();

test('its orders are canceled and resolved, the other market is quoted, and it comes back with the list', () => {
  const desk = quotingDesk(both);
  desk.run(5_000);
  expect(restingIn(desk)).toEqual([BTC, BTC, ETH, ETH]);
  desk.tell({ kind: 'listing', awaited: null, missing: [ETH] });
  desk.run(30_000);
  expect(restingIn(desk)).toEqual([BTC, BTC]);
  expect(notReady(desk.state(), marketOf(desk.state(), ETH), desk.now()).map(({ code }) => code)).toEqual(['unlisted']);
  expect(notReady(desk.state(), marketOf(desk.state(), BTC), desk.now())).toEqual([]);
  expect(desk.intents().every(({ symbol }) => symbol === BTC)).toBe(true);
  desk.tell({ kind: 'listing', awaited: null, missing: [ETH] });
  expect(desk.notices.filter(({ op }) => op === 'market-unlisted')).toHaveLength(1);
  desk.tell({ kind: 'listing', awaited: null, missing: [] });
  desk.run(10_000);
  expect(restingIn(desk)).toEqual([BTC, BTC, ETH, ETH]);
  expect(ops(desk)).toContain('exchange-answers');
});

test('a ledger is opened without it where its trades are refused, and with it once it is listed', () => {
  const desk = deskWith(both);
  desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
  desk.tell({ kind: 'listing', awaited: null, missing: [ETH] });
  desk.reply = (request) =>
    'symbol' in request && request.symbol === ETH ? (rejected(-1109, 400) as never) : undefined;
  desk.run(20_000);
  expect(restingIn(desk)).toEqual([BTC, BTC]);
  desk.reply = () => undefined;
  desk.tell({ kind: 'listing', awaited: null, missing: [] });
  desk.run(60_000);
  expect(restingIn(desk)).toEqual([BTC, BTC, ETH, ETH]);
});

test('while waiting for the list, nothing is created, and resting orders stay', () => {
  const desk = deskWith(both);
  desk.tell({ kind: 'listing', awaited: 'Not yet.' });
  makeReady(desk);
  desk.run(20_000);
  expect(restingIn(desk)).toEqual([]);
  expect(desk.state().phase).toBe('starting');
  desk.tell({ kind: 'listing', awaited: null, missing: [] });
  desk.run(10_000);
  expect(restingIn(desk)).toEqual([BTC, BTC, ETH, ETH]);
});

test('a stop without any answer after a flat session has nothing to prove', () => {
  const desk = deskWith(both);
  desk.reply = () => null;
  desk.run(5_000);
  desk.tell({ kind: 'stop' });
  expect(desk.state()).toMatchObject({ phase: 'stopped', durable: { journal: { endedFlat: true } } });
});

// One market whose own trades can't be read keeps nothing of the others from being judged or quoted.

/** The exchange refuses what is asked of ETH/INR by these. */
const refusing =
  (kinds: readonly string[], code: number, status?: number): Desk['reply'] =>
  (request) =>
    'symbol' in request && request.symbol === ETH && kinds.includes(request.kind) ? rejected(code, status) : undefined;

/** A minute of maintenance; then answers come as before. */
function maintain(desk: Desk): void {
  const { reply } = desk;
  const fault = MAINTENANCE;
  desk.reply = ({ kind }) => {
    if (kind === 'order-book') return undefined;
    if (kind === 'create' || kind === 'cancel') return { kind: 'unknown', fault };
    return { kind: 'throttled', status: 503, code: -1125, refusal: 'maintenance', retryAt: desk.now() };
  };
  desk.run(MINUTE);
  desk.reply = reply;
  desk.run(10 * MINUTE);
  expect(ops(desk)).toContain('exchange-answers');
}

describe('after a maintenance a market is quoted', () => {
  test('while another one is halted for a gap in its trades', () => {
    const desk = quotingDesk(BOTH);
    const order = { symbol: ETH, side: 'buy', price: decimal(9_950), quantity: decimal('0.01') } as const;
    const first = fillOf(order, orderId('1-5-1'), { at: desk.now() });
    moveWallet(desk.shows, first);
    desk.shows.fills.push(first);
    desk.run(5_000);
    desk.pass(73 * HOUR);
    desk.shows.fills = [];
    desk.restart();
    desk.look('book', 'orders');
    desk.reply = refusing(['spot-trades-historical'], -1404, 404);
    desk.run(MINUTE);
    expect([...codesIn(desk.state().durable)]).toEqual([[ETH, 'trades-gap']]);
    maintain(desk);
    expect(codes(desk, BTC)).toEqual([]);
    expect(desk.slots().filter((each) => each.endsWith('open'))).toEqual(['buy:0 open', 'sell:0 open']);
  });

  test('while another one waits to be opened', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    desk.restart(BOTH);
    desk.reply = refusing(['spot-trades'], -5011, 500);
    desk.look('book', 'orders');
    desk.run(MINUTE);
    maintain(desk);
    expect(codes(desk, BTC)).toEqual([]);
  });
});

describe('while a market is not listed, and its trades are refused', () => {
  test('a deposit of its own coin is booked', () => {
    const desk = quotingDesk(BOTH);
    desk.run(10_000);
    desk.reply = refusing(['spot-trades', 'spot-trades-historical', 'order-book', 'public-trades', 'create'], -1121);
    desk.tell({ kind: 'listing', awaited: null, missing: [ETH] });
    desk.run(MINUTE);
    deposit(desk);
    desk.run(10 * MINUTE);
    expect(account(desk, 'ETH', 'external:deposit')).toBe('-3');
    expect(codes(desk, BTC)).toEqual([]);
    expect(ops(desk)).not.toContain('difference-unjudged');
  });

  test('a deposit of its quote asset is booked', () => {
    const desk = quotingDesk(BOTH);
    desk.run(5_000);
    desk.tell({ kind: 'listing', awaited: null, missing: [ETH] });
    desk.run(10_000);
    desk.reply = refusing(['spot-trades'], -1121);
    desk.run(20_000);
    fiat(desk);
    move(desk, 'INR', '5000');
    desk.run(10 * MINUTE, 500);
    expect(account(desk, 'INR', 'external:deposit')).toBe('-5000');
    expect(codes(desk, BTC)).toEqual([]);
  });
});
