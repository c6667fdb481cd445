// The catalogue of faults is that of order-truth §7 and what came later: every number once, each with the harness
// that injects it.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CATALOGUE, SIM_FAULTS } from '../../../simulation/faults/catalogue.ts';
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
    '%s says what happens, what is expected, and who injects it',
    (_id, fault) => {
      expect(fault.sentence.length).toBeGreaterThan(10);
      expect(fault.expect.length).toBeGreaterThan(3);
      expect(fault.harness.length).toBeGreaterThan(0);
      expect(fault.harness.includes('sim')).toBe(fault.injection !== null);
      expect(fault.elsewhere === null).toBe(fault.injection !== null);
      const [from, to] = fault.magnitude;
      if (fault.injection !== null) expect(from > 0 && from <= to).toBe(true);
    },
  );

  test('real sockets, the real disk and the real process have theirs', () => {
    const of = (harness: string): string[] =>
      CATALOGUE.filter((fault) => fault.harness[0] === harness).map(({ id }) => id);
    expect(of('contract')).toEqual(['F08', 'F71', 'F72', 'F73', 'F74', 'F76', 'F77', 'F78', 'F81']);
    expect(of('process')).toEqual([
      'F80',
      'F92',
      'F95',
      'F96',
      'F97',
      'F98',
      'F99',
      'F100',
      'F101',
      'F102',
      'F103',
      'F104',
      'F108',
      'F111',
    ]);
    expect(of('unit')).toEqual(['F16', 'F48', 'F65', 'F67', 'F69', 'F110']);
    expect(of('none')).toEqual([]);
    expect(SIM_FAULTS).toHaveLength(LAST - 9 - 14 - 6);
  });

  test.each(
    CATALOGUE.flatMap(({ id, harness, elsewhere }) =>
      elsewhere === null ? [] : [[id, harness[0], elsewhere] as const],
    ),
  )('%s, of %s, names tests that are there: %s', (_id, harness, where) => {
    const named = where.match(/test\/[\w./-]+\.test\.ts/g) ?? [];
    expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
    expect(named.some((file) => file.startsWith(`test/${harness}/`))).toBe(harness !== 'none');
  });
});
