// Actions of the account's owner or the world outside the bot's interface.
import type { Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { advance } from '../engine/advance.ts';
import type { ActionOf, OwnerAction, OwnerActionAnswer } from '../state/owner-actions.ts';
import type { ExchangeState } from '../state/state.ts';
import { credit, lockOrUnlock, openByOwner, settleAsset } from './money.ts';
import { cancelByOwner, placeByOwner } from './orders.ts';
import { bustTrade, correctTrade, delayNextTrades, delayTrade, sbsTrade } from './trades.ts';
import { beginTransfer, endTransfer, nameTransaction } from './transfers.ts';

const ACTIONS: {
  readonly [Kind in OwnerAction['kind']]: (state: ExchangeState, action: ActionOf<Kind>) => Result<OwnerActionAnswer>;
} = {
  'open-account': openByOwner,
  credit,
  'crypto-deposit': beginTransfer,
  'crypto-withdrawal': beginTransfer,
  'fiat-deposit': beginTransfer,
  'fiat-withdrawal': beginTransfer,
  'end-transfer': endTransfer,
  'transaction-hash': nameTransaction,
  'sbs-trade': sbsTrade,
  lock: lockOrUnlock,
  unlock: lockOrUnlock,
  'asset-settings': settleAsset,
  'place-order': placeByOwner,
  'cancel-order': cancelByOwner,
  'bust-trade': bustTrade,
  'correct-trade': correctTrade,
  'delay-trade': delayTrade,
  'delay-next-trades': delayNextTrades,
};

/**
 * Changes the state in place at the venue's time `now`, after letting the crowd act until then. A refusal is one
 * sentence, and then nothing has changed. Never throws, for any action.
 */
export function applyOwnerAction(state: ExchangeState, action: OwnerAction, now: EpochMs): Result<OwnerActionAnswer> {
  advance(state, now);
  const apply = ACTIONS[action.kind] as (state: ExchangeState, action: OwnerAction) => Result<OwnerActionAnswer>;
  return apply(state, action);
}
