// The document of what is covered is what the tests say of themselves, and nothing is missing in it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { COVERAGE_FILE, coverageDocument, coverageOf, declaredTests, namesIn } from './coverage.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const tests = declaredTests(ROOT);
const { endpoints, codes } = coverageOf(tests);

test('docs/contract-coverage.md is up to date: node test/contract/coverage.ts', () => {
  expect(readFileSync(path.join(ROOT, COVERAGE_FILE), 'utf8')).toBe(coverageDocument(tests));
});

test.each([...endpoints])('%s has a test of its content and one through its method', (_endpoint, about) => {
  expect(new Set(about.map(({ file }) => file)).size).toBeGreaterThan(1);
  expect(about.map(({ file }) => file)).toContain('client-paper-api.test.ts');
});

test.each([...codes])('%s has a test', (_code, about) => {
  expect(about.map(({ file }) => file)).toContain('client-paper-codes.test.ts');
});

describe('names are found', () => {
  const source = `
    // test('wallet: not a test')
    test('wallet: it’s there', async () => { call('tickers: no'); });
    describe.each([['spec', 1], ['field', 2]])('%s', () => {
      test.each<[string, (a: number) => number]>([
        ['symbols of a (1', (a) => a, ['assets']],
        // ['tickers: a comment', 2],
        ["order-book, none", f(['x'])],
      ])('%s is read', () => {});
    });
    test.each(['cancel', 'create'] as const)('%s: all', () => {});
    const ROWS: readonly (readonly [string, () => void])[] = [
      ['-1105 more', () => undefined],
      ['-1104 other', () => undefined],
    ];
    test.each(ROWS)('%s', () => {});
    test.each(ROWS.flatMap((row) => [row]))('%s, again', () => {});
    test.each([[1], [2]])('assets: %i rows', () => {});
    for (const kind of ['legacy-depth']) use(kind);
  `;

  test('as titles, in tables, and in named tables; not elsewhere', () => {
    expect(namesIn(source)).toEqual([
      'wallet: it’s there',
      ...['spec', 'field'],
      ...['symbols of a (1 is read', 'order-book, none is read'],
      ...['cancel: all', 'create: all'],
      ...['-1105 more', '-1104 other', '-1105 more, again', '-1104 other, again'],
      'assets: %i rows',
    ]);
  });

  test('and what has none is named in the document', () => {
    const document = coverageDocument([{ file: 'a.test.ts', name: 'wallet: all' }]);
    expect(document).toContain('| `wallet` | all | a |');
    expect(document).toContain('| `tickers` | **none** | |');
    expect(document).toContain('| `-1105` | **none** | |');
  });
});
