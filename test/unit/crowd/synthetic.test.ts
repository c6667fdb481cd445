import { describe, expect, test } from '@jest/globals';
import { createSyntheticCrowd, type SyntheticState } from '../../../src/crowd/synthetic.ts';
import {
  bitcoinLikeWalk,
  type FlowSettings,
  type LatentSettings,
  type SyntheticSettings,
  THIN_BOOK_FLOW,
} from '../../../src/crowd/synthetic-settings.ts';
import { CROWD_ACCOUNT } from '../../../src/crowd/types.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import { opposite, type Side } from '../../../src/domain/order.ts';
import { type EpochMs, HOUR, MINUTE, SECOND } from '../../../src/domain/time.ts';
import { restore, snapshot, validateState } from '../../../src/matching/engine.ts';
import type { EngineTrade } from '../../../src/matching/types.ts';
import { stepsAtMost } from '../steps-at-most.ts';
import {
  BOT,
  BTC_INR,
  botOrder,
  newEngine,
  type PlayedMarket,
  playMarket,
  refusalsOf,
  START_AT,
  tradesOf,
} from './played-market.ts';

const USDT_INR: Instrument = {
  symbol: 'USDT/INR',
  base: 'USDT',
  quote: 'INR',
  tickSize: decimal('0.01'),
  lotSize: decimal('0.01'),
  minNotional: decimal('100'),
};
const BTC_USDT: Instrument = {
  ...BTC_INR,
  symbol: 'BTC/USDT',
  quote: 'USDT',
  tickSize: decimal('0.1'),
  minNotional: decimal('1'),
};

function settings(
  seed: number | string,
  flow: Partial<FlowSettings> = {},
  latent: Partial<LatentSettings> = {},
): SyntheticSettings {
  const walk = { ...bitcoinLikeWalk(6_000_000), ...latent } as LatentSettings;
  return { seed, markets: [{ instrument: BTC_INR, latent: walk, flow: { ...THIN_BOOK_FLOW, ...flow } }] };
}

function play(from: SyntheticSettings): PlayedMarket<SyntheticState> {
  return playMarket(createSyntheticCrowd(from), newEngine(from.markets.map((market) => market.instrument)));
}

function spreadBps({ market }: PlayedMarket<unknown>): number {
  const bid = market.best(BTC_INR.symbol, 'buy')?.price ?? Number.NaN;
  const ask = market.best(BTC_INR.symbol, 'sell')?.price ?? Number.NaN;
  return ((ask - bid) / ((ask + bid) / 2)) * 10_000;
}

describe('the synthetic crowd', () => {
  test.each([1, 2, 3])('keeps a book of ten levels a side, 2 to 3 percent wide, for three hours (seed %d)', (seed) => {
    const played = play(settings(seed));
    const spreads: number[] = [];
    const thinnest = { buy: Number.POSITIVE_INFINITY, sell: Number.POSITIVE_INFINITY };
    for (let at = START_AT + MINUTE; at < START_AT + 3 * HOUR; at += 10 * SECOND) {
      played.playUntil(at);
      spreads.push(spreadBps(played));
      for (const side of ['buy', 'sell'] as const) {
        thinnest[side] = Math.min(thinnest[side], played.market.levels(BTC_INR.symbol, side, 1_000).length);
      }
    }
    spreads.sort((a, b) => a - b);
    const at = (share: number) => spreads[Math.floor(share * (spreads.length - 1))] ?? Number.NaN;
    expect(at(0.05)).toBeGreaterThan(190);
    expect(at(0.5)).toBeGreaterThan(225);
    expect(at(0.5)).toBeLessThan(275);
    expect(at(0.95)).toBeLessThan(310);
    // A taker may empty one price between the crowd's own events.
    expect(thinnest.buy).toBeGreaterThanOrEqual(THIN_BOOK_FLOW.minimumLevels - 2);
    expect(thinnest.sell).toBeGreaterThanOrEqual(THIN_BOOK_FLOW.minimumLevels - 2);
    validateState(played.engine);
  });

  test('sends nothing that the engine refuses, and people do trade', () => {
    const played = play(settings(4));
    played.playUntil(START_AT + 4 * HOUR);
    expect(refusalsOf(played.events)).toEqual([]);
    expect(tradesOf(played.events).length).toBeGreaterThan(50);
    expect(new Set(tradesOf(played.events).map((trade) => trade.makerSide)).size).toBe(2);
  });

  test('rests at most as many orders as it may', () => {
    const played = play(settings(5, { maximumOrders: 30, cancelsPerSecond: 0.0001 }));
    for (let minute = 1; minute <= 60; minute += 1) {
      played.playUntil(START_AT + minute * MINUTE);
      // Levels that takers emptied are placed anew whatever the count: at most what one side must have.
      expect(played.market.ordersOf(CROWD_ACCOUNT).length).toBeLessThanOrEqual(30 + THIN_BOOK_FLOW.minimumLevels);
    }
  });

  test('places its levels again when someone has taken them all', () => {
    const played = play(settings(6));
    played.playUntil(START_AT + MINUTE);
    for (const order of played.market.ordersOf(CROWD_ACCOUNT)) {
      played.send({ kind: 'cancel', account: CROWD_ACCOUNT, orderId: order.orderId }, START_AT + MINUTE);
    }
    played.playSteps(1);
    expect(played.market.levels(BTC_INR.symbol, 'buy', 1_000).length).toBeGreaterThanOrEqual(10);
    expect(played.market.levels(BTC_INR.symbol, 'sell', 1_000).length).toBeGreaterThanOrEqual(10);
  });

  test('keeps the cheapest prices apart as far as there are any', () => {
    const cheap: Instrument = { ...BTC_INR, tickSize: decimal('1000000'), lotSize: decimal('1') };
    const market = { instrument: cheap, latent: bitcoinLikeWalk(6_000_000), flow: THIN_BOOK_FLOW };
    const played = play({ seed: 1, markets: [market] });
    played.playUntil(START_AT + MINUTE);
    expect(played.market.levels(BTC_INR.symbol, 'buy', 100).map((level) => level.price)).toEqual([5, 4, 3, 2, 1]);
  });
});

describe('one seed gives one market', () => {
  test('twice the same commands', () => {
    const [first, second] = [play(settings('a')), play(settings('a'))];
    for (const played of [first, second]) played.playUntil(START_AT + HOUR);
    expect(first.commands.length).toBeGreaterThan(1_000);
    expect(first.commands).toEqual(second.commands);
  });

  test('another seed, other commands', () => {
    const [first, second] = [play(settings('a')), play(settings('b'))];
    for (const played of [first, second]) played.playUntil(START_AT + MINUTE);
    expect(first.commands).not.toEqual(second.commands);
  });

  test('a step that comes late acts as of its own time', () => {
    const [punctual, late] = [play(settings('a')), play(settings('a'))];
    const crowd = createSyntheticCrowd(settings('a'));
    punctual.playUntil(START_AT + HOUR);
    const bound = stepsAtMost(1_000_000);
    while ((crowd.nextAt(late.state) ?? Number.POSITIVE_INFINITY) <= START_AT + HOUR) {
      bound();
      const { state, commands } = crowd.step(late.state, late.market, START_AT + HOUR);
      late.state = state;
      for (const command of commands) {
        late.commands.push(command);
        late.send(command, START_AT + HOUR);
      }
    }
    expect(late.commands).toEqual(punctual.commands);
  });

  test('restored from a copy in mid-run it goes on alike', () => {
    const from = settings('a');
    const whole = play(from);
    whole.playUntil(START_AT + HOUR);
    const half = play(from);
    half.playUntil(START_AT + HOUR / 2);
    const { crowd, engine } = structuredClone({ crowd: half.state, engine: snapshot(half.engine) });
    const rest = playMarket(createSyntheticCrowd(from), restore(half.engine.settings, engine), crowd);
    rest.playUntil(START_AT + HOUR);
    expect(rest.commands.length).toBeGreaterThan(500);
    expect([...half.commands, ...rest.commands]).toEqual(whole.commands);
    expect(rest.state).toEqual(whole.state);
  });
});

describe('the latent price', () => {
  function latentReturns(latent: Partial<LatentSettings>, seconds: number): number[] {
    const from = settings(
      'walk',
      { limitOrdersPerSecond: 1, takersPerSecond: 0, cancelsPerSecond: 0, maximumOrders: 20 },
      latent,
    );
    const played = play(from);
    const crowd = createSyntheticCrowd(from);
    const returns: number[] = [];
    let before = crowd.latentPrice(played.state, BTC_INR.symbol);
    for (let at = START_AT + seconds * SECOND; at <= START_AT + 10 * HOUR; at += seconds * SECOND) {
      played.playUntil(at);
      const price = crowd.latentPrice(played.state, BTC_INR.symbol);
      returns.push(Math.log(price / before) * 10_000);
      before = price;
    }
    return returns;
  }

  test('moves by its volatility times the square root of time', () => {
    const returns = latentReturns({ volatilityBpsPerSqrtSecond: 2, jumpsPerHour: 0 }, 25);
    const deviation = Math.sqrt(returns.reduce((sum, value) => sum + value ** 2, 0) / returns.length);
    // 1,440 samples: a standard error of 2 % of 10 bps.
    expect(Math.abs(deviation - 10)).toBeLessThan(0.8);
  });

  test('comes back where it is told to', () => {
    const returns = latentReturns({ volatilityBpsPerSqrtSecond: 2, jumpsPerHour: 0, reversionPerSecond: 0.1 }, 60);
    const deviation = Math.sqrt(returns.reduce((sum, value) => sum + value ** 2, 0) / returns.length);
    // Stationary deviation 2 / √(2 · 0.1) = 4.47 bps, so differences of far moments deviate by √2 of it, not by 15.5.
    expect(deviation).toBeGreaterThan(5);
    expect(deviation).toBeLessThan(7.5);
  });

  test('of a cross is the product of its factors', () => {
    const from: SyntheticSettings = {
      seed: 1,
      markets: [
        { instrument: BTC_USDT, latent: bitcoinLikeWalk(60_000), flow: { ...THIN_BOOK_FLOW, meanLimitNotional: 300 } },
        { instrument: USDT_INR, latent: bitcoinLikeWalk(88), flow: THIN_BOOK_FLOW },
        { instrument: BTC_INR, latent: { kind: 'product', of: ['BTC/USDT', 'USDT/INR'] }, flow: THIN_BOOK_FLOW },
      ],
    };
    const crowd = createSyntheticCrowd(from);
    const played = play(from);
    played.playUntil(START_AT + HOUR);
    const [btc, usdt, cross] = ['BTC/USDT', 'USDT/INR', 'BTC/INR'].map((symbol) =>
      crowd.latentPrice(played.state, symbol),
    );
    expect(cross).toBeCloseTo((btc ?? 0) * (usdt ?? 0), 3);
    const bid = played.market.best('BTC/INR', 'buy')?.price ?? 0;
    const ask = played.market.best('BTC/INR', 'sell')?.price ?? 0;
    expect(Math.abs((bid + ask) / 2 / (cross ?? 1) - 1)).toBeLessThan(0.01);
    expect(refusalsOf(played.events)).toEqual([]);
  });
});

test('informed takers, buyers and sellers alike, trade ahead of where the price goes', () => {
  const { informedLeadMs } = THIN_BOOK_FLOW;
  const from = settings(1, { informedShareRatio: 1, halfSpreadBps: 5 });
  const crowd = createSyntheticCrowd(from);
  const played = play(from);
  const latentAt = new Map<EpochMs, number>();
  for (let at = START_AT; at <= START_AT + 6 * HOUR; at += SECOND) {
    played.playUntil(at);
    latentAt.set(at, crowd.latentPrice(played.state, BTC_INR.symbol));
  }
  const moves: Record<Side, number[]> = { buy: [], sell: [] };
  for (const { makerSide, at } of tradesOf(played.events)) {
    const then = START_AT + Math.floor((at - START_AT) / SECOND) * SECOND;
    const later = latentAt.get(then + informedLeadMs);
    if (later !== undefined) moves[opposite(makerSide)].push((later / (latentAt.get(then) ?? 0) - 1) * 10_000);
  }
  const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;
  expect(Math.min(moves.buy.length, moves.sell.length)).toBeGreaterThan(500);
  expect(mean(moves.buy)).toBeGreaterThan(10);
  expect(mean(moves.sell)).toBeLessThan(-10);
});

// Does quoting into the synthetic crowd teach the right lesson? Too tight loses to the informed, wide enough earns.

const { symbol } = BTC_INR;
const SEEDS = [1, 2, 3, 4];
const HOURS = 4;
const MARKOUT_AFTER = MINUTE;
const REFRESH_EVERY = 10 * SECOND;
/** 0.003 BTC a side. */
const QUANTITY = 300;

interface Result {
  readonly buys: number;
  readonly sells: number;
  /** Size-weighted mean of the gain against the latent price a minute after the fill, before fees, by maker side. */
  readonly gainBps: Readonly<Record<Side, number>>;
}

/** Quotes both sides around the mid price of the crowd's book, anew every ten seconds, whatever happens. */
function quote(seed: number, halfSpreadBps: number): Result {
  const market = { instrument: BTC_INR, latent: bitcoinLikeWalk(6_000_000), flow: THIN_BOOK_FLOW };
  const crowd = createSyntheticCrowd({ seed, markets: [market] });
  const played = playMarket(crowd, newEngine([BTC_INR]));
  const fills: EngineTrade[] = [];
  const latentAt = new Map<EpochMs, number>();
  for (let at = START_AT + MINUTE; at < START_AT + HOURS * HOUR; at += REFRESH_EVERY) {
    played.playUntil(at);
    latentAt.set(at, crowd.latentPrice(played.state, symbol));
    for (const event of played.events.splice(0)) {
      if (event.kind === 'trade' && event.trade.makerAccount === BOT) fills.push(event.trade);
    }
    played.send({ kind: 'cancel-all', account: BOT }, at);
    const mid =
      ((played.market.best(symbol, 'buy')?.price ?? 0) + (played.market.best(symbol, 'sell')?.price ?? 0)) / 2;
    const distance = (mid * halfSpreadBps) / 10_000;
    played.send(botOrder(symbol, 'buy', { price: Math.floor(mid - distance), quantity: QUANTITY }), at);
    played.send(botOrder(symbol, 'sell', { price: Math.ceil(mid + distance), quantity: QUANTITY }), at);
  }
  return resultOf(fills, latentAt);
}

function resultOf(fills: readonly EngineTrade[], latentAt: ReadonlyMap<EpochMs, number>): Result {
  const [gain, turnover, count] = [
    { buy: 0, sell: 0 },
    { buy: 0, sell: 0 },
    { buy: 0, sell: 0 },
  ];
  for (const { makerSide, price, quantity, at } of fills) {
    const later = START_AT + Math.ceil((at - START_AT + MARKOUT_AFTER) / REFRESH_EVERY) * REFRESH_EVERY;
    const latent = latentAt.get(later);
    if (latent === undefined) continue;
    gain[makerSide] += (makerSide === 'buy' ? 1 : -1) * (latent - price) * quantity;
    turnover[makerSide] += price * quantity;
    count[makerSide] += 1;
  }
  const gainBps = (side: Side): number => (gain[side] / turnover[side]) * 10_000;
  return { buys: count.buy, sells: count.sell, gainBps: { buy: gainBps('buy'), sell: gainBps('sell') } };
}

describe.each(SEEDS)('quoting for four hours, seed %d', (seed) => {
  const tight = quote(seed, 8);
  const wide = quote(seed, 100);

  test('8 bps from the mid price loses before any fee', () => {
    expect(tight.gainBps.buy).toBeLessThan(-2);
    expect(tight.gainBps.sell).toBeLessThan(-2);
  });

  test('100 bps earns most of its distance', () => {
    expect(Math.min(wide.gainBps.buy, wide.gainBps.sell)).toBeGreaterThan(75);
  });

  test('both are filled on both sides, the tight one more often', () => {
    expect(Math.min(wide.buys, wide.sells)).toBeGreaterThan(20);
    expect(Math.min(tight.buys, tight.sells)).toBeGreaterThan(3 * Math.max(wide.buys, wide.sells));
  });
});
