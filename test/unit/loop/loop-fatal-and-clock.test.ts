// After a fatal error nothing leaves, also not what was chosen in the same breath; and a clock that is no longer told
// ages.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startVirtualTime, type VirtualTime } from '../../../src/backtest/virtual-time.ts';
import type { Strategy } from '../../../src/quoting/strategy.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';
import { BTC, deskSettings } from '../trader/desk-settings.ts';
import { START } from '../trader/trader-kit.ts';
import { creates, type Run, startRun } from './loop-run.ts';

let time: VirtualTime;
beforeEach(() => {
  time = startVirtualTime(START);
});
afterEach(() => time.end());

/** Round trips differ, so that some answers come right after a whole second of the exchange's. */
const uneven = (nth: number): number => 10 + (nth % 8) * 40;
const pass = (seconds: number): Promise<void> => time.run(time.clock.now() + seconds * 1_000);

describe('the loop', () => {
  test('sends no create after the error that it reported as fatal', async () => {
    const settings = deskSettings();
    const [run0] = settings.runs;
    if (run0 === undefined) throw new Error('There is no run.');
    // A bug of the program's own that shows as soon as something of ours is reserved; a strategy's is no such thing.
    let isReserved = false;
    const strategy: Strategy = {
      ...run0.strategy,
      quote: (view, params) => {
        isReserved ||= view.quote.free.lt(view.quote.total);
        return run0.strategy.quote(view, params, undefined);
      },
    };
    const broken = {
      ...run0,
      strategy,
      get refresh() {
        if (isReserved) throw new Error('A bug of the program.');
        return run0.refresh;
      },
    };
    const late: string[] = [];
    const onSend = ({ fatal }: Run, { kind }: VenueRequest): void => void (fatal.length > 0 && late.push(kind));
    const run = startRun(time, { settings: { ...settings, runs: [broken] }, onSend });
    run.takesMs = uneven;
    await pass(10);
    expect(run.fatal).toHaveLength(1);
    expect(late).toEqual([]);
  });

  test('knows the clock less and less exactly while no answer tells the time, and stops creating (S12)', async () => {
    const run = startRun(time, { settings: deskSettings({ assumptions: { maxClockUncertaintyMs: 200 } }) });
    run.takesMs = uneven;
    const moveMarket = (ask: number): Promise<void> => {
      run.exchange.shows.books[BTC] = [ask - 2_000, ask];
      return pass(10);
    };
    await moveMarket(101_000);
    run.dates = false;
    // 250 ppm are 15 ms in a minute.
    await pass(300);
    expect(run.loop().snapshot().blockers).toEqual([]);
    const before = creates(run);
    await moveMarket(111_000);
    expect(creates(run)).toBeGreaterThan(before);
    await pass(300);
    expect(run.loop().snapshot().blockers).toEqual([
      expect.stringMatching(/^The exchange's clock is known to 2\d\d ms/),
    ]);
    const last = creates(run);
    await moveMarket(121_000);
    expect(creates(run)).toBe(last);
  });

  test('stamps the first request after a pause by the newest estimate of the clock (seed 21419)', async () => {
    const uncertainty = (run: Run): number => run.loop().state().clock?.uncertaintyMs ?? Number.NaN;
    let known: number | null = null;
    const onSend = (run: Run): void => {
      if (time.clock.now() > START + 600_000) known ??= uncertainty(run);
    };
    const run = startRun(time, { onSend });
    run.takesMs = uneven;
    await pass(60);
    const before = uncertainty(run);
    Object.assign(run, { status: 429, retryAfterMs: 600_000 });
    await pass(5);
    Object.assign(run, { status: 200, retryAfterMs: null });
    await pass(700);
    // 250 ppm of ten minutes.
    expect(known).toBeGreaterThan(before + 145);
  });
});
