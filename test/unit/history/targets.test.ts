// What a reading can't be asked for.
import { expect, test } from '@jest/globals';
import { startHistory } from '../../../src/history/history.ts';
import { spotTrades } from '../../../src/history/lists.ts';
import { SETTINGS, SYMBOL } from './play-trades.ts';

test.each([
  ['the end before the start', { by: 'between', from: 10, to: 9 }],
  ['half a millisecond', { by: 'between', from: 0.5, to: null }],
  ['a time before 1970', { by: 'between', from: -1, to: null }],
] as const)('%s is a bug', (_what, target) => {
  expect(() => startHistory(spotTrades(SYMBOL), target, SETTINGS)).toThrow('No times to read');
});
