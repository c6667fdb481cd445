// Money by hand: whole units of 10^-8 in bigints, without any of the program's own arithmetic.
import type { Balance } from '../../src/domain/balance.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import type { Fill } from '../../src/domain/fill.ts';

const DECIMALS = 8;
const ONE = 10n ** BigInt(DECIMALS);

/** `216050.0004321` → 21605000043210n. Throws on a ninth decimal. */
export function units(text: string): bigint {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,8}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new Error(`${text} is no amount of at most ${DECIMALS} decimals.`);
  const amount = BigInt(whole + fraction.padEnd(DECIMALS, '0'));
  return sign === '-' ? -amount : amount;
}

const unitsOf = (value: Decimal): bigint => units(value.toFixed());

/** price × quantity; throws where eight decimals can't hold it. */
export function notional(price: bigint, quantity: bigint): bigint {
  const product = price * quantity;
  if (product % ONE !== 0n) throw new Error(`The product of ${price} and ${quantity} has more decimals.`);
  return product / ONE;
}

/** A share in hundred-thousandths, to the nearest unit, half a unit up: 0.354 % is 354n. */
export function share(amount: bigint, hundredThousandths: bigint): bigint {
  return (amount * hundredThousandths * 2n + 100_000n) / 200_000n;
}

const MAKER = 354n;
const TAKER = 472n;
const TAX = 1_000n;

/** What a fill must have cost by its price, quantity, side and liquidity: `notional fee tax`. */
export function chargesOf({ price, quantity, side, liquidity }: Fill): readonly [bigint, bigint, bigint] {
  const amount = notional(unitsOf(price), unitsOf(quantity));
  return [amount, share(amount, liquidity === 'maker' ? MAKER : TAKER), side === 'sell' ? share(amount, TAX) : 0n];
}

/** What a fill says that it cost. */
export const statedCharges = ({ quoteQuantity, commission, tds }: Fill): readonly [bigint, bigint, bigint] => [
  unitsOf(quoteQuantity),
  unitsOf(commission),
  unitsOf(tds),
];

export type Totals = Readonly<Record<string, bigint>>;

/** Free and locked together, by asset. */
export const totalsOf = (balances: readonly Balance[]): Totals =>
  Object.fromEntries(balances.map(({ asset, free, locked }) => [asset, unitsOf(free) + unitsOf(locked)]));

export const lockedOf = (balances: readonly Balance[]): Totals =>
  Object.fromEntries(balances.map(({ asset, locked }) => [asset, unitsOf(locked)]));

/** The totals after these fills: what was bought and sold, fees in whatever asset they were charged, tax in quote. */
export function afterFills(opening: Totals, fills: readonly Fill[]): Totals {
  const totals: Record<string, bigint> = { ...opening };
  const add = (asset: string, amount: bigint) => {
    totals[asset] = (totals[asset] ?? 0n) + amount;
  };
  for (const fill of fills) {
    const [base = '', quote = ''] = fill.symbol.split('/');
    const direction = fill.side === 'buy' ? 1n : -1n;
    add(base, direction * unitsOf(fill.quantity));
    add(quote, -direction * unitsOf(fill.quoteQuantity) - unitsOf(fill.tds));
    add(fill.commissionAsset, -unitsOf(fill.commission));
  }
  return totals;
}
