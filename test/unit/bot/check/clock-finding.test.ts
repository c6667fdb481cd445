// `check` on two clocks that differ.
import { describe, expect, test } from '@jest/globals';
import { clockFinding } from '../../../../src/bot/check/check-venue.ts';
import type { ClockEstimate } from '../../../../src/client/clock/server-clock.ts';

const known = (offsetMs: number, uncertaintyMs = 146): ClockEstimate => ({
  offsetMs,
  uncertaintyMs,
  samples: 3,
  confirmed: true,
});

describe('the clock of the exchange', () => {
  test.each([45_101, -45_101, 2_000])('%d ms away is a note that asks which clock is wrong', (offsetMs) => {
    const { verdict, detail } = clockFinding(known(offsetMs), 1_000);
    expect(verdict).toBe('note');
    expect(detail).toMatch(/^The exchange's clock is \d+ ms (behind|ahead of) ours, known to 146 ms\./);
    expect(detail).toContain("Whose clock is wrong, this machine's or the exchange's?");
  });

  test('less than two seconds away is fine', () => {
    expect(clockFinding(known(1_999), 1_000)).toMatchObject({
      verdict: 'good',
      detail: "The exchange's clock is 1999 ms ahead of ours, known to 146 ms.",
    });
  });

  test('that is uncertain, or unknown, says so', () => {
    expect(clockFinding(known(12, 1_500), 1_000)).toMatchObject({
      verdict: 'note',
      detail: expect.stringContaining('narrow'),
    });
    expect(clockFinding(null, 1_000).verdict).toBe('wrong');
  });
});
