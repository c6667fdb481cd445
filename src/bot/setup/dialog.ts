// Asks on a terminal for answers missing on the command line. After a mistake it offers what was typed for editing.
import { createInterface } from 'node:readline/promises';
import { refusalOf, StartError } from '../base/exit-codes.ts';
import { chosenStrategy, type StrategyChoices } from './first-configuration.ts';
import { type Answers, amountOf, marketsOf, refused, STANDARD } from './wanted.ts';

interface Question {
  readonly key: 'mode' | 'symbol' | 'strategy' | 'halfSpreadBps' | 'orderSize' | 'maxDayLoss';
  readonly words: string;
  /** The answer on Enter alone: empty if that keeps the example's value, left out if it is none. */
  readonly standard?: string;
  readonly isAsked?: (answers: Answers) => boolean;
  /** Throws `StartError` if the text is wrong. */
  readonly judge: (text: string) => unknown;
  /** What the text means, if not itself. */
  readonly read?: (text: string) => string | readonly string[];
}

const namesOf = (text: string): string[] => text.split(/[\s,]+/).filter((name) => name !== '');

/** `judgeMode` throws `StartError` if the mode is none, or no file can be written for it. */
export function questionsOf(strategies: StrategyChoices, judgeMode: (mode: string) => void): readonly Question[] {
  const width = Math.max(...strategies.map(({ name }) => name.length));
  const lines = strategies.map(({ name, purpose, lacking }, index) => {
    const later = lacking.length === 0 ? '' : ` (Not here: no question asks for ${lacking.join(', ')}.)`;
    return `  ${index + 1}  ${name.padEnd(width)}  ${purpose}${later}\n`;
  });
  const byNumber = (text: string): string => strategies[Number(text) - 1]?.name ?? text;
  return [
    { key: 'mode', words: 'paper (no money) or live', standard: STANDARD.mode, judge: judgeMode },
    {
      ...{ key: 'symbol', standard: STANDARD.symbol, judge: (text) => marketsOf(namesOf(text)), read: namesOf },
      words: 'Symbols, as in BTC/INR ETH/INR; a new one with about its price, DOGE/INR=12.5',
    },
    {
      ...{ key: 'strategy', words: `${lines.join('')}Strategy, by number or name`, standard: STANDARD.strategy },
      ...{ judge: (text) => chosenStrategy(strategies, byNumber(text)), read: byNumber },
    },
    {
      ...{ key: 'halfSpreadBps', standard: '', judge: (text) => amountOf('--half-spread-bps', text) },
      words: 'Distance of the first quote from the middle in bps (100 is 1 %); Enter for that of the example',
      isAsked: ({ strategy = STANDARD.strategy }) => strategy === STANDARD.strategy,
    },
    {
      ...{ key: 'orderSize', standard: '', judge: (text) => amountOf('--order-size', text) },
      words: 'Size of an order in the quote asset; Enter for that of the example',
    },
    {
      ...{ key: 'maxDayLoss', judge: (text) => amountOf('--max-day-loss', text) },
      words: 'Loss of a day, in the quote asset, that halts a symbol; no amount is right for everybody',
      isAsked: ({ mode }) => mode === 'live',
    },
  ];
}

type Make<T> = (answers: Answers) => Promise<T>;

/**
 * Completes `given` by a person's answers for `make`; if that throws `StartError`, asks again. Throws `StartError` (64)
 * if the terminal is closed before the end.
 */
export async function askAndMake<T>(given: Answers, questions: readonly Question[], make: Make<T>): Promise<T> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new AbortController();
  terminal.once('close', () => closed.abort());
  const lines = new Map(Object.entries(given).map(([key, value]) => [key, [value].flat().join(' ')]));
  let complaint = '';
  const textFor = async ({ key, words, standard, judge }: Question): Promise<string> => {
    const asked = `${words}${standard ? ` [${standard}]` : ''}: `;
    // While a person edits, readline draws its prompt again and again: it gets the last line alone.
    const prompt = asked.lastIndexOf('\n') + 1;
    for (let above = complaint + asked.slice(0, prompt); ; above = complaint) {
      closed.signal.throwIfAborted();
      // Printed along with the question: a line typed in between would be lost.
      process.stdout.write(above);
      const answer = terminal.question(asked.slice(prompt), { signal: closed.signal });
      terminal.write(lines.get(key) ?? '');
      const line = await answer;
      lines.set(key, line);
      const text = line.trim() || (standard ?? '');
      const refusal = await refusalOf(() => (text === '' && standard === '') || judge(text));
      complaint = refusal === null ? '' : `${refusal.message}\n`;
      if (refusal === null) return text;
    }
  };
  try {
    for (let isAgain = false; ; isAgain = true) {
      let answers = given;
      for (const question of questions) {
        const { key, isAsked, read = String } = question;
        if ((lines.has(key) && !isAgain) || isAsked?.(answers) === false) continue;
        const text = await textFor(question);
        answers = { ...answers, [key]: text === '' ? undefined : read(text) };
      }
      try {
        return await make(answers);
      } catch (error) {
        if (!(error instanceof StartError)) throw error;
        complaint = `${error.message}\nYour answers again; Enter keeps each.\n`;
      }
    }
  } catch (error) {
    if (closed.signal.aborted) throw refused('\nEnded before the last answer; nothing was written.');
    throw error;
  } finally {
    terminal.close();
  }
}
