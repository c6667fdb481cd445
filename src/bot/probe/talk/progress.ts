// Says after each answer what was asked: on a terminal in one line that is written anew, in a pipe in plain lines.
import type { Answer } from '../facts/answer.ts';
import { answeredWith } from '../facts/json-body.ts';

export interface Progress {
  heard(answer: Answer, count: number): void;
}

/** One line up, and the line emptied. */
const REWRITE = '\u001b[1A\u001b[2K';

export function createProgress(write: (line: string) => void, isTerminal: boolean): Progress {
  let isLineOpen = false;
  return {
    heard: (answer, count) => {
      const { topic, symbol, sentAt, receivedAt } = answer;
      const what = symbol === null ? topic : `${topic} ${symbol}`;
      const line = `${count}. ${what}: ${answeredWith(answer)}, ${receivedAt - sentAt} ms`;
      write(isTerminal && isLineOpen ? `${REWRITE}${line}` : line);
      isLineOpen = true;
    },
  };
}
