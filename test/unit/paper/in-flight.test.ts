// Q7, Q21, F26: what passed the gate and has not reached the book.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { restore, snapshot } from '../../../src/paper/engine/snapshot.ts';
import { control } from '../../../src/paper/exchange.ts';
import { type Answer, type CreateInFlight, WAITING_MAX } from '../../../src/paper/state/in-flight.ts';
import type { Quirks } from '../../../src/paper/wire/quirks.ts';
import { scriptedCrowd } from './scripted-crowd.ts';
import { ALICE, BOB, orderBody, requestFor, SmallExchange, START, smallSettings, verdict } from './small-exchange.ts';

const exchangeWith = (quirks: Partial<Quirks>) => new SmallExchange(smallSettings({ quirks }));
/** Sends a create and does not wait for it. */
const create = (exchange: SmallExchange, order: string, key = ALICE) =>
  exchange.begin(requestFor('create', { body: orderBody(order), key }, exchange.now));
const waitingOf = (given: Answer): CreateInFlight => {
  if (given.kind === 'now') throw new Error(`It was answered at once: ${given.response.body}`);
  return given.create;
};
const bodyOf = (given: Answer): unknown => (given.kind === 'now' ? JSON.parse(given.response.body) : given);
const openPrices = (exchange: SmallExchange) => pricesOf(exchange.read('open-orders'));
const pricesOf = (rows: unknown): string[] => Array.from(Object(rows), (row) => String(Object(row).price));

describe('Q7: a create between gate and book', () => {
  test('is promised for the moment at which it is due, and promised again before', () => {
    const exchange = exchangeWith({ matchingLagMs: 700 });
    const given = create(exchange, 'BUY 1.000 @ 5000');
    const promise = { kind: 'later', create: waitingOf(given), dueAt: START + 700 };
    expect(given).toEqual(promise);
    exchange.now += 699;
    expect(exchange.collect(waitingOf(given))).toEqual(promise);
    expect(openPrices(exchange)).toEqual([]);
    exchange.now += 1;
    expect(bodyOf(exchange.collect(waitingOf(given)))).toEqual({ data: { order_id: expect.any(String) } });
    expect(exchange.read('open-orders')).toMatchObject([{ price: '5000', time: START + 700 }]);
  });

  test('is refused at once for what is wrong with it', () => {
    const exchange = exchangeWith({ matchingLagMs: 700 });
    expect(bodyOf(create(exchange, 'BUY 1.000 @ 0'))).toMatchObject({ code: -1114 });
    expect(bodyOf(create(exchange, 'BUY 1.000 @ 5000', { ...ALICE, secret: 'x' }))).toMatchObject({ code: -1022 });
  });

  test('meets the market as it is when it arrives', () => {
    const sale = { after: 500, side: 'sell', price: 10_000, quantity: 1_000 } as const;
    const exchange = new SmallExchange(smallSettings({ quirks: { matchingLagMs: 700 }, crowd: scriptedCrowd([sale]) }));
    create(exchange, 'BUY 1.000 @ 5000');
    exchange.now += 700;
    const trades = exchange.read('public-trades', { query: { symbol: 'BTC/INR' } });
    expect(trades).toMatchObject([{ time: START + 700, isBuyerMaker: false }]);
  });

  test('comes before the crowd where both are due at once, after it where the crowd is earlier', () => {
    const makerIsBuyer = (after: number) => {
      const bid = { after, side: 'sell', price: 10_000, quantity: 1_000 } as const;
      const exchange = new SmallExchange(
        smallSettings({ quirks: { matchingLagMs: 700 }, crowd: scriptedCrowd([bid]) }),
      );
      create(exchange, 'BUY 1.000 @ 5000');
      exchange.now += 2_000;
      const [trade] = Array.from(Object(exchange.read('public-trades', { query: { symbol: 'BTC/INR' } })));
      return Object(trade).isBuyerMaker;
    };
    expect([makerIsBuyer(699), makerIsBuyer(700), makerIsBuyer(701)]).toEqual([false, true, true]);
  });

  test('finds its funds gone', () => {
    const exchange = exchangeWith({ matchingLagMs: 700 });
    const [first, second] = [create(exchange, 'BUY 100.000 @ 9000'), create(exchange, 'BUY 100.000 @ 9000')];
    exchange.now += 700;
    expect(bodyOf(exchange.collect(waitingOf(first)))).toHaveProperty('data');
    expect(bodyOf(exchange.collect(waitingOf(second)))).toEqual({ msg: 'Insufficient balance.' });
  });

  test('finds symbol or account frozen', () => {
    for (const frozen of [{ frozenSymbols: ['BTC/INR'] }, { frozenAccounts: ['alice'] }]) {
      const exchange = exchangeWith({ matchingLagMs: 700 });
      const given = create(exchange, 'BUY 1.000 @ 5000');
      control(exchange.state, frozen);
      exchange.now += 700;
      expect(bodyOf(exchange.collect(waitingOf(given)))).toEqual({ msg: expect.stringMatching('suspended') });
    }
  });

  test.each([
    ['gate', 5_001, { data: { order_id: expect.any(String) } }],
    ['both', 5_000, { data: { order_id: expect.any(String) } }],
    ['both', 5_001, { code: -1021, msg: expect.any(String) }],
  ] as const)('recvWindow at the %s, %s ms after its timestamp', (recvWindowChecked, matchingLagMs, expected) => {
    const exchange = exchangeWith({ recvWindowChecked, matchingLagMs });
    const given = create(exchange, 'BUY 1.000 @ 5000');
    exchange.now += matchingLagMs;
    expect(bodyOf(exchange.collect(waitingOf(given)))).toEqual(expected);
  });

  test("is checked at the book by the exchange's own clock", () => {
    const exchange = exchangeWith({ recvWindowChecked: 'both', matchingLagMs: 1_000 });
    const first = create(exchange, 'BUY 1.000 @ 5000');
    control(exchange.state, { clockOffsetMs: 4_001 });
    exchange.now += 1_000;
    expect(bodyOf(exchange.collect(waitingOf(first)))).toMatchObject({ code: -1021 });
  });

  test('overtakes another when the lag gets shorter', () => {
    const exchange = exchangeWith({ matchingLagMs: 700 });
    create(exchange, 'BUY 1.000 @ 5000');
    control(exchange.state, { quirks: { ...exchange.state.controls.quirks, matchingLagMs: 100 } });
    create(exchange, 'BUY 1.000 @ 4000');
    exchange.now += 1_000;
    expect(openPrices(exchange)).toEqual(['4000', '5000']);
  });

  test('carries the rate limit that it was read when it came, and the date of its answer', () => {
    const rateLimits = { public: [], private: [{ requests: 2, perMs: 60_000 }], legacy: [] };
    const exchange = new SmallExchange(smallSettings({ quirks: { matchingLagMs: 2_000 }, rateLimits }));
    const { headers } = exchange.send(requestFor('create', { body: orderBody('BUY 1.000 @ 5000') }, START));
    expect(headers).toMatchObject({ 'x-ratelimit-remaining': '1', date: 'Thu, 01 Jan 2026 00:00:02 GMT' });
  });
});

describe('Q21: a create in flight when a cancel comes', () => {
  const CANCELS = [
    ['cancel-all', {}],
    ['cancel-symbol', { body: { symbol: 'BTC/INR' } }],
  ] as const;

  test.each(CANCELS)('lands after %s', (name, options) => {
    const exchange = exchangeWith({ matchingLagMs: 700 });
    create(exchange, 'BUY 1.000 @ 5000');
    expect(verdict(exchange.ask(name, options))).toBe('200');
    exchange.now += 700;
    expect(openPrices(exchange)).toEqual(['5000']);
  });

  test.each(CANCELS)('never lands after %s, where that is so, and is answered 200 with a message', (name, options) => {
    const exchange = exchangeWith({ matchingLagMs: 700, creationsDuringCancel: 'canceled' });
    const given = create(exchange, 'BUY 1.000 @ 5000');
    exchange.ask(name, options);
    const after = create(exchange, 'BUY 1.000 @ 4000');
    exchange.now += 700;
    expect(bodyOf(exchange.collect(waitingOf(given)))).toEqual({ msg: expect.stringMatching('canceled') });
    expect(bodyOf(exchange.collect(waitingOf(after)))).toHaveProperty('data');
    expect(openPrices(exchange)).toEqual(['4000']);
  });

  test('is left alone by the cancels of others, of other symbols and of single orders', () => {
    const exchange = exchangeWith({ creationsDuringCancel: 'canceled' });
    const orderId = exchange.place('BUY 1.000 @ 4000');
    control(exchange.state, { quirks: { ...exchange.state.controls.quirks, matchingLagMs: 700 } });
    create(exchange, 'BUY 1.000 @ 5000');
    exchange.ask('cancel-all', { key: BOB });
    exchange.ask('cancel-symbol', { body: { symbol: 'ETH/INR' } });
    exchange.ask('cancel', { body: { order_id: orderId } });
    exchange.now += 700;
    expect(openPrices(exchange)).toEqual(['5000']);
  });
});

describe('F26: a cancel is acknowledged, and happens later', () => {
  test.each(['cancel', 'cancel-symbol', 'cancel-all'] as const)('%s', (name) => {
    const exchange = exchangeWith({ cancelLagMs: 3_000 });
    const body = { order_id: exchange.place('BUY 1.000 @ 5000'), symbol: 'BTC/INR' };
    const given = name === 'cancel-all' ? {} : { body };
    expect(exchange.read(name, given)).toEqual({ msg: expect.any(String) });
    exchange.now += 2_999;
    expect(openPrices(exchange)).toEqual(['5000']);
    exchange.now += 1;
    expect(openPrices(exchange)).toEqual([]);
  });

  test('an order that is filled meanwhile stays filled', () => {
    const exchange = exchangeWith({ cancelLagMs: 3_000 });
    const orderId = exchange.place('BUY 1.000 @ 5000');
    exchange.ask('cancel', { body: { order_id: orderId } });
    exchange.place('SELL 0.400 @ 5000', BOB);
    exchange.now += 3_000;
    expect(openPrices(exchange)).toEqual([]);
    expect(exchange.read('wallet')).toMatchObject([{ asset: 'BTC', free: '10.4' }, { locked: '0' }]);
  });

  test('with Q21 it cancels what is in flight when it happens, not when it was acknowledged', () => {
    const exchange = exchangeWith({ cancelLagMs: 500, matchingLagMs: 700, creationsDuringCancel: 'canceled' });
    create(exchange, 'BUY 1.000 @ 5000');
    exchange.ask('cancel-all');
    exchange.now += 400;
    create(exchange, 'BUY 1.000 @ 4000');
    exchange.now += 1_000;
    expect(openPrices(exchange)).toEqual([]);
  });
});

describe('limits', () => {
  test('no more creates and cancels are on their way than there is room for', () => {
    const exchange = exchangeWith({ matchingLagMs: 60_000, cancelLagMs: 60_000 });
    for (let step = 0; step < WAITING_MAX; step += 1)
      exchange.state.inFlight.waiting.push(cancelOfNobody(START + 60_000));
    expect(bodyOf(create(exchange, 'BUY 1.000 @ 5000'))).toMatchObject({ code: -5013 });
    expect(verdict(exchange.ask('cancel-all'))).toBe('500 -5014');
  });

  test('a stopped exchange forgets what was in flight', () => {
    const exchange = exchangeWith({ matchingLagMs: 700, cancelLagMs: 700 });
    create(exchange, 'BUY 1.000 @ 5000');
    exchange.ask('cancel-all');
    const saved = snapshot(exchange.state);
    const restored = restore(smallSettings(), saved, exchange.now);
    if (!restored.ok) throw new Error(restored.error);
    exchange.state = restored.value;
    exchange.now += 60_000;
    expect(exchange.state.inFlight.waiting).toEqual([]);
    expect(openPrices(exchange)).toEqual([]);
  });
});

test('with any lags everything lands, in order of its due time: the same market as without lags in that order', () => {
  const steps = fc.array(
    fc.record({
      order: fc.constantFrom('BUY 1.000 @ 5000', 'SELL 0.600 @ 4990', 'BUY 0.300 @ 5010', 'SELL 2.000 @ 5005'),
      key: fc.constantFrom(ALICE, BOB),
      pauseMs: fc.integer({ min: 0, max: 300 }),
      lagMs: fc.integer({ min: 1, max: 2_000 }),
    }),
    { maxLength: 25 },
  );
  fc.assert(
    fc.property(steps, (given) => {
      const late = exchangeWith({});
      const landings = given.map(({ order, key, pauseMs, lagMs }, index) => {
        late.now += pauseMs;
        control(late.state, { quirks: { ...late.state.controls.quirks, matchingLagMs: lagMs } });
        return { order, key, dueAt: late.now + lagMs, index, waiting: waitingOf(create(late, order, key)) };
      });
      late.now += 10_000;
      const prompt = exchangeWith({});
      const inOrder = [...landings].sort((a, b) => a.dueAt - b.dueAt || a.index - b.index);
      for (const { order, key, dueAt, waiting } of inOrder) {
        prompt.now = dueAt;
        expect(bodyOf(late.collect(waiting))).toEqual(bodyOf(create(prompt, order, key)));
      }
      prompt.now = late.now;
      for (const key of [ALICE, BOB]) {
        for (const name of ['open-orders', 'wallet'] as const)
          expect(late.read(name, { key })).toEqual(prompt.read(name, { key }));
      }
      const query = { symbol: 'BTC/INR', limit: '50' };
      expect(late.read('public-trades', { query })).toEqual(prompt.read('public-trades', { query }));
    }),
    { numRuns: 300 },
  );
});

function cancelOfNobody(dueAt: number) {
  return { kind: 'cancel', dueAt, command: { kind: 'cancel-all', account: 'bob' } } as const;
}
