// Moves free balances of several accounts at once: all of it or nothing.
import type { Asset } from '../domain/instrument.ts';
import { canPay, holdingOf } from './accounts.ts';
import type { EngineState } from './engine-state.ts';
import type { Account } from './market.ts';
import { refused } from './refusals.ts';
import type { EngineEvent, Posting, Units } from './types.ts';

/** The net change of one account in one asset. */
interface Change {
  readonly account: Account;
  readonly asset: Asset;
  amount: Units;
}

/**
 * Refused for an unknown account, then for what a limited account can't pay. The order of the postings does not matter.
 */
export function post(state: EngineState, postings: readonly Posting[]): EngineEvent[] {
  const changes = new Map<Account, Map<Asset, Change>>();
  for (const { account: name, asset, amount } of postings) {
    const account = state.accounts.get(name);
    if (account === undefined) return [refused('unknown-account', `There is no account ${name}.`)];
    changeOf(changes, account, asset).amount += amount;
  }
  const all = [...changes.values()].flatMap((ofAccount) => [...ofAccount.values()]);
  const unpaid = all.find(({ account, asset, amount }) => amount < 0n && !canPay(account, asset, -amount));
  if (unpaid) return [refusalOf(unpaid)];
  for (const { account, asset, amount } of all) {
    holdingOf(account, asset).free += amount;
    state.credited.set(asset, (state.credited.get(asset) ?? 0n) + amount);
  }
  return [];
}

function changeOf(changes: Map<Account, Map<Asset, Change>>, account: Account, asset: Asset): Change {
  const ofAccount = changes.get(account) ?? new Map<Asset, Change>();
  changes.set(account, ofAccount);
  const change = ofAccount.get(asset) ?? { account, asset, amount: 0n };
  ofAccount.set(asset, change);
  return change;
}

function refusalOf({ account, asset, amount }: Change): EngineEvent {
  const free = account.holdings.get(asset)?.free ?? 0n;
  return refused('insufficient-funds', `${account.name} has ${free} units of ${asset} free, not ${-amount}.`);
}
