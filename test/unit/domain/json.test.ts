// JSON from outside: how deep it may nest, and what is kept of it.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { DEEPEST_JSON, readJson, readJsonExact } from '../../../src/domain/json.ts';
import { nested } from '../client/any-spoil.ts';

describe.each([
  ['readJson', readJson],
  ['readJsonExact', readJsonExact],
])('%s', (_name, read) => {
  test.each([
    ['as deep as it may be', nested(DEEPEST_JSON), true],
    ['one level more', nested(DEEPEST_JSON + 1), false],
    ['maps, one level more', nested(DEEPEST_JSON + 1, 'map'), false],
    ['2,000,000 levels', nested(2_000_000), false],
    ['2,000,000 levels that are never closed', '['.repeat(2_000_000), false],
    ['many lists beside each other', `[${Array(1_000).fill('[[]]').join(',')}]`, true],
    ['brackets in a text', JSON.stringify(`\\"${'[{'.repeat(1_000)}`), true],
  ])('%s', (_what, text, isRead) => {
    expect(read(text).ok).toBe(isRead);
  });
});

test('a number that is kept does not keep the text that it was read from', () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  const kept = Array.from({ length: 40 }, (_, index) => {
    const read = readJsonExact(`[${10 ** 15 + index},"${'x'.repeat(1_000_000)}${index}"]`);
    return read.ok && Array.isArray(read.value) ? String(read.value[0]) : '';
  });
  expect(heap() - before).toBeLessThan(20_000_000);
  expect(kept[7]).toBe('1000000000000007');
});
