// What can't be done is refused with a sentence that carries the values, and then nothing has changed.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { control } from '../../../src/paper/exchange.ts';
import { type OwnerAction, ownerActionSchema } from '../../../src/paper/state/owner-actions.ts';
import { cryptoTransfer, fiatTransfer, manualOrder, OwnerExchange, ownerExchange, sbsTrade } from './owner-exchange.ts';
import { BOB, START, smallSettings } from './small-exchange.ts';

/** The last price is 5000; t1 is a pending deposit of coins, t2 an ended one of INR. */
function busyExchange(): OwnerExchange {
  const exchange = ownerExchange();
  exchange.place('BUY 1.000 @ 5000', BOB);
  exchange.place('SELL 1.000 @ 5000', BOB);
  exchange.act(cryptoTransfer('crypto-deposit', '1 BTC'));
  exchange.act(fiatTransfer('fiat-deposit', '1', { status: 'failed' }));
  return exchange;
}

const STEPS = 'it must be above zero and a multiple of';
const UNITS = 'at most 8 decimals.';

test.each<[OwnerAction, string]>([
  // Transfers.
  [cryptoTransfer('crypto-withdrawal', '10 BTC', { fee: '0.00000001' }), 'alice has 10 BTC free, not 10.00000001.'],
  [fiatTransfer('fiat-withdrawal', '1000001', { status: 'success' }), 'alice has 1000000 INR free, not 1000001.'],
  [cryptoTransfer('crypto-deposit', '0.123456789 BTC'), `The amount can't be 0.123456789: ${UNITS}`],
  [
    cryptoTransfer('crypto-deposit', '1 BTC', { status: 'rejected' }),
    'A crypto transfer fails; only one of INR is rejected.',
  ],
  [{ ...cryptoTransfer('crypto-deposit', '1 BTC'), account: 'eve' } as OwnerAction, 'There is no account eve.'],
  [
    fiatTransfer('fiat-deposit', '1', { at: START + 1 }),
    `It can't have happened at ${START + 1}: whole milliseconds since epoch, up to ${START}.`,
  ],
  [
    fiatTransfer('fiat-deposit', '1', { at: 0.5 }),
    `It can't have happened at 0.5: whole milliseconds since epoch, up to ${START}.`,
  ],
  [{ kind: 'end-transfer', transferId: 't9', outcome: 'failed' }, 'There is no transfer t9.'],
  [{ kind: 'end-transfer', transferId: 't2', outcome: 'success' }, 'Transfer t2 has ended already: FAILED.'],
  [
    { kind: 'end-transfer', transferId: 't1', outcome: 'rejected' },
    'A crypto transfer fails; only one of INR is rejected.',
  ],
  [
    { kind: 'transaction-hash', transferId: 't2', transactionHash: 'x' },
    'Transfer t2 is of INR: it has no transaction hash.',
  ],
  [{ kind: 'transaction-hash', transferId: 'constructor', transactionHash: 'x' }, 'There is no transfer constructor.'],
  // Simple buys and sells.
  [sbsTrade('buy 1 BTC @ 1000001'), 'alice has 1000000 INR free, not 1000001.'],
  [sbsTrade('buy 1 BTC @ 1000000', { tds: '1' }), 'alice has 1000000 INR free, not 1000001.'],
  [sbsTrade('sell 10 BTC @ 5000', { commission: '1', commissionIn: 'coin' }), 'alice has 10 BTC free, not 11.'],
  [sbsTrade('sell 1 BTC @ 5', { commission: '1000006' }), 'alice has 1000000 INR free, not 1000001.'],
  [sbsTrade('buy 1 INR @ 1'), "INR can't be bought for INR."],
  [sbsTrade('buy 1 BTC @ 1', { tds: '0.000000001' }), `The tds can't be 0.000000001: ${UNITS}`],
  [sbsTrade('buy 1 BTC @ 1', { account: 'eve' }), 'There is no account eve.'],
  // Orders.
  [manualOrder('buy 1 LIMIT 5000.25'), `The price (BTC/INR) can't be 5000.25: ${STEPS} 0.5.`],
  [manualOrder('buy 0.0005 LIMIT 5000'), `The quantity (BTC/INR) can't be 0.0005: ${STEPS} 0.001.`],
  [manualOrder('buy 0 MARKET'), `The quantity (BTC/INR) can't be 0: ${STEPS} 0.001.`],
  [manualOrder('sell 1 STOP_MARKET when -5'), `The stop price (BTC/INR) can't be -5: ${STEPS} 0.5.`],
  [manualOrder('buy 1 LIMIT 5000', { symbol: 'X/Y' }), 'The symbol X/Y is not traded here.'],
  [manualOrder('buy 1 LIMIT 5000', { account: 'eve' }), 'There is no account eve.'],
  [
    manualOrder('buy 1 LIMIT 5000', { at: -1 }),
    `It can't have happened at -1: whole milliseconds since epoch, up to ${START}.`,
  ],
  [manualOrder('buy 1000 LIMIT 5000'), 'alice needs 5025000 INR and has 1000000 free.'],
  [manualOrder('buy 0.001 LIMIT 5000'), 'Price × quantity 5 is below 100 (BTC/INR).'],
  [manualOrder('buy 1 MARKET'), 'Nobody sells BTC/INR now.'],
  [manualOrder('sell 10.001 STOP_MARKET when 4000'), 'alice has 10 BTC free, not 10.001.'],
  [manualOrder('buy 199 STOP_LIMIT 6000 when 5500'), 'alice has 1000000 INR free, not 1199970.'],
  [
    manualOrder('buy 1 STOP_MARKET when 5000'),
    'The last price of BTC/INR is 5000: the stop would be triggered at once.',
  ],
  [
    manualOrder('sell 1 STOP_LIMIT 4000 when 5000.5'),
    'The last price of BTC/INR is 5000: the stop would be triggered at once.',
  ],
  [
    { kind: 'cancel-order', account: 'alice', orderId: '1-9007199254740993-1' },
    'There is no open order 1-9007199254740993-1 of alice.',
  ],
  [{ kind: 'cancel-order', account: 'eve', orderId: '' }, 'There is no open order  of eve.'],
])('%j: %s', (action, sentence) => {
  expect(busyExchange().refusal(action)).toBe(sentence);
});

test('an account that is frozen places no orders, but cancels and withdraws', () => {
  const exchange = busyExchange();
  const { orderId } = exchange.order(manualOrder('buy 1 LIMIT 4000'));
  control(exchange.state, { frozenAccounts: ['alice'] });
  expect(exchange.refusal(manualOrder('buy 1 LIMIT 4000'))).toBe('alice may not trade now.');
  exchange.act({ kind: 'cancel-order', account: 'alice', orderId });
  exchange.act({ kind: 'credit', account: 'alice', asset: 'BTC', amount: decimal(-1) });
  expect([exchange.wallet('INR'), exchange.wallet('BTC')]).toEqual(['1000000+0', '9+0']);
});

test('an order that would meet one’s own is refused where that is the rule, and one that would cross', () => {
  const engine = { ...smallSettings().engine, selfTrade: 'reject', crossing: 'rejected' } as const;
  const exchange = new OwnerExchange(smallSettings({ engine }));
  exchange.place('SELL 1.000 @ 5000');
  expect(exchange.refusal(manualOrder('buy 1 LIMIT 5000'))).toContain('would trade at 5000');
  expect(exchange.refusal(manualOrder('buy 1 MARKET'))).toContain('would trade with its own');
});

// What an action itself shows to be wrong never gets as far as the exchange.
test.each<[string, object]>([
  ['is not above zero', { kind: 'fiat-deposit', account: 'alice', amount: '0' }],
  ['is not above zero', { kind: 'sbs-trade', account: 'alice', coin: 'BTC', side: 'buy', price: '0', quantity: '1' }],
  ['is not above zero', { kind: 'lock', account: 'alice', asset: 'BTC', amount: '-1', purpose: 'otc' }],
  ['is below zero', { kind: 'fiat-deposit', account: 'alice', amount: '1', fee: '-1' }],
  ['is below zero', { kind: 'open-account', account: 'carol', balances: { INR: '-1' } }],
  ['is not an amount such as "0.25"', { kind: 'credit', account: 'alice', asset: 'BTC', amount: '1e30' }],
  ['is not an amount such as "0.25"', { kind: 'credit', account: 'alice', asset: 'BTC', amount: 'NaN' }],
  ['1 to 20 capital letters and digits', { kind: 'credit', account: 'alice', asset: 'btc', amount: '1' }],
  ['1 to 20 capital letters and digits', { kind: 'asset-settings', asset: 'B-C' }],
  ['Too small', { kind: 'delay-trade', account: 'alice', tradeId: '1', forMs: 0 }],
  ['Too big', { kind: 'delay-next-trades', account: 'alice', count: 10_001, forMs: 1 }],
])('%s: %j', (sentence, action) => {
  expect(ownerActionSchema.safeParse(action).error?.issues[0]?.message).toContain(sentence);
});
