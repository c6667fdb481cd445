import { expect, test } from '@jest/globals';
import { readParsersOf } from '../../../src/client/outcomes/read-parsers.ts';
import { ANSWER_TIMES, type AnswerTimes, TIMED_KINDS } from '../../../src/client/times/answer-times.ts';
import { DIALECT } from '../../../src/venue/dialect.ts';
import type { ReadKind, ReadRequest, ReadTable } from '../../../src/venue/requests.ts';
import { SAMPLES } from '../venue/sample-answers.ts';

const parsers = readParsersOf(DIALECT);

function rowsOf<K extends ReadKind>(request: ReadRequest<K>, body: unknown): ReadTable[K]['answer'] {
  const kind: K = request.kind;
  // As if read exactly: numbers are texts.
  const exact = JSON.parse(JSON.stringify(body), (_name, value) => (typeof value === 'number' ? String(value) : value));
  const parsed = parsers[kind](request).parse(exact);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value.rows;
}

test('all answers but these carry times', () => {
  const others = Object.keys(SAMPLES).filter((kind) => !TIMED_KINDS.some((timed) => timed === kind));
  expect(others).toEqual(['legacy-best-prices', 'symbols', 'order-book', 'assets', 'wallet']);
});

function correctedBy<K extends ReadKind>(request: ReadRequest<K>, body: unknown) {
  const kind: K = request.kind;
  const times: AnswerTimes<ReadTable[K]['answer']> | null = ANSWER_TIMES[kind];
  const rows = rowsOf(request, body);
  return [rows, times?.earlier(rows, 3_600_000)].map((each) => JSON.stringify(each));
}

test.each(Object.values(SAMPLES).filter(({ request }) => TIMED_KINDS.some((kind) => kind === request.kind)))(
  '$request.kind is corrected row by row, and nothing else of it changes',
  ({ request, body }) => {
    const [written = '', corrected = ''] = correctedBy(request, body);
    const moved = written.replace(/("venueTime":)(\d+)/g, (_, name, at) => `${name}${Number(at) - 3_600_000}`);
    expect(moved).not.toBe(written);
    expect(corrected).toBe(moved);
  },
);
