// Whether the exchange really holds another sum than the booked one: the bot must find an unreported event, and until
// then it quotes nothing. M10 judges whether it finds it in time.
import { type Decimal, decimal } from '../../src/domain/decimal.ts';
import type { EpochMs } from '../../src/domain/time.ts';
import type { CheckContext } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';
import { keptAssets, trueTotal } from '../checks/unbooked.ts';
import { createLedgerTotals } from '../proofs/ledger-totals.ts';

export interface BookedGap {
  recorded(context: CheckContext, told: Told): void;
  /** Checks whether there is one now; call it every few seconds. */
  look(context: CheckContext): void;
  /** Whether there has been one, in these assets if given, for longer than a list may trail. */
  stands(context: CheckContext, assets?: readonly string[]): boolean;
  /** The exchange's excess over the booked sum. */
  amount(context: CheckContext, asset: string): Decimal;
}

export function createBookedGap(): BookedGap {
  const ledger = createLedgerTotals();
  const since = new Map<string, EpochMs>();
  const amount = (context: CheckContext, asset: string): Decimal =>
    ledger.isOpened() ? trueTotal(context, asset).sub(ledger.totals.get(asset) ?? 0) : decimal(0);

  return {
    amount,
    recorded: (context, told) => void ledger.recorded(told, context.now()),
    look(context) {
      for (const asset of keptAssets(context)) {
        if (amount(context, asset).isZero()) since.delete(asset);
        else if (!since.has(asset)) since.set(asset, context.now());
      }
    },
    stands(context, assets = [...since.keys()]) {
      const standsLong = (at: EpochMs): boolean => context.now() - at > context.settings.assumptions.readLagBoundMs;
      return assets.some((asset) => standsLong(since.get(asset) ?? Number.POSITIVE_INFINITY));
    },
  };
}
