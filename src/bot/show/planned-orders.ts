// The orders that `run` would place now, for `plan` and `check`: each passes the same risk gate on top of the others,
// and refusals are listed. Reads only; sends no order.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Quote } from '../../domain/order.ts';
import { type DurationMs, HOUR } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import { type ExpectedMoves, expectedMoves, type MovingQuotes } from '../../quoting/moves/diff.ts';
import { decisionOf } from '../../trader/decision/decide.ts';
import { emptyDurable, liveIntents } from '../../trader/durable/durable.ts';
import { observe, type TraderInput } from '../../trader/observe/observe.ts';
import { recover } from '../../trader/observe/recover.ts';
import type { Decision, Denied } from '../../trader/state/market.ts';
import type { RunSettings } from '../../trader/state/settings.ts';
import type { TraderState } from '../../trader/state/state.ts';
import { hasDecided, moveInThought, placeInThought, type RoomToMove, takeRead } from '../../trader/turns/preview.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { PROGRAM, VERSION } from '../base/program.ts';
import type { VenueSession } from '../keys/venue-session.ts';
import { checkListed } from '../run/venue-check.ts';
import type { Settings } from '../settings/types.ts';
import { canceledCountsMs, secondsText } from '../status/lag-meaning.ts';

/** After this many rounds of reads, a plan that still lacks something says what. */
const MOST_READS = 60;
/** The plan's answer for a run that quotes around other exchanges' prices. */
const NOT_ASKED = '`plan` does not ask other exchanges: `run` does.';
/** Pause while the trader wants nothing from a lane. */
const IDLE_MS = 50;
/** A second book confirms the first one's price: requested as soon as the lane allows. */
const SECOND_BOOK_MS = 500;
/** Message rates decide when an order is placed, not whether. */
const AT_ONCE = { maxPerSecond: 10_000, maxPerMinute: 10_000, maxPerDay: 10_000 };

export interface PlannedOrders {
  /** The decision before the first order. */
  readonly decision: Decision;
  /** Bids, then asks, each from the innermost outward. */
  readonly quotes: readonly Quote[];
  readonly refused: readonly (Denied & { readonly slot: string })[];
  readonly moves: PlannedMoves;
}

/** `state` includes the plan's orders. */
export async function plannedOrders(settings: Settings, session: VenueSession) {
  const state = await look(settings, session);
  const now = realClock.now();
  const decisions = [...state.markets.values()].map((market) => ({ market, decision: decisionOf(state, market, now) }));
  placeInThought(state, now);
  const planned = decisions.map(({ market, decision }) => {
    const { symbol } = market;
    const placed = new Map(liveIntents(state.durable, symbol).map((intent) => [intent.slot as string, intent]));
    const quotes = (decision.result?.quotes ?? []).flatMap((quote) => {
      const order = placed.get(`${quote.side}:${quote.level}`);
      return order === undefined ? [] : [{ ...quote, price: order.price, quantity: order.quantity }];
    });
    const { denied } = decisionOf(state, market, now);
    return { market, decision, quotes, refused: [...denied].map(([slot, why]) => ({ slot, ...why })) };
  });
  const rooms = moveInThought(state, now);
  const withinMs = canceledCountsMs(settings.trader);
  const requestsPerSecond = settings.trader.requestsPerSecond.private;
  const bySymbol = planned.map(({ market: { symbol, run }, ...orders }): [InstrumentSymbol, PlannedOrders] => {
    const told = { orders: orders.quotes.length, requestsPerSecond, room: rooms.get(symbol) ?? null, withinMs };
    return [symbol, { ...orders, moves: plannedMoves(run, told) }];
  });
  return { state, bySymbol: new Map(bySymbol) };
}

/** Sends the trader's reads until it has decided, one request at a time at the configured pace. */
async function look(settings: Settings, session: VenueSession): Promise<TraderState> {
  await checkListed(session, settings);
  const { trader } = settings;
  const impatient = {
    ...trader,
    messageRate: { ...trader.messageRate, ...AT_ONCE },
    polling: { ...trader.polling, bookMs: Math.min(trader.polling.bookMs, SECOND_BOOK_MS) },
  };
  const about = { epoch: 1, program: `${PROGRAM} ${VERSION} plan`, paperInstance: null, resume: [] };
  const recovered = recover(impatient, emptyDurable(), { now: realClock.now(), ...about });
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

// How often the market is expected to move the orders, how much of the lane that takes, and how many moves fit within
// the limits.

/** Cost of the tolerances of `refresh` at the expected volatility. */
export interface PlannedMoves extends ExpectedMoves {
  readonly volatilityBpsPerSqrtSecond: number;
  /** Whether the volatility comes from the configuration. */
  readonly isConfigured: boolean;
  /** Null if no order would be placed. */
  readonly room: PlannedRoom | null;
}

interface PlannedRoom extends RoomToMove {
  /** How long a canceled order counts. */
  readonly withinMs: DurationMs;
  /** Expected moves in that time. */
  readonly expected: number;
}

type Told = Pick<MovingQuotes, 'orders' | 'requestsPerSecond'> &
  Readonly<{ room: RoomToMove | null; withinMs: DurationMs }>;

/** A thin market by day; used if the configuration sets no volatility. */
const USUAL_VOLATILITY_BPS = 2;

export function plannedMoves({ refresh, quoting }: RunSettings, { room, withinMs, ...told }: Told): PlannedMoves {
  const configured = quoting.guard.volatilityBpsPerSqrtSecond;
  const isConfigured = configured > 0;
  const volatility = isConfigured ? configured : USUAL_VOLATILITY_BPS;
  const moves = expectedMoves({ refresh, volatility, ...told });
  const expected = (moves.perHour * told.orders * withinMs) / HOUR;
  const market = { volatilityBpsPerSqrtSecond: volatility, isConfigured };
  return { ...market, ...moves, room: room && { ...room, withinMs, expected } };
}

/** One sentence for people. */
export function movesLine({ perHour, requestsPerHour, laneShare, ...market }: PlannedMoves): string {
  const cost = `${Math.round(requestsPerHour)} requests, ${Math.round(laneShare * 100)} % of the private lane`;
  return `moves: each order about ${Math.round(perHour)} times an hour, ${marketWords(market)}: ${cost}`;
}

/** How many moves the limits allow, whatever the market does, and how many are expected. */
export function roomSentence({ moves, limit, withinMs, expected }: PlannedRoom, market: Market): string {
  const room = `Moves with room: ${moves} in ${secondsText(withinMs)}, while canceled orders count`;
  const most = `${Number(expected.toPrecision(2))}, ${marketWords(market)}`;
  return `${room}. Beyond that a level waits: ${limit} Expected: ${most}.`;
}

type Market = Pick<PlannedMoves, 'volatilityBpsPerSqrtSecond' | 'isConfigured'>;

function marketWords({ volatilityBpsPerSqrtSecond, isConfigured }: Market): string {
  const where = isConfigured ? 'as configured' : 'assumed: quoting.guard.volatilityBpsPerSqrtSecond is not set';
  return `where the price goes ${volatilityBpsPerSqrtSecond} bps per √s (${where})`;
}
