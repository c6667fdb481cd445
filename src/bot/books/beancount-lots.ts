// Coins at cost as a Beancount file: each purchase is a lot, each sale takes lots and earns. Beancount books the lots
// itself, so `bean-check` compares each sale's gain with ours.
// https://beancount.github.io/docs/how_inventories_work.html
import type { Asset } from '../../domain/instrument.ts';
import {
  AMOUNT_DECIMALS,
  add,
  addValue,
  amountText,
  asValue,
  NO_AMOUNT,
  NO_VALUE,
  negate,
  negateValue,
  times,
  type Value,
  valueText,
} from '../../ledger/amount.ts';
import { type Change, type Ledger, summed } from '../../ledger/ledger.ts';
import {
  assertions,
  closingBalances,
  commodityLines,
  currenciesOf,
  headLines,
  NAMES,
  quoted,
  titleLines,
} from './beancount.ts';
import { type Calendar, daysLater, dayText } from './local-time.ts';
import {
  type Lot,
  type LotRules,
  type LotsOfPeriod,
  lotEventsOf,
  lotsOfPeriod,
  type Method,
  type Settled,
  settledOf,
} from './lots.ts';
import type { Movement } from './movement.ts';
import { divideHalfEven } from './rounding.ts';
import { isWithin, type TimeRange } from './time-range.ts';

const GAINS = 'Income:Exchange:Gains';
/** Coins sold before their purchase is booked. Part of the wallet, apart from it so that they are no lots of it. */
const OWED = `${NAMES.wallet}:Owed`;
/** The other side of coins whose cost is unknown, or that were given for coins. */
const NO_GAIN = 'Equity:Exchange:Without-Gain';

/**
 * How Beancount finds the lots that leave. It knows no time of day and, as of version 2, no HIFO: there each lot is
 * named. It can't average: there each quantity states its cost.
 */
const BOOKING: Readonly<Record<Method, string>> = { fifo: ' "FIFO"', lifo: '', hifo: '', average: ' "NONE"' };

/** What coins of unknown cost cost, in whatever money. */
const NOTHING = { quote: 'INR', value: NO_VALUE };

/**
 * Money is rounded to this: Beancount tolerates somewhat more than half of the last digit that a transaction states,
 * and knows 28 digits of a unit's cost.
 */
const DECIMALS = 8;
const TOLERANCE = 'option "inferred_tolerance_multiplier" "0.6"';

interface Options extends LotRules {
  readonly title: string;
  readonly calendar: Calendar;
  readonly range: TimeRange;
}

type Step = LotsOfPeriod['steps'][number];
/** Account, and what is posted to it; `weight` is what Beancount balances. */
interface Posting {
  readonly account: string;
  readonly units: string;
  readonly money: Asset;
  readonly weight: Value;
}

/** Yields blocks of lines. Executions are in their final form. Balances of the wallet are asserted. */
export function* beancountLotLines(
  movements: readonly Movement[],
  ledger: Ledger,
  options: Options,
): Generator<string> {
  const { title, calendar, range, method, costs } = options;
  const [from, to] = [range.from ?? Number.NEGATIVE_INFINITY, range.to ?? Number.POSITIVE_INFINITY];
  const all = settledOf(movements);
  const lots = lotsOfPeriod(lotEventsOf(all), { method, costs, from, to });
  const shown = all.filter(({ at, changes }) => isWithin(at, range) && changes.length > 0);
  yield `${titleLines(title)}\n${TOLERANCE}`;
  const begin = range.from ?? shown[0]?.at;
  if (begin === undefined) return;
  const closing = closingBalances(movements, ledger, range).filter(({ account }) => account === 'wallet');
  const costMoneys = [NOTHING.quote, ...[...costs.values()].map(({ quote }) => quote)];
  const currencies = currenciesOf([...ledger.balances.keys(), ...costMoneys]);
  const writer: Writer = { method, calendar, codeOf: (asset) => currencies.get(asset) ?? asset };
  const before = summed(all.filter(({ at }) => at < from).flatMap((each) => each.changes));
  const forward = broughtForward(writer, lots.opening, before);
  const steps = Map.groupBy(lots.steps, ({ event: { seq } }) => seq);
  const blocks = shown.map((settled) => {
    const wallet = new Set(settled.changes.filter(({ account }) => account === 'wallet').map(({ asset }) => asset));
    const own = (steps.get(settled.seq) ?? []).filter(({ event }) => wallet.has(event.asset));
    return { head: headLines(settled.movement, settled.at, calendar), postings: postingsOf(writer, settled, own) };
  });
  const accounts = [...forward, ...blocks.flatMap(({ postings }) => postings)].map(({ account }) => account);
  const first = dayText(calendar.dayOf(begin));
  const opened = [...new Set([NAMES.wallet, ...accounts])].sort();
  const booking = (account: string): string => (account.startsWith(NAMES.wallet) ? BOOKING[method] : '');
  yield commodityLines(first, currencies);
  yield opened.map((account) => `${first} open ${account}${booking(account)}`).join('\n');
  if (forward.length > 0) yield [`${first} * "Brought forward"`, ...linesOf(forward)].join('\n');
  for (const { head, postings } of blocks) yield [...head, ...linesOf(postings)].join('\n');
  yield assertions(closing, daysLater(calendar.dayOf(shown.at(-1)?.at ?? begin), 1), currencies).join('\n');
}

const linesOf = (postings: readonly Posting[]): readonly string[] =>
  postings.map(({ account, units }) => `  ${account}  ${units}`);

/** How lots and money are written. */
interface Writer {
  readonly method: Method;
  readonly calendar: Calendar;
  codeOf(asset: Asset): string;
}

/** Everything held before the period, against the opening. */
function broughtForward(
  writer: Writer,
  opening: LotsOfPeriod['opening'],
  before: readonly Change[],
): readonly Posting[] {
  const held = [...opening].flatMap(([asset, lots]) => lots.map((lot) => lotPosting(writer, asset, lot)));
  const money = before
    .filter(({ asset, account }) => !opening.has(asset) && account === 'wallet')
    .map(({ asset, by }) => moneyPosting(writer, NAMES.wallet, asset, asValue(by)));
  return withResidual(writer, [...held, ...money], NAMES.opening);
}

const COUNTERPARTS: ReadonlySet<Change['account']> = new Set(['trading', 'external:manual', 'external:conversion']);

function postingsOf(
  writer: Writer,
  { changes, movement: { trade } }: Settled,
  steps: readonly Step[],
): readonly Posting[] {
  const money = (all: readonly Change[]): readonly Posting[] =>
    all.map(({ asset, account, by }) => moneyPosting(writer, NAMES[account], asset, asValue(by)));
  if (steps.length === 0) return money(changes);
  const coins = new Set(steps.map(({ event }) => event.asset));
  // Cost and gain of a coin take the place of the other side of its trade.
  const isOther = ({ asset, account }: Change): boolean =>
    coins.has(asset) || (trade !== null && COUNTERPARTS.has(account));
  const sold = steps.flatMap(({ disposals }) => disposals).filter(({ gain }) => gain !== null);
  const fill = trade?.fill;
  const feeInCoin = fill && fill.commissionAsset === fill.base && coins.has(fill.base) ? fill.commission : NO_AMOUNT;
  const against = changes.find(({ account }) => account !== 'wallet' && account !== 'fees')?.account;
  const postings = [
    ...steps.flatMap((step) => lotPostings(writer, step)),
    ...money(changes.filter((change) => !isOther(change))),
    ...(fill && feeInCoin !== NO_AMOUNT
      ? [moneyPosting(writer, NAMES.fees, fill.quote, times(feeInCoin, fill.price))]
      : []),
    ...[...Map.groupBy(sold, ({ quote }) => quote)].map(([quote, own]) => {
      const gain = own.reduce((sum, each) => addValue(sum, each.gain ?? NO_VALUE), NO_VALUE);
      return moneyPosting(writer, GAINS, quote, negateValue(rounded(gain)));
    }),
  ];
  return withResidual(writer, postings, trade === null && against ? NAMES[against] : NO_GAIN);
}

/** What a step takes, then what it adds. */
const lotPostings = (writer: Writer, step: Step): readonly Posting[] => [
  ...takenPostings(writer, step),
  ...(step.rest.quantity === NO_AMOUNT ? [] : [lotPosting(writer, step.event.asset, step.rest)]),
];

function lotPosting({ method, calendar, codeOf }: Writer, asset: Asset, lot: Lot): Posting {
  const { quote, value } = lot.price ?? NOTHING;
  const name = method === 'average' ? '' : `, ${nameOf(lot, calendar)}`;
  const units = `${amountText(lot.quantity)} ${codeOf(asset)} {{${valueText(value)} ${codeOf(quote)}${name}}}`;
  const isOwed = lot.quantity < 0n;
  const account = isOwed ? OWED : NAMES.wallet;
  return { account, units, money: quote, weight: isOwed ? negateValue(value) : value };
}

/** Day and record, by which a sale finds the lot. */
const nameOf = ({ at, seq }: Lot, calendar: Calendar): string =>
  at === null ? '' : `${dayText(calendar.dayOf(at))}, ${quoted(String(seq))}`;

/** FIFO by Beancount's own choice among lots that cost the same money; else each lot by its name, or at its cost. */
function takenPostings({ method, calendar, codeOf }: Writer, { event, matches }: Step): readonly Posting[] {
  const isSale = event.quantity < 0n;
  const taken = matches.map(({ came, left }) => {
    const held = isSale ? came : left;
    const { quote, value } = held.price ?? NOTHING;
    const name = method === 'fifo' ? '' : `, ${nameOf(held, calendar)}`;
    const total = `{{${valueText(value)} ${codeOf(quote)}}}`;
    return { quote, value, quantity: left.quantity, cost: method === 'average' ? total : `{${codeOf(quote)}${name}}` };
  });
  return [...Map.groupBy(taken, ({ cost }, index) => (method === 'average' ? `${index}` : cost)).values()].map(
    (own) => {
      const [{ cost, quote } = { cost: '', quote: '' }] = own;
      const quantity = own.reduce((sum, each) => add(sum, each.quantity), NO_AMOUNT);
      const value = own.reduce((sum, each) => addValue(sum, each.value), NO_VALUE);
      const units = `${amountText(isSale ? negate(quantity) : quantity)} ${codeOf(event.asset)} ${cost}`;
      return {
        account: isSale ? NAMES.wallet : OWED,
        money: quote,
        units,
        weight: isSale ? negateValue(value) : value,
      };
    },
  );
}

/** With what is left of each money, against an account. */
function withResidual(writer: Writer, postings: readonly Posting[], account: string): readonly Posting[] {
  const residual = [...Map.groupBy(postings, ({ money }) => money)].flatMap(([money, own]) => {
    const sum = rounded(own.reduce((total, { weight }) => addValue(total, weight), NO_VALUE));
    return sum === NO_VALUE ? [] : [moneyPosting(writer, account, money, negateValue(sum))];
  });
  return [...postings, ...residual];
}

/** At least eight decimals, so that no transaction tolerates more. */
function moneyPosting({ codeOf }: Writer, account: string, money: Asset, weight: Value): Posting {
  const [whole, fraction = ''] = valueText(weight).split('.');
  return { account, money, weight, units: `${whole}.${fraction.padEnd(DECIMALS, '0')} ${codeOf(money)}` };
}

function rounded(value: Value): Value {
  const unit = 10n ** BigInt(2 * AMOUNT_DECIMALS - DECIMALS);
  return (divideHalfEven(value, unit) * unit) as Value;
}
