// What a text for people must be.
import { describe, expect, test } from '@jest/globals';
import { flawOfSentence, flawOfText } from '../../../../simulation/words/sentence.ts';

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
