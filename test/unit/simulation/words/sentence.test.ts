// What a text for people must be.
import { describe, expect, test } from '@jest/globals';
import { flawOfSentence, flawOfText, flawOfTold } from '../../../../simulation/words/sentence.ts';

describe('a text', () => {
  test.each([
    ['Fees need 50 bps from 100 on each side.', null],
    ['What the exchange said: "NaN is  undefined".', null],
    ['', 'is empty'],
    ['  ', 'is empty'],
    [undefined, 'is undefined'],
    ['Fees need  on each side.', 'has a gap'],
    ['Nothing is left .', 'has a gap'],
    ['The book () is old.', 'has a gap'],
    [' It is old.', 'has a gap'],
    ['The price is NaN.', 'says what no person reads'],
    ['The price of undefined is 3.', 'says what no person reads'],
    ['It is [object Object].', 'says what no person reads'],
  ])('%j: %s', (text, flaw) => {
    expect(flawOfText(text)).toBe(flaw);
  });
});

describe('a sentence', () => {
  test.each([
    ['The order book is 3 s old.', null],
    ['3 orders leave.', null],
    ['fixed-spread wants no ask.', null],
    ['The order book is old', 'has no end'],
    ['', 'is empty'],
  ])('%j: %s', (text, flaw) => {
    expect(flawOfSentence(text)).toBe(flaw);
  });
});

describe('what a watchdog tells', () => {
  test.each([
    [{ level: 'error', op: 'lease-expired', message: 'The bot is silent. 2 of its orders may be open.' }, null],
    [{ level: 'page', op: 'flat', message: 'Nothing is open.' }, 'has the level "page"'],
    [{ level: 'warn', op: '', message: 'Nothing is open.' }, 'has no name'],
    [{ level: 'warn', op: 'flat', message: '' }, 'has a text that is empty'],
    [{ level: 'warn', op: 'flat', message: 'Nothing is' }, 'has a text that has no end'],
  ])('%j: %s', (told, flaw) => {
    expect(flawOfTold(told)).toBe(flaw);
  });
});
