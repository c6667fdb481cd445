import { expect, test } from '@jest/globals';
import { thrownText } from '../../../../src/quoting/strategy-call/read-answer.ts';

const withoutText = {
  toString: () => {
    throw new Error('No text.');
  },
};

test.each<[string, unknown, string]>([
  ['its message', new Error('σ is not known yet.'), 'σ is not known yet.'],
  ['its message on one line', new Error('\n  σ is not\n\tknown   yet. \n'), 'σ is not known yet.'],
  ['its name where that says more', new TypeError('x is not a function'), 'TypeError: x is not a function'],
  ['its name where it has no message', new Error(''), 'Error:'],
  ['what it is where it is no error', 'odd', 'odd was thrown'],
  ['what it is where it is nothing', undefined, 'undefined was thrown'],
  ['that it has none', withoutText, 'what was thrown has no text'],
])('of what a strategy throws is told %s', (_, thrown, text) => {
  expect(thrownText(thrown)).toBe(text);
});

test('a long message is cut, one that just fits is not', () => {
  const whole = thrownText(new Error('x'.repeat(10_000)));
  const most = whole.length - 2;
  expect(whole).toBe(`${'x'.repeat(most)} …`);
  expect(thrownText(new Error('x'.repeat(most)))).toBe('x'.repeat(most));
  expect(thrownText(new Error('x'.repeat(most + 1)))).toBe(whole);
});
