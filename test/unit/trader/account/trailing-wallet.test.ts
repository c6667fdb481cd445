// A wallet that trails while trades go on never equals the ledger of now; one that equals the ledger of a moment
// before proves as much.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { Fill } from '../../../../src/domain/fill.ts';
import { BTC, deskSettings, LAG_MS } from '../desk-settings.ts';
import { haltsIn } from '../durable-kit.ts';
import { differs, move } from '../money-kit.ts';
import { type Desk, fillNow, inSlot, ops, quotingDesk } from '../trader-kit.ts';

const AGE_LIMIT_MS = 20_000;

type Balances = Desk['shows']['balances'];

/** A small fill every three seconds, and a wallet that shows each `trailsMs` late. */
function tradeOn(desk: Desk, trailsMs: number, forMs: number, fee: Partial<Fill> = {}): void {
  let truth: Balances = { ...desk.shows.balances };
  const states: { readonly at: number; readonly balances: Balances }[] = [{ at: 0, balances: truth }];
  for (const end = desk.now() + forMs; desk.now() < end; ) {
    desk.shows.balances = { ...truth };
    const bid = desk.intents().find(({ slot, state }) => slot === 'buy:0' && state === 'open');
    if (bid !== undefined) fillNow(desk, bid, { quantity: decimal('0.0001'), ...fee });
    truth = { ...desk.shows.balances };
    states.push({ at: desk.now(), balances: truth });
    for (const until = desk.now() + 3_000; desk.now() < until; desk.run(100))
      desk.shows.balances = { ...states.findLast(({ at }) => at <= desk.now() - trailsMs)?.balances };
  }
  desk.shows.balances = { ...truth };
}

const lastEqualMs = (desk: Desk): number => desk.now() - (desk.state().reconciliation.equalSentAt ?? 0);

test('a wallet that trails by less than the bound, while trades go on, counts as matching', () => {
  const desk = quotingDesk(deskSettings());
  tradeOn(desk, LAG_MS - 1_000, 2 * AGE_LIMIT_MS);
  expect(ops(desk)).not.toContain('difference');
  expect(lastEqualMs(desk)).toBeLessThan(5_000);
});

test('also where fees are paid in a coin that no run trades', () => {
  const desk = quotingDesk(deskSettings());
  desk.shows.balances.BNB = decimal(100);
  tradeOn(desk, LAG_MS - 1_000, 2 * AGE_LIMIT_MS, { commission: decimal('0.01'), commissionAsset: 'BNB' });
  expect(ops(desk)).not.toContain('difference');
  expect(lastEqualMs(desk)).toBeLessThan(5_000);
});

test('one that trails by more does not', () => {
  const desk = quotingDesk(deskSettings());
  tradeOn(desk, 3 * LAG_MS, 2 * AGE_LIMIT_MS);
  expect(lastEqualMs(desk)).toBeGreaterThan(AGE_LIMIT_MS);
});

test('one that also lacks a unit does not', () => {
  const desk = quotingDesk(deskSettings());
  const equalBefore = desk.state().reconciliation.equalSentAt;
  move(desk, 'INR', '-0.00000001');
  tradeOn(desk, LAG_MS - 1_000, 2 * AGE_LIMIT_MS);
  expect(desk.state().reconciliation.equalSentAt).toBe(equalBefore);
});

test('funds that later trades took do not count as locked by others', () => {
  const desk = quotingDesk(deskSettings());
  const ask = inSlot(desk, 'sell:0');
  const shown = { ...desk.shows.balances };
  fillNow(desk, ask);
  desk.shows.balances = shown;
  desk.shows.orders = desk.shows.orders.filter(({ orderId }) => orderId !== ask.orderId);
  desk.run(2_500);
  expect(lastEqualMs(desk)).toBeLessThan(2_500);
  expect(desk.state().wallet.lockedByOthers.get('BTC')).toBeUndefined();
  expect(differs(desk, 'BTC')).toBe('0');
  expect(haltsIn(desk.state().durable).get(BTC)).toBeUndefined();
});

test('a wallet that showed a trade before the list did matches once the trade is read, without another wallet', () => {
  const desk = quotingDesk(deskSettings());
  desk.run(5_000);
  fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal('0.0001') });
  const shownAt = desk.now();
  desk.look('wallet');
  expect(desk.state().reconciliation.equalSentAt).toBeLessThan(shownAt);
  const wallets = desk.sent.length;
  desk.pass(100);
  desk.look('trades');
  expect(desk.state().reconciliation.equalSentAt).toBe(shownAt);
  expect(desk.sent.slice(wallets).some(({ chosen }) => chosen.request.kind === 'wallet')).toBe(false);
});
