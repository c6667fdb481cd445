// Wallets that confirm the ledger: those equal to it, now or before the last trades (decision 0041), and, where
// differences are confirmed, those that differ by exactly these.
import type { Balance } from '../../src/domain/balance.ts';
import { type Decimal, ZERO } from '../../src/domain/decimal.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../src/domain/time.ts';
import type { CheckContext } from '../checks/context.ts';
import { keptAssets } from '../checks/unbooked.ts';
import type { LedgerTotals, Moved, Totals } from './ledger-totals.ts';
import { totalIn } from './rows.ts';
import type { Seen } from './wire-log.ts';

/** Possible error of the bot's estimate of the exchange's clock. */
const CLOCK_SLACK_MS: DurationMs = 2 * SECOND;

export type Bearing = 'equal' | 'steady' | 'none';

export interface Wallets {
  /** Compares a new wallet with the ledger now, and with its states within the lag bound. */
  came(context: CheckContext, wallet: Seen<Balance>): void;
  /** The ledger has changed. */
  booked(context: CheckContext): void;
  bearing(wallet: Seen<Balance>): Bearing;
  /** When the last one that matches in the asset left. */
  equalSentAt(asset: string): EpochMs | null;
  begun(): void;
}

export function createWallets(ledger: LedgerTotals): Wallets {
  let bearings = new WeakMap<Seen<Balance>, Bearing>();
  /**
   * Wallets of the last lag bound: one that leads matches only once its trades are booked. By the bot's clock, which a
   * sleep of the whole machine (F86) does not move: they prove as much after that.
   */
  let lately: readonly Seen<Balance>[] = [];
  const equalIn = new Map<string, EpochMs>();

  function judge(context: CheckContext, wallet: Seen<Balance>): void {
    if (!ledger.isOpened()) return;
    const lacks = lacksOf(context, wallet, ledger.totals);
    for (const [asset, amount] of lacks)
      if (isEqual(context, wallet, new Map([[asset, amount]]), true))
        equalIn.set(asset, Math.max(equalIn.get(asset) ?? 0, wallet.sentAt));
    if (bearings.get(wallet) === 'equal') return;
    if (isEqual(context, wallet, lacks, ledger.confirmed.size === 0)) {
      bearings.set(wallet, 'equal');
    } else if (isEqual(context, wallet, beyond(lacks, ledger.confirmed), true)) bearings.set(wallet, 'steady');
  }

  function isEqual(context: CheckContext, { sentAt }: Seen<Balance>, lacks: Totals, mayTrail: boolean): boolean {
    const from = sentAt - context.settings.assumptions.readLagBoundMs - CLOCK_SLACK_MS;
    return isNothing(lacks) || (mayTrail && isBefore(lacks, lastTrades(ledger, from)));
  }

  return {
    came(context, wallet) {
      // An unreadable wallet does not displace the earlier ones.
      if (!wallet.whole) return;
      const from = wallet.botAt - context.settings.assumptions.readLagBoundMs - CLOCK_SLACK_MS;
      lately = [...lately, wallet].filter(({ botAt }) => botAt >= from);
      judge(context, wallet);
    },
    booked(context) {
      // Including wallets that matched before: an asset may have been opened since.
      for (const wallet of lately) judge(context, wallet);
    },
    bearing: (wallet) => bearings.get(wallet) ?? 'none',
    equalSentAt: (asset) => equalIn.get(asset) ?? null,
    begun() {
      bearings = new WeakMap();
      lately = [];
      equalIn.clear();
    },
  };
}

const lastTrades = (ledger: LedgerTotals, from: EpochMs): readonly Moved[] =>
  ledger.tradesSince(from).toSorted((a, b) => b.venueTime - a.venueTime);

/** Whether the wallet lacks exactly the moves of the last of these trades. */
function isBefore(lacks: Totals, trades: readonly Moved[]): boolean {
  const left = new Map(lacks);
  return trades.some(({ by }) => {
    addTo(left, by, 1);
    return isNothing(left);
  });
}

/** In the assets that the ledger accounts for. */
function addTo(lacks: Map<string, Decimal>, by: Totals, sign: 1 | -1): void {
  for (const [asset, amount] of by)
    if (lacks.has(asset)) lacks.set(asset, (lacks.get(asset) ?? ZERO).add(amount.mul(sign)));
}

/** The wallet's total minus the ledger's, for each traded asset. */
function lacksOf(context: CheckContext, { rows }: Seen<Balance>, totals: Totals): Map<string, Decimal> {
  const isIncluded = context.settings.assumptions.lockedIncludesStakingAndOtc;
  const byAsset = new Map(rows.map((row) => [row.asset, row]));
  return new Map(
    [...keptAssets(context)].map((asset) => {
      return [asset, totalIn(byAsset.get(asset), isIncluded).sub(totals.get(asset) ?? ZERO)];
    }),
  );
}

const isNothing = (amounts: Totals): boolean => [...amounts.values()].every((amount) => amount.isZero());

const beyond = (lacks: Totals, confirmed: Totals): Totals =>
  new Map([...lacks].map(([asset, amount]) => [asset, amount.sub(confirmed.get(asset) ?? ZERO)]));
