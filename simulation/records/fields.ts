// What each record of the journal holds, as the judge reads it: names of fields, and of what kind each is.

/**
 * `moment`: when it was written, by the bot's clock. `time`: some other one; `estimate`: by the exchange's, as known.
 * A `?` behind: it may be left out.
 */
export type Kind =
  | 'moment'
  | 'time'
  | 'estimate'
  | 'count'
  | 'number'
  | 'flag'
  | 'id'
  | 'symbol'
  | 'asset'
  | 'side'
  | 'amount'
  | 'signed'
  | 'words'
  | 'name'
  | 'any';
/** `each`: an object of these by names of that kind. */
export type Shape =
  | Kind
  | { readonly fields: Fields }
  | { readonly listOf: Shape }
  | { readonly pair: readonly [Shape, Shape] }
  | { readonly each: Field; readonly by: Kind };
interface Nested {
  readonly shape: Shape;
  readonly may?: 'lack' | 'be-null';
}
export type Field = Kind | `${Kind}?` | `${Kind}|null` | Nested;
export type Fields = Readonly<Record<string, Field>>;

/** One that may be left out. */
const maybe = (shape: Shape): Nested => ({ shape, may: 'lack' });
const listOf = (shape: Shape): Nested => ({ shape: { listOf: shape } });

const INTENT: Fields = { intentId: 'id', at: 'moment' };
const RESERVE: Nested = { shape: { fields: { asset: 'asset', amount: 'amount' } } };
const CURSOR: Nested = { shape: { fields: { tradeId: 'id', venueTime: 'time' } }, may: 'be-null' };
const TIMES = maybe({ listOf: 'time' });
const READS: Shape = { fields: { orders: TIMES, trades: TIMES, wallet: 'time?', locks: 'time?', fence: 'time?' } };
const CHANGE: Shape = { fields: { path: 'words', from: 'words|null', to: 'words|null' } };
const ROW: Shape = { fields: { orderId: 'id', side: 'side', price: 'amount', quantity: 'amount' } };
const STAMP: Shape = { fields: { timestamp: 'estimate', sentAt: 'time' } };
const IDS: Shape = { listOf: 'id' };
const ASSETS: Shape = { listOf: 'asset' };

/** Of a trade as records hold it. */
const FILL: Nested = {
  shape: {
    fields: {
      ...{ symbol: 'symbol', tradeId: 'id', orderId: 'id', side: 'side', price: 'amount', quantity: 'amount' },
      ...{ quoteQuantity: 'amount', commission: 'amount', commissionAsset: 'asset', tds: 'amount' },
      ...{ liquidity: 'name', venueTime: 'time' },
    },
  },
};

/** Those of the trader; the journal's own two are its own matter. */
export const RECORDS: Readonly<Record<string, Fields>> = {
  'session-started': {
    ...{ at: 'moment', epoch: 'count', program: 'words', paperInstance: 'words|null' },
    added: maybe({ each: 'time', by: 'symbol' }),
  },
  'opening-balance': { asset: 'asset', total: 'amount', at: 'moment' },
  opened: {
    at: 'moment',
    venueAt: 'estimate?',
    cursors: { shape: { each: CURSOR, by: 'symbol' } },
    accountedTo: 'time?',
  },
  'markets-opened': {
    ...{ at: 'moment', venueAt: 'estimate', balances: { shape: { each: 'amount', by: 'asset' } } },
    markets: { shape: { each: { shape: { fields: { cursor: CURSOR, from: 'estimate' } } }, by: 'symbol' } },
    ...{ accountedTo: 'time?' },
  },
  'run-revised': { symbol: 'symbol', revision: 'count', changes: listOf(CHANGE), by: 'name', at: 'moment' },
  intent: {
    ...{ intentId: 'id', symbol: 'symbol', slot: 'name', side: 'side', price: 'amount', quantity: 'amount' },
    ...{ timestamp: 'estimate', recvWindow: 'count', uncertaintyMs: 'estimate', horizon: 'estimate', sentAt: 'moment' },
    ...{ bookSentAt: 'time', reference: 'amount?', replaces: 'id?', reserve: RESERVE, revision: 'count' },
  },
  'create-outcome': { ...INTENT, outcome: 'name', orderId: 'id|null', detail: 'any', refused: 'flag?' },
  adopted: { ...INTENT, orderId: 'id', evidence: 'name', reads: maybe(READS) },
  'order-differs': { ...INTENT, price: 'amount', quantity: 'amount' },
  'duplicate-found': { ...INTENT, of: 'id', orderId: 'id', evidence: 'name' },
  'order-taken-over': {
    ...{ ...INTENT, orderId: 'id', side: 'side', price: 'amount', quantity: 'amount' },
    ...{ symbol: 'symbol', reserve: RESERVE },
  },
  'cancel-sent': { ...INTENT, why: 'words' },
  'cancel-outcome': { ...INTENT, outcome: 'name', detail: 'any' },
  closing: { ...INTENT, reads: maybe(READS) },
  reopened: { ...INTENT, belied: 'flag?' },
  closed: { ...INTENT, as: 'name', reads: maybe(READS) },
  fill: {
    ...{ fill: FILL, intentId: 'id|null', mid: 'amount|null', inDoubt: 'flag?', mayBeOf: maybe(IDS) },
    at: 'moment',
  },
  'fill-corrected': { fill: FILL, intentId: 'id|null', mid: 'amount|null', attributed: 'flag?', at: 'moment' },
  'fill-reversed': { symbol: 'symbol', tradeId: 'id', side: 'side', mid: 'amount|null', at: 'moment' },
  overfill: { ...INTENT, filled: 'amount', quantity: 'amount' },
  reconciled: { assets: maybe(ASSETS), at: 'moment', accountedTo: 'time?', pending: maybe({ listOf: 'words' }) },
  difference: { asset: 'asset', expected: 'signed', actual: 'signed', at: 'moment' },
  'difference-accepted': { asset: 'asset', amount: 'signed', at: 'moment', venueAt: 'time', accountedTo: 'time' },
  transfer: {
    ...{ name: 'words', account: 'words', asset: 'asset', walletChange: 'signed', fee: 'amount' },
    ...{ venueTime: 'time', at: 'moment' },
  },
  conversion: { fill: FILL, opening: maybe(ASSETS), at: 'moment' },
  'owner-trade': { fill: FILL, opening: maybe(ASSETS), at: 'moment' },
  'held-elsewhere': { totals: listOf({ pair: ['asset', 'amount'] }), at: 'moment' },
  'symbol-halted': {
    ...{ symbol: 'symbol', reason: 'words', code: 'name?', intents: maybe(IDS), journalEnd: 'time?', at: 'moment' },
  },
  'trades-gap': { symbol: 'symbol', until: 'time|null', at: 'moment' },
  'orders-questioned': {
    symbol: 'symbol',
    orders: { shape: IDS },
    as: 'name',
    rows: maybe({ listOf: ROW }),
    at: 'moment',
  },
  'creates-throttled': { at: 'time' },
  'profit-marked': { symbol: 'symbol', total: 'signed', treatment: 'name?', at: 'moment' },
  'profit-unwatched': { symbol: 'symbol', at: 'moment' },
  locked: {
    ...{ symbol: 'symbol', code: 'name', side: 'side|null', reason: 'words', until: 'time|null' },
    ...{ by: 'name', at: 'moment' },
  },
  unlocked: { symbol: 'symbol', code: 'name', side: 'side|null', by: 'name', at: 'moment' },
  paused: { reason: 'words', at: 'moment' },
  resumed: { at: 'moment' },
  'clock-moved': { byMs: 'number', startedAt: 'time?', journalEnd: 'time?', stamp: maybe(STAMP), at: 'moment' },
  'symbol-resumed': { symbol: 'symbol', price: 'amount?', notOurs: maybe(IDS), by: 'name?', at: 'moment' },
  'session-ended': {
    at: 'moment',
    flat: 'flag',
    unknown: 'count',
    reads: maybe({ each: { shape: READS }, by: 'symbol' }),
  },
};

/** Names that a field of that name may have; others are names of nothing. */
export const NAMES: Readonly<Record<string, RegExp>> = {
  slot: /^(?:|(?:buy|sell):\d)$/,
  outcome: /^(?:accepted|not-sent|rejected|soft-rejected|unknown|acknowledged|throttled)$/,
  evidence: /^(?:open-order|fill)$/,
  as: /^(?:filled|canceled|not-placed|rejected|twin|near|later|part)$/,
  liquidity: /^(?:maker|taker)$/,
  code: /^[a-z]+(?:-[a-z]+)*$/,
  treatment: /^(?:cost|credit|ignore)$/,
  by: /^(?:protection|limit|time|operator|start)$/,
};
