// What an account asks of its fleet, and what it does where that is refused.
import { expect, test } from '@jest/globals';
import { keepShares } from '../../../../src/bot/fleet/fleet-shares.ts';
import type { Reservation } from '../../../../src/bot/state-folder/fleet-account.ts';
import { type Decimal, decimal, ZERO } from '../../../../src/domain/decimal.ts';
import { DAY } from '../../../../src/domain/time.ts';
import { marketIn } from '../../../../src/trader/durable/market.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { BTC, deskSettings } from '../../trader/desk-settings.ts';
import { type Desk, deskWith, makeReady } from '../../trader/trader-kit.ts';

const LIMITS = {
  ...{ maxBase: new Map<string, Decimal>(), maxDayLoss: new Map<string, Decimal>(), requestsPerSecond: null },
  ...{ address: 'here', accounts: ['a', 'b', 'c', 'd', 'e'] },
};

/** A fleet that grants what `grant` says of each question, and remembers the questions. */
function fleetOf(grant: (asked: Reservation) => Decimal | null) {
  const asked: (Reservation & { readonly resource: string })[] = [];
  const reserve = (resource: string, reservation: Reservation): Decimal | null => {
    asked.push({ resource, ...reservation });
    return grant(reservation);
  };
  return { asked, reserve };
}

function keep(desk: Desk, limits: Partial<typeof LIMITS>, fleet: ReturnType<typeof fleetOf>): void {
  const snapshot = () => takeSnapshot(desk.state(), desk.now());
  const loop = { state: desk.state, tell: desk.tell, snapshot };
  keepShares({ ...LIMITS, ...limits }, loop, { fleet, now: desk.now() });
}

const desk = (): Desk => {
  const made = deskWith(deskSettings());
  makeReady(made);
  return made;
};
const locks = (of: Desk) => marketIn(of.state().durable, BTC).locks;
const dayLoss = { maxDayLoss: new Map([['INR', decimal('1000')]]) };

test('a quarter of an equal part of the loss is asked for before anything is lost', () => {
  const fleet = fleetOf(({ wanted }) => wanted);
  const of = desk();
  keep(of, dayLoss, fleet);
  const day = new Date(of.now()).toISOString().slice(0, 10);
  expect(fleet.asked.map(({ resource, held, wanted }) => [resource, held.toFixed(), wanted.toFixed()])).toEqual([
    [`loss ${day} INR`, '0', '50'],
  ]);
  expect(locks(of)).toEqual([]);
});

test('where no loss is left to reserve, its symbols rest until midnight UTC, also after a resume', () => {
  const fleet = fleetOf(() => ZERO);
  const of = desk();
  const midnight = (Math.floor(of.now() / DAY) + 1) * DAY;
  const locked = expect.objectContaining({ side: null, until: midnight, reason: expect.stringContaining('1000 INR') });
  keep(of, dayLoss, fleet);
  expect(locks(of)).toEqual([locked]);
  of.tell({ kind: 'unlock', symbol: BTC, side: null, by: 'somebody' });
  keep(of, dayLoss, fleet);
  expect(locks(of)).toEqual([locked]);
});

test('a database that does not say locks nothing: its journal notices', () => {
  const of = desk();
  keep(
    of,
    dayLoss,
    fleetOf(() => null),
  );
  expect(locks(of)).toEqual([]);
});

test('the bound of an asset rises after its reservation, and falls before it', () => {
  const of = desk();
  const maxBase = { maxBase: new Map([['BTC', decimal('2')]]) };
  const share = () => of.state().shares.get('BTC')?.toFixed();
  keep(
    of,
    maxBase,
    fleetOf(() => null),
  );
  expect(share()).toBeUndefined();
  keep(
    of,
    maxBase,
    fleetOf(() => decimal('1.2')),
  );
  expect(share()).toBe('1.2');
  of.tell({ kind: 'share', asset: 'BTC', most: decimal('1000') });
  const seen: (string | undefined)[] = [];
  const fleet = fleetOf(({ wanted }) => {
    seen.push(share(), wanted.toFixed());
    return wanted;
  });
  keep(of, maxBase, fleet);
  expect(seen[0]).toBe(seen[1]);
  expect(Number(share())).toBeLessThan(1_000);
  // Nothing has changed: nothing is asked.
  keep(of, maxBase, fleet);
  expect(fleet.asked).toHaveLength(1);
});
