// A trader at a desk without a network: time passes by hand, lanes open by hand, and the exchange is what a test shows.
// After every step the events so far are folded anew and must give the live durable state (R4); slots and ledger are
// checked too.
import isSameData from 'fast-deep-equal/es6/index.js';
import { decimal, plain } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { type IntentId, orderId } from '../../../src/domain/ids.ts';
import { type Durable, emptyDurable } from '../../../src/trader/durable/durable.ts';
import type { TraderEvent } from '../../../src/trader/durable/events.ts';
import { applyEvent } from '../../../src/trader/durable/fold/apply-event.ts';
import type { Intent } from '../../../src/trader/durable/intent.ts';
import { observe, type TraderInput } from '../../../src/trader/observe/observe.ts';
import { recover, type Session } from '../../../src/trader/observe/recover.ts';
import type { Resumed } from '../../../src/trader/observe/resume.ts';
import type { Chosen } from '../../../src/trader/state/session.ts';
import type { TraderSettings } from '../../../src/trader/state/settings.ts';
import type { TraderState } from '../../../src/trader/state/state.ts';
import type { Notice } from '../../../src/trader/state/turn.ts';
import { catchUp, commit, next, wakeAt } from '../../../src/trader/turns/next.ts';
import type { AnswerFacts, Completed, ReadOutcome } from '../../../src/venue/outcomes.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';
import { createViolations, moneyViolations, slotViolations } from '../simulation/world-checks.ts';
import { badlyTold } from '../told.ts';
import { outdatedInputs } from './decision-inputs-check.ts';
import {
  accepted,
  acknowledged,
  flowsPage,
  type OrderShape,
  rowOf,
  type Shown,
  tradeNow,
  tradesPage,
  walletRow,
} from './desk-exchange.ts';
import { BTC, deskSettings } from './desk-settings.ts';
import { looks } from './steps/desk-looks.ts';

export * from './desk-exchange.ts';

type Outcome = Completed['outcome'];

export interface Desk {
  readonly state: () => TraderState;
  readonly now: () => number;
  readonly shows: Shown;
  readonly events: TraderEvent[];
  readonly notices: Notice[];
  /** Every request in order, with the moment it left. */
  readonly sent: { readonly at: number; readonly chosen: Chosen }[];
  /** Writes that wait for `answer`. */
  readonly held: Chosen[];
  /** How writes and reads are answered; null leaves them waiting in `held`, undefined is the exchange's own answer. */
  reply: (request: VenueRequest) => Outcome | null | undefined;
  extraFacts?: Partial<AnswerFacts>;
  pass(ms: number): void;
  tell(input: TraderInput): void;
  /** The private lane makes so many requests now. */
  pace(requestsPerSecond: number): void;
  open(lane: 'public' | 'private'): Chosen | null;
  /** `heldMs`: so long after its answer arrived the trader takes it in. */
  answer(chosen: Chosen, outcome?: Outcome, heldMs?: number): void;
  /** What the exchange of this desk says to a request that left then. */
  answerTo(request: VenueRequest, sentAt: number): Outcome;
  /** Lets lanes open one after the other, every `everyMs`, for `ms`. */
  run(ms: number, everyMs?: number): void;
  /** Reads open orders, own trades and wallet now, whatever the trader thinks of it. */
  look(...kinds: ('book' | 'orders' | 'trades' | 'wallet')[]): void;
  intents(): Intent[];
  slots(): string[];
  /** The process ends and starts again, with symbols to trade again, and with our clock set by so much meanwhile. */
  restart(settings?: TraderSettings, resume?: readonly Resumed[], clockSetMs?: number, startFacts?: StartFacts): void;
}
/** A create that was chosen. */
export type Create = Chosen & {
  readonly request: Extract<VenueRequest, { readonly kind: 'create' }>;
  readonly intentId: IntentId;
};
type StartFacts = Pick<Session, 'answer' | 'doubt' | 'acceptDifferences'>;
type Begin = { readonly resume?: readonly Resumed[] } & StartFacts;

export const START = 1_700_000_000_000;
const ROUND_TRIP_MS = 20;
/** Steps that write nothing are checked now and then. */
const CHECK_EVERY = 16;
/** The expensive check of cached inputs runs at every so many steps. */
const VIEWS_EVERY = 8;
const LEVELS: readonly Notice['level'][] = ['debug', 'info', 'warn', 'page'];

export function deskWith(settings: TraderSettings = deskSettings()): Desk {
  let now = START;
  let shadow: Durable = emptyDurable();
  let state = begin(settings, emptyDurable(), 1);
  const events: TraderEvent[] = [];
  const notices: Notice[] = [];
  const sent: { at: number; chosen: Chosen }[] = [];
  const held: Chosen[] = [];
  let session = 1;
  let offsetMs = 0;
  let named = 100;
  let steps = 0;

  type Begun = { value: TraderState; events: readonly TraderEvent[] };
  function begin(
    to: TraderSettings,
    durable: Durable,
    epoch: number,
    { resume = [], ...startFacts }: Begin = {},
  ): Begun {
    const recovered = recover(to, durable, { now, epoch, program: 'test', paperInstance: null, resume, ...startFacts });
    if (!recovered.ok) throw new Error(recovered.error);
    return { value: recovered.value.state, events: recovered.value.effects.events };
  }

  function fold(fresh: readonly TraderEvent[]): void {
    steps += 1;
    // A change without an event would show at the next of either.
    if (fresh.length === 0 && steps % CHECK_EVERY > 0) return;
    events.push(...fresh);
    for (const event of fresh) applyEvent(shadow, JSON.parse(JSON.stringify(event)) as TraderEvent);
    const created = fresh.flatMap(({ type, payload }) => (type === 'intent' ? [payload] : []));
    const broken = createViolations(state.value, created);
    if (broken.length > 0) throw new Error(broken.join(' '));
    check();
  }

  function check(): void {
    if (!isSameData(shadow, state.value.durable)) throw new Error('R4: the fold of the events is not the live state.');
    const broken = [...slotViolations(state.value), ...moneyViolations(state.value)];
    if (steps % VIEWS_EVERY === 0) broken.push(...outdatedInputs(state.value, now));
    if (broken.length > 0) throw new Error(broken.join(' '));
  }

  function hear(fresh: readonly Notice[]): void {
    notices.push(...fresh);
    const broken = badlyTold(fresh, LEVELS);
    if (broken.length > 0) throw new Error(broken.join(' '));
  }

  function tell(input: TraderInput): void {
    const turn = observe(state.value, input, now);
    state = { value: turn.state, events: [] };
    hear(turn.effects.notices);
    fold(turn.effects.events);
  }

  function open(lane: 'public' | 'private'): Chosen | null {
    const at = wakeAt(state.value, lane, now);
    if (lane === 'private') catchUp(state.value, now);
    const choice = next(state.value, lane, now);
    state = { ...state, events: [] };
    if (choice.kind === 'wait') {
      if (at <= now) throw new Error(`The ${lane} lane was to be asked at ${at} and had nothing at ${now}.`);
      return null;
    }
    const { chosen, effects } = commit(state.value, choice.candidate, now);
    hear(effects.notices);
    fold(effects.events);
    if (chosen.request.kind === 'create') checkCreate(chosen);
    sent.push({ at: now, chosen });
    return chosen;
  }

  /** S1 and S2: the intent is among the events already, and no create was sent for it before. */
  function checkCreate(chosen: Chosen): void {
    const written = events.some(({ type, payload }) => type === 'intent' && payload.intentId === chosen.intentId);
    if (!written) throw new Error(`S2: ${chosen.intentId} leaves without its intent.`);
    if (sent.some((each) => each.chosen.request.kind === 'create' && each.chosen.intentId === chosen.intentId))
      throw new Error(`S1: ${chosen.intentId} is created twice.`);
  }

  function answer(chosen: Chosen, outcome?: Outcome, heldMs = 0): void {
    const index = held.indexOf(chosen);
    if (index >= 0) held.splice(index, 1);
    const sentAt = sent.findLast((each) => each.chosen === chosen)?.at ?? now;
    const facts = { sentAt, receivedAt: Math.max(now, sentAt), ...desk.extraFacts };
    const { request } = chosen;
    const completed = { kind: request.kind, request, outcome: outcome ?? ownAnswer(request, sentAt), facts };
    now += heldMs;
    tell({ kind: 'completed', chosen, completed: completed as Completed });
  }

  function ownAnswer(request: VenueRequest, sentAt: number): Outcome {
    const read = <T>(rows: T, complete = true): ReadOutcome<T> => ({
      kind: 'read',
      read: { rows, complete, sentAt, receivedAt: now },
    });
    switch (request.kind) {
      case 'order-book': {
        const best = desk.shows.books[request.symbol] ?? null;
        if (best === null) return read({ bids: [], asks: [] });
        const level = (price: number) => [{ price: decimal(price), quantity: decimal('1') }];
        return read({ bids: level(best[0]), asks: level(best[1]) });
      }
      case 'public-trades':
        return read([...(desk.shows.publicTrades[request.symbol] ?? [])].reverse());
      case 'open-orders':
        return read(
          desk.shows.orders.filter(({ symbol }) => (request.symbol ?? symbol) === symbol),
          !desk.shows.ordersCut,
        );
      case 'spot-trades':
        return read(tradesPage(desk.shows.fills, request));
      case 'spot-trades-historical':
        return read(tradesPage(desk.shows.archive, request));
      case 'wallet':
        return read(
          Object.entries(desk.shows.balances).map(([asset, total]) => walletRow(asset, total, desk.shows.orders)),
        );
      case 'create': {
        const id = orderId(`1-${named}-1`);
        named += 1;
        desk.shows.orders.push(rowOf(request.order, id, now));
        return accepted(id);
      }
      case 'cancel':
        desk.shows.orders = desk.shows.orders.filter((row) => row.orderId !== request.orderId);
        return acknowledged;
      case 'crypto-deposits':
      case 'crypto-withdrawals':
      case 'fiat-deposits':
      case 'fiat-withdrawals': {
        const direction = request.kind.endsWith('deposits') ? 'deposit' : 'withdrawal';
        const { crypto, fiat } = desk.shows;
        const isOf = (row: { readonly direction: string }): boolean => row.direction === direction;
        if (request.kind.startsWith('crypto')) return read(flowsPage(crypto.filter(isOf), request));
        return read(flowsPage(fiat.filter(isOf), request));
      }
      case 'crypto-deposits-historical':
      case 'crypto-withdrawals-historical':
      case 'fiat-deposits-historical':
      case 'fiat-withdrawals-historical':
        return read([]);
      case 'sbs-trades':
        return read(
          flowsPage(
            desk.shows.sbs.filter(({ symbol }) => symbol === request.symbol),
            request,
          ),
        );
      case 'cancel-symbol':
        desk.shows.orders = desk.shows.orders.filter((row) => row.symbol !== request.symbol);
        return acknowledged;
      default:
        throw new Error(`The desk has no answer to ${request.kind}.`);
    }
  }

  function serve(lane: 'public' | 'private'): void {
    const chosen = open(lane);
    if (chosen === null) return;
    const outcome = desk.reply(chosen.request);
    if (outcome === null) held.push(chosen);
    else answer(chosen, outcome);
  }

  const desk: Desk = {
    state: () => state.value,
    now: () => now,
    shows: {
      orders: [],
      fills: [],
      archive: [],
      crypto: [],
      fiat: [],
      sbs: [],
      balances: { INR: decimal(1_000_000), BTC: decimal(1), ETH: decimal(10) },
      books: { 'BTC/INR': [99_000, 101_000], 'ETH/INR': [9_900, 10_100] },
      publicTrades: {},
      ordersCut: false,
    },
    events,
    notices,
    sent,
    held,
    reply: () => undefined,
    pace: (requestsPerSecond) => {
      state.value.requests.pace.private = requestsPerSecond;
      tell({ kind: 'tick' });
    },
    pass: (ms) => {
      now += ms;
    },
    tell,
    open,
    answer,
    answerTo: ownAnswer,
    run: (ms, everyMs = 100) => {
      for (const end = now + ms; now < end; now += everyMs) {
        serve('public');
        serve('private');
      }
    },
    look: (...kinds) => {
      for (const kind of kinds)
        for (const chosen of looks(state.value, kind, now)) {
          sent.push({ at: now, chosen });
          answer(chosen, desk.reply(chosen.request) ?? undefined);
        }
    },
    intents: () => [...state.value.durable.orders.intents.values()],
    slots: () =>
      desk
        .intents()
        .map((intent) => `${intent.slot} ${intent.state}`)
        .sort(),
    restart: (to = settings, resume = [], clockSetMs = 0, startFacts = {}) => {
      session += 1;
      now += clockSetMs;
      offsetMs -= clockSetMs;
      held.length = 0;
      shadow = foldAll(events);
      state = begin(to, foldAll(events), session, { resume, ...startFacts });
      fold(state.events);
      tell({ kind: 'clock', offsetMs, uncertaintyMs: 50, confirmed: true });
    },
  };
  fold(state.events);
  return desk;
}

export function foldAll(events: readonly TraderEvent[]): Durable {
  const durable = emptyDurable();
  for (const event of events) applyEvent(durable, JSON.parse(JSON.stringify(event)) as TraderEvent);
  return durable;
}

/** A desk whose trader knows everything and has placed a bid and an ask, orders 1-100-1 and 1-101-1. */
export function quotingDesk(settings?: TraderSettings): Desk {
  const desk = readyDesk(settings);
  desk.run(1_500);
  return desk;
}

/** The same before the first order: READY, and no lane has opened since. */
export function readyDesk(settings?: TraderSettings): Desk {
  const desk = deskWith(settings);
  makeReady(desk);
  return desk;
}

/** Clock, opening balances, and two books that agree: all that a trader wants to know before its first order. */
export function makeReady(desk: Desk): void {
  desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
  desk.look('book', 'orders', 'trades', 'wallet');
  desk.pass(ROUND_TRIP_MS);
  desk.look('trades', 'wallet');
  desk.pass(ROUND_TRIP_MS);
  desk.look('trades', 'wallet');
  // A decision looks at each book.
  wakeAt(desk.state(), 'private', desk.now());
  desk.pass(ROUND_TRIP_MS);
  desk.look('book');
}

/** An order of ours fills, and every list shows it at once. */
export function fillNow(desk: Desk, intent: Intent, given: Partial<Fill> = {}): Fill {
  if (intent.orderId === null) throw new Error(`${intent.intentId} has no order.`);
  return tradeNow(desk, intent, intent.orderId, given);
}

export const inSlot = (desk: Desk, slot: string, symbol = BTC): Intent => {
  const intent = desk.intents().find((each) => each.slot === slot && each.symbol === symbol);
  if (!intent) throw new Error(`Nothing is in ${slot}: ${desk.slots().join(', ')}.`);
  return intent;
};

/** The next create that the trader sends, unanswered; other requests are answered on the way. */
export function nextCreate(desk: Desk, withinMs = 20_000): Create {
  const usual = desk.reply;
  desk.reply = (request) => (request.kind === 'create' ? null : usual(request));
  for (const end = desk.now() + withinMs; desk.now() < end && desk.held.length === 0; ) desk.run(100);
  desk.reply = usual;
  const [create] = desk.held;
  if (create?.request.kind !== 'create') throw new Error(`No create within ${withinMs} ms: ${reasons(desk).join(' ')}`);
  return create as Create;
}

/** Why nothing is quoted, as decided last. */
export function reasons(desk: Desk): string[] {
  return [...desk.state().markets.values()].map(({ decision }) => decision?.reason ?? 'quoting');
}

export const textOf = ({ side, quantity, price }: OrderShape): string => `${side} ${plain(quantity)} @ ${plain(price)}`;

/** How a closed intent ended: `filled`, `canceled 0.4 of 1` … */
export function endOf(desk: Desk, id: string): string {
  const closed = [...desk.state().durable.orders.closed.values()].find(({ intentId }) => intentId === id);
  if (!closed) return 'not closed';
  return closed.filled.isZero()
    ? `${closed.closedAs}`
    : `${closed.closedAs} ${plain(closed.filled)} of ${plain(closed.quantity)}`;
}

export const ops = (desk: Desk): string[] => [...new Set(desk.notices.map(({ op }) => op))];

/** The orders that were to be canceled, in order. */
export const canceled = (desk: Desk): string[] =>
  desk.sent.flatMap(({ chosen: { request } }) => (request.kind === 'cancel' ? [request.orderId] : []));
