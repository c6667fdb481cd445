// The best two queues of the book of Cont, Stoikov & Talreja, "A stochastic model for order book dynamics" (Operations
// Research 58(3), 2010), one tick apart, until one of them is empty: measures the value of a place in a queue.
import type { InstrumentSymbol } from '../domain/instrument.ts';
import type { Side } from '../domain/order.ts';
import { type EpochMs, MINUTE } from '../domain/time.ts';
import type { EngineCommand, EngineOrder, Lots, MarketReader, Ticks } from '../matching/types.ts';
import { exponential, pick, pickWeighted, type RandomStream, randomStream } from './random.ts';
import { CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT, type Crowd, OPEN_CROWD_ACCOUNTS } from './types.ts';

/** Rates of each side at the best price. */
export interface QueueRates {
  /** λ(1): limit orders. */
  readonly limitsPerMinute: number;
  /** μ: market orders that hit the side. */
  readonly marketsPerMinute: number;
  /** θ(1): each resting order's chance of being canceled. */
  readonly cancelsPerMinute: number;
}

/** The paper's estimates for its stock at one tick from the other side. */
export const PAPER_RATES: QueueRates = { limitsPerMinute: 1.85, marketsPerMinute: 0.94, cancelsPerMinute: 0.71 };

interface QueueRaceSettings {
  readonly seed: number | string;
  readonly symbol: InstrumentSymbol;
  /** The best bid; the best ask is one tick above. */
  readonly bidPrice: Ticks;
  /** Every order has this size. */
  readonly orderQuantity: Lots;
  readonly startBids: number;
  readonly startAsks: number;
  readonly rates: QueueRates;
}

interface QueueRaceState {
  nextAt: EpochMs;
  started: boolean;
  /** A queue was empty: the mid price has moved. */
  over: boolean;
  readonly stream: RandomStream;
}

/**
 * Unit orders come, trade and go as six Poisson processes; orders of others are never canceled by the crowd. The first
 * step places the starting queues; `nextAt` is `null` once one of the two queues is empty.
 */
export function createQueueRace(settings: QueueRaceSettings): Crowd<QueueRaceState> {
  return {
    start: (startAt) => ({
      nextAt: startAt,
      started: false,
      over: false,
      stream: randomStream(settings.seed, 'queue-race'),
    }),
    nextAt: (state) => (state.over ? null : state.nextAt),
    step: (state, market) => ({ state, commands: stepRace(state, settings, market) }),
  };
}

function stepRace(state: QueueRaceState, settings: QueueRaceSettings, market: MarketReader): readonly EngineCommand[] {
  if (!state.started) {
    state.started = true;
    const bids = Array.from({ length: settings.startBids }, () => order(settings, 'buy', 'rests'));
    const asks = Array.from({ length: settings.startAsks }, () => order(settings, 'sell', 'rests'));
    planNext(state, settings.rates, bids.length + asks.length);
    return [...OPEN_CROWD_ACCOUNTS, ...bids, ...asks];
  }
  const bids = market.queue(settings.symbol, 'buy', settings.bidPrice);
  const asks = market.queue(settings.symbol, 'sell', askPrice(settings));
  state.over = bids.length === 0 || asks.length === 0;
  return state.over ? [] : nextEvent(state, settings, { bids: bids.filter(isCrowds), asks: asks.filter(isCrowds) });
}

interface CrowdQueues {
  readonly bids: readonly EngineOrder[];
  readonly asks: readonly EngineOrder[];
}

function nextEvent(
  state: QueueRaceState,
  settings: QueueRaceSettings,
  { bids, asks }: CrowdQueues,
): readonly EngineCommand[] {
  const { limitsPerMinute, marketsPerMinute, cancelsPerMinute } = settings.rates;
  const events: readonly (readonly [rate: number, command: () => EngineCommand | null])[] = [
    [limitsPerMinute, () => order(settings, 'buy', 'rests')],
    [limitsPerMinute, () => order(settings, 'sell', 'rests')],
    [marketsPerMinute, () => order(settings, 'buy', 'takes')],
    [marketsPerMinute, () => order(settings, 'sell', 'takes')],
    [cancelsPerMinute * bids.length, () => cancelOneOf(state.stream, bids)],
    [cancelsPerMinute * asks.length, () => cancelOneOf(state.stream, asks)],
  ];
  const event =
    events[
      pickWeighted(
        state.stream,
        events.map(([rate]) => rate),
      )
    ];
  planNext(state, settings.rates, bids.length + asks.length);
  const command = event?.[1]() ?? null;
  return command === null ? [] : [command];
}

function planNext(state: QueueRaceState, rates: QueueRates, crowdOrders: number): void {
  const perMinute = 2 * (rates.limitsPerMinute + rates.marketsPerMinute) + rates.cancelsPerMinute * crowdOrders;
  state.nextAt += Math.max(1, Math.round(exponential(state.stream, MINUTE / perMinute)));
}

function cancelOneOf(stream: RandomStream, orders: readonly EngineOrder[]): EngineCommand | null {
  const chosen = orders[pick(stream, orders.length)];
  return chosen === undefined ? null : { kind: 'cancel', account: CROWD_ACCOUNT, orderId: chosen.orderId };
}

function order(settings: QueueRaceSettings, side: Side, how: 'rests' | 'takes'): EngineCommand {
  const { symbol, orderQuantity: quantity, bidPrice } = settings;
  const atBid = (side === 'buy') === (how === 'rests');
  return {
    kind: 'create',
    account: how === 'rests' ? CROWD_ACCOUNT : CROWD_TAKER_ACCOUNT,
    symbol,
    side,
    price: atBid ? bidPrice : askPrice(settings),
    quantity,
    immediateOrCancel: how === 'takes',
  };
}

function askPrice({ bidPrice }: QueueRaceSettings): Ticks {
  return (bidPrice + 1) as Ticks;
}

function isCrowds({ account }: EngineOrder): boolean {
  return account === CROWD_ACCOUNT;
}
