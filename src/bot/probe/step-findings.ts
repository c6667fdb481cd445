// Tick size and lot size of a symbol (Q19), inferred from all its prices and quantities and compared with the
// configuration.
import { Decimal, plain } from '../../domain/decimal.ts';
import type { Instrument, InstrumentSymbol } from '../../domain/instrument.ts';
import { parseOrderBook, parsePublicTrades } from '../../venue/parsers/market.ts';
import { type Answer, answeredWith, exactJsonOf, good } from './answer.ts';
import { ownFills } from './fee-findings.ts';
import { type Confidence, type Finding, open } from './finding.ts';

/** The symbol's configured rules; `null` if no run quotes it. */
export interface StepQuestion {
  readonly symbol: InstrumentSymbol;
  readonly configured: Instrument | null;
}

/**
 * Chance of a finer step below which the step is considered the true one, and below which it is at least worth a look.
 */
const LIKELY_DOUBT = 1e-6;
const SUSPECTED_DOUBT = 1e-2;

export function stepFindings(answers: readonly Answer[], question: StepQuestion): readonly Finding[] {
  const rows = seenRows(answers, question.symbol);
  const book = answers.find(({ topic, symbol }) => topic === 'order-book' && symbol === question.symbol);
  const whyNone = book ? `order-book was answered ${answeredWith(book)}, and no price was seen` : 'It was not asked.';
  const [prices, quantities] = [rows.map(({ price }) => price), rows.map(({ quantity }) => quantity)];
  return [
    stepFinding({ ...question, name: 'tickSize', values: prices, whyNone }),
    stepFinding({ ...question, name: 'lotSize', values: quantities, whyNone }),
  ];
}

type SeenRow = Readonly<Record<'price' | 'quantity', Decimal>>;

/** Rows of books, public trades and own trades; a level in two reads comes twice. */
function seenRows(answers: readonly Answer[], symbol: InstrumentSymbol): readonly SeenRow[] {
  const levels = good(answers, 'order-book', symbol).flatMap((answer) => {
    const book = parseOrderBook(exactJsonOf(answer));
    return book.ok ? [...book.value.rows.bids, ...book.value.rows.asks] : [];
  });
  const trades = good(answers, 'public-trades', symbol).flatMap((answer) => {
    const page = parsePublicTrades(exactJsonOf(answer));
    return page.ok ? page.value.rows : [];
  });
  return [...levels, ...trades, ...ownFills(answers, symbol)];
}

interface Sample extends StepQuestion {
  readonly name: 'tickSize' | 'lotSize';
  readonly values: readonly Decimal[];
  readonly whyNone: string;
}

const WORDS = {
  tickSize: { id: 'tick-size', words: 'tick size', plural: 'prices' },
  lotSize: { id: 'lot-size', words: 'lot size', plural: 'quantities' },
};

function stepFinding({ symbol, name, values, configured, whyNone }: Sample): Finding {
  const { id, words, plural } = WORDS[name];
  const question = { id: `${id}.${symbol}`, question: `Q19 ${words} of ${symbol}` };
  const found = greatestStep(values);
  if (found === null) return open(question, whyNone);
  const confidence = confidenceOf(found);
  const step = plain(found.step);
  const offGrid = configured && values.find((value) => !value.mod(configured[name]).isZero());
  const differs = configured !== null && !found.step.eq(configured[name]);
  const setting = { symbol, path: ['instrument', name], value: step };
  return {
    ...question,
    finding: confidence === 'unknown' ? `at most ${step}` : step,
    value: { step, distinct: found.distinct, roundShare: rounded(found.roundShare), doubt: found.doubt },
    evidence: [
      `${found.distinct} different ${plural}, all multiples of ${step}`,
      ...(found.roundShare > 0.5 ? [`${percent(found.roundShare)} of them on ${plain(found.step.mul(10))}`] : []),
      ...(found.isUsual ? [] : ['not a usual step']),
      ...(confidence === 'unknown' ? ['too few to tell'] : []),
      ...(offGrid ? [`${plain(offGrid)} is no multiple of the configured ${plain(configured[name])}`] : []),
      ...(differs && !offGrid ? [`configured is ${plain(configured[name])}`] : []),
    ].join('; '),
    confidence,
    ...(differs && confidence === 'likely' && { setting }),
  };
}

/** Never proved: the finest step may not have been used. */
const confidenceOf = ({ doubt, isUsual }: Step): Confidence =>
  doubt > SUSPECTED_DOUBT ? 'unknown' : doubt <= LIKELY_DOUBT && isUsual ? 'likely' : 'suspected';

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const rounded = (share: number): number => Math.round(share * 1_000) / 1_000;

// The largest step that divides all values, and the chance that a finer one exists but happened not to be used.

interface Step {
  /** Greatest common divisor of the values: a multiple of the true step, so never finer than it. */
  readonly step: Decimal;
  /** Number of different values. */
  readonly distinct: number;
  /**
   * Share of values that are multiples of ten steps: a tenth if people choose freely, more if they prefer round
   * numbers.
   */
  readonly roundShare: number;
  /** Upper estimate of the chance that the true step is finer. */
  readonly doubt: number;
  /** 1, 2, 2.5 or 5 times a power of ten, as usual for steps. */
  readonly isUsual: boolean;
}

/** If the true step were half of this, each value would be an even multiple of it with a chance of one in two. */
const LEAST_ROUND_SHARE = 0.5;

/** `null` without a positive value. */
export function greatestStep(values: readonly Decimal[]): Step | null {
  const positive = values.filter((value) => value.gt(0));
  const places = Math.max(0, ...positive.map((value) => value.decimalPlaces()));
  // As text: a value may have more digits than Decimal's multiplication keeps.
  const scaled = [...new Set(positive.map((value) => BigInt(value.toFixed(places).replace('.', ''))))];
  const [first] = scaled;
  if (first === undefined) return null;
  const units = scaled.reduce(greatestCommonDivisor, first);
  const roundShare = scaled.filter((value) => value % (units * 10n) === 0n).length / scaled.length;
  return {
    step: new Decimal(`${units}e-${places}`),
    distinct: scaled.length,
    roundShare,
    doubt: Math.max(LEAST_ROUND_SHARE, roundShare) ** scaled.length,
    isUsual: /^(?:1|2|5|25)0*$/.test(units.toString()),
  };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [large, small] = [a, b];
  while (small !== 0n) [large, small] = [small, large % small];
  return large;
}
