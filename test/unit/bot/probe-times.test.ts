// Units and shifts of time fields, with the evidence that there honestly is: the future proves, the past is only
// suspicious.
import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../../src/bot/probe/facts/answer.ts';
import { clockFinding, venueTimeOf } from '../../../src/bot/probe/facts/venue-time.ts';
import { timeFindings } from '../../../src/bot/probe/findings/time-findings.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/domain/time.ts';
import { answer, dateText, findingOf, NOON } from './probe-answers.ts';

const symbol = 'BTC/INR';
const INDIA = 5.5 * HOUR;
const trade = (time: number | string, price = '5000000', qty = '0.01') => ({ price, qty, time, isBuyerMaker: true });
const trades = (at: number, ...rows: object[]): Answer => answer('public-trades', { symbol, at, body: rows });
const local = (at: number): string => new Date(at).toISOString().slice(0, 19);
const legacyTrade = (id: number, at: number, price = '5000000', volume = '0.01') => ({
  id: String(id),
  created_at: local(at),
  funds: '50000',
  price,
  side: 'Buy',
  volume,
  market: 'btcinr',
});
const legacy = (at: number, ...rows: object[]): Answer => answer('legacy-trades', { symbol, at, body: rows });

const found = (id: string, answers: readonly Answer[], configured = {}) =>
  findingOf(timeFindings(answers, configured), id);

describe('the unit of a field', () => {
  test.each<[string, Answer, string, string, boolean]>([
    ['as documented', trades(NOON, trade(NOON)), 'time-unit.public-trades.time', 'milliseconds as number', true],
    ['text', trades(NOON, trade(String(NOON))), 'time-unit.public-trades.time', 'milliseconds as string', false],
    ['seconds', trades(NOON, trade(NOON / 1_000)), 'time-unit.public-trades.time', 'seconds as number', false],
    [
      'a ticker in seconds (N4)',
      answer('tickers', { body: [{ symbol, lastPrice: '1', time: String(NOON / 1_000) }] }),
      'time-unit.tickers.time',
      'seconds as string',
      false,
    ],
    [
      'the moment of a legacy depth',
      answer('legacy-depth', { symbol, body: { timestamp: NOON / 1_000, bids: [], asks: [] } }),
      'time-unit.legacy-depth.timestamp',
      'seconds as number',
      true,
    ],
    [
      'a legacy ticker',
      answer('legacy-tickers', { body: { btcinr: { name: symbol, at: NOON / 1_000 } } }),
      'time-unit.legacy-tickers.at',
      'seconds as number',
      true,
    ],
    [
      'local time',
      legacy(NOON, legacyTrade(1, NOON)),
      'time-unit.legacy-trades.created_at',
      'local time as string',
      true,
    ],
  ])('%s', (_what, seen, id, unit, asDocumented) => {
    const finding = found(id, [seen]);
    expect(finding).toMatchObject({ finding: unit, value: unit, confidence: 'proved' });
    expect(finding.evidence.includes('as documented')).toBe(asDocumented);
  });

  test('a list without rows has no finding', () => {
    expect(timeFindings([trades(NOON)], {}).map(({ id }) => id)).toEqual(['legacy-zone']);
  });
});

describe('the shift of a field', () => {
  const id = 'time-shift.public-trades.time';

  test.each<[string, number, number]>([
    ['local time of India', INDIA, INDIA],
    ['an hour', HOUR, HOUR],
    ['Nepal', 5.75 * HOUR, 5.75 * HOUR],
    ['a young row in a shifted field', INDIA - 40 * SECOND, INDIA],
  ])('into the future is shown by one answer: %s', (_what, ahead, offsetMs) => {
    const finding = found(id, [trades(NOON, trade(NOON + ahead))]);
    expect(finding).toMatchObject({ value: { offsetMs, evidence: 'at-least' }, confidence: 'likely' });
    expect(finding.finding).toContain('at least');
    expect(finding.setting).toBeUndefined();
  });

  test.each([INDIA, HOUR, -5 * HOUR])('of %i ms is proved by rows that are new since the look before', (shift) => {
    const row = (at: number, price: string) => trade(at + shift, price);
    const old = row(NOON - 10 * MINUTE, '1');
    const looks = [0, 1, 2, 3].map((look) => {
      const at = NOON + look * 20 * SECOND;
      const fresh = Array.from({ length: look }, (_, index) =>
        row(NOON + (index + 1) * 20 * SECOND - 5 * SECOND, `${index + 2}`),
      );
      return trades(at, ...fresh.toReversed(), old);
    });
    const finding = found(id, looks);
    expect(finding).toMatchObject({ value: { offsetMs: shift, evidence: 'proved' }, confidence: 'proved' });
    expect(finding.setting).toMatchObject({
      path: ['venue', 'timeOffsetMinutes', 'public-trades'],
      value: String(shift / MINUTE),
    });
  });

  test('that the configuration knows is not written again', () => {
    const looks = [
      trades(NOON, trade(NOON + INDIA - MINUTE, '1')),
      trades(NOON + 20 * SECOND, trade(NOON + INDIA + 15 * SECOND, '2'), trade(NOON + INDIA - MINUTE, '1')),
    ];
    expect(found(id, looks)).toMatchObject({ confidence: 'proved', setting: { value: '330' } });
    expect(found(id, looks, { 'public-trades': 330 }).setting).toBeUndefined();
    expect(found(id, looks, { 'public-trades': 60 }).setting).toMatchObject({ value: '330' });
  });

  test.each([
    ['a quiet market', 3 * HOUR],
    ['a field of New York', 5 * HOUR],
    ['yesterday', DAY],
  ])('into the past is only suspected: %s', (_what, behind) => {
    const finding = found(id, [trades(NOON, trade(NOON - behind))]);
    expect(finding).toMatchObject({ confidence: 'suspected', value: { offsetMs: 0 } });
    expect(finding.finding).toMatch(/^none, or up to .* behind$/);
    expect(finding.setting).toBeUndefined();
  });

  test('none, by a young row', () => {
    expect(found(id, [trades(NOON, trade(NOON - 30 * SECOND))])).toMatchObject({
      finding: 'none',
      value: { offsetMs: 0 },
      confidence: 'likely',
    });
  });

  test('without a Date nothing is told', () => {
    const bare = answer('public-trades', { symbol, headers: {}, body: [trade(NOON)] });
    expect(found(id, [bare])).toMatchObject({ confidence: 'unknown', value: null });
  });
});

describe('the zone of legacy created_at (Q17)', () => {
  const id = 'legacy-zone';
  const prices = ['5000001', '5000002', '5000003', '5000004'];

  test.each([
    ['+05:30', INDIA, 0],
    ['+00:00', 0, 0],
    ['+05:30', INDIA, INDIA],
    ['-03:00', -3 * HOUR, 0],
  ])('%s by the same trades on the current interface, itself shifted by %i', (zone, shift, publicShift) => {
    const at = (index: number): number => NOON - (index + 1) * 20 * SECOND;
    const answers = [
      legacy(NOON, ...prices.map((price, index) => legacyTrade(index, at(index) + shift, price))),
      trades(NOON + SECOND, ...prices.map((price, index) => trade(at(index) + publicShift + 137, price))),
    ];
    const finding = found(id, answers);
    expect(finding).toMatchObject({ finding: zone, value: shift });
    expect(finding.evidence).toContain('on both interfaces');
  });

  test('the same trade in three looks is one trade', () => {
    const young = trade(NOON - SECOND, '7');
    const both = (at: number) => [legacy(at, legacyTrade(1, NOON - HOUR)), trades(at, young, trade(NOON - HOUR))];
    expect(found(id, [...both(NOON), ...both(NOON + 3 * SECOND), ...both(NOON + 6 * SECOND)]).confidence).toBe(
      'unknown',
    );
  });

  test('without the current interface the newest row tells at least', () => {
    expect(found(id, [legacy(NOON, legacyTrade(1, NOON + INDIA - 5 * SECOND))])).toMatchObject({
      finding: '+05:30',
      confidence: 'likely',
      evidence: expect.stringContaining('at least'),
    });
  });

  test('an old row alone tells nothing', () => {
    expect(found(id, [legacy(NOON, legacyTrade(1, NOON - 7 * HOUR))])).toMatchObject({ confidence: 'unknown' });
  });
});

describe('the clock of the exchange', () => {
  const seen = (at: number, offsetMs: number) =>
    answer('symbols', { at, tookMs: 40, headers: { date: dateText(at + 20 + offsetMs) } });

  test.each([0, 730, -4_200])('%i ms apart is within what several answers leave possible', (offsetMs) => {
    const answers = Array.from({ length: 20 }, (_, index) => seen(NOON + index * 2_618, offsetMs));
    const { value } = clockFinding(answers);
    const { offsetMs: found, uncertaintyMs } = value as { offsetMs: number; uncertaintyMs: number };
    expect(Math.abs(found - offsetMs)).toBeLessThanOrEqual(uncertaintyMs + 1);
    expect(uncertaintyMs).toBeLessThan(250);
  });

  test('no Date: not known', () => {
    expect(clockFinding([answer('symbols', { headers: {} })])).toMatchObject({ confidence: 'unknown' });
  });

  test('a clock that steps is said, and each answer speaks for itself', () => {
    const answers = [seen(NOON, 0), seen(NOON + 3_000, 60_000)];
    expect(clockFinding(answers)).toMatchObject({
      confidence: 'unknown',
      evidence: expect.stringContaining('contradict'),
    });
    const [first, second] = answers.map((each) => venueTimeOf(answers).made(each));
    expect((first?.low ?? 0) <= NOON + 20 && (first?.high ?? 0) >= NOON + 20).toBe(true);
    expect((second?.low ?? 0) > NOON + 60_000).toBe(true);
  });
});
