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
  | 'flag'
  | 'id'
  | 'symbol'
  | 'asset'
  | 'side'
  | 'amount'
  | 'signed'
  | 'words'
  | 'name'
  | 'fill'
  | 'any';
export type Field = Kind | `${Kind}?` | `${Kind}|null`;
export type Fields = Readonly<Record<string, Field>>;

const INTENT: Fields = { intentId: 'id', at: 'moment' };

/** Those of the trader; the journal's own two are its own matter. */
export const RECORDS: Readonly<Record<string, Fields>> = {
  'session-started': {
    ...{ at: 'moment', epoch: 'count', program: 'words', paperInstance: 'any' },
    ...{ markets: 'any?', added: 'any?', tellsComparison: 'flag' },
  },
  'opening-balance': { asset: 'asset', total: 'amount', at: 'moment' },
  opened: { at: 'moment', venueAt: 'estimate?', cursors: 'any', accountedTo: 'time?' },
  'markets-opened': {
    ...{ at: 'moment', venueAt: 'estimate', balances: 'any', markets: 'any' },
    ...{ accountedTo: 'time?' },
  },
  'run-revised': { symbol: 'symbol', revision: 'count', changes: 'any', by: 'name', at: 'moment' },
  intent: {
    ...{ intentId: 'id', symbol: 'symbol', slot: 'name', side: 'side', price: 'amount', quantity: 'amount' },
    ...{ timestamp: 'estimate', recvWindow: 'count', uncertaintyMs: 'estimate', horizon: 'estimate', sentAt: 'moment' },
    ...{ bookSentAt: 'time', reference: 'amount?', replaces: 'id?', reserve: 'any', revision: 'count' },
  },
  'create-outcome': { ...INTENT, outcome: 'name', orderId: 'id|null', detail: 'any', refused: 'flag?' },
  adopted: { ...INTENT, orderId: 'id', evidence: 'name', reads: 'any?' },
  'order-differs': { ...INTENT, price: 'amount', quantity: 'amount' },
  'duplicate-found': { ...INTENT, of: 'id', orderId: 'id', evidence: 'name' },
  'order-taken-over': {
    ...{ ...INTENT, orderId: 'id', side: 'side', price: 'amount', quantity: 'amount' },
    ...{ symbol: 'symbol', reserve: 'any' },
  },
  'cancel-sent': { ...INTENT, why: 'words' },
  'cancel-outcome': { ...INTENT, outcome: 'name', detail: 'any' },
  closing: { ...INTENT, reads: 'any?' },
  reopened: { ...INTENT, belied: 'flag?' },
  closed: { ...INTENT, as: 'name', reads: 'any?' },
  fill: { fill: 'fill', intentId: 'id|null', mid: 'amount|null', inDoubt: 'flag?', mayBeOf: 'any?', at: 'moment' },
  'fill-corrected': { fill: 'fill', intentId: 'id|null', mid: 'amount|null', attributed: 'flag?', at: 'moment' },
  'fill-reversed': { symbol: 'symbol', tradeId: 'id', side: 'side', mid: 'amount|null', at: 'moment' },
  overfill: { ...INTENT, filled: 'amount', quantity: 'amount' },
  reconciled: { assets: 'any?', at: 'moment', accountedTo: 'time?', pending: 'any?' },
  difference: { asset: 'asset', expected: 'signed', actual: 'signed', at: 'moment' },
  'difference-accepted': { asset: 'asset', amount: 'signed', at: 'moment' },
  'acceptance-named': { acceptedAt: 'time', assets: 'any', at: 'moment' },
  transfer: {
    ...{ name: 'words', account: 'words', asset: 'asset', walletChange: 'signed', fee: 'amount' },
    ...{ venueTime: 'time', at: 'moment' },
  },
  conversion: { fill: 'fill', opening: 'any?', at: 'moment' },
  'owner-trade': { fill: 'fill', opening: 'any?', at: 'moment' },
  'held-elsewhere': { totals: 'any', at: 'moment' },
  suspense: { asset: 'asset', amount: 'signed', why: 'words', at: 'moment' },
  'symbol-halted': {
    ...{ symbol: 'symbol', reason: 'words', code: 'name?', intents: 'any?', journalEnd: 'time?', at: 'moment' },
  },
  'trades-gap': { symbol: 'symbol', until: 'time|null', at: 'moment' },
  'orders-questioned': { symbol: 'symbol', orders: 'any', as: 'name', rows: 'any?', at: 'moment' },
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
  'clock-moved': { byMs: 'any', startedAt: 'time?', journalEnd: 'time?', stamp: 'any?', at: 'moment' },
  'symbol-resumed': { symbol: 'symbol', price: 'amount?', notOurs: 'any?', by: 'name?', at: 'moment' },
  'session-ended': { at: 'moment', flat: 'flag', unknown: 'count', reads: 'any?' },
};

export const FILL: Fields = {
  ...{ symbol: 'symbol', tradeId: 'id', orderId: 'id', side: 'side', price: 'amount', quantity: 'amount' },
  ...{ quoteQuantity: 'amount', commission: 'amount', commissionAsset: 'asset', tds: 'amount' },
  ...{ liquidity: 'name', venueTime: 'time' },
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
  by: /^(?:protection|time|operator|start)$/,
};
