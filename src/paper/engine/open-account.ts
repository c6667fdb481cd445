// Opens an account of the settings, on a new exchange or on one that goes on with more accounts than before, or the
// owner's.
import { CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT } from '../../crowd/types.ts';
import { invariant } from '../../domain/invariant.ts';
import { toUnits } from '../../matching/conversion.ts';
import { FEES_ACCOUNT, TAX_ACCOUNT } from '../../matching/engine.ts';
import type { AccountName } from '../../matching/types.ts';
import { createAccountRecord } from '../state/account-record.ts';
import { showUntil } from '../state/delayed-view.ts';
import { ownerOfPocket } from '../state/set-aside.ts';
import type { PaperAccount } from '../state/settings.ts';
import type { ExchangeState } from '../state/state.ts';
import { execute } from './execute.ts';

/** With its first balances. Throws on a name that is taken, and on a balance finer than the smallest unit. */
export function openAccount(state: ExchangeState, { name, balances }: PaperAccount): void {
  invariant(isFreeName(state, name), `The account name ${name} is taken.`);
  const record = createAccountRecord();
  state.accounts.set(name, record);
  execute(state, { kind: 'open-account', account: name, unlimited: false }, state.lastAt);
  const { assetDecimals } = state.settings.engine;
  for (const [asset, balance] of Object.entries(balances)) {
    const amount = toUnits(balance, assetDecimals);
    invariant(
      amount !== null && amount >= 0n,
      `${name} can't start with ${balance.toFixed()} ${asset}: no less than zero, at most ${assetDecimals} decimals.`,
    );
    if (amount > 0n) execute(state, { kind: 'credit', account: name, asset, amount }, state.lastAt);
  }
  // They were there before the exchange opened: a wallet that trails (Q6) trails what happens, not what it starts from.
  showUntil(record.wallet, state.lastAt);
}

const RESERVED = [CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT, FEES_ACCOUNT, TAX_ACCOUNT];

/** Not one of the exchange's own accounts, nor of the form of a pocket. */
export function isFreeName({ accounts }: ExchangeState, name: AccountName): boolean {
  return !RESERVED.includes(name) && !accounts.has(name) && ownerOfPocket(name) === null;
}
