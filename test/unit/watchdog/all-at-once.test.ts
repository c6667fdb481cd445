// A cancel of all that is answered otherwise than by -5014 or a documented 4xx: the orders that the file names are
// never canceled one by one.
import { expect, test } from '@jest/globals';
import type { CancelOutcome } from '../../../src/venue/outcomes.ts';
import { silentBot } from './watch-world.ts';

const failed = (status: number, code?: number): CancelOutcome => ({
  kind: 'unknown',
  fault: { sent: true, reason: 'status', status, detail: `HTTP ${status}.`, ...(code !== undefined && { code }) },
});

test.each<[string, number, number | undefined]>([
  ['500 -4001', 500, -4001],
  ['500 -1009', 500, -1009],
  ["a gateway's 404", 404, undefined],
])('a cancel of all that is answered %s again and again: what is known by name goes by name', (_, status, code) => {
  const world = silentBot({ sweep: { whose: 'account' } });
  world.refuse = ({ kind }) => (kind === 'cancel-all' ? { outcome: failed(status, code), status } : null);
  world.run(20 * 60_000);
  expect(world.canceled.toSorted()).toEqual(['1-1-1', '1-2-1']);
});
