// What a decision may stand on: the latest read, in whatever order answers come.
import { expect, test } from '@jest/globals';
import type { Answered, CheckContext } from '../../../../simulation/checks/context.ts';
import { noReads, rememberRead } from '../../../../simulation/execution/last-reads.ts';
import { HOUR, SECOND } from '../../../../src/domain/time.ts';

const context = {} as CheckContext;

test.each([
  ['one that left later', [10, 12], 12],
  ['one that left earlier and is answered later', [12, 8], 12],
  ['one that left after the clock was set back', [HOUR / SECOND, 8], 8],
])('%s', (_what, seconds, expected) => {
  const reads = noReads();
  const query = new URLSearchParams({ symbol: 'BTC/INR' });
  for (const second of seconds)
    rememberRead(reads, context, {
      ...{ endpoint: 'open-orders', query, status: 200, text: '[]', sentAt: second * SECOND },
    } as unknown as Answered);
  expect(reads.at.get('open-orders BTC/INR')).toBe(expected * SECOND);
});
