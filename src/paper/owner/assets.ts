// What the exchange says about an asset from now on: its name, whether it is active, its networks.
import { type Decimal, plain } from '../../domain/decimal.ts';
import { fail, type Result } from '../../domain/result.ts';
import { networkRow, type PaperNetwork, plainAsset } from '../state/asset-record.ts';
import type { ActionOf, OwnerActionAnswer } from '../state/owner-action-types.ts';
import type { ExchangeState } from '../state/state.ts';
import { assetText } from './checks.ts';
import { DONE } from './money.ts';

/** Changes what is said, not what happens: deposits and trades go on as they are told. */
export function settleAsset(
  state: ExchangeState,
  { asset, name, status, networks }: ActionOf<'asset-settings'>,
): Result<OwnerActionAnswer> {
  const known = assetText(asset);
  if (!known.ok) return known;
  const refusal = networks?.map(refusalOf).find((sentence) => sentence !== null);
  if (typeof refusal === 'string') return fail(refusal);
  const { assets } = state.backOffice;
  const row = assets.get(asset) ?? plainAsset(asset);
  assets.set(asset, {
    asset,
    name: name ?? row.name,
    status: status ?? row.status,
    networks: networks?.map(networkRow) ?? row.networks,
  });
  state.revision += 1;
  return DONE;
}

function refusalOf({ name, deposit, withdraw }: PaperNetwork): string | null {
  const amounts: readonly (readonly [string, Decimal])[] = [
    ['least deposit', deposit.min],
    ['least withdrawal', withdraw.min],
    ['greatest withdrawal', withdraw.max],
    ['fee', withdraw.fee],
  ];
  for (const [what, amount] of amounts) {
    if (!amount.isFinite() || amount.lt(0)) return `The ${what} of ${name} can't be ${plain(amount)}.`;
  }
  const isCount = Number.isSafeInteger(deposit.confirmations) && deposit.confirmations >= 0;
  return isCount
    ? null
    : `The network ${name} can't need ${deposit.confirmations} confirmations: a whole number, zero or more.`;
}
