// `status` about a latch while no bot answers: whose turn it is.
import { expect, test } from '@jest/globals';
import { latchNext } from '../../../../src/bot/status/status-words.ts';

test('a latch that waits for a person names the command', () => {
  expect(latchNext(false, ['config/live.yaml'])).toBe('Next: `quotekeeper rearm config/live.yaml`.');
});

test('one that the watchdog will remove sends no person in between its cancels', () => {
  const next = latchNext(true, ['config/live.yaml']);
  expect(next).not.toContain('quotekeeper rearm');
  expect(next).toContain('it takes the latch off once it has proved that no order is open');
});
