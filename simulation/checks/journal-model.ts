// The bot's journal, folded independently of the bot's own fold: checks compare this model with the exchange's truth.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import { bind, foldFound } from '../fold/journal-found.ts';
import type { BookedFill, BookedTransfer, Halt, JournalIntent } from '../fold/journal-intent.ts';
import { foldLock, foldResumed, type Locks } from '../fold/journal-locks.ts';
import { foldOpened, type OpenedMarkets } from '../fold/journal-markets.ts';
import type { Contradiction, Told } from '../fold/told.ts';

export type { BookedFill, BookedTransfer, JournalIntent } from '../fold/journal-intent.ts';
export type { Told } from '../fold/told.ts';

export interface JournalModel extends OpenedMarkets {
  readonly intents: Map<string, JournalIntent>;
  /** Intents that are not closed. */
  readonly live: Map<string, JournalIntent>;
  readonly byOrder: Map<string, JournalIntent>;
  /** By symbol and trade id. */
  readonly fills: Map<string, BookedFill>;
  readonly transfers: BookedTransfer[];
  /** Booked simple trades of the owner, by symbol and trade id. */
  readonly conversions: Map<string, BookedFill>;
  /** What was booked of trades until the exchange changed them or took them back, and when that was recorded. */
  readonly reversed: { readonly fill: BookedFill; readonly at: number }[];
  /** Amounts that a person accepted as the owner's own, summed by asset. */
  readonly accepted: Map<string, Decimal>;
  /** The ledger's opening balances, by asset. */
  readonly openings: Map<string, string>;
  readonly halts: Map<string, Halt>;
  readonly locks: Locks;
  /** The wallet's last reported excess over the ledger, by asset; negative where it holds less. */
  readonly differences: Map<string, Decimal>;
  /** How the last session ended; null while one runs, and after one that ended without a record. */
  ended: { readonly flat: boolean; readonly at: number } | null;
  epoch: number;
}

export function emptyJournalModel(): JournalModel {
  return {
    intents: new Map(),
    live: new Map(),
    byOrder: new Map(),
    fills: new Map(),
    transfers: [],
    conversions: new Map(),
    reversed: [],
    accepted: new Map(),
    openings: new Map(),
    opened: new Set(),
    openedLater: new Map(),
    halts: new Map(),
    locks: new Map(),
    differences: new Map(),
    openedAt: null,
    ended: null,
    epoch: 0,
  };
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
const OUTCOME_STATES: Readonly<Record<string, JournalIntent['state']>> = {
  accepted: 'open',
  unknown: 'unknown',
  'soft-rejected': 'soft-rejected',
};

/** Folds one record into the model. */
export function fold(journal: JournalModel, told: Told, at: number): Contradiction | null {
  const { payload } = told;
  journal.epoch = Math.max(journal.epoch, told.epoch);
  const intent = journal.intents.get(text(payload.intentId));
  switch (told.type) {
    case 'opened':
      return foldOpened(journal, payload, at);
    case 'session-started':
      journal.ended = null;
      return null;
    case 'session-ended':
      journal.ended = { flat: payload.flat === true, at: Number(payload.at) };
      return null;
    case 'intent':
      return foldIntent(journal, told, at);
    case 'fill':
      return foldFill(journal, payload, at);
    case 'fill-corrected':
      return foldCorrection(journal, payload, at);
    case 'adopted':
      if (payload.order !== undefined) return foldFound(journal, told, at);
      return intent === undefined ? null : foldState(journal, intent, { told, at });
    case 'orders-questioned':
      // A closed create was wrongly matched to it: its owner is open again.
      if (payload.as === 'other') for (const id of payload.orders as readonly string[]) journal.byOrder.delete(id);
      return null;
    case 'lock':
      return foldLock(journal.locks, payload);
    case 'symbol-halted':
      return foldHalt(journal, payload, at);
    case 'symbol-resumed':
      journal.halts.delete(text(payload.symbol));
      return foldResumed(journal.locks, text(payload.symbol));
    case 'difference':
      journal.differences.set(text(payload.asset), new Decimal(text(payload.actual)).sub(text(payload.expected)));
      return null;
    case 'reconciled':
      for (const asset of (payload.assets ?? [...journal.differences.keys()]) as readonly string[])
        journal.differences.delete(asset);
      return null;
    case 'external-flow':
      return foldFlow(journal, payload, at);
    default:
      return intent === undefined ? null : foldState(journal, intent, { told, at });
  }
}

function foldHalt(journal: JournalModel, payload: Told['payload'], at: number): null {
  const symbol = text(payload.symbol);
  const unwind = payload.unwind as { side: 'buy' | 'sell'; quantity: string } | undefined;
  const from = ownBase(journal, symbol);
  journal.halts.set(symbol, {
    ...{ code: text(payload.code), reason: text(payload.reason), at, toldAt: Number(payload.at) },
    unwind: unwind === undefined ? null : { side: unwind.side, quantity: new Decimal(unwind.quantity), from },
  });
  return null;
}

/** Net base from own fills. */
export function ownBase({ fills }: Pick<JournalModel, 'fills'>, symbol: string): Decimal {
  let sum = ZERO;
  for (const fill of fills.values()) {
    if (fill.symbol !== symbol || fill.intentId === null) continue;
    sum = fill.side === 'buy' ? sum.add(fill.quantity) : sum.sub(fill.quantity);
    if (symbol.startsWith(`${fill.commissionAsset}/`)) sum = sum.sub(fill.commission);
  }
  return sum;
}

function foldFlow(journal: JournalModel, payload: Told['payload'], at: number): Contradiction | null {
  switch (payload.kind) {
    case 'transfer':
      journal.transfers.push(bookedTransfer(payload));
      return null;
    case 'conversion':
      return foldConversion(journal, bookedFill(payload, at));
    case 'owner-trade':
      return foldFill(journal, payload, at);
    default:
      return foldAccepted(journal, payload);
  }
}

const bookedTransfer = (payload: Told['payload']): BookedTransfer => ({
  account: text(payload.account),
  asset: text(payload.asset),
  walletChange: text(payload.walletChange),
  fee: text(payload.fee),
  venueTime: Number(payload.venueTime),
});

function foldAccepted(journal: JournalModel, payload: Told['payload']): null {
  const asset = text(payload.asset);
  addTo(journal.accepted, asset, text(payload.amount));
  journal.differences.delete(asset);
  return null;
}

function foldIntent(journal: JournalModel, { payload, seq, epoch }: Told, at: number): Contradiction | null {
  const intent: JournalIntent = {
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
    filled: ZERO,
    duplicateOf: null,
  };
  const before = journal.intents.has(intent.intentId);
  journal.intents.set(intent.intentId, intent);
  journal.live.set(intent.intentId, intent);
  return before ? { invariant: 'S11', sentence: `intent ${intent.intentId} was written twice.` } : null;
}

interface Change {
  readonly told: Told;
  readonly at: number;
}

function foldState(journal: JournalModel, intent: JournalIntent, { told, at }: Change): Contradiction | null {
  const { type, payload } = told;
  const wasClosed = intent.state === 'closed';
  switch (type) {
    case 'create-outcome':
      intent.state = OUTCOME_STATES[text(payload.outcome)] ?? 'closed';
      if (intent.state === 'closed') intent.closedAs = text(payload.outcome) === 'not-sent' ? 'not-placed' : 'rejected';
      break;
    case 'adopted':
      intent.state = 'open';
      break;
    case 'cancel-sent':
      // A cancel sent in addition to the first does not undo the first one's result.
      intent.cancelTaken &&= intent.state === 'cancel-sent';
      if (!wasClosed) intent.state = 'cancel-sent';
      intent.cancelSent = true;
      break;
    case 'order-differs':
      Object.assign(intent, { price: text(payload.price), quantity: text(payload.quantity) });
      return null;
    case 'cancel-outcome':
      intent.cancelTaken ||= payload.outcome === 'acknowledged';
      return null;
    case 'listed':
      intent.state = payload.listed === true ? 'open' : 'closing';
      if (payload.listed === true) Object.assign(intent, { cancelSent: false, cancelTaken: false, closedAs: null });
      // Another order may have taken its slot.
      if (wasClosed) intent.slot = `${intent.slot}, listed again`;
      break;
    case 'closed':
      intent.state = 'closed';
      intent.closedAs = text(payload.as);
      break;
    default:
      return null;
  }
  intent.since = at;
  if (intent.state === 'closed') journal.live.delete(intent.intentId);
  else journal.live.set(intent.intentId, intent);
  const bound = typeof payload.orderId === 'string' ? bind(journal, intent, payload.orderId) : null;
  if (bound !== null) return bound;
  return wasClosed && type !== 'cancel-sent' && type !== 'adopted' && payload.listed !== true
    ? { invariant: 'S6', sentence: `intent ${intent.intentId} was closed and then ${type}.` }
    : null;
}

function addTo(sums: Map<string, Decimal>, asset: string, amount: string): void {
  sums.set(asset, (sums.get(asset) ?? ZERO).add(amount));
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
    inOpening: (payload.opening ?? []) as readonly string[],
    at,
  };
}

function foldConversion(journal: JournalModel, booked: BookedFill): Contradiction | null {
  const key = keyOf(booked);
  const known = journal.conversions.has(key);
  journal.conversions.set(key, booked);
  return known ? { invariant: 'M3', sentence: `simple trade ${key} was booked twice.` } : null;
}

function foldFill(journal: JournalModel, payload: Told['payload'], at: number): Contradiction | null {
  const booked = bookedFill(payload, at);
  const key = keyOf(booked);
  const known = journal.fills.has(key);
  journal.fills.set(key, booked);
  const intent = booked.intentId === null ? undefined : journal.intents.get(booked.intentId);
  if (intent) intent.filled = intent.filled.add(booked.quantity);
  if (known) return { invariant: 'M3', sentence: `trade ${key} was booked twice.` };
  if (intent?.filled.gt(intent.quantity))
    return {
      invariant: 'M4',
      sentence: `intent ${intent.intentId} filled ${intent.filled.toFixed()} of ${intent.quantity}.`,
    };
  return null;
}

/** A trade keeps its owner, though its order is no longer remembered. */
function foldCorrection(journal: JournalModel, payload: Told['payload'], at: number): Contradiction | null {
  const fill = payload.fill as Told['payload'] | null;
  const before = foldReversal(journal, payload);
  if (before !== null) journal.reversed.push({ fill: before, at });
  if (fill === null) return null;
  const isStill = payload.intentId === null && before?.orderId === fill.orderId;
  return foldFill(journal, isStill ? { ...payload, intentId: before?.intentId } : payload, at);
}

/** The exchange took a trade back, or changed it. */
function foldReversal(journal: JournalModel, payload: Told['payload']): BookedFill | null {
  const key = fillKey(text(payload.symbol), text(payload.tradeId), text(payload.side));
  const before = journal.fills.get(key);
  journal.fills.delete(key);
  const intent = before?.intentId == null ? undefined : journal.intents.get(before.intentId);
  if (before && intent) intent.filled = intent.filled.sub(before.quantity);
  return before ?? null;
}

/** Ids may have leading zeros; both sides of a self-trade have the same id. */
export const fillKey = (symbol: string, tradeId: string, side: string): string =>
  `${symbol} ${tradeId.replace(/^0+(?=\d)/, '')} ${side}`;

const keyOf = ({ symbol, tradeId, side }: BookedFill): string => fillKey(symbol, tradeId, side);

/** The fields of an intent that its signed bytes show. */
export const termsOf = (terms: {
  symbol: string;
  side: string;
  price: string;
  quantity: string;
  timestamp: number;
}): string =>
  `${terms.symbol} ${terms.side} ${new Decimal(terms.price).toFixed()} ` +
  `${new Decimal(terms.quantity).toFixed()} ${terms.timestamp}`;
