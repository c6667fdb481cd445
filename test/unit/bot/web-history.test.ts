// The page's charts: the bot's history, without gaps between answers.
import { beforeEach, expect, test } from '@jest/globals';
import { HOUR, MINUTE, SECOND } from '../../../src/domain/time.ts';
import { btc, NOW, statusFixture } from '../../browser/status-fixture.ts';
import { historyModule, type View } from './page-modules.ts';

const { createHistory } = await historyModule();
const SYMBOL = 'BTC/INR';
const LATE_MS = 30 * SECOND;

let asked: { from: number; to: number }[] = [];
/** The bot's recorded history up to here. */
let known = NOW;
let status = 200;
let tick = 0;
const SIX_HOURS: View = { spanMs: 6 * HOUR, to: null };
let view = SIX_HOURS;

beforeEach(() => {
  [asked, known, status, tick, view] = [[], NOW, 200, 0, SIX_HOURS];
});

async function answer(address: string): Promise<Response> {
  const query = new URL(address, 'http://page').searchParams;
  const [from, to] = [Number(query.get('from')), Number(query.get('to'))];
  asked.push({ from, to });
  const stepMs = to - from > HOUR ? MINUTE : SECOND;
  const times: number[] = [];
  for (let at = Math.ceil(from / stepMs) * stepMs; at <= Math.min(to, known); at += stepMs) times.push(at);
  const fills: object[] = [];
  for (let at = Math.ceil(from / MINUTE) * MINUTE; at <= Math.min(to, known - LATE_MS); at += MINUTE)
    fills.push({ at, side: 'buy', price: 7, quantity: 1 });
  const none = times.map(() => null);
  const own = { ownBid: none, ownAsk: none, inventory: none, profit: none };
  const columns = { reference: times.map(() => 1), marketBid: none, marketAsk: none, ...own };
  return new Response(JSON.stringify({ times, ...columns, fills }), { status });
}

const newHistory = () =>
  createHistory(
    () => tick,
    answer,
    () => view,
  );
type History = ReturnType<typeof newHistory>;

/** Turns of the event loop, not milliseconds: those may all pass in one turn. */
async function see(history: History, at: number): Promise<void> {
  known = at;
  const count = asked.length;
  history.take(statusFixture({ at, symbols: [btc({ recentFills: [] })] }));
  if (asked.length > count) for (let turns = 0; turns < 10; turns += 1) await new Promise((done) => setImmediate(done));
}

test('has no gap and every fill after an hour on an open page, with few large requests', async () => {
  const history = newHistory();
  for (tick = 0; tick <= HOUR; tick += SECOND) await see(history, NOW + tick);
  const { times, reference, fills } = history.of(SYMBOL);
  expect(reference).not.toContain(null);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  expect(times.at(-1)).toBeGreaterThan(NOW + HOUR - MINUTE);
  expect(new Set(fills.map(({ at }) => at)).size).toBe(fills.length);
  expect(fills.filter(({ at }) => at > NOW && at <= NOW + 58 * MINUTE)).toHaveLength(58);
  expect(asked.filter(({ from, to }) => to - from > HOUR).length).toBeLessThan(15);
});

test('fills in the time when the computer slept', async () => {
  const history = newHistory();
  await see(history, NOW);
  tick = 11 * SECOND;
  await see(history, NOW + 40 * MINUTE);
  expect(history.of(SYMBOL).reference).not.toContain(null);
});

test('goes on where the clock of the bot was set back', async () => {
  const history = newHistory();
  await see(history, NOW);
  tick = 11 * SECOND;
  await see(history, NOW - HOUR);
  expect(asked.at(-1)).toEqual({ from: NOW - 7 * HOUR, to: NOW - HOUR + MINUTE });
});

test('another view is requested at once, and one of the past only once', async () => {
  const history = newHistory();
  await see(history, NOW);
  view = { spanMs: HOUR, to: NOW - 2 * HOUR };
  for (const after of [1, 20, 40]) {
    tick = after * SECOND;
    await see(history, NOW + tick);
  }
  // With half as much on each side.
  expect(asked.slice(1)).toEqual([{ from: NOW - 3.5 * HOUR, to: NOW - 1.5 * HOUR }]);
});

test('is soon requested again after a failure, and once from a bot that has ended', async () => {
  status = 503;
  const history = newHistory();
  await see(history, NOW);
  [status, tick] = [200, 30 * SECOND];
  history.take({ ...statusFixture({ at: NOW, symbols: [btc({ recentFills: [] })] }), isPast: true });
  for (let turns = 0; turns < 10; turns += 1) await new Promise((done) => setImmediate(done));
  tick = HOUR;
  history.take({ ...statusFixture({ at: NOW, symbols: [btc({ recentFills: [] })] }), isPast: true });
  expect(asked).toHaveLength(2);
  expect(history.of(SYMBOL).times.length).toBeGreaterThan(350);
  expect(history.isComing(SYMBOL)).toBe(false);
});
