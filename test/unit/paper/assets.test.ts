// What the exchange says about its assets, and how it changes.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { PaperNetwork } from '../../../src/paper/state/owner-actions.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import { cryptoTransfer, type OwnerExchange, ownerExchange, sbsTrade } from './owner-exchange.ts';
import { verdict } from './small-exchange.ts';

const names = (exchange: OwnerExchange): unknown[] => exchange.rows('assets').map((row) => row.asset);
const one = (exchange: OwnerExchange, asset: string) => exchange.rows('assets', { query: { asset } });
const network = (name: string): PaperNetwork => ({
  name,
  deposit: { min: decimal('0.01'), confirmations: 12, enabled: true },
  withdraw: { min: decimal('0.02'), max: decimal('1e3'), fee: decimal('0.00000001'), enabled: false },
});

describe('the list of assets', () => {
  test('holds every asset of the instruments and balances, in alphabetical order and the documented form', () => {
    const exchange = ownerExchange();
    expect(names(exchange)).toEqual(['BTC', 'ETH', 'INR']);
    const { body, headers } = exchange.ask('assets');
    expect(ENDPOINTS.assets.answer.safeParse(JSON.parse(body)).error).toBeUndefined();
    expect(headers['content-type']).toContain('json');
    expect(one(exchange, 'INR')).toEqual([{ asset: 'INR', name: 'INR', status: 'ACTIVE', networks: [] }]);
  });

  test('answers for one asset with one row', () => {
    expect(one(ownerExchange(), 'ETH')).toMatchObject([{ asset: 'ETH', networks: [{ name: 'ETH' }] }]);
  });

  test.each([
    ['btc', '400 -1111'],
    ['', '400 -1111'],
    ['BTC/INR', '400 -1111'],
    ['A'.repeat(21), '400 -1111'],
    ['DOGE', '400 -1122'],
    ['BTC', '200'],
  ])('asset=%p: %s', (asset, expected) => {
    expect(verdict(ownerExchange().ask('assets', { query: { asset } }))).toBe(expected);
  });

  test('asks no key, and refuses an asset that is given twice', () => {
    const exchange = ownerExchange();
    const request = { method: 'GET', path: ENDPOINTS.assets.path, headers: {}, body: null, ip: '::1' };
    expect(verdict(exchange.send({ ...request, query: 'asset=BTC&asset=BTC' }))).toBe('400 -1111');
    expect(verdict(exchange.send({ ...request, query: 'limit=many' }))).toBe('200');
  });
});

describe('asset settings', () => {
  test('change what is given and leave the rest', () => {
    const exchange = ownerExchange();
    exchange.act({ kind: 'asset-settings', asset: 'BTC', status: 'INACTIVE' });
    expect(one(exchange, 'BTC')).toMatchObject([{ name: 'BTC', status: 'INACTIVE', networks: [{ name: 'BTC' }] }]);
    exchange.act({ kind: 'asset-settings', asset: 'BTC', name: 'Bitcoin', networks: [network('BTC'), network('LN')] });
    const row = (name: string) => ({
      name,
      deposit: { min: '0.01', confirmations: 12, enabled: true },
      withdraw: { min: '0.02', max: '1000', fee: '0.00000001', enabled: false },
    });
    const expected = [{ asset: 'BTC', name: 'Bitcoin', status: 'INACTIVE', networks: [row('BTC'), row('LN')] }];
    expect(one(exchange, 'BTC')).toEqual(expected);
    exchange.restart();
    expect(one(exchange, 'BTC')).toEqual(expected);
  });

  test('list an asset that was not known', () => {
    const exchange = ownerExchange();
    exchange.act({ kind: 'asset-settings', asset: 'DOGE', networks: [] });
    expect(one(exchange, 'DOGE')).toEqual([{ asset: 'DOGE', name: 'DOGE', status: 'ACTIVE', networks: [] }]);
    expect(exchange.wallet('DOGE')).toBe('0+0');
  });
});

test.each([
  ['a credit', { kind: 'credit', account: 'alice', asset: 'DOGE', amount: decimal(7) }],
  ['a deposit', cryptoTransfer('crypto-deposit', '7 DOGE', { status: 'success' })],
  ['a simple buy', sbsTrade('buy 7 DOGE @ 1')],
  ['an account', { kind: 'open-account', account: 'carol', keys: [], balances: { DOGE: decimal(1) } }],
] as const)('an asset that comes with %s is known from then on, to the wallet too', (_what, action) => {
  const exchange = ownerExchange();
  exchange.act(action);
  expect(names(exchange)).toEqual(['BTC', 'DOGE', 'ETH', 'INR']);
  expect(exchange.wallet('DOGE')).toBe(action.kind === 'open-account' ? '0+0' : '7+0');
  exchange.restart();
  expect(names(exchange)).toEqual(['BTC', 'DOGE', 'ETH', 'INR']);
});
