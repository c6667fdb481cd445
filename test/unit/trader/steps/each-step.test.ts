// Long runs through all that can become of a write, and then every request and every event is looked at.
import { describe, expect, test } from '@jest/globals';
import { type StatusSnapshot, takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { BTC, deskSettings, ETH } from '../desk-settings.ts';
import { FATES, modelVenue } from '../model-venue.ts';
import { type Desk, readyDesk, START } from '../trader-kit.ts';
import { shownViolations } from './shown-check.ts';
import { eventFaults, requestFaults } from './step-check.ts';

const CLOCK = { offsetMs: 1_234.4, uncertaintyMs: 80.5 };

/** Each fate once, with fills, a market that moves, lists that trail, and a stop at the end; and what was shown. */
function lived(settings: Parameters<typeof deskSettings>[0]): {
  readonly desk: Desk;
  readonly shown: StatusSnapshot[];
} {
  const desk = readyDesk(deskSettings({ refresh: { refreshMs: 1_000 }, ...settings }));
  desk.tell({ kind: 'clock', ...CLOCK, confirmed: true });
  const venue = modelVenue(desk, BTC);
  const shown: StatusSnapshot[] = [];
  const show = (): void => void shown.push(takeSnapshot(desk.state(), desk.now()));
  for (const [round, fate] of FATES.entries()) {
    venue.fate = fate;
    const middle = 100_000 + ((round % 5) - 2) * 800;
    desk.shows.books[BTC] = [middle - 1_000, middle + 1_000];
    venue.lags = { orders: (round % 3) * 1_000, trades: (round % 4) * 900, wallet: (round % 2) * 1_500 };
    desk.run(3_000, 250);
    if (round % 4 === 1) venue.fill(round, round % 8 === 1 ? 1 : 0.4);
    if (round === 6) venue.holes = 1;
    desk.run(2_000, 250);
    show();
    desk.run(4_000, 250);
    show();
  }
  venue.lags = { orders: 0, trades: 0, wallet: 0 };
  desk.run(45_000, 500);
  desk.tell({ kind: 'stop' });
  desk.run(45_000, 500);
  show();
  return { desk, shown };
}

describe.each([
  ['shared', { foreignOrders: 'ignore' }],
  ['the bot’s alone', { foreignOrders: 'refuse' }],
  ['of two markets', { symbols: [BTC, ETH] }],
] as const)('on an account that is %s', (_, { symbols, ...settings }: Parameters<typeof deskSettings>[0] & object) => {
  const { desk, shown } = lived({ ...settings, ...(symbols && { symbols: [...symbols] }) });

  test('the displayed figures add up', () => {
    expect(shown.flatMap(shownViolations)).toEqual([]);
  });

  test('each request is stamped, whole and for something, and each create as it was written down', () => {
    const later = desk.sent.filter(({ at }) => at >= START + 200);
    expect(requestFaults(later, desk.events, CLOCK)).toEqual([]);
    const kinds = new Set(later.map(({ chosen }) => chosen.request.kind));
    expect([...kinds]).toEqual(expect.arrayContaining(['create', 'cancel', 'order-book', 'open-orders', 'wallet']));
  });

  test('each event has its time, and is complete', () => {
    expect(eventFaults(desk.events, { from: START, to: desk.now() })).toEqual([]);
    const types = new Set(desk.events.map(({ type }) => type));
    for (const type of ['intent', 'create-outcome', 'cancel-sent', 'cancel-outcome', 'closed', 'fill'] as const)
      expect(types).toContain(type);
  });

  test('it ends flat, with nothing of its own left', () => {
    expect(desk.state().phase).toBe('stopped');
    expect(desk.events.at(-1)).toMatchObject({ type: 'session-ended', payload: { flat: true, unknown: 0 } });
    expect(desk.intents()).toEqual([]);
  });
});
