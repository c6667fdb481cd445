// The exchange's true state, without lags, keys or limits: for tests and scripts, never for a client.
import type { Asset } from '../../domain/instrument.ts';
import { reader } from '../../matching/engine.ts';
import type { AccountName } from '../../matching/types.ts';
import { openOrderRow } from '../answers/account.ts';
import { openOrdersOf, walletRow } from '../engine/engine-step.ts';
import { OWN_ACCOUNTS } from '../engine/snapshot.ts';
import { type Purpose, pocketBalance, unitsText } from '../state/amounts.ts';
import { knownAssets } from '../state/back-office.ts';
import type { ExchangeState } from '../state/state.ts';

export type Truth = ReturnType<typeof truth>;
export type AccountTruth = ReturnType<typeof accountTruth>;

/** All accounts with a record; crowd, fee and tax accounts, and the fills, only on request. */
export function truth(state: ExchangeState, wanted: { readonly others: boolean; readonly fills: boolean }) {
  const names = [...state.accounts.keys(), ...(wanted.others ? OWN_ACCOUNTS : [])];
  const accounts = names.map((name) => accountTruth(state, name, wanted.fills));
  return { instanceId: state.instanceId, at: state.lastAt, accounts };
}

/**
 * Orders are rows of the open-orders list (specification 2.12); transfers are all those kept, in their present state,
 * in the order in which they became known; fills are oldest first and include those held back.
 */
function accountTruth(state: ExchangeState, account: AccountName, withFills: boolean) {
  const assets = knownAssets(state.backOffice);
  const record = state.accounts.get(account);
  const fills = record?.fills ?? [];
  return {
    account,
    // `locked` is without staking and OTC; the five amounts add up to all that the account owns.
    balances: Object.fromEntries(assets.map((asset) => [asset, walletRow(state, account, asset)])),
    setAside: setAsideOf(state, account),
    orders: openOrdersOf(state, account).map((order) => openOrderRow(state, order)),
    transfers: [...(record?.transfers.values() ?? [])],
    sbsTrades: (record?.sbsTrades ?? []).map(({ row }) => row),
    fillCount: fills.length,
    ...(withFills ? { fills: fills.map(({ row }) => row) } : {}),
  };
}

/** Amounts locked outside the book's orders, by purpose and asset; without zeros. */
function setAsideOf(state: ExchangeState, account: AccountName) {
  const market = reader(state.engine);
  const found: Partial<Record<Purpose, Record<Asset, string>>> = {};
  for (const purpose of state.accounts.get(account)?.pockets ?? []) {
    const amounts: Record<Asset, string> = {};
    for (const asset of knownAssets(state.backOffice)) {
      const units = pocketBalance(market, { account, purpose, asset });
      if (units > 0n) amounts[asset] = unitsText(units, state.settings.engine.assetDecimals);
    }
    if (Object.keys(amounts).length > 0) found[purpose] = amounts;
  }
  return found;
}
