// Which fault befalls which request: matching, skipping, counting.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  addRule,
  type DeliveryRules,
  deliveryOf,
  type FaultOrder,
  faultOrderSchema,
  NO_DELIVERY_RULES,
  type RequestFacts,
  removeRules,
} from '../../../src/paper/delivery/delivery.ts';
import { factsOf, Waits } from '../../../src/paper/server/shell.ts';
import { manualOrder, OwnerExchange } from './owner-exchange.ts';
import { requestFor } from './small-exchange.ts';

const CREATE: RequestFacts = {
  endpoint: 'create',
  method: 'POST',
  path: '/api/v1/spot/order/create',
  account: 'alice',
  symbol: 'BTC/INR',
  side: 'buy',
};
const WALLET: RequestFacts = {
  endpoint: 'wallet',
  method: 'GET',
  path: '/api/v1/wallet',
  account: 'bob',
  symbol: null,
  side: null,
};

const order = (given: object): FaultOrder => faultOrderSchema.parse({ fault: { kind: 'drop' }, ...given });
const rulesOf = (...orders: object[]): DeliveryRules =>
  orders.map(order).reduce((rules, each) => addRule(rules, each), NO_DELIVERY_RULES);

/** Lets the requests come one after the other; the ids of the rules that hit them, `-` for none. */
function play(rules: DeliveryRules, requests: readonly RequestFacts[]): { hits: string[]; rules: DeliveryRules } {
  let current = rules;
  const hits = requests.map((facts) => {
    const chosen = deliveryOf(current, facts);
    current = chosen.rules;
    return chosen.hitBy?.id ?? '-';
  });
  return { hits, rules: current };
}

describe('a rule hits what matches in everything that it names', () => {
  test.each<[object, boolean, boolean]>([
    [{}, true, true],
    [{ endpoint: 'create' }, true, false],
    [{ method: 'GET' }, false, true],
    [{ path: '/api/v1/wallet' }, false, true],
    [{ account: 'alice' }, true, false],
    [{ symbol: 'BTC/INR' }, true, false],
    [{ symbol: 'ETH/INR' }, false, false],
    [{ side: 'buy' }, true, false],
    [{ side: 'sell' }, false, false],
    [{ endpoint: 'create', account: 'bob' }, false, false],
  ])('%j', (match, hitsCreate, hitsWallet) => {
    const rules = rulesOf({ match });
    expect([CREATE, WALLET].map((facts) => deliveryOf(rules, facts).hitBy !== null)).toEqual([hitsCreate, hitsWallet]);
  });
});

describe('skip and times', () => {
  test.each<[object, number, string]>([
    [{}, 3, 'fault-1 - -'],
    [{ skip: 2 }, 4, '- - fault-1 -'],
    [{ times: 2 }, 4, 'fault-1 fault-1 - -'],
    [{ skip: 1, times: 2 }, 5, '- fault-1 fault-1 - -'],
    [{ times: null }, 3, 'fault-1 fault-1 fault-1'],
    [{ skip: 1, times: null }, 3, '- fault-1 fault-1'],
  ])('%j: of %d requests', (given, count, hits) => {
    expect(play(rulesOf(given), Array<RequestFacts>(count).fill(CREATE)).hits.join(' ')).toBe(hits);
  });

  test('requests that don’t match are not counted', () => {
    const { hits, rules } = play(rulesOf({ match: { endpoint: 'create' }, skip: 1 }), [CREATE, WALLET, WALLET, CREATE]);
    expect(hits).toEqual(['-', '-', '-', 'fault-1']);
    expect(rules.rules).toMatchObject([{ seen: 2, hits: 1 }]);
  });
});

describe('several rules', () => {
  test('the oldest that is due takes the request; the others have only seen it', () => {
    const { hits, rules } = play(rulesOf({}, {}, { skip: 2 }), [CREATE, CREATE, CREATE, CREATE]);
    expect(hits).toEqual(['fault-1', 'fault-2', 'fault-3', '-']);
    expect(rules.rules.map(({ seen, hits: count }) => [seen, count])).toEqual([
      [4, 1],
      [4, 1],
      [4, 1],
    ]);
  });

  test('a rule that was removed hits no more, and its id is not given again', () => {
    const rest = removeRules(rulesOf({}, { times: 2 }), 'fault-1');
    expect(play(rest, [CREATE, CREATE, CREATE]).hits).toEqual(['fault-2', 'fault-2', '-']);
    expect(addRule(rest, order({})).rules.map(({ id }) => id)).toEqual(['fault-2', 'fault-3']);
    expect(removeRules(rest, null).rules).toEqual([]);
  });

  test('choosing changes nothing that was given: the same rules choose the same again', () => {
    const match = fc.subarray(['endpoint', 'account', 'side'] as const).map((names) => {
      return Object.fromEntries(names.map((name) => [name, CREATE[name]]));
    });
    const times = fc.option(fc.integer({ min: 1, max: 3 }), { nil: null });
    const given = fc.array(fc.record({ match, skip: fc.integer({ min: 0, max: 3 }), times }), { maxLength: 4 });
    const requests = fc.array(fc.constantFrom(CREATE, WALLET), { maxLength: 12 });
    fc.assert(
      fc.property(given, requests, (orders, facts) => {
        const rules = rulesOf(...orders);
        const before = JSON.stringify(rules);
        const first = play(rules, facts);
        expect(play(rules, facts)).toEqual(first);
        expect(JSON.stringify(rules)).toBe(before);
        for (const rule of first.rules.rules) {
          expect(rule.hits).toBeLessThanOrEqual(Math.min(rule.times ?? Infinity, Math.max(0, rule.seen - rule.skip)));
        }
        const total = first.rules.rules.reduce((sum, rule) => sum + rule.hits, 0);
        expect(total).toBe(first.hits.filter((hit) => hit !== '-').length);
      }),
    );
  });
});

test.each([
  [{ fault: { kind: 'status', status: 600 } }],
  [{ fault: { kind: 'status', status: 101 } }],
  [{ fault: { kind: 'status', status: 200, headers: { 'x y': '1' } } }],
  [{ fault: { kind: 'status', status: 200, headers: { a: 'b\r\nc: d' } } }],
  [{ fault: { kind: 'status', status: 200, headers: { 'Transfer-Encoding': 'chunked' } } }],
  [{ fault: { kind: 'code', code: -9999 } }],
  [{ fault: { kind: 'body', body: 'ab', repeat: 200_000_000 } }],
  [{ fault: { kind: 'reset', processed: false, atByte: 1 } }],
  [{ fault: { kind: 'delay', beforeMs: -1 } }],
  [{ fault: { kind: 'explode' } }],
  [{ fault: { kind: 'drop' }, times: 0 }],
  [{ fault: { kind: 'drop' }, match: { endpoint: 'nothing' } }],
  [{ fault: { kind: 'drop' }, match: { size: 1 } }],
])('%j is no order for a fault', (given) => {
  expect(faultOrderSchema.safeParse(given).success).toBe(false);
});

test.each([
  ['an order in the book', 'buy 0.5 LIMIT 1000'],
  ['a STOP order, which waits outside of it', 'buy 0.5 STOP_MARKET when 100000'],
])('a cancel has symbol and side of the order that it names: %s', (_what, text) => {
  const exchange = new OwnerExchange();
  const { orderId } = exchange.order(manualOrder(text));
  const cancel = requestFor('cancel', { body: { order_id: orderId } }, exchange.now);
  expect(factsOf(exchange.state, cancel)).toMatchObject({ endpoint: 'cancel', symbol: 'BTC/INR', side: 'buy' });
});

// Waiting that ends when the server does.

test('a wait is over after its time, and at once where there is none', async () => {
  const waits = new Waits();
  const late = (): Promise<string> => new Promise((resolve) => setImmediate(resolve, 'late'));
  expect(await Promise.race([waits.wait(0), late()])).toBe(true);
  expect(await Promise.race([waits.wait(-5), late()])).toBe(true);
  const startedAt = performance.now();
  expect(await waits.wait(30)).toBe(true);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(29);
});

test('a close ends every wait and all that come after: none of them is over', async () => {
  const waits = new Waits();
  const open = [waits.wait(60_000), waits.wait(60_000)];
  waits.close();
  expect(await Promise.all([...open, waits.wait(60_000), waits.wait(0)])).toEqual([false, false, false, false]);
});
