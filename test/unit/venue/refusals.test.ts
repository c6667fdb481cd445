// Which refusals of a read say something of the question, and will be given again.
import { expect, test } from '@jest/globals';
import { isOfTheQuestion, isRefusedForGood } from '../../../src/venue/error-codes.ts';

test.each([
  [-1105, 400, true],
  [-1404, 404, true],
  [-2003, 403, true],
  // That the exchange names it so is what makes it no failure.
  [-1009, 500, true],
  [-1000, 500, false],
  [-5011, 500, false],
  [-1021, 400, false],
  [-2015, 403, false],
  [-99_999, 400, true],
  [-99_999, 500, false],
])('a read with %d and HTTP %d is refused for good: %s', (code, status, forGood) => {
  expect(isRefusedForGood({ code, status })).toBe(forGood);
});

test('where nobody knows the code the question is at fault, whatever the status', () => {
  expect(isOfTheQuestion(-99_999)).toBe(true);
});
