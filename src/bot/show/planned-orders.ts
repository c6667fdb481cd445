// What `plan` shows and `check` judges by: the orders that `run` would place now, held to the same risk gate one beside
// the other, and what the gate says against the rest. It reads; no order leaves.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Quote } from '../../domain/order.ts';
import { realClock } from '../../ports/clock.ts';
import { decisionOf } from '../../trader/decision/decide.ts';
import { emptyDurable, liveIntents } from '../../trader/durable/durable.ts';
import { observe, type TraderInput } from '../../trader/observe/observe.ts';
import { recover } from '../../trader/observe/recover.ts';
import type { Decision, Denied } from '../../trader/state/decision.ts';
import { runOf, symbolsOf, type TraderState } from '../../trader/state/state.ts';
import { hasDecided, moveInThought, placeInThought, takeRead } from '../../trader/turns/preview.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { PROGRAM, VERSION } from '../base/program.ts';
import type { VenueSession } from '../keys/venue-session.ts';
import { checkListed } from '../run/venue-check.ts';
import type { Settings } from '../settings/types.ts';
import { canceledCountsMs } from '../status/lag-meaning.ts';
import { type PlannedMoves, plannedMoves } from './planned-moves.ts';

/** Rounds of reads after which a plan that is still missing something says what. */
const MOST_READS = 60;
/** What a run says that quotes around the price of other exchanges. */
const NOT_ASKED = '`plan` does not ask other exchanges: `run` does.';
/** When the trader wants nothing from a lane. */
const IDLE_MS = 50;
/** A second book confirms the price of the first: it is asked for as soon as the lane lets it be. */
const SECOND_BOOK_MS = 500;
/** How often messages may leave says when an order is placed, and not whether. */
const AT_ONCE = { maxPerSecond: 10_000, maxPerMinute: 10_000, maxPerDay: 10_000 };

export interface Refused extends Denied {
  readonly slot: string;
}

export interface PlannedOrders {
  /** As it was decided before the first order. */
  readonly decision: Decision;
  /** Bids, then asks, each from the innermost outwards. */
  readonly quotes: readonly Quote[];
  readonly refused: readonly Refused[];
  readonly moves: PlannedMoves;
}

export interface Planned {
  /** The orders of the plan count in it. */
  readonly state: TraderState;
  readonly bySymbol: ReadonlyMap<InstrumentSymbol, PlannedOrders>;
}

export async function plannedOrders(settings: Settings, session: VenueSession): Promise<Planned> {
  const state = await look(settings, session);
  const now = realClock.now();
  const decisions = symbolsOf(state).map((symbol) => [symbol, decisionOf(state, symbol, now)] as const);
  placeInThought(state, now);
  const planned = decisions.map(([symbol, decision]) => {
    const placed = new Map(liveIntents(state.durable, symbol).map((intent) => [intent.slot as string, intent]));
    const quotes = (decision.result?.quotes ?? []).flatMap((quote) => {
      const order = placed.get(`${quote.side}:${quote.level}`);
      return order === undefined ? [] : [{ ...quote, price: order.price, quantity: order.quantity }];
    });
    const { denied } = decisionOf(state, symbol, now);
    return { symbol, decision, quotes, refused: [...denied].map(([slot, why]) => ({ slot, ...why })) };
  });
  const rooms = moveInThought(state, now);
  const withinMs = canceledCountsMs(settings.trader);
  const bySymbol = planned.map(({ symbol, ...orders }) => {
    const requestsPerSecond = settings.trader.requestsPerSecond.private;
    const told = { orders: orders.quotes.length, requestsPerSecond, room: rooms.get(symbol) ?? null, withinMs };
    return [symbol, { ...orders, moves: plannedMoves(runOf(state, symbol), told) }] as const;
  });
  return { state, bySymbol: new Map(bySymbol) };
}

/** Reads what the trader wants to read until it has decided, one request at a time at the configured pace. */
async function look(settings: Settings, session: VenueSession): Promise<TraderState> {
  await checkListed(session, settings);
  const { trader } = settings;
  const impatient = {
    ...trader,
    messageRate: { ...trader.messageRate, ...AT_ONCE },
    polling: { ...trader.polling, bookMs: Math.min(trader.polling.bookMs, SECOND_BOOK_MS) },
  };
  const about = {
    now: realClock.now(),
    epoch: 1,
    program: `${PROGRAM} ${VERSION} plan`,
    paperInstance: null,
    resume: [],
  };
  const recovered = recover(impatient, emptyDurable(), about);
  if (!recovered.ok) throw new StartError(EXIT.configurationInvalid, recovered.error);
  let { state } = recovered.value;
  const tell = (input: TraderInput): void => {
    state = observe(state, input, realClock.now()).state;
  };
  for (const { symbol, guards } of settings.reference?.symbols ?? [])
    tell({ kind: 'external-price', symbol, reading: { legs: [], missing: [NOT_ASKED], guards } });
  for (let reads = 0; reads < MOST_READS && !hasDecided(state, realClock.now()); reads += 1) {
    const known = session.clock();
    if (known) tell({ kind: 'clock', ...known });
    const chosen = takeRead(state, reads % 2 === 0 ? 'public' : 'private', realClock.now());
    if (chosen !== null) tell({ kind: 'completed', chosen, completed: await session.ask(chosen.request) });
    else await sleep(IDLE_MS);
  }
  return state;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
