// No data, no quote: what of the market, the clock and the keys stops quoting, and what is done with the orders then.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import type { CreateOutcome } from '../../../src/venue/outcomes.ts';
import { BTC, deskSettings, ETH, LAG_MS } from './desk-settings.ts';
import { codesIn, haltsIn } from './durable-kit.ts';
import {
  type Desk,
  deskWith,
  nextCreate,
  notSent,
  ops,
  quotingDesk,
  readyDesk,
  reasons,
  rejected,
  softRejected,
  textOf,
} from './trader-kit.ts';

const openSlots = (desk: Desk): string[] => desk.slots().filter((slot) => slot.endsWith(' open'));
const creates = (desk: Desk): number => desk.sent.filter(({ chosen }) => chosen.request.kind === 'create').length;

describe('a book', () => {
  test.each<[string, readonly [number, number] | null, string]>([
    ['that is empty (F59)', null, 'The order book has an empty side or is crossed: there is no reference price.'],
    [
      'that is crossed (F60)',
      [101_000, 99_000],
      'The order book has an empty side or is crossed: there is no reference price.',
    ],
    [
      'that is locked (F60)',
      [100_000, 100_000],
      'The order book has an empty side or is crossed: there is no reference price.',
    ],
  ])('%s pulls the quotes, and there is no price in its place', (_name, book, reason) => {
    const desk = quotingDesk();
    const before = creates(desk);
    desk.shows.books[BTC] = book;
    desk.run(2_000);
    expect(openSlots(desk)).toEqual([]);
    expect(desk.shows.orders).toEqual([]);
    expect(reasons(desk)).toEqual([reason]);
    desk.run(10_000);
    expect(creates(desk)).toBe(before);
  });

  test('too old to use pulls the quotes, and its age is shown', () => {
    const desk = quotingDesk();
    desk.reply = ({ kind }) =>
      kind === 'order-book' ? { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'Slow.' } } : undefined;
    desk.run(7_000);
    expect(openSlots(desk)).toEqual([]);
    expect(reasons(desk)[0]).toMatch(/^The order book is \d\.\d s old\.$/);
  });

  test('of one symbol, too old, does not stop the other', () => {
    const desk = quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
    desk.run(2_000);
    desk.shows.books[BTC] = null;
    desk.run(2_000);
    expect(
      desk
        .intents()
        .filter(({ state }) => state === 'open')
        .map(({ symbol }) => symbol),
    ).toEqual([ETH, ETH]);
  });

  test('that is the first one places nothing before a second bears it out: a slipped decimal (F61)', () => {
    const desk = deskWith();
    desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
    desk.shows.books[BTC] = [990_000, 1_010_000];
    desk.run(800);
    desk.shows.books[BTC] = [99_000, 101_000];
    desk.run(1_000);
    expect(creates(desk)).toBe(0);
    expect(takeSnapshot(desk.state(), desk.now()).symbols[0]?.denied?.message).toBe(
      'Only one order book of BTC/INR has been read: a second must confirm its price.',
    );
    desk.run(2_000);
    expect(desk.intents().map(textOf)).toEqual(['buy 0.01 @ 98000', 'sell 0.01 @ 102000']);
  });

  test('ten times as high in one read places nothing, and quoting goes on after it (F61)', () => {
    const desk = quotingDesk();
    desk.run(3_000);
    const before = creates(desk);
    desk.shows.books[BTC] = [990_000, 1_010_000];
    desk.look('book');
    desk.shows.books[BTC] = [99_000, 101_000];
    desk.run(300);
    expect(creates(desk)).toBe(before);
    desk.run(12_000);
    expect(openSlots(desk)).toEqual(['buy:0 open', 'sell:0 open']);
    expect(haltsIn(desk.state().durable).size).toBe(0);
  });

  test('ten times as high for more than a minute halts the symbol: a person must confirm it (F62)', () => {
    const desk = quotingDesk();
    desk.run(3_000);
    const before = creates(desk);
    desk.shows.books[BTC] = [990_000, 1_010_000];
    desk.run(55_000, 250);
    expect(creates(desk)).toBe(before);
    expect(haltsIn(desk.state().durable).size).toBe(0);
    desk.run(10_000, 250);
    expect(codesIn(desk.state().durable).get(BTC)).toBe('price');
    expect(haltsIn(desk.state().durable).get(BTC)).toMatch(
      /^The reference price jumped from 100000 to 1000000 at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC and stayed: /,
    );
    expect(desk.notices.filter(({ op, level }) => op === 'reference-jumped' && level === 'warn')).toHaveLength(1);
    desk.shows.books[BTC] = [99_000, 101_000];
    desk.run(10_000, 250);
    expect(creates(desk)).toBe(before);
  });

  test('ten times as high in one book and a tenth in the next, a minute later, halts nothing: nothing stayed', () => {
    const desk = quotingDesk();
    desk.run(3_000);
    desk.shows.books[BTC] = [990_000, 1_010_000];
    desk.look('book');
    desk.pass(62_000);
    desk.shows.books[BTC] = [9_900, 10_100];
    desk.look('book');
    expect(haltsIn(desk.state().durable).size).toBe(0);
    desk.shows.books[BTC] = [99_000, 101_000];
    desk.run(12_000);
    expect(haltsIn(desk.state().durable).size).toBe(0);
    expect(openSlots(desk)).toEqual(['buy:0 open', 'sell:0 open']);
  });

  test('ten times as high in one book halts nothing, however long no second one comes', () => {
    const desk = quotingDesk();
    const before = creates(desk);
    desk.shows.books[BTC] = [990_000, 1_010_000];
    desk.look('book');
    desk.run(100);
    expect(desk.state().markets.get(BTC)?.jump).not.toBeNull();
    desk.shows.books[BTC] = [99_000, 101_000];
    desk.pass(90_000);
    desk.look('book');
    desk.run(100);
    expect(haltsIn(desk.state().durable).size).toBe(0);
    expect(desk.state().markets.get(BTC)?.jump).toBeNull();
    expect(creates(desk)).toBe(before);
  });

  test('resumed by a person at a price: another price counts as a jump again, however often it is read', () => {
    const desk = quotingDesk();
    desk.shows.books[BTC] = [990_000, 1_010_000];
    desk.run(70_000, 250);
    expect(haltsIn(desk.state().durable).size).toBe(1);
    desk.restart(deskSettings(), [{ symbol: BTC, price: decimal('100000') }]);
    const before = creates(desk);
    desk.run(50_000, 250);
    expect(creates(desk)).toBe(before);
    expect(haltsIn(desk.state().durable).size).toBe(0);
    desk.run(20_000, 250);
    expect(haltsIn(desk.state().durable).size).toBe(1);
    desk.restart(deskSettings(), [{ symbol: BTC, price: decimal('1000000') }]);
    desk.run(LAG_MS * 3 + 5_000);
    expect(haltsIn(desk.state().durable).size).toBe(0);
    expect(openSlots(desk)).toEqual(['buy:0 open', 'sell:0 open']);
  });
});

describe("the exchange's clock", () => {
  test('is unknown: no signed request leaves', () => {
    const desk = readyDesk();
    desk.state().clock = null;
    desk.tell({ kind: 'tick' });
    const before = desk.sent.length;
    desk.run(5_000);
    expect(desk.sent.slice(before).every(({ chosen }) => chosen.request.kind === 'order-book')).toBe(true);
  });

  test('is too uncertain: nothing is placed, and existing orders stay', () => {
    const desk = quotingDesk();
    desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 1_001, confirmed: true });
    desk.run(3_000);
    expect(openSlots(desk)).toEqual(['buy:0 open', 'sell:0 open']);
    const fresh = readyDesk();
    fresh.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 1_001, confirmed: true });
    fresh.run(3_000);
    expect(creates(fresh)).toBe(0);
    expect(reasons(fresh)).toEqual(["The exchange's clock is known to 1001 ms only."]);
  });

  test('is an hour ahead: stamps use it, the horizon uses ours', () => {
    const desk = readyDesk();
    desk.tell({ kind: 'clock', offsetMs: 3_600_000, uncertaintyMs: 100, confirmed: true });
    const create = nextCreate(desk);
    const [bid] = desk.intents();
    expect(create.request.kind === 'create' && create.request.stamp.timestamp).toBe((bid?.sentAt ?? 0) + 3_600_000);
    expect((bid?.horizon ?? 0) - (bid?.sentAt ?? 0)).toBe(2_500 + 2_000 + 100);
  });
});

describe('creates refused again and again (K9)', () => {
  const refusing = (outcome: CreateOutcome): Desk => {
    const desk = readyDesk();
    desk.reply = ({ kind }) => (kind === 'create' ? outcome : undefined);
    desk.run(30_000);
    return desk;
  };

  test.each([-1112, -1114, -1115])('with %d three times: the symbol rests, then tries again', (code) => {
    const desk = refusing(rejected(code));
    expect(creates(desk)).toBe(3);
    expect(reasons(desk)[0]).toMatch(/^Resting for \d+\.\d s after 3 creates in a row that failed/);
    expect(ops(desk)).toContain('resting');
    desk.run(40_000);
    expect(creates(desk)).toBeGreaterThan(3);
  });

  test('with 200 and the same message: two slots are watched, then one of them again, then it rests', () => {
    expect(creates(refusing(softRejected))).toBeLessThanOrEqual(4);
  });

  test.each([-1121, -1123])('%d halts the symbol at once', (code) => {
    const desk = refusing(rejected(code));
    expect(creates(desk)).toBe(1);
    expect(haltsIn(desk.state().durable).get(BTC)).toMatch(`${code} No.`);
  });

  test('because nothing leaves this machine: they are not sent ten times a second (F08, F70)', () => {
    expect(creates(refusing(notSent))).toBeLessThan(10);
  });
});

test('a pause says why: to the page, to the journal, and not again for the same reason', () => {
  const desk = quotingDesk();
  const told = () => desk.events.flatMap(({ type, payload }) => (type === 'pause' ? [payload.reason] : []));
  const shown = () => takeSnapshot(desk.state(), desk.now());
  expect(shown().paused).toBeNull();
  desk.tell({ kind: 'pause', reason: 'No watchdog lives.' });
  desk.tell({ kind: 'pause', reason: 'No watchdog lives.' });
  desk.run(8_000);
  expect(reasons(desk)).toEqual(['No watchdog lives.']);
  expect(shown()).toMatchObject({ phase: 'paused', paused: 'No watchdog lives.', blockers: ['No watchdog lives.'] });
  expect(desk.slots()).toEqual([]);
  desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
  expect(shown().blockers).toEqual(['Nobody watches.']);
  desk.tell({ kind: 'resume' });
  desk.tell({ kind: 'resume' });
  desk.run(2_000);
  expect(shown()).toMatchObject({ phase: 'running', paused: null, blockers: [] });
  expect(told()).toEqual(['No watchdog lives.', 'Nobody watches.', null]);
  expect(desk.notices.filter(({ op }) => op === 'paused').map(({ message }) => message)).toEqual([
    'Paused, nothing is quoted: No watchdog lives.',
    'Paused, nothing is quoted: Nobody watches.',
  ]);
});

test('a stop ends a pause, and later requests pause nothing', () => {
  const desk = quotingDesk();
  desk.tell({ kind: 'stop' });
  desk.tell({ kind: 'pause', reason: 'No watchdog lives.' });
  expect(takeSnapshot(desk.state(), desk.now())).toMatchObject({ phase: 'stopping', paused: null });
});

test('a pause pulls the quotes, and a resume brings them back', () => {
  const desk = quotingDesk();
  desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
  desk.run(8_000);
  expect(desk.slots()).toEqual([]);
  expect(reasons(desk)).toEqual(['Nobody watches.']);
  desk.tell({ kind: 'resume' });
  desk.run(2_000);
  expect(openSlots(desk)).toEqual(['buy:0 open', 'sell:0 open']);
});

describe('a start soon after (F61, F62)', () => {
  const restarted = (middle: number, afterMs: number): Desk => {
    const desk = quotingDesk();
    desk.shows.orders = [];
    desk.shows.books[BTC] = [middle - 1_000, middle + 1_000];
    desk.pass(afterMs);
    desk.restart();
    return desk;
  };

  test('compares the market with the price of the last create: far from it a person is asked', () => {
    const desk = restarted(1_000_000, 60_000);
    const before = creates(desk);
    desk.run(90_000);
    expect(creates(desk)).toBe(before);
    expect(haltsIn(desk.state().durable).get(BTC)).toMatch(
      /^The reference price jumped from \d+ to 1000000 at .* and stayed/,
    );
  });

  test('near it goes on', () => {
    const desk = restarted(101_000, 60_000);
    desk.run(LAG_MS * 3 + 5_000);
    expect(openSlots(desk)).toEqual(['buy:0 open', 'sell:0 open']);
  });

  test('hours later takes the market as it is', () => {
    const desk = restarted(170_000, 2 * 3_600_000);
    desk.run(LAG_MS * 3 + 90_000);
    expect(haltsIn(desk.state().durable).get(BTC)).toBeUndefined();
    expect(openSlots(desk)).toEqual(['buy:0 open', 'sell:0 open']);
  });

  test('hours later ten times as high wants a person; one such book does not (seed 0, 60 h)', () => {
    const desk = restarted(1_000_000, 2 * 3_600_000);
    const before = creates(desk);
    desk.run(30_000);
    desk.shows.books[BTC] = [99_000, 101_000];
    desk.run(LAG_MS * 3 + 90_000);
    expect(haltsIn(desk.state().durable).get(BTC)).toBeUndefined();
    expect(openSlots(desk)).toEqual(['buy:0 open', 'sell:0 open']);
    const other = restarted(1_000_000, 2 * 3_600_000);
    other.run(90_000);
    expect(creates(other)).toBe(before);
    expect(haltsIn(other.state().durable).get(BTC)).toMatch(
      /^The reference price jumped from \d+ to 1000000 at .* and stayed/,
    );
  });
});

describe('an outage in which the bot runs', () => {
  const outage = (middle: number, forMs: number): Desk => {
    const desk = quotingDesk();
    const fault = { sent: true, reason: 'timeout', detail: 'Slow.' } as const;
    desk.reply = ({ kind }) =>
      kind === 'create' || kind === 'cancel' ? { kind: 'unknown', fault } : { kind: 'failed', fault };
    desk.run(10_000, 500);
    desk.pass(forMs);
    desk.run(10_000, 500);
    desk.shows.books[BTC] = [middle - 1_000, middle + 1_000];
    desk.reply = () => undefined;
    desk.run(3 * 60_000);
    return desk;
  };

  test.each([
    ['of hours takes the market as it is', 115_000, 6 * 3_600_000, undefined],
    ['of hours wants a person where the price is ten times as high', 1_000_000, 6 * 3_600_000, 'price'],
    ['of less than an hour wants a person where the price is far', 115_000, 1_800_000, 'price'],
  ])('%s, as a start does', (_words, middle, forMs, code) => {
    const desk = outage(middle, forMs);
    expect(codesIn(desk.state().durable).get(BTC)).toBe(code);
    expect(openSlots(desk)).toEqual(code === undefined ? ['buy:0 open', 'sell:0 open'] : []);
  });
});

test('good books between two shifted ones end a jump, even while the private lane rests', () => {
  const desk = quotingDesk();
  const shifted = { [BTC]: [990_000, 1_010_000] } as const;
  const good = { ...desk.shows.books };
  const see = (books: typeof desk.shows.books): void => {
    desk.shows.books = { ...books };
    desk.pass(3_000);
    desk.look('book');
  };
  see(shifted);
  desk.open('private');
  for (let i = 0; i < 25; i += 1) see(good);
  see(shifted);
  desk.open('private');
  desk.look('wallet');
  expect(haltsIn(desk.state().durable).size).toBe(0);
});
