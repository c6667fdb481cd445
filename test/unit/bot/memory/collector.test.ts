// Rows collected from a running bot: which ones, how times add up, and that nothing grows without bound.
import { describe, expect, test } from '@jest/globals';
import { calendarOf } from '../../../../src/bot/books/local-time.ts';
import { createCollector } from '../../../../src/bot/memory/collector.ts';
import { type Batch, LEVELS, levelFor, type Sample } from '../../../../src/bot/memory/rows.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src/domain/time.ts';

const KOLKATA = calendarOf('Asia/Kolkata');
const AT = Date.parse('2026-07-01T00:00:00Z');
const SAMPLE: Sample = {
  ...{ marketBid: 99, marketAsk: 101, ownBid: 99.5, ownAsk: 100.5, reference: 100 },
  ...{ inventory: 2, equity: 1_200, profit: 3 },
};

const at = ({ points }: Batch, level: string): readonly number[] =>
  points.filter((point) => point.level === level).map((point) => point.moment);
const sumOf = ({ counts }: Batch, ...parts: readonly string[]): number =>
  counts
    .filter((row) => [row.kind, row.a, row.b, row.c].join(' ').startsWith(parts.join(' ')))
    .reduce((sum, { n }) => sum + n, 0);

describe('points', () => {
  test('of seconds are written when something changes, and otherwise every ten seconds', () => {
    const collector = createCollector(KOLKATA);
    for (let second = 0; second <= 25; second += 1)
      collector.sample('BTC/INR', { ...SAMPLE, ownBid: second < 13 ? 99.5 : null }, AT + second * SECOND);
    const seconds = at(collector.take(AT), 'second').map((moment) => (moment - AT) / SECOND);
    expect(seconds).toEqual([0, 10, 13, 23]);
  });

  test('of coarser levels are the last of their bucket; days are those of the books', () => {
    const collector = createCollector(KOLKATA);
    const midnight = Date.parse('2026-07-01T18:30:00Z');
    for (const offset of [-20, -10, 0, 10]) collector.sample('BTC/INR', SAMPLE, midnight + offset * SECOND);
    const { points } = collector.take(AT);
    const rows = points.filter(({ level }) => level === 'day').map(({ at: begin, moment }) => [begin, moment]);
    expect(rows).toEqual([
      [midnight - DAY, midnight - 10 * SECOND],
      [midnight, midnight + 10 * SECOND],
    ]);
  });

  test('are taken once', () => {
    const collector = createCollector(KOLKATA);
    collector.sample('BTC/INR', SAMPLE, AT);
    expect(collector.take(AT).points).toHaveLength(LEVELS.length);
    expect(collector.take(AT)).toEqual({ at: AT, points: [], counts: [], notices: [], fills: [] });
  });
});

describe('counts', () => {
  test('weigh spreads by their time, with the market’s at the same time', () => {
    const collector = createCollector(KOLKATA);
    collector.sample('BTC/INR', SAMPLE, AT);
    collector.sample('BTC/INR', { ...SAMPLE, ownBid: null, marketBid: 98, marketAsk: 102 }, AT + 3 * SECOND);
    collector.sample('BTC/INR', SAMPLE, AT + 4 * SECOND);
    const batch = collector.take(AT);
    const of = (part: string): number => sumOf(batch, 'spread', part);
    expect(of('own ') / of('ms-quoted')).toBeCloseTo(100, 9);
    expect(of('market-meanwhile') / of('ms-quoted')).toBeCloseTo(200, 9);
    expect(of('market ') / of('ms ')).toBeCloseTo((3 * 200 + 400) / 4, 9);
    expect([of('ms '), of('ms-quoted'), sumOf(batch, 'watched')]).toEqual([4_000, 3_000, 4_000]);
  });

  test('of a machine that slept include five seconds of its sleep, after setting a clock back none', () => {
    const collector = createCollector(KOLKATA);
    for (const moment of [AT, AT + HOUR, AT + MINUTE]) collector.sample('BTC/INR', SAMPLE, moment);
    expect(sumOf(collector.take(AT), 'watched')).toBe(5_000);
  });

  test('are separated by the books’ days', () => {
    const collector = createCollector(KOLKATA);
    const counted = { kind: 'request', a: 'private', b: 'create', c: 'accepted' } as const;
    for (const moment of [AT, AT + SECOND, AT + DAY]) collector.count(null, counted, moment);
    const rows = collector.take(AT).counts.map(({ at: begin, n }) => [begin, n]);
    const day = Date.parse('2026-06-30T18:30:00Z');
    expect(rows).toEqual([
      [day, 2],
      [day + DAY, 1],
    ]);
  });

  test('that are subtracted are kept as such', () => {
    const collector = createCollector(KOLKATA);
    collector.count('BTC/INR', { kind: 'presence', a: 'both', b: 'fresh', n: 5_000 }, AT);
    collector.count('BTC/INR', { kind: 'presence', a: 'both', b: 'fresh', n: -2_000 }, AT);
    expect(sumOf(collector.take(AT), 'presence both fresh')).toBe(3_000);
  });
});

test('a long message of the exchange is cut', () => {
  const collector = createCollector(KOLKATA);
  collector.notice({ at: AT, level: 'warn', op: 'read-failed', symbol: null, message: 'x'.repeat(900) });
  expect(collector.take(AT).notices.map(({ message }) => message.length)).toEqual([300]);
});

test('rows that nobody takes are bounded', () => {
  const collector = createCollector(KOLKATA);
  for (let second = 0; second < 21_000; second += 1) {
    const moment = AT + second * SECOND;
    collector.sample('BTC/INR', { ...SAMPLE, reference: second }, moment);
    collector.notice({ at: moment, level: 'warn', op: 'read-failed', symbol: null, message: '' });
  }
  const { points, notices, counts } = collector.take(AT);
  expect(points.length).toBeLessThanOrEqual(20_000);
  expect(points.at(-1)?.reference).toBe(20_999);
  expect(notices).toHaveLength(20_000);
  expect(counts.length).toBeLessThanOrEqual(20_000);
});

describe('levels', () => {
  test.each([
    ['an hour in 600 points', HOUR, 600, 'second'],
    ['an hour in 60', HOUR, 60, 'minute'],
    ['a day in 600', DAY, 600, 'minute'],
    ['a month in 600', 30 * DAY, 600, 'quarter'],
    ['a year in 365', 365 * DAY, 365, 'day'],
    ['a year in 1,000', 365 * DAY, 1_000, 'quarter'],
    ['a day of five years ago, of which only days are left', DAY, 600, 'day', 1_826 * DAY],
    ['ten minutes of yesterday, of which seconds are gone', 10 * MINUTE, 600, 'minute', DAY],
  ] as const)('%s', (_what, span, points, level, ago: number = 0) => {
    const now = AT;
    expect(levelFor({ from: now - ago - span, to: now - ago, points, now })).toBe(level);
  });
});
