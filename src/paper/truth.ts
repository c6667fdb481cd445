// The exchange's own account of the truth, without lags, keys or limits: for tests and scripts, never for a client.
import { CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT } from '../crowd/types.ts';
import type { EpochMs } from '../domain/time.ts';
import { FEES_ACCOUNT, reader, TAX_ACCOUNT } from '../matching/engine.ts';
import type { AccountName } from '../matching/types.ts';
import type { FillRow, WalletRow } from './account-record.ts';
import { unitsText } from './amounts.ts';
import { assetsOf, openOrderRow } from './answer-account.ts';
import type { ExchangeState } from './state.ts';

export interface Truth {
  readonly instanceId: string;
  readonly at: EpochMs;
  readonly accounts: readonly AccountTruth[];
}

export interface AccountTruth {
  readonly account: AccountName;
  readonly balances: Readonly<Record<string, WalletRow>>;
  /** Rows of the open-orders list (specification 2.12). */
  readonly orders: readonly object[];
  /** How many fills are kept, and, where asked for, all of them, oldest first. */
  readonly fillCount: number;
  readonly fills?: readonly FillRow[];
}

const OTHERS = [CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT, FEES_ACCOUNT, TAX_ACCOUNT];

/** All accounts of the settings; those of crowd, fees and tax, and the fills, only where asked for. */
export function truth(state: ExchangeState, wanted: { readonly others: boolean; readonly fills: boolean }): Truth {
  const names = [...state.accounts.keys(), ...(wanted.others ? OTHERS : [])];
  const accounts = names.map((name) => accountTruth(state, name, wanted.fills));
  return { instanceId: state.instanceId, at: state.lastAt, accounts };
}

function accountTruth(state: ExchangeState, account: AccountName, withFills: boolean): AccountTruth {
  const market = reader(state.engine);
  const { assetDecimals } = state.settings.engine;
  const balances: Record<string, WalletRow> = {};
  for (const asset of assetsOf(state)) {
    const { free, locked } = market.balance(account, asset);
    balances[asset] = { free: unitsText(free, assetDecimals), locked: unitsText(locked, assetDecimals) };
  }
  const orders = market.ordersOf(account).map((order) => openOrderRow(state, order));
  const fills = state.accounts.get(account)?.fills ?? [];
  return { account, balances, orders, fillCount: fills.length, ...(withFills ? { fills: [...fills] } : {}) };
}
