// E1 to E5: what the bot concludes is proved, whether it is true or not. Each conclusion in the journal names its
// reads; they are found on the wire, and held against what the specification asks for.
import type { DurationMs, EpochMs } from '../../src/domain/time.ts';
import { type Claim, fillKey, type Told } from '../checks/claims.ts';
import type { InvariantId } from '../checks/invariants.ts';
import type { Answered, Checker, Scene } from '../checks/scene.ts';
import { type Left, whyNotAbsent } from './absence-proof.ts';
import { type Evidence, whyNotCanceled, whyNotFilled } from './closing-proof.ts';
import { createLedgerTotals } from './ledger-totals.ts';
import { whyNotAdopted } from './match-proof.ts';
import { namedReads } from './named-reads.ts';
import { createOrderTrail } from './order-trail.ts';
import { whyNotFlat, whyNotReady } from './stop-proof.ts';
import { createWallets } from './wallets.ts';
import { createWireLog } from './wire-log.ts';

const REFUSED_FOR_RATE = 429;

export function proofChecks(): Checker {
  const ledger = createLedgerTotals();
  const log = createWireLog(ledger.tradedAt);
  const wallets = createWallets(ledger);
  const trail = createOrderTrail(log);
  const evidence: Evidence = { log, trail, wallets, ledger };
  const left = new Map<string, Left>();
  const horizon = new Map<string, EpochMs>();
  const settled = new Map<string, EpochMs>();
  let stopAt: EpochMs = 0;
  /** As of the last message of this life. */
  let clockErrorMs: DurationMs = 0;

  function say(scene: Scene, invariant: InvariantId, what: string, why: string | null): void {
    scene.counters.add(`${invariant} ${what.split(':', 1)[0] ?? ''}`);
    if (why !== null) scene.violated(invariant, `${what}, and that is not proved: ${why}.`);
  }

  function begun(): void {
    wallets.begun();
    horizon.clear();
    settled.clear();
    stopAt = 0;
  }

  function wrote(scene: Scene, claim: Claim, { payload, epoch }: Told): void {
    // One that a start found on the disk was written before, by the clock of then.
    const writtenAt = Math.min(scene.now(), Number(payload.sentAt) - clockErrorMs);
    // By its stamp no copy is taken later either: after a sleep of the whole machine it leaves minutes too old (F86).
    const stampedAt = Number(payload.timestamp) + Number(payload.uncertaintyMs);
    const lasts = Math.min(writtenAt, stampedAt) + Number(payload.horizon) - Number(payload.sentAt);
    left.set(claim.intentId, { horizon: lasts, epoch, refused: 'no' });
    horizon.set(claim.symbol, Math.max(lasts, horizon.get(claim.symbol) ?? 0));
  }

  function refused({ endpoint, claim, status, text }: Answered): void {
    const known = claim === null ? undefined : left.get(claim.intentId);
    if (endpoint !== 'create' || claim === null || known === undefined) return;
    const byExchange = status === REFUSED_FOR_RATE && text.startsWith('{') && text.includes('"code"');
    if (byExchange) left.set(claim.intentId, { ...known, refused: 'for-rate' });
  }

  function closed(scene: Scene, claim: Claim, told: Told): void {
    const { payload } = told;
    const named = namedReads(log, claim.symbol, payload.reads);
    const as = String(payload.as);
    const what = `${as}: intent ${claim.intentId} is closed`;
    const invariant = as === 'not-placed' ? 'E2' : 'E1';
    if (named === null) return say(scene, invariant, what, 'no reads are named');
    const [missing] = named.unknown;
    const made = left.get(claim.intentId);
    if (missing !== undefined) say(scene, invariant, what, `${missing} is named that was never delivered`);
    else if (as === 'filled') say(scene, invariant, what, whyNotFilled(scene, claim));
    else if (as === 'canceled') say(scene, invariant, what, whyNotCanceled(scene, claim, named, evidence));
    else if (made !== undefined)
      say(scene, invariant, what, whyNotAbsent(scene, { claim, left: made, named }, evidence));
    left.delete(claim.intentId);
    trail.forget(claim);
    settled.set(claim.symbol, scene.now());
  }

  function adopted(scene: Scene, claim: Claim, { payload }: Told): void {
    const named = namedReads(log, claim.symbol, payload.reads);
    const made = left.get(claim.intentId);
    // Before anything was asked a person said so.
    if (made === undefined || (named === null && log.heardAt() === null)) return;
    const what = `adopted: intent ${claim.intentId} is held for order ${String(payload.orderId)}`;
    if (named === null) return say(scene, 'E3', what, 'no reads are named');
    const match = { claim, left: made, orderId: String(payload.orderId), by: String(payload.evidence), named };
    say(scene, 'E3', what, whyNotAdopted(scene, match, log));
  }

  /** A trade is booked as a page of own trades shows it. */
  function booked(scene: Scene, { payload }: Told): void {
    const fill = payload.fill as Readonly<Record<string, unknown>>;
    const key = fillKey(String(fill.symbol), String(fill.tradeId), String(fill.side));
    const isIt = (row: { readonly symbol: string; readonly tradeId: string; readonly side: string }): boolean =>
      fillKey(row.symbol, row.tradeId, row.side) === key;
    const isShown = log.trades.some(({ rows }) =>
      rows.some((row) => isIt(row) && row.orderId === fill.orderId && row.quantity.eq(String(fill.quantity))),
    );
    say(scene, 'E1', `booked: trade ${key} is in the ledger`, isShown ? null : 'no page of own trades shows it so');
  }

  function take(scene: Scene, told: Told): void {
    const claim = scene.claims.intents.get(String(told.payload.intentId));
    if (told.type === 'session-started') return begun();
    if (told.type === 'fill') return booked(scene, told);
    if (told.type === 'session-ended' && told.payload.flat === true)
      return say(
        scene,
        'E4',
        'flat: the session ended so',
        whyNotFlat(scene, told, { horizon, settled, stopAt }, evidence),
      );
    if (claim === undefined) return;
    if (told.type === 'intent') return wrote(scene, claim, told);
    if (told.type === 'closed') return closed(scene, claim, told);
    if (told.type === 'adopted') return adopted(scene, claim, told);
    if (told.type === 'closing') {
      const why = trail.closing(scene, claim, told);
      return say(scene, 'E1', `closing: intent ${claim.intentId} is held for gone`, why);
    }
    if (told.type !== 'create-outcome') return;
    const known = left.get(claim.intentId);
    const { outcome } = told.payload;
    if (outcome === 'unknown' || outcome === 'soft-rejected') trail.lost(scene, claim);
    if (outcome === 'soft-rejected' && known?.refused === 'no')
      left.set(claim.intentId, { ...known, refused: 'softly' });
    if (outcome === 'rejected' || outcome === 'not-sent') settled.set(claim.symbol, scene.now());
  }

  return {
    sent(scene, message) {
      clockErrorMs = scene.clockError();
      log.sent(scene, message);
      if (message.endpoint !== 'create') return;
      say(scene, 'E5', `create: intent ${message.claim?.intentId ?? ''} left`, whyNotReady(scene, message, evidence));
    },
    answered(scene, message) {
      refused(message);
      const wallet = log.answered(scene, message);
      if (wallet !== null) wallets.came(scene, wallet);
    },
    recorded(scene, told) {
      log.recorded(told);
      if (ledger.recorded(told, scene.now())) wallets.booked(scene);
      take(scene, told);
    },
    event(scene) {
      const isTold = scene.phase() === 'stopping' || scene.latchedSince() !== null;
      if (stopAt === 0 && isTold) stopAt = scene.now();
    },
  };
}
