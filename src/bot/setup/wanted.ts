// The content of a first configuration, as words from a command line or a dialogue, checked.
import { createInterface } from 'node:readline/promises';
import type { SyntheticMarket } from '../../crowd/synthetic-settings.ts';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { sandboxMarkets } from '../paper/sandbox-options.ts';

export type Mode = 'paper' | 'live';

/** As given: missing ones are taken from the example. */
export interface Answers {
  readonly mode?: string;
  readonly symbol?: readonly string[];
  readonly strategy?: string;
  readonly halfSpreadBps?: string;
  readonly orderSize?: string;
  readonly maxDayLoss?: string;
  readonly keysFile?: string;
  readonly watchdogKeysFile?: string;
  readonly baseUrl?: string;
  readonly state?: string;
}

export interface Wanted {
  readonly mode: Mode;
  /** Each with its steps and an approximate price. */
  readonly markets: readonly SyntheticMarket[];
  readonly strategy: string;
  readonly halfSpreadBps: Decimal | null;
  /** In quote: the size of one order, and the loss since midnight UTC that halts one symbol. */
  readonly orderSize: Decimal | null;
  readonly maxDayLoss: Decimal | null;
  readonly keysFile: string | null;
  readonly watchdogKeysFile: string | null;
  readonly baseUrl: string | null;
  readonly state: string | null;
}

const STANDARD = { mode: 'paper', symbol: 'BTC/INR', strategy: 'fixed-spread' } as const;

/** Throws `StartError` (64) with a sentence about the mistake. */
export function wantedOf(answers: Answers): Wanted {
  const mode = modeOf(answers.mode ?? STANDARD.mode);
  const maxDayLoss = amountOf('--max-day-loss', answers.maxDayLoss);
  if (mode === 'live' && maxDayLoss === null) {
    const why = 'live mode needs the loss since midnight UTC that halts a symbol, in its quote asset';
    throw refused(`--max-day-loss: missing; ${why}. There is no amount that is right for everybody.`);
  }
  const { keysFile = null, watchdogKeysFile = null, baseUrl = null, state = null } = answers;
  const onlyLive = { '--keys-file': keysFile, '--watchdog-keys-file': watchdogKeysFile, '--base-url': baseUrl };
  for (const [option, value] of Object.entries(onlyLive)) {
    if (mode === 'paper' && value !== null)
      throw refused(`${option}: paper mode has none, its exchange runs on this machine; leave it out, or --mode live.`);
  }
  const symbols = answers.symbol && answers.symbol.length > 0 ? answers.symbol : [STANDARD.symbol];
  return {
    mode,
    markets: marketsOf(symbols),
    strategy: answers.strategy ?? STANDARD.strategy,
    halfSpreadBps: amountOf('--half-spread-bps', answers.halfSpreadBps),
    orderSize: amountOf('--order-size', answers.orderSize),
    maxDayLoss,
    keysFile,
    watchdogKeysFile,
    baseUrl,
    state,
  };
}

function modeOf(text: string): Mode {
  if (text === 'paper' || text === 'live') return text;
  throw refused(`--mode: ${JSON.stringify(text)} is neither paper nor live.`);
}

const marketsOf = (symbols: readonly string[]): readonly SyntheticMarket[] =>
  sandboxMarkets(symbols.join(','), '--symbol');

function amountOf(option: string, text: string | undefined): Decimal | null {
  if (text === undefined) return null;
  const amount = parseDecimal(text);
  if (amount?.gt(0)) return amount;
  throw refused(`${option}: ${JSON.stringify(text)} is not an amount above zero, such as 2500 or 0.25.`);
}

export const refused = (sentence: string): StartError => new StartError(EXIT.usage, sentence);

// Asks on a terminal for answers missing on the command line.

interface Question {
  readonly key: 'mode' | 'symbol' | 'halfSpreadBps' | 'orderSize' | 'maxDayLoss' | 'keysFile';
  readonly words: string;
  /** The answer on Enter alone; without one, that keeps the example's value. */
  readonly standard?: string;
  readonly isAsked?: (answers: Answers) => boolean;
  /** Whether Enter alone is not accepted. */
  readonly isRequired?: true;
  /** Throws `StartError` if the answer is wrong. */
  readonly judge?: (text: string) => unknown;
}

const isLive = ({ mode }: Answers): boolean => mode === 'live';
const namesOf = (text: string): string[] => text.split(/[\s,]+/).filter((name) => name !== '');

const QUESTIONS: readonly Question[] = [
  { key: 'mode', words: 'paper (no money) or live', standard: STANDARD.mode, judge: modeOf },
  {
    ...{ key: 'symbol', standard: STANDARD.symbol, judge: (text) => marketsOf(namesOf(text)) },
    words: 'Symbols, as in BTC/INR ETH/INR; a new one with about its price, DOGE/INR=12.5',
  },
  {
    ...{ key: 'halfSpreadBps', judge: (text) => amountOf('--half-spread-bps', text) },
    words: 'Distance of the first quote from the middle in bps (100 is 1 %); Enter for that of the example',
    isAsked: ({ strategy = STANDARD.strategy }) => strategy === STANDARD.strategy,
  },
  {
    ...{ key: 'orderSize', judge: (text) => amountOf('--order-size', text) },
    words: 'Size of an order in the quote asset; Enter for that of the example',
  },
  {
    ...{ key: 'maxDayLoss', judge: (text) => amountOf('--max-day-loss', text), isAsked: isLive, isRequired: true },
    words: 'Loss of a day, in the quote asset, that halts a symbol',
  },
  {
    ...{ key: 'keysFile', isAsked: isLive },
    words: 'File of the API key; Enter for the environment variables QUOTEKEEPER_KEY and QUOTEKEEPER_SECRET',
  },
];

/** Completes `given` with a person's answers. Throws `StartError` (64) if the terminal is closed before the end. */
export async function askForRest(given: Answers): Promise<Answers> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new AbortController();
  terminal.once('close', () => closed.abort());
  let answers = given;
  try {
    for (const question of QUESTIONS) {
      if (answers[question.key] !== undefined || question.isAsked?.(answers) === false) continue;
      const text = await answerTo(question, (words) => terminal.question(words, { signal: closed.signal }));
      if (text !== '') answers = { ...answers, [question.key]: question.key === 'symbol' ? namesOf(text) : text };
    }
    return answers;
  } catch (error) {
    if (closed.signal.aborted) throw refused('Ended before the last answer; nothing was written.');
    throw error;
  } finally {
    terminal.close();
  }
}

/** The complaint is printed along with the repeated question: a line typed in between would be lost. */
async function answerTo(question: Question, ask: (words: string) => Promise<string>): Promise<string> {
  const { words, standard = '', judge, isRequired } = question;
  const asked = `${words}${standard === '' ? '' : ` [${standard}]`}: `;
  let said = '';
  for (;;) {
    const text = (await ask(said + asked)).trim() || standard;
    try {
      if (text === '' && isRequired) throw refused('There is no amount that is right for everybody: type yours.');
      if (text !== '') judge?.(text);
      return text;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      said = `${error.message}\n`;
    }
  }
}
