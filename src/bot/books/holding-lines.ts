// Holdings before and after a period, and every reason why they changed: the wallet changes only against another
// account of the ledger, so the lines add up.
import type { Asset } from '../../domain/instrument.ts';
import { type Amount, add, amountText, NO_AMOUNT, negate, subtract } from '../../ledger/amount.ts';
import { ACCOUNTS, type Account, balanceOf, type Ledger } from '../../ledger/ledger.ts';
import type { Period } from './local-time.ts';
import { type Movement, ORIGINS } from './movement.ts';
import type { Books } from './read-books.ts';

/** In display order. */
export const HOLDING_LINES = [
  'bot-trades',
  'bot-fees',
  'bot-tax',
  'owner-trades',
  'owner-fees',
  'owner-tax',
  'simple-trades',
  'simple-fees',
  'simple-tax',
  'deposits',
  'withdrawals',
  'transfer-fees',
  'accepted',
  'opening-balances',
  'not-in-wallet',
] as const;
export type HoldingLine = (typeof HOLDING_LINES)[number];

export interface HoldingChange {
  readonly asset: Asset;
  readonly opening: Amount;
  /** Nonzero lines. */
  readonly lines: ReadonlyMap<HoldingLine, Amount>;
  /** The part that no record explains: zero unless records are missing. */
  readonly unrecorded: Amount;
  /** From the ledger, minus later movements. */
  readonly closing: Amount;
}

/** The line to which an account of a movement belongs; null for the wallet itself. */
export function lineOf({ trade, event }: Pick<Movement, 'trade' | 'event'>, account: Account): HoldingLine | null {
  switch (account) {
    case 'wallet':
      return null;
    case 'fees':
      return trade === null ? 'transfer-fees' : `${ORIGINS[trade.origin]}-fees`;
    case 'tax-withheld':
      return trade === null ? 'transfer-fees' : `${ORIGINS[trade.origin]}-tax`;
    case 'trading':
      return 'bot-trades';
    case 'external:deposit':
      return 'deposits';
    case 'external:withdrawal':
      return 'withdrawals';
    case 'external:conversion':
      return 'simple-trades';
    case 'external:manual':
      return event === 'accepted' ? 'accepted' : 'owner-trades';
    case 'opening':
      return trade === null ? 'opening-balances' : 'not-in-wallet';
  }
}

/** One per asset in the ledger, by name. */
export function holdingChanges(
  movements: readonly Movement[],
  ledger: Ledger,
  { from, to }: Pick<Period, 'from' | 'to'>,
): readonly HoldingChange[] {
  const changes = movements.flatMap((movement) =>
    movement.changes.map(({ asset, account, by }) => {
      const { happenedAt: at } = movement;
      return { asset, when: at < from ? 'before' : at < to ? 'within' : 'after', line: lineOf(movement, account), by };
    }),
  );
  const byAsset = Map.groupBy(changes, ({ asset }) => asset);
  return [...new Set([...ledger.balances.keys(), ...byAsset.keys()])].sort().map((asset) => {
    const sums = Map.groupBy(byAsset.get(asset) ?? [], ({ when, line }) => `${when} ${line ?? 'wallet'}`);
    const sum = (when: string, line: HoldingLine | 'wallet'): Amount =>
      (sums.get(`${when} ${line}`) ?? []).reduce((total, { by }) => add(total, by), NO_AMOUNT);
    const opening = sum('before', 'wallet');
    const closing = subtract(balanceOf(ledger, asset, 'wallet'), sum('after', 'wallet'));
    const moved = HOLDING_LINES.map((line) => [line, negate(sum('within', line))] as const);
    const lines = new Map(moved.filter(([, by]) => by !== NO_AMOUNT));
    const unrecorded = subtract(closing, [...lines.values()].reduce(add, opening));
    return { asset, opening, lines, unrecorded, closing };
  });
}

export const isUnmoved = ({ opening, lines, unrecorded, closing }: HoldingChange): boolean =>
  lines.size === 0 && [opening, unrecorded, closing].every((amount) => amount === NO_AMOUNT);

// Checks that the remaining records add up to the ledger, which proves that none is missing.

/** An account whose records add up to another balance than the ledger's. */
type BooksDifference = ReturnType<typeof checkBooks>[number];

/** Empty if the records are complete. `ledger`: the bot's own, from the whole journal. */
export function checkBooks({ ledger: recorded }: Pick<Books, 'ledger'>, ledger: Ledger) {
  const assets = [...new Set([...ledger.balances.keys(), ...recorded.balances.keys()])].sort();
  return assets.flatMap((asset) =>
    ACCOUNTS.map((account) => ({
      asset,
      account,
      recorded: balanceOf(recorded, asset, account),
      ledger: balanceOf(ledger, asset, account),
    })).filter((each) => each.recorded !== each.ledger),
  );
}

export const differenceSentence = ({ asset, account, recorded, ledger }: BooksDifference): string =>
  `The records give ${amountText(recorded)} ${asset} in '${account}', and the ledger has ${amountText(ledger)}.`;
