// Whatever an exchange answers, a probe draws its conclusions without falling over, and changes nothing because of
// nonsense.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Topic } from '../../../src/bot/probe/facts/answer.ts';
import { type Configured, infer } from '../../../src/bot/probe/findings/infer.ts';
import { findingLines } from '../../../src/bot/probe/report/findings-table.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { answer, dateText, NOON } from './probe-answers.ts';

const TOPICS: readonly Topic[] = [
  ...(['symbols', 'tickers', 'order-book', 'public-trades', 'assets', 'limit-51', 'unknown-path'] as const),
  ...(['legacy-best-prices', 'legacy-tickers', 'legacy-depth', 'legacy-depth-sample', 'legacy-trades'] as const),
  ...(['wallet', 'open-orders', 'spot-trades', 'spot-trades-encoded', 'spot-trades-from-id', 'sbs-trades'] as const),
  ...(['crypto-deposits', 'crypto-deposits-historical', 'spot-trades-historical'] as const),
];
const symbol = 'BTC/INR';
const configured: Configured = {
  symbols: [
    {
      symbol,
      run: {
        instrument: {
          symbol,
          base: 'BTC',
          quote: 'INR',
          tickSize: decimal(1),
          lotSize: decimal('0.01'),
          minNotional: decimal(100),
        },
        makerFeeRatio: decimal('0.00472'),
        takerFeeRatio: decimal('0.00472'),
        feeTaxRatio: decimal('0.18'),
        tdsRatio: decimal('0.01'),
        hasOwnCosts: false,
      },
    },
    { symbol: 'ETH/INR', run: null },
  ],
  requestsPerSecond: { public: 0.4, private: 0.4 },
  percentEncoding: 'raw',
  legacyPaths: 'versioned',
  apiKeyHeader: 'X-EXCHANGE-APIKEY',
  timeOffsetMinutes: {},
};

/** Names and values that mean something here, mixed with whatever JSON can hold. */
const names = fc.constantFrom(
  'symbol',
  'price',
  'qty',
  'time',
  'bids',
  'asks',
  'code',
  'msg',
  'id',
  'orderId',
  'asset',
  'locked',
  'created_at',
  'timestamp',
  'at',
  'market',
  'commission',
  'tds',
  'isBuyer',
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
    '2026-02-30T25:61:61',
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
    limit: fc.constantFrom('1', '0', '10', '-1', '1e9', 'many', ''),
    remaining: fc.constantFrom('0', '9', '-5', 'x'),
    reset: fc.constantFrom('0', '1', '1772433001', '1772433001000', '99999999999999999999', 'soon'),
    retryAfter: fc.string(),
    contentType: fc.string(),
  },
  { requiredKeys: [] },
);
const seen = fc.record({
  topic: fc.constantFrom(...TOPICS),
  of: fc.constantFrom(symbol, 'ETH/INR', null),
  at: fc.integer({ min: 0, max: 60_000 }),
  status: fc.constantFrom(200, 200, 200, 403, 404, 429, 500, null),
  headers,
  body,
});

test('nothing throws, everything has a sentence, and an unknown changes no setting', () => {
  fc.assert(
    fc.property(fc.array(seen, { maxLength: 25 }), (all) => {
      const answers = all.map(({ topic, of, at, ...made }) => answer(topic, { ...made, symbol: of, at: NOON + at }));
      const findings = infer(answers, configured);
      expect(findingLines(findings).length).toBeGreaterThan(findings.length);
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
