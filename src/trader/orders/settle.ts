// Own orders that no answer settles: searches for them, and closes them once their end is proved.
import type { EpochMs } from '../../domain/time.ts';
import { readsAnsweredSince } from '../contact/responsive.ts';
import { liveIntents } from '../durable/durable.ts';
import type { Reads } from '../durable/hold-events.ts';
import type { Intent } from '../durable/intent.ts';
import { isUnresolved, unresolvedOf } from '../policy/attribution/match.ts';
import type { Market } from '../state/market.ts';
import { seenToChange } from '../state/seen.ts';
import { lagBoundMs, REQUESTS_OF_A_PROOF, recordResolution, type TraderState, type With } from '../state/state.ts';
import { ageOf, need } from '../state/surfaces.ts';
import { haltSymbol, intentNotice, type Step, type Turn } from '../state/turn.ts';
import { closeEnded, closeOrder } from './close.ts';
import { questionOf } from './in-question.ts';
import { askForProof, countsFrom, type Fate, fateOf, proofOf, rememberLacking, waitsForDifference } from './proofs.ts';

/** Closes every order of the symbol with a proved fate, and asks for the reads that the others lack. */
export function settleOrders(turn: Turn, market: Market): void {
  const { state, now } = turn;
  for (const intent of liveIntents(state.durable, market.symbol)) {
    const fate = fateOf(state.orders, intent);
    if (fate === null) continue;
    const question = questionOf(state, market, intent);
    rememberLacking(state, market, intent, question === 'listed');
    const reads = question === 'listed' ? null : proofOf(state, market, intent);
    if (reads === null) askForProof(state, market, intent, now);
    else if (fate === 'canceled') closeEnded(turn, market, intent, { as: 'canceled', reads });
    else if (question === null) closeNotPlaced(turn, market, intent, { fate, reads });
    if (isUnresolved(intent) && reads === null) haltIfOverdue(turn, market, intent);
  }
  probe(state, market, now);
}

/** An order that shows at all shows soon: later, each search may wait for this share of the elapsed time. */
const PROBE_EASE_RATIO = 0.25;

/**
 * Asks for the reads that can show an unresolved intent: every `probeMs` at first, more rarely later, as the search
 * would otherwise take every request of a slow lane.
 */
export function probe(state: With<'settings' | 'durable'>, market: Market, now: EpochMs): void {
  const { openOrders, trades } = market;
  for (const intent of unresolvedOf(state.durable, market.symbol)) {
    const pause = Math.max(state.settings.polling.probeMs, (now - intent.since) * PROBE_EASE_RATIO);
    for (const surface of [openOrders, trades]) if (ageOf(surface, now) >= pause) need(surface, now);
  }
}

function closeNotPlaced(
  turn: Step<'orders' | 'resolutions'>,
  market: Market,
  intent: Intent,
  { fate, reads }: { readonly fate: Fate; readonly reads: Reads },
): void {
  const { state, now } = turn;
  const { intentId, sentAt } = intent;
  if (intent.state === 'unknown') recordResolution(state, { by: 'absence', seconds: (now - sentAt) / 1_000 });
  closeOrder(turn, market, intent, { as: 'not-placed', reads });
  const by =
    fate === 'refused-for-rate'
      ? 'refused for the rate, and not there after its horizon'
      : 'proved by orders, trades and wallet';
  const message = `Intent ${intentId} was never placed: ${by}.`;
  intentNotice(turn, intent, { level: 'info', op: 'not-placed', message });
}

/**
 * Halts the symbol if the proof does not come: the deadline begins at the first answered read that could be part of it,
 * and a slowed lane gets the requests that a proof takes, however long they take.
 */
function haltIfOverdue(turn: Turn, market: Market, intent: Intent): void {
  const { state, now } = turn;
  const looking = Math.max(readsAnsweredSince(state, now) ?? now, market.openOrders.readSince ?? 0);
  const begun = Math.max(looking, countsFrom(state, intent));
  if (now < begun) return;
  const order = seenToChange(state.orders, intent.intentId);
  order.turnsBefore ??= state.requests.privateTurns;
  // Without an acknowledged cancel the second list leaves a lag bound later.
  const deadline = begun + state.settings.assumptions.resolutionDeadlineMs + lagBoundMs(state.settings);
  if (now <= deadline || state.requests.privateTurns - order.turnsBefore < REQUESTS_OF_A_PROOF) return;
  const words = `${intent.side} ${intent.quantity.toFixed()} @ ${intent.price.toFixed()}`;
  const reason = `What became of intent ${intent.intentId} (${words}) could not be proved.`;
  haltSymbol(turn, market, reason, 'order-unknown');
}

/**
 * Whether only a person can tell how a create ended, once lists count that would show it, or how much of a vanished
 * order has filled.
 */
export const isUndecidable = (state: TraderState, market: Market, intent: Intent): boolean =>
  waitsForDifference(state, market, intent) ||
  (questionOf(state, market, intent) !== null && (market.openOrders.beforeSentAt ?? 0) >= countsFrom(state, intent));
