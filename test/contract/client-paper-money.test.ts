// Money over sockets: two accounts trade, with fees and tax, and every wallet is the sum of its fills to the last
// digit.
import { describe, expect, test } from '@jest/globals';
import { plain } from '../../src/domain/decimal.ts';
import type { Fill } from '../../src/domain/fill.ts';
import type { Quirks } from '../../src/paper/wire/quirks.ts';
import type { PaperClient } from './client-paper-client.ts';
import { type Meeting, type MeetingOptions, paperKit } from './client-paper-kit.ts';
import { BOB } from './client-paper-market.ts';
import {
  afterFills,
  chargesOf,
  lockedOf,
  notional,
  share,
  statedCharges,
  totalsOf,
  units,
} from './client-paper-sums.ts';
import { verdictOf } from './client-paper-words.ts';

const kit = paperKit();
const OPENING = { BTC: units('10'), ETH: units('100'), INR: units('10000000') };
const NONE = { BTC: 0n, ETH: 0n, INR: 0n };

interface Pair extends Meeting {
  readonly alice: PaperClient;
  readonly bob: PaperClient;
}

async function pair(options: MeetingOptions = {}): Promise<Pair> {
  const meeting = await kit.meet(options);
  return { ...meeting, alice: meeting.client(), bob: meeting.client({ key: BOB }) };
}

/** `buy maker 0.001 @ 5000000, …`, oldest first. */
const shown = (fills: readonly Fill[]): string =>
  fills
    .toReversed()
    .map(({ side, liquidity, quantity, price }) => `${side} ${liquidity} ${plain(quantity)} @ ${plain(price)}`)
    .join(', ');

/**
 * Every row costs what the schedule says, the wallet is the opening and the rows, and fees and tax are where they went.
 */
async function expectSums({ alice, bob, truth }: Pair): Promise<void> {
  const collected = { fees: 0n, tax: 0n };
  for (const client of [alice, bob]) {
    const fills = await client.fills();
    for (const fill of fills) {
      const [stated, charged] = [statedCharges(fill), chargesOf(fill)];
      expect(stated).toEqual(charged);
      collected.fees += stated[1];
      collected.tax += stated[2];
    }
    expect(totalsOf(await client.balances())).toEqual(afterFills(OPENING, fills));
  }
  const accounts = (await truth()).accounts;
  const held = (name: string) => units(accounts.find(({ account }) => account === name)?.balances.INR?.free ?? 'none');
  expect([held('fees'), held('tax')]).toEqual([collected.fees, collected.tax]);
}

describe('partial fills', () => {
  test('of a resting sell, by three buyers’ orders: each row rounded by itself, the rest still locked', async () => {
    const meeting = await pair();
    const { alice, bob } = meeting;
    const id = await alice.place('SELL 0.12345 @ 5000000.01');
    for (const quantity of ['0.00003', '0.04321', '0.00007']) await bob.place(`BUY ${quantity} @ 5000000.01`);
    expect(shown(await alice.fills())).toBe(
      'sell maker 0.00003 @ 5000000.01, sell maker 0.04321 @ 5000000.01, sell maker 0.00007 @ 5000000.01',
    );
    const [order] = await alice.openOrders();
    expect([order?.orderId, order?.status]).toEqual([id, 'PARTIALLY_FILLED']);
    expect(order && plain(order.remainingQuantity)).toBe('0.08014');
    expect(lockedOf(await alice.balances())).toEqual({ ...NONE, BTC: units('0.08014') });
    expect(lockedOf(await bob.balances())).toEqual(NONE);
    await expectSums(meeting);
  });

  test('of a buy that sweeps three levels at better prices than its own, and rests with what is left', async () => {
    const meeting = await pair();
    const { alice, bob, crowd } = meeting;
    await alice.place('SELL 0.01000 @ 5000000.01');
    await alice.place('SELL 0.02000 @ 5000000.07');
    crowd.rests('SELL 0.00500 @ 5000000.05');
    await bob.place('BUY 0.05000 @ 5000001.33');
    expect(shown(await bob.fills())).toBe(
      'buy taker 0.01 @ 5000000.01, buy taker 0.005 @ 5000000.05, buy taker 0.02 @ 5000000.07',
    );
    expect(shown(await alice.fills())).toBe('sell maker 0.01 @ 5000000.01, sell maker 0.02 @ 5000000.07');
    // What rests locks 0.015 at the order's own price and the higher fee on it: 75000.01995 × 0.472 %, rounded up.
    expect(lockedOf(await bob.balances())).toEqual({ ...NONE, INR: units('75000.01995') + units('354.00009417') });
    const fills = await bob.fills();
    expect(totalsOf(await bob.balances())).toEqual(afterFills(OPENING, fills));
    for (const fill of fills) expect(statedCharges(fill)).toEqual(chargesOf(fill));
  });

  test('the crowd takes from a resting buy: a maker’s row as any other', async () => {
    const meeting = await pair();
    const { alice, crowd } = meeting;
    await alice.place('BUY 0.00300 @ 5000000.03');
    crowd.takes('SELL 0.00100 @ 4000000.00', 'SELL 0.00001 @ 5000000.03');
    expect(shown(await alice.fills())).toBe('buy maker 0.001 @ 5000000.03, buy maker 0.00001 @ 5000000.03');
    const fills = await alice.fills();
    expect(totalsOf(await alice.balances())).toEqual(afterFills(OPENING, fills));
    for (const fill of fills) expect(statedCharges(fill)).toEqual(chargesOf(fill));
  });

  test('in base: the buyer’s fee comes out of what he bought', async () => {
    const { alice, bob } = await pair({ engine: { buyerFeeAsset: 'base' } });
    await alice.place('BUY 0.12345 @ 5000000.01');
    await bob.place('SELL 0.04329 @ 5000000.01');
    const [fill] = await alice.fills();
    if (fill === undefined) throw new Error('Alice has no fill.');
    expect([fill.commissionAsset, statedCharges(fill)]).toEqual([
      'BTC',
      [notional(units('5000000.01'), units('0.04329')), share(units('0.04329'), 354n), 0n],
    ]);
    expect(totalsOf(await alice.balances())).toEqual(afterFills(OPENING, [fill]));
    expect(totalsOf(await bob.balances())).toEqual(afterFills(OPENING, await bob.fills()));
  });

  test('against another asset than INR', async () => {
    const { alice, bob } = await pair();
    await alice.place('BUY 10.123 @ 0.05431 ETH/BTC');
    await bob.place('SELL 10.122 @ 0.05431 ETH/BTC');
    for (const client of [alice, bob]) {
      const fills = await client.fills({ by: 'symbol' }, 50, 'ETH/BTC');
      expect(fills.map(statedCharges)).toEqual(fills.map(chargesOf));
      expect(fills[0]?.commissionAsset).toBe('BTC');
      expect(totalsOf(await client.balances())).toEqual(afterFills(OPENING, fills));
      expect(await client.fills()).toEqual([]);
    }
  });
});

describe('a fill between the list and the cancel', () => {
  test.each([
    ['a part', '0.04000', 'acknowledged', 'acknowledged'],
    ['all', '0.10000', 'acknowledged', 'unknown 500 -5014'],
  ] as const)('of %s (%s): the cancel is %s or %s, and the money is right', async (_what, taken, lenient, strict) => {
    for (const [cancelOfClosed, verdict] of [
      ['acknowledged', lenient],
      ['rejected', strict],
    ] as const) {
      const meeting = await pair({ quirks: { cancelOfClosed } satisfies Partial<Quirks> });
      const { alice, bob } = meeting;
      const id = await alice.place('SELL 0.10000 @ 5000000.01');
      expect(await alice.openOrders()).toMatchObject([{ orderId: id, status: 'NEW' }]);
      await bob.place(`BUY ${taken} @ 5000000.01`);
      expect(verdictOf(await alice.cancel(id))).toBe(verdict);
      expect(await alice.openOrders()).toEqual([]);
      expect(lockedOf(await alice.balances())).toEqual(NONE);
      expect((await alice.fills({ by: 'order', orderId: id })).map(({ quantity }) => plain(quantity))).toEqual([
        String(Number(taken)),
      ]);
      await expectSums(meeting);
    }
  });

  test('create, fill and cancel all at once: whatever came first, rows and wallet agree', async () => {
    const meeting = await pair();
    const { alice, bob } = meeting;
    for (let round = 0; round < 10; round += 1) {
      const id = await alice.place('SELL 0.00100 @ 5000000.01');
      const [, canceled] = await Promise.all([bob.create('BUY 0.00100 @ 5000000.01'), alice.cancel(id)]);
      expect(canceled.outcome.kind).toBe('acknowledged');
      const sold = (await alice.fills({ by: 'order', orderId: id })).length;
      expect((await bob.openOrders()).length).toBe(1 - sold);
      await bob.cancelAll();
    }
    expect(lockedOf(await alice.balances())).toEqual(NONE);
    await expectSums(meeting);
  });
});

describe('sweeping', () => {
  const orders = ['SELL 0.01000 @ 5000000.01', 'SELL 0.02000 @ 5000000.02', 'BUY 0.01000 @ 4000000.00'];

  test.each([
    ['cancel-symbol', (client: PaperClient) => client.cancelSymbol(), { ETH: units('1') }],
    ['cancel-all', (client: PaperClient) => client.cancelAll(), {}],
  ])('%s after a partial fill frees what was locked and takes nothing back', async (_name, sweep, left) => {
    const meeting = await pair();
    const { alice, bob } = meeting;
    for (const order of [...orders, 'SELL 1.0000 @ 400000.00 ETH/INR']) await alice.place(order);
    await bob.place('BUY 0.01500 @ 5000000.02');
    expect(lockedOf(await alice.balances())).toMatchObject({ BTC: units('0.015'), ETH: units('1') });
    expect((await sweep(alice)).outcome.kind).toBe('acknowledged');
    expect(lockedOf(await alice.balances())).toEqual({ ...NONE, ...left });
    expect(shown(await alice.fills())).toBe('sell maker 0.01 @ 5000000.01, sell maker 0.005 @ 5000000.02');
    await expectSums(meeting);
    // Nothing left to cancel is acknowledged all the same.
    expect((await sweep(alice)).outcome.kind).toBe('acknowledged');
  });
});

test('a self-trade: two rows of one id, no inventory, both fees and the tax', async () => {
  const { alice } = await pair();
  await alice.place('BUY 0.00321 @ 5000000.01');
  await alice.place('SELL 0.00123 @ 5000000.01');
  const fills = await alice.fills();
  expect(new Set(fills.map(({ tradeId }) => tradeId)).size).toBe(1);
  expect(fills.map(({ side }) => side).sort()).toEqual(['buy', 'sell']);
  expect(fills.map(statedCharges)).toEqual(fills.map(chargesOf));
  const totals = totalsOf(await alice.balances());
  expect(totals).toEqual(afterFills(OPENING, fills));
  expect(totals.BTC).toBe(OPENING.BTC);
});

test('an account that spends its last unit: the whole balance locks, and not a unit more', async () => {
  const meeting = await pair();
  const { alice, bob } = meeting;
  const all = await alice.place('SELL 10.00000 @ 5000000.01');
  expect(await alice.wallet()).toMatchObject({ BTC: '0 + 10' });
  expect(verdictOf(await alice.create('SELL 0.00001 @ 20000000.00'))).toBe('soft-rejected');
  // 1.9906 × 5000000 and 0.472 % of it are 9,999,978.16 INR; a lot more would be 10,000,028.40.
  expect(verdictOf(await bob.create('BUY 1.99061 @ 5000000.00'))).toBe('soft-rejected');
  expect(verdictOf(await bob.create('BUY 1.99060 @ 5000000.00'))).toBe('accepted');
  await alice.cancel(all);
  await alice.place('SELL 1.99060 @ 5000000.00');
  await expectSums(meeting);
  const [, , inr] = await bob.balances();
  expect([inr?.asset, inr && units(plain(inr.free)), inr && plain(inr.locked)]).toEqual([
    'INR',
    units('10000000') - units('9953000') - share(units('9953000'), 354n),
    '0',
  ]);
});
