// The memory file: written rows are read back, old ones are deleted, and an unusable file in its place is moved aside.
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from '@jest/globals';
import { asidePath } from '../../../../src/bot/memory/memory-file.ts';
import { readMemory } from '../../../../src/bot/memory/read-memory.ts';
import { BOUNDS, type FillRow, LEVELS, NOTICES_KEPT } from '../../../../src/bot/memory/rows.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/domain/time.ts';
import { AT, batch, open, point, stateFolder } from './memory-kit.ts';

const query = { symbol: 'BTC/INR', from: AT, to: AT + HOUR, points: 600, now: AT + HOUR };
const FILL: FillRow = {
  ...{ symbol: 'BTC/INR', tradeId: '7', side: 'buy', at: AT + 5_000, price: 99, quantity: 0.5 },
  kind: 'made',
};

function history(file: string, asked: Partial<typeof query> = {}) {
  const reader = readMemory(file);
  if (reader === null) throw new Error('There is no memory.');
  try {
    return reader.history({ ...query, ...asked });
  } finally {
    reader.close();
  }
}

describe('the written content', () => {
  test('is read by another process while it is held, and is for its owner alone', () => {
    const { file, memory } = open();
    memory.write(batch({ points: [point(AT), point(AT + 10_000, { ownBid: 99.25 })], fills: [FILL] }));
    const { times, ownBid, ownAsk, fills, knownFrom, level } = history(file);
    expect({ times, ownBid, ownAsk, knownFrom, level }).toEqual({
      ...{ times: [AT, AT + 10_000], ownBid: [null, 99.25], ownAsk: [100.5, 100.5], knownFrom: AT, level: 'second' },
    });
    expect(fills).toEqual([{ at: AT + 5_000, side: 'buy', price: 99, quantity: 0.5, tradeId: '7' }]);
    for (const ending of ['', '-wal', '-shm']) expect(statSync(file + ending).mode & 0o777).toBe(0o600);
  });

  test('outlasts the process, and counts continue', () => {
    const { file, folder, memory } = open();
    const row = {
      symbol: '',
      at: AT,
      kind: 'request',
      a: 'private',
      b: 'create',
      c: 'accepted',
    } as const;
    memory.write(batch({ counts: [{ ...row, n: 2 }] }));
    memory.close();
    open(folder).memory.write(batch({ counts: [{ ...row, n: 3 }] }));
    const reader = readMemory(file);
    expect(reader?.counts({ from: AT, to: AT + 1 })).toEqual([
      { symbol: '', kind: 'request', a: 'private', b: 'create', c: 'accepted', n: 5 },
    ]);
    reader?.close();
  });

  test('is all there or not at all', () => {
    const { file, memory } = open();
    const bad = { ...FILL, at: Number.NaN };
    expect(() => memory.write(batch({ points: [point(AT)], fills: [bad] }))).toThrow();
    expect(history(file).times).toEqual([]);
  });

  test('for an execution of the bot is its last record', () => {
    const { file, memory } = open();
    const others = { ...FILL, tradeId: '8', kind: 'corrected' } as const;
    memory.write(batch({ fills: [FILL, { ...FILL, price: 98, kind: 'corrected' }, others] }));
    expect(history(file).fills.map(({ price }) => price)).toEqual([98]);
    memory.write(batch({ fills: [{ ...FILL, kind: 'reversed' }] }));
    expect(history(file).fills).toEqual([]);
  });

  test('is thinned for a chart to the last point of each part, and says what is left out', () => {
    const { file, memory } = open();
    const points = Array.from({ length: 600 }, (_, second) => point(AT + second * 1_000, { reference: second }));
    const fills = Array.from({ length: 1_200 }, (_, index) => ({ ...FILL, tradeId: `${index}`, at: AT + index }));
    memory.write(batch({ points, fills }));
    const { reference, fills: marks, fillsLeftOut } = history(file, { to: AT + 10 * MINUTE, points: 12 });
    expect(reference).toEqual([49, 99, 149, 199, 249, 299, 349, 399, 449, 499, 549, 599]);
    expect([marks.length, fillsLeftOut, marks.at(-1)?.at]).toEqual([1_000, 200, AT + 1_199]);
  });

  test('at a time is the newest known then, and nothing later', () => {
    const { file, memory } = open();
    memory.write(
      batch({
        points: [
          point(AT, { level: 'quarter', moment: AT + 14 * MINUTE, reference: 1 }),
          point(AT + MINUTE, { level: 'minute', moment: AT + 90_000, reference: 2 }),
          point(AT + 30 * MINUTE, { level: 'quarter', moment: AT + 44 * MINUTE, reference: 3 }),
        ],
      }),
    );
    const reader = readMemory(file);
    const at = (moment: number): number | null => reader?.lastPoint('BTC/INR', moment)?.reference ?? null;
    expect([at(AT + 15 * MINUTE), at(AT + 2 * MINUTE), at(AT + 40 * MINUTE), at(AT + HOUR)]).toEqual([1, 2, 1, 3]);
    expect(at(AT + 44 * MINUTE)).toBe(3);
    reader?.close();
  });
});

test('old rows are deleted, by level', () => {
  const { file, memory } = open();
  const now = AT + 30 * 366 * DAY;
  const points = LEVELS.flatMap((level) =>
    [1, -1].map((sign) => point(now - BOUNDS[level].keptMs + sign * HOUR, { level })),
  );
  const notices = Array.from({ length: NOTICES_KEPT + 5 }, (_, index) => ({
    ...{ at: AT + index, level: 'warn' as const, op: 'a-test', symbol: null, message: 'It is a test.' },
  }));
  memory.write(batch({ points, notices }));
  memory.thin(now);
  const database = new DatabaseSync(file, { readOnly: true });
  const kept = database.prepare('SELECT level, at FROM point ORDER BY level, at').all();
  expect(kept).toEqual(LEVELS.map((level, index) => ({ level: index, at: now - BOUNDS[level].keptMs + HOUR })));
  const { first, count } = database.prepare('SELECT min(at) AS first, count(*) AS count FROM notice').get() ?? {};
  expect([first, count]).toEqual([AT + 5, NOTICES_KEPT]);
  database.close();
});

/** A memory file changed by somebody after it was closed. */
function changed(file: string, sql: string): void {
  open(path.dirname(file)).memory.close();
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

describe('an unusable file', () => {
  const found: [string, (file: string) => void, string][] = [
    [
      'is no database',
      (file) => writeFileSync(file, 'something else entirely, and long enough to be looked at'),
      'it is no database',
    ],
    [
      'is of another program',
      (file) => {
        const database = new DatabaseSync(file);
        database.exec('CREATE TABLE theirs (a)');
        database.close();
      },
      'it is of another version of the program, or of another program',
    ],
    [
      'is of another version',
      (file) => changed(file, 'PRAGMA user_version = 99'),
      'it is of another version of the program, or of another program',
    ],
    ['lacks a table', (file) => changed(file, 'DROP TABLE count'), 'it lacks a table or a column'],
    ['lacks a column', (file) => changed(file, 'ALTER TABLE point DROP profit'), 'it lacks a table or a column'],
  ];
  test.each(found)('because it %s is put aside, and one is begun anew', (_what, make, why) => {
    const folder = stateFolder();
    const file = `${folder}/memory.sqlite`;
    make(file);
    const before = readFileSync(file);
    const { memory, told } = open(folder, AT + 1);
    expect(told).toEqual([why]);
    expect(readFileSync(asidePath(file))).toEqual(before);
    memory.write(batch({ points: [point(AT)] }));
    expect(history(file)).toMatchObject({ times: [AT], knownFrom: AT + 1 });
  });

  test('that was cut is moved aside, once: it replaces the earlier one', () => {
    const folder = stateFolder();
    for (const time of [1, 2]) {
      const { file, memory } = open(folder);
      memory.write(
        batch({ points: Array.from({ length: 2_000 }, (_, index) => point(AT + index, { level: 'minute' })) }),
      );
      memory.close();
      truncateSync(file, 8_192 + time);
      const { memory: anew, told } = open(folder);
      expect(told).toEqual(['it is damaged']);
      anew.close();
      expect(statSync(asidePath(file)).size).toBe(8_192 + time);
    }
  });

  test('that another process holds is left in place', () => {
    const { file, memory } = open();
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    expect(() => memory.write(batch({ points: [point(AT)] }))).toThrow(expect.objectContaining({ errcode: 5 }));
    other.exec('ROLLBACK');
    other.close();
    memory.write(batch({ points: [point(AT)] }));
    expect(history(file).times).toEqual([AT]);
  });
});
