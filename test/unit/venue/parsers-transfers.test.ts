import { describe, expect, test } from '@jest/globals';
import { parseCryptoTransfers, parseFiatTransfers, type TransfersPage } from '../../../src/venue/parsers/transfers.ts';
import { exact, parsed } from './parsed.ts';

describe('crypto transfers', () => {
  const deposit = {
    action: 'Deposit',
    asset: 'btc',
    cryptoAmount: '0.12345678901234567890',
    status: 'SUCCESS',
    transactionHash: '0xabc',
    time: 1_700_000_000_000,
    network: 'BITCOIN',
    fromAddress: 'bc1qfrom',
    toAddress: 'bc1qto',
    fee: '0.0001',
  };
  const row = {
    direction: 'deposit',
    status: 'success',
    statusText: 'SUCCESS',
    venueTime: 1_700_000_000_000,
    fee: '0.0001',
    asset: 'BTC',
    amount: '0.1234567890123456789',
    transactionHash: '0xabc',
    network: 'BITCOIN',
    fromAddress: 'bc1qfrom',
    toAddress: 'bc1qto',
  };
  const transfers = (body: unknown, asked: Partial<TransfersPage> = {}) =>
    parsed(parseCryptoTransfers(body, { direction: 'deposit', ...asked }));

  test('a row', () => expect(transfers([deposit])).toEqual({ rows: [row] }));

  test('an amount as a number keeps every digit', () => {
    const body = exact(JSON.stringify([deposit]).replace('"0.12345678901234567890"', '0.12345678901234567890'));
    expect(transfers(body)).toEqual({ rows: [row] });
  });

  test.each([
    ['status', 'PENDING', { status: 'pending', statusText: 'PENDING' }],
    ['status', 'failed', { status: 'failed', statusText: 'failed' }],
    ['status', 'REJECTED', { status: 'other', statusText: 'REJECTED' }],
    ['status', 'AWAITING_REVIEW', { status: 'other', statusText: 'AWAITING_REVIEW' }],
    ['transactionHash', null, { transactionHash: null }],
    ['transactionHash', '', { transactionHash: null }],
    ['fromAddress', undefined, { fromAddress: null }],
    ['toAddress', null, { toAddress: null }],
    ['network', null, { network: '' }],
    ['fee', null, { fee: '0' }],
    ['fee', '-0.0001', { fee: '0.0001' }],
    ['action', null, {}],
    ['action', 'DEPOSIT', {}],
    ['time', '1700000000', {}],
  ])('%s may be %j', (field, value, expected) => {
    expect(transfers([{ ...deposit, [field]: value }])).toEqual({ rows: [{ ...row, ...expected }] });
  });

  test.each([
    ['action', 'Transfer', 'field "action" is "Transfer", not Deposit or Withdrawal'],
    ['asset', null, 'field "asset" is null, not a text'],
    ['cryptoAmount', '0', 'field "cryptoAmount" is "0", not a number above zero'],
    ['cryptoAmount', '-1', 'field "cryptoAmount" is "-1", not a number above zero'],
    ['status', null, 'field "status" is null, not a text'],
    ['time', null, 'field "time" is null, not a time'],
    ['fee', 'none', 'field "fee" is "none", not a decimal number'],
    ['transactionHash', [], 'field "transactionHash" is [], not a text'],
  ])('a row whose %s is %j makes the page incomplete', (field, value, problem) => {
    const page = transfers([deposit, { ...deposit, [field]: value }]);
    expect(page).toEqual({ rows: [row], incompleteBecause: `Row 2 of 2: ${problem}.` });
  });

  test.each<[string, Partial<TransfersPage>, string]>([
    ['direction', { direction: 'withdrawal' }, 'Asked for withdrawal, the answer holds deposit.'],
    ['asset', { asset: 'ETH' }, 'Asked for ETH, the answer holds BTC.'],
    ['status', { status: 'pending' }, 'Asked for pending, the answer holds success.'],
  ])('of another %s than was asked for are said', (_what, asked, incompleteBecause) => {
    expect(transfers([deposit], asked)).toEqual({ rows: [row], incompleteBecause });
  });

  test('that are what was asked for are complete', () => {
    expect(transfers([deposit], { asset: 'BTC', status: 'success' }).incompleteBecause).toBeUndefined();
  });
});

describe('fiat transfers', () => {
  const withdrawal = {
    action: 'Withdrawal',
    amount: '1000.50',
    fee: '5.90',
    status: 'REJECTED',
    referenceId: 'REF-1',
    time: '1700000000000',
  };
  const row = {
    direction: 'withdrawal',
    status: 'rejected',
    statusText: 'REJECTED',
    venueTime: 1_700_000_000_000,
    fee: '5.9',
    amount: '1000.5',
    referenceId: 'REF-1',
  };
  const transfers = (body: unknown) => parsed(parseFiatTransfers(body, { direction: 'withdrawal' }));

  test('a row', () => expect(transfers([withdrawal])).toEqual({ rows: [row] }));

  test('a reference that is a number keeps every digit', () => {
    const body = exact(JSON.stringify([withdrawal]).replace('"REF-1"', '9007199254740993'));
    expect(transfers(body).rows).toMatchObject([{ referenceId: '9007199254740993' }]);
  });

  test.each([
    ['referenceId', null, { referenceId: '' }],
    ['fee', '', { fee: '0' }],
    ['status', 'ON_HOLD', { status: 'other', statusText: 'ON_HOLD' }],
  ])('%s may be %j', (field, value, expected) => {
    expect(transfers([{ ...withdrawal, [field]: value }])).toEqual({ rows: [{ ...row, ...expected }] });
  });

  test('a row that is not understood is said', () => {
    const page = transfers([{ ...withdrawal, amount: null }, withdrawal, null]);
    const first = 'Row 1 of 3: field "amount" is null, not a number above zero';
    expect(page).toEqual({ rows: [row], incompleteBecause: `${first}; and 1 more.` });
  });
});
