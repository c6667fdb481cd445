import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  eventOf,
  GENESIS,
  GENESIS_HASH,
  type Head,
  headAt,
  type JournalEvent,
  type Json,
  lineOf,
  nextRecord,
  recordOf,
  sha256Hex,
  verify,
} from '../../../src/journal/chain.ts';
import type { JournalRecord } from '../../../src/ports/journal-storage.ts';

function chainOf(events: readonly JournalEvent[], start: Head = GENESIS): JournalRecord[] {
  const records: JournalRecord[] = [];
  let head = start;
  for (const event of events) {
    const record = nextRecord(head, { epoch: 1, wall: 1_700_000_000_000.5, mono: 17.9 }, event);
    records.push(record);
    head = headAt(record);
  }
  return records;
}

const THREE = chainOf([
  { type: 'journal-opened', payload: { format: 1, schema: 1 } },
  { type: 'intent', payload: { intentId: 'i-1', price: '5000000', note: '₹ "J*\n}' } },
  { type: 'fill.booked', payload: ['7', null, true, 1.5] },
]);

describe('the chain', () => {
  test('hashes what the format says: vectors made with sha256sum', () => {
    expect(THREE.map(({ hash }) => hash)).toEqual([
      'e7d358f2ea824321fca3aa061c67376ac9886b52d9a109d45dbd2dfb41ec13db',
      '24ca258cb36c9a8fc952f8c67f1f87ea0051bc87ebc8f93ef4ea5b046900ad46',
      '5ee8f5293f5b45c62b606206fc348e555d3c9c01c0ef581b6a521840ec9959a1',
    ]);
    expect(THREE[0]).toMatchObject({ seq: 1, epoch: 1, wall: 1_700_000_000_000, mono: 17, prevHash: GENESIS_HASH });
  });

  test('verifies, and gives back its events', () => {
    expect(verify(THREE)).toEqual({ ok: true, value: { seq: 3, epoch: 1, hash: THREE[2]?.hash } });
    expect(verify([])).toEqual({ ok: true, value: GENESIS });
    expect(THREE.map(eventOf)[1]).toEqual({
      type: 'intent',
      payload: { intentId: 'i-1', price: '5000000', note: '₹ "J*\n}' },
    });
  });

  test.each<[string, (records: JournalRecord[]) => unknown[], string]>([
    ['without its first record', ([, b, c]) => [b, c], 'Record 1 is missing: number 2 stands in its place.'],
    ['without one in the middle', ([a, , c]) => [a, c], 'Record 2 is missing: number 3 stands in its place.'],
    ['with one twice', ([a, b]) => [a, b, b], 'Record 3 is missing: number 2 stands in its place.'],
    ['with two swapped', ([a, b, c]) => [a, c, b], 'Record 2 is missing: number 3 stands in its place.'],
    [
      'that goes on from another',
      ([a, b]) => [a, b, ...chainOf([{ type: 'x', payload: 0 }], { seq: 2, epoch: 1, hash: GENESIS_HASH })],
      'Record 3 does not follow record 2: it links to another hash.',
    ],
    [
      'that goes back to an older epoch',
      ([a]) => [a, nextRecord(headAt(a as JournalRecord), { epoch: 0, wall: 0, mono: 0 }, { type: 'x', payload: 0 })],
      'Record 2 has epoch 0 after epoch 1.',
    ],
    [
      'with a time that is no whole number',
      ([a, b]) => [a, { ...(b as JournalRecord), wall: 1.5 }],
      'Record 2 has an epoch or a time that is not a whole number.',
    ],
  ])('%s is refused', (_, change, message) => {
    expect(verify(change([...THREE]) as JournalRecord[])).toMatchObject({ ok: false, error: { message } });
  });

  test('names the record of which any character of any field was changed', () => {
    for (const [index, record] of THREE.entries()) {
      for (const field of ['type', 'payload', 'prevHash', 'hash'] as const) {
        for (let at = 0; at < record[field].length; at += 1) {
          const flipped = flipAt(record[field], at);
          const changed = THREE.with(index, { ...record, [field]: flipped });
          expect(verify(changed)).toMatchObject({ ok: false, error: { seq: index + 1 } });
        }
      }
      for (const field of ['seq', 'epoch', 'wall', 'mono'] as const) {
        const changed = THREE.with(index, { ...record, [field]: record[field] + 1 });
        expect(verify(changed)).toMatchObject({ ok: false, error: { seq: index + 1 } });
      }
    }
  });

  test('keeps any JSON, and refuses what JSON would lose', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (payload) => {
        const [record] = chainOf([{ type: 'any', payload: payload as Json }]);
        expect(record && eventOf(record).payload).toEqual(JSON.parse(JSON.stringify(payload)));
      }),
    );
    const lost: [unknown, string][] = [
      [{ price: Number.NaN }, "Event 'any' has NaN at 'price', which JSON does not keep."],
      [{ a: [1, undefined] }, "Event 'any' has undefined at '1', which JSON does not keep."],
      [{ units: 1n }, "Event 'any' has 1 at 'units', which JSON does not keep."],
    ];
    for (const [payload, message] of lost)
      expect(() => chainOf([{ type: 'any', payload: payload as Json }])).toThrow(message);
    expect(() => chainOf([{ type: 'Two\nlines', payload: null }])).toThrow('is not a type of a journal event');
  });

  test('digests as everyone does', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

const flipAt = (text: string, at: number, mask = 1): string =>
  text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ mask) + text.slice(at + 1);

describe('a record as text', () => {
  test('comes back as it was', () => {
    expect(THREE.map(lineOf).map((line) => recordOf(JSON.parse(line)))).toEqual(THREE);
    expect(THREE.map(lineOf).every((line) => line.endsWith('}\n') && line.indexOf('\n') === line.length - 1)).toBe(
      true,
    );
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['text', 'record'],
    ['a list', []],
    ['an object with a field too few', { ...THREE[0], hash: undefined }],
    ['an object with a field too many', { ...THREE[0], more: 1 }],
    ['an object whose number is text', { ...THREE[0], seq: '1' }],
  ])('is not %s', (_, value) => {
    expect(recordOf(value)).toBeNull();
  });
});
