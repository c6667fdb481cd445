// One request for each of the 22 reads, as small as it can be.
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import type { ReadKind, ReadRequest, Stamp } from '../../venue/requests.ts';

export interface Subject {
  readonly symbol: InstrumentSymbol;
  readonly asset: Asset;
  /** For private requests; asked for at the moment of sending. */
  stamp(): Stamp;
}

const ALL_TIMES = { time: { by: 'all' } } as const;
const ONE_ROW = { limit: 1 } as const;

type Makers = { readonly [K in ReadKind]: (about: Subject) => ReadRequest<K> };

const MAKERS: Makers = {
  'legacy-best-prices': () => ({ kind: 'legacy-best-prices' }),
  'legacy-tickers': () => ({ kind: 'legacy-tickers' }),
  'legacy-depth': ({ symbol }) => ({ kind: 'legacy-depth', symbol }),
  'legacy-trades': ({ symbol }) => ({ kind: 'legacy-trades', symbol }),
  tickers: ({ symbol }) => ({ kind: 'tickers', symbol }),
  symbols: () => ({ kind: 'symbols' }),
  'public-trades': ({ symbol }) => ({ kind: 'public-trades', symbol, ...ONE_ROW }),
  'order-book': ({ symbol }) => ({ kind: 'order-book', symbol, ...ONE_ROW }),
  assets: ({ asset }) => ({ kind: 'assets', asset }),
  wallet: ({ stamp }) => ({ kind: 'wallet', stamp: stamp() }),
  'crypto-deposits': ({ stamp }) => ({ kind: 'crypto-deposits', filter: ALL_TIMES, ...ONE_ROW, stamp: stamp() }),
  'crypto-deposits-historical': ({ stamp }) => ({
    kind: 'crypto-deposits-historical',
    filter: ALL_TIMES,
    ...ONE_ROW,
    stamp: stamp(),
  }),
  'crypto-withdrawals': ({ stamp }) => ({ kind: 'crypto-withdrawals', filter: ALL_TIMES, ...ONE_ROW, stamp: stamp() }),
  'crypto-withdrawals-historical': ({ stamp }) => ({
    kind: 'crypto-withdrawals-historical',
    filter: ALL_TIMES,
    ...ONE_ROW,
    stamp: stamp(),
  }),
  'fiat-deposits': ({ stamp }) => ({ kind: 'fiat-deposits', filter: ALL_TIMES, ...ONE_ROW, stamp: stamp() }),
  'fiat-deposits-historical': ({ stamp }) => ({
    kind: 'fiat-deposits-historical',
    filter: ALL_TIMES,
    ...ONE_ROW,
    stamp: stamp(),
  }),
  'fiat-withdrawals': ({ stamp }) => ({ kind: 'fiat-withdrawals', filter: ALL_TIMES, ...ONE_ROW, stamp: stamp() }),
  'fiat-withdrawals-historical': ({ stamp }) => ({
    kind: 'fiat-withdrawals-historical',
    filter: ALL_TIMES,
    ...ONE_ROW,
    stamp: stamp(),
  }),
  'open-orders': ({ symbol, stamp }) => ({ kind: 'open-orders', symbol, stamp: stamp() }),
  'spot-trades': ({ symbol, stamp }) => ({
    kind: 'spot-trades',
    symbol,
    filter: { by: 'symbol' },
    ...ONE_ROW,
    stamp: stamp(),
  }),
  'spot-trades-historical': ({ symbol, stamp }) => ({
    kind: 'spot-trades-historical',
    symbol,
    filter: { by: 'symbol' },
    ...ONE_ROW,
    stamp: stamp(),
  }),
  'sbs-trades': ({ symbol, stamp }) => ({
    kind: 'sbs-trades',
    symbol,
    filter: ALL_TIMES,
    ...ONE_ROW,
    stamp: stamp(),
  }),
};

/** The reads, in the order of the specification. */
export const READS: readonly ReadKind[] = Object.values(ENDPOINTS)
  .map(({ name }) => name)
  .filter((name): name is ReadKind => name in MAKERS);

/** The smallest request of a kind. */
export function smallRead(kind: ReadKind, about: Subject): ReadRequest {
  return MAKERS[kind](about);
}
