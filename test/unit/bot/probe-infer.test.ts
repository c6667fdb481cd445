// Conclusions from all answers together: the account's part, and that no nonsense answer breaks a probe or changes a
// setting.
import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Topic } from '../../../src/bot/probe/answer.ts';
import { type Configured, infer } from '../../../src/bot/probe/infer.ts';
import { findingLines } from '../../../src/bot/probe/report.ts';
import { loadSettings } from '../../../src/bot/settings/settings.ts';
import { answer, dateText, NOON } from './probe-answers.ts';

const symbol = 'BTC/INR';
const KNOWN = { offsetMs: 0, uncertaintyMs: 100, samples: 9, confirmed: true };
let settings: Configured;

beforeAll(async () => {
  settings = await loadSettings(['config/paper.yaml']);
});

test('a refused key raises only this notice', () => {
  const refused = answer('open-orders', { status: 403, body: { code: -2015, msg: 'No.' } });
  const ids = infer({ answers: [refused], symbols: [symbol], clock: null }, settings).map(({ id }) => id);
  expect(ids).toContain('open-orders-page');
  expect(ids.some((id) => /^fee/.test(id))).toBe(false);
});

const TOPICS: readonly Topic[] = [
  ...(['tickers', 'order-book', 'public-trades', 'open-orders', 'spot-trades'] as const),
  ...(['sbs-trades', 'crypto-deposits', 'fiat-withdrawals'] as const),
];

/** Meaningful names and values, mixed with any JSON. */
const names = fc.constantFrom(
  ...'symbol price qty time bids asks code msg id orderId origQty commission tds isBuyer'.split(' '),
);
const leaf = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom<unknown>(
    symbol,
    '5000000',
    '0.01',
    '-1',
    '1e99',
    '1e-99',
    'NaN',
    '',
    0,
    -0,
    1e308,
    NOON,
    NOON / 1_000,
    '-2015',
    [],
    {},
    null,
    true,
  ),
);
const row = fc.dictionary(names, fc.oneof(leaf, fc.array(fc.array(leaf, { maxLength: 3 }), { maxLength: 4 })), {
  maxKeys: 8,
});
const body = fc.oneof(row, fc.array(fc.oneof(row, leaf), { maxLength: 6 }), fc.string(), leaf);
const headers = fc.record(
  {
    date: fc.constantFrom(dateText(NOON), 'yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT'),
    'x-ratelimit-limit': fc.constantFrom('1', '0', '10', '-1', '1e9', 'many', ''),
    'x-ratelimit-remaining': fc.constantFrom('0', '9', '-5', 'x'),
    'x-ratelimit-reset': fc.constantFrom('0', '1', '1772433001', '1772433001000', '99999999999999999999', 'soon'),
    'retry-after': fc.string(),
  },
  { requiredKeys: [] },
);
const seen = fc.record({
  topic: fc.constantFrom(...TOPICS),
  of: fc.constantFrom(symbol, 'XRP/INR', null),
  at: fc.integer({ min: 0, max: 60_000 }),
  status: fc.constantFrom(200, 200, 200, 403, 404, 429, 500, null),
  headers,
  body,
});

test('nothing throws, everything has a sentence, and an unknown changes no setting', () => {
  fc.assert(
    fc.property(fc.array(seen, { maxLength: 25 }), (all) => {
      const answers = all.map(({ topic, of, at, ...made }) => answer(topic, { ...made, symbol: of, at: NOON + at }));
      const findings = infer({ answers, symbols: [symbol, 'XRP/INR'], clock: KNOWN }, settings);
      expect(findingLines(findings).length).toBeGreaterThanOrEqual(findings.length);
      for (const { finding, evidence, question, confidence, setting } of findings) {
        expect(
          [finding, evidence, question].every((text) => text !== '' && !/undefined|\bNaN\b|\[object/.test(text)),
        ).toBe(true);
        if (confidence === 'unknown' || confidence === 'suspected') expect(setting).toBeUndefined();
      }
      expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length);
    }),
    { numRuns: 400 },
  );
});
