// What an account has of one asset, free and set aside, as the wallet shows it.
import { decimal, plain } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import { reader } from '../../matching/engine.ts';
import type { AccountName, Units } from '../../matching/types.ts';
import type { Quirks } from '../wire/quirks.ts';
import type { WalletRow } from './account-record.ts';
import { unitsText } from './amounts.ts';
import { type Purpose, pocketBalance } from './set-aside.ts';
import type { ExchangeState } from './state.ts';

export const EMPTY_ROW: WalletRow = { free: '0', locked: '0', lockedFd: '0', lockedStaking: '0', lockedOtc: '0' };

/** At this moment, without lags. */
export function walletRow(state: ExchangeState, account: AccountName, asset: Asset): WalletRow {
  const market = reader(state.engine);
  const { free, locked } = market.balance(account, asset);
  const text = (units: Units) => unitsText(units, state.settings.engine.assetDecimals);
  const pockets = state.accounts.get(account)?.pockets;
  if (pockets === undefined || pockets.size === 0) return { ...EMPTY_ROW, free: text(free), locked: text(locked) };
  const inPocket = (purpose: Purpose): Units =>
    pockets.has(purpose) ? pocketBalance(market, { account, purpose, asset }) : 0n;
  return {
    free: text(free),
    locked: text(locked + inPocket('order') + inPocket('withdrawal') + inPocket('p2p')),
    lockedFd: text(inPocket('fixed-deposit')),
    lockedStaking: text(inPocket('staking')),
    lockedOtc: text(inPocket('otc')),
  };
}

/** Q12: `locked` with staking and OTC, or without them. */
export function shownRow(row: WalletRow, { lockedIncludes }: Pick<Quirks, 'lockedIncludes'>): WalletRow {
  const { locked, lockedStaking, lockedOtc } = row;
  if (lockedIncludes === 'trading' || (lockedStaking === '0' && lockedOtc === '0')) return row;
  return { ...row, locked: plain(decimal(locked).add(lockedStaking).add(lockedOtc)) };
}

export function isEmptyRow(row: WalletRow): boolean {
  return Object.values(row).every((amount) => amount === '0');
}
