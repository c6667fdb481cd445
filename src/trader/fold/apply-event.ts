// The fold: one journal event into the durable state. The same function runs live and when the program starts.
import { decimal, ZERO } from '../../domain/decimal.ts';
import { type IntentId, intentId, orderId } from '../../domain/ids.ts';
import { assertNever, invariant } from '../../domain/invariant.ts';
import type { Slot } from '../../domain/quote.ts';
import type { EpochMs } from '../../domain/time.ts';
import { NO_AMOUNT, negate } from '../../ledger/amount.ts';
import { bookable } from '../../ledger/bookable-fill.ts';
import { bookedAs, bookTrade } from '../../ledger/booked-trades.ts';
import { correctionEntry, fillEntry } from '../../ledger/fill-entries.ts';
import { post, totalsOf } from '../../ledger/ledger.ts';
import { releaseEntry, reserveEntry } from '../../ledger/reservation-entries.ts';
import { externalFlowEntry, openingEntry, suspenseEntry } from '../../ledger/wallet-entries.ts';
import { amountBelieved } from '../durable/believed.ts';
import { ACCEPTED_REMEMBERED, type Accepted, CLOSED_REMEMBERED, type Durable } from '../durable/durable.ts';
import type { IntentRecord, TraderEvent } from '../durable/events.ts';
import { exact } from '../durable/exact.ts';
import { type Intent, remainingOf } from '../durable/intent.ts';
import { reserveLeft, withValues } from '../durable/reserve.ts';
import { applyFill } from './apply-fill.ts';
import { applyMarkets, applyMarketsOpened, applyOpened } from './apply-opening.ts';
import { applyRisk } from './apply-risk.ts';
import { keepsOf } from './assets.ts';
import { foldBreach } from './breaches.ts';
import { correctFill, reverseFill } from './correct-fill.ts';
import { fromFillRecord } from './fill-record.ts';
import { moveClock } from './move-clock.ts';
import { foldQuestions, foldResumed, foldTakenOver, spareSlot } from './questioned.ts';

/**
 * Changes `durable` in place. An event that contradicts the state is a bug, or a journal that is not this program's: it
 * throws.
 */
export function applyEvent(durable: Durable, event: TraderEvent): void {
  durable.lastEventAt = Math.max(durable.lastEventAt, whenOf(event));
  applyRisk(durable.risk, durable.endedFlat, event);
  switch (event.type) {
    case 'session-started':
      durable.epoch = event.payload.epoch;
      durable.paperInstance = event.payload.paperInstance ?? durable.paperInstance;
      durable.nextIntentNumber = 1;
      durable.endedFlat = false;
      return applyMarkets(durable, event.payload);
    case 'opening-balance':
      durable.ledger = post(durable.ledger, openingEntry(new Map([[event.payload.asset, exact(event.payload.total)]])));
      return;
    case 'opened':
      return applyOpened(durable, event.payload);
    case 'markets-opened':
      return applyMarketsOpened(durable, event.payload);
    case 'intent':
      return applyIntent(durable, event.payload);
    case 'create-outcome':
      return applyCreateOutcome(durable, event.payload);
    case 'adopted':
      return applyAdopted(durable, event.payload);
    case 'order-differs':
      return applyValues(durable, event.payload);
    case 'duplicate-found':
      return applyDuplicate(durable, event.payload);
    case 'cancel-sent':
      return change(durable, event.payload, (intent) => ({
        ...intent,
        state: 'cancel-sent',
        cancel: intent.state === 'cancel-sent' ? intent.cancel : 'sent',
      }));
    case 'cancel-outcome':
      return applyCancelOutcome(durable, event.payload);
    case 'closing':
      return change(durable, event.payload, (intent) => ({ ...intent, state: 'closing' }));
    case 'reopened':
      return change(durable, event.payload, (intent) => ({ ...intent, state: 'open' }));
    case 'closed':
      return close(durable, intentId(event.payload.intentId), event.payload);
    case 'fill':
      return applyFill(durable, event.payload);
    case 'fill-corrected':
      return correctFill(durable, event.payload);
    case 'fill-reversed':
      return reverseFill(durable, event.payload);
    case 'overfill':
    case 'creates-throttled':
    case 'profit-marked':
      return;
    case 'reconciled':
      durable.differences.clear();
      return noteExplained(durable);
    case 'transfer':
      return applyTransfer(durable, event.payload);
    case 'conversion':
      return applyConversion(durable, event.payload);
    case 'owner-trade':
      return applyOwnerTrade(durable, event.payload);
    case 'suspense': {
      const { asset, amount, at } = event.payload;
      durable.ledger = post(durable.ledger, suspenseEntry(asset, exact(amount), `at ${at}`));
      durable.unexplainedSince ??= at;
      return noteExplained(durable);
    }
    case 'difference':
      return applyDifference(durable, event.payload);
    case 'difference-accepted': {
      const { asset, amount, at } = event.payload;
      bookAccepted(durable, { asset, amount: exact(amount), at });
      durable.accepted.push({ asset, amount: exact(amount), at });
      durable.accepted.splice(0, Math.max(0, durable.accepted.length - ACCEPTED_REMEMBERED));
      durable.differences.delete(asset);
      return noteExplained(durable);
    }
    case 'held-elsewhere': {
      const changed = event.payload.totals.map(([asset, total]) => [asset, exact(total)] as const);
      const held = [...new Map([...durable.heldElsewhere, ...changed])];
      durable.heldElsewhere = new Map(held.filter(([, total]) => total !== NO_AMOUNT));
      return;
    }
    case 'acceptance-named': {
      const { acceptedAt, assets } = event.payload;
      const named = durable.accepted.filter(({ asset, at }) => at === acceptedAt && assets.includes(asset));
      for (const each of named) bookAccepted(durable, { ...each, amount: negate(each.amount) });
      const left = durable.accepted.filter((each) => !named.includes(each));
      durable.accepted.splice(0, durable.accepted.length, ...left);
      return;
    }
    case 'clock-moved':
      return moveClock(durable, event.payload);
    case 'symbol-halted':
      durable.halts.set(event.payload.symbol, event.payload.reason);
      durable.staleFrom ??= event.payload.journalEnd ?? null;
      return;
    case 'order-taken-over':
      return foldTakenOver(durable, event.payload);
    case 'trades-gap': {
      const { symbol, until } = event.payload;
      if (until === null) durable.gaps.delete(symbol);
      else durable.gaps.set(symbol, until);
      return;
    }
    case 'orders-questioned':
      return foldQuestions(durable, event.payload);
    case 'symbol-resumed':
      return foldResumed(durable, event.payload);
    case 'paused':
    case 'resumed':
      return;
    case 'session-ended':
      durable.endedFlat = event.payload.flat;
      return;
    default:
      assertNever(event);
  }
}

/** The same amount between other totals is the same difference: a fill moved both. */
function applyDifference(
  durable: Durable,
  { asset, expected, actual, at }: Extract<TraderEvent, { type: 'difference' }>['payload'],
): void {
  const known = durable.differences.get(asset);
  const believed = { expected, actual };
  durable.differences.set(asset, believed);
  if (known === undefined || amountBelieved(known) !== amountBelieved(believed)) durable.unexplainedSince = at;
}

function noteExplained(durable: Durable): void {
  if (durable.differences.size === 0 && totalsOf(durable.ledger, 'suspense').size === 0)
    durable.unexplainedSince = null;
}

function applyTransfer(durable: Durable, payload: Extract<TraderEvent, { type: 'transfer' }>['payload']): void {
  const { name, account, asset, walletChange, fee } = payload;
  const flow = { account, asset, walletChange: exact(walletChange), fee: exact(fee), reference: name };
  durable.ledger = post(durable.ledger, externalFlowEntry(flow));
  durable.transfers.set(name, (durable.transfers.get(name) ?? 0) + 1);
}

function bookAccepted(durable: Durable, { asset, amount, at }: Accepted): void {
  const flow = { asset, walletChange: amount, fee: NO_AMOUNT, reference: `accepted at ${at}` };
  durable.ledger = post(durable.ledger, externalFlowEntry({ ...flow, account: 'external:manual' }));
}

function applyConversion(durable: Durable, { fill }: Extract<TraderEvent, { type: 'conversion' }>['payload']): void {
  const checked = bookable(fromFillRecord(fill));
  invariant(checked.ok, () => `A conversion of the journal is not bookable: ${checked.ok ? '' : checked.error}`);
  const booking = { fill: checked.value, origin: 'conversion' } as const;
  const keeps = keepsOf(durable);
  // Booked before, with other content: it was corrected.
  const before = bookedAs(durable.conversions, checked.value);
  const entry = before
    ? correctionEntry(before, booking, keeps)
    : fillEntry(durable.ledger, { ...booking, keeps }, null);
  durable.ledger = post(durable.ledger, entry);
  durable.conversions = bookTrade(durable.conversions, booking);
}

/** It moves no cursor: the trades of its market are not read as those of a run are. */
function applyOwnerTrade(durable: Durable, { fill }: Extract<TraderEvent, { type: 'owner-trade' }>['payload']): void {
  const checked = bookable(fromFillRecord(fill));
  invariant(checked.ok, () => `A trade of the journal is not bookable: ${checked.ok ? '' : checked.error}`);
  const booking = { fill: checked.value, origin: 'manual' } as const;
  durable.ledger = post(durable.ledger, fillEntry(durable.ledger, { ...booking, keeps: keepsOf(durable) }, null));
  durable.booked = bookTrade(durable.booked, booking);
}

function whenOf(event: TraderEvent): EpochMs {
  return event.type === 'intent' ? event.payload.sentAt : event.payload.at;
}

function applyIntent(durable: Durable, record: IntentRecord): void {
  const id = intentId(record.intentId);
  invariant(!durable.intents.has(id) && !durable.closed.has(id), `Intent ${id} is in the journal twice.`);
  const intent: Intent = {
    intentId: id,
    symbol: record.symbol,
    slot: record.slot as Slot,
    side: record.side,
    price: decimal(record.price),
    quantity: decimal(record.quantity),
    state: 'sent',
    orderId: null,
    duplicateOf: null,
    timestamp: record.timestamp,
    horizon: record.horizon,
    since: record.sentAt,
    sentAt: record.sentAt,
    filled: ZERO,
    closedAs: null,
    cancel: 'none',
    reserve: { asset: record.reserve.asset, amount: record.reserve.amount },
  };
  durable.intents.set(id, intent);
  durable.nextIntentNumber += 1;
  if (record.reference !== undefined)
    durable.references.set(record.symbol, { price: record.reference, at: record.sentAt });
  const reservation = { intentId: id, asset: record.reserve.asset, amount: exact(record.reserve.amount) };
  durable.ledger = post(durable.ledger, reserveEntry(durable.ledger, reservation));
}

function applyAdopted(durable: Durable, payload: Extract<TraderEvent, { type: 'adopted' }>['payload']): void {
  const named = orderId(payload.orderId);
  durable.orders.set(named, intentId(payload.intentId));
  durable.questioned.delete(named);
  change(durable, payload, (intent) => {
    if (intent.state === 'soft-rejected') foldBreach(durable, intent, payload.at);
    return { ...intent, state: 'open', orderId: named };
  });
}

function applyDuplicate(durable: Durable, payload: Extract<TraderEvent, { type: 'duplicate-found' }>['payload']): void {
  const of = intentId(payload.of);
  const first = durable.intents.get(of) ?? durable.closed.get(of);
  invariant(first !== undefined, `Intent ${of} is not known.`);
  const id = intentId(payload.intentId);
  invariant(!durable.intents.has(id) && !durable.closed.has(id), `Intent ${id} is in the journal twice.`);
  const named = orderId(payload.orderId);
  durable.orders.set(named, id);
  durable.intents.set(id, {
    ...first,
    intentId: id,
    slot: spareSlot(durable, first.symbol, first.side),
    state: 'open',
    orderId: named,
    duplicateOf: of,
    since: payload.at,
    filled: ZERO,
    closedAs: null,
    cancel: 'none',
  });
  const reservation = { intentId: id, asset: first.reserve.asset, amount: exact(first.reserve.amount) };
  durable.ledger = post(durable.ledger, reserveEntry(durable.ledger, reservation));
}

/** What the order reserves follows its values. */
function applyValues(durable: Durable, payload: Extract<TraderEvent, { type: 'order-differs' }>['payload']): void {
  const id = intentId(payload.intentId);
  const intent = durable.intents.get(id);
  invariant(intent !== undefined, `Intent ${id} is not open.`);
  const kept = withValues(intent, { price: decimal(payload.price), quantity: decimal(payload.quantity) });
  durable.intents.set(id, kept);
  const amount = reserveLeft(kept, remainingOf(kept));
  const reservation = { intentId: id, asset: kept.reserve.asset, amount };
  durable.ledger = post(durable.ledger, reserveEntry(durable.ledger, reservation));
}

/** The time of the state stays: an answer to a cancel is no proof of anything. */
function applyCancelOutcome(
  durable: Durable,
  { intentId: id, outcome }: Extract<TraderEvent, { type: 'cancel-outcome' }>['payload'],
): void {
  const key = intentId(id);
  const intent = durable.intents.get(key);
  if (intent === undefined || outcome !== 'acknowledged') return;
  durable.intents.set(key, { ...intent, cancel: 'acknowledged' });
}

type CreateOutcomePayload = Extract<TraderEvent, { type: 'create-outcome' }>['payload'];

function applyCreateOutcome(durable: Durable, payload: CreateOutcomePayload): void {
  const id = intentId(payload.intentId);
  switch (payload.outcome) {
    case 'accepted': {
      invariant(payload.orderId !== null, `Intent ${id} was accepted without an order id.`);
      const named = orderId(payload.orderId);
      durable.orders.set(named, id);
      return change(durable, payload, (intent) => ({ ...intent, state: 'open', orderId: named }));
    }
    case 'not-sent':
      return close(durable, id, { as: 'not-placed', at: payload.at });
    case 'rejected':
      return close(durable, id, { as: 'rejected', at: payload.at });
    case 'soft-rejected':
      return change(durable, payload, (intent) => ({ ...intent, state: 'soft-rejected' }));
    case 'unknown':
      return change(durable, payload, (intent) => ({ ...intent, state: 'unknown' }));
    default:
      assertNever(payload.outcome);
  }
}

function change(
  durable: Durable,
  { intentId: id, at }: { intentId: string; at: EpochMs },
  to: (intent: Intent) => Intent,
): void {
  const key = intentId(id);
  const intent = durable.intents.get(key);
  invariant(intent !== undefined, `Intent ${id} is not open.`);
  durable.intents.set(key, { ...to(intent), since: at });
}

function close(durable: Durable, id: IntentId, { as, at }: { as: Intent['closedAs']; at: EpochMs }): void {
  const intent = durable.intents.get(id);
  invariant(intent !== undefined, `Intent ${id} is not open.`);
  durable.intents.delete(id);
  durable.closed.set(id, { ...intent, state: 'closed', closedAs: as, since: at });
  const release = releaseEntry(durable.ledger, id);
  if (release) durable.ledger = post(durable.ledger, release);
  forgetOldest(durable);
}

function forgetOldest(durable: Durable): void {
  if (durable.closed.size <= CLOSED_REMEMBERED) return;
  const [oldest] = durable.closed;
  if (!oldest) return;
  durable.closed.delete(oldest[0]);
  if (oldest[1].orderId !== null) durable.orders.delete(oldest[1].orderId);
}
