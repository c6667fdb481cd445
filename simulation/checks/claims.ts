// What the bot's journal claims, folded apart from the bot's own fold: checks compare these claims with the exchange's
// truth.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import type { BookedFill, BookedTransfer, Claim, Halt } from '../fold/claim.ts';
import type { InvariantId } from './invariants.ts';

export type { BookedFill, BookedTransfer, Claim } from '../fold/claim.ts';

export interface Claims {
  readonly intents: Map<string, Claim>;
  /** Those that are not closed. */
  readonly live: Map<string, Claim>;
  readonly byOrder: Map<string, Claim>;
  /** By symbol and trade id. */
  readonly fills: Map<string, BookedFill>;
  readonly transfers: BookedTransfer[];
  /** Simple trades of the owner's that are booked, by symbol and trade id. */
  readonly conversions: Map<string, BookedFill>;
  /** What a person took for his own doing, summed by asset. */
  readonly accepted: Map<string, Decimal>;
  /** The same one by one, newest last. */
  readonly acceptances: { readonly asset: string; readonly amount: string; readonly at: number }[];
  /** What is in suspense, by asset, as the wallet shows it; without zeros. */
  readonly suspense: Map<string, Decimal>;
  readonly openings: Map<string, string>;
  readonly halts: Map<string, Halt>;
  /** What the wallet was last said to hold more than the ledger expects, by asset; negative where it holds less. */
  readonly differences: Map<string, Decimal>;
  /** By symbol: when an order that was refused with 200 was last found to have been placed all the same. */
  readonly breaches: Map<string, number>;
  openedAt: number | null;
  /** How the last session ended; null while one runs, and after one that ended without a word. */
  ended: { readonly flat: boolean; readonly at: number } | null;
  epoch: number;
}

export function emptyClaims(): Claims {
  return {
    intents: new Map(),
    live: new Map(),
    byOrder: new Map(),
    fills: new Map(),
    transfers: [],
    conversions: new Map(),
    accepted: new Map(),
    acceptances: [],
    suspense: new Map(),
    openings: new Map(),
    halts: new Map(),
    differences: new Map(),
    breaches: new Map(),
    openedAt: null,
    ended: null,
    epoch: 0,
  };
}

/** One record as data; payloads are read loosely because the trader's own types must not vouch for themselves here. */
export interface Told {
  readonly type: string;
  readonly seq: number;
  readonly epoch: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

export function toldBy(record: JournalRecord): Told {
  return {
    type: record.type,
    seq: record.seq,
    epoch: record.epoch,
    payload: JSON.parse(record.payload) as Readonly<Record<string, unknown>>,
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : String(value));
const OUTCOME_STATES: Readonly<Record<string, Claim['state']>> = {
  accepted: 'open',
  unknown: 'unknown',
  'soft-rejected': 'soft-rejected',
};

/** What in a record contradicts the records before it. */
export interface Contradiction {
  readonly invariant: InvariantId;
  readonly sentence: string;
}

/** Folds one record into the claims. */
export function fold(claims: Claims, told: Told, at: number): Contradiction | null {
  const { payload } = told;
  claims.epoch = Math.max(claims.epoch, told.epoch);
  const intent = claims.intents.get(text(payload.intentId));
  switch (told.type) {
    case 'opening-balance':
      claims.openings.set(text(payload.asset), text(payload.total));
      return null;
    case 'opened':
      claims.openedAt = at;
      return null;
    case 'session-started':
      claims.ended = null;
      return null;
    case 'session-ended':
      claims.ended = { flat: payload.flat === true, at: Number(payload.at) };
      return null;
    case 'intent':
      return foldIntent(claims, told, at);
    case 'fill':
    case 'owner-trade':
      return foldFill(claims, payload, at);
    case 'fill-corrected':
      return foldCorrection(claims, payload, at);
    case 'fill-reversed':
      foldReversal(claims, payload);
      return null;
    case 'duplicate-found':
      return foldDuplicate(claims, told, at);
    case 'symbol-halted':
      claims.halts.set(text(payload.symbol), { code: text(payload.code), reason: text(payload.reason) });
      return null;
    case 'symbol-resumed':
      claims.halts.delete(text(payload.symbol));
      return null;
    case 'difference':
      claims.differences.set(text(payload.asset), new Decimal(text(payload.actual)).sub(text(payload.expected)));
      return null;
    case 'reconciled':
      claims.differences.clear();
      return null;
    case 'conversion':
      return foldConversion(claims, bookedFill(payload, at));
    case 'transfer':
      claims.transfers.push({
        account: text(payload.account),
        asset: text(payload.asset),
        walletChange: text(payload.walletChange),
        fee: text(payload.fee),
        venueTime: Number(payload.venueTime),
      });
      return null;
    case 'suspense':
      addTo(claims.suspense, text(payload.asset), text(payload.amount));
      if (claims.suspense.get(text(payload.asset))?.isZero() === true) claims.suspense.delete(text(payload.asset));
      return null;
    case 'difference-accepted':
      addTo(claims.accepted, text(payload.asset), text(payload.amount));
      claims.acceptances.push({ asset: text(payload.asset), amount: text(payload.amount), at: Number(payload.at) });
      claims.differences.delete(text(payload.asset));
      return null;
    case 'acceptance-named':
      return foldNamed(claims, payload);
    default:
      return intent === undefined ? null : foldState(claims, intent, { told, at });
  }
}

/** What was accepted then of these assets is booked as what it was, and as accepted no more. */
function foldNamed(claims: Claims, { acceptedAt, assets }: Told['payload']): null {
  for (const each of claims.acceptances.filter(({ at }) => at === acceptedAt)) {
    if (!(assets as readonly string[]).includes(each.asset)) continue;
    addTo(claims.accepted, each.asset, new Decimal(each.amount).neg().toFixed());
    claims.acceptances.splice(claims.acceptances.indexOf(each), 1);
  }
  return null;
}

function foldIntent(claims: Claims, { payload, seq, epoch }: Told, at: number): Contradiction | null {
  const claim: Claim = {
    intentId: text(payload.intentId),
    epoch,
    symbol: text(payload.symbol),
    slot: text(payload.slot),
    side: payload.side === 'buy' ? 'buy' : 'sell',
    price: text(payload.price),
    quantity: text(payload.quantity),
    timestamp: Number(payload.timestamp),
    horizon: Number(payload.horizon),
    bookSentAt: Number(payload.bookSentAt),
    replaces: payload.replaces === undefined ? null : text(payload.replaces),
    seq,
    at,
    state: 'sent',
    since: at,
    cancelSent: false,
    cancelTaken: false,
    orderId: null,
    closedAs: null,
    closedByOneWallet: false,
    filled: ZERO,
    duplicateOf: null,
  };
  const before = claims.intents.has(claim.intentId);
  claims.intents.set(claim.intentId, claim);
  claims.live.set(claim.intentId, claim);
  return before ? { invariant: 'S11', sentence: `intent ${claim.intentId} was written twice.` } : null;
}

interface Change {
  readonly told: Told;
  readonly at: number;
}

function foldState(claims: Claims, claim: Claim, { told, at }: Change): Contradiction | null {
  const { type, payload } = told;
  const wasClosed = claim.state === 'closed';
  switch (type) {
    case 'create-outcome':
      claim.state = OUTCOME_STATES[text(payload.outcome)] ?? 'closed';
      if (claim.state === 'closed') claim.closedAs = text(payload.outcome) === 'not-sent' ? 'not-placed' : 'rejected';
      break;
    case 'adopted':
      if (claim.state === 'soft-rejected') claims.breaches.set(claim.symbol, at);
      claim.state = 'open';
      break;
    case 'cancel-sent':
      // One that is sent again beside the first takes nothing back of what was said of that.
      claim.cancelTaken &&= claim.state === 'cancel-sent';
      if (!wasClosed) claim.state = 'cancel-sent';
      claim.cancelSent = true;
      break;
    case 'cancel-outcome':
      claim.cancelTaken ||= payload.outcome === 'acknowledged';
      return null;
    case 'closing':
      claim.state = 'closing';
      break;
    case 'reopened':
      claim.state = 'open';
      claim.cancelSent = false;
      claim.cancelTaken = false;
      break;
    case 'closed':
      claim.state = 'closed';
      claim.closedAs = text(payload.as);
      claim.closedByOneWallet = isOneWallet(payload.reads);
      break;
    default:
      return null;
  }
  claim.since = at;
  if (claim.state === 'closed') claims.live.delete(claim.intentId);
  else claims.live.set(claim.intentId, claim);
  const bound = typeof payload.orderId === 'string' ? bind(claims, claim, payload.orderId) : null;
  if (bound !== null) return bound;
  return wasClosed && type !== 'cancel-sent' && type !== 'adopted'
    ? { invariant: 'S6', sentence: `intent ${claim.intentId} was closed and then ${type}.` }
    : null;
}

function bind(claims: Claims, claim: Claim, orderId: string): Contradiction | null {
  const owner = claims.byOrder.get(orderId);
  claim.orderId ??= orderId;
  claims.byOrder.set(orderId, claim);
  return owner === undefined || owner === claim
    ? null
    : { invariant: 'R5', sentence: `order ${orderId} is bound to ${owner.intentId} and to ${claim.intentId}.` };
}

function addTo(sums: Map<string, Decimal>, asset: string, amount: string): void {
  sums.set(asset, (sums.get(asset) ?? ZERO).add(amount));
}

function isOneWallet(reads: unknown): boolean {
  const { wallet, locks } = (reads ?? {}) as { readonly wallet?: unknown; readonly locks?: unknown };
  return wallet !== undefined && wallet === locks;
}

function bookedFill(payload: Told['payload'], at: number): BookedFill {
  const fill = payload.fill as Readonly<Record<string, unknown>>;
  return {
    symbol: text(fill.symbol),
    tradeId: text(fill.tradeId),
    orderId: text(fill.orderId),
    side: text(fill.side),
    price: text(fill.price),
    quantity: text(fill.quantity),
    quoteQuantity: text(fill.quoteQuantity),
    commission: text(fill.commission),
    commissionAsset: text(fill.commissionAsset),
    tds: text(fill.tds),
    intentId: payload.intentId == null ? null : text(payload.intentId),
    venueTime: Number(fill.venueTime),
    at,
  };
}

function foldConversion(claims: Claims, booked: BookedFill): Contradiction | null {
  const key = keyOf(booked);
  const known = claims.conversions.has(key);
  claims.conversions.set(key, booked);
  return known ? { invariant: 'M3', sentence: `simple trade ${key} was booked twice.` } : null;
}

function foldFill(claims: Claims, payload: Told['payload'], at: number): Contradiction | null {
  const booked = bookedFill(payload, at);
  const key = keyOf(booked);
  const known = claims.fills.has(key);
  claims.fills.set(key, booked);
  const claim = booked.intentId === null ? undefined : claims.intents.get(booked.intentId);
  if (claim) claim.filled = claim.filled.add(booked.quantity);
  if (known) return { invariant: 'M3', sentence: `trade ${key} was booked twice.` };
  if (claim?.filled.gt(claim.quantity))
    return {
      invariant: 'M4',
      sentence: `intent ${claim.intentId} filled ${claim.filled.toFixed()} of ${claim.quantity}.`,
    };
  return null;
}

/** Whose a trade was it stays, though its order is not remembered any more. */
function foldCorrection(claims: Claims, payload: Told['payload'], at: number): Contradiction | null {
  const fill = payload.fill as Told['payload'];
  const before = foldReversal(claims, fill);
  const isStill = payload.intentId === null && before?.orderId === fill.orderId;
  return foldFill(claims, isStill ? { ...payload, intentId: before?.intentId } : payload, at);
}

/** The exchange took a trade back, or shows it otherwise. */
function foldReversal(claims: Claims, payload: Told['payload']): BookedFill | null {
  const key = fillKey(text(payload.symbol), text(payload.tradeId), text(payload.side));
  const before = claims.fills.get(key);
  claims.fills.delete(key);
  const claim = before?.intentId == null ? undefined : claims.intents.get(before.intentId);
  if (before && claim) claim.filled = claim.filled.sub(before.quantity);
  return before ?? null;
}

/** The second order of one create (F11) is an intent of its own from when it is found. */
function foldDuplicate(claims: Claims, { payload, seq, epoch }: Told, at: number): Contradiction | null {
  const first = claims.intents.get(text(payload.of));
  if (first === undefined)
    return { invariant: 'R5', sentence: `a duplicate of ${text(payload.of)} was found, which is no intent.` };
  const claim: Claim = {
    ...first,
    intentId: text(payload.intentId),
    slot: `${first.slot}, second order ${text(payload.orderId)}`,
    epoch,
    seq,
    at,
    since: at,
    state: 'open',
    cancelSent: false,
    cancelTaken: false,
    orderId: null,
    closedAs: null,
    closedByOneWallet: false,
    filled: ZERO,
    duplicateOf: first.intentId,
  };
  claims.intents.set(claim.intentId, claim);
  claims.live.set(claim.intentId, claim);
  return bind(claims, claim, text(payload.orderId));
}

/** Ids may be written with leading zeros; both sides of a trade with oneself have the same id. */
export const fillKey = (symbol: string, tradeId: string, side: string): string =>
  `${symbol} ${tradeId.replace(/^0+(?=\d)/, '')} ${side}`;

const keyOf = ({ symbol, tradeId, side }: BookedFill): string => fillKey(symbol, tradeId, side);

/** Everything of an intent that its signed bytes show. */
export const termsOf = (terms: {
  symbol: string;
  side: string;
  price: string;
  quantity: string;
  timestamp: number;
}): string =>
  `${terms.symbol} ${terms.side} ${new Decimal(terms.price).toFixed()} ` +
  `${new Decimal(terms.quantity).toFixed()} ${terms.timestamp}`;
