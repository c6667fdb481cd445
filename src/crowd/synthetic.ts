// Zero-intelligence order flow around a moving latent price, with takers who know its direction.
import type { InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import { opposite, type Side } from '../domain/order.ts';
import { type DurationMs, type EpochMs, HOUR, SECOND } from '../domain/time.ts';
import type { EngineCommand, EngineOrder, MarketReader } from '../matching/types.ts';
import { cancelOf } from './mirror-book.ts';
import {
  createCommand,
  type DrawMarket,
  drawLimitOrder,
  drawMarket,
  drawTaker,
  oneTickFurther,
  type Taker,
} from './order-draw.ts';
import { chance, exponential, normal, pick, pickWeighted, type RandomStream, randomStream } from './random.ts';
import type { LatentSettings, SyntheticSettings } from './synthetic-settings.ts';
import { CROWD_ACCOUNT, type Crowd, OPEN_CROWD_ACCOUNTS } from './types.ts';

/** Plain data; markets in the order of the settings. */
export interface SyntheticState {
  /** When the present first step of every walk's path began. */
  latentAt: EpochMs;
  readonly markets: SyntheticMarketState[];
}

interface SyntheticMarketState {
  nextAt: EpochMs;
  seeded: boolean;
  readonly stream: RandomStream;
  /** `null` where the latent price is a product of others. */
  readonly walk: WalkState | null;
}

interface SyntheticCrowd extends Crowd<SyntheticState> {
  /** The latent price as of the last step, in quote per base: the fair price for an all-knowing observer. */
  latentPrice(state: SyntheticState, symbol: InstrumentSymbol): number;
}

/** The input of one market's event. */
interface Scene {
  readonly market: DrawMarket;
  readonly stream: RandomStream;
  readonly reader: MarketReader;
  readonly own: readonly EngineOrder[];
  /** The latent price now, and the one known to informed takers. */
  readonly latent: number;
  readonly ahead: number;
}

/**
 * A crowd for the given markets. Each step is one event of one market: a limit order, a taker, or a cancel, each a
 * Poisson process. A late step acts as of its planned time.
 */
export function createSyntheticCrowd(settings: SyntheticSettings): SyntheticCrowd {
  const markets = settings.markets.map(drawMarket);
  return {
    identity: identityOf(settings),
    start: (startAt) => startState(settings, startAt),
    nextAt: (state) => nextMarket(state)?.nextAt ?? null,
    step: (state, reader) => stepMarket(state, markets, reader),
    latentPrice(state, symbol) {
      const market = markets.find((candidate) => candidate.settings.instrument.symbol === symbol);
      invariant(market !== undefined, () => `The crowd has no market ${symbol}.`);
      return latentOf(state, markets, { market, leadMs: 0 });
    },
  };
}

/** The basis of the state: a state may continue with other order flow around the same walks. */
function identityOf({ seed, markets }: SyntheticSettings): string {
  const origins = markets.map(({ instrument: { symbol }, latent }) => [
    symbol,
    latent.kind === 'walk' ? latent.startPrice : latent.of,
  ]);
  return `made up: ${JSON.stringify([seed, longestLead(markets), origins])}`;
}

/** The walks of all markets are known this far ahead. */
const longestLead = (markets: SyntheticSettings['markets']): DurationMs =>
  Math.max(0, ...markets.map((market) => market.flow.informedLeadMs));

function startState({ seed, markets }: SyntheticSettings, startAt: EpochMs): SyntheticState {
  const leadMs = longestLead(markets);
  const start = ({ instrument: { symbol }, latent }: SyntheticSettings['markets'][number]): SyntheticMarketState => ({
    nextAt: startAt,
    seeded: false,
    stream: randomStream(seed, `flow.${symbol}`),
    walk: latent.kind === 'walk' ? startWalk(latent, { seed, name: symbol, leadMs }) : null,
  });
  return { latentAt: startAt, markets: markets.map(start) };
}

function nextMarket(state: SyntheticState): SyntheticMarketState | undefined {
  let next: SyntheticMarketState | undefined;
  for (const market of state.markets) if (next === undefined || market.nextAt < next.nextAt) next = market;
  return next;
}

function stepMarket(
  state: SyntheticState,
  markets: readonly DrawMarket[],
  reader: MarketReader,
): { state: SyntheticState; commands: readonly EngineCommand[] } {
  const next = nextMarket(state);
  const market = next === undefined ? undefined : markets[state.markets.indexOf(next)];
  if (next === undefined || market === undefined) return { state, commands: [] };
  moveLatent(state, markets, next.nextAt);
  const { symbol } = market.settings.instrument;
  const { informedLeadMs } = market.settings.flow;
  const scene: Scene = {
    market,
    stream: next.stream,
    reader,
    own: reader.ordersOf(CROWD_ACCOUNT, symbol),
    latent: latentOf(state, markets, { market, leadMs: 0 }),
    ahead: latentOf(state, markets, { market, leadMs: informedLeadMs }),
  };
  const commands = next.seeded ? eventCommands(scene) : seedCommands(scene);
  next.seeded = true;
  const [limit, taker, cancel] = eventRates(scene);
  // A market with all rates at zero still checks its levels every hour.
  const perSecond = Math.max(limit + taker + cancel, 1 / 3_600);
  next.nextAt += Math.max(1, Math.round(exponential(next.stream, SECOND / perSecond)));
  return { state, commands };
}

function moveLatent(state: SyntheticState, markets: readonly DrawMarket[], now: EpochMs): void {
  // The start of the step that holds `now`.
  const until = now - ((now - state.latentAt) % LATENT_STEP_MS);
  for (; state.latentAt < until; state.latentAt += LATENT_STEP_MS) {
    for (const [index, { walk }] of state.markets.entries()) {
      const latent = markets[index]?.settings.latent;
      if (walk !== null && latent?.kind === 'walk') moveWalk(walk, latent);
    }
  }
}

function latentOf(
  state: SyntheticState,
  markets: readonly DrawMarket[],
  { market, leadMs }: { market: DrawMarket; leadMs: DurationMs },
): number {
  const { latent } = market.settings;
  if (latent.kind === 'walk') {
    const walk = state.markets[markets.indexOf(market)]?.walk;
    invariant(walk != null, () => `The walk of ${market.settings.instrument.symbol} has no state.`);
    return walkPrice(walk, latent, leadMs);
  }
  return latent.of.reduce((product, symbol) => {
    const factor = markets.find((candidate) => candidate.settings.instrument.symbol === symbol);
    invariant(factor !== undefined, () => `The crowd has no market ${symbol}.`);
    return product * latentOf(state, markets, { market: factor, leadMs });
  }, 1);
}

function eventRates({ market, own }: Scene): readonly [limit: number, taker: number, cancel: number] {
  const { limitOrdersPerSecond, takersPerSecond, cancelsPerSecond } = market.settings.flow;
  return [limitOrdersPerSecond, takersPerSecond, cancelsPerSecond * own.length];
}

function eventCommands(scene: Scene): readonly EngineCommand[] {
  const event = pickWeighted(scene.stream, eventRates(scene));
  const commands = event === 0 ? limitCommands(scene) : event === 1 ? takerCommands(scene) : cancelCommands(scene);
  return [...commands, ...missingLevels(scene)];
}

function limitCommands(scene: Scene): readonly EngineCommand[] {
  const { market, stream, latent, own } = scene;
  const side = drawSide(stream);
  const order = drawLimitOrder(market, stream, { side, latent });
  return own.length < market.settings.flow.maximumOrders ? [createCommand(market, order)] : [];
}

/** The order to cancel is a fair draw: exponential lifetimes have no memory, so no order needs an end time. */
function cancelCommands({ stream, own }: Scene): readonly EngineCommand[] {
  const order = own[pick(stream, own.length)];
  return order === undefined ? [] : [cancelOf(order)];
}

function takerCommands(scene: Scene): readonly EngineCommand[] {
  return chance(scene.stream, scene.market.settings.flow.informedShareRatio)
    ? informedCommands(scene)
    : uninformedCommands(scene);
}

function uninformedCommands(scene: Scene): readonly EngineCommand[] {
  const { stream, latent } = scene;
  const { toleranceBps, meanTakerNotional: meanNotional } = scene.market.settings.flow;
  const side = drawSide(stream);
  const tolerance = exponential(stream, toleranceBps) / 10_000;
  return take(scene, { side, worst: latent * (side === 'buy' ? 1 + tolerance : 1 - tolerance), meanNotional });
}

function informedCommands(scene: Scene): readonly EngineCommand[] {
  const { informedEdgeBps, meanInformedNotional: meanNotional } = scene.market.settings.flow;
  const edge = informedEdgeBps / 10_000;
  const buying = take(scene, { side: 'buy', worst: scene.ahead * (1 - edge), meanNotional });
  return buying.length > 0 ? buying : take(scene, { side: 'sell', worst: scene.ahead * (1 + edge), meanNotional });
}

/** Takes the orders at the taker's worst price or better; an order that can't trade is not sent. */
function take({ market, stream, reader }: Scene, taker: Taker): readonly EngineCommand[] {
  const order = drawTaker(market, stream, taker);
  const best = reader.best(market.settings.instrument.symbol, opposite(taker.side));
  const suits = best !== undefined && (taker.side === 'buy' ? best.price <= order.price : best.price >= order.price);
  return suits ? [createCommand(market, order)] : [];
}

function seedCommands(scene: Scene): readonly EngineCommand[] {
  const { limitOrdersPerSecond, cancelsPerSecond, minimumLevels, maximumOrders } = scene.market.settings.flow;
  const steady = cancelsPerSecond === 0 ? 0 : Math.round(limitOrdersPerSecond / cancelsPerSecond / 2);
  const perSide = Math.min(Math.max(steady, minimumLevels), Math.floor(maximumOrders / 2));
  return [...OPEN_CROWD_ACCOUNTS, ...levelsOn(scene, 'buy', perSide), ...levelsOn(scene, 'sell', perSide)];
}

function missingLevels(scene: Scene): readonly EngineCommand[] {
  const { minimumLevels } = scene.market.settings.flow;
  return [...levelsOn(scene, 'buy', minimumLevels), ...levelsOn(scene, 'sell', minimumLevels)];
}

/** Orders at new prices until the crowd has `count` of them on this side. */
function levelsOn({ market, stream, own, latent }: Scene, side: Side, count: number): readonly EngineCommand[] {
  const prices = new Set<number>();
  for (const order of own) {
    if (order.side === side) prices.add(order.price);
    if (prices.size >= count) return [];
  }
  const commands: EngineCommand[] = [];
  while (prices.size < count) {
    let order = drawLimitOrder(market, stream, { side, latent });
    while (prices.has(order.price) && order.price > 1) order = oneTickFurther(order);
    // No room: the lowest possible bid exists already.
    if (prices.has(order.price)) return commands;
    prices.add(order.price);
    commands.push(createCommand(market, order));
  }
  return commands;
}

function drawSide(stream: RandomStream): Side {
  return chance(stream, 0.5) ? 'buy' : 'sell';
}

// The latent price, which is never quoted but guessed by everyone: random walks, known some way ahead because the
// informed see it early.

/** The walks move in steps of this length. */
export const LATENT_STEP_MS: DurationMs = 500;

type WalkSettings = Extract<LatentSettings, { kind: 'walk' }>;

/** One walk: logarithms of the price over its start price, the present step first, then the future steps. */
interface WalkState {
  readonly stream: RandomStream;
  readonly path: number[];
}

export function startWalk(
  settings: WalkSettings,
  known: { seed: number | string; name: string; leadMs: DurationMs },
): WalkState {
  const walk: WalkState = { stream: randomStream(known.seed, `latent.${known.name}`), path: [0] };
  while (walk.path.length <= stepsAhead(known.leadMs)) walk.path.push(nextStep(walk, settings));
  return walk;
}

/** Moves the walk on by one step, in place. */
export function moveWalk(walk: WalkState, settings: WalkSettings): void {
  walk.path.push(nextStep(walk, settings));
  walk.path.shift();
}

/** The price this far ahead; throws beyond the lead that the walk was started with. */
export function walkPrice(walk: WalkState, settings: WalkSettings, leadMs: DurationMs): number {
  const step = walk.path[stepsAhead(leadMs)];
  invariant(step !== undefined, () => `A walk of ${walk.path.length} steps is not known ${leadMs} ms ahead.`);
  return settings.startPrice * Math.exp(step);
}

function stepsAhead(leadMs: DurationMs): number {
  return Math.ceil(leadMs / LATENT_STEP_MS);
}

function nextStep({ stream, path }: WalkState, settings: WalkSettings): number {
  const before = path[path.length - 1] ?? 0;
  const seconds = LATENT_STEP_MS / SECOND;
  const diffusion = (settings.volatilityBpsPerSqrtSecond / 10_000) * Math.sqrt(seconds) * normal(stream);
  // Drawn in every case, so that another jump size leaves the rest of the walk unchanged.
  const jumps = chance(stream, (settings.jumpsPerHour * LATENT_STEP_MS) / HOUR);
  const jump = (settings.jumpBps / 10_000) * normal(stream);
  return before * (1 - settings.reversionPerSecond * seconds) + diffusion + (jumps ? jump : 0);
}
