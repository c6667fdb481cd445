// What becomes of creates and cancels under each reading of the specification, and what each fill costs.
import { describe, expect, test } from '@jest/globals';
import { plain } from '../../src/domain/decimal.ts';
import type { Fill } from '../../src/domain/fill.ts';
import type { EngineSettings } from '../../src/matching/types.ts';
import type { Quirks } from '../../src/paper/wire/quirks.ts';
import { paperKit } from './client-paper-kit.ts';
import { BOB, tradeIdAt } from './client-paper-market.ts';
import { verdictOf } from './client-paper-words.ts';

const kit = paperKit();

describe('Q5: a cancel of an order that has closed', () => {
  test.each([
    ['acknowledged', 'acknowledged'],
    ['rejected', 'unknown 500 -5014'],
  ] as const)('%s → %s', async (cancelOfClosed, verdict) => {
    const meeting = await kit.meet({ quirks: { cancelOfClosed } });
    const [alice, bob] = [meeting.client(), meeting.client({ key: BOB })];
    const canceled = await alice.place('BUY 0.00100 @ 4000000.00');
    expect(verdictOf(await alice.cancel(canceled))).toBe('acknowledged');
    expect(verdictOf(await alice.cancel(canceled))).toBe(verdict);
    const filled = await alice.place('BUY 0.00100 @ 5000000.00');
    const taken = await bob.place('SELL 0.00100 @ 5000000.00');
    expect(verdictOf(await alice.cancel(filled))).toBe(verdict);
    // Filled before its id was known; and one that never was, or is another's.
    expect(verdictOf(await bob.cancel(taken))).toBe(verdict);
    expect(verdictOf(await alice.cancel('1-7-1'))).toBe('unknown 500 -5014');
    expect(verdictOf(await alice.cancel(taken))).toBe('unknown 500 -5014');
  });
});

describe('Q8: numbers as numbers or as text', () => {
  const both = ['number', 'string'] as const;
  const ways = both.flatMap((codeAs) =>
    both.flatMap((tradeIdAs) => both.map((timeAs): Partial<Quirks> => ({ codeAs, tradeIdAs, timeAs }))),
  );

  test.each(ways)('%j: the client sees no difference', async (quirks) => {
    const meeting = await kit.meet({ quirks });
    const [alice, bob] = [meeting.client(), meeting.client({ key: BOB })];
    await alice.place('BUY 0.00200 @ 5000000.00');
    await bob.place('SELL 0.00100 @ 5000000.00');
    const [own] = (await meeting.truth()).accounts;
    const time = own?.fills?.[0]?.time;
    const order: { time?: number | string } = own?.orders[0] ?? {};
    expect(await alice.fills()).toMatchObject([{ tradeId: tradeIdAt(0), venueTime: time }]);
    const body = () => JSON.parse(meeting.heard.at(-1) ?? '{}').body;
    expect(body()).toMatch(quirks.tradeIdAs === 'string' ? /"id":"9\d{18}"/ : /"id":9\d{18},/);
    expect(body()).toMatch(quirks.timeAs === 'string' ? /"time":"\d{13}"/ : /"time":\d{13}[,}]/);
    expect(await alice.openOrders()).toMatchObject([{ venueTime: Number(order.time) }]);
    const prints = await alice.perform({ kind: 'public-trades', symbol: 'BTC/INR', limit: 50 });
    expect(prints.outcome).toMatchObject({ read: { rows: [{ venueTime: time }], complete: true } });
    expect(verdictOf(await alice.create('BUY 0.00100 @ 5000000.001'))).toBe('rejected 400 -1114 fix-request');
    expect(verdictOf(await alice.cancel('7'))).toBe('rejected 400 -1124 fix-request');
    expect(body()).toMatch(quirks.codeAs === 'string' ? /"code":"-1124"/ : /"code":-1124,/);
    expect(verdictOf(await alice.perform({ kind: 'tickers', symbol: 'A/B' }))).toBe('rejected 400 -1121 stop-symbol');
  });
});

describe('Q9: an order that would cross', () => {
  test.each([
    ['takes', 'BUY 0.00100 @ 5000000.00', 'accepted', 'taker 0.001'],
    ['takes', 'BUY 0.00100 @ 4999999.99', 'accepted', ''],
    ['rejected', 'BUY 0.00100 @ 5000000.00', 'soft-rejected', ''],
    ['rejected', 'BUY 0.00100 @ 5000000.01', 'soft-rejected', ''],
    ['rejected', 'BUY 0.00100 @ 4999999.99', 'accepted', ''],
  ] as const)('%s: %s against an ask at 5000000.00 is %s', async (crossing, order, verdict, fills) => {
    const meeting = await kit.meet({ engine: { crossing } });
    meeting.crowd.rests('SELL 0.50000 @ 5000000.00');
    const client = meeting.client();
    expect(verdictOf(await client.create(order))).toBe(verdict);
    expect((await client.fills()).map((fill) => `${fill.liquidity} ${plain(fill.quantity)}`).join(' ')).toBe(fills);
    expect(await client.openOrders()).toHaveLength(verdict === 'accepted' && fills === '' ? 1 : 0);
  });
});

describe('Q10: an order that would meet one of the same account', () => {
  test.each<[EngineSettings['selfTrade'], string, string, number]>([
    ['allow', 'accepted', `sell taker ${tradeIdAt(0)}, buy maker ${tradeIdAt(0)}`, 0],
    ['reject', 'soft-rejected', '', 1],
    ['cancel-resting', 'accepted', '', 1],
  ])('%s → %s', async (selfTrade, verdict, rows, open) => {
    const meeting = await kit.meet({ engine: { selfTrade } });
    const client = meeting.client();
    const resting = await client.place('BUY 0.00100 @ 5000000.00');
    expect(verdictOf(await client.create('SELL 0.00100 @ 5000000.00'))).toBe(verdict);
    const row = (fill: Fill) => `${fill.side} ${fill.liquidity} ${fill.tradeId}`;
    expect((await client.fills()).map(row).join(', ')).toBe(rows);
    const orders = await client.openOrders();
    expect(orders).toHaveLength(open);
    if (selfTrade === 'cancel-resting') expect(orders[0]?.orderId).not.toBe(resting);
  });
});

describe('Q11: fee and tax of one sale to a resting bid at 5000000.01', () => {
  // 0.04321 × 5000000.01 = 216050.0004321: fees 764.817001529634 and 1019.756002039512, tax 2160.500004321.
  // 0.04329 × 5000000.01 = 216450.0004329: fees 0.0001532466 BTC and 1021.644002043288, tax 2164.500004329.
  test.each<[EngineSettings['rounding'], EngineSettings['buyerFeeAsset'], string, string, string]>([
    ['half-up', 'quote', '0.04321', '764.81700153 INR, 0', '1019.75600204 INR, 2160.50000432'],
    ['floor', 'quote', '0.04321', '764.81700152 INR, 0', '1019.75600203 INR, 2160.50000432'],
    ['half-up', 'base', '0.04329', '0.00015325 BTC, 0', '1021.64400204 INR, 2164.50000433'],
    ['floor', 'base', '0.04329', '0.00015324 BTC, 0', '1021.64400204 INR, 2164.50000432'],
  ])(
    '%s, fee of the buyer in %s: %s BTC → buyer %s, seller %s',
    async (rounding, buyerFeeAsset, sold, buyer, seller) => {
      const meeting = await kit.meet({ engine: { rounding, buyerFeeAsset } });
      const [alice, bob] = [meeting.client(), meeting.client({ key: BOB })];
      await alice.place('BUY 0.05000 @ 5000000.01');
      await bob.place(`SELL ${sold} @ 5000000.01`);
      const charges = (fills: readonly Fill[]) =>
        fills.map((fill) => `${plain(fill.commission)} ${fill.commissionAsset}, ${plain(fill.tds)}`);
      expect([await alice.fills(), await bob.fills()].map(charges)).toEqual([[buyer], [seller]]);
    },
  );
});

describe('Q23: what the market turns down', () => {
  const tooMuch = 'BUY 2.00000 @ 5000001.00';
  const offTick = 'BUY 0.00100 @ 5000000.005';
  const offLot = 'SELL 0.001001 @ 5000000.00';
  const tooSmall = 'BUY 0.00001 @ 5000000.00';

  test.each<[string, string, Partial<Quirks>, string]>([
    ['more than there is', tooMuch, { insufficientFunds: 'msg' }, 'soft-rejected'],
    ['more than there is', tooMuch, { insufficientFunds: 'code' }, 'rejected 400 -1115 fix-request'],
    ['more than there is', tooMuch, { insufficientFunds: 'failure' }, 'unknown 500 -5013'],
    ['off the tick', offTick, { offStep: 'msg' }, 'soft-rejected'],
    ['off the tick', offTick, { offStep: 'code' }, 'rejected 400 -1114 fix-request'],
    ['off the tick', offTick, { offStep: 'failure' }, 'unknown 500 -5013'],
    ['off the lot', offLot, { offStep: 'msg' }, 'soft-rejected'],
    ['off the lot', offLot, { offStep: 'code' }, 'rejected 400 -1115 fix-request'],
    ['off the lot', offLot, { offStep: 'failure' }, 'unknown 500 -5013'],
    ['below the minimum', tooSmall, { offStep: 'msg' }, 'soft-rejected'],
    ['below the minimum', tooSmall, { offStep: 'code' }, 'rejected 400 -1115 fix-request'],
    ['below the minimum', tooSmall, { offStep: 'failure' }, 'unknown 500 -5013'],
  ])('%s: %s with %j → %s', async (_what, order, quirks, verdict) => {
    const meeting = await kit.meet({ quirks });
    const client = meeting.client();
    const before = await client.wallet();
    expect(verdictOf(await client.create(order))).toBe(verdict);
    expect([await client.openOrders(), await client.wallet()]).toEqual([[], before]);
  });
});
