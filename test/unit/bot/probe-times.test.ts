// Units and shifts of time fields, with the available evidence: the future proves, the past is only suspicious.
import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../../src/bot/probe/answer.ts';
import { timeFindings } from '../../../src/bot/probe/time-findings.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/domain/time.ts';
import { answer, findingOf, NOON } from './probe-answers.ts';

const symbol = 'BTC/INR';
const INDIA = 5.5 * HOUR;
const trade = (time: number | string, price = '5000000', qty = '0.01') => ({ price, qty, time, isBuyerMaker: true });
const trades = (at: number, ...rows: object[]): Answer => answer('public-trades', { symbol, at, body: rows });
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
  ])('%s', (_what, seen, id, unit, asDocumented) => {
    const finding = found(id, [seen]);
    expect(finding).toMatchObject({ finding: unit, value: unit, confidence: 'proved' });
    expect(finding.evidence.includes('as documented')).toBe(asDocumented);
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

  test.each([INDIA, HOUR, -5 * HOUR])('of %i ms is proved by rows that are new since the previous read', (shift) => {
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

  test('that is configured already gives no setting', () => {
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

  test('without a Date gives no result', () => {
    const bare = answer('public-trades', { symbol, headers: {}, body: [trade(NOON)] });
    expect(found(id, [bare])).toMatchObject({ confidence: 'unknown', value: null });
  });
});

describe('distinct rows', () => {
  const order = (id: number, executedQty: string) => ({ symbol, orderId: `1-${id}-1`, executedQty, time: NOON - HOUR });
  const deposit = (time: number) => ({ asset: 'BTC', cryptoAmount: '1', status: 'SUCCESS', time });

  test('a partly filled order is not a new row', () => {
    const looks = ['0', '0.1', '0.2', '0.3'].map((filled, look) =>
      answer('open-orders', { at: NOON + look * 20 * SECOND, body: [order(8, filled), order(7, '0')] }),
    );
    expect(found('time-shift.open-orders.time', looks)).toMatchObject({ confidence: 'suspected' });
  });

  test('a deposit new on the list may be an old one', () => {
    const looks = [1, 2, 3, 4].map((count) => {
      const body = Array.from({ length: count }, (_, index) => deposit(NOON - 5 * HOUR + index * 20 * SECOND));
      return answer('crypto-deposits', { at: NOON + count * 20 * SECOND, body: body.toReversed() });
    });
    expect(found('time-shift.crypto-deposits.time', looks).setting).toBeUndefined();
  });
});
