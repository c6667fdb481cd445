// Snapshots: opened from, verified before they are kept, never trusted further than the chain; and what happens in
// small steps while the program runs.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { JournalError, nextRecord } from '../../../src/journal/chain.ts';
import { type Journal, openJournal, readJournal } from '../../../src/journal/open-journal.ts';
import type { UpkeepPace } from '../../../src/journal/upkeep.ts';
import { OPENED, SNAPSHOT } from '../../../src/journal/walk.ts';
import type { JournalRecord, JournalStorage } from '../../../src/ports/journal-storage.ts';
import { type KeepingStorage, keepingStorage, memoryStorage, NOW } from './fixed-clock.ts';

/** How often each type was seen; changed in place, as the trader's state is. */
type Counts = Map<string, number>;
const HOUR = 3_600_000;
const PACE: UpkeepPace = { everyMs: HOUR, everyRecords: 1_000, keepRecords: 40, stepRecords: 7 };

/** Time since the start, in ms. */
let passed = 0;
/** Records that were folded, at openings and in the upkeep. */
let folded: number[] = [];
beforeEach(() => {
  passed = 0;
  folded = [];
});

const options = (schema = 1, pace: Partial<UpkeepPace> = {}) => ({
  clock: { now: () => NOW + passed, monotonic: () => passed },
  schema,
  initial: (): Counts => new Map(),
  reduce: (counts: Counts, { type, seq }: JournalRecord): Counts => {
    folded.push(seq);
    return type.startsWith('journal-') ? counts : counts.set(type, (counts.get(type) ?? 0) + 1);
  },
  stateText: {
    encode: (counts: Counts) => JSON.stringify([...counts]),
    decode: (text: string): Counts => new Map(JSON.parse(text)),
  },
  upkeep: { ...PACE, ...pace },
});

interface Running {
  readonly journal: Journal;
  readonly state: Counts;
  /** Appends one record of the type and counts it, as the owner of the state does. */
  count(type: string): void;
}

function open(storage: JournalStorage, schema = 1, pace: Partial<UpkeepPace> = {}): Running {
  const opened = openJournal(storage, options(schema, pace));
  if (!opened.ok) throw opened.error;
  const { journal, state } = opened.value;
  const count = (type: string): void => {
    state.set(type, (state.get(type) ?? 0) + 1);
    journal.append([{ type, payload: null }]);
  };
  return { journal, state, count };
}

/** Tends until a snapshot newer than the last is kept. */
function keep(storage: KeepingStorage, { journal }: Running): void {
  const before = storage.kept?.seq ?? 0;
  passed += HOUR;
  for (let step = 0; step < 1_000 && (storage.kept?.seq ?? 0) === before; step += 1) journal.tend();
  expect(storage.kept?.seq).toBeGreaterThan(before);
}

const types = ({ records }: KeepingStorage): string[] => records.map(({ type }) => type);

describe('a snapshot', () => {
  test('is taken when an hour has passed, and announced by a record with the hash of its text', () => {
    const storage = keepingStorage();
    const run = open(storage);
    run.count('a');
    passed = HOUR - 1;
    for (let step = 0; step < 50; step += 1) run.journal.tend();
    expect([storage.kept, types(storage)]).toEqual([null, [OPENED, 'a']]);
    passed = HOUR;
    for (let step = 0; step < 4; step += 1) run.journal.tend();
    expect(storage.kept).toEqual({ seq: 3, schema: 1, text: '[["a",1]]' });
    expect(JSON.parse(storage.records[2]?.payload ?? '')).toEqual({
      format: 1,
      schema: 1,
      // printf '[["a",1]]' | sha256sum
      stateHash: '38d8e023d06e961f835363c4dcad75b818c7e4ca3be9425664f707a69835e209',
    });
  });

  test('is taken when many records have come, at the start too', () => {
    const storage = keepingStorage();
    const run = open(storage, 1, { everyRecords: 10 });
    for (let n = 0; n < 9; n += 1) run.count('a');
    for (let step = 0; step < 9; step += 1) run.journal.tend();
    expect(storage.kept?.seq).toBe(11);
    const next = keepingStorage(storage.records);
    const again = open(next, 1, { everyRecords: 10 });
    for (let step = 0; step < 9; step += 1) again.journal.tend();
    expect(next.kept?.seq).toBe(13);
  });

  test('is where the next start folds from, and the whole chain is checked all the same', () => {
    const storage = keepingStorage();
    const run = open(storage);
    for (const type of ['a', 'b', 'a']) run.count(type);
    keep(storage, run);
    run.count('b');
    folded = [];
    const next = open(storage);
    expect([...next.state]).toEqual([
      ['a', 2],
      ['b', 2],
    ]);
    expect(folded).toEqual([5, 6]);
    const touched = storage.records.map((record) => (record.seq === 2 ? { ...record, payload: '1' } : record));
    expect(openJournal(keepingStorage(touched, storage.kept), options())).toMatchObject({
      ok: false,
      error: { kind: 'damaged', message: expect.stringContaining('Record 2 has been changed') },
    });
  });

  test.each<[string, (text: string) => string | null, string]>([
    ['text was changed', (text) => text.replace('1', '2'), 'The snapshot of record 3 is not the one that was written.'],
    ['text was cut', (text) => text.slice(1), 'The snapshot of record 3 is not the one that was written.'],
  ])('whose %s is refused, not skipped', (_, change, sentence) => {
    const storage = keepingStorage();
    const run = open(storage);
    run.count('a');
    keep(storage, run);
    const text = change(storage.kept?.text ?? '') ?? '';
    const damaged = keepingStorage(storage.records, { seq: 3, schema: 1, text });
    expect(openJournal(damaged, options())).toMatchObject({
      ok: false,
      error: { kind: 'damaged', message: `The journal is damaged. ${sentence}` },
    });
  });

  test('of a record that is not there, or that announces none, is refused', () => {
    const storage = keepingStorage();
    const run = open(storage);
    run.count('a');
    for (const [seq, sentence] of [
      [9, 'The snapshot of record 9 is there and the record is not.'],
      [2, 'The snapshot of record 2 is not the one that was written.'],
    ] as const) {
      const damaged = keepingStorage(storage.records, { seq, schema: 1, text: '[]' });
      expect(openJournal(damaged, options())).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining(sentence) },
      });
    }
  });

  test('that was announced and not written before a crash is as if it had not been', () => {
    const storage = keepingStorage();
    const run = open(storage);
    run.count('a');
    keep(storage, run);
    for (const kept of [null, storage.kept]) {
      const next = open(keepingStorage([...storage.records], kept));
      expect([...next.state]).toEqual([['a', 1]]);
    }
  });
});

describe('the records behind a snapshot', () => {
  function small(): KeepingStorage {
    const storage = keepingStorage();
    const run = open(storage);
    for (let n = 0; n < 60; n += 1) run.count(n % 3 === 0 ? 'a' : 'b');
    keep(storage, run);
    for (let step = 0; step < 20; step += 1) run.journal.tend();
    run.count('a');
    return storage;
  }

  test('leave in small steps once there are enough of them, and the state stays', () => {
    const storage = small();
    expect(storage.retirements).toBe(7);
    expect(types(storage)).toEqual([SNAPSHOT, 'a']);
    const next = open(storage);
    expect([...next.state]).toEqual([
      ['a', 21],
      ['b', 40],
    ]);
    expect(next.journal.epoch).toBe(2);
  });

  test('stay while there are fewer', () => {
    const storage = keepingStorage();
    const run = open(storage);
    for (let n = 0; n < 30; n += 1) run.count('a');
    keep(storage, run);
    for (let step = 0; step < 20; step += 1) run.journal.tend();
    expect([storage.retirements, storage.records.length]).toEqual([0, 32]);
  });

  test('may have left in part when a crash came, and leave the next time', () => {
    const storage = small();
    const run = open(storage);
    for (let n = 0; n < 60; n += 1) run.count('b');
    keep(storage, run);
    run.journal.tend();
    expect(storage.records.length).toBeGreaterThan(50);
    const next = open(storage);
    expect(next.state.get('b')).toBe(100);
    expect(readJournal(storage, options()).ok).toBe(true);
  });

  test('are missed where the snapshot is not there or came before them', () => {
    const { records, kept } = small();
    const refused = (storage: KeepingStorage, sentence: string): void => {
      expect(openJournal(storage, options())).toMatchObject({
        ok: false,
        error: { kind: 'damaged', message: expect.stringContaining(sentence) },
      });
    };
    refused(keepingStorage(records, null), 'Record 1 is missing: number 62 stands in its place.');
    refused(keepingStorage(records.slice(1), kept), 'Record 1 is missing: number 63 stands in its place.');
  });

  test('are missed by a program that knows no snapshots', () => {
    const { stateText: _, upkeep: __, ...plain } = options();
    expect(openJournal(small(), plain)).toMatchObject({ ok: false, error: { kind: 'damaged' } });
  });
});

test('a journal whose opening has left is shut to a program of another schema by its snapshot', () => {
  const storage = keepingStorage();
  const run = open(storage);
  for (let n = 0; n < 60; n += 1) run.count('a');
  keep(storage, run);
  for (let step = 0; step < 20; step += 1) run.journal.tend();
  expect(types(storage)).toEqual([SNAPSHOT]);
  expect(openJournal(storage, { ...options(), schema: 2 })).toMatchObject({ ok: false, error: { kind: 'newer' } });
});

describe('while it runs', () => {
  const tendFor = (run: Running): void => {
    passed += HOUR;
    for (let step = 0; step < 50; step += 1) run.journal.tend();
  };

  test('a step reads so many records and no more, and none while no round is due', () => {
    const storage = keepingStorage();
    const run = open(storage);
    for (let n = 0; n < 100; n += 1) run.count('a');
    folded = [];
    run.journal.tend();
    expect(folded).toEqual([]);
    passed = HOUR;
    run.journal.tend();
    for (let step = 1; step <= 14; step += 1) {
      run.journal.tend();
      expect(folded).toHaveLength(step * 7);
    }
  });

  test('records that come meanwhile are part of the round', () => {
    const storage = keepingStorage();
    const run = open(storage);
    for (let n = 0; n < 40; n += 1) run.count('a');
    passed = HOUR;
    for (let step = 0; step < 30; step += 1) {
      run.count('b');
      run.journal.tend();
    }
    const last = storage.kept;
    expect(last).not.toBeNull();
    expect(JSON.parse(last?.text ?? '')).toEqual([
      ['a', 40],
      ['b', (last?.seq ?? 0) - 42],
    ]);
  });

  test('a state that is not the fold of its records ends it before anything is kept (R4)', () => {
    const storage = keepingStorage();
    const run = open(storage);
    run.count('a');
    run.state.set('b', 1);
    expect(() => tendFor(run)).toThrow(
      /^The state that records 1 to 2 fold to is not the one .*; at character 8: '\[\["a",1\]\]' where the program has/,
    );
    expect(storage.kept).toBeNull();
    expect(() => run.count('a')).toThrow('The journal is closed to writing since it failed');
  });

  test.each<[string, (records: JournalRecord[]) => void, string]>([
    [
      'is changed',
      (records) => records.splice(3, 1, { ...(records[3] as JournalRecord), payload: '7' }),
      'Record 4 has been changed',
    ],
    ['vanishes', (records) => records.splice(3, 1), 'Record 4 is missing: number 5'],
    ['vanishes from the end', (records) => records.pop(), 'It ends with record 9, and record 10 was written.'],
  ])('a record that %s under it ends it (P4)', (_, change, sentence) => {
    const storage = keepingStorage();
    const run = open(storage);
    for (let n = 0; n < 9; n += 1) run.count('a');
    change(storage.records);
    expect(() => tendFor(run)).toThrow(
      expect.objectContaining({ kind: 'damaged', message: expect.stringContaining(sentence) }),
    );
    expect(() => run.count('a')).toThrow('closed to writing');
  });

  test('a snapshot that cannot be written ends it as an append does (P3)', () => {
    const storage = keepingStorage();
    const run = open(storage);
    passed = HOUR;
    run.journal.tend();
    run.journal.tend();
    storage.failure = new JournalError('full', 'The disk is full.');
    expect(() => run.journal.tend()).toThrow('The disk is full.');
    storage.failure = null;
    expect(() => run.count('a')).toThrow('closed to writing since it failed: The disk is full.');
  });

  test('on a storage that keeps none the state is compared all the same', () => {
    const storage = memoryStorage();
    const run = open(storage);
    run.count('a');
    tendFor(run);
    run.state.set('b', 1);
    expect(() => tendFor(run)).toThrow('is not the one that the program works with');
    expect(storage.records.map(({ type }) => type)).toEqual([OPENED, 'a']);
  });

  test('a stranger’s record in the chain is found', () => {
    const storage = keepingStorage();
    const run = open(storage);
    run.count('a');
    storage.records.push(
      nextRecord(run.journal.head(), { epoch: 1, wall: NOW, mono: 0 }, { type: 'b', payload: null }),
    );
    expect(() => tendFor(run)).toThrow('It ends with record 3, and record 2 was written.');
  });
});
