// Asks on a terminal for answers missing on the command line.
import { createInterface } from 'node:readline/promises';
import { StartError } from '../base/exit-codes.ts';
import { type Answers, amountOf, marketsOf, modeOf, refused, STANDARD } from './wanted.ts';

interface Question {
  readonly key: 'mode' | 'symbol' | 'halfSpreadBps' | 'orderSize' | 'maxDayLoss' | 'keysFile';
  readonly words: string;
  /** The answer on Enter alone; empty keeps the example's value. */
  readonly standard: string;
  readonly isAsked?: (answers: Answers) => boolean;
  /** Whether Enter alone is not accepted. */
  readonly isRequired?: boolean;
  /** Throws `StartError` if the answer is wrong. */
  readonly judge?: (text: string) => void;
}

const isLive = ({ mode }: Answers): boolean => mode === 'live';
const namesOf = (text: string): string[] => text.split(/[\s,]+/).filter((name) => name !== '');

const QUESTIONS: readonly Question[] = [
  { key: 'mode', words: 'paper (no money) or live', standard: STANDARD.mode, judge: (text) => void modeOf(text) },
  {
    key: 'symbol',
    words: 'Symbols, as in BTC/INR ETH/INR; a new one with about its price, DOGE/INR=12.5',
    standard: STANDARD.symbol,
    judge: (text) => void marketsOf(namesOf(text)),
  },
  {
    key: 'halfSpreadBps',
    words: 'Distance of the first quote from the middle in bps (100 is 1 %); Enter for that of the example',
    standard: '',
    isAsked: ({ strategy = STANDARD.strategy }) => strategy === STANDARD.strategy,
    judge: (text) => void amountOf('--half-spread-bps', text),
  },
  {
    key: 'orderSize',
    words: 'Size of an order in the quote asset; Enter for that of the example',
    standard: '',
    judge: (text) => void amountOf('--order-size', text),
  },
  {
    key: 'maxDayLoss',
    words: 'Loss of a day, in the quote asset, that halts a symbol',
    standard: '',
    isAsked: isLive,
    judge: (text) => void amountOf('--max-day-loss', text),
    isRequired: true,
  },
  {
    key: 'keysFile',
    words: 'File of the API key; Enter for the environment variables QUOTEKEEPER_KEY and QUOTEKEEPER_SECRET',
    standard: '',
    isAsked: isLive,
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
  const { words, standard } = question;
  const asked = `${words}${standard === '' ? '' : ` [${standard}]`}: `;
  let said = '';
  for (;;) {
    const text = (await ask(said + asked)).trim() || standard;
    const why = complaintAbout(text, question);
    if (why === null) return text;
    said = `${why}\n`;
  }
}

function complaintAbout(text: string, { judge, isRequired = false }: Question): string | null {
  if (text === '') return isRequired ? 'There is no amount that is right for everybody: type yours.' : null;
  try {
    judge?.(text);
    return null;
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}
