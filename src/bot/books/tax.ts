// Tax on the disposals of a period: gains and losses apart, each figure with the rule that makes it.
import type { Decimal } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import { addValue, exactAmount, NO_VALUE, negateValue, subtractValue, type Value } from '../../ledger/amount.ts';
import type { Disposal, Lot } from './lots.ts';
import { partOf } from './rounding.ts';
import type { TaxRules } from './tax-rules.ts';

export interface TaxFigure {
  readonly line: string;
  readonly asset: Asset;
  readonly value: Value;
  readonly rule: string;
  readonly note: string | null;
}

interface Taxed {
  readonly disposals: readonly Disposal[];
  /** Coins held, or owed, at the end of the period. */
  readonly held: readonly Lot[];
  /** Of the period, in the asset of the rules. */
  readonly fees: Value;
  readonly withheld: Value;
}

/** Of a disposal: its gain, or nothing for a loss. In a loss, the other way round. Null if the cost is unknown. */
export const incomeOf = ({ gain }: Disposal): Value | null => gain && (gain > 0n ? gain : NO_VALUE);
export const lossOf = ({ gain }: Disposal): Value | null => gain && (gain < 0n ? negateValue(gain) : NO_VALUE);

/** In the asset of the rules. What has no known cost, or brought other money, is in no sum but its own. */
export function taxFigures({ disposals, held, fees, withheld }: Taxed, rules: TaxRules): readonly TaxFigure[] {
  const { income, losses, cess } = rules;
  const own = disposals.filter(({ quote }) => quote === rules.asset);
  const known = own.filter(({ cost }) => cost !== null);
  const sum = (of: (each: Disposal) => Value | null, all = known): Value =>
    all.reduce((total, each) => addValue(total, of(each) ?? NO_VALUE), NO_VALUE);
  const [gains, lost] = [sum(incomeOf), sum(lossOf)];
  const less = addValue(losses.setOff ? lost : NO_VALUE, rules.fees.deducted ? fees : NO_VALUE);
  const taxable = gains > less ? subtractValue(gains, less) : NO_VALUE;
  const tax = share(taxable, income.rate);
  const cessDue = share(tax, cess.rate);
  const due = addValue(tax, cessDue);
  const figure = (line: string, value: Value, { rule }: { rule: string }, note: string | null = null): TaxFigure => ({
    ...{ line, asset: rules.asset, value, rule, note },
  });
  const unknown = own.filter(({ cost }) => cost === null);
  const unmatched = held.flatMap(({ quantity, price }) =>
    quantity < 0n && price?.quote === rules.asset ? [price.value] : [],
  );
  const others = Map.groupBy(
    disposals.filter(({ quote }) => quote !== rules.asset),
    ({ quote }) => quote,
  );
  const proceeds = ({ proceeds: brought }: Disposal): Value => brought;
  return [
    figure('consideration', sum(proceeds), income),
    figure(
      'cost',
      sum(({ cost }) => cost),
      income,
    ),
    figure('income', gains, income, 'gains alone'),
    figure('losses', lost, losses, losses.setOff ? 'set off' : 'set off nothing'),
    figure('fees', fees, rules.fees, rules.fees.deducted ? 'deducted' : 'not deducted'),
    figure('taxable_income', taxable, income),
    figure('tax', tax, income, percent(income.rate)),
    figure('cess', cessDue, cess, `${percent(cess.rate)} of the tax`),
    figure('tax_and_cess', due, cess),
    figure('tax_withheld', withheld, rules.withheld, 'a credit'),
    figure('balance', subtractValue(due, withheld), rules.withheld, withheld > due ? 'comes back' : 'to be paid'),
    ...(unknown.length === 0
      ? []
      : [figure('unknown_cost_consideration', sum(proceeds, unknown), income, 'in no sum')]),
    ...(unmatched.length === 0
      ? []
      : [figure('unmatched_consideration', unmatched.reduce(addValue), income, 'in no sum: no purchase is booked')]),
    ...[...others].map(([asset, sold]) => ({
      ...figure('other_consideration', sum(proceeds, sold), income, 'in no sum: other money'),
      asset,
    })),
  ];
}

const share = (value: Value, rate: Decimal): Value => partOf(value, exactAmount(rate.toFixed()));
const percent = (rate: Decimal): string => `${rate.mul(100).toFixed()} %`;
