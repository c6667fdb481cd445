// Moves money of an account between what is free and what is set aside.
import type { Asset } from '../../domain/instrument.ts';
import { reader } from '../../matching/engine.ts';
import type { AccountName, Posting, Units } from '../../matching/types.ts';
import { intoPocket, outOfPocket, type Portion, pocketBalance, pocketOf } from '../state/set-aside.ts';
import { accountRecord, type ExchangeState } from '../state/state.ts';
import { engineStep } from './engine-step.ts';

/** False where so much is not free; then nothing has changed. */
export function setAside(state: ExchangeState, portion: Portion): boolean {
  const { account, purpose, asset, amount } = portion;
  if (amount === 0n) return true;
  if (freeOf(state, account, asset) < amount) return false;
  const { pockets } = accountRecord(state, account);
  if (!pockets.has(purpose)) {
    engineStep(state, { kind: 'open-account', account: pocketOf(account, purpose), unlimited: false }, state.lastAt);
    pockets.add(purpose);
  }
  return post(state, intoPocket(portion)) === null;
}

/** False where so much is not in the pocket; then nothing has changed. */
export function giveBack(state: ExchangeState, portion: Portion): boolean {
  if (portion.amount === 0n) return true;
  if (pocketBalance(reader(state.engine), portion) < portion.amount) return false;
  return post(state, outOfPocket(portion)) === null;
}

/** What is free of an asset. */
export function freeOf(state: ExchangeState, account: AccountName, asset: Asset): Units {
  return reader(state.engine).balance(account, asset).free;
}

/** All of it or nothing: then it says why. */
export function post(state: ExchangeState, postings: readonly Posting[]): string | null {
  for (const event of engineStep(state, { kind: 'post', postings }, state.lastAt)) {
    if (event.kind === 'refused') return event.detail;
  }
  return null;
}
