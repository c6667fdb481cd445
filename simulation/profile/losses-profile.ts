// The default market with loss limits that bind: a market halts there, and goes back to its target by limit orders.
import { pick, randomStream } from '../../src/crowd/random.ts';
import { DEFAULT_PROFILE } from './default-profile.ts';
import type { Profile } from './profile.ts';

/** In quote: one order of the default market, or a few, lose so much within minutes. */
const DRAWDOWNS = ['150', '400', '1500'] as const;
const TAKE_AFTER_SECONDS = [0, 60, 300] as const;

export function lossesProfile(seed: string): Profile {
  const drawn = <T>(name: string, of: readonly T[]): T =>
    of[pick(randomStream(seed, `losses.${name}`), of.length)] as T;
  const maxDrawdown = drawn('drawdown', DRAWDOWNS);
  const unwind = { takeAfterSeconds: drawn('take', TAKE_AFTER_SECONDS) };
  const markets = DEFAULT_PROFILE.markets.map((market) => ({
    ...market,
    limits: { ...market.limits, maxDrawdown, unwind },
  }));
  return { ...DEFAULT_PROFILE, markets, walk: { ...DEFAULT_PROFILE.walk, volatilityBpsPerSqrtSecond: 4 } };
}
