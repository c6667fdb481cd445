// E1 to E5: the bot's conclusions are proved, whether true or not. Each conclusion in the journal names its reads; they
// are found on the wire, and checked against the specification's requirements.
import type { DurationMs, EpochMs } from '../../src/domain/time.ts';
import type { Answered, CheckContext, Checker } from '../checks/context.ts';
import type { InvariantId } from '../checks/invariants.ts';
import { fillKey, type JournalIntent, type Told } from '../checks/journal-model.ts';
import { type Left, whyNotAbsent } from './absence-proof.ts';
import { OTHER_PROCESS_SLACK_MS } from './bounds.ts';
import { type Evidence, whyNotCanceled, whyNotFilled } from './closing-proof.ts';
import { createLedgerTotals } from './ledger-totals.ts';
import { whyFilledByNobodys, whyNotAdopted } from './match-proof.ts';
import { namedReads } from './named-reads.ts';
import { createOrderTrail } from './order-trail.ts';
import { whyNotFlat, whyNotReady } from './stop-proof.ts';
import { createWallets } from './wallets.ts';
import { createWireLog } from './wire-log.ts';

const REFUSED_FOR_RATE = 429;

interface Proofs extends Evidence {
  readonly left: Map<string, Left>;
  readonly horizon: Map<string, EpochMs>;
  readonly settled: Map<string, EpochMs>;
  /** Orders that a person called not the bot's. */
  readonly disowned: Set<string>;
  stopAt: EpochMs;
  /** As of the last message of this process. */
  clockErrorMs: DurationMs;
}

export function proofChecks(): Checker {
  const ledger = createLedgerTotals();
  const log = createWireLog(ledger.tradedAt);
  const wallets = createWallets(ledger);
  const proofs: Proofs = {
    ledger,
    log,
    wallets,
    trail: createOrderTrail(log),
    left: new Map(),
    horizon: new Map(),
    settled: new Map(),
    disowned: new Set(),
    stopAt: 0,
    clockErrorMs: 0,
  };
  return {
    sent(context, message) {
      proofs.clockErrorMs = context.clockError();
      log.sent(context, message);
      if (message.endpoint !== 'create') return;
      say(
        context,
        'E5',
        `create: intent ${message.intent?.intentId ?? ''} left`,
        whyNotReady(context, message, proofs),
      );
    },
    answered(context, message) {
      refused(proofs, message);
      const wallet = log.answered(context, message);
      if (wallet !== null) wallets.came(context, wallet);
    },
    recorded(context, told) {
      log.recorded(told);
      if (ledger.recorded(told, context.now())) wallets.booked(context);
      take(proofs, context, told);
    },
    event(context) {
      const isTold = context.phase() === 'stopping' || context.latchedSince() !== null;
      if (proofs.stopAt === 0 && isTold) proofs.stopAt = context.now();
    },
  };
}

function say(context: CheckContext, invariant: InvariantId, what: string, why: string | null): void {
  context.counters.add(`${invariant} ${what.split(':', 1)[0] ?? ''}`);
  if (why !== null) context.violated(invariant, `${what}, and that is not proved: ${why}.`);
}

function begun(proofs: Proofs): void {
  proofs.wallets.begun();
  // An order ended earlier may have been accepted twice, and show later: for another process it is known less exactly.
  for (const [symbol, horizon] of proofs.horizon) proofs.horizon.set(symbol, horizon - OTHER_PROCESS_SLACK_MS);
  proofs.settled.clear();
  proofs.stopAt = 0;
}

function wrote(proofs: Proofs, context: CheckContext, intent: JournalIntent, { payload, epoch }: Told): void {
  // A record that a start found on the disk was written before, by the clock at that time.
  const writtenAt = Math.min(context.now(), Number(payload.sentAt) - proofs.clockErrorMs);
  // Its stamp also bounds acceptance of copies: after a sleep of the whole machine it leaves minutes too old (F86).
  const uncertaintyMs = Number(payload.uncertaintyMs);
  const { recvWindowMs, venueInternalLagMs } = context.settings.assumptions;
  const lastsMs = recvWindowMs + uncertaintyMs + venueInternalLagMs;
  const lasts = Math.min(writtenAt, Number(payload.timestamp) + uncertaintyMs) + lastsMs;
  proofs.left.set(intent.intentId, { horizon: lasts, epoch, refused: 'no' });
  proofs.horizon.set(intent.symbol, Math.max(lasts, proofs.horizon.get(intent.symbol) ?? 0));
}

function refused(proofs: Proofs, { endpoint, intent, status, text }: Answered): void {
  const known = intent === null ? undefined : proofs.left.get(intent.intentId);
  if (endpoint !== 'create' || intent === null || known === undefined) return;
  const byExchange = status === REFUSED_FOR_RATE && text.startsWith('{') && text.includes('"code"');
  if (byExchange) proofs.left.set(intent.intentId, { ...known, refused: 'for-rate' });
}

function closed(proofs: Proofs, context: CheckContext, intent: JournalIntent, told: Told): void {
  const { payload } = told;
  const named = namedReads(proofs.log, intent.symbol, payload.reads);
  const as = String(payload.as);
  const what = `${as}: intent ${intent.intentId} is closed`;
  const invariant = as === 'not-placed' ? 'E2' : 'E1';
  if (named === null) return say(context, invariant, what, 'no reads are named');
  const [missing] = named.unknown;
  const made = proofs.left.get(intent.intentId);
  if (missing !== undefined) say(context, invariant, what, `${missing} is named that was never delivered`);
  else if (as === 'filled') say(context, invariant, what, whyNotFilled(context, intent));
  else if (as === 'canceled') say(context, invariant, what, whyNotCanceled(context, intent, named, proofs));
  else if (made !== undefined) {
    const why = whyNotAbsent(context, { intent, left: made, named }, proofs);
    const held = { intent, orderId: null, disowned: proofs.disowned };
    say(context, invariant, what, why ?? whyFilledByNobodys(context, held, proofs.log));
  }
  proofs.left.delete(intent.intentId);
  proofs.trail.forget(intent);
  proofs.settled.set(intent.symbol, context.now());
}

function adopted(proofs: Proofs, context: CheckContext, intent: JournalIntent, { payload }: Told): void {
  const named = namedReads(proofs.log, intent.symbol, payload.reads);
  const made = proofs.left.get(intent.intentId);
  // A person said so before anything was asked.
  if (made === undefined || (named === null && proofs.log.heardAt() === null)) return;
  const what = `adopted: intent ${intent.intentId} is held for order ${String(payload.orderId)}`;
  if (named === null) return say(context, 'E3', what, 'no reads are named');
  const { disowned } = proofs;
  const match = { intent, left: made, orderId: String(payload.orderId), by: String(payload.evidence), named, disowned };
  say(context, 'E3', what, whyNotAdopted(context, match, proofs.log));
}

/** A trade is booked as a page of own trades shows it. */
function booked(proofs: Proofs, context: CheckContext, { payload }: Told): void {
  const fill = payload.fill as Readonly<Record<string, unknown>>;
  const key = fillKey(String(fill.symbol), String(fill.tradeId), String(fill.side));
  const isIt = (row: { readonly symbol: string; readonly tradeId: string; readonly side: string }): boolean =>
    fillKey(row.symbol, row.tradeId, row.side) === key;
  const isShown = proofs.log.trades.some(({ rows }) =>
    rows.some((row) => isIt(row) && row.orderId === fill.orderId && row.quantity.eq(String(fill.quantity))),
  );
  say(context, 'E1', `booked: trade ${key} is in the ledger`, isShown ? null : 'no page of own trades shows it so');
}

function take(proofs: Proofs, context: CheckContext, told: Told): void {
  const intent = context.journal.intents.get(String(told.payload.intentId));
  if (told.type === 'session-started') return begun(proofs);
  if (told.type === 'fill') return booked(proofs, context, told);
  if (told.type === 'symbol-resumed')
    for (const each of (told.payload.notOurs as readonly string[] | undefined) ?? []) proofs.disowned.add(each);
  if (told.type === 'session-ended' && told.payload.flat === true) {
    const { horizon, settled, stopAt } = proofs;
    const why = whyNotFlat(context, told, { horizon, settled, stopAt }, proofs);
    return say(context, 'E4', 'flat: the session ended so', why);
  }
  if (intent === undefined) return;
  if (told.type === 'intent') return wrote(proofs, context, intent, told);
  if (told.type === 'closed') return closed(proofs, context, intent, told);
  if (told.type === 'adopted' && told.payload.order === undefined) return adopted(proofs, context, intent, told);
  if (told.type === 'listed' && told.payload.listed === false) {
    const why = proofs.trail.closing(context, intent, told);
    return say(context, 'E1', `closing: intent ${intent.intentId} is held for gone`, why);
  }
  if (told.type === 'cancel-outcome' && told.payload.outcome === 'acknowledged')
    return proofs.trail.acknowledged(context, intent);
  if (told.type !== 'create-outcome') return;
  const known = proofs.left.get(intent.intentId);
  const { outcome } = told.payload;
  if (outcome === 'unknown' || outcome === 'soft-rejected') proofs.trail.lost(context, intent);
  if (outcome === 'soft-rejected' && known?.refused === 'no')
    proofs.left.set(intent.intentId, { ...known, refused: 'softly' });
  if (outcome === 'rejected' || outcome === 'not-sent') proofs.settled.set(intent.symbol, context.now());
}
