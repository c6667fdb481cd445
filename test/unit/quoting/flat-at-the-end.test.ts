// Before a session closes only what brings the base to its target is quoted: no step after that makes it more.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { OwnFill } from '../../../src/quoting/strategy.ts';
import { liveOrder, quotesFrom, quoteText } from './market.ts';

/** 15:20 in India: ten minutes before it closes. */
const now = Date.parse('2026-11-26T09:50:00Z');
const sessions = {
  ...{ timeZone: 'Asia/Kolkata', flattenMinutes: 10 },
  windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'] as const, from: '09:15', to: '15:30' }],
};

/** So much too much base is held. */
const view = (tooMuch: string) => ({
  ...{ now, bookSentAt: now - 1_000, inventoryTarget: decimal('5').sub(tooMuch) },
  base: { asset: 'BTC', total: decimal('5'), free: decimal('5') },
});

test('not the skew of sizes', () => {
  const wanted = ['buy:0 1 @ 99', 'buy:1 1 @ 98', 'sell:0 1 @ 101', 'sell:1 1 @ 102'];
  const settings = { sessions, inventorySkew: { enabled: true } };
  const { quotes } = quotesFrom(wanted, { settings, view: view('1.5') });
  expect(quotes.map(quoteText)).toEqual(['sell:0 1 @ 101', 'sell:1 0.5 @ 102']);
});

test('not an order that hangs', () => {
  const fill: OwnFill = {
    ...{ side: 'buy', slot: 'buy:0', price: decimal('99'), quantity: decimal('1'), at: now - 1_000 },
    ...{ liquidity: 'maker', completesOrder: true },
  };
  const { quotes } = quotesFrom(['buy:0 1 @ 99', 'sell:0 1 @ 101'], {
    settings: { sessions, hanging: { cancelBps: 500 } },
    view: { ...view('0.5'), ownFills: [fill] },
    live: [liveOrder('sell:0 1 @ 102', { sentAt: now - 60_000 })],
  });
  expect(quotes.map(quoteText)).toEqual(['sell:0 0.5 @ 101']);
});
