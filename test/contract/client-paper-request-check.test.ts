// The client's own check of a request against the exchange's: what the one throws for, the other refuses, and what
// passes here is never refused there for its form.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decimal } from '../../src/domain/decimal.ts';
import { orderId, tradeId } from '../../src/domain/ids.ts';
import { listLimit, TRADE_WINDOW_MAX_MS } from '../../src/venue/bounds.ts';
import type { Stamp, TimeFilter, VenueRequest } from '../../src/venue/requests.ts';
import { sentenceOn } from '../unit/client/call-of.ts';
import { paperKit } from './client-paper-kit.ts';
import { orderIdAt, tradeIdAt } from './client-paper-market.ts';
import { rangeOf, windowOf } from './client-paper-words.ts';

const kit = paperKit();
const SEED = 20_260_512;

const symbol = fc.oneof(
  fc.constantFrom(
    'BTC/INR',
    'ETH/INR',
    'ETH/BTC',
    'XRP/INR',
    'btc/inr',
    'BTCINR',
    'BTC/',
    '/INR',
    'A B/INR',
    'BTC/INR/X',
    '',
  ),
  fc.stringMatching(/^[A-Z0-9]{18,22}\/[A-Z]{1,3}$/),
);
const asset = fc.oneof(fc.constantFrom('BTC', 'INR', 'XRP', 'btc', '', 'B-C'), fc.stringMatching(/^[A-Z0-9]{19,22}$/));
const id = fc.oneof(
  fc.constantFrom(tradeIdAt(0), '0', '007', '-1', '1.5', '', 'x', '1e3'),
  fc.stringMatching(/^[1-9][0-9]{37,42}$/),
);
const named = fc.constantFrom(orderIdAt(0), '1-0-1', '1--1', 'x', '', '2-7-1', '1-7-2');
const moment = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000_000_000 }),
  fc.constantFrom(-1, 0.5, Number.NaN, Infinity, 10 ** 14),
);
const limit = fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined });
const amount = fc.oneof(
  fc.constantFrom('1', '0', '-1', '0.00001', '5000000.01', '1e-9', '1e30', '0.000000000000000000001'),
  fc.integer({ min: 1, max: 10_000 }).map(String),
);
/** Ranges that the types allow; others can't be written down. */
const ordered = fc.tuple(fc.nat({ max: 2_000_000_000 }), fc.nat({ max: 300 * 3_600_000 }));

const times = fc.oneof(
  fc.constant({ by: 'all' } as const),
  moment.map((startTime) => ({ by: 'start', startTime }) as const),
  moment.map((endTime) => ({ by: 'end', endTime }) as const),
);
const range = ordered.map(([from, long]) => ({ by: 'range', range: rangeOf(from, from + long) }) as const);
const window = ordered.map(([from, long]) => {
  const to = from + (long % (TRADE_WINDOW_MAX_MS + 1));
  return { by: 'range', range: windowOf(from, to) } as const;
});
const limited = limit.map((rows) => {
  const made = rows === undefined ? undefined : listLimit(rows);
  return made?.ok ? { limit: made.value } : {};
});

type Ask = (stamp: Stamp) => VenueRequest;
const spotFilter = fc.oneof(
  fc.constant({ by: 'symbol' } as const),
  named.map((text) => ({ by: 'order', orderId: orderId(text) }) as const),
  id.map((text) => ({ by: 'from-id', fromId: tradeId(text) }) as const),
  times.map((time): { readonly by: 'symbol' } | Exclude<TimeFilter<never>, { by: 'all' | 'range' }> =>
    time.by === 'all' ? { by: 'symbol' } : time,
  ),
);
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });

const asks: fc.Arbitrary<Ask> = fc.oneof(
  fc.tuple(fc.constantFrom('order-book', 'public-trades'), symbol, limited).map(
    ([kind, of, rest]): Ask =>
      () => ({ kind, symbol: of, ...rest }),
  ),
  symbol.map(
    (of): Ask =>
      () => ({ kind: 'tickers', symbol: of }),
  ),
  asset.map(
    (of): Ask =>
      () => ({ kind: 'assets', asset: of }),
  ),
  symbol.map(
    (of): Ask =>
      (stamp) => ({ kind: 'open-orders', symbol: of, stamp }),
  ),
  fc.tuple(fc.constantFrom('spot-trades', 'spot-trades-historical'), symbol, spotFilter, limited).map(
    ([kind, of, filter, rest]): Ask =>
      (stamp) => ({ kind, symbol: of, filter, ...rest, stamp }),
  ),
  fc.tuple(symbol, fc.oneof(times, window), optional(id), optional(id), limited).map(
    ([of, time, order, from, rest]): Ask =>
      (stamp) => ({
        ...{ kind: 'sbs-trades', symbol: of, ...rest, stamp },
        filter: {
          ...{ time },
          ...(order !== undefined && { orderId: tradeId(order) }),
          ...(from !== undefined && { fromId: tradeId(from) }),
        },
      }),
  ),
  fc
    .tuple(
      fc.constantFrom('crypto-deposits', 'crypto-withdrawals-historical'),
      optional(asset),
      fc.oneof(times, range),
      limited,
    )
    .map(
      ([kind, of, time, rest]): Ask =>
        (stamp) => ({ kind, filter: { time, ...(of !== undefined && { asset: of }) }, ...rest, stamp }),
    ),
  fc.tuple(fc.constantFrom('fiat-deposits-historical', 'fiat-withdrawals'), fc.oneof(times, range), limited).map(
    ([kind, time, rest]): Ask =>
      (stamp) => ({ kind, filter: { time }, ...rest, stamp }),
  ),
  fc.tuple(symbol, fc.constantFrom('buy', 'sell'), amount, amount).map(
    ([of, side, price, quantity]): Ask =>
      (stamp) => ({
        kind: 'create',
        order: { symbol: of, side, price: decimal(price), quantity: decimal(quantity) },
        stamp,
      }),
  ),
  named.map(
    (text): Ask =>
      (stamp) => ({ kind: 'cancel', orderId: orderId(text), stamp }),
  ),
  symbol.map(
    (of): Ask =>
      (stamp) => ({ kind: 'cancel-symbol', symbol: of, stamp }),
  ),
);

/**
 * Refusals for what a request says, not for what the exchange holds; without -1114 and -1115, which its steps decide.
 */
const OF_FORM = [-1023, -1102, -1103, -1104, -1105, -1107, -1108, -1109, -1111, -1112, -1113, -1123];
/** The exchange's own forms of these are not specified further than the client's check goes. */
const OF_IDS = [-1009, -1124];

test('what is wrong here is refused there, and what is right here has no wrong form there', async () => {
  // Where empty values are skipped, an empty symbol is none: all symbols are asked for.
  const meeting = await kit.meet({ quirks: { emptyValues: 'included' } });
  const client = meeting.client();
  const seen = { wrong: 0, right: 0 };
  const property = fc.asyncProperty(asks, async (ask) => {
    const request = ask(client.stamp());
    const sentence = await sentenceOn(request);
    const { outcome } = await client.perform(request);
    const code =
      outcome.kind === 'rejected' ? outcome.code : outcome.kind === 'unknown' ? outcome.fault.code : undefined;
    const told = `${JSON.stringify(request)} ${sentence} → ${outcome.kind} ${code}`;
    if (sentence !== null) expect([told, code === undefined]).toEqual([told, false]);
    else expect([told, OF_FORM.includes(code ?? 0)]).toEqual([told, false]);
    // An id that the exchange itself could have given passes both.
    if (code !== undefined && OF_IDS.includes(code)) expect(told).not.toContain(orderIdAt(0));
    seen[sentence === null ? 'right' : 'wrong'] += 1;
  });
  await fc.assert(property, { numRuns: 500, seed: SEED });
  expect(Math.min(seen.wrong, seen.right)).toBeGreaterThan(100);
});
