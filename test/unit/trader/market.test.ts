// No data, no quote: what of the market, the clock and the keys stops quoting, and what is done with the orders then.
import { describe, expect, test } from '@jest/globals';
import type { CreateOutcome } from '../../../src/venue/outcomes.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
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

  test('that is too old pulls the quotes, and says how old it is', () => {
    const desk = quotingDesk();
    desk.reply = ({ kind }) =>
      kind === 'order-book' ? { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'Slow.' } } : undefined;
    desk.run(7_000);
    expect(openSlots(desk)).toEqual([]);
    expect(reasons(desk)[0]).toMatch(/^The order book is \d\.\d s old\.$/);
  });

  test('of one symbol does not stop the other', () => {
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

  test('that is the first one places nothing before a second bears it out: nothing else could tell a slipped decimal (F61)', () => {
    const desk = deskWith();
    desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50 });
    desk.shows.books[BTC] = [990_000, 1_010_000];
    desk.run(800);
    desk.shows.books[BTC] = [99_000, 101_000];
    desk.run(1_000);
    expect(creates(desk)).toBe(0);
    expect(desk.state().memory.get(BTC)?.lastDenied?.message).toBe(
      'Only one order book of BTC/INR has been read: a second must bear out its price.',
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
    expect(desk.state().durable.halts.size).toBe(0);
  });

  test('ten times as high for more than a minute halts the symbol: a person must say that it is so (F62)', () => {
    const desk = quotingDesk();
    desk.run(3_000);
    const before = creates(desk);
    desk.shows.books[BTC] = [990_000, 1_010_000];
    desk.run(55_000, 250);
    expect(creates(desk)).toBe(before);
    expect(desk.state().durable.halts.size).toBe(0);
    desk.run(10_000, 250);
    expect(desk.state().durable.halts.get(BTC)).toMatch(/^The reference price jumped and stayed/);
    desk.shows.books[BTC] = [99_000, 101_000];
    desk.run(10_000, 250);
    expect(creates(desk)).toBe(before);
  });
});

describe("the exchange's clock", () => {
  test('is not known: nothing that carries the key leaves', () => {
    const desk = readyDesk();
    desk.tell({ kind: 'clock-lost' });
    const before = desk.sent.length;
    desk.run(5_000);
    expect(desk.sent.slice(before).every(({ chosen }) => chosen.request.kind === 'order-book')).toBe(true);
  });

  test('is known too badly: nothing is placed, and what is there stays', () => {
    const desk = quotingDesk();
    desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 1_001 });
    desk.run(3_000);
    expect(openSlots(desk)).toEqual(['buy:0 open', 'sell:0 open']);
    const fresh = readyDesk();
    fresh.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 1_001 });
    fresh.run(3_000);
    expect(creates(fresh)).toBe(0);
    expect(reasons(fresh)).toEqual(["The exchange's clock is known to 1001 ms only."]);
  });

  test('is an hour ahead: the stamp is by it, the horizon by ours', () => {
    const desk = readyDesk();
    desk.tell({ kind: 'clock', offsetMs: 3_600_000, uncertaintyMs: 100 });
    const create = nextCreate(desk);
    const [bid] = desk.intents();
    expect(create.request.kind === 'create' && create.request.stamp.timestamp).toBe((bid?.sentAt ?? 0) + 3_600_000);
    expect((bid?.horizon ?? 0) - (bid?.sentAt ?? 0)).toBe(2_500 + 2_000 + 100);
  });
});

describe('a refusal that concerns every request (F80)', () => {
  const spacing = (desk: Desk, code: number): number[] => {
    desk.reply = ({ kind }) => (kind === 'order-book' ? undefined : (rejected(code, 403) as never));
    const before = desk.sent.length;
    desk.run(130_000, 200);
    const at = desk.sent
      .slice(before)
      .filter(({ chosen }) => chosen.request.kind !== 'order-book')
      .map((each) => each.at);
    return at.slice(1).map((moment, index) => Math.round((moment - (at[index] ?? 0)) / 1_000));
  };

  test.each([-2015, -1022, -1015, -1021])(
    '%d: asked again ever more rarely, although books are read all the time',
    (code) => {
      expect(spacing(quotingDesk(), code)).toEqual([1, 2, 4, 8, 16, 32, 60]);
    },
  );

  test('a signed read that is answered ends it', () => {
    const desk = quotingDesk();
    spacing(desk, -1021);
    desk.reply = () => undefined;
    desk.run(62_000, 200);
    expect(desk.state().refusal).toBeNull();
    expect(reasons(desk)).toEqual(['quoting']);
  });

  test('places nothing, and wakes somebody once', () => {
    const desk = readyDesk();
    spacing(desk, -2015);
    expect(creates(desk)).toBeLessThanOrEqual(1);
    expect(desk.notices.filter(({ op, level }) => op === 'refused' && level === 'page')).toHaveLength(1);
  });

  test('of a create counts too', () => {
    const desk = readyDesk();
    desk.answer(nextCreate(desk), rejected(-2003, 403));
    expect(desk.state().refusal?.message).toBe('-2003 No.');
  });
});

describe('creates that are refused again and again (K9)', () => {
  const refusing = (outcome: CreateOutcome): Desk => {
    const desk = readyDesk();
    desk.reply = ({ kind }) => (kind === 'create' ? outcome : undefined);
    desk.run(30_000);
    return desk;
  };

  test.each([-1112, -1114, -1115])('with %d three times: the symbol rests, then tries again', (code) => {
    const desk = refusing(rejected(code));
    expect(creates(desk)).toBe(3);
    expect(reasons(desk)[0]).toMatch(/^Resting for \d+\.\d s after 3 creates in a row that came to nothing/);
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
    expect(desk.state().durable.halts.get(BTC)).toMatch(`${code} No.`);
  });

  test('because nothing leaves this machine: they are not sent ten times a second (F08, F70)', () => {
    expect(creates(refusing(notSent))).toBeLessThan(10);
  });
});

test('a pause pulls the quotes, and a resume brings them back', () => {
  const desk = quotingDesk();
  desk.tell({ kind: 'pause' });
  desk.run(8_000);
  expect(desk.slots()).toEqual([]);
  expect(reasons(desk)).toEqual(['Paused by a person.']);
  desk.tell({ kind: 'resume' });
  desk.run(2_000);
  expect(openSlots(desk)).toEqual(['buy:0 open', 'sell:0 open']);
});
