// The catalogue of faults has every number once; each is injected, or names the tests that do it.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CATALOGUE } from '../../../simulation/faults/catalogue.ts';
import type { FaultGroup } from '../../../simulation/faults/fault-kinds.ts';

const LAST = 133;

/** The last number of each group, in the order of the chapters. */
const CHAPTERS: readonly (readonly [FaultGroup, number])[] = [
  ['create', 22],
  ['cancel', 30],
  ['open-orders', 39],
  ['trades', 51],
  ['wallet', 58],
  ['market-data', 69],
  ['transport', 82],
  ['time', 89],
  ['process', 104],
  ['rate-limit', 111],
  ['outside', 123],
  ['watchdog', 127],
  ['public-data', 128],
  ['steering', LAST],
];

const ROOT = path.resolve(import.meta.dirname, '../../..');

const numberOf = (id: string): number => Number(id.slice(1));

describe('the catalogue', () => {
  test('has F01 to the last, each once and in order', () => {
    const expected = Array.from({ length: LAST }, (_, index) => `F${String(index + 1).padStart(2, '0')}`);
    expect(CATALOGUE.map(({ id }) => id)).toEqual(expected);
  });

  test('puts each number into its chapter', () => {
    for (const { id, group } of CATALOGUE) {
      expect([id, group]).toEqual([id, CHAPTERS.find(([, last]) => numberOf(id) <= last)?.[0]]);
    }
  });

  test.each(CATALOGUE.map((fault) => [fault.id, fault] as const))(
    '%s says what happens, and is injected',
    (_id, fault) => {
      expect(fault.sentence.length).toBeGreaterThan(10);
      expect(fault.elsewhere === null).toBe(fault.injection !== null);
      const [from, to] = fault.magnitude;
      if (fault.injection !== null) expect(from > 0 && from <= to).toBe(true);
    },
  );

  test.each(CATALOGUE.flatMap(({ id, elsewhere }) => (elsewhere === null ? [] : [[id, elsewhere] as const])))(
    '%s names tests that are there: %s',
    (_id, where) => {
      const named = where.match(/test\/[\w./-]+\.test\.ts/g) ?? [];
      expect(named.length).toBeGreaterThan(0);
      expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
    },
  );
});
