// Money that an account owns and can't use: each purpose has a pocket, an engine account of its own, so that the engine
// itself sees to it that nothing is lost on the way.
import type { Asset } from '../../domain/instrument.ts';
import type { MarketReader } from '../../matching/market-reader.ts';
import type { AccountName, Posting, Units } from '../../matching/types.ts';
import type { LockPurpose } from './owner-action-types.ts';

/** `order`: for orders that wait outside the book. */
export type Purpose = LockPurpose | 'order' | 'withdrawal';

/** All of them. */
export const PURPOSES: readonly Purpose[] = ['order', 'withdrawal', 'p2p', 'staking', 'otc', 'fixed-deposit'];
const POCKET = new RegExp(`^(.*) \\((?:${PURPOSES.join('|')})\\)$`, 's');

/** The engine account of a pocket: `alice (staking)`. */
export function pocketOf(account: AccountName, purpose: Purpose): AccountName {
  return `${account} (${purpose})`;
}

/** Whose pocket an engine account is; `null` for one that is no pocket. */
export function ownerOfPocket(name: AccountName): AccountName | null {
  return POCKET.exec(name)?.[1] ?? null;
}

/** An amount for a purpose, above zero or zero. */
export interface Portion {
  readonly account: AccountName;
  readonly purpose: Purpose;
  readonly asset: Asset;
  readonly amount: Units;
}

/** From free into the pocket. */
export function intoPocket({ account, purpose, asset, amount }: Portion): readonly Posting[] {
  return [
    { account, asset, amount: -amount },
    { account: pocketOf(account, purpose), asset, amount },
  ];
}

/** From the pocket back to free. */
export function outOfPocket(portion: Portion): readonly Posting[] {
  return intoPocket({ ...portion, amount: -portion.amount });
}

/** What is in a pocket. */
export function pocketBalance(market: MarketReader, { account, purpose, asset }: Omit<Portion, 'amount'>): Units {
  return market.balance(pocketOf(account, purpose), asset).free;
}
