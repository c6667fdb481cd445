// Wrong `Date` headers and clocks that step, with the whole bot above HTTP: how long does it take until everything is
// canceled?
import { afterEach, describe, expect, test } from '@jest/globals';
import { type DurationMs, HOUR, MINUTE, SECOND } from '../../../../src/domain/time.ts';
import { type ClockRun, startClockRun } from './clock-run.ts';

let run: ClockRun;
afterEach(() => run.end());

interface Measured {
  /** Requests that were refused with -1021 after it went wrong. */
  readonly refused: number;
  readonly flatAfterMs: DurationMs;
}

/**
 * Five requests a second, quotes for most of a minute; then it goes wrong, for a minute at most, and a second later a
 * person pauses the bot.
 */
async function measure(goWrong: (run: ClockRun) => void): Promise<Measured> {
  run = startClockRun(5);
  await run.pass(40 * SECOND);
  expect(run.resting()).toBe(8);
  const from = run.signed.length;
  const at = run.time.clock.now();
  goWrong(run);
  await run.pass(SECOND);
  run.trading.loop.tell({ kind: 'pause', reason: 'Nobody watches.' });
  while (run.resting() > 0 && run.time.clock.now() < at + 3 * MINUTE) await run.pass(100);
  const flatAfterMs = run.time.clock.now() - at;
  await run.pass(70 * SECOND);
  return { refused: run.signed.slice(from).filter(({ taken }) => !taken).length, flatAfterMs };
}

describe('wrong Date headers cause no refusal and delay no cancel', () => {
  const within = (ms: DurationMs, by: DurationMs) => (each: ClockRun) => {
    const until = each.time.clock.now() + ms;
    each.wrong.date = () => (each.time.clock.now() < until ? by : 0);
  };
  test.each<[string, (run: ClockRun) => void]>([
    ['one by an hour', (each) => (each.wrong.date = (nth) => (nth === 0 ? HOUR : 0))],
    ['ten in a row by 20 s', (each) => (each.wrong.date = (nth) => (nth < 10 ? -20 * SECOND : 0))],
    ['all of a minute by two hours', within(MINUTE, 2 * HOUR)],
    ['every second one by an hour', (each) => (each.wrong.date = (nth) => (nth % 2 === 0 ? HOUR : 0))],
    [
      'one that stands still',
      (each) => {
        const frozenAt = each.time.clock.now();
        each.wrong.date = () => frozenAt - each.time.clock.now();
      },
    ],
  ])('%s', async (_what, goWrong) => {
    const { refused, flatAfterMs } = await measure(goWrong);
    expect(refused).toBe(0);
    expect(flatAfterMs).toBeLessThanOrEqual(5 * SECOND);
  });
});

describe('the bot follows a clock step within seconds', () => {
  test.each([30 * SECOND, -30 * SECOND])('the exchange by %d ms', async (step) => {
    const { refused, flatAfterMs } = await measure((each) => each.setExchangeClock(step));
    expect(refused).toBe(2);
    expect(flatAfterMs).toBeLessThanOrEqual(8 * SECOND);
  });

  test.each([10 * SECOND, -10 * SECOND])('ours by %d ms', async (step) => {
    const { refused, flatAfterMs } = await measure((each) => {
      each.wrong.wallMs = step;
    });
    expect(refused).toBe(0);
    expect(flatAfterMs).toBeLessThanOrEqual(5 * SECOND);
  });

  test('our clock steps repeatedly, at any moment between two requests: none leaves with an old stamp', async () => {
    run = startClockRun(5);
    await run.pass(40 * SECOND);
    // Requests leave every 200 ms, and are answered within 30.
    for (let nth = 1; nth <= 10; nth += 1) {
      await run.pass(5 * SECOND + 20);
      run.wrong.wallMs = (nth % 2) * 10 * SECOND;
    }
    await run.pass(5 * SECOND);
    expect(run.signed.filter(({ taken }) => !taken)).toEqual([]);
  });
});
