// Which wallets confirm what is booked of an order that ended, also while wallet and ledger differ.
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { policyOf } from '../policy/policy-of.ts';
import { runOf, type TraderState } from '../state/state.ts';
import { suspenseOf } from './unexplained.ts';

/**
 * When the last wallet left that confirms what is booked of an order that may have filled since then; null where none
 * does. It equals the ledger, or it differs by just the confirmed difference, and no missed fill of the order is in
 * that: it had stood still for longer than any list may trail before the order may have filled, or it is no fill of its
 * market.
 */
export function confirmedSentAt(state: TraderState, symbol: InstrumentSymbol, since: EpochMs): EpochMs | null {
  const { equalSentAt, steadySentAt } = state.reconciliation;
  const { unexplainedSince } = state.durable.differences;
  if (unexplainedSince === null) return equalSentAt;
  if (since < unexplainedSince && mayHoldFill(state, symbol)) return null;
  return Math.max(equalSentAt ?? 0, steadySentAt ?? 0);
}

/**
 * Whether what is not explained may hold a fill in this market. A fill moves both of its assets: where one of them is
 * accounted for to the last digit there is none. Two that undo each other in one asset would have to be missed by the
 * search for late trades as well: no difference is confirmed before that. But a trade with the owner's own order moves
 * the quote asset alone, by fees and tax, and can't be told from anything else that does (F51).
 */
function mayHoldFill(state: TraderState, symbol: InstrumentSymbol): boolean {
  const { base, quote } = runOf(state, symbol).instrument;
  const unexplained = new Set<Asset>([...state.durable.differences.byAsset.keys(), ...suspenseOf(state).keys()]);
  return unexplained.has(quote) && (unexplained.has(base) || policyOf(state).ownerTrades);
}
