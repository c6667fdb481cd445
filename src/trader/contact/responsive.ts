// Whether the exchange answers, as the trader sees it: records every request and answer, and returns since when there
// has been silence.
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import type { Completed } from '../../venue/outcomes.ts';
import { isOfTheRequest, PROBE_EVERY_MS, remedyOf } from '../../venue/refusals.ts';
import type { VenueRequest } from '../../venue/requests.ts';
import type { Chosen, Contact, ContactLane } from '../state/session.ts';
import { deadlineMs, stretch, type TraderState, type With } from '../state/state.ts';
import type { Surface } from '../state/surfaces.ts';
import { notice, type Turn } from '../state/turn.ts';

const LANES: readonly ContactLane[] = ['public', 'private'];
const TOO_MANY_REQUESTS = 429;
/** This many polling intervals without an answer are a silence, */
const MISSED_INTERVALS = 2;
/** but never less than this: a book that is polled many times a second may be slow once. */
const SHORTEST_SILENCE_MS: DurationMs = 2 * SECOND;
/** A gap between reads is shorter than the proof deadline, and longer than a slow lane takes between two answers. */
const LONGEST_GAP_MS: DurationMs = 60 * SECOND;

/** Legacy requests share the lane of the public ones. */
const contactLane = ({ kind }: Pick<VenueRequest, 'kind'>): ContactLane =>
  ENDPOINTS[kind].lane === 'private' ? 'private' : 'public';

export function recordSent({ requests, contact }: With<'requests' | 'contact'>, chosen: Chosen, now: EpochMs): void {
  const { key, request } = chosen;
  const lane = contactLane(request);
  const overdue = requests.inFlight.get(key);
  if (overdue !== undefined) contact[lane] = withoutAnswer(contact[lane], { ...overdue, because: OVERDUE });
  requests.inFlight.set(key, { chosen, lane, leftAt: now });
}

const OVERDUE = `Nothing came back within ${PROBE_EVERY_MS / SECOND} s.`;

/** Frees the key and records whether the lane has answered. */
export function recordCompleted(turn: Turn, chosen: Chosen, completed: Completed): void {
  const { state, arrivedAt } = turn;
  const { key, request } = chosen;
  const lane = contactLane(request);
  const kind = answerKind(completed);
  if (kind !== 'none') endSilence(turn, lane);
  // A later request with the same key may be in flight: that one counts.
  if (state.requests.inFlight.get(key)?.chosen === chosen) state.requests.inFlight.delete(key);
  const before = state.contact[lane];
  if (kind === 'none') {
    const readsFrom = namedWaitOf(completed);
    const leftAt = completed.facts.sentAt;
    const [because, refuses] = [becauseOf(completed), isOfTheExchange(completed)];
    state.contact[lane] = withoutAnswer(before, { leftAt, because, refuses, readsFrom });
    return;
  }
  const after = withAnswer(before, { used: kind === 'used', arrivedAt });
  const isRead = completed.outcome.kind === 'read';
  state.contact[lane] = isRead ? withRead(after, { arrivedAt, gapMs: longestGapMs(state) }) : after;
}

/**
 * A 429 holds the whole lane, cancels included: that is the lane's own wait. A wait that a gateway names applies to
 * reads.
 */
function namedWaitOf({ facts }: Completed): EpochMs {
  const wait = facts.rateLimit?.retryAfter;
  return wait === undefined || facts.status === TOO_MANY_REQUESTS ? 0 : facts.receivedAt + wait;
}

/** The first answer after a silence: whatever waited for an answer is due now, on the other lane too. */
function endSilence(turn: Turn, answering: ContactLane): void {
  const { state, now, arrivedAt } = turn;
  const lanes = nothingAnswers(state) ? LANES : LANES.filter((each) => each === answering && isCut(state, each, now));
  for (const lane of lanes) {
    state.contact[lane] = withEndOfSilence(state.contact[lane], arrivedAt);
    for (const surface of surfacesOf(state, lane)) surface.failures = 0;
  }
  if (lanes.length === 0) return;
  for (const { unsent } of state.markets.values()) unsent.restUntil = Math.min(unsent.restUntil, now);
}

function surfacesOf(
  { markets, otherBooks, wallet }: With<'markets' | 'otherBooks' | 'wallet'>,
  lane: ContactLane,
): readonly Surface[] {
  if (lane === 'public')
    return [
      ...[...markets.values()].flatMap(({ book, knowledge }) => [book, knowledge.tradesRead]),
      ...otherBooks.values(),
    ];
  return [...[...markets.values()].flatMap(({ openOrders, trades }) => [openOrders, trades]), wallet];
}

/** Notifies once that a silence has begun, and once that it is over. */
export function notifySilence(turn: Turn): void {
  const { state, now } = turn;
  const since = silentSince(state, now);
  // `refusal.ts` notifies of maintenance.
  if (since !== null && state.contact.silenceNotified === null && state.refusal?.kind !== 'maintenance') {
    state.contact.silenceNotified = since;
    const { lanes, because } = contactView(state, now);
    const pace = `It is asked every ${PROBE_EVERY_MS / SECOND} s at the least, with cancels first`;
    const message = `${contactWords(lanes)}. ${pace}: ${because ?? 'Nothing comes back.'}`;
    notice(turn, { level: 'warn', op: 'not-responding', message });
  } else if (since === null && state.contact.silenceNotified !== null) {
    const lasted = ((now - state.contact.silenceNotified) / SECOND).toFixed(0);
    state.contact.silenceNotified = null;
    notice(turn, {
      level: 'info',
      op: 'exchange-answers',
      message: `The exchange answers normally again, after ${lasted} s.`,
    });
  }
}

/**
 * `used`: the requested answer, or a refusal of that request alone. `refused`: keys or clock are refused; that counts
 * as an answer, and `Refusal` handles it. `none`: silence, a failure of the exchange or of a gateway, maintenance, or
 * too many requests.
 */
function answerKind({ outcome, facts }: Completed): 'used' | 'refused' | 'none' {
  switch (outcome.kind) {
    case 'read':
    case 'accepted':
    case 'acknowledged':
      return 'used';
    case 'soft-rejected':
      return facts.status === TOO_MANY_REQUESTS ? 'none' : 'used';
    case 'rejected': {
      if (isOfTheRequest(outcome.refusal)) return 'used';
      return remedyOf(outcome.refusal) === 'retry' ? 'none' : 'refused';
    }
    default:
      return 'none';
  }
}

function becauseOf({ outcome, facts }: Completed): string {
  if ('fault' in outcome) return outcome.fault.detail;
  if ('msg' in outcome && outcome.kind === 'rejected') return `${outcome.code} ${outcome.msg}`;
  const status = 'status' in outcome ? outcome.status : facts.status;
  return `HTTP ${status ?? '?'}.`;
}

/**
 * 429, or a code of the exchange's own. A page without a code may come from a gateway; maintenance is handled
 * elsewhere.
 */
function isOfTheExchange({ outcome, facts }: Completed): boolean {
  if (facts.status === TOO_MANY_REQUESTS || outcome.kind === 'rejected') return true;
  if (outcome.kind === 'throttled') return outcome.status === TOO_MANY_REQUESTS;
  return 'fault' in outcome && outcome.fault.refusal !== undefined;
}

/**
 * When the lane's silence began; null while it gives usable answers, and until the silence is long enough. A single
 * failed request is no silence, however long the next one waits for its turn, nor is a hanging request while later ones
 * are answered.
 */
function laneSilentSince(state: TraderState, lane: ContactLane, now: EpochMs): EpochMs | null {
  const { silentSince, probes, usedAt } = state.contact[lane];
  const isSure = probes > 1 || state.refusal?.kind === 'maintenance';
  let since = isSure && silentSince !== null ? silentSince : Number.POSITIVE_INFINITY;
  for (const { lane: of, leftAt } of state.requests.inFlight.values())
    if (of === lane && leftAt >= (usedAt ?? 0)) since = Math.min(since, leftAt);
  // No silence threshold is shorter, so an answering lane need not compute it.
  if (now - since < SHORTEST_SILENCE_MS) return null;
  return now - since >= patienceMs(state, lane) ? since : null;
}

/** Whether the last request on each lane is unanswered. */
const nothingAnswers = ({ contact }: With<'contact'>): boolean =>
  LANES.every((lane) => contact[lane].silentSince !== null);

/** Whether a lane is silent for long enough, or the whole exchange is. */
export const isCut = (state: TraderState, lane: ContactLane, now: EpochMs): boolean =>
  nothingAnswers(state) || laneSilentSince(state, lane, now) !== null;

/** Repeated cancels in a row before a read: if only cancels fail, no other request would ever reveal it. */
const REPEATS_BEFORE_READ = 3;

/**
 * Whether a cancel answered then without effect may be repeated before any read: nothing is answered, or it was lost in
 * a silence that is over.
 */
export function repeatsInSilence(state: TraderState, answeredAt: EpochMs, now: EpochMs): boolean {
  if (gotLost(state, answeredAt) || nothingAnswers(state)) return true;
  return state.requests.cancelsRepeated < REPEATS_BEFORE_READ && laneSilentSince(state, 'private', now) !== null;
}

/** Whether a request that failed at that moment failed in a silence that is over. */
export function gotLost({ contact }: With<'contact'>, answeredAt: EpochMs): boolean {
  const { againAt } = contact.private;
  return againAt !== null && answeredAt < againAt;
}

/** When the silence of one lane or both began. */
function silentSince(state: TraderState, now: EpochMs): EpochMs | null {
  const since = LANES.flatMap((lane) => laneSilentSince(state, lane, now) ?? []);
  return since.length === 0 ? null : Math.min(...since);
}

/** Whether two polling intervals passed without an awaited answer. */
export const notResponding = (state: TraderState, now: EpochMs): boolean => silentSince(state, now) !== null;

function patienceMs(state: With<'settings' | 'markets' | 'otherBooks' | 'requests'>, lane: ContactLane): DurationMs {
  const { bookMs, openOrdersMs, tradesMs, walletMs } = state.settings.polling;
  const polled = lane === 'public' ? bookMs : Math.min(openOrdersMs, tradesMs, walletMs);
  return Math.max(SHORTEST_SILENCE_MS, MISSED_INTERVALS * polled * stretch(state, lane));
}

function longestGapMs({ settings, requests }: With<'settings' | 'requests'>): DurationMs {
  const patience = Math.min(LONGEST_GAP_MS, settings.assumptions.resolutionDeadlineMs / 4);
  return Math.max(patience, (4 * SECOND) / requests.pace.private);
}

/** The same between two lists of own orders, which have a polling interval of their own. */
export function longestListGapMs(state: With<'settings' | 'markets' | 'otherBooks' | 'requests'>): DurationMs {
  const intervalMs = state.settings.polling.openOrdersMs * stretch(state, 'private');
  return Math.max(longestGapMs(state), MISSED_INTERVALS * intervalMs);
}

/**
 * Since when private reads are answered without a long gap (an outage, a long Retry-After, maintenance); null in a gap.
 * Only reads count: an accepted cancel shows nothing.
 */
export function readsAnsweredSince(state: With<'settings' | 'requests' | 'contact'>, now: EpochMs): EpochMs | null {
  const { readAt, readSince } = state.contact.private;
  return now - readAt > longestGapMs(state) ? null : readSince;
}

/**
 * Until when something that began at `since` may stay unexplained: there must have been reads to explain it, and a gap
 * has none.
 */
export function searchEndsAt(state: With<'settings' | 'requests' | 'contact'>, since: EpochMs, now: EpochMs): EpochMs {
  return Math.max(since, readsAnsweredSince(state, now) ?? now) + deadlineMs(state);
}

/** Whether a lane answers, answers but refuses (too many requests, failures of its own), or is silent. */
export type LaneContact = 'answers' | 'refuses' | 'silent';

export function laneContact(state: TraderState, lane: ContactLane, now: EpochMs): LaneContact {
  if (laneSilentSince(state, lane, now) === null) return 'answers';
  return state.contact[lane].refuses ? 'refuses' : 'silent';
}

/** What each lane is about, in words for people. */
const ABOUT: Readonly<Record<ContactLane, string>> = { public: 'order books', private: 'orders and wallet' };

/** No full stop. Names what gets no answer, or only refusals. */
export function contactWords(lanes: ContactView['lanes']): string {
  const [silent, refused] = (['silent', 'refuses'] as const).map((how) => LANES.filter((lane) => lanes[lane] === how));
  const about = (of: readonly ContactLane[] = []): string => of.map((lane) => ABOUT[lane]).join(', ');
  if (silent?.length === LANES.length) return 'The exchange has not answered';
  if (silent?.length === 0) return `The exchange has answered, but refused requests about ${about(refused)}`;
  const also = refused?.length === 0 ? '' : `, and has refused those about ${about(refused)}`;
  return `The exchange has not answered requests about ${about(silent)}${also}`;
}

export interface ContactView {
  /** When the last used answer came; null before the first. */
  readonly usedAt: number | null;
  /** When the first request left that is unanswered since; null while the exchange answers. */
  readonly silentSince: number | null;
  /** Failed requests since then. */
  readonly probes: number;
  /** The same per lane. */
  readonly silentSinceBy: Readonly<Record<ContactLane, number | null>>;
  readonly lanes: Readonly<Record<ContactLane, LaneContact>>;
  /** How the last request there failed, one sentence; null while the exchange answers, and before any answer. */
  readonly because: string | null;
}

/** Both lanes together, for status displays. */
export function contactView(state: TraderState, now: EpochMs): ContactView {
  const used = LANES.flatMap((lane) => state.contact[lane].usedAt ?? []);
  const since = (lane: ContactLane): EpochMs | null => laneSilentSince(state, lane, now);
  const silentSinceBy = { public: since('public'), private: since('private') };
  const contacts = LANES.filter((lane) => silentSinceBy[lane] !== null).map((lane) => state.contact[lane]);
  return {
    usedAt: used.length === 0 ? null : Math.max(...used),
    silentSince: silentSince(state, now),
    silentSinceBy,
    probes: contacts.reduce((sum, { probes }) => sum + probes, 0),
    lanes: { public: laneContact(state, 'public', now), private: laneContact(state, 'private', now) },
    because: contacts.find(({ because }) => because !== null)?.because ?? null,
  };
}

// Changes of one lane's state by answers and unanswered requests. Pure.

/** Any answer arrived. `used`: it answers the request. */
export function withAnswer(contact: Contact, { used, arrivedAt }: { used: boolean; arrivedAt: EpochMs }): Contact {
  const usedAt = used ? arrivedAt : contact.usedAt;
  return { ...contact, usedAt, silentSince: null, probes: 0, because: null, refuses: false, readsFrom: 0 };
}

export interface Unanswered {
  readonly leftAt: EpochMs;
  readonly because: string;
  readonly refuses?: boolean;
  /** The wait for reads that a gateway's answer named. */
  readonly readsFrom?: EpochMs;
}

/** A request that left before the last answer came proves nothing about the time after it. */
export function withoutAnswer(before: Contact, unanswered: Unanswered): Contact {
  const { leftAt, because, refuses = false, readsFrom = 0 } = unanswered;
  const contact = { ...before, readsFrom: Math.max(before.readsFrom, readsFrom) };
  if (contact.silentSince !== null) return { ...contact, because, refuses, probes: contact.probes + 1 };
  if (contact.usedAt !== null && leftAt < contact.usedAt) return contact;
  return { ...contact, silentSince: leftAt, probes: 1, because, refuses };
}

const withEndOfSilence = (contact: Contact, againAt: EpochMs): Contact => ({ ...contact, againAt });

/** A read was answered; `gapMs` is the longest pause between two reads that is not a gap. */
function withRead(contact: Contact, { arrivedAt, gapMs }: { arrivedAt: EpochMs; gapMs: DurationMs }): Contact {
  const readSince = arrivedAt - contact.readAt > gapMs ? arrivedAt : contact.readSince;
  return { ...contact, readAt: arrivedAt, readSince };
}
