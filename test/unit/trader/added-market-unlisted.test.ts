// Two markets that were configured later, one of which the exchange does not list: it waits until that does, and what
// its owner trades there is until then what he trades in any market that no run has.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { account, booked, differs, expectCalm, HOUR, openings, trade } from './added-market-kit.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import { type Desk, quotingDesk } from './trader-kit.ts';

const SOL = 'SOL/INR';

/** Its owner bought 2 SOL while the bot was down, where `bought`, and the market is disabled when it starts. */
function unlistedDesk({ bought = true } = {}): { desk: Desk; own: Fill | null } {
  const desk = quotingDesk();
  desk.shows.balances.SOL = decimal(3);
  desk.shows.books[SOL] = [9_900, 10_100];
  desk.run(5_000);
  desk.pass(HOUR);
  const own = bought ? trade(desk, { symbol: SOL }) : null;
  desk.pass(HOUR);
  desk.restart(deskSettings({ symbols: [BTC, ETH, SOL] }));
  desk.tell({ kind: 'listing', awaited: null, missing: [SOL] });
  desk.look('book', 'orders');
  desk.run(5 * 60_000);
  return { desk, own };
}

describe('an added market that is not listed', () => {
  test('is opened once it is, with an asset that no other opening has', () => {
    const { desk } = unlistedDesk({ bought: false });
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    desk.tell({ kind: 'listing', awaited: null, missing: [] });
    desk.run(60_000);
    expect(openings(desk)).toEqual([{ ETH: '10' }, { SOL: '3' }]);
    expectCalm(desk);
  });

  test('is searched for payments there', () => {
    const { desk, own } = unlistedDesk();
    expect(own && booked(desk, own)).toBe(1);
    expect(desk.state().durable.differences.byAsset.size).toBe(0);
  });

  test('counts purchases there once when it is listed again', () => {
    const { desk, own } = unlistedDesk();
    desk.tell({ kind: 'listing', awaited: null, missing: [] });
    desk.run(5 * 60_000);
    expect(own && booked(desk, own)).toBe(1);
    expect([account(desk, 'SOL', 'opening'), differs(desk, 'SOL')]).toEqual(['-3', '0']);
    expect(desk.state().durable.differences.byAsset.size).toBe(0);
  });
});
