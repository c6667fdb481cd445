// The ledger as a Beancount file: one transaction per movement, then the closing balance of every account.
// https://beancount.github.io/docs/beancount_language_syntax.html
import type { Asset } from '../../domain/instrument.ts';
import { plainText } from '../../domain/text.ts';
import type { EpochMs } from '../../domain/time.ts';
import { amountText, subtract } from '../../ledger/amount.ts';
import {
  ACCOUNTS,
  type Account,
  balanceOf,
  type Change,
  EMPTY_LEDGER,
  type Ledger,
  post,
  summed,
} from '../../ledger/ledger.ts';
import { transactionOf } from './export-columns.ts';
import { type Calendar, type Day, daysLater, dayText } from './local-time.ts';
import { inOrder, type Movement } from './movement.ts';
import { isWithin, type TimeRange } from './time-range.ts';

/** Accounts of the ledger, as Beancount calls them. */
export const NAMES: Readonly<Record<Account, string>> = {
  wallet: 'Assets:Exchange:Wallet',
  fees: 'Expenses:Exchange:Fees',
  'tax-withheld': 'Assets:Exchange:Tax-Withheld',
  trading: 'Equity:Exchange:Trading',
  'external:deposit': 'Equity:Owner:Deposits',
  'external:withdrawal': 'Equity:Owner:Withdrawals',
  'external:conversion': 'Equity:Owner:Simple-Trades',
  'external:manual': 'Equity:Owner:By-Hand',
  opening: 'Equity:Opening',
};

/**
 * Yields blocks of lines. `ledger` is that of the whole journal: its balances are asserted, so `bean-check` compares
 * the transactions with the bot's own ledger to the last digit.
 */
export function* beancountLines(
  movements: readonly Movement[],
  ledger: Ledger,
  { title, calendar, range }: { readonly title: string; readonly calendar: Calendar; readonly range: TimeRange },
): Generator<string> {
  const shown = movements
    .filter(({ happenedAt, changes }) => isWithin(happenedAt, range) && changes.length > 0)
    .sort((a, b) => a.happenedAt - b.happenedAt || a.seq - b.seq);
  const { from } = range;
  const before = movements.filter(({ happenedAt }) => from !== null && happenedAt < from);
  const forward = inOrder(summed(before.flatMap((movement) => movement.changes)));
  const begin = from ?? shown[0]?.happenedAt;
  yield titleLines(title);
  if (begin === undefined) return;
  const closing = closingBalances(movements, ledger, range);
  const changes = [...forward, ...shown.flatMap((movement) => movement.changes), ...closing];
  const currencies = currenciesOf(changes.map(({ asset }) => asset));
  const first = dayText(calendar.dayOf(begin));
  yield commodityLines(first, currencies);
  const accounts = [...new Set(changes.map(({ account }) => NAMES[account]))].sort();
  yield accounts.map((account) => `${first} open ${account}`).join('\n');
  const postings = postingsIn(currencies);
  if (forward.length > 0) yield [`${first} * "Brought forward"`, ...postings(forward)].join('\n');
  for (const movement of shown) yield transaction(movement, calendar, postings);
  yield assertions(closing, daysLater(calendar.dayOf(shown.at(-1)?.happenedAt ?? begin), 1), currencies).join('\n');
}

function transaction(
  movement: Movement,
  calendar: Calendar,
  postings: (changes: readonly Change[]) => string[],
): string {
  const { bookedAt, happenedAt, changes } = movement;
  return [
    ...headLines(movement, happenedAt, calendar),
    `  booked: ${quoted(new Date(bookedAt).toISOString())}`,
    ...postings(changes),
  ].join('\n');
}

export const titleLines = (title: string): string =>
  [`option "title" ${quoted(title)}`, 'option "operating_currency" "INR"'].join('\n');

export const commodityLines = (day: string, currencies: ReadonlyMap<Asset, string>): string =>
  [...currencies].map(([asset, code]) => `${day} commodity ${code}\n  name: ${quoted(asset)}`).join('\n');

/** The first lines of a movement's transaction. */
export function headLines(movement: Movement, at: EpochMs, calendar: Calendar): readonly string[] {
  const { event, reference, takesBack } = movement;
  const words = `${takesBack ? 'taken back: ' : ''}${event}`;
  return [
    `${dayText(calendar.dayOf(at))} * ${quoted(words)} ${quoted(reference)}`,
    `  transaction: ${quoted(transactionOf(movement))}`,
    `  happened: ${quoted(new Date(at).toISOString())}`,
  ];
}

const postingsIn =
  (currencies: ReadonlyMap<Asset, string>) =>
  (changes: readonly Change[]): string[] =>
    changes.map(({ asset, account, by }) => `  ${NAMES[account]}  ${amountText(by)} ${currencies.get(asset) ?? asset}`);

/** No tolerance: the last digit counts. */
export const assertions = (balances: readonly Change[], day: Day, currencies: ReadonlyMap<Asset, string>): string[] =>
  balances.map(
    ({ asset, account, by }) =>
      `${dayText(day)} balance ${NAMES[account]}  ${amountText(by)} ~ 0 ${currencies.get(asset) ?? asset}`,
  );

/** Closing balances: the ledger's, minus movements after the end. */
export function closingBalances(movements: readonly Movement[], ledger: Ledger, { to }: TimeRange): readonly Change[] {
  const since = movements.filter(({ happenedAt }) => to !== null && happenedAt >= to).flatMap(({ changes }) => changes);
  const later = post(EMPTY_LEDGER, since);
  return [...ledger.balances.keys()].sort().flatMap((asset) =>
    ACCOUNTS.filter((account) => [ledger, later].some(({ balances }) => balances.get(asset)?.has(account))).map(
      (account) => {
        const by = subtract(balanceOf(ledger, asset, account), balanceOf(later, asset, account));
        return { asset, account, by };
      },
    ),
  );
}

/** Beancount's syntax of a currency. */
const CURRENCY = /^[A-Z][A-Z0-9'._-]{0,22}[A-Z0-9]$/;

/** An asset that Beancount rejects (`1INCH`, `T`) becomes `X-…`; its commodity states the real name. */
export function currenciesOf(assets: readonly Asset[]): ReadonlyMap<Asset, string> {
  const codes = new Map<Asset, string>();
  const taken = new Set<string>();
  for (const asset of [...new Set(assets)].sort()) {
    const plain = CURRENCY.test(asset) ? asset : `X-${asset.toUpperCase().replace(/[^A-Z0-9]/g, '')}`.slice(0, 20);
    let code = CURRENCY.test(plain) ? plain : `${plain}A`;
    for (let count = 1; taken.has(code); count += 1) code = `${plain}${count}`;
    taken.add(code);
    codes.set(asset, code);
  }
  return codes;
}

export const quoted = (text: string): string => `"${plainText(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
