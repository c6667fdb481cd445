// What the page's charts are made of: what the bot has kept and what the page saw, with nothing missing between them.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MINUTE, SECOND } from '../../../src/domain/time.ts';
import { btc, NOW, statusFixture } from '../../browser/status-fixture.ts';
import { historyModule } from './page-modules.ts';

const { createHistory } = await historyModule();
const GAP_MS = 2 * MINUTE;
const SYMBOL = 'BTC/INR';

describe('the history of the page', () => {
  const asked: { from: number; to: number }[] = [];
  /** What the bot knows up to here; in the minutes left out nobody looked. */
  let known = NOW;
  let leftOut: readonly number[] = [];
  let status = 200;
  let tick = 0;
  const realFetch = globalThis.fetch;

  beforeEach(() => {
    asked.length = 0;
    [known, leftOut, status, tick] = [NOW, [], 200, 0];
    globalThis.fetch = async (address) => {
      const query = new URL(String(address), 'http://page').searchParams;
      const [from, to] = [Number(query.get('from')), Number(query.get('to'))];
      asked.push({ from, to });
      const times: number[] = [];
      for (let at = Math.ceil(from / MINUTE) * MINUTE; at <= Math.min(to, known); at += MINUTE)
        if (!leftOut.includes(at)) times.push(at);
      const fills = times.map((at) => ({ at, side: 'buy', price: 7, quantity: 1 }));
      const columns = { reference: times.map(() => 1), marketBid: times.map(() => null) };
      return new Response(JSON.stringify({ times, ...columns, fills, gapMs: GAP_MS }), { status });
    };
  });
  afterEach(() => {
    globalThis.fetch = realFetch;
  });

  /** Turns of the event loop, not milliseconds: those may all pass in one turn. */
  async function settled(): Promise<void> {
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  /** What a page makes of a status of each `stepMs` over a span. */
  async function watched(spanMs: number, stepMs: number): Promise<ReturnType<typeof createHistory>> {
    const history = createHistory(() => tick);
    for (tick = 0; tick <= spanMs; tick += stepMs) await see(history, NOW + tick);
    return history;
  }
  async function see(history: ReturnType<typeof createHistory>, at: number): Promise<void> {
    known = at;
    const count = asked.length;
    history.take(statusFixture({ at, symbols: [btc({ recentFills: [] })] }));
    if (asked.length > count) await settled();
  }
  /** Neighbors that are farther apart than may be, where both are known. */
  function holes({ times, reference }: ReturnType<ReturnType<typeof createHistory>['of']>): number[] {
    const isKnown = (index: number): boolean => reference[index] !== null;
    return times.filter(
      (at, index) => index > 0 && isKnown(index) && isKnown(index - 1) && at - (times[index - 1] ?? 0) > GAP_MS,
    );
  }

  test('is asked for at once, also of a bot that has ended, whose only status stands still', async () => {
    const history = createHistory(() => tick);
    await see(history, NOW);
    await see(history, NOW);
    expect(asked).toHaveLength(1);
    expect(history.of(SYMBOL).times.length).toBeGreaterThan(350);
    expect(history.isComing(SYMBOL)).toBe(false);
  });

  test('has no hole and every fill after an hour of an open page', async () => {
    const course = (await watched(60 * MINUTE, SECOND)).of(SYMBOL);
    expect(course.reference).not.toContain(null);
    expect(holes(course)).toEqual([]);
    expect(course.times).toEqual(course.times.toSorted((a, b) => a - b));
    expect(new Set(course.times).size).toBe(course.times.length);
    const minutes = course.fills.filter(({ at }) => at > NOW && at <= NOW + 56 * MINUTE);
    expect(minutes).toHaveLength(56);
    expect(asked.length).toBeLessThan(25);
  });

  test('fills in what passed while the computer slept and the clock of the browser stood still', async () => {
    const history = await watched(MINUTE, SECOND);
    await see(history, NOW + 40 * MINUTE);
    const course = history.of(SYMBOL);
    expect(course.reference).not.toContain(null);
    expect(holes(course)).toEqual([]);
  });

  test('draws nothing between two points where nobody looked', async () => {
    const minute = Math.ceil((NOW - 60 * MINUTE) / MINUTE) * MINUTE;
    leftOut = [0, 1, 2, 3, 4].map((each) => minute + each * MINUTE);
    const history = createHistory(() => tick);
    await see(history, NOW);
    const { times, reference } = history.of(SYMBOL);
    expect(times.filter((_, index) => reference[index] === null)).toEqual([minute - MINUTE + 1]);
  });

  test('is asked for again soon where it failed', async () => {
    status = 503;
    const history = createHistory(() => tick);
    await see(history, NOW);
    status = 200;
    tick = 30 * SECOND;
    await see(history, NOW);
    expect(asked).toHaveLength(2);
    expect(history.of(SYMBOL).times.length).toBeGreaterThan(350);
  });
});
