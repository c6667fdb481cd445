// The owner's account and money, apart from transfers: opening, unexplained changes, what is locked and unlocked.
import { plain } from '../../domain/decimal.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { reader } from '../../matching/engine.ts';
import { isFreeName, openAccount } from '../engine/open-account.ts';
import { freeOf, giveBack, post, setAside } from '../engine/pockets.ts';
import { knowAsset } from '../state/back-office.ts';
import { changeKeys } from '../state/keys.ts';
import type { ActionOf, OwnerActionAnswer } from '../state/owner-action-types.ts';
import { pocketBalance } from '../state/set-aside.ts';
import type { PaperKey } from '../state/settings.ts';
import type { ExchangeState } from '../state/state.ts';
import { anyUnits, assetText, knownAccount, shortSentence, unitsAboveZero, unitsOrZero, unpayable } from './checks.ts';

export const DONE: Result<OwnerActionAnswer> = ok({ kind: 'done' });

/** With its keys, which last until the exchange is started anew. */
export function openByOwner(state: ExchangeState, action: ActionOf<'open-account'>): Result<OwnerActionAnswer> {
  const { account, keys, balances } = action;
  if (account === '') return fail('An account needs a name.');
  if (!isFreeName(state, account)) return fail(`The account name ${account} is taken.`);
  for (const [asset, balance] of Object.entries(balances)) {
    const checked = [assetText(asset), unitsOrZero(state, balance, `The first balance of ${asset}`)];
    for (const one of checked) if (!one.ok) return one;
  }
  const refusal = refusalOfKeys(state, keys);
  if (refusal !== null) return fail(refusal);
  openAccount(state, { name: account, keys, balances });
  for (const asset of Object.keys(balances)) knowAsset(state.backOffice, asset);
  for (const key of keys) changeKeys(state, { kind: 'add', account, key });
  return DONE;
}

function refusalOfKeys({ callers }: ExchangeState, keys: readonly PaperKey[]): string | null {
  const names = new Set(keys.map((key) => key.apiKey));
  if (names.size < keys.length) return 'Two of the API keys are the same.';
  if (keys.some(({ apiKey, secret }) => apiKey === '' || secret === '')) return 'An API key or its secret is empty.';
  return keys.some(({ apiKey }) => callers.has(apiKey)) ? 'One of the API keys exists already.' : null;
}

export function credit(state: ExchangeState, action: ActionOf<'credit'>): Result<OwnerActionAnswer> {
  const { account, asset, amount } = action;
  const units = anyUnits(state, amount, 'The amount');
  for (const one of [knownAccount(state, account), assetText(asset), units]) if (!one.ok) return one;
  if (!units.ok) return units;
  const postings = [{ account, asset, amount: units.value }];
  const refusal = unpayable(state, postings);
  if (refusal !== null) return fail(refusal);
  knowAsset(state.backOffice, asset);
  post(state, postings);
  return DONE;
}

/** Locks what is free, or gives back what is locked for the purpose. */
export function lockOrUnlock(state: ExchangeState, action: ActionOf<'lock' | 'unlock'>): Result<OwnerActionAnswer> {
  const { account, asset, purpose } = action;
  const units = unitsAboveZero(state, action.amount, 'The amount');
  for (const one of [knownAccount(state, account), assetText(asset)]) if (!one.ok) return one;
  if (!units.ok) return units;
  const portion = { account, asset, purpose, amount: units.value };
  if (action.kind === 'lock') {
    const free = freeOf(state, account, asset);
    return setAside(state, portion) ? DONE : fail(shortSentence(state, { account, asset, free, needed: units.value }));
  }
  const isGiven = pocketBalance(reader(state.engine), portion) >= units.value && giveBack(state, portion);
  return isGiven ? DONE : fail(`${account} has not locked ${plain(action.amount)} ${asset} for ${purpose}.`);
}
