// Rates and names of the tax law by financial year: a data file that a person may correct. Checked as a configuration.
import { z } from 'zod';
import type { Asset } from '../../domain/instrument.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { complaintLines, parsed } from '../settings/complain.ts';
import { asset, exactRatio, filled, monthDay, word } from '../settings/fields.ts';
import { type Complaint, type Located, locate, placeAt } from '../settings/located.ts';
import { readText } from '../settings/settings.ts';
import { dayText, type YearBegin, yearIn, yearName } from './local-time.ts';

const year = () => word(/^\d{4}(?:-\d{2})?$/, 'a financial year such as 2026-27');
/** The name of the law, as the statement shows it. */
const rule = filled();

const yearsSchema = z.strictObject({
  from: year(),
  /** The last one. */
  to: year(),
  income: z.strictObject({ rate: exactRatio(), rule }),
  losses: z.strictObject({ setOff: z.boolean(), rule }),
  fees: z.strictObject({ deducted: z.boolean(), rule }),
  cess: z.strictObject({ rate: exactRatio(), rule }),
  withheld: z.strictObject({ statement: filled(), rule }),
  deposit: z.strictObject({ day: z.int().min(1).max(28), dayAfterMarch: z.int().min(1).max(30), rule }),
});
const fileSchema = z.strictObject({
  asset: asset(),
  /** Month and day: a year by another one's rules would be wrong without a word. */
  yearBegins: monthDay(),
  years: z.array(yearsSchema).min(1),
});
type Years = z.output<typeof yearsSchema>;

/** The rules of one financial year; `asset` is what the tax is paid in. */
export type TaxRules = Omit<Years, 'from' | 'to'> & { readonly asset: Asset };

/** Throws `StartError` (78) with a sentence per mistake: file, line, place, value and what was expected. */
export function readTaxRules(file: string, wanted: string, begins: YearBegin): TaxRules {
  const { root, complaints } = locate(file, readText(file));
  refuse(complaints);
  if (root === null) throw new StartError(EXIT.configurationInvalid, `${file}:1: The file is empty.`);
  const { data, complaints: others } = parsed(fileSchema, root);
  refuse(others);
  const wantedBegin = dayText({ year: 2000, ...begins }).slice('2000-'.length);
  if (data && data.yearBegins !== wantedBegin) {
    const other = `and \`statement.yearBegins\` is ${wantedBegin}: these are other years.`;
    refuse([{ at: placeAt(root, ['yearBegins']), sentence: `yearBegins: "${data.yearBegins}", ${other}` }]);
  }
  const years = data?.years ?? [];
  // What follows the first is mostly its consequence.
  refuse(orderComplaints(years, root, begins).slice(0, 1));
  const number = yearIn(wanted, begins) ?? Number.NaN;
  const found = years.find(({ from, to }) => numberOf(from) <= number && number <= numberOf(to));
  if (data && found) return { ...found, asset: data.asset };
  const known = `its years are ${years[0]?.from} to ${years.at(-1)?.to}`;
  const { line } = placeAt(root, ['years']);
  throw new StartError(
    EXIT.configurationInvalid,
    `${file}:${line}: years: ${wanted} is not among them; ${known}. Add its rules to a copy of the file, named by ` +
      '`statement.taxRules`.',
  );
}

const numberOf = (name: string): number => Number.parseInt(name, 10);

/** Each entry begins with the year after the end of the one before. */
function orderComplaints(years: readonly Years[], root: Located, begins: YearBegin): readonly Complaint[] {
  return years.flatMap(({ from, to }, index) => {
    const complain = (key: 'from' | 'to', sentence: string): readonly Complaint[] => [
      { at: placeAt(root, ['years', index, key]), sentence: `years[${index}].${key}: ${sentence}` },
    ];
    for (const [key, name] of [
      ['from', from],
      ['to', to],
    ] as const)
      if (yearIn(name, begins) === null)
        return complain(key, `"${name}" is no year: ${yearName(numberOf(name), begins)} was expected.`);
    if (numberOf(to) < numberOf(from)) return complain('to', `"${to}" is before ${from}: a later year was expected.`);
    const before = years[index - 1];
    if (before === undefined || numberOf(from) === numberOf(before.to) + 1) return [];
    const fault = numberOf(from) > numberOf(before.to) ? 'leaves a hole after' : 'overlaps the entry that ends with';
    const expected = yearName(numberOf(before.to) + 1, begins);
    return complain('from', `"${from}" ${fault} ${before.to}: ${expected} was expected.`);
  });
}

function refuse(complaints: readonly Complaint[]): void {
  if (complaints.length > 0) throw new StartError(EXIT.configurationInvalid, complaintLines(complaints).join('\n'));
}
