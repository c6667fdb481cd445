// The sweep: cancels what may be open, cancels it again after the horizon of the last create, and proves by two
// complete lists that nothing is left (order-truth §5). Pure: the same for the watchdog, for `cancel-all` and in
// virtual time.
import type { OrderId } from '../domain/ids.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import type { OpenOrder } from '../domain/order.ts';
import type { DurationMs } from '../domain/time.ts';
import { lackedAgainFrom, lackedAlso } from '../venue/lacked-twice.ts';
import { PROBE_EVERY_MS } from '../venue/refusals.ts';
import { mayBeCopyOf } from './sweep-match.ts';
import {
  allTargets,
  intervalOf,
  lackedForMs,
  provableFrom,
  type Scope,
  type Sweep,
  type Target,
  WHOLE_ACCOUNT,
} from './sweep-state.ts';

/** A request that its sender still has to stamp. */
export type SweepRequest =
  | { readonly kind: 'cancel'; readonly orderId: OrderId }
  | { readonly kind: 'cancel-all' }
  | { readonly kind: 'open-orders'; readonly symbol?: InstrumentSymbol };

/** A request in flight: its answer is evidence as of the time it left. */
export interface SweepSending {
  readonly request: SweepRequest;
  readonly leftAt: DurationMs;
}

export type SweepStep =
  | ({ readonly kind: 'send' } & SweepSending)
  | { readonly kind: 'wait'; readonly until: DurationMs }
  /** Proved: nothing of ours is open. */
  | { readonly kind: 'flat' };

/** Cancels come first; lists are read while cancels wait. Marks the returned request as in flight. */
export function nextStep(sweep: Sweep, now: DurationMs): SweepStep {
  advance(sweep, now);
  if (isFlat(sweep)) return { kind: 'flat' };
  const place = placeFrom(sweep, now);
  if (place > now) return { kind: 'wait', until: place };
  if (now < sweep.paceAt) return { kind: 'wait', until: sweep.paceAt };
  const cancels = cancelsOf(sweep);
  // The longest waiting comes first: else the first name alone would be canceled again and again.
  const [longest] = cancels.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
  const due = longest ?? listsOf(sweep, cancels).find(({ at }) => at <= now);
  if (due === undefined) return { kind: 'wait', until: earliest(sweep, now) };
  sweep.inFlight.set(keyOf(due.request), now);
  sweep.paceAt = Math.max(sweep.paceAt, now) + intervalOf(sweep);
  return { kind: 'send', request: due.request, leftAt: now };
}

/** When a place in flight is free: a request unanswered for this long no longer blocks others. */
function placeFrom({ inFlight, settings }: Sweep, now: DurationMs): DurationMs {
  const until = [...inFlight.values()].map((leftAt) => leftAt + PROBE_EVERY_MS).filter((at) => at > now);
  return until.length < settings.maxInFlight ? now : Math.min(...until);
}

export function keyOf(request: SweepRequest): string {
  if (request.kind === 'cancel') return `cancel ${request.orderId}`;
  return request.kind === 'cancel-all' ? request.kind : `list ${request.symbol ?? WHOLE_ACCOUNT}`;
}

interface Due {
  readonly request: SweepRequest;
  readonly at: DurationMs;
}

/** Moves to the second pass once the horizon has passed and everything was tried once; then to the proof. */
function advance(sweep: Sweep, now: DurationMs): void {
  const targets = allTargets(sweep);
  const tried = targets.every(({ passes, attempts }) => passes > 0 || attempts > 0);
  if (sweep.pass === 1 && now >= sweep.secondFrom && tried) {
    sweep.pass = 2;
    for (const scope of sweep.scopes.values()) scope.notBefore = 0;
  }
  if (sweep.pass === 2 && sweep.secondDoneAt === null && targets.every(({ passes }) => passes >= 2)) {
    sweep.secondDoneAt = now;
    for (const scope of sweep.scopes.values()) scope.notBefore = 0;
  }
}

function isFlat(sweep: Sweep): boolean {
  const through = allTargets(sweep).every(({ passes }) => passes >= 2);
  const proved = [...sweep.scopes.values()].every(({ done }) => done);
  return sweep.pass === 2 && through && proved && sweep.ambiguous.size === 0;
}

function cancelsOf({ targets, account, pass, inFlight }: Sweep): Due[] {
  const all: { request: SweepRequest; target: Target }[] = [...targets].map(([orderId, target]) => ({
    request: { kind: 'cancel', orderId },
    target,
  }));
  if (account !== null) all.unshift({ request: { kind: 'cancel-all' }, target: account });
  return all
    .filter(({ target }) => target.passes < pass)
    .map(({ request, target }) => {
      const leftAt = inFlight.get(keyOf(request));
      // A repeated cancel does no harm, so an unanswered one is sent again.
      return { request, at: Math.max(target.notBefore, leftAt === undefined ? 0 : leftAt + PROBE_EVERY_MS) };
    });
}

/** Only once every cancel was tried. A list that can't prove anything yet still finds unnamed orders. */
function listsOf({ scopes, inFlight, targets, account }: Sweep, cancels: readonly Due[]): Due[] {
  const untried = [...targets.values(), account].some((target) => target?.passes === 0 && target.attempts === 0);
  if (untried && cancels.some(({ request }) => !inFlight.has(keyOf(request)))) return [];
  return [...scopes]
    .filter(([, { done }]) => !done)
    .map(([name, scope]): Due => ({ request: listOf(name), at: scope.notBefore }))
    .filter(({ request }) => !inFlight.has(keyOf(request)));
}

function listOf(scope: string): SweepRequest {
  return scope === WHOLE_ACCOUNT ? { kind: 'open-orders' } : { kind: 'open-orders', symbol: scope };
}

function earliest(sweep: Sweep, now: DurationMs): DurationMs {
  const times = [...cancelsOf(sweep), ...listsOf(sweep, [])].map(({ at }) => at);
  const turns = [sweep.secondFrom, provableFrom(sweep)].filter((at) => at > now && Number.isFinite(at));
  return Math.min(...times.filter((at) => at > now), ...turns);
}

/** After a clean list: the next one at once if it can prove something, else as soon as it can. */
export function recordCleanList(sweep: Sweep, scope: Scope, sentAt: DurationMs): void {
  const rule = { countsFrom: provableFrom(sweep), apartMs: lackedForMs(sweep) };
  scope.lacked = lackedAlso(scope.lacked, sentAt, rule);
  if (scope.lacked.againAt === null) {
    scope.notBefore = restUntil(sweep, lackedAgainFrom(scope.lacked, rule) ?? rule.countsFrom);
    return;
  }
  scope.done = sweep.ambiguous.size === 0;
  // A person must decide about orders that may be ours. Keep looking, to see when they are canceled.
  if (!scope.done) scope.notBefore = sweep.paceAt + Math.max(lookMs(sweep), sweep.settings.gentleMs);
}

/** Without unnamed creates nothing can be learned before the proof counts; with them an occasional look is useful. */
function restUntil(sweep: Sweep, from: DurationMs): DurationMs {
  const look = sweep.paceAt + lookMs(sweep);
  if (sweep.unnamed.length > 0) return Math.min(look, from);
  return Number.isFinite(from) ? from : Math.max(look, sweep.secondFrom);
}

/** Time between two reads that only search. */
export const lookMs = (sweep: Sweep): DurationMs => Math.max(1_000, intervalOf(sweep));

// Finds orders that rest and may be the bot's, once all those known to be its own are proved gone.

export interface DoubtfulOrders {
  /** Orders that a person was asked about. */
  readonly asked: readonly OrderId[];
  /** Orders that a second copy of a create may have made, while the first has its name (F11). */
  readonly copies: readonly OrderId[];
}

/** Doubtful orders in the last lists of the sweep. */
export function doubtfulIn(sweep: Sweep, questioned: ReadonlySet<OrderId>): DoubtfulOrders {
  const rows = [...sweep.scopes.keys()].flatMap((name) => sweep.listed.get(name)?.rows ?? []);
  const idsOf = (are: (row: OpenOrder) => boolean): OrderId[] => rows.filter(are).map(({ orderId }) => orderId);
  const isAsked = ({ orderId }: OpenOrder): boolean => questioned.has(orderId);
  return { asked: idsOf(isAsked), copies: idsOf((row) => !isAsked(row) && isCopy(sweep, row)) };
}

function isCopy({ targets, closed, creates, settings }: Sweep, row: OpenOrder): boolean {
  if (targets.has(row.orderId) || closed.has(row.orderId)) return false;
  return [...creates.values()].some((create) => mayBeCopyOf(create, row, settings.match));
}

/** Null without any. `when`: the time of the proof; empty for the present. */
export function doubtfulWords({ asked, copies }: DoubtfulOrders, when = ''): string | null {
  if (asked.length + copies.length === 0) return null;
  const count = asked.length === 1 ? 'One order' : `${asked.length} orders`;
  return [
    `What is known to be the bot's is not open: proved by two complete lists${when === '' ? '' : `, ${when}`}.`,
    ...(asked.length === 0
      ? []
      : [`${count} may be the bot's: a person was asked, and it is not canceled without his word.`]),
    ...(copies.length === 0
      ? []
      : [`${copies.join(' and ')} may be of a second copy of a create of the bot's: not canceled, look whose it is.`]),
  ].join(' ');
}
