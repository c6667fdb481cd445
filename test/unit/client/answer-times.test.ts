import { describe, expect, test } from '@jest/globals';
import { readParsersOf } from '../../../src/client/outcomes/read-parsers.ts';
import { ANSWER_TIMES, type AnswerTimes, TIMED_KINDS } from '../../../src/client/times/answer-times.ts';
import type { ReadKind, ReadRequest, ReadTable } from '../../../src/venue/requests.ts';
import { SAMPLES } from '../venue/sample-answers.ts';

const parsers = readParsersOf({ openOrdersUncapped: false });
const AT = 1_700_000_000_000;

function rowsOf<K extends ReadKind>(request: ReadRequest<K>, body: unknown): ReadTable[K]['answer'] {
  const kind: K = request.kind;
  // As if read exactly: numbers are texts.
  const exact = JSON.parse(JSON.stringify(body), (_name, value) => (typeof value === 'number' ? String(value) : value));
  const parsed = parsers[kind](request).parse(exact);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value.rows;
}

/** Names and times of the sample, and the same of the sample an hour earlier. */
function timesOf<K extends ReadKind>(request: ReadRequest<K>, body: unknown) {
  const kind: K = request.kind;
  const times: AnswerTimes<ReadTable[K]['answer']> | null = ANSWER_TIMES[kind];
  if (times === null) return null;
  const rows = rowsOf(request, body);
  return { seen: times.read(rows), earlier: times.read(times.earlier(rows, 3_600_000)) };
}

test('all answers but these carry times', () => {
  const others = Object.keys(SAMPLES).filter((kind) => !TIMED_KINDS.some((timed) => timed === kind));
  expect(others).toEqual(['legacy-best-prices', 'symbols', 'order-book', 'assets', 'wallet']);
});

const timed = Object.values(SAMPLES).filter(({ request }) => TIMED_KINDS.some((kind) => kind === request.kind));

describe.each(timed.map(({ request, body }) => ({ kind: request.kind, request, body })))('$kind', (sample) => {
  const times = timesOf(sample.request, sample.body);

  test('has one time for each row, and a name of its own', () => {
    expect(times?.seen.length).toBe(sample.kind === 'legacy-depth' ? 1 : 3);
    expect(new Set(times?.seen.map(({ name }) => name)).size).toBe(times?.seen.length);
    for (const { at } of times?.seen ?? []) expect(at - AT).toBeLessThan(60_000);
  });

  test('is corrected row by row', () => {
    const expected = times?.seen.map(({ at }) => at - 3_600_000);
    expect(times?.earlier.map(({ at }) => at)).toEqual(expected);
  });
});

const namesOf = <K extends ReadKind>(request: ReadRequest<K>, body: unknown): readonly string[] =>
  timesOf(request, body)?.seen.map(({ name }) => name) ?? [];
const trade = { price: '5', qty: '1', time: AT, isBuyerMaker: true };

test('public trades that say the same are counted', () => {
  const { request } = SAMPLES['public-trades'];
  expect(namesOf(request, [trade, { ...trade, qty: '2' }, trade])).toEqual([
    `${AT} sell 1 @ 5`,
    `${AT} sell 2 @ 5`,
    `${AT} sell 1 @ 5 #2`,
  ]);
});

test('a transfer keeps its name while it is confirmed', () => {
  const row = { asset: 'BTC', cryptoAmount: '1', time: AT, network: 'BITCOIN', fee: '0', status: 'PENDING' };
  const { request } = SAMPLES['crypto-deposits'];
  const confirmed = { ...row, status: 'SUCCESS', transactionHash: '0xabc', fee: '0.1', fromAddress: 'bc1' };
  expect(namesOf(request, [confirmed])).toEqual(namesOf(request, [row]));
});
