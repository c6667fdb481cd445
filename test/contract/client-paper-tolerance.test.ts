// Answers that are not quite as documented, put in place of the exchange's own: what must make no difference, and what
// must be said instead of being left out in silence.
import { describe, expect, test } from '@jest/globals';
import { addRule, faultOrderSchema, NO_DELIVERY_RULES } from '../../src/paper/delivery/delivery.ts';
import { FIELD_QUIRKS, SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import type { Completed } from '../../src/venue/outcomes.ts';
import type { ReadKind } from '../../src/venue/requests.ts';
import { type Meeting, paperKit } from './client-paper-kit.ts';
import { goodRequest } from './client-paper-requests.ts';
import { enrich, READS } from './client-paper-rich.ts';
import { verdictOf } from './client-paper-words.ts';

const kit = paperKit();

async function ask(meeting: Meeting, name: ReadKind): Promise<Completed> {
  const client = meeting.client();
  return client.perform(goodRequest(name, client.stamp()));
}

/** The next answer has this body. */
function answerNext(meeting: Meeting, body: string): void {
  const order = faultOrderSchema.parse({ fault: { kind: 'body', body } });
  meeting.control({ delivery: addRule(NO_DELIVERY_RULES, order) });
}

const rowsOf = ({ outcome }: Completed): unknown => (outcome.kind === 'read' ? outcome.read.rows : outcome);
/** The order of a map means nothing. */
const sorted = (rows: unknown): unknown =>
  Array.isArray(rows) ? rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : rows;
const firstOf = (rows: unknown): unknown => (Array.isArray(rows) ? rows[0] : undefined);
const bodyOf = (meeting: Meeting): string => JSON.parse(meeting.heard.at(-1) ?? '{}').body;

type Change = (body: string) => string;

/** A number as a text that no answer holds: what lies beyond 2^53 would lose its digits in a float. */
const MARKED = /"#number:([^"]*)"/g;

/** Changes the values one by one, from the inside out; numbers keep the digits that they are written with. */
const changed =
  (change: (value: unknown) => unknown): Change =>
  (body) => {
    const marked = JSON.parse(body, (_name, value: unknown, context?: { source?: string }) =>
      change(typeof value === 'number' ? `#number:${context?.source}` : value),
    );
    return JSON.stringify(marked).replace(MARKED, '$1');
  };

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Not into maps that are keyed by symbol: a stranger there is a pair. */
function withStrangers(value: unknown): unknown {
  if (!isPlain(value) || Object.keys(value).some((name) => name.includes('/') || name === 'btcinr')) return value;
  return { newField: { deep: [1, null] }, ...value, another: null };
}

const reversed = (value: unknown): unknown =>
  isPlain(value) ? Object.fromEntries(Object.entries(value).reverse()) : value;

const SAME: readonly (readonly [string, Change])[] = [
  ['with fields that nobody knows', changed(withStrangers)],
  ['with its fields in another order', changed(reversed)],
  ['with its numbers as text', (body) => body.replace(/([:,[])(-?\d[\d.eE+-]*)(?=[,}\]])/g, '$1"$2"')],
  ['with its amounts as numbers', (body) => body.replace(/:"(\d+(?:\.\d+)?)"/g, ':$1')],
  ['written over many lines', (body) => body.replace(/,"/g, ' ,\r\n\t "')],
  ['with escapes that are not needed', (body) => body.replaceAll('/', '\\/').replaceAll('I', '\\u0049')],
];

describe.each([
  ['spec', SPEC_QUIRKS],
  ['field', FIELD_QUIRKS],
])('%s: the same rows', (_profile, quirks) => {
  test.each(READS)('%s', async (name) => {
    const meeting = await kit.meet({ quirks, withOwner: true });
    await enrich(meeting);
    const first = await ask(meeting, name);
    expect(verdictOf(first)).toBe('read');
    const body = bodyOf(meeting);
    expect(body).not.toMatch(/^(?:\[\]|\{\})$/);
    for (const [what, change] of SAME) {
      const other = change(body);
      answerNext(meeting, other);
      const completed = await ask(meeting, name);
      expect(bodyOf(meeting)).toBe(other);
      expect([what, verdictOf(completed), sorted(rowsOf(completed))]).toEqual([what, 'read', sorted(rowsOf(first))]);
    }
  });
});

describe('what the specification leaves open or may be left out', () => {
  test.each<[ReadKind, string, RegExp, string]>([
    ['spot-trades', 'a commission below zero (Q11)', /"commission":"/g, '"commission":"-'],
    ['spot-trades', 'a tax below zero (Q11)', /"tds":"(?!0")/g, '"tds":"-'],
    ['sbs-trades', 'a commission below zero (Q11)', /"commission":"(?!0")/g, '"commission":"-'],
    ['spot-trades', 'no tax where there is none', /"tds":"0",/g, ''],
    ['spot-trades', 'a tax that is null where there is none', /"tds":"0"/g, '"tds":null'],
    ['public-trades', 'no quote amount', /"quoteQty":"[^"]*",/g, ''],
    ['wallet', 'no other locks', /,"locked(?:Fd|Staking|Otc)":"0"/g, ''],
    ['open-orders', 'its words in small letters', /"type":"LIMIT","side":"BUY"/g, '"type":"limit","side":"Buy"'],
    ['crypto-deposits', 'no address that is null', /"fromAddress":null,/g, ''],
    ['crypto-deposits', 'its action in capitals', /"Deposit"/g, '"DEPOSIT"'],
    ['crypto-withdrawals', 'no action', /"action":"Withdrawal",/g, ''],
    ['tickers', 'an amount with an exponent', /"volume":"0\.04321"/g, '"volume":"4.321e-2"'],
    ['legacy-best-prices', 'no null where nobody quotes', /\{"top_bid":null,"top_ask":null\}/g, '{}'],
  ])('%s: %s', async (name, _what, found, other) => {
    const meeting = await kit.meet({ withOwner: true });
    await enrich(meeting);
    const first = await ask(meeting, name);
    const body = bodyOf(meeting);
    expect([body, found.test(body)]).toEqual([body, true]);
    answerNext(meeting, body.replace(found, other));
    const completed = await ask(meeting, name);
    expect([verdictOf(completed), rowsOf(completed)]).toEqual(['read', rowsOf(first)]);
  });

  test.each<[ReadKind, RegExp, string, object]>([
    ['crypto-deposits', /SUCCESS/, 'CONFIRMING', { status: 'other', statusText: 'CONFIRMING' }],
    ['fiat-withdrawals', /SUCCESS/, 'ON_HOLD', { status: 'other', statusText: 'ON_HOLD' }],
    ['open-orders', /PARTIALLY_FILLED/, 'PENDING_NEW', { status: 'PENDING_NEW' }],
    ['open-orders', /"type":"LIMIT"/, '"type":"ICEBERG"', { type: 'other' }],
    ['assets', /ACTIVE/, 'DELISTING', { status: 'other' }],
    ['legacy-tickers', /SPOT/, 'MARGIN', { marketType: 'MARGIN' }],
  ])('%s: a word that is not listed (%s → %s) stays, and the row is read', async (name, found, other, row) => {
    const meeting = await kit.meet({ withOwner: true });
    await enrich(meeting);
    await ask(meeting, name);
    answerNext(meeting, bodyOf(meeting).replace(found, other));
    const completed = await ask(meeting, name);
    expect([verdictOf(completed), firstOf(rowsOf(completed))]).toMatchObject(['read', row]);
  });
});

describe('what is not understood is said', () => {
  const lists = READS.filter((name) => !name.startsWith('legacy-') && name !== 'order-book');

  test.each(lists)('%s: a row that is nothing, and one without its most important field', async (name) => {
    const meeting = await kit.meet({ withOwner: true });
    await enrich(meeting);
    const first = await ask(meeting, name);
    const rows = JSON.parse(bodyOf(meeting));
    for (const bad of [null, 7, {}, []]) {
      answerNext(meeting, JSON.stringify([...rows, bad]));
      const completed = await ask(meeting, name);
      expect(verdictOf(completed)).toBe('read, incomplete');
      expect(rowsOf(completed)).toHaveLength(rows.length);
    }
    expect(verdictOf(first)).toBe('read');
  });

  test.each(READS)('%s: an answer of another shape is none', async (name) => {
    const meeting = await kit.meet();
    for (const [body, verdict] of [
      ['null', 'failed 200'],
      ['"[]"', 'failed 200'],
      ['7', 'failed 200'],
      ['', 'failed 200'],
      ['[{"a":', 'failed 200'],
      ['<html>', 'failed 200'],
      ['{"msg":"ok"}', 'failed 200'],
      ['{"code":-99999,"msg":"what is this"}', name.startsWith('legacy-') ? 'failed 200' : 'failed 200 -99999'],
    ] as const) {
      answerNext(meeting, body);
      expect([body, verdictOf(await ask(meeting, name))]).toEqual([body, verdict]);
    }
  });

  test.each(READS)('%s: a documented error with status 200 is that error', async (name) => {
    const meeting = await kit.meet();
    answerNext(meeting, '{"code":"-1003","msg":"TOO_MANY_REQUESTS"}');
    const verdict = name.startsWith('legacy-') ? 'failed 200' : 'rejected 200 -1003 retry';
    expect(verdictOf(await ask(meeting, name))).toBe(verdict);
  });
});

describe('rows that answer another question', () => {
  test.each([
    ['open-orders', 'symbol', 'ETH/INR'],
    ['spot-trades', 'symbol', 'ETH/INR'],
    ['spot-trades-historical', 'symbol', 'ETH/INR'],
    ['sbs-trades', 'symbol', 'ETH/INR'],
    ['crypto-deposits', 'action', 'Withdrawal'],
    ['crypto-withdrawals-historical', 'action', 'Deposit'],
    ['fiat-deposits', 'action', 'Withdrawal'],
    ['fiat-withdrawals-historical', 'action', 'Deposit'],
    ['assets', 'asset', 'ETH'],
    ['tickers', 'symbol', 'ETH/INR'],
    ['legacy-trades', 'market', 'ethinr'],
  ] as const)('%s of another %s is not taken for an answer', async (name, field, other) => {
    const meeting = await kit.meet({ withOwner: true });
    await enrich(meeting);
    await ask(meeting, name);
    answerNext(meeting, bodyOf(meeting).replace(new RegExp(`"${field}":"[^"]+"`), `"${field}":"${other}"`));
    expect(verdictOf(await ask(meeting, name))).toBe('read, incomplete');
  });
});
