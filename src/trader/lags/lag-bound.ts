// How far lists may trail for a proof that is made now. The one place that decides it.
import { DAY, type DurationMs, type EpochMs, HOUR, SECOND } from '../../domain/time.ts';
import { policyOf } from '../policy/policy-of.ts';
import { LAG_KINDS, type LagKind, type LagLearning, type LagSample } from '../state/lags/lags.ts';
import type { OrderWatch } from '../state/lags/watch-orders.ts';
import type { TraderState } from '../state/state.ts';
import { notice, type Turn } from '../state/turn.ts';

/**
 * Of 300 without one that is later, one in a hundred may be later (with 95 % certainty): hence the margin, and only on
 * a dedicated account.
 */
export const LAG_LEARNING: LagLearning = { samples: 300, margin: 3, leastMs: 5 * SECOND };

/** What is older says nothing of today. */
const OLDEST_MS = 7 * DAY;
/** What nothing confirmed for so long may have changed. */
const FRESH_MS = HOUR;

/**
 * How far lists may trail, for a proof of what became of an order. As assumed, or what was learned where that is less,
 * and nothing speaks against it now. Everything else (windows, what a person is told, other processes) goes by what is
 * assumed.
 */
export function readLagBoundMs({ settings, lags }: TraderState): DurationMs {
  return Math.min(settings.assumptions.readLagBoundMs, lags.boundMs ?? Number.POSITIVE_INFINITY);
}

/** Whether a proof may have gone by less than what is assumed: then it is looked after for as long as that. */
export const isLearning = ({ settings }: TraderState): boolean => settings.assumptions.learning !== undefined;

/** After every step: what is in force for the next one. */
export function judgeBound({ state, now }: Turn): void {
  const { lags } = state;
  const learned = learnedMs(state, now);
  lags.boundMs = learned === null || isDoubtful(state, learned, now) ? null : learned;
}

/** Null where nothing was learned, or not enough. */
export function learnedMs(state: TraderState, now: EpochMs): DurationMs | null {
  const { learning } = state.settings.assumptions;
  if (learning === undefined || !policyOf(state).learnsLags) return null;
  const counted = LAG_KINDS.map((kind) => countedOf(state, kind, now));
  if (counted.some((samples) => samples.length < learning.samples)) return null;
  const largest = Math.max(...counted.flat().map(({ atMostMs }) => atMostMs));
  return Math.max(learning.leastMs, learning.margin * largest);
}

/** The last samples of a kind that count: none where the newest of them is old. */
export function countedOf({ lags, settings }: TraderState, kind: LagKind, now: EpochMs): readonly LagSample[] {
  const { learning } = settings.assumptions;
  const from = Math.max(now - OLDEST_MS, lags.contradictedAt ?? 0);
  const newest = lags.samples[kind].at(-1);
  if (learning === undefined || newest === undefined || now - newest.at > FRESH_MS) return [];
  return lags.samples[kind].slice(-learning.samples).filter(({ at }) => at > from && at <= now);
}

/**
 * Whether something looks as if lists trailed by more at this moment, though it proves nothing: an order that no list
 * shows, or a wallet that differs. It ends with its cause.
 */
function isDoubtful(state: TraderState, learned: DurationMs, now: EpochMs): boolean {
  const { differsSince } = state.reconciliation;
  if (differsSince !== null && now - differsSince > learned) return true;
  return [...state.lags.orders.values()].some((watch) => isUnlisted(watch, learned));
}

function isUnlisted({ accepted, closed, runs }: OrderWatch, learned: DurationMs): boolean {
  const run = runs.at(-1);
  if (accepted === null || closed !== null || run === undefined || run.listed) return false;
  return runs.every(({ listed }) => !listed) && run.last.sentAt - accepted.to > learned;
}

/** What was learned is wrong: what is assumed is in force again, until as much was learned anew. */
export function noteContradiction(turn: Turn, kind: LagKind, atLeastMs: DurationMs): void {
  const { state, now } = turn;
  const before = readLagBoundMs(state);
  if (!isLearning(state) || atLeastMs <= (learnedMs(state, now) ?? before)) return;
  const { assumptions } = state.settings;
  state.lags.contradictedAt = now;
  state.lags.boundMs = null;
  state.lags.version += 1;
  const [seen, assumed] = [atLeastMs, assumptions.readLagBoundMs].map((ms) => `${(ms / SECOND).toFixed(1)} s`);
  const message =
    `Lists trailed by ${seen} at least (${kind}), which is more than was learned: ${assumed} hold again, ` +
    `as assumed.`;
  notice(turn, { level: 'warn', op: 'lag-bound-widened', message });
}
