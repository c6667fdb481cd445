import { expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { sameData } from './same-data.ts';

const state = (price: string, ...more: readonly [string, unknown][]) => ({
  orders: new Map([['o1', { price: decimal(price), rows: [1, null], seen: new Set(['a', 'b']) }]]),
  ...Object.fromEntries(more),
});

test('the same data in other objects is the same', () => expect(sameData(state('1.5'), state('1.50'))).toBe(true));

test.each<[string, unknown, unknown]>([
  ['another decimal', state('1.5'), state('1.6')],
  ['a field more', state('1.5'), state('1.5', ['paused', undefined])],
  ['another field', state('1.5', ['a', undefined]), state('1.5', ['b', undefined])],
  ['an entry more', new Map([['a', 1]]), new Map(Object.entries({ a: 1, b: 2 }))],
  ['an entry under another key', new Map([['a', undefined]]), new Map([['b', undefined]])],
  ['another member', new Set(['a', 'b']), new Set(['a', 'c'])],
  ['fewer members', new Set(['a', 'b']), new Set(['a'])],
  ['a longer list', [1, 2], [1, 2, 3]],
  ['a list and an object', [], {}],
  ['a decimal and its text', decimal('1'), '1'],
  ['nothing and an object', null, {}],
])('%s is not', (_what, one, other) => {
  expect([sameData(one, other), sameData(other, one)]).toEqual([false, false]);
});
