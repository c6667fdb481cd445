// The wallet's balances of one asset.
import type { Decimal } from './decimal.ts';
import type { Asset } from './instrument.ts';

/** One row of the wallet (specification 2.9), in units of the asset. */
export interface Balance {
  readonly asset: Asset;
  readonly free: Decimal;
  /** Locked for trading, withdrawals, staking, P2P or OTC: which of these it includes is not specified (Q12). */
  readonly locked: Decimal;
  readonly lockedFd: Decimal;
  readonly lockedStaking: Decimal;
  readonly lockedOtc: Decimal;
}

/** free + locked + lockedFd. A setting of the venue's assumptions says whether `locked` includes staking and OTC. */
export const totalOf = (balance: Balance, lockedIncludesStakingAndOtc: boolean): Decimal =>
  balance.free.add(setAsideOf(balance, lockedIncludesStakingAndOtc));

/** The locked amount, for whatever purpose. */
export function setAsideOf(balance: Balance, lockedIncludesStakingAndOtc: boolean): Decimal {
  const setAside = balance.locked.add(balance.lockedFd);
  return lockedIncludesStakingAndOtc ? setAside : setAside.add(balance.lockedStaking).add(balance.lockedOtc);
}
