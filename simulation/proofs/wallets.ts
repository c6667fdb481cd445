// Which wallets confirm the ledger: those that equal it, of now or of before the last trades (decision 0041), and
// beside a confirmed difference those that differ by just that.
import type { Balance } from '../../src/domain/balance.ts';
import { type Decimal, ZERO } from '../../src/domain/decimal.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../src/domain/time.ts';
import type { CheckContext } from '../checks/context.ts';
import { keptAssets } from '../checks/unbooked.ts';
import type { LedgerTotals, Totals } from './ledger-totals.ts';
import type { Seen } from './wire-log.ts';

/** So far the bot's idea of the exchange's clock may be off. */
const CLOCK_SLACK_MS: DurationMs = 2 * SECOND;

export type Bearing = 'equal' | 'steady' | 'none';

export interface Wallets {
  /** A wallet has come: it is compared with what is booked now, and with what is booked within the lag bound. */
  came(context: CheckContext, wallet: Seen<Balance>): void;
  /** What is booked has changed. */
  booked(context: CheckContext): void;
  bearing(wallet: Seen<Balance>): Bearing;
  /** When the last one left that equals. */
  equalSentAt(): EpochMs | null;
  begun(): void;
}

export function createWallets(ledger: LedgerTotals): Wallets {
  let bearings = new WeakMap<Seen<Balance>, Bearing>();
  /**
   * Those of the last lag bound: one that leads equals only once its trades are booked. By the bot's clock, which a
   * sleep of the whole machine (F86) does not move: what it keeps proves as much after that.
   */
  let lately: readonly Seen<Balance>[] = [];
  let equalSentAt: EpochMs | null = null;

  function judge(context: CheckContext, wallet: Seen<Balance>, isNew: boolean): void {
    if (!ledger.isOpened()) return;
    const lacks = lacksOf(context, wallet, ledger.totals);
    if (isEqual(context, wallet, lacks)) {
      bearings.set(wallet, 'equal');
      equalSentAt = Math.max(equalSentAt ?? 0, wallet.sentAt);
    } else if (isNew && isSame(lacks, ledger.confirmed)) bearings.set(wallet, 'steady');
  }

  function isEqual(context: CheckContext, { sentAt }: Seen<Balance>, lacks: Totals): boolean {
    if (isNothing(lacks)) return true;
    if (ledger.confirmed.size > 0) return false;
    const left = new Map(lacks);
    const { readLagBoundMs } = context.settings.assumptions;
    for (const { by } of ledger.tradesSince(sentAt - readLagBoundMs - CLOCK_SLACK_MS)) {
      for (const [asset, amount] of by) if (left.has(asset)) left.set(asset, (left.get(asset) ?? ZERO).add(amount));
      if (isNothing(left)) return true;
    }
    return false;
  }

  return {
    came(context, wallet) {
      // One that can't be read takes nothing from the one before.
      if (!wallet.whole) return;
      const from = wallet.botAt - context.settings.assumptions.readLagBoundMs - CLOCK_SLACK_MS;
      lately = [...lately, wallet].filter(({ botAt }) => botAt >= from);
      judge(context, wallet, true);
    },
    booked(context) {
      for (const wallet of lately) if (bearings.get(wallet) !== 'equal') judge(context, wallet, false);
    },
    bearing: (wallet) => bearings.get(wallet) ?? 'none',
    equalSentAt: () => equalSentAt,
    begun() {
      bearings = new WeakMap();
      lately = [];
      equalSentAt = null;
    },
  };
}

/** The wallet's total less the ledger's, of each asset that a run trades. */
function lacksOf(context: CheckContext, { rows }: Seen<Balance>, totals: Totals): Map<string, Decimal> {
  const isIncluded = context.settings.assumptions.lockedIncludesStakingAndOtc;
  const byAsset = new Map(rows.map((row) => [row.asset, row]));
  return new Map(
    [...keptAssets(context)].map((asset) => {
      const row = byAsset.get(asset);
      const shown = row === undefined ? ZERO : row.free.add(row.locked).add(row.lockedFd);
      const beside = row === undefined || isIncluded ? ZERO : row.lockedStaking.add(row.lockedOtc);
      return [asset, shown.add(beside).sub(totals.get(asset) ?? ZERO)];
    }),
  );
}

const isNothing = (amounts: Totals): boolean => [...amounts.values()].every((amount) => amount.isZero());

const isSame = (lacks: Totals, confirmed: Totals): boolean =>
  [...lacks].every(([asset, amount]) => amount.eq(confirmed.get(asset) ?? ZERO));
