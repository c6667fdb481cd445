// Since when wallet and ledger differ in each asset. A movement in another asset, or in another market, restarts
// nothing.
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Amount, NO_AMOUNT } from '../../ledger/amount.ts';
import { compare, type Difference } from '../../ledger/ledger.ts';
import type { ComparedWallet, Reconciliation, Standing } from '../state/reconciliation.ts';
import type { With } from '../state/state.ts';

export interface StillDiffering {
  /** The wallet's differences from the current ledger. */
  readonly differences: readonly Difference[];
  /** The differences in assets without a booking since the wallet came: the wallet may lack later bookings. */
  readonly settled: readonly Difference[];
  /** Whether no asset had a booking. */
  readonly isWhole: boolean;
}

export function stillDiffering(
  state: With<'durable'>,
  { differences: before, totals }: ComparedWallet,
): StillDiffering {
  const differences = compare(state.durable.books.ledger, totals);
  const amountsBefore = amountsOf(before);
  const settled = differences.filter(({ asset, difference }) => amountsBefore.get(asset) === difference);
  return { differences, settled, isWhole: settled.length === differences.length && before.length === settled.length };
}

const amountsOf = (differences: readonly Difference[]): Map<Asset, Amount> =>
  new Map(differences.map(({ asset, difference }) => [asset, difference]));

/** Takes in a wallet once the trades after it are read. If a confirmed difference is gone, zero stands. */
export function updateStanding(
  state: With<'settings' | 'durable' | 'reconciliation'>,
  wallet: ComparedWallet,
  { differences, settled }: StillDiffering,
): void {
  const { reconciliation, durable } = state;
  const [before, now] = [amountsOf(wallet.differences), amountsOf(differences)];
  const isGone = (asset: Asset): boolean => !before.has(asset) && !now.has(asset);
  const standing = new Map<Asset, Standing>();
  for (const asset of new Set([...now.keys(), ...durable.differences.byAsset.keys()])) {
    const known = reconciliation.standing.get(asset);
    const difference = now.get(asset) ?? NO_AMOUNT;
    if (!settled.some((each) => each.asset === asset) && !isGone(asset)) {
      if (known !== undefined) standing.set(asset, known);
      continue;
    }
    const isSame = known?.difference === difference && !isNextFill(state, asset, { now, totals: wallet.totals });
    const since = isSame ? known.since : wallet.receivedAt;
    standing.set(asset, { difference, actual: wallet.totals.get(asset) ?? NO_AMOUNT, since });
  }
  reconciliation.standing = standing;
}

/**
 * A fill moves both assets of its market, and fills are often alike: if both differ by the same as before, it may be
 * another fill unless the base has stood still.
 */
function isNextFill(
  { settings, reconciliation: { standing } }: With<'settings' | 'reconciliation'>,
  asset: Asset,
  { now, totals }: { readonly now: ReadonlyMap<Asset, Amount>; readonly totals: ReadonlyMap<Asset, Amount> },
): boolean {
  return settings.runs.some(({ instrument: { base, quote } }) => {
    const isOfBoth = (asset === base || asset === quote) && now.has(base) && now.has(quote);
    return isOfBoth && standing.get(base)?.actual !== totals.get(base);
  });
}

/** Since when the asset's difference stands; never if it does not. */
export const standsSince = (reconciliation: Reconciliation, asset: Asset): EpochMs =>
  reconciliation.standing.get(asset)?.since ?? Number.POSITIVE_INFINITY;
