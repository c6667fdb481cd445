// A price from elsewhere that the own book contradicts is neither accepted nor kept as first. Here: one odd trade after
// a start of more than an hour later.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { PublicTrade } from '../../../../src/domain/fill.ts';
import { valueText } from '../../../../src/ledger/amount.ts';
import { lossesOf } from '../../../../src/trader/decision/limits.ts';
import { marketIn } from '../../../../src/trader/durable/market.ts';
import type { TraderSettings } from '../../../../src/trader/state/settings.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { type Desk, deskWith, fillNow, inSlot, makeReady, START } from '../trader-kit.ts';

const settings = (): TraderSettings => {
  const plain = deskSettings({ limits: { maxDrawdown: '600' } });
  return { ...plain, runs: plain.runs.map((run) => ({ ...run, referenceSource: 'lastTrade' as const })) };
};
const trade = (price: number, at: number): PublicTrade => ({
  ...{ price: decimal(price), quantity: decimal('0.1'), takerSide: 'buy', venueTime: at },
});

function odd(): Desk {
  const desk = deskWith(settings());
  desk.shows.publicTrades = { [BTC]: [trade(100_000, START - 1_000)] };
  makeReady(desk);
  desk.run(5_000);
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(20_000);
  desk.pass(2 * 3_600_000);
  desk.shows.publicTrades = { [BTC]: [trade(100_000, START - 1_000), trade(150_000, desk.now() - 60_000)] };
  desk.restart(settings());
  desk.run(60_000);
  return desk;
}

const tradeAgain = (desk: Desk): void => {
  desk.shows.publicTrades[BTC] = [...(desk.shows.publicTrades[BTC] ?? []), trade(100_000, desk.now())];
  desk.run(120_000);
};

// The book stands at 99,000 to 101,000 all the while.
test('a first price that the own book contradicts is not held for good', () => {
  const desk = odd();
  expect(marketOf(desk.state(), BTC).lastGoodReference).toBeNull();
  expect(marketOf(desk.state(), BTC).firstReference).toBeNull();
  expect([...(marketOf(desk.state(), BTC).decision?.denied.values() ?? [])].map(({ message }) => message)).toContain(
    'The reference price 150000 is 4851.5 bps, more than 500 bps, from 101000, the best price (BTC/INR).',
  );
});

test('so the right one after it halts nothing', () => {
  const desk = odd();
  tradeAgain(desk);
  expect(marketIn(desk.state().durable, BTC).halt?.reason).toBeUndefined();
});

test('nor is profit marked at it: that of before stands', () => {
  const ofSession = lossesOf(odd().state(), BTC).find(({ code }) => code === 'loss-session');
  // Bought for 98,000, and 100,000 was the last good price.
  expect(ofSession && valueText(ofSession.loss)).toBe('-10.2');
});
