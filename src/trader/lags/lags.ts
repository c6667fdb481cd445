// How far the exchange's lists trail, measured by own creates, cancels and fills, and shown as figures. It decides
// nothing, and pages a person if a list trailed by more than assumed.
import type { Fill } from '../../domain/fill.ts';
import { type IntentId, intentId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { DAY, type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from '../../domain/time.ts';
import type { Completed, CompletedRead } from '../../venue/outcomes.ts';
import type { TraderEvent } from '../durable/events.ts';
import { fromFillRecord } from '../durable/fold/fill-record.ts';
import type { DurableOrders, Intent } from '../durable/intent.ts';
import {
  addLook,
  addSample,
  type BrokenBound,
  endOrder,
  type Happened,
  LAG_KINDS,
  type LagKind,
  type LagSample,
  type Lags,
  type Proved,
  type Watch,
  watchEvent,
  wrongBy,
} from '../state/lags.ts';
import { seenOf } from '../state/seen.ts';
import type { Chosen } from '../state/session.ts';
import { lagBoundMs, type TraderState, type With } from '../state/state.ts';
import { notice, type Step, type Turn } from '../state/turn.ts';

/** Nearest rank. */
export interface Percentiles {
  readonly p50: DurationMs;
  readonly p90: DurationMs;
  readonly p99: DurationMs;
  readonly max: DurationMs;
}

export interface LagFigures {
  readonly kind: LagKind;
  readonly samples: number;
  /** Null while there are none. */
  readonly oldestAt: EpochMs | null;
  readonly newestAt: EpochMs | null;
  readonly atLeastMs: Percentiles | null;
  readonly atMostMs: Percentiles | null;
}

export interface ReadLagsView {
  /** As configured. */
  readonly assumedMs: DurationMs;
  readonly kinds: readonly LagFigures[];
  /** Set for a day after a list was proved to trail by more than assumed. */
  readonly broken: BrokenBound | null;
}

/** A broken assumption is shown this long among the open issues. */
const BROKEN_SHOWN_MS = DAY;

export function readLagsView({ settings, lags }: With<'settings' | 'lags'>, now: EpochMs): ReadLagsView {
  const assumedMs = lagBoundMs(settings);
  const { broken } = lags;
  const stands = broken !== null && now - broken.at <= BROKEN_SHOWN_MS && broken.atLeastMs > assumedMs;
  return { assumedMs, kinds: lagFigures(lags), broken: stands ? broken : null };
}

export function lagFigures({ samples }: Pick<Lags, 'samples'>): LagFigures[] {
  return LAG_KINDS.map((kind) => figuresOf(kind, samples[kind]));
}

function figuresOf(kind: LagKind, samples: readonly LagSample[]): LagFigures {
  return {
    kind,
    samples: samples.length,
    oldestAt: samples[0]?.at ?? null,
    newestAt: samples.at(-1)?.at ?? null,
    atLeastMs: percentiles(samples.map(({ atLeastMs }) => atLeastMs)),
    atMostMs: percentiles(samples.map(({ atMostMs }) => atMostMs)),
  };
}

function percentiles(values: readonly number[]): Percentiles | null {
  const sorted = values.toSorted((a, b) => a - b);
  const max = sorted.at(-1);
  if (max === undefined) return null;
  const rank = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? max;
  return { p50: rank(0.5), p90: rank(0.9), p99: rank(0.99), max };
}

// A proof that a list trailed by more than assumed: conclusions from the assumption may be wrong, and a person must
// know.

/** People are notified again after this long, or if it got this much worse. */
const SAID_FOR_MS = HOUR;
const WORSE_RATIO = 1.5;

const WORDS: Readonly<Record<LagKind, string>> = {
  listed: 'Open orders lacked an order that rested',
  gone: 'Open orders showed an order whose cancel was acknowledged, or that was filled,',
  trades: 'Own trades lacked a fill',
};

export function reportLag(turn: Step<'settings' | 'lags'>, kind: LagKind, atLeastMs: DurationMs): void {
  const { lags, settings } = turn.state;
  const assumedMs = settings.assumptions.readLagBoundMs;
  if (atLeastMs <= assumedMs) return;
  const found = { kind, at: turn.now, atLeastMs };
  const before = lags.broken;
  const isNews = before === null || turn.now - before.at > SAID_FOR_MS || atLeastMs > before.atLeastMs * WORSE_RATIO;
  if (!isNews) return;
  lags.broken = found;
  notice(turn, { level: 'page', op: 'lag-bound-broken', message: brokenSentence(found, assumedMs) });
}

export function brokenSentence({ kind, atLeastMs }: BrokenBound, assumedMs: DurationMs): string {
  const [seen, assumed] = [atLeastMs, assumedMs].map((ms) => `${(ms / SECOND).toFixed(1)} s`);
  return (
    `${WORDS[kind]} ${seen} later, and ${assumed} at most are assumed (assumptions.readLagBoundMs): what ` +
    `was proved by that may be wrong.`
  );
}

// Measures how far the exchange's lists trail by own creates, cancels and fills. It decides nothing.

/** A list may return to what it showed before: an event is settled only after this. */
const SETTLED_AFTER_MS = MINUTE;
/** An event that no list has shown by then is dropped. */
const LONGEST_WATCH_MS = 30 * MINUTE;

interface Answer {
  readonly chosen: Chosen;
  readonly completed: Completed;
}

/** Runs last in a turn. */
export function trackLags(turn: Turn, answer: Answer | null): void {
  const { lags, markets, clock } = turn.state;
  if (!isSameClock(turn.state)) {
    // Times from before and after a clock change can't be subtracted.
    lags.watches.clear();
    for (const { trades } of markets.values()) trades.presentSentAt = null;
  }
  lags.offsetMs = clock?.offsetMs ?? null;
  const read = answer && listRead(answer);
  for (const event of turn.events) trackEvent(turn, event, read);
  if (read !== null) trackRead(turn, read);
}

/** Whether the offset between our clock and the exchange's is unchanged. */
function isSameClock({ lags, clock, settings }: With<'settings' | 'lags' | 'clock'>): boolean {
  if (lags.offsetMs === null || clock === null) return false;
  return Math.abs(clock.offsetMs - lags.offsetMs) <= settings.assumptions.maxClockUncertaintyMs;
}

type ListRead = Extract<CompletedRead, { kind: 'open-orders' | 'spot-trades' }>;

/** A list that is read periodically; reading archives is late in any case. */
function listRead({ chosen, completed }: Answer): ListRead | null {
  if (chosen.reading === true || completed.outcome.kind !== 'read') return null;
  const { kind } = completed;
  return kind === 'open-orders' || kind === 'spot-trades' ? completed : null;
}

function trackEvent(turn: Turn, event: TraderEvent, read: ListRead | null): void {
  const { state, now } = turn;
  const { lags } = state;
  switch (event.type) {
    case 'create-outcome': {
      const intent = state.durable.orders.intents.get(intentId(event.payload.intentId));
      if (event.payload.outcome !== 'accepted' || intent === undefined) return;
      const happened = { from: intent.sentAt, to: now };
      return watchEvent(lags, { kind: 'listed', id: intent.intentId, symbol: intent.symbol, happened });
    }
    case 'closed':
      return endOrder(lags, event.payload.intentId, event.payload.at);
    case 'cancel-outcome': {
      const intent = state.durable.orders.intents.get(intentId(event.payload.intentId));
      const from = intent && seenOf(state.orders, intent.intentId).cancel?.sentAt;
      if (event.payload.outcome !== 'acknowledged' || intent === undefined || from === undefined) return;
      const { intentId: id, symbol } = intent;
      if (!lags.watches.has(`gone ${id}`)) watchEvent(lags, { kind: 'gone', id, symbol, happened: { from, to: now } });
      return;
    }
    case 'fill':
      return trackFill(turn, event.payload, read);
    default:
      return;
  }
}

type FillPayload = Extract<TraderEvent, { type: 'fill' }>['payload'];

function trackFill(turn: Turn, { fill: record, intentId: of }: FillPayload, read: ListRead | null): void {
  const { lags, durable, session, markets, clock } = turn.state;
  const fill = fromFillRecord(record);
  const intent = of === null ? undefined : intentIn(durable.orders, intentId(of));
  const happened = whenFilled(clock, fill, intent?.sentAt ?? session.startedAt);
  if (happened === null) return;
  const { symbol } = fill;
  if (intent !== undefined) {
    endOrder(lags, intent.intentId, happened.from);
    if (intent.filled.gte(intent.quantity)) watchEvent(lags, { kind: 'gone', id: intent.intentId, symbol, happened });
  }
  if (read?.kind !== 'spot-trades' || read.outcome.kind !== 'read') return;
  const { receivedAt } = read.outcome.read;
  if (happened.from > receivedAt || happened.to < session.startedAt || isOpening(turn.events, symbol)) return;
  const lackedAt = markets.get(symbol)?.trades.presentSentAt ?? null;
  const atLeastMs = Math.max(0, (lackedAt ?? 0) - happened.to);
  // The row has an id: a list that lacked it was no outage.
  keep(turn, 'trades', { atLeastMs, confirmedMs: atLeastMs, atMostMs: receivedAt - happened.from });
}

const intentIn = ({ intents, closed }: DurableOrders, id: IntentId): Intent | undefined =>
  intents.get(id) ?? closed.get(id);

/** Before a market is opened its trades are read and not booked: no list is known to have lacked them. */
const isOpening = (events: readonly TraderEvent[], symbol: InstrumentSymbol): boolean =>
  events.some(({ type, payload }) => type === 'opened' && symbol in payload.markets);

/**
 * By our clock; null if the exchange's clock is unknown, or gives an impossible time. A time of whole seconds may be
 * truncated.
 */
function whenFilled(clock: TraderState['clock'], { venueTime }: Fill, notBefore: number): Happened | null {
  if (clock === null) return null;
  const { offsetMs, uncertaintyMs } = clock;
  const at = venueTime - offsetMs;
  const to = at + uncertaintyMs + (venueTime % SECOND === 0 ? SECOND : 0);
  return to < notBefore ? null : { from: Math.max(at - uncertaintyMs, notBefore), to };
}

function trackRead(turn: Turn, read: ListRead): void {
  const { lags, markets } = turn.state;
  if (read.outcome.kind !== 'read') return;
  if (read.kind === 'open-orders') trackOrders(turn, read);
  else {
    const { sentAt } = read.outcome.read;
    const trades = markets.get(read.request.symbol)?.trades;
    if (trades?.sentAt === sentAt) trades.presentSentAt = sentAt;
  }
  for (const [key, each] of lags.watches) if (isOver(each, turn.now)) settle(turn, key, each);
}

function trackOrders(
  turn: Step<'settings' | 'orders' | 'lags'>,
  { request, outcome }: Extract<ListRead, { kind: 'open-orders' }>,
): void {
  const { lags, durable, orders, settings } = turn.state;
  if (outcome.kind !== 'read' || !outcome.read.complete) return;
  const { rows, sentAt } = outcome.read;
  const listed = new Set<string | undefined>(rows.map(({ orderId }) => durable.orders.byOrderId.get(orderId)));
  for (const each of lags.watches.values()) {
    const { kind, id, symbol, happened, proved } = each;
    if ((request.symbol ?? symbol) !== symbol) continue;
    const isListed = listed.has(id);
    if (kind === 'gone') {
      addLook(each, !isListed, outcome.read);
      reportLag(turn, kind, wrongBy(each).confirmedMs);
      continue;
    }
    each.endedFrom ??= seenOf(orders, intentId(id)).cancel?.sentAt ?? null;
    // A list without any row may be an outage. Long after an order was shown, a list that lacks it has a hole.
    const isHole = proved !== null && sentAt - happened.to > lagBoundMs(settings);
    if (isListed || (rows.length > 0 && !isHole)) addLook(each, isListed, outcome.read);
    reportLag(turn, kind, each.proved?.confirmedMs ?? 0);
  }
}

function isOver({ happened, endedFrom, proved, wrong }: Watch, now: number): boolean {
  if (now < happened.to + SETTLED_AFTER_MS) return false;
  const isSettled = proved !== null && wrong.length === 0;
  const isLost = endedFrom !== null && now >= endedFrom + SETTLED_AFTER_MS;
  return isSettled || isLost || now >= happened.to + LONGEST_WATCH_MS;
}

function settle(turn: Step<'settings' | 'lags'>, key: string, { kind, proved }: Watch): void {
  turn.state.lags.watches.delete(key);
  if (proved !== null) keep(turn, kind, proved);
}

/** Only confirmed lags page a person. */
function keep(turn: Step<'settings' | 'lags'>, kind: LagKind, { atLeastMs, confirmedMs, atMostMs }: Proved): void {
  reportLag(turn, kind, confirmedMs);
  addSample(turn.state.lags, kind, { at: turn.now, atLeastMs, atMostMs });
}
