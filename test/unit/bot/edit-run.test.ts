// One value of one run changes in the text of a file; everything else stays as it is.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { editRun } from '../../../src/bot/steer/proposal.ts';

const PAPER = readFileSync('config/paper.yaml', 'utf8');

function edited(text: string, path: string, value: string, symbol = 'ETH/INR'): string {
  const result = editRun(text, symbol, [{ path, value }]);
  if (!result.ok || result.value === null) throw new Error(result.ok ? 'no run' : result.error);
  return result.value;
}

/** The lines that differ, old ones with -, new ones with +. */
function changedLines(before: string, after: string): string[] {
  const [old, young] = [before.split('\n'), after.split('\n')];
  const [gone, come] = [old.filter((line) => !young.includes(line)), young.filter((line) => !old.includes(line))];
  return [...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`)];
}

const refusal = (path: string, value: string): string => {
  const result = editRun(PAPER, 'BTC/INR', [{ path, value }]);
  if (result.ok) throw new Error('It was not refused.');
  return result.error;
};

describe('a value that is written', () => {
  test('is replaced; its comment stays, and the other run’s, too', () => {
    expect(changedLines(PAPER, edited(PAPER, 'params.halfSpreadBps', '75', 'BTC/INR'))).toEqual([
      '-      halfSpreadBps: 90    # the first so far from the middle (100 is 1 %),',
      '+      halfSpreadBps: 75    # the first so far from the middle (100 is 1 %),',
    ]);
    expect(changedLines(PAPER, edited(PAPER, 'params.halfSpreadBps', '75'))).toEqual([
      '-      halfSpreadBps: 100',
      '+      halfSpreadBps: 75',
    ]);
  });
});

describe('a value that is not written', () => {
  test('is added after the last of its section', () => {
    expect(changedLines(PAPER, edited(PAPER, 'limits.maxOpenOrders', '6', 'BTC/INR'))).toEqual([
      '+      maxOpenOrders: 6',
    ]);
    const at = edited(PAPER, 'limits.maxOpenOrders', '6', 'BTC/INR');
    expect(at).toContain('# or below the highest profit\n      maxOpenOrders: 6\n\n  - symbol: ETH/INR');
    expect(edited(PAPER, 'limits.maxOpenOrders', '6').endsWith('maxDrawdown: 400000\n      maxOpenOrders: 6\n')).toBe(
      true,
    );
  });

  test('with the missing sections', () => {
    expect(changedLines(PAPER, edited(PAPER, 'quoting.guard.minTicksFromTouch', '2', 'BTC/INR'))).toEqual([
      '+      guard: { minTicksFromTouch: 2 }',
    ]);
    expect(changedLines(PAPER, edited(PAPER, 'protections.losingSales.count', '3', 'BTC/INR'))).toEqual([
      '+    protections: { losingSales: { count: 3 } }',
    ]);
  });
});

test.each([
  ['a list', '{ symbol: A/B, a: [1, 2] } # one', 'a', '{ symbol: A/B, a: 7 } # one'],
  ['one that is empty', 'symbol: A/B\n    a:\n    b: 1', 'a', 'symbol: A/B\n    a: 7\n    b: 1'],
  ['a new one in an empty section', '{ symbol: A/B, p: {} }', 'p.a', '{ symbol: A/B, p: { a: 7 } }'],
  ['a new one on its line', 'symbol: A/B\n    p: { b: 1 }', 'p.a', 'symbol: A/B\n    p: { b: 1, a: 7 }'],
])('%s', (_what, before, path, after) => {
  expect(edited(`runs:\n  - ${before}\n`, path, '7', 'A/B')).toBe(`runs:\n  - ${after}\n`);
});

test('a file without a final line feed', () => {
  expect(edited('runs:\n  - symbol: A/B', 'a', '2', 'A/B')).toBe('runs:\n  - symbol: A/B\n    a: 2');
});

test('a file without a run of the symbol is left to another file', () => {
  expect(editRun(PAPER, 'XRP/INR', [{ path: 'params.a', value: '1' }])).toEqual({ ok: true, value: null });
  expect(editRun('mode: paper\n', 'BTC/INR', [{ path: 'params.a', value: '1' }])).toEqual({ ok: true, value: null });
});

test.each([
  ['params', '1', 'params has parts of its own: name one of them, as in params.NAME=VALUE.'],
  ['params.halfSpreadBps.more', '1', /has parts of its own/],
  ['params..a', '1', 'params..a: a path such as params.halfSpreadBps was expected.'],
  ['params.a', '', 'params.a: "" is not a value that fits one line of the file.'],
  ['params.a', '1\n    other: 2', /is not a value that fits one line/],
  ['params.a', '1, other: 2', /is not a value that fits one line/],
  ['params.a', '1 # no', /is not a value that fits one line/],
  ['params.a', '{ b', /is not a value that fits one line/],
])('%s=%s is refused', (path, value, sentence) => {
  expect(refusal(path, value)).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence));
});

test('whatever is set, the file holds that and everything from before', () => {
  const keys = fc.constantFrom(
    'params.levels',
    'params.halfSpreadBps',
    'limits.maxOpenOrders',
    'quoting.a.b.c',
    'x',
    'refresh.y',
  );
  const symbols = fc.constantFrom('BTC/INR', 'ETH/INR');
  fc.assert(
    fc.property(fc.array(fc.tuple(symbols, keys, fc.integer()), { minLength: 1, maxLength: 8 }), (edits) => {
      let text = PAPER;
      const expected = parse(PAPER) as { runs: Record<string, unknown>[] };
      for (const [symbol, path, value] of edits) {
        text = edited(text, path, String(value), symbol);
        put(expected.runs.find((run) => run.symbol === symbol) ?? {}, path.split('.'), value);
      }
      expect(parse(text)).toEqual(expected);
      expect(text.split('\n').filter((line) => line.includes('#'))).toHaveLength(
        PAPER.split('\n').filter((line) => line.includes('#')).length,
      );
    }),
  );
});

function put(section: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: number): void {
  if (rest.length === 0) section[key] = value;
  else {
    section[key] ??= {};
    put(section[key] as Record<string, unknown>, rest, value);
  }
}
