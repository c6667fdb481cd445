// Actions of the account's owner or the world outside the bot's interface.
import { assertNever } from '../../domain/invariant.ts';
import type { Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { advance } from '../engine/advance.ts';
import type { OwnerAction, OwnerActionAnswer } from '../state/owner-actions.ts';
import type { ExchangeState } from '../state/state.ts';
import { credit, lockOrUnlock, openByOwner, settleAsset } from './money.ts';
import { cancelByOwner, placeByOwner } from './orders.ts';
import { bustTrade, correctTrade, delayNextTrades, delayTrade, sbsTrade } from './trades.ts';
import { beginTransfer, endTransfer, nameTransaction } from './transfers.ts';

/**
 * Changes the state in place at the venue's time `now`, after letting the crowd act until then. A refusal is one
 * sentence, and then nothing has changed. Never throws, for any action.
 */
export function applyOwnerAction(state: ExchangeState, action: OwnerAction, now: EpochMs): Result<OwnerActionAnswer> {
  advance(state, now);
  switch (action.kind) {
    case 'open-account':
      return openByOwner(state, action);
    case 'credit':
      return credit(state, action);
    case 'crypto-deposit':
    case 'crypto-withdrawal':
    case 'fiat-deposit':
    case 'fiat-withdrawal':
      return beginTransfer(state, action);
    case 'end-transfer':
      return endTransfer(state, action);
    case 'transaction-hash':
      return nameTransaction(state, action);
    case 'sbs-trade':
      return sbsTrade(state, action);
    case 'lock':
    case 'unlock':
      return lockOrUnlock(state, action);
    case 'asset-settings':
      return settleAsset(state, action);
    case 'place-order':
      return placeByOwner(state, action);
    case 'cancel-order':
      return cancelByOwner(state, action);
    case 'bust-trade':
      return bustTrade(state, action);
    case 'correct-trade':
      return correctTrade(state, action);
    case 'delay-trade':
      return delayTrade(state, action);
    case 'delay-next-trades':
      return delayNextTrades(state, action);
    default:
      return assertNever(action);
  }
}
