// Q19: tick size, lot size and least notional of a symbol, from what was seen of it, held against the configuration.
import { type Decimal, plain } from '../../../domain/decimal.ts';
import type { Instrument, InstrumentSymbol } from '../../../domain/instrument.ts';
import type { Answer } from '../facts/answer.ts';
import { type Confidence, counted, type Finding, open } from '../facts/finding.ts';
import { greatestStep, type Step } from '../facts/greatest-step.ts';
import { type SeenLevel, seenLevels } from '../facts/market-values.ts';

/** What the configuration says of a symbol; `null` where no run quotes it. */
export interface StepQuestion {
  readonly symbol: InstrumentSymbol;
  readonly configured: Instrument | null;
}

/**
 * Chance of a finer step under which the step is taken for the true one, and under which it is at least worth a look.
 */
const LIKELY_DOUBT = 1e-6;
const SUSPECTED_DOUBT = 1e-2;

export function stepFindings(answers: readonly Answer[], question: StepQuestion): readonly Finding[] {
  const levels = seenLevels(answers, question.symbol);
  return [
    stepFinding({ ...question, name: 'tickSize', noun: 'price', values: levels.map(({ price }) => price) }),
    stepFinding({ ...question, name: 'lotSize', noun: 'quantity', values: levels.map(({ quantity }) => quantity) }),
    notionalFinding(levels, question),
  ];
}

interface Sample extends StepQuestion {
  readonly name: 'tickSize' | 'lotSize';
  readonly noun: string;
  readonly values: readonly Decimal[];
}

const WORDS = {
  tickSize: { id: 'tick-size', words: 'tick size', plural: 'prices' },
  lotSize: { id: 'lot-size', words: 'lot size', plural: 'quantities' },
};

function stepFinding(sample: Sample): Finding {
  const { symbol, name, values, configured } = sample;
  const { id, words, plural } = WORDS[name];
  const question = { id: `${id}.${symbol}`, question: `Q19 ${words} of ${symbol}` };
  const found = greatestStep(values);
  if (found === null) return open(question, 'No book and no trade was seen.');
  const confidence = confidenceOf(found);
  const step = plain(found.step);
  const offGrid = configured && values.find((value) => !value.mod(configured[name]).isZero());
  const differs = configured !== null && !found.step.eq(configured[name]);
  return {
    ...question,
    finding: confidence === 'unknown' ? `at most ${step}` : step,
    value: { step, distinct: found.distinct, roundShare: round(found.roundShare), doubt: found.doubt },
    evidence: [
      `${found.distinct} different ${plural}, all multiples of ${step}`,
      ...(found.roundShare > 0.5 ? [`${percent(found.roundShare)} of them on ${plain(found.step.mul(10))}`] : []),
      ...(found.isUsual ? [] : ['not a usual step']),
      ...(confidence === 'unknown' ? ['too few to tell'] : []),
      ...(offGrid ? [`${plain(offGrid)} is no multiple of the configured ${plain(configured[name])}`] : []),
      ...(differs && !offGrid ? [`configured is ${plain(configured[name])}`] : []),
    ].join('; '),
    confidence,
    ...(differs &&
      confidence === 'likely' && { setting: { at: 'run', symbol, path: ['instrument', name], value: step } as const }),
  };
}

/** Never proved: the finest step may not have been used. */
function confidenceOf({ doubt, isUsual }: Step): Confidence {
  if (doubt > SUSPECTED_DOUBT) return 'unknown';
  return doubt <= LIKELY_DOUBT && isUsual ? 'likely' : 'suspected';
}

/** What is smaller than the least order may be the rest of a larger one, so that no setting follows. */
function notionalFinding(levels: readonly SeenLevel[], { symbol, configured }: StepQuestion): Finding {
  const question = { id: `least-notional.${symbol}`, question: `Q19 least notional of ${symbol}` };
  const least = (from: SeenLevel['from']): Decimal | null =>
    levels
      .filter((level) => level.from === from)
      .map(({ price, quantity }) => price.mul(quantity))
      .reduce<Decimal | null>((low, each) => (low?.lte(each) ? low : each), null);
  const [book, trade] = [least('book'), least('trade')];
  const smallest = [book, trade].filter((each) => each !== null).sort((a, b) => a.cmp(b))[0];
  if (smallest === undefined) return open(question, 'No book and no trade was seen.');
  const under = configured !== null && smallest.lt(configured.minNotional);
  return {
    ...question,
    finding: `${short(smallest)} was seen`,
    value: { book: book && plain(book), trade: trade && plain(trade) },
    evidence: [
      ...(book ? [`least level of a book ${short(book)}`] : []),
      ...(trade ? [`least trade ${short(trade)}`] : []),
      'either may be the rest of a larger order',
      ...(under ? [`less than the configured minNotional ${plain(configured.minNotional)}`] : []),
      `out of ${counted(levels.length, 'row')}`,
    ].join('; '),
    confidence: 'suspected',
  };
}

const short = (value: Decimal): string => plain(value.toSignificantDigits(6));
const percent = (share: number): string => `${Math.round(share * 100)} %`;
const round = (share: number): number => Math.round(share * 1_000) / 1_000;
