// Tax that was withheld from proceeds: by quarter, and by the month in which it is to be deposited with the government.
import type { Asset } from '../domain/instrument.ts';
import { type Amount, add, NO_AMOUNT } from '../ledger/amount.ts';
import type { Period } from './financial-year.ts';
import { type Calendar, dayText, monthsLater, monthText } from './local-time.ts';
import type { Movement } from './movement.ts';

export interface WithheldInMonth {
  /** `2026-04`. */
  readonly month: string;
  /** The month of the deposit, and its last day for that: see `dueDay`. */
  readonly depositMonth: string;
  readonly dueBy: string;
  readonly asset: Asset;
  readonly amount: Amount;
}

export interface WithheldInQuarter {
  readonly quarter: Period;
  readonly asset: Asset;
  readonly amount: Amount;
}

/** The 7th of the next month; of what is withheld in March, with which the Indian financial year ends, 30 April. */
const DUE_DAY = 7;
const MARCH = 3;
const DUE_DAY_AFTER_MARCH = 30;

/** One row for each month and asset in which tax was withheld, or taken back. In order. */
export function withheldByMonth(movements: readonly Movement[], calendar: Calendar): readonly WithheldInMonth[] {
  const sums = new Map<string, WithheldInMonth>();
  for (const { happenedAt, changes } of movements) {
    for (const { asset, by } of withheldIn(changes)) {
      const { year, month } = calendar.dayOf(happenedAt);
      const next = monthsLater({ year, month, day: month === MARCH ? DUE_DAY_AFTER_MARCH : DUE_DAY }, 1);
      const key = `${monthText({ year, month })} ${asset}`;
      const amount = add(sums.get(key)?.amount ?? NO_AMOUNT, by);
      const about = { month: monthText({ year, month }), depositMonth: monthText(next), dueBy: dayText(next) };
      sums.set(key, { ...about, asset, amount });
    }
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** One row for each quarter and each asset in which tax was withheld in any of them. */
export function withheldByQuarter(
  movements: readonly Movement[],
  quarters: readonly Period[],
): readonly WithheldInQuarter[] {
  const rows = movements.flatMap(({ happenedAt, changes }) =>
    withheldIn(changes).map((each) => ({ happenedAt, ...each })),
  );
  return [...Map.groupBy(rows, ({ asset }) => asset)].flatMap(([asset, own]) =>
    quarters.map((quarter) => {
      const within = own.filter(({ happenedAt: at }) => at >= quarter.from && at < quarter.to);
      return { quarter, asset, amount: within.reduce((sum, { by }) => add(sum, by), NO_AMOUNT) };
    }),
  );
}

const withheldIn = (changes: Movement['changes']): Movement['changes'] =>
  changes.filter(({ account }) => account === 'tax-withheld');
