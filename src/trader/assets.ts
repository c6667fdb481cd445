// Which assets the ledger answers for.
import type { Asset } from '../domain/instrument.ts';
import type { TraderState } from './state.ts';

/** Assets that the ledger answers for: base and quote of every run, and whatever it has booked. */
export function assetsOf(state: TraderState): Set<Asset> {
  const assets = new Set<Asset>();
  for (const { instrument } of state.settings.runs) assets.add(instrument.base).add(instrument.quote);
  for (const asset of state.durable.ledger.balances.keys()) assets.add(asset);
  return assets;
}
