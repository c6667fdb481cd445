// Who gets the room that orders which leave have left: a side that stands empty before a level that would move.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { TraderSettings } from '../../../../src/trader/state/settings.ts';
import { BTC, deskSettings, ETH, LAG_MS } from '../desk-settings.ts';
import { type Desk, fillNow, inSlot, quotingDesk } from '../trader-kit.ts';

/** A bid and an ask of 1,000 INR in ETH, of 400 INR in BTC: 2,800 INR rest. */
function settingsWithRoom(maxOpenNotionalOverAll: string): TraderSettings {
  const settings = deskSettings({ symbols: [BTC, ETH], limits: { maxOpenNotionalOverAll } });
  const runs = settings.runs.map((run) => {
    const orderSize = run.instrument.symbol === BTC ? '400' : '1000';
    return { ...run, params: run.strategy.params.parse({ levels: 1, halfSpreadBps: 200, orderSize }) };
  });
  return { ...settings, runs };
}

/** ETH falls: its bid is too near and goes. BTC rises: its ask goes, and its bid, now far away, would move. */
function moved(maxOpenNotionalOverAll: string): Desk {
  const desk = quotingDesk(settingsWithRoom(maxOpenNotionalOverAll));
  desk.run(3_000);
  desk.shows.books[ETH] = [9_600, 9_800];
  desk.shows.books[BTC] = [98_600, 102_400];
  desk.run(LAG_MS - 2_000);
  return desk;
}

const createdIn = (desk: Desk, symbol: string, slot: string): number =>
  desk.events.filter(({ type, payload }) => type === 'intent' && payload.symbol === symbol && payload.slot === slot)
    .length;

describe('room over all symbols', () => {
  test('enough for both is used by both', () => {
    const desk = moved('6000');
    expect(createdIn(desk, ETH, 'buy:0')).toBe(2);
    expect(createdIn(desk, BTC, 'buy:0')).toBe(2);
  });

  test('enough for the moving level only is left for the empty side', () => {
    const desk = moved('3900');
    expect(createdIn(desk, ETH, 'buy:0')).toBe(1);
    expect(createdIn(desk, BTC, 'buy:0')).toBe(1);
    expect(inSlot(desk, 'buy:0', BTC).state).toBe('open');
    desk.run(2 * LAG_MS);
    expect(createdIn(desk, ETH, 'buy:0')).toBe(2);
  });

  test('that a side lacks on its own delays no other order, whatever is canceled elsewhere', () => {
    // ETH may not sell at all; its bid is to move while orders of BTC leave.
    const settings = settingsWithRoom('100000');
    const runs = settings.runs.map((run) =>
      run.instrument.symbol === ETH ? { ...run, limits: { ...run.limits, minInventoryBase: decimal('100') } } : run,
    );
    const desk = quotingDesk({ ...settings, runs });
    desk.run(3_000);
    desk.shows.books[BTC] = [96_000, 98_000];
    desk.shows.books[ETH] = [10_000, 10_200];
    desk.run(LAG_MS - 2_000);
    expect(desk.intents().some(({ symbol, cancel }) => symbol === BTC && cancel === 'acknowledged')).toBe(true);
    expect(createdIn(desk, ETH, 'sell:0')).toBe(0);
    expect(createdIn(desk, ETH, 'buy:0')).toBe(2);
    expect(createdIn(desk, BTC, 'sell:0')).toBe(2);
  });
});

test('on a lane without a turn for both, a side that the price has left behind goes before another level', () => {
  const settings = deskSettings({ params: { levels: 2, halfSpreadStepBps: 50 }, limits: { maxOpenOrders: 10 } });
  const desk = quotingDesk(settings);
  desk.run(3_000);
  expect(desk.slots()).toEqual(['buy:0 open', 'buy:1 open', 'sell:0 open', 'sell:1 open']);
  // Both bids have filled, and both asks are far above.
  const before = desk.events.length;
  for (const slot of ['buy:0', 'buy:1']) fillNow(desk, inSlot(desk, slot));
  desk.shows.books[BTC] = [97_000, 99_000];
  desk.run(20_000, 1_000);
  const slots = desk.events.slice(before).flatMap((event) => (event.type === 'intent' ? [event.payload.slot] : []));
  expect(slots).toEqual(['buy:0', 'sell:1', 'buy:1']);
});
