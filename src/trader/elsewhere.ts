// Assets that no run trades. What the wallet holds of them is the owner's affair, but it says where a difference may come from: a coin that
// moved together with it was traded for it.
import { type Balance, totalOf } from '../domain/balance.ts';
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { type Amount, amountOf, NO_AMOUNT } from '../ledger/amount.ts';
import { assetsOfRuns } from './assets.ts';
import { FIAT } from './flow.ts';
import type { Elsewhere } from './reconciliation.ts';
import { symbolsOf, type TraderState } from './state.ts';

/** Whether no run has the market. */
export const isElsewhere = (state: TraderState, symbol: InstrumentSymbol): boolean =>
  !symbolsOf(state).includes(symbol);

/** An amount that is not exact says nothing. */
export function noteElsewhere(state: TraderState, rows: readonly Balance[]): void {
  const runs = assetsOfRuns(state);
  const others = rows.filter(({ asset }) => !runs.has(asset));
  const { lockedIncludesStakingAndOtc } = state.settings.assumptions;
  state.reconciliation.elsewhere.now = new Map(
    others.flatMap((row): [Asset, Amount][] => {
      const total = amountOf(totalOf(row, lockedIncludesStakingAndOtc));
      return total.ok ? [[row.asset, total.value]] : [];
    }),
  );
}

export function noteEqualElsewhere({ reconciliation, durable }: TraderState): void {
  const { elsewhere } = reconciliation;
  if (durable.unexplainedSince === null) elsewhere.whenEqual = elsewhere.now;
}

/** Of more coins than these a person is asked: two lists of each are read. */
const MOST_COINS = 12;

/** Coins whose total is another one since the last equal wallet; where there was none, all that there are: any of them may have moved. */
function movedCoins({ now, whenEqual }: Elsewhere): Asset[] {
  if (whenEqual === null) return [...now.keys()];
  const assets = new Set([...now.keys(), ...whenEqual.keys()]);
  return [...assets].filter((asset) => (now.get(asset) ?? NO_AMOUNT) !== (whenEqual.get(asset) ?? NO_AMOUNT));
}

export interface MarketsElsewhere {
  /** Whether they are known to have moved. */
  readonly moved: boolean;
  /** Markets whose spot trades may explain the difference. Not every one of them need exist. */
  readonly spot: readonly InstrumentSymbol[];
  /** The same of simple buys and sells. */
  readonly simple: readonly InstrumentSymbol[];
}

/** Where else a difference of these assets may come from. */
export function marketsElsewhere(state: TraderState, differing: ReadonlySet<Asset>): MarketsElsewhere {
  const { elsewhere } = state.reconciliation;
  const coins = movedCoins(elsewhere).slice(0, MOST_COINS);
  const pairs = coins.flatMap((coin) =>
    [...differing].flatMap((asset) => (asset === coin ? [] : [[coin, asset] as const])),
  );
  return {
    moved: elsewhere.whenEqual !== null,
    spot: pairs.flatMap(([coin, asset]) => {
      const fiat = fiatMarket(coin, asset);
      return fiat === null ? [`${coin}/${asset}`, `${asset}/${coin}`] : [fiat];
    }),
    simple: pairs.flatMap(([coin, asset]) => fiatMarket(coin, asset) ?? []),
  };
}

/** Fiat is the quote asset of all its markets; of two coins nobody knows which one is. */
function fiatMarket(a: Asset, b: Asset): InstrumentSymbol | null {
  if (a === FIAT) return `${b}/${FIAT}`;
  return b === FIAT ? `${a}/${FIAT}` : null;
}
