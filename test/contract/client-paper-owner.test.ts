// What the owner does to the account beside the bot, as the client sees it: manual orders of every type, locks, assets.
import { describe, expect, test } from '@jest/globals';
import { totalOf } from '../../src/domain/balance.ts';
import { decimal, plain } from '../../src/domain/decimal.ts';
import { orderId } from '../../src/domain/ids.ts';
import { FIELD_QUIRKS, type Quirks, SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import type { PaperClient } from './client-paper-client.ts';
import { paperKit } from './client-paper-kit.ts';
import { BOB, orderIdAt } from './client-paper-market.ts';
import type { Act } from './client-paper-owner.ts';

const kit = paperKit();
const symbol = 'BTC/INR';
const NONE = decimal(0);

/** `BTC free locked fd staking otc`, each asset of the wallet that is not empty. */
async function walletOf(client: PaperClient): Promise<readonly string[]> {
  const rows = await client.balances();
  return rows.map(({ asset, free, locked, lockedFd, lockedStaking, lockedOtc }) =>
    [asset, ...[free, locked, lockedFd, lockedStaking, lockedOtc].map(plain)].join(' '),
  );
}

const order = (terms: (Act & { kind: 'place-order' })['terms'], more: object = {}): Act => ({
  ...{ kind: 'place-order', account: 'alice', symbol, side: 'sell', quantity: '0.02', terms, ...more },
});

describe.each([
  ['spec', SPEC_QUIRKS],
  ['field', FIELD_QUIRKS],
])('profile %s', (_profile, quirks) => {
  test('open-orders: of every type that the list knows, with the price 0 of those that have none', async () => {
    const meeting = await kit.meet({ quirks, withOwner: true });
    const [client, owner] = [meeting.client(), meeting.owner()];
    const at = meeting.clock.now() - 3_600_000;
    await owner.makes(order({ type: 'LIMIT', price: '6000000.01' }, { at }));
    await owner.makes(order({ type: 'MARKET' }, { at: at + 1 }));
    await owner.makes(order({ type: 'STOP_LIMIT', price: '3900000', stopPrice: '4000000' }, { at: at + 2 }));
    await owner.makes(order({ type: 'STOP_MARKET', stopPrice: '4500000' }, { at: at + 3, quantity: '0.03' }));
    const shared = { symbol, side: 'sell', originalQuantity: decimal('0.02'), remainingQuantity: decimal('0.02') };
    const row = { ...shared, executedQuantity: NONE, status: 'NEW' };
    const third = { originalQuantity: decimal('0.03'), remainingQuantity: decimal('0.03') };
    expect(await client.openOrders()).toEqual([
      { ...row, orderId: orderIdAt(0), type: 'limit', price: decimal('6000000.01'), venueTime: at },
      { ...row, orderId: orderIdAt(1), type: 'market', price: NONE, venueTime: at + 1 },
      { ...row, orderId: orderIdAt(2), type: 'stop-limit', price: decimal('3900000'), venueTime: at + 2 },
      { ...row, ...third, orderId: orderIdAt(3), type: 'stop-market', price: NONE, venueTime: at + 3 },
    ]);
    expect(await walletOf(client)).toEqual(['BTC 9.91 0.09 0 0 0', 'ETH 100 0 0 0 0', 'INR 10000000 0 0 0 0']);
    expect(await client.openOrders('ETH/INR')).toEqual([]);
  });
});

describe('manual orders', () => {
  test('open-orders: a market order takes what there is and is listed with what is left', async () => {
    const meeting = await kit.meet({ withOwner: true });
    const [client, bob] = [meeting.client(), meeting.client({ key: BOB })];
    await bob.place('BUY 0.00500 @ 5000000.00');
    await meeting.owner().makes(order({ type: 'MARKET' }));
    expect(await client.openOrders()).toMatchObject([
      {
        type: 'market',
        status: 'PARTIALLY_FILLED',
        executedQuantity: decimal('0.005'),
        remainingQuantity: decimal('0.015'),
      },
    ]);
    await bob.place('BUY 0.01500 @ 4900000.00');
    expect(await client.openOrders()).toEqual([]);
    expect((await client.fills()).map(({ price, quantity }) => `${plain(quantity)} @ ${plain(price)}`)).toEqual([
      '0.015 @ 4900000',
      '0.005 @ 5000000',
    ]);
  });

  test('open-orders: a stop keeps its id and its type when triggered, and the bot’s key can cancel it', async () => {
    const meeting = await kit.meet({ withOwner: true });
    const [client, bob] = [meeting.client(), meeting.client({ key: BOB })];
    const id = await meeting.owner().makes(order({ type: 'STOP_LIMIT', price: '5000000', stopPrice: '4000000' }));
    meeting.crowd.rests('BUY 0.00100 @ 3999999.00');
    await bob.place('SELL 0.00100 @ 3999999.00');
    const listed = { orderId: id, type: 'stop-limit', price: decimal('5000000'), status: 'NEW' };
    expect(await client.openOrders()).toMatchObject([listed]);
    await bob.place('BUY 0.00500 @ 5000000.00');
    expect(await client.openOrders()).toMatchObject([{ ...listed, status: 'PARTIALLY_FILLED' }]);
    expect((await client.cancel(id)).outcome.kind).toBe('acknowledged');
    expect(await client.openOrders()).toEqual([]);
    expect(await client.fills({ by: 'order', orderId: orderId(id) })).toHaveLength(1);
  });

  test.each(['cancel-symbol', 'cancel-all'] as const)(
    '%s takes the owner’s orders of every type with it',
    async (kind) => {
      const meeting = await kit.meet({ withOwner: true });
      const client = meeting.client();
      await meeting.owner().makes(order({ type: 'MARKET' }));
      await meeting.owner().makes(order({ type: 'STOP_MARKET', stopPrice: '4000000' }));
      await meeting.owner().makes(order({ type: 'LIMIT', price: '6000000' }));
      await (kind === 'cancel-all' ? client.cancelAll() : client.cancelSymbol());
      expect(await client.openOrders()).toEqual([]);
      expect(await walletOf(client)).toEqual(['BTC 10 0 0 0 0', 'ETH 100 0 0 0 0', 'INR 10000000 0 0 0 0']);
    },
  );

  test('open-orders: the owner cancels an order of the bot by hand', async () => {
    const meeting = await kit.meet({ withOwner: true });
    const client = meeting.client();
    const placed = await client.place('BUY 0.00100 @ 4000000.00');
    await meeting.owner().act({ kind: 'cancel-order', account: 'alice', orderId: placed });
    expect(await client.openOrders()).toEqual([]);
  });
});

describe('Q12: what is locked for other purposes than orders', () => {
  // 1 in an order, 2 for a withdrawal, 3 p2p; 0.5 staked, 0.25 in OTC, 0.125 in a fixed deposit.
  test.each<[Quirks['lockedIncludes'], string]>([
    ['all', '6.75'],
    ['trading', '6'],
  ])('wallet: locked is %s: %s', async (lockedIncludes, locked) => {
    const meeting = await kit.meet({ quirks: { lockedIncludes }, withOwner: true });
    const [client, owner] = [meeting.client(), meeting.owner()];
    await client.place('SELL 1.00000 @ 9000000.00');
    const moved = { account: 'alice', asset: 'BTC', network: 'BTC', amount: '1.99', fee: '0.01' };
    await owner.act({ kind: 'crypto-withdrawal', ...moved });
    const lock = { kind: 'lock', account: 'alice', asset: 'BTC' } as const;
    await owner.act({ ...lock, purpose: 'p2p', amount: '3' });
    await owner.act({ ...lock, purpose: 'staking', amount: '0.5' });
    await owner.act({ ...lock, purpose: 'otc', amount: '0.25' });
    await owner.act({ ...lock, purpose: 'fixed-deposit', amount: '0.125' });
    expect((await walletOf(client))[0]).toBe(`BTC 3.125 ${locked} 0.125 0.5 0.25`);
    const [btc] = await client.balances();
    expect(btc && plain(totalOf(btc, lockedIncludes === 'all'))).toBe('10');
    await owner.act({ ...lock, kind: 'unlock', purpose: 'staking', amount: '0.5' });
    const after = lockedIncludes === 'all' ? '6.25' : '6';
    expect((await walletOf(client))[0]).toBe(`BTC 3.625 ${after} 0.125 0 0.25`);
  });

  test('wallet: what is set aside can’t be sold', async () => {
    const meeting = await kit.meet({ withOwner: true });
    const client = meeting.client();
    await meeting.owner().act({ kind: 'lock', account: 'alice', asset: 'BTC', purpose: 'staking', amount: '9.5' });
    expect((await client.create('SELL 0.50001 @ 9000000.00')).outcome.kind).toBe('soft-rejected');
    expect((await client.create('SELL 0.50000 @ 9000000.00')).outcome.kind).toBe('accepted');
  });
});

describe('the wallet', () => {
  test('wallet: empty assets are hidden where that is asked for, and by the exchange’s own default', async () => {
    const meeting = await kit.meet({ withOwner: true });
    const client = meeting.client();
    await meeting.owner().act({ kind: 'credit', account: 'alice', asset: 'ETH', amount: '-100' });
    await meeting.owner().act({ kind: 'lock', account: 'alice', asset: 'BTC', purpose: 'fixed-deposit', amount: '10' });
    const assets = async (omit?: boolean) => {
      const stamp = client.stamp();
      const asked = { kind: 'wallet', ...(omit !== undefined && { omitZeroBalances: omit }), stamp } as const;
      const { outcome } = await client.perform(asked);
      return outcome.kind === 'read' && Array.isArray(outcome.read.rows)
        ? outcome.read.rows.map(({ asset }) => asset)
        : [];
    };
    expect(await assets(true)).toEqual(['BTC', 'INR']);
    expect(await assets(false)).toEqual(['BTC', 'ETH', 'INR']);
    // Unless it is wanted so, the client asks for all of them.
    expect(await assets()).toEqual(['BTC', 'ETH', 'INR']);
  });

  test('wallet: a credit that no list explains, to the eighth decimal; another account of the owner', async () => {
    const meeting = await kit.meet({ withOwner: true });
    await meeting.owner().act({ kind: 'credit', account: 'alice', asset: 'BTC', amount: '0.00000001' });
    await meeting.owner().act({ kind: 'credit', account: 'alice', asset: 'INR', amount: '-9999999.99999999' });
    expect(await meeting.client().wallet()).toEqual({ BTC: '10.00000001 + 0', ETH: '100 + 0', INR: '0.00000001 + 0' });
    const carol = { apiKey: 'canary-key-carol-7e1d', secret: 'canary-secret-carol-b40c' };
    const balances = { DOGE: '3.5' };
    await meeting.owner().act({ kind: 'open-account', account: 'carol', keys: [carol], balances });
    expect(await meeting.client({ key: carol }).wallet()).toEqual({
      ...{ BTC: '0 + 0', DOGE: '3.5 + 0', ETH: '0 + 0', INR: '0 + 0' },
    });
  });
});
