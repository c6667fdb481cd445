// What the owner did is booked as it was, in time.
import { describe, expect, test } from '@jest/globals';
import { flowChecks } from '../../../simulation/checks/check-flows.ts';
import { ACCOUNT } from '../../../simulation/plan/configuration.ts';
import { acted, DEPOSIT, recorded, SALE, staged, WITHDRAWAL } from './staged.ts';

describe('a deposit of 2 BTC and a withdrawal of 1,000 INR, each with a fee', () => {
  const deposited = { account: 'external:deposit', asset: 'BTC', walletChange: '2', fee: '0.001' };
  const withdrawn = { account: 'external:withdrawal', asset: 'INR', walletChange: '-1010', fee: '10' };

  test.each<[string, readonly object[], readonly string[]]>([
    ['booked as they were', [deposited, withdrawn], []],
    ['the one as the other', [{ ...deposited, account: 'external:withdrawal' }], ['M6']],
    ['as a conversion', [{ ...withdrawn, account: 'external:conversion' }], ['M6']],
    ['without the fee', [{ ...deposited, fee: '0' }], ['M8']],
    ['without what the fee cost', [{ ...withdrawn, walletChange: '-1000' }], ['M3']],
    ['twice', [deposited, deposited], ['M3']],
    ['in another asset', [{ ...deposited, asset: 'ETH' }], ['M3']],
  ])('%s: %j', async (_words, booked, expected) => {
    const broken = await staged({}, (stage) => {
      const checks = flowChecks();
      acted(stage, DEPOSIT);
      acted(stage, WITHDRAWAL);
      const venueTime = stage.context.now();
      for (const each of booked) recorded(stage, checks, ['external-flow', { kind: 'transfer', ...each, venueTime }]);
    });
    expect(broken).toEqual(expected);
  });

  test('that came just before the opening may be booked', async () => {
    const broken = await staged({}, (stage) => {
      const checks = flowChecks();
      acted(stage, DEPOSIT);
      recorded(stage, checks, ['opened', { balances: {}, markets: {} }]);
      recorded(stage, checks, ['external-flow', { kind: 'transfer', ...deposited, venueTime: stage.context.now() }]);
    });
    expect(broken).toEqual([]);
  });

  test('that is pending must not be booked', async () => {
    const broken = await staged({}, (stage) => {
      acted(stage, { ...DEPOSIT, status: 'pending' });
      recorded(stage, flowChecks(), [
        'external-flow',
        { kind: 'transfer', ...deposited, venueTime: stage.context.now() },
      ]);
    });
    expect(broken).toEqual(['M3']);
  });
});

describe('a simple sale of 0.01 BTC with commission and tax', () => {
  const sold = {
    symbol: 'BTC/INR',
    side: 'sell',
    price: '5000000',
    quantity: '0.01',
    quoteQuantity: '50000',
    commission: '0.00005',
    commissionAsset: 'BTC',
    tds: '500',
  };

  test.each<[string, object, readonly string[]]>([
    ['booked as it was', {}, []],
    ['without the tax', { tds: '0' }, ['M3']],
    ['with the commission in INR', { commissionAsset: 'INR' }, ['M3']],
    ['for less', { quoteQuantity: '49999' }, ['M3']],
    ['as another one', { tradeId: '999' }, ['M3']],
    ['as a purchase', { side: 'buy' }, ['M3']],
  ])('%s', async (_words, change, expected) => {
    const broken = await staged({}, (stage) => {
      acted(stage, SALE);
      const row = stage.context.exchange().accounts.get(ACCOUNT)?.sbsTrades.at(-1)?.row;
      const fill = { ...sold, tradeId: row?.id, orderId: row?.id, ...change };
      recorded(stage, flowChecks(), ['external-flow', { kind: 'conversion', fill }]);
    });
    expect(broken).toEqual(expected);
  });
});

describe('a difference that is taken for the doing of the owner', () => {
  test.each<[string, boolean, readonly string[]]>([
    ['because a person said so', true, []],
    ['by nobody', false, ['M2']],
  ])('%s', async (_words, isTold, expected) => {
    const broken = await staged({ isToldToAccept: () => isTold }, (stage) => {
      acted(stage, DEPOSIT);
      recorded(stage, flowChecks(), ['external-flow', { kind: 'accepted', asset: 'BTC', amount: '2' }]);
    });
    expect(broken).toEqual(expected);
  });
});
