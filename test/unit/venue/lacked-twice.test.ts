// Two whole lists that lack an order prove it gone: which lists count, and how far apart they leave.
import { expect, test } from '@jest/globals';
import { lackedAlso, SHOWN } from '../../../src/venue/lacked-twice.ts';

const from5 = { countsFrom: 5, apartMs: 10 };

test.each([
  ['no list has left', [], from5, { firstAt: null, againAt: null }],
  ['the only list left too early', [4], from5, { firstAt: null, againAt: null }],
  ['one list is a first one', [5], from5, { firstAt: 5, againAt: null }],
  ['a second one left too soon', [5, 14], from5, { firstAt: 5, againAt: null }],
  ['a second one left far enough behind the first', [5, 14, 15], from5, { firstAt: 5, againAt: 15 }],
  ['an early list is no first one', [4, 14, 15], from5, { firstAt: 14, againAt: null }],
  ['later lists change nothing', [5, 15, 30], from5, { firstAt: 5, againAt: 15 }],
  ['one that is told twice is no second one', [5, 5], { countsFrom: 5, apartMs: 1 }, { firstAt: 5, againAt: null }],
  ['another witness makes the first the second', [4, 6], { countsFrom: 5, apartMs: 0 }, { firstAt: 6, againAt: 6 }],
])('%s', (_, lists, rule, proved) => {
  expect(lists.reduce((before, sentAt) => lackedAlso(before, sentAt, rule), SHOWN)).toEqual(proved);
});

test('a rule that begins later takes back what earlier lists proved', () => {
  const proved = { firstAt: 5, againAt: 15 };
  expect(lackedAlso(proved, 20, { countsFrom: 10, apartMs: 10 })).toEqual({ firstAt: 20, againAt: 15 });
  expect(lackedAlso(proved, 20, { countsFrom: 18, apartMs: 10 })).toEqual({ firstAt: 20, againAt: null });
});
