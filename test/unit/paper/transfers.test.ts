// Deposits and withdrawals: how they live, what they do to the wallet, and which of them each of the eight lists shows.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { DAY } from '../../../src/domain/time.ts';
import type { Quirks } from '../../../src/paper/wire/quirks.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import type { EndpointName } from '../../../src/venue/requests.ts';
import { cryptoTransfer, fiatTransfer, type OwnerExchange, ownerExchange } from './owner-exchange.ts';
import { BOB, type RequestOptions, START, verdict } from './small-exchange.ts';

const LISTS = [
  'crypto-deposits',
  'crypto-withdrawals',
  'fiat-deposits',
  'fiat-withdrawals',
] as const satisfies EndpointName[];

describe('the life of a transfer', () => {
  test('a crypto deposit is pending, gets its hash, and is credited when it succeeds; its row keeps its time', () => {
    const exchange = ownerExchange();
    const row = {
      action: 'Deposit',
      asset: 'BTC',
      cryptoAmount: '0.5',
      status: 'PENDING',
      transactionHash: null,
      time: START,
      network: 'BTC',
      fromAddress: null,
      toAddress: 'bc1-to',
      fee: '0.001',
    };
    const transferId = exchange.transfer(cryptoTransfer('crypto-deposit', '0.5 BTC', { fee: '0.001' }));
    expect([exchange.rows('crypto-deposits'), exchange.wallet('BTC')]).toEqual([[row], '10+0']);
    exchange.now += 60_000;
    exchange.act({ kind: 'transaction-hash', transferId, transactionHash: 'ab12' });
    expect(exchange.rows('crypto-deposits')).toEqual([{ ...row, transactionHash: 'ab12' }]);
    exchange.now += 60_000;
    exchange.act({ kind: 'end-transfer', transferId, outcome: 'success' });
    const ended = { ...row, transactionHash: 'ab12', status: 'SUCCESS' };
    expect([exchange.rows('crypto-deposits'), exchange.wallet('BTC')]).toEqual([[ended], '10.5+0']);
  });

  test('a crypto withdrawal locks amount and fee; success takes both, failure gives both back', () => {
    const exchange = ownerExchange();
    const withdrawal = cryptoTransfer('crypto-withdrawal', '2 BTC', { fee: '0.01' });
    const [first, second] = [exchange.transfer(withdrawal), exchange.transfer(withdrawal)];
    expect(exchange.wallet('BTC')).toBe('5.98+4.02');
    exchange.act({ kind: 'end-transfer', transferId: first, outcome: 'success' });
    expect(exchange.wallet('BTC')).toBe('5.98+2.01');
    exchange.act({ kind: 'end-transfer', transferId: second, outcome: 'failed' });
    expect(exchange.wallet('BTC')).toBe('7.99+0');
    const rows = exchange.rows('crypto-withdrawals');
    expect(rows.map(({ action, status, fee }) => [action, status, fee])).toEqual([
      ['Withdrawal', 'FAILED', '0.01'],
      ['Withdrawal', 'SUCCESS', '0.01'],
    ]);
    expect(exchange.truthOf('fees').balances.BTC?.free).toBe('0.01');
  });

  test('INR moves the same way, may be rejected, and has a reference', () => {
    const exchange = ownerExchange();
    exchange.act(fiatTransfer('fiat-deposit', '500', { fee: '5', status: 'success', referenceId: 'UPI-7' }));
    const transferId = exchange.transfer(fiatTransfer('fiat-withdrawal', '1000', { fee: '10' }));
    expect(exchange.wallet('INR')).toBe('999490+1010');
    exchange.act({ kind: 'end-transfer', transferId, outcome: 'rejected' });
    expect(exchange.wallet('INR')).toBe('1000500+0');
    expect(exchange.rows('fiat-deposits')).toEqual([
      { action: 'Deposit', amount: '500', fee: '5', status: 'SUCCESS', referenceId: 'UPI-7', time: START },
    ]);
    expect(exchange.rows('fiat-withdrawals')).toEqual([
      { action: 'Withdrawal', amount: '1000', fee: '10', status: 'REJECTED', referenceId: 'REF00000002', time: START },
    ]);
  });

  test('what failed long ago moved nothing, however much it was', () => {
    const exchange = ownerExchange();
    exchange.act(cryptoTransfer('crypto-withdrawal', '1000000 BTC', { status: 'failed' }));
    expect([exchange.wallet('BTC'), exchange.rows('crypto-withdrawals')]).toMatchObject([
      '10+0',
      [{ status: 'FAILED' }],
    ]);
  });

  test('a pending withdrawal survives a restart', () => {
    const exchange = ownerExchange();
    const transferId = exchange.transfer(cryptoTransfer('crypto-withdrawal', '2 BTC', { fee: '0.01' }));
    exchange.restart();
    expect(exchange.wallet('BTC')).toBe('7.99+2.01');
    exchange.act({ kind: 'end-transfer', transferId, outcome: 'success' });
    expect([exchange.wallet('BTC'), exchange.transfer(fiatTransfer('fiat-deposit', '1'))]).toEqual(['7.99+0', 't2']);
  });

  test('every row has the documented form', () => {
    const exchange = withEverything();
    for (const list of LISTS) {
      const { body } = exchange.ask(list);
      expect([list, ENDPOINTS[list].answer.safeParse(JSON.parse(body)).error]).toEqual([list, undefined]);
    }
  });
});

/** Of each kind one pending and one that succeeded. */
function withEverything(quirks: Partial<Quirks> = {}): OwnerExchange {
  const exchange = ownerExchange(quirks);
  for (const status of ['pending', 'success'] as const) {
    for (const kind of ['crypto-deposit', 'crypto-withdrawal'] as const) {
      exchange.act(cryptoTransfer(kind, '1 BTC', { status }));
    }
    for (const kind of ['fiat-deposit', 'fiat-withdrawal'] as const) exchange.act(fiatTransfer(kind, '1', { status }));
  }
  return exchange;
}

describe('a list of transfers shows', () => {
  test('its own kind and direction, of the caller', () => {
    const exchange = withEverything();
    for (const list of LISTS) {
      const rows = exchange.rows(list);
      expect(rows).toHaveLength(2);
      expect(new Set(rows.map((row) => row.action))).toEqual(
        new Set([list.endsWith('deposits') ? 'Deposit' : 'Withdrawal']),
      );
      expect(rows.every((row) => 'network' in row === list.startsWith('crypto'))).toBe(true);
      expect(exchange.rows(list, { key: BOB })).toEqual([]);
    }
  });

  test.each<[Record<string, string>, string[]]>([
    [{}, ['5 ETH', '4 BTC', '3 BTC', '2 ETH', '1 BTC']],
    [{ asset: 'ETH' }, ['5 ETH', '2 ETH']],
    [{ asset: 'INR' }, []],
    [{ status: 'SUCCESS' }, ['4 BTC', '2 ETH']],
    [{ status: 'FAILED' }, ['5 ETH']],
    [{ status: 'PENDING', asset: 'BTC' }, ['3 BTC', '1 BTC']],
    [{ limit: '2' }, ['5 ETH', '4 BTC']],
    [{ startTime: String(START + 3_000) }, ['5 ETH', '4 BTC', '3 BTC']],
    [{ endTime: String(START + 2_000) }, ['2 ETH', '1 BTC']],
    [{ startTime: String(START + 2_000), endTime: String(START + 3_000) }, ['3 BTC', '2 ETH']],
    [{ startTime: String(START - 365 * DAY), endTime: String(START + 365 * DAY), limit: '1' }, ['5 ETH']],
  ])('what %j selects', (query, expected) => {
    const exchange = ownerExchange();
    const statuses = ['pending', 'success', 'pending', 'success', 'failed'] as const;
    for (const [index, status] of statuses.entries()) {
      exchange.now += 1_000;
      const asset = index % 3 === 1 ? 'ETH' : 'BTC';
      exchange.act(cryptoTransfer('crypto-deposit', `${index + 1} ${asset}`, { status }));
    }
    expect(exchange.rows('crypto-deposits', { query }).map((row) => `${row.cryptoAmount} ${row.asset}`)).toEqual(
      expected,
    );
  });

  test('REJECTED to whoever asks for it, among those of INR', () => {
    const exchange = ownerExchange();
    exchange.act(fiatTransfer('fiat-deposit', '1', { status: 'rejected' }));
    exchange.act(fiatTransfer('fiat-deposit', '2'));
    expect(exchange.rows('fiat-deposits', { query: { status: 'REJECTED' } })).toMatchObject([{ amount: '1' }]);
  });

  test('twenty rows by default and fifty at most', () => {
    const exchange = ownerExchange();
    for (let count = 0; count < 60; count += 1) exchange.act(fiatTransfer('fiat-deposit', '1'));
    const rows = (query: Record<string, string>) => exchange.rows('fiat-deposits', { query }).length;
    expect([rows({}), rows({ limit: '50' }), rows({ limit: '1' })]).toEqual([20, 50, 1]);
  });

  test.each<[Partial<Quirks>, string[]]>([
    [{}, ['3', '2']],
    [{ transferListOrder: 'oldest-first' }, ['2', '3']],
    [{ transferPage: 'oldest' }, ['2', '1']],
    [{ transferPage: 'oldest', transferListOrder: 'oldest-first' }, ['1', '2']],
    [{ listCap: 1 }, ['3']],
    [{ listCap: 9 }, ['3', '2']],
  ])('two of three rows, by %j', (quirks, expected) => {
    const exchange = ownerExchange(quirks);
    for (const amount of ['1', '2', '3']) exchange.act(fiatTransfer('fiat-deposit', amount));
    expect(exchange.rows('fiat-deposits', { query: { limit: '2' } }).map((row) => row.amount)).toEqual(expected);
  });

  test('unordered rows in no useful order', () => {
    const exchange = ownerExchange({ transferListOrder: 'unordered' });
    for (let count = 0; count < 15; count += 1) {
      exchange.now += 1_000;
      exchange.act(fiatTransfer('fiat-deposit', String(count + 1)));
    }
    const amounts = exchange.rows('fiat-deposits').map((row) => Number(row.amount));
    const rising = [...amounts].sort((a, b) => a - b);
    expect(rising).toEqual([...Array(15).keys()].map((index) => index + 1));
    expect([rising, rising.toReversed()]).not.toContainEqual(amounts);
  });

  test('times as text where moments are text (Q8)', () => {
    const exchange = withEverything({ timeAs: 'string' });
    for (const list of LISTS) expect(exchange.rows(list)[0]).toMatchObject({ time: String(START) });
  });
});

test('Q6: a transfer, its hash and its end each show so much later, while the wallet has its own lag', () => {
  const exchange = ownerExchange({ transfersLagMs: 10_000 });
  const transferId = exchange.transfer(cryptoTransfer('crypto-deposit', '1 BTC'));
  exchange.now += 4_000;
  exchange.act({ kind: 'transaction-hash', transferId, transactionHash: 'ab' });
  exchange.now += 4_000;
  exchange.act({ kind: 'end-transfer', transferId, outcome: 'success' });
  expect(exchange.wallet('BTC')).toBe('11+0');
  const shown = (afterMs: number) => {
    exchange.now = START + afterMs;
    return exchange.rows('crypto-deposits').map((row) => `${row.status} ${row.transactionHash}`);
  };
  expect([9_999, 10_000, 13_999, 14_000, 17_999, 18_000].map(shown)).toEqual([
    [],
    ['PENDING null'],
    ['PENDING null'],
    ['PENDING ab'],
    ['PENDING ab'],
    ['SUCCESS ab'],
  ]);
});

describe('Q16: the rolling window and the archive', () => {
  const HISTORICAL = {
    'crypto-deposits': 'crypto-deposits-historical',
    'fiat-withdrawals': 'fiat-withdrawals-historical',
  } as const;
  const aged = (quirks: Partial<Quirks> = {}) => {
    const exchange = ownerExchange({ historyWindowMs: 7 * DAY, ...quirks });
    exchange.now = START + 30 * DAY;
    for (const days of [1, 10, 6, 8, 7]) {
      const at = exchange.now - days * DAY;
      exchange.act(cryptoTransfer('crypto-deposit', `${days} BTC`, { at, status: 'success' }));
      exchange.act(fiatTransfer('fiat-withdrawal', String(days), { at }));
    }
    const days = (list: EndpointName) => exchange.rows(list).map((row) => Number(row.cryptoAmount ?? row.amount));
    return { exchange, days };
  };

  test.each(['crypto-deposits', 'fiat-withdrawals'] as const)('%s: older rows are historical alone', (list) => {
    const { days } = aged();
    expect([days(list), days(HISTORICAL[list])]).toEqual([
      [1, 6, 7],
      [8, 10],
    ]);
  });

  test('the historical list may hold everything', () => {
    const { days } = aged({ archiveHolds: 'everything' });
    expect([days('crypto-deposits'), days('crypto-deposits-historical')]).toEqual([
      [1, 6, 7],
      [1, 6, 7, 8, 10],
    ]);
  });

  test('a row moves over as its time passes, whatever becomes of it meanwhile', () => {
    const { exchange, days } = aged();
    exchange.now += DAY;
    expect([days('crypto-deposits'), days('crypto-deposits-historical')]).toEqual([
      [1, 6],
      [7, 8, 10],
    ]);
  });

  test('a pending withdrawal beyond the window can still end', () => {
    const { exchange } = aged();
    const [first] = exchange.truthOf('alice').transfers.filter((one) => one.means === 'fiat');
    exchange.act({ kind: 'end-transfer', transferId: first?.transferId ?? '', outcome: 'success' });
    expect(exchange.rows('fiat-withdrawals', { query: { status: 'SUCCESS' } })).toMatchObject([{ amount: '1' }]);
    expect(exchange.wallet('INR')).toBe('999968+31');
  });

  test('the clock of the exchange dates the rows; windows do not heed it', () => {
    const exchange = ownerExchange({ historyWindowMs: DAY });
    exchange.state.controls.clockOffsetMs = -2 * DAY;
    exchange.act(fiatTransfer('fiat-deposit', '1'));
    const ask = (name: EndpointName) => exchange.rows(name, { timestamp: exchange.now - 2 * DAY });
    expect(ask('fiat-deposits')).toMatchObject([{ time: START - 2 * DAY }]);
    expect(ask('fiat-deposits-historical')).toEqual([]);
  });
});

const crypto = (name: EndpointName) => name.startsWith('crypto');
const q = (query: Record<string, string>): RequestOptions => ({ query });

describe.each([
  'crypto-deposits',
  'crypto-deposits-historical',
  'crypto-withdrawals',
  'crypto-withdrawals-historical',
  'fiat-deposits',
  'fiat-deposits-historical',
  'fiat-withdrawals',
  'fiat-withdrawals-historical',
] as const satisfies EndpointName[])('%s refuses', (name) => {
  test.each<[string, RequestOptions, string]>([
    ['nothing', {}, '200'],
    ['a status in small letters', q({ status: 'success' }), '400 -1108'],
    ['an empty status', q({ status: '' }), '400 -1108'],
    ['REJECTED among crypto', q({ status: 'REJECTED' }), crypto(name) ? '400 -1108' : '200'],
    ['an asset in small letters', q({ asset: 'btc' }), crypto(name) ? '400 -1111' : '200'],
    ['an empty asset', q({ asset: '' }), crypto(name) ? '400 -1111' : '200'],
    ['a symbol as asset', q({ asset: 'BTC/INR' }), crypto(name) ? '400 -1111' : '200'],
    ['an unknown asset', q({ asset: 'DOGE' }), crypto(name) ? '400 -1122' : '200'],
    ['a limit that is a word', q({ limit: 'many' }), '400 -1104'],
    ['a limit above fifty', q({ limit: '51' }), '400 -1105'],
    ['a limit of zero', q({ limit: '0' }), '400 -1105'],
    ['a time that is a word', q({ startTime: 'monday' }), '400 -1107'],
    ['an empty time', q({ endTime: '' }), '400 -1107'],
    ['a start after the end', q({ startTime: '2', endTime: '1' }), '400 -1107'],
    ['no window, however long', q({ startTime: '1', endTime: '999999999999999' }), '200'],
    ['status before asset', q({ status: 'x', asset: 'btc' }), '400 -1108'],
    ['asset before limit', q({ asset: 'btc', limit: 'x' }), crypto(name) ? '400 -1111' : '400 -1104'],
    ['limit before times', q({ limit: 'x', startTime: 'x' }), '400 -1104'],
    ['no parameter that it does not know', q({ symbol: 'x', orderId: '1' }), '200'],
  ])('%s: %j → %s', (_what, options, expected) => {
    // The kit signs empty values (Q1).
    expect(verdict(ownerExchange({ emptyValues: 'included' }).ask(name, options))).toBe(expected);
  });

  test.each<[string, string]>([
    ['status=SUCCESS&status=SUCCESS', '400 -1108'],
    ['asset=BTC&asset=BTC', crypto(name) ? '400 -1111' : '200'],
    ['limit=5&limit=6', '400 -1104'],
    ['startTime=1&startTime=2', '400 -1107'],
  ])('a parameter that is given twice: %s → %s', (query, expected) => {
    expect(verdict(ownerExchange().askTwice(name, query))).toBe(expected);
  });
});

test('the amounts of a transfer keep every digit', () => {
  const exchange = ownerExchange();
  exchange.act({
    kind: 'credit',
    account: 'alice',
    asset: 'ETH',
    amount: decimal('123456789012345678901234.00000001'),
  });
  exchange.act(cryptoTransfer('crypto-withdrawal', '123456789012345678901234.00000001 ETH', { status: 'success' }));
  expect(exchange.ask('crypto-withdrawals').body).toContain('"cryptoAmount":"123456789012345678901234.00000001"');
  expect(exchange.wallet('ETH')).toBe('0+0');
});
