// Accounts opened, balances that change without a reason, and money that is locked for something else than trading.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { LockPurpose, OwnerAction } from '../../../src/paper/state/owner-actions.ts';
import { cryptoTransfer, manualOrder, ownerExchange } from './owner-exchange.ts';
import { BOB, orderBody, READER, verdict } from './small-exchange.ts';

const CAROL = { apiKey: 'carol-key', secret: 'carol-secret' };
const carol: OwnerAction = {
  kind: 'open-account',
  account: 'carol',
  keys: [{ ...CAROL, permissions: ['wallet', 'orders', 'trades'], ipWhitelist: null }],
  balances: { INR: decimal('500'), ETH: decimal('0.00000001') },
};
const lock = (amount: string, purpose: LockPurpose, kind: 'lock' | 'unlock' = 'lock'): OwnerAction => ({
  kind,
  account: 'alice',
  asset: 'BTC',
  amount: decimal(amount),
  purpose,
});

describe('an account that is opened while the exchange runs', () => {
  test('has its balances at once, and trades with its own keys', () => {
    const exchange = ownerExchange({ walletLagMs: 60_000 });
    exchange.act(carol);
    expect([exchange.wallet('INR', { key: CAROL }), exchange.wallet('ETH', { key: CAROL })]).toEqual([
      '500+0',
      '0.00000001+0',
    ]);
    exchange.place('BUY 1.00 @ 300 ETH/INR', CAROL);
    expect(exchange.rows('open-orders', { key: CAROL })).toHaveLength(1);
    expect(exchange.rows('open-orders')).toEqual([]);
  });

  test('keeps its money and its keys over a restart', () => {
    const exchange = ownerExchange();
    exchange.act(carol);
    exchange.restart();
    expect(exchange.truthOf('carol').balances.INR?.free).toBe('500');
    expect(verdict(exchange.ask('wallet', { key: CAROL }))).toBe('200');
  });

  test.each<[string, Partial<Extract<OwnerAction, { kind: 'open-account' }>>, string]>([
    ['a name that is taken', { account: 'bob' }, 'The account name bob is taken.'],
    ['the name of the fees', { account: 'fees' }, 'The account name fees is taken.'],
    ['the name of a pocket', { account: 'alice (staking)' }, 'The account name alice (staking) is taken.'],
    [
      'a balance finer than the smallest unit',
      { balances: { INR: decimal('0.000000001') } },
      "The first balance of INR can't be 0.000000001: at most 8 decimals.",
    ],
    [
      'a key of another',
      { keys: [{ ...BOB, permissions: [], ipWhitelist: null }] },
      'One of the API keys exists already.',
    ],
    [
      'a key twice',
      { keys: [READER, READER].map((key) => ({ ...key, apiKey: 'new', permissions: [], ipWhitelist: null })) },
      'Two of the API keys are the same.',
    ],
  ])('is not opened with %s', (_what, change, sentence) => {
    expect(ownerExchange().refusal({ ...carol, ...change } as OwnerAction)).toBe(sentence);
  });
});

describe('a credit', () => {
  const credit = (amount: string, asset = 'BTC', account = 'alice'): OwnerAction => ({
    kind: 'credit',
    account,
    asset,
    amount: decimal(amount),
  });

  test('changes the wallet and leaves no row anywhere', () => {
    const exchange = ownerExchange();
    exchange.act(credit('0.5'));
    exchange.act(credit('-10.5'));
    exchange.act(credit('3', 'XRP'));
    expect([exchange.wallet('BTC'), exchange.wallet('XRP')]).toEqual(['0+0', '3+0']);
    expect(exchange.truthOf('alice')).toMatchObject({ transfers: [], sbsTrades: [], fillCount: 0 });
  });

  test.each<[OwnerAction, string]>([
    [credit('-10.00000001'), 'alice has 10 BTC free, not 10.00000001.'],
    [credit('1', 'BTC', 'nobody'), 'There is no account nobody.'],
    [credit('1', 'BTC', '__proto__'), 'There is no account __proto__.'],
    [credit('1', 'BTC', 'fees'), 'There is no account fees.'],
    [credit('0.000000001'), "The amount can't be 0.000000001: at most 8 decimals."],
  ])('is refused: %j', (action, sentence) => {
    expect(ownerExchange().refusal(action)).toBe(sentence);
  });
});

describe('what is locked', () => {
  test.each<[LockPurpose, 'all' | 'trading', string]>([
    ['staking', 'all', '7.5+2.5 staking 2.5'],
    ['staking', 'trading', '7.5+0 staking 2.5'],
    ['otc', 'all', '7.5+2.5 otc 2.5'],
    ['otc', 'trading', '7.5+0 otc 2.5'],
    ['fixed-deposit', 'all', '7.5+0 fd 2.5'],
    ['fixed-deposit', 'trading', '7.5+0 fd 2.5'],
    ['p2p', 'all', '7.5+2.5'],
    ['p2p', 'trading', '7.5+2.5'],
  ])('for %s with `locked` of %s (Q12) shows as %s', (purpose, lockedIncludes, expected) => {
    const exchange = ownerExchange({ lockedIncludes });
    exchange.act(lock('3', purpose));
    exchange.act(lock('0.5', purpose, 'unlock'));
    expect(exchange.wallet('BTC')).toBe(expected);
    exchange.restart();
    expect(exchange.wallet('BTC')).toBe(expected);
  });

  test('for everything at once adds up, orders and withdrawals among it', () => {
    const exchange = ownerExchange();
    for (const purpose of ['staking', 'otc', 'fixed-deposit', 'p2p'] as const) exchange.act(lock('1', purpose));
    exchange.act(cryptoTransfer('crypto-withdrawal', '1 BTC', { fee: '0.5' }));
    exchange.place('SELL 1.000 @ 9000');
    exchange.act(manualOrder('sell 1 STOP_MARKET when 100'));
    expect(exchange.wallet('BTC')).toBe('2.5+6.5 fd 1 staking 1 otc 1');
    expect(exchange.truthOf('alice').balances.BTC).toEqual({
      free: '2.5',
      locked: '4.5',
      lockedFd: '1',
      lockedStaking: '1',
      lockedOtc: '1',
    });
    expect(exchange.truthOf('alice').setAside).toEqual({
      staking: { BTC: '1' },
      otc: { BTC: '1' },
      'fixed-deposit': { BTC: '1' },
      p2p: { BTC: '1' },
      withdrawal: { BTC: '1.5' },
      order: { BTC: '1' },
    });
  });

  test('is not hidden by omitZeroBalances, however little is free', () => {
    const exchange = ownerExchange();
    for (const purpose of ['staking', 'fixed-deposit'] as const) {
      exchange.act(lock('10', purpose));
      expect(exchange.rows('wallet')).toMatchObject([{ asset: 'BTC', free: '0' }, { asset: 'INR' }]);
      exchange.act(lock('10', purpose, 'unlock'));
    }
  });

  test('can neither be traded nor locked again', () => {
    const exchange = ownerExchange();
    exchange.act(lock('9.5', 'staking'));
    expect(exchange.read('create', { body: orderBody('SELL 1.000 @ 5000') })).toEqual({ msg: 'Insufficient balance.' });
    expect(exchange.refusal(lock('0.6', 'otc'))).toBe('alice has 0.5 BTC free, not 0.6.');
  });

  test('is given back up to what was locked for the same purpose', () => {
    const exchange = ownerExchange();
    exchange.act(lock('2', 'staking'));
    expect(exchange.refusal(lock('2.1', 'staking', 'unlock'))).toBe('alice has not locked 2.1 BTC for staking.');
    expect(exchange.refusal(lock('1', 'otc', 'unlock'))).toBe('alice has not locked 1 BTC for otc.');
  });

  test('shows in the wallet as late as everything does (Q6)', () => {
    const exchange = ownerExchange({ walletLagMs: 5_000 });
    exchange.act(lock('1', 'staking'));
    exchange.now += 4_999;
    expect(exchange.wallet('BTC')).toBe('10+0');
    exchange.now += 1;
    expect(exchange.wallet('BTC')).toBe('9+1 staking 1');
  });
});
