// What an account asks of its fleet, and what it does where that is refused.
import { expect, test } from '@jest/globals';
import { shareKeeper } from '../../../../src/bot/fleet/fleet-shares.ts';
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

function keeperFor(desk: Desk, limits: Partial<typeof LIMITS>, fleet: Pick<ReturnType<typeof fleetOf>, 'reserve'>) {
  const snapshot = () => takeSnapshot(desk.state(), desk.now());
  const loop = { state: desk.state, tell: desk.tell, snapshot };
  const keeper = shareKeeper({ limits: { ...LIMITS, ...limits }, loop, fleet });
  return () => keeper.keep(desk.now());
}

const desk = (): Desk => {
  const made = deskWith(deskSettings());
  makeReady(made);
  return made;
};
const locks = (of: Desk) => marketIn(of.state().durable, BTC).locks;
const dayLoss = { maxDayLoss: new Map([['INR', decimal('1000')]]) };

test('a quarter of an equal part of the loss is asked for before anything is lost, and once', () => {
  const fleet = fleetOf(({ wanted }) => wanted);
  const of = desk();
  const keep = keeperFor(of, dayLoss, fleet);
  keep();
  keep();
  const day = new Date(of.now()).toISOString().slice(0, 10);
  expect(fleet.asked.map(({ resource, held, wanted }) => [resource, held.toFixed(), wanted.toFixed()])).toEqual([
    [`loss ${day} INR`, '0', '50'],
  ]);
  expect(locks(of)).toEqual([]);
});

test('where no loss is left to reserve, its symbols rest until midnight UTC, also after a resume', () => {
  const of = desk();
  const keep = keeperFor(
    of,
    dayLoss,
    fleetOf(() => ZERO),
  );
  const midnight = (Math.floor(of.now() / DAY) + 1) * DAY;
  const locked = expect.objectContaining({ side: null, until: midnight, reason: expect.stringContaining('1000 INR') });
  keep();
  expect(locks(of)).toEqual([locked]);
  of.tell({ kind: 'unlock', symbol: BTC, side: null, by: 'somebody' });
  keep();
  expect(locks(of)).toEqual([locked]);
});

test('a database that does not say locks nothing: its journal notices', () => {
  const of = desk();
  keeperFor(
    of,
    dayLoss,
    fleetOf(() => null),
  )();
  expect(locks(of)).toEqual([]);
});

test('the bound of an asset rises after its reservation, and falls before it', () => {
  const of = desk();
  const limits = { maxBase: new Map([['BTC', decimal('2')]]) };
  const share = () => of.state().shares.get('BTC')?.toFixed();
  let answer: Decimal | null = null;
  const seen: (string | undefined)[] = [];
  const fleet = fleetOf(({ wanted }) => {
    seen.push(share(), wanted.toFixed());
    return answer ?? wanted;
  });
  const keep = keeperFor(of, limits, fleet);
  expect(share()).toBe('0');
  answer = decimal('1.2');
  keep();
  expect([seen[0], share()]).toEqual(['0', '1.2']);
  answer = null;
  of.tell({ kind: 'share', asset: 'BTC', most: decimal('1000') });
  seen.length = 0;
  keep();
  expect(seen[0]).toBe(seen[1]);
  expect(Number(share())).toBeLessThan(1_000);
  // Nothing has changed: nothing is asked.
  const { length } = fleet.asked;
  keep();
  expect(fleet.asked).toHaveLength(length);
});

test('without an answer the bound stays', () => {
  const of = desk();
  const keep = keeperFor(
    of,
    { maxBase: new Map([['BTC', decimal('2')]]) },
    fleetOf(() => null),
  );
  keep();
  expect(of.state().shares.get('BTC')?.toFixed()).toBe('0');
});
