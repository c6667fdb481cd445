// Assets that no run trades. What the wallet holds of them is the owner's affair, but it says where a difference may come from: a coin that
// moved together with it was traded for it.
import { type Balance, totalOf } from '../domain/balance.ts';
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { type Amount, amountOf, amountText, NO_AMOUNT } from '../ledger/amount.ts';
import { assetsOfRuns } from './assets.ts';
import { FIAT } from './flow.ts';
import { symbolsOf, type TraderState } from './state.ts';
import { emit, type Turn } from './turn.ts';

/** Whether no run has the market. */
export const isElsewhere = (state: TraderState, symbol: InstrumentSymbol): boolean =>
  !symbolsOf(state).includes(symbol);

/** An amount that is not exact says nothing, and a row of nothing is none: the wallet may list every asset that the exchange has. */
export function noteElsewhere(state: TraderState, rows: readonly Balance[]): void {
  const runs = assetsOfRuns(state);
  const others = rows.filter(({ asset }) => !runs.has(asset));
  const { lockedIncludesStakingAndOtc } = state.settings.assumptions;
  state.reconciliation.elsewhere = new Map(
    others.flatMap((row): [Asset, Amount][] => {
      const total = amountOf(totalOf(row, lockedIncludesStakingAndOtc));
      return total.ok && total.value !== NO_AMOUNT ? [[row.asset, total.value]] : [];
    }),
  );
}

/** The wallet equals the ledger: what moves from now on is another difference, in this session or the next. */
export function noteEqualElsewhere(turn: Turn): void {
  const { durable, reconciliation } = turn.state;
  if (durable.unexplainedSince !== null) return;
  const { elsewhere: now } = reconciliation;
  const changed = changedBetween(durable.heldElsewhere ?? new Map(), now);
  if (changed.length === 0) return;
  const totals = changed.map((asset) => [asset, amountText(totalIn(now, asset))] as const);
  emit(turn, { type: 'held-elsewhere', payload: { totals, at: turn.now } });
}

/** Of more coins than these a person is asked: two lists of each are read. */
const MOST_COINS = 12;

/** Coins whose total is another one since the last equal wallet; where none is known, all that there are: any of them may have moved. */
function movedCoins(state: TraderState): Asset[] {
  const { elsewhere: now } = state.reconciliation;
  const { heldElsewhere: then } = state.durable;
  if (then === null) return [...now.keys()];
  // A run that was configured since may trade one of those.
  const runs = assetsOfRuns(state);
  return changedBetween(then, now).filter((asset) => now.has(asset) || !runs.has(asset));
}

type Totals = ReadonlyMap<Asset, Amount>;

const totalIn = (totals: Totals, asset: Asset): Amount => totals.get(asset) ?? NO_AMOUNT;

function changedBetween(then: Totals, now: Totals): Asset[] {
  const assets = new Set([...now.keys(), ...then.keys()]);
  return [...assets].filter((asset) => totalIn(now, asset) !== totalIn(then, asset));
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
  const coins = movedCoins(state).slice(0, MOST_COINS);
  const pairs = coins.flatMap((coin) =>
    [...differing].flatMap((asset) => (asset === coin ? [] : [[coin, asset] as const])),
  );
  return {
    moved: state.durable.heldElsewhere !== null,
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
