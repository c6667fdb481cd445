// A journal of numbers whose state is their count and sum, with a round of upkeep at every start: what the tests of
// single steps use. One in five is a record of the books, which is kept for ever.
import { type Journal, openJournal, readJournal } from '../../../src/journal/open-journal.ts';
import type { UpkeepPace } from '../../../src/journal/upkeep.ts';
import type { JournalRecord, JournalStorage } from '../../../src/ports/journal-storage.ts';
import { clockAt, NOW } from './fixed-clock.ts';

/** Changed in place. */
export interface Sums {
  count: number;
  sum: number;
}

const typeOf = (n: number): 'n' | 'external-flow' => (n % 5 === 0 ? 'external-flow' : 'n');
export const isNumber = ({ type }: Pick<JournalRecord, 'type'>): boolean => type === 'n' || type === 'external-flow';

const OPTIONS = {
  clock: clockAt(NOW),
  schema: 1,
  initial: (): Sums => ({ count: 0, sum: 0 }),
  reduce: (sums: Sums, record: JournalRecord): Sums => (isNumber(record) ? plus(sums, Number(record.payload)) : sums),
  stateText: {
    encode: ({ count, sum }: Sums) => `${count} ${sum}`,
    decode: (text: string): Sums => {
      const [count = 0, sum = 0] = text.split(' ').map(Number);
      return { count, sum };
    },
  },
};

const PACE: UpkeepPace = { everyMs: 3_600_000, everyRecords: 300, keepRecords: 100, stepRecords: 200 };

function plus(sums: Sums, n: number): Sums {
  sums.count += 1;
  sums.sum += n;
  return sums;
}

export interface Counting {
  readonly journal: Journal;
  readonly state: Sums;
  /** Appends numbers, all or none, and counts them. */
  add(numbers: readonly number[]): void;
}

export function openCounting(storage: JournalStorage, upkeep: UpkeepPace = PACE): Counting {
  const opened = openJournal(storage, { ...OPTIONS, upkeep });
  if (!opened.ok) throw opened.error;
  const { journal, state } = opened.value;
  const add = (numbers: readonly number[]): void => {
    journal.append(numbers.map((n) => ({ type: typeOf(n), payload: n })));
    for (const n of numbers) plus(state, n);
  };
  return { journal, state, add };
}

export interface ReadCounting {
  readonly state: Sums;
  readonly seq: number;
  readonly firstSeq: number;
  readonly snapshotSeq: number;
}

export function readCounting(storage: JournalStorage): ReadCounting {
  const read = readJournal(storage, OPTIONS);
  if (!read.ok) throw read.error;
  return { ...read.value, seq: read.value.head.seq };
}
