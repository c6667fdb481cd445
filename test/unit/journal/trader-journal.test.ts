// The trader's own state through snapshots: every start gives the state that a fold of everything gives, whenever it
// comes.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { START_AT } from '../../../simulation/machine/run.ts';
import { simulate } from '../../../simulation/machine/simulate.ts';
import { drawPlan } from '../../../simulation/plan/plan.ts';
import { HOUR } from '../../../src/domain/time.ts';
import { canonicalText, fromCanonicalText } from '../../../src/journal/canonical.ts';
import { eventOf } from '../../../src/journal/chain.ts';
import type { Journal } from '../../../src/journal/open-journal.ts';
import type { UpkeepPace } from '../../../src/journal/upkeep.ts';
import { openTraderJournal, readTraderJournal, writeEvents } from '../../../src/loop/trader-journal.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { JournalRecord, JournalStorage } from '../../../src/ports/journal-storage.ts';
import { type Durable, emptyDurable } from '../../../src/trader/durable/durable.ts';
import type { TraderEvent } from '../../../src/trader/durable/events.ts';
import { applyEvent } from '../../../src/trader/durable/fold/apply-event.ts';
import { keepingStorage } from './fixed-clock.ts';

const PACE: UpkeepPace = { everyMs: 1e9, everyRecords: 25, keepRecords: 30, stepRecords: 40 };

let events: readonly TraderEvent[] = [];
let clock: Clock;

beforeAll(async () => {
  const records: JournalRecord[] = [];
  const plan = drawPlan('5', { hours: 0.4, faults: ['F01', 'F03', 'F04', 'F18'] });
  await simulate(plan, { records: (record) => void records.push(record) });
  const own = records.filter(({ type }) => !type.startsWith('journal-'));
  events = own.map((record) => eventOf(record) as unknown as TraderEvent);
  clock = { now: () => START_AT + HOUR, monotonic: () => 0 };
});

interface Run {
  readonly journal: Journal;
  readonly durable: Durable;
}

function open(storage: JournalStorage): Run {
  const opened = openTraderJournal(storage, clock, PACE);
  if (!opened.ok) throw opened.error;
  return { journal: opened.value.journal, durable: opened.value.state };
}

/** As the loop does it: the state first, then the journal. */
function happen({ journal, durable }: Run, event: TraderEvent): void {
  applyEvent(durable, event);
  writeEvents(journal, [event]);
}

const folded = (some: readonly TraderEvent[]): string => {
  const durable = emptyDurable();
  for (const event of some) applyEvent(durable, event);
  return canonicalText(durable);
};

describe('what a run leaves', () => {
  test('is enough to mean something', () => {
    expect(events.length).toBeGreaterThan(250);
    const types = new Set(events.map(({ type }) => type));
    expect([...types]).toEqual(expect.arrayContaining(['intent', 'fill', 'closed', 'adopted']));
  });

  test('is a state whose text comes back as the same state, that goes on to the same end', () => {
    for (let cut = 0; cut < events.length; cut += 37) {
      const durable = emptyDurable();
      for (const event of events.slice(0, cut)) applyEvent(durable, event);
      const back = fromCanonicalText(canonicalText(durable)) as Durable;
      expect(back).toStrictEqual(durable);
      for (const event of events.slice(cut)) applyEvent(back, event);
      expect(canonicalText(back)).toBe(folded(events));
    }
  });
});

describe('a start', () => {
  test('at any time gives the fold of everything, while snapshots are taken and records leave (R4, P5)', () => {
    const storage = keepingStorage();
    let run = open(storage);
    let most = 0;
    for (const [index, event] of events.entries()) {
      happen(run, event);
      // A quiet turn, as most turns are.
      writeEvents(run.journal, []);
      most = Math.max(most, storage.records.length);
      if (index % 31 !== 30) continue;
      const read = readTraderJournal(storage, clock);
      expect(read.ok && canonicalText(read.value)).toBe(folded(events.slice(0, index + 1)));
      run = open(storage);
      expect(canonicalText(run.durable)).toBe(folded(events.slice(0, index + 1)));
    }
    expect(storage.retirements).toBeGreaterThan(5);
    expect(most).toBeLessThan(120);
    expect(storage.records[0]?.seq).toBeGreaterThan(200);
  });

  test('is refused with a snapshot that lost a digit', () => {
    const storage = keepingStorage();
    const run = open(storage);
    for (const event of events) happen(run, event);
    const { kept } = storage;
    if (kept === null) throw new Error('No snapshot was taken.');
    const text = kept.text.replace(/\d(?=\d*\.\d)/, '');
    const read = readTraderJournal(keepingStorage(storage.records, { ...kept, text }), clock);
    expect(read).toMatchObject({ ok: false, error: { kind: 'damaged', message: expect.stringContaining('snapshot') } });
  });
});

describe('the journal in use', () => {
  test('is looked for before an intent is written, and before nothing else (F95)', () => {
    const storage = keepingStorage();
    let looked = 0;
    const run = open({
      ...storage,
      read: () => storage.records,
      assertInPlace: () => {
        looked += 1;
      },
    });
    for (const event of events) happen(run, event);
    expect(looked).toBe(events.filter(({ type }) => type === 'intent').length);
  });

  test('that is gone takes no intent', () => {
    const storage = keepingStorage();
    const run = open({
      ...storage,
      assertInPlace: () => {
        throw new Error('moved');
      },
    });
    const first = events.findIndex(({ type }) => type === 'intent');
    for (const event of events.slice(0, first)) happen(run, event);
    const written = storage.records.length;
    expect(() => happen(run, events[first] as TraderEvent)).toThrow('moved');
    expect(storage.records).toHaveLength(written);
  });

  test('does no upkeep in a turn after which something leaves', () => {
    const storage = keepingStorage();
    const run = open(storage);
    const hurried = events.filter(({ type }) => type === 'intent' || type === 'cancel-sent');
    let tended = 0;
    const tend = (): void => {
      tended += 1;
    };
    const journal = { ...run.journal, tend, append: () => [] };
    for (const event of hurried) writeEvents(journal, [event]);
    expect([hurried.length > 10, tended]).toEqual([true, 0]);
    writeEvents(journal, []);
    expect(tended).toBe(1);
  });
});
