// The exchange's own account of the truth, without lags, keys or limits: for tests and scripts, never for a client.
import { CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT } from '../../crowd/types.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { FEES_ACCOUNT, reader, TAX_ACCOUNT } from '../../matching/engine.ts';
import type { AccountName } from '../../matching/types.ts';
import { openOrderRow } from '../answers/account.ts';
import { openOrdersOf, walletRow } from '../engine/engine-step.ts';
import type { FillRow, SbsRow, WalletRow } from '../state/account-record.ts';
import { type Purpose, pocketBalance, unitsText } from '../state/amounts.ts';
import { knownAssets } from '../state/back-office.ts';
import type { Transfer } from '../state/owner-actions.ts';
import type { ExchangeState } from '../state/state.ts';

export interface Truth {
  readonly instanceId: string;
  readonly at: EpochMs;
  readonly accounts: readonly AccountTruth[];
}

export interface AccountTruth {
  readonly account: AccountName;
  /** `locked` is without staking and OTC; the five amounts add up to all that the account owns. */
  readonly balances: Readonly<Record<Asset, WalletRow>>;
  /** What is locked other than by orders in the book, by purpose and asset; without zeros. */
  readonly setAside: Readonly<Partial<Record<Purpose, Readonly<Record<Asset, string>>>>>;
  /** Rows of the open-orders list (specification 2.12). */
  readonly orders: readonly object[];
  /** All that are kept, in the order in which they became known, as they are now. */
  readonly transfers: readonly Transfer[];
  readonly sbsTrades: readonly SbsRow[];
  /**
   * How many fills are kept, and, where asked for, all of them, oldest first; those that are held back are among them.
   */
  readonly fillCount: number;
  readonly fills?: readonly FillRow[];
}

const OTHERS = [CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT, FEES_ACCOUNT, TAX_ACCOUNT];

/** All accounts with a record; those of crowd, fees and tax, and the fills, only where asked for. */
export function truth(state: ExchangeState, wanted: { readonly others: boolean; readonly fills: boolean }): Truth {
  const names = [...state.accounts.keys(), ...(wanted.others ? OTHERS : [])];
  const accounts = names.map((name) => accountTruth(state, name, wanted.fills));
  return { instanceId: state.instanceId, at: state.lastAt, accounts };
}

function accountTruth(state: ExchangeState, account: AccountName, withFills: boolean): AccountTruth {
  const assets = knownAssets(state.backOffice);
  const record = state.accounts.get(account);
  const fills = record?.fills ?? [];
  return {
    account,
    balances: Object.fromEntries(assets.map((asset) => [asset, walletRow(state, account, asset)])),
    setAside: setAsideOf(state, account),
    orders: openOrdersOf(state, account).map((order) => openOrderRow(state, order)),
    transfers: [...(record?.transfers.values() ?? [])],
    sbsTrades: (record?.sbsTrades ?? []).map(({ row }) => row),
    fillCount: fills.length,
    ...(withFills ? { fills: fills.map(({ row }) => row) } : {}),
  };
}

function setAsideOf(state: ExchangeState, account: AccountName): AccountTruth['setAside'] {
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
