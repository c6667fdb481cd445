// Does quoting into the synthetic crowd teach the right lesson? Too tight loses to the informed, wide enough earns.
import { describe, expect, test } from '@jest/globals';
import { createSyntheticCrowd } from '../../../src/crowd/synthetic.ts';
import { bitcoinLikeWalk, THIN_BOOK_FLOW } from '../../../src/crowd/synthetic-settings.ts';
import { type EpochMs, HOUR, MINUTE, SECOND } from '../../../src/domain/time.ts';
import type { EngineTrade } from '../../../src/matching/types.ts';
import { BOT, BTC_INR, botOrder, newEngine, playMarket, START_AT } from './played-market.ts';

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
  /** Size-weighted mean of the gain against the latent price a minute after the fill, before fees. */
  readonly gainBps: number;
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
  let [gain, turnover, buys, sells] = [0, 0, 0, 0];
  for (const { makerSide, price, quantity, at } of fills) {
    const later = START_AT + Math.ceil((at - START_AT + MARKOUT_AFTER) / REFRESH_EVERY) * REFRESH_EVERY;
    const latent = latentAt.get(later);
    if (latent === undefined) continue;
    gain += (makerSide === 'buy' ? 1 : -1) * (latent - price) * quantity;
    turnover += price * quantity;
    if (makerSide === 'buy') buys += 1;
    else sells += 1;
  }
  return { buys, sells, gainBps: (gain / turnover) * 10_000 };
}

describe.each(SEEDS)('quoting for four hours, seed %d', (seed) => {
  const tight = quote(seed, 8);
  const wide = quote(seed, 100);

  test('8 bps from the mid price loses before any fee', () => {
    expect(tight.gainBps).toBeLessThan(-2);
  });

  test('100 bps earns most of its distance', () => {
    expect(wide.gainBps).toBeGreaterThan(75);
  });

  test('both are filled on both sides, the tight one more often', () => {
    expect(Math.min(wide.buys, wide.sells)).toBeGreaterThan(20);
    expect(Math.min(tight.buys, tight.sells)).toBeGreaterThan(3 * Math.max(wide.buys, wide.sells));
  });
});
