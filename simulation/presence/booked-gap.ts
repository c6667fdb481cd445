// Whether the exchange really holds another sum than is booked: what nobody has told the bot of it has to look for, and
// until then it quotes nothing. That it finds it in time is M10's.
import type { EpochMs } from '../../src/domain/time.ts';
import type { CheckContext } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';
import { keptAssets, trueTotal } from '../checks/unbooked.ts';
import { createLedgerTotals } from '../proofs/ledger-totals.ts';

export interface BookedGap {
  recorded(context: CheckContext, told: Told): void;
  /** Looks whether there is one now; to be called every few seconds. */
  look(context: CheckContext): void;
  /** Whether there has been one for longer than a list may trail, as of the last look. */
  stands(context: CheckContext): boolean;
}

export function createBookedGap(): BookedGap {
  const ledger = createLedgerTotals();
  let since: EpochMs | null = null;
  const isOff = (context: CheckContext): boolean =>
    ledger.isOpened() &&
    [...keptAssets(context)].some((asset) => !trueTotal(context, asset).eq(ledger.totals.get(asset) ?? 0));

  return {
    recorded: (context, told) => void ledger.recorded(told, context.now()),
    look(context) {
      since = isOff(context) ? (since ?? context.now()) : null;
    },
    stands: (context) => since !== null && context.now() - since > context.settings.assumptions.readLagBoundMs,
  };
}
