// A person's changes to a run's parameters: other distances, sizes and levels, another target, other tolerances. Each
// is drawn again from the profile's values, so that many changes lead no further away than one.
import { chance, pick, type RandomStream, uniform } from '../../src/crowd/random.ts';
import { decimal, plain } from '../../src/domain/decimal.ts';
import type { Profile, ProfileMarket } from '../profile/profile.ts';

/** Changes of `market` in configuration form, by path. */
export interface RevisedMarket {
  readonly market: ProfileMarket;
  readonly parameters: Readonly<Record<string, string>>;
}

type Part = 'params' | 'refresh' | 'quoting';
type Change = readonly [part: Part, key: string, value: number | string | object];

const SPREAD: readonly [number, number] = [0.7, 1.5];
/** Limits and money were made for the profile's sizes: no larger ones. */
const SIZE: readonly [number, number] = [0.5, 1];
const PATIENCE: readonly [number, number] = [0.5, 2];
const TARGET: readonly [number, number] = [0.2, 0.5];

export function revisedMarket(market: ProfileMarket, profile: Profile, stream: RandomStream): RevisedMarket {
  const kinds = [spread, size, levels, patience, target];
  const first = pick(stream, kinds.length);
  const changes = kinds.flatMap((kind, index) =>
    index === first || chance(stream, 1 / 3) ? kind(market, stream, profile) : [],
  );
  const parts: Record<Part, Record<string, unknown>> = {
    params: { ...market.quotes },
    refresh: { ...(market.refresh ?? profile.refresh) },
    quoting: { ...market.quoting },
  };
  for (const [part, key, value] of changes) parts[part][key] = value;
  return {
    market: {
      ...market,
      quotes: parts.params,
      refresh: parts.refresh as Record<string, string | number>,
      quoting: parts.quoting,
    },
    parameters: Object.fromEntries(changes.map(([part, key, value]) => [`${part}.${key}`, textOf(value)])),
  };
}

const textOf = (value: number | string | object): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

const within = ([from, to]: readonly [number, number], stream: RandomStream): number =>
  from + (to - from) * uniform(stream);

const isNumber = (value: unknown): value is number => typeof value === 'number';

function spread({ quotes }: ProfileMarket, stream: RandomStream): Change[] {
  const by = within(SPREAD, stream);
  return ['halfSpreadBps', 'halfSpreadStepBps'].flatMap((key): Change[] => {
    const value = quotes[key];
    return isNumber(value) ? [['params', key, Number((value * by).toPrecision(4))]] : [];
  });
}

function size({ quotes }: ProfileMarket, stream: RandomStream): Change[] {
  const by = within(SIZE, stream).toFixed(2);
  return ['orderSize', 'orderSizeStep'].flatMap((key): Change[] => {
    const value = quotes[key];
    return typeof value === 'string' ? [['params', key, plain(decimal(value).mul(by))]] : [];
  });
}

function levels({ quotes }: ProfileMarket, stream: RandomStream): Change[] {
  return isNumber(quotes.levels) ? [['params', 'levels', 1 + pick(stream, quotes.levels)]] : [];
}

function patience(market: ProfileMarket, stream: RandomStream, profile: Profile): Change[] {
  const { priceToleranceBps, refreshMs } = market.refresh ?? profile.refresh;
  const by = within(PATIENCE, stream);
  return [
    ...(isNumber(priceToleranceBps)
      ? [['refresh', 'priceToleranceBps', Number((priceToleranceBps * by).toPrecision(3))] as const]
      : []),
    ...(isNumber(refreshMs) ? [['refresh', 'refreshMs', Math.round(refreshMs * by)] as const] : []),
  ];
}

/** For a run without a target of its own: the way an inventory is measured stays the same. */
function target({ quoting = {} }: ProfileMarket, stream: RandomStream): Change[] {
  const targetRatio = Number(within(TARGET, stream).toFixed(2));
  return quoting.inventory === undefined ? [['quoting', 'inventory', { targetRatio }]] : [];
}
