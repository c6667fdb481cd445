// What L8 is for: an account of the time in the market that does not add up, or calls fresh what does not rest, is
// seen.
import { describe, expect, test } from '@jest/globals';
import type { CheckContext } from '../../../../simulation/checks/context.ts';
import { simulate } from '../../../../simulation/machine/simulate.ts';
import { drawPlan } from '../../../../simulation/plan/plan.ts';
import type { Presence, TimeAccount, Track } from '../../../../src/trader/state/presence/time-account.ts';

const LONG_MS = 300_000;

/** Moves time of both sides of a market in the bot's own account, so much of each second that passes. */
function falsifying(change: (track: TimeAccount, ms: number) => void) {
  let at = 0;
  return (context: CheckContext): void => {
    const ms = context.now() - at;
    at = context.now();
    const tracks = context.trader()?.markets.get('BTC/INR')?.presence.tracks;
    if (tracks === undefined || context.phase() !== 'calm' || ms > 60_000) return;
    for (const track of ['buy', 'sell', 'both'] as const satisfies readonly Track[]) change(tracks[track].all, ms);
  };
}

const move = (track: TimeAccount, { from, to, ms }: { from: Presence; to: Presence; ms: number }): void => {
  const part = Math.min(ms, track.get(from) ?? 0);
  track.set(from, (track.get(from) ?? 0) - part);
  track.set(to, (track.get(to) ?? 0) + part);
};

async function brokenBy(watch: (context: CheckContext) => void): Promise<string[]> {
  const { violations } = await simulate(drawPlan('7', { hours: 0.5, faults: [] }), { watch });
  return violations.map(({ invariant, sentence }) => `${invariant}: ${sentence}`);
}

describe('an account that is falsified in calm breaks L8', () => {
  test(
    'where a fifth of what was fresh is said to be lost',
    async () => {
      const lost = falsifying((track, ms) => move(track, { from: 'fresh', to: 'lane', ms: Math.round(ms / 5) }));
      expect(await brokenBy(lost)).toEqual([
        expect.stringMatching(/^L8: The bot calls BTC\/INR \(\w+\) fresh for .* rested near the price for /),
      ]);
    },
    LONG_MS,
  );

  test(
    'where a second is counted that never was',
    async () => {
      let added = false;
      const more = falsifying((track) => {
        if (!added) track.set('lane', (track.get('lane') ?? 0) + 1_000);
        added = true;
      });
      expect(await brokenBy(more)).toEqual([
        expect.stringMatching(/^L8: The bot's account of its time with BTC\/INR \(buy\) comes to /),
      ]);
    },
    LONG_MS,
  );
});

test(
  'an account that calls a side fresh which never has an order breaks L8',
  async () => {
    const fresh = falsifying((track, ms) => {
      move(track, { from: 'not-wanted', to: 'fresh', ms });
    });
    const { violations } = await simulate(drawPlan('7', { hours: 0.5, faults: [] }), {
      watch: fresh,
      unasked: ['L7'],
      trader: (settings) => ({
        ...settings,
        runs: settings.runs.map((run) =>
          run.instrument.base === 'BTC'
            ? { ...run, params: { ...(run.params as object), askSizes: [], askHalfSpreadsBps: [] } }
            : run,
        ),
      }),
    });
    expect(violations.map(({ invariant, sentence }) => `${invariant}: ${sentence}`)).toEqual([
      expect.stringMatching(/^L8: The bot calls BTC\/INR \(sell\) fresh for .*, and an order of its rested for 0\.0 %/),
    ]);
  },
  LONG_MS,
);
