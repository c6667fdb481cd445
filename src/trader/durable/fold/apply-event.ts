// The fold: one journal event into the durable state. The same function runs live and when the program starts.
import { orderId } from '../../../domain/ids.ts';
import { invariant } from '../../../domain/invariant.ts';
import type { EpochMs } from '../../../domain/time.ts';
import { type Amount, add, amountText, exactAmount, subtract } from '../../../ledger/amount.ts';
import type { Unwind } from '../../../quoting/block.ts';
import { type Durable, type JournalFacts, staleReason } from '../durable.ts';
import type { PayloadOf, TraderEvent } from '../events.ts';
import { THIRD_PARTY_REMEMBERED } from '../intent.ts';
import { marketToChange } from '../market.ts';
import { type ParameterChange, type Parameters, withChanges } from '../revision.ts';
import { applyDifference, applyFlow, applyGap, applyOpened, applyReconciled, passGap } from './apply-books.ts';
import { applyFill, correctFill } from './apply-fill.ts';
import {
  applyAdopted,
  applyCancelOutcome,
  applyCancelSent,
  applyClosed,
  applyCreateOutcome,
  applyIntent,
  applyListed,
  applyQuestions,
  applyValues,
} from './apply-intent.ts';
import { applyLock, applyRisk, resumeProtections } from './apply-risk.ts';
import { moveClock } from './move-clock.ts';

type Type = TraderEvent['type'];

/** For events that only extend the time up to which the account is known, and the limits' memory. */
const nothingElse = (): void => {};

const HANDLERS: { readonly [T in Type]: (durable: Durable, payload: PayloadOf<T>) => void } = {
  'session-started': applySession,
  'session-ended': ({ journal }, { flat }) => {
    journal.endedFlat = flat;
  },
  opened: applyOpened,
  intent: applyIntent,
  'create-outcome': applyCreateOutcome,
  adopted: applyAdopted,
  'order-differs': applyValues,
  'cancel-sent': applyCancelSent,
  'cancel-outcome': applyCancelOutcome,
  listed: applyListed,
  closed: applyClosed,
  fill: applyFill,
  'fill-corrected': correctFill,
  'trades-gap': applyGap,
  reconciled: applyReconciled,
  difference: applyDifference,
  'external-flow': applyFlow,
  'symbol-halted': applyHalt,
  'symbol-resumed': applyResumed,
  'orders-questioned': applyQuestions,
  'creates-throttled': nothingElse,
  'profit-marked': nothingElse,
  'run-revised': applyRevised,
  lock: applyLock,
  pause: nothingElse,
  'clock-moved': moveClock,
};

/**
 * Changes `durable` in place. Throws if an event contradicts the state: that is a bug, or another program's journal.
 */
export function applyEvent(durable: Durable, event: TraderEvent): void {
  applyRisk(durable, event);
  handle(durable, event.type, event.payload);
  extendKnown(durable.journal, event);
}

/** The journal's knowledge of the account extends from the first event that proves a comparison with it. */
function extendKnown(journal: JournalFacts, event: TraderEvent): void {
  if (isComparison(event)) Object.assign(journal, { isCompared: true, endedFlat: false });
  if (journal.isCompared) journal.knownTo = Math.max(journal.knownTo, whenOf(event));
}

/** Nothing is placed before a wallet has matched the ledger. */
const isComparison = ({ type, payload }: TraderEvent): boolean =>
  type === 'intent' ||
  (type === 'opened' && payload.later === undefined) ||
  (type === 'reconciled' && payload.assets === undefined);

/**
 * The same fold without the limits' memory and the time up to which the account is known: for reading a whole journal's
 * books. The result is not the bot's state.
 */
export function applyToBooks(durable: Durable, event: TraderEvent): void {
  handle(durable, event.type, event.payload);
}

function handle<T extends Type>(durable: Durable, type: T, payload: PayloadOf<T>): void {
  invariant(Object.hasOwn(HANDLERS, type), () => `The journal has an event of the unknown type '${type}'.`);
  HANDLERS[type](durable, payload);
}

function whenOf(event: TraderEvent): EpochMs {
  return event.type === 'intent' ? event.payload.sentAt : event.payload.at;
}

function applySession(durable: Durable, payload: PayloadOf<'session-started'>): void {
  const { journal, orders } = durable;
  journal.epoch = payload.epoch;
  journal.paperInstance = payload.paperInstance ?? journal.paperInstance;
  journal.isCompared = false;
  orders.nextIntentNumber = 1;
}

function applyRevised(durable: Durable, { symbol, revision, changes }: PayloadOf<'run-revised'>): void {
  const market = marketToChange(durable, symbol);
  const { revision: before, lastReference } = market;
  market.revision = { number: revision, parameters: withChanges(before?.parameters ?? {}, changes) };
  if (before !== null && lastReference !== null && isOfOtherSource(changes, market.revision.parameters))
    market.lastReference = { ...lastReference, isOfOther: true };
}

/** Whether the source of reference prices changed. */
function isOfOtherSource(changes: readonly ParameterChange[], { referenceSource }: Parameters): boolean {
  return changes.some(
    ({ path }) => path === 'referenceSource' || (path === 'fixedReference' && referenceSource === 'fixed'),
  );
}

function applyHalt(durable: Durable, payload: PayloadOf<'symbol-halted'>): void {
  const { symbol, reason, code, journalEnd = null, unwind, at } = payload;
  const market = marketToChange(durable, symbol);
  market.halt = { code, reason, since: at, ...(unwind && { unwind: unwindFrom(market.pnl.inventory, unwind) }) };
  durable.journal.staleFrom ??= journalEnd;
}

function unwindFrom(inventory: Amount, { side, quantity }: NonNullable<PayloadOf<'symbol-halted'>['unwind']>): Unwind {
  const by = exactAmount(quantity);
  return { side, until: amountText(side === 'buy' ? add(inventory, by) : subtract(inventory, by)) };
}

/** A person has looked at a halted symbol, and may have said whose the orders in question are. */
function applyResumed(durable: Durable, payload: PayloadOf<'symbol-resumed'>): void {
  const { symbol, price, notOurs = [], at } = payload;
  const { orders, journal } = durable;
  const market = marketToChange(durable, symbol);
  resumeProtections(market, at);
  market.halt = null;
  market.breaches = [];
  passGap(market);
  if (price !== undefined) market.lastReference = { price, at, isStated: true };
  for (const [id, asked] of orders.questioned) if (asked.symbol === symbol) orders.questioned.delete(id);
  for (const id of notOurs) orders.thirdParty.add(orderId(id));
  const tooMany = Math.max(0, orders.thirdParty.size - THIRD_PARTY_REMEMBERED);
  for (const id of [...orders.thirdParty].slice(0, tooMany)) orders.thirdParty.delete(id);
  const isAnswered = journal.staleFrom !== null && staleReason(durable) === null;
  if (isAnswered) Object.assign(journal, { staleFrom: null, answeredAt: at });
}
