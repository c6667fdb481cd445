// An exchange that writes the times of a list off by hours, and a configuration that does not know it.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { HOUR, MINUTE } from '../../../../src/domain/time.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { type Desk, fillNow, quotingDesk, readyDesk, tradesPage } from '../trader-kit.ts';

const INDIA = 5.5 * HOUR;

/** A list comes with times that are off by so much; `only`: the first rows of it. */
function writeOff(desk: Desk, kind: 'open-orders' | 'spot-trades', offMs: number, only = Infinity): void {
  const written = <Row extends { readonly venueTime: number }>(rows: readonly Row[]): Row[] =>
    rows.map((row, index) => (index < only ? { ...row, venueTime: row.venueTime + offMs } : row));
  desk.reply = (request) => {
    if (request.kind !== kind) return undefined;
    const { orders, fills } = desk.shows;
    const times = { sentAt: desk.now(), receivedAt: desk.now() };
    if (request.kind === 'open-orders')
      return { kind: 'read', read: { rows: written(orders), complete: true, ...times } };
    return { kind: 'read', read: { rows: tradesPage(written(fills), request), complete: true, ...times } };
  };
}

const told = (desk: Desk) => desk.notices.filter(({ op }) => op === 'times-off');
const shown = (desk: Desk) => takeSnapshot(desk.state(), desk.now());
const open = (desk: Desk) => desk.intents().filter(({ state }) => state === 'open');

function fillBoth(desk: Desk): void {
  for (const intent of open(desk)) fillNow(desk, intent);
}

describe.each<[string, number, string]>([
  ['too late', INDIA, 'at least 330 minutes too late: add 330 to'],
  ['too early', -HOUR, 'at least 60 minutes too early: subtract 60 from'],
])('times that are %s', (_what, offMs, words) => {
  test('of own orders are reported once, quoting stops, and resting orders are canceled', () => {
    const desk = readyDesk();
    writeOff(desk, 'open-orders', offMs);
    desk.run(20_000);
    expect(told(desk)).toMatchObject([{ level: 'page' }]);
    const key = 'venue.timeOffsetMinutes.open-orders';
    const sentence = `The exchange writes the times of open-orders ${words} ${key} and restart.`;
    expect(told(desk)[0]?.message).toBe(sentence);
    expect(shown(desk)).toMatchObject({ wrongTimes: [sentence], blockers: [sentence] });
    expect(open(desk)).toEqual([]);
  });

  test('of own fills as well', () => {
    const desk = quotingDesk();
    desk.run(2 * MINUTE);
    writeOff(desk, 'spot-trades', offMs);
    fillBoth(desk);
    desk.run(5_000);
    expect(told(desk)).toMatchObject([{ level: 'page', message: expect.stringContaining('of spot-trades at least') }]);
    expect(shown(desk).blockers).toHaveLength(1);
  });
});

test('a single order with a wrong time does not count', () => {
  const desk = readyDesk();
  writeOff(desk, 'open-orders', INDIA, 1);
  desk.run(20_000);
  expect(told(desk)).toEqual([]);
  expect(open(desk)).toHaveLength(2);
});

test('correct times are never reported, in hours of quoting and filling', () => {
  const desk = readyDesk();
  for (let round = 0; round < 40; round += 1) {
    desk.run(10_000);
    fillBoth(desk);
    desk.pass(10 * MINUTE);
    desk.look('book', 'orders', 'trades', 'wallet');
  }
  expect(told(desk)).toEqual([]);
});

test('public trades from the future are reported and shown, and quoting goes on', () => {
  const desk = quotingDesk();
  const trade = { symbol: 'BTC/INR', price: decimal('100000'), quantity: decimal('1'), takerSide: 'buy' } as const;
  const rows = [1, 2].map((second) => ({ ...trade, venueTime: desk.now() + INDIA - second * 1_000 }));
  const chosen = {
    request: { kind: 'public-trades', symbol: 'BTC/INR' },
    intentId: null,
    key: 'trades',
    purpose: 'tidy',
  } as const;
  const times = { sentAt: desk.now(), receivedAt: desk.now() };
  const completed = { kind: 'public-trades', request: chosen.request, facts: times } as const;
  const answer = { kind: 'read', read: { rows, complete: true, ...times } } as const;
  desk.tell({ kind: 'completed', chosen, completed: { ...completed, outcome: answer } });
  desk.run(10_000);
  const { wrongTimes, blockers } = shown(desk);
  expect(told(desk)).toHaveLength(1);
  expect(wrongTimes).toEqual([expect.stringContaining('add 330 to venue.timeOffsetMinutes.public-trades')]);
  expect(blockers).toEqual([]);
  expect(open(desk)).toHaveLength(2);
});
