// Arbitrary requests of every kind: whatever can be written down in the types.
import fc from 'fast-check';
import { Decimal } from '../../../src/domain/decimal.ts';
import { orderId, tradeId } from '../../../src/domain/ids.ts';
import {
  type ListLimit,
  listLimit,
  type TimeRange,
  type TradeWindow,
  timeRange,
  tradeWindow,
} from '../../../src/venue/bounds.ts';
import type { SpotTradesFilter, TimeFilter, VenueRequest } from '../../../src/venue/requests.ts';

const HOUR = 3_600_000;
const LATEST = 4_000_000_000_000;
const made = <T>(result: { ok: true; value: T } | { ok: false; error: string }): T => {
  if (!result.ok) throw new Error(result.error);
  return result.value;
};

const asset = fc.stringMatching(/^[A-Z0-9]{1,6}$/);
const symbol = fc.tuple(asset, asset).map((parts) => parts.join('/'));
const coinInr = asset.map((coin) => `${coin}/INR`);
const order = fc.bigInt({ min: 1n, max: 2n ** 70n }).map((n) => orderId(`1-${n}-1`));
const trade = fc.bigInt({ min: 0n, max: 2n ** 70n }).map((n) => tradeId(String(n)));
const limit: fc.Arbitrary<ListLimit> = fc.integer({ min: 1, max: 50 }).map((rows) => made(listLimit(rows)));
const moment = fc.integer({ min: 0, max: LATEST });
const range: fc.Arbitrary<TimeRange> = fc
  .tuple(moment, moment)
  .map((times) => made(timeRange(Math.min(...times), Math.max(...times))));
const window: fc.Arbitrary<TradeWindow> = fc
  .tuple(moment, fc.integer({ min: 0, max: 72 * HOUR }))
  .map(([start, length]) => made(tradeWindow(start, start + length)));
const stamp = fc.record({ timestamp: moment, recvWindow: fc.integer({ min: 1, max: 60_000 }) });
const amount = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.integer({ min: -12, max: 6 }))
  .map(([digits, exponent]) => new Decimal(`${digits}e${exponent}`));

const time = <R extends TimeRange>(ranges: fc.Arbitrary<R>): fc.Arbitrary<TimeFilter<R>> =>
  fc.oneof(
    fc.constant({ by: 'all' as const }),
    moment.map((startTime) => ({ by: 'start' as const, startTime })),
    moment.map((endTime) => ({ by: 'end' as const, endTime })),
    ranges.map((both) => ({ by: 'range' as const, range: both })),
  );

const spotFilter: fc.Arbitrary<SpotTradesFilter> = fc.oneof(
  fc.constant({ by: 'symbol' as const }),
  order.map((id) => ({ by: 'order' as const, orderId: id })),
  moment.map((startTime) => ({ by: 'start' as const, startTime })),
  moment.map((endTime) => ({ by: 'end' as const, endTime })),
  trade.map((fromId) => ({ by: 'from-id' as const, fromId })),
  window.map((both) => ({ by: 'window' as const, window: both })),
);

const kind = <K extends VenueRequest['kind']>(...kinds: readonly K[]) => fc.constantFrom(...kinds);
const cryptoFilter = fc.record(
  { time: time(range), asset, status: fc.constantFrom('success', 'pending', 'failed') },
  { requiredKeys: ['time'] },
);
const fiatFilter = fc.record(
  { time: time(range), status: fc.constantFrom('success', 'pending', 'failed', 'rejected') },
  { requiredKeys: ['time'] },
);
const sbsFilter = fc.record({ time: time(window), orderId: trade, fromId: trade }, { requiredKeys: ['time'] });

export const anyRequest: fc.Arbitrary<VenueRequest> = fc.oneof(
  fc.record({ kind: kind('legacy-best-prices', 'legacy-tickers', 'symbols') }),
  fc.record({ kind: kind('legacy-depth', 'legacy-trades'), symbol }),
  fc.record({ kind: kind('tickers'), symbol }, { requiredKeys: ['kind'] }),
  fc.record({ kind: kind('assets'), asset }, { requiredKeys: ['kind'] }),
  fc.record({ kind: kind('public-trades', 'order-book'), symbol, limit }, { requiredKeys: ['kind', 'symbol'] }),
  fc.record({ kind: kind('wallet'), omitZeroBalances: fc.boolean(), stamp }, { requiredKeys: ['kind', 'stamp'] }),
  fc.record(
    {
      kind: kind(
        'crypto-deposits',
        'crypto-deposits-historical',
        'crypto-withdrawals',
        'crypto-withdrawals-historical',
      ),
      filter: cryptoFilter,
      limit,
      stamp,
    },
    { requiredKeys: ['kind', 'filter', 'stamp'] },
  ),
  fc.record(
    {
      kind: kind('fiat-deposits', 'fiat-deposits-historical', 'fiat-withdrawals', 'fiat-withdrawals-historical'),
      filter: fiatFilter,
      limit,
      stamp,
    },
    { requiredKeys: ['kind', 'filter', 'stamp'] },
  ),
  fc.record({ kind: kind('open-orders'), symbol, stamp }, { requiredKeys: ['kind', 'stamp'] }),
  fc.record(
    { kind: kind('spot-trades', 'spot-trades-historical'), symbol, filter: spotFilter, limit, stamp },
    { requiredKeys: ['kind', 'symbol', 'filter', 'stamp'] },
  ),
  fc.record(
    { kind: kind('sbs-trades'), symbol: coinInr, filter: sbsFilter, limit, stamp },
    { requiredKeys: ['kind', 'symbol', 'filter', 'stamp'] },
  ),
  fc.record({
    kind: kind('create'),
    order: fc.record({
      symbol,
      side: fc.constantFrom('buy' as const, 'sell' as const),
      price: amount,
      quantity: amount,
    }),
    stamp,
  }),
  fc.record({ kind: kind('cancel'), orderId: order, stamp }),
  fc.record({ kind: kind('cancel-symbol'), symbol, stamp }),
  fc.record({ kind: kind('cancel-all'), stamp }),
);
