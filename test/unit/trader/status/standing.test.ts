// What is live, leaving or unknown of one side, and the word for a symbol: of real states, and of a trader at its desk.
import { describe, expect, test } from '@jest/globals';
import type { IntentState } from '../../../../src/trader/durable/intent.ts';
import { type OrderView, type SymbolView, takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { sidesOf, standingOf, symbolVerdict } from '../../../../src/trader/status/standing.ts';
import { btc, order } from '../../../browser/status-fixture.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { type Desk, quotingDesk } from '../trader-kit.ts';

const bid = (state: IntentState, isLeaving = false): OrderView => ({
  ...order({ side: 'buy', price: '1', quantity: '1', state }),
  standing: standingOf(state, isLeaving),
});

describe('one side', () => {
  test.each<[string, string, Partial<SymbolView>, boolean]>([
    ['quoted', 'an open order', { orders: [bid('open')] }, true],
    ['quoted', 'an open order beside one that leaves', { orders: [bid('cancel-sent'), bid('open')] }, true],
    ['quoted', 'an open order while nothing new is placed', { orders: [bid('open')], state: 'waiting' }, true],
    ['waiting', 'an open order of a list that is too old', { orders: [bid('open')], state: 'waiting' }, false],
    ['waiting', 'an order that leaves', { orders: [bid('cancel-sent')], state: 'waiting' }, true],
    ['halted', 'an open order of a halted symbol', { orders: [bid('open')], state: 'halted' }, true],
    ['paused', 'nothing', { orders: [], state: 'paused' }, true],
    ['no-quote', 'nothing, and none wanted', { orders: [], noQuote: { buy: 'No funds.', sell: null } }, true],
    ['leaving', 'an open order that is to be canceled', { orders: [bid('open', true)] }, true],
    ['leaving', 'an order whose cancel was sent', { orders: [bid('cancel-sent')] }, true],
    ['leaving', 'an order that is gone from the list', { orders: [bid('closing')] }, true],
    ['unknown', 'an order without an answer', { orders: [bid('unknown')] }, true],
    ['denied', 'a refused order', { orders: [], denied: { code: 'collar', message: 'Too far.' } }, true],
    ['placing', 'an order on its way', { orders: [bid('sent')] }, true],
  ])('is %s with %s', (state, _what, change, isFresh) => {
    expect(sidesOf(btc(change), isFresh).buy.state).toBe(state);
  });

  test('counts every order once, and says why none is live', () => {
    const orders = (['open', 'sent', 'unknown', 'soft-rejected', 'cancel-sent', 'closing'] as const).map((state) =>
      bid(state),
    );
    expect(sidesOf(btc({ orders }), true).buy).toEqual({
      ...{ state: 'quoted', missingMs: 0, why: null },
      ...{ live: 1, placing: 1, unknown: 2, leaving: 2 },
    });
    expect(sidesOf(btc({ orders: [] }), true).buy.why).toBe('About to be placed.');
  });
});

test.each<[string, string, Partial<SymbolView>]>([
  ['good', 'Quoting', {}],
  ['calm', 'Quoting, bid only', { orders: [bid('open')], noQuote: { buy: null, sell: 'No coins.' } }],
  ['warn', 'Quoting, bid only', { orders: [bid('open')], denied: { code: 'funds', message: 'No.' } }],
  ['calm', 'Replacing quotes', { orders: [bid('cancel-sent')] }],
  ['warn', 'No quote', { orders: [], noQuote: { buy: 'No funds.', sell: 'No coins.' } }],
  ['stop', 'Halted', { state: 'halted' }],
])('a symbol is %s, "%s"', (tone, word, change) => {
  const view = btc(change);
  expect(symbolVerdict({ ...view, sides: sidesOf(view, true) })).toEqual({ tone, word });
});

test('while every order of a trader is being canceled, nothing of it counts as quoted', () => {
  // There is no room for a successor beside an order.
  const desk: Desk = quotingDesk(deskSettings({ limits: { maxOpenOrders: 2 } }));
  const viewNow = () => takeSnapshot(desk.state(), desk.now()).symbols.find(({ symbol }) => symbol === BTC);
  expect(viewNow()?.verdict.word).toBe('Quoting');
  desk.reply = (request) => (request.kind === 'cancel' ? null : undefined);
  desk.shows.books[BTC] = [99_900, 101_900];
  for (const end = desk.now() + 20_000; desk.now() < end && (viewNow()?.sides.sell.live ?? 0) > 0; ) desk.run(100);
  for (const end = desk.now() + 5_000; desk.now() < end && (viewNow()?.sides.buy.live ?? 0) > 0; ) desk.run(100);
  const view = viewNow();
  expect(view?.verdict).toEqual({ tone: 'calm', word: 'Replacing quotes' });
  expect(view?.quotedSpreadBps).toBeNull();
  expect([view?.sides.buy, view?.sides.sell]).toMatchObject([
    { state: 'leaving', live: 0, leaving: 1 },
    { state: 'leaving', live: 0, leaving: 1 },
  ]);
});
