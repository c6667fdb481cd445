import { describe, expect, test } from '@jest/globals';
import { eventOf, headAt, JournalError, type JournalEvent, nextRecord, verify } from '../../../src/journal/chain.ts';
import { type Opened, openJournal, readJournal } from '../../../src/journal/open-journal.ts';
import { OPENED } from '../../../src/journal/walk.ts';
import type { JournalStorage } from '../../../src/ports/journal-storage.ts';
import { clockAt, memoryStorage, NOW } from './fixed-clock.ts';

type Options = Partial<{ now: number; schema: number }>;
const options = ({ now = NOW, schema = 1 }: Options) => ({
  clock: clockAt(now),
  schema,
  initial: (): readonly string[] => [],
  reduce: (types: readonly string[], record: { type: string }) => [...types, record.type],
});

function opened(storage: JournalStorage, choice: Options = {}): Opened<readonly string[]> {
  const result = openJournal(storage, options(choice));
  if (!result.ok) throw result.error;
  return result.value;
}

const event = (type: string): JournalEvent => ({ type, payload: { of: type } });

describe('a journal', () => {
  test('starts with a record that states its versions', () => {
    const storage = memoryStorage();
    const { journal, state } = opened(storage);
    expect([state, journal.epoch, journal.head().seq]).toEqual([[], 1, 1]);
    expect(storage.records.map(eventOf)).toEqual([{ type: OPENED, payload: { format: 1, schema: 1 } }]);
    expect(storage.records[0]).toMatchObject({ wall: NOW, mono: 0 });
  });

  test('gives the fold of all that was written, and writes on under a greater epoch', () => {
    const storage = memoryStorage();
    const first = opened(storage).journal;
    const written = first.append([event('intent'), event('sent')]);
    expect(written.map(({ seq, type, epoch }) => `${seq} ${type} ${epoch}`)).toEqual(['2 intent 1', '3 sent 1']);
    expect(first.head()).toEqual(written[1] && headAt(written[1]));

    const second = opened(storage);
    expect(second.state).toEqual([OPENED, 'intent', 'sent']);
    expect(second.journal.epoch).toBe(2);
    second.journal.append([event('closed')]);
    expect(storage.records.map(({ type, epoch }) => `${type} ${epoch}`)).toEqual([
      `${OPENED} 1`,
      'intent 1',
      'sent 1',
      `${OPENED} 2`,
      'closed 2',
    ]);
    expect(verify(storage.records)).toMatchObject({ ok: true, value: second.journal.head() });
  });

  test('writes nothing for no events', () => {
    const storage = memoryStorage();
    expect(opened(storage).journal.append([])).toEqual([]);
    expect(storage.records).toHaveLength(1);
  });

  test.each([
    ['its own kind of error', new JournalError('full', 'The disk is full.'), 'full', 'The disk is full.'],
    ['any other error', new Error('EIO'), 'failed', "The journal can't be written. Error: EIO"],
  ])('that fails with %s refuses every later append', (_, failure, kind, message) => {
    const storage = memoryStorage();
    const { journal } = opened(storage);
    storage.failure = failure;
    expect(() => journal.append([event('intent')])).toThrow(
      expect.objectContaining({ name: 'JournalError', kind, message }),
    );
    storage.failure = null;
    expect(() => journal.append([event('intent')])).toThrow(
      `The journal is closed to writing since it failed: ${message}`,
    );
    expect(storage.records).toHaveLength(1);
    expect(journal.head().seq).toBe(1);
  });

  const refused = (first: JournalEvent) => {
    const record = nextRecord({ seq: 0, epoch: 0, hash: '0'.repeat(64) }, { epoch: 1, wall: NOW, mono: 0 }, first);
    return openJournal(memoryStorage([record]), options({}));
  };

  test.each([
    [{ format: 1, schema: 2 }, 'format 1, schema 2'],
    [{ format: 2, schema: 1 }, 'format 2, schema 1'],
    [null, 'format Infinity, schema Infinity'],
  ])('of a newer program, or of versions that can’t be read, is refused: %j', (payload, versions) => {
    const known = 'this one knows format 1, schema 1';
    const message = `A newer program wrote this journal (${versions}; ${known}). Start that one.`;
    expect(refused({ type: OPENED, payload })).toMatchObject({ ok: false, error: { kind: 'newer', message } });
  });

  test('without a version is refused', () => {
    const message = "The journal is damaged. Its first record is 'intent' and states no version.";
    expect(refused(event('intent'))).toMatchObject({ ok: false, error: { kind: 'damaged', message } });
  });

  test('can be read without being written', () => {
    const storage = memoryStorage();
    const { journal } = opened(storage);
    journal.append([event('a')]);
    const read = readJournal(storage, options({}));
    expect(read).toMatchObject({ ok: true, value: { state: [OPENED, 'a'], head: journal.head() } });
    expect(storage.records).toHaveLength(2);
  });
});
