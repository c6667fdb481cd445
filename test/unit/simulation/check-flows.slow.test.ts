// What the owner did is booked as it was, in time.
import { describe, expect, test } from '@jest/globals';
import { flowChecks } from '../../../simulation/checks/check-flows.ts';
import type { Checker } from '../../../simulation/checks/context.ts';
import { START_AT } from '../../../simulation/machine/run.ts';
import { ACCOUNT } from '../../../simulation/plan/configuration.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { MINUTE } from '../../../src/domain/time.ts';
import { acted, DEPOSIT, recorded, SALE, type Stage, staged, TRADED, WITHDRAWAL } from './staged.ts';

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
      for (const each of booked) recorded(stage, checks, ['transfer', { ...each, venueTime }]);
    });
    expect(broken).toEqual(expected);
  });

  test('that came just before the opening may be booked', async () => {
    const broken = await staged({}, (stage) => {
      const checks = flowChecks();
      acted(stage, DEPOSIT);
      recorded(stage, checks, ['opened', {}]);
      recorded(stage, checks, ['transfer', { ...deposited, venueTime: stage.context.now() }]);
    });
    expect(broken).toEqual([]);
  });

  test('that is pending must not be booked', async () => {
    const broken = await staged({}, (stage) => {
      acted(stage, { ...DEPOSIT, status: 'pending' });
      recorded(stage, flowChecks(), ['transfer', { ...deposited, venueTime: stage.context.now() }]);
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
      recorded(stage, flowChecks(), ['conversion', { fill }]);
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
      recorded(stage, flowChecks(), ['difference-accepted', { asset: 'BTC', amount: '2' }]);
    });
    expect(broken).toEqual(expected);
  });
});

describe('a deposit that is not booked in a quarter of an hour of calm', () => {
  const calm = async (play: (stage: Stage, checks: Checker) => void): Promise<string[]> =>
    staged({ phase: () => 'calm', isToldToAccept: () => true }, (stage) => {
      const checks = flowChecks();
      acted(stage, DEPOSIT);
      play(stage, checks);
      const calmSince = stage.context.now();
      for (const waited of [0, 15 * MINUTE])
        checks.sampled?.({ ...stage.context, now: () => calmSince + waited, calmSince: () => calmSince });
    });

  test('breaks M10', async () => {
    expect(await calm(() => {})).toEqual(['M10']);
  });

  test('was taken by a person for his own doing: nothing is asked any more', async () => {
    const broken = await calm((stage, checks) =>
      recorded(stage, checks, ['difference-accepted', { asset: 'BTC', amount: '2' }]),
    );
    expect(broken).toEqual([]);
  });

  test('beside a second one that nobody took breaks M10', async () => {
    const broken = await calm((stage, checks) => {
      recorded(stage, checks, ['difference-accepted', { asset: 'BTC', amount: '2' }]);
      acted(stage, { ...DEPOSIT, asset: 'ETH' });
    });
    expect(broken).toEqual(['M10']);
  });

  test('is asked for beside a reward that no list shows', async () => {
    const reward = { kind: 'credit', account: ACCOUNT, asset: 'BTC', amount: decimal('0.5') } as const;
    expect(await calm((stage) => acted(stage, reward))).toEqual(['M10']);
  });

  test.each([
    ['that cannot be read cannot be explained (seed 22447)', 'BTC/INR', []],
    ['that can be read breaks M10', 'ETH/INR', ['M10']],
  ])('beside a trade %s', async (_words, unread, expected) => {
    const broken = await calm((stage, checks) => {
      const terms = { type: 'LIMIT', price: decimal(9_000_000) } as const;
      const order = { symbol: 'BTC/INR', side: 'buy', quantity: decimal('0.001'), terms } as const;
      // The bot's own orders are not in its way.
      for (const { orderId } of stage.context.oracle.live())
        acted(stage, { kind: 'cancel-order', account: ACCOUNT, orderId });
      acted(stage, { kind: 'place-order', account: ACCOUNT, ...order });
      stage.context.oracle.look(stage.context.exchange(), stage.context.now());
      recorded(stage, checks, [
        'symbol-halted',
        { symbol: unread, code: 'trades-gap', reason: 'Own trades may be missing.' },
      ]);
    });
    expect(broken).toEqual(expected);
  });

  test('is not asked of a bot that the kill latch has stopped', async () => {
    const broken = await staged({ phase: () => 'calm', latchedSince: () => START_AT }, (stage) => {
      const checks = flowChecks();
      acted(stage, DEPOSIT);
      const calmSince = stage.context.now();
      for (const waited of [0, 15 * MINUTE])
        checks.sampled?.({ ...stage.context, now: () => calmSince + waited, calmSince: () => calmSince });
    });
    expect(broken).toEqual([]);
  });

  test('as one of the bot’s trades that was taken back', async () => {
    const busted = (stage: Stage): void => {
      const [row] = stage.context.oracle.fills.values();
      acted(stage, { kind: 'bust-trade', tradeId: row?.id ?? '' });
      stage.context.oracle.rewrote(row?.orderId ?? '');
      stage.context.oracle.look(stage.context.exchange(), stage.context.now());
      const checks = flowChecks();
      const calmSince = stage.context.now();
      for (const waited of [0, 15 * MINUTE])
        checks.sampled?.({ ...stage.context, now: () => calmSince + waited, calmSince: () => calmSince });
    };
    const broken = await staged({ phase: () => 'calm' }, busted, TRADED);
    expect(broken).toEqual(['M10']);
  });
});
