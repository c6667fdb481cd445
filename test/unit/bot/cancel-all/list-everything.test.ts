// `cancel-all --everything` without `--yes`: lists the orders that it would cancel.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startVirtualTime, type VirtualTime } from '../../../../src/backtest/virtual-time.ts';
import { listEverything } from '../../../../src/bot/cancel-all/cancel-everything.ts';
import type { Completed } from '../../../../src/venue/outcomes.ts';
import type { SweepRequest } from '../../../../src/watchdog/sweep.ts';
import { beginLook } from '../../../../src/watchdog/sweep-state.ts';
import { order, SETTINGS } from '../../watchdog/watch-world.ts';

const START = 1_800_000_000_000;

describe('cancel-all --everything without --yes', () => {
  let time: VirtualTime;
  beforeEach(() => {
    time = startVirtualTime(START);
  });
  afterEach(() => time.end());

  test('says that a cut list may be incomplete, even if the first list was empty (F38, Q4)', async () => {
    const rows = Array.from({ length: 20 }, (_, n) => order(`1-${n + 1}-1`));
    let lists = 0;
    async function perform(request: SweepRequest): Promise<Completed> {
      const sentAt = time.clock.now();
      await time.sleep(20);
      lists += 1;
      const read =
        lists === 1
          ? { rows: [], complete: true, sentAt, receivedAt: time.clock.now() }
          : {
              rows,
              complete: false,
              incompleteBecause: 'The page has exactly 20 rows and may be cut.',
              sentAt,
              receivedAt: time.clock.now(),
            };
      const facts = { sentAt, receivedAt: time.clock.now(), status: 200 };
      return { kind: 'open-orders', request, outcome: { kind: 'read', read }, facts } as unknown as Completed;
    }
    const venue = { perform, close: () => {} };
    const listed = listEverything(venue, {
      sweep: beginLook(SETTINGS.sweep, 0),
      portsOf: (given) => ({ clock: time.clock, venue: given, answered: () => {} }),
      withinMs: 120_000,
    });
    await time.run(START + 130_000);
    const { left, message } = await listed;
    expect(left?.complete).toBe(false);
    expect(message).toContain('exactly 20 rows and may be cut. There may be orders that it does not show.');
  });
});
