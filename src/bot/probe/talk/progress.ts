// Says after each answer what was asked: on a terminal in one line that is written anew, in a pipe in plain lines.
import type { Answer } from '../facts/answer.ts';
import { answeredWith } from '../facts/json-body.ts';

export interface Progress {
  heard(answer: Answer, count: number): void;
}

/** `rewrite` takes the line before away; null in a pipe. */
export function createProgress(write: (line: string) => void, rewrite: (() => void) | null): Progress {
  let isLineOpen = false;
  return {
    heard: (answer, count) => {
      const { topic, symbol, sentAt, receivedAt } = answer;
      const what = symbol === null ? topic : `${topic} ${symbol}`;
      const line = `${count}. ${what}: ${answeredWith(answer)}, ${receivedAt - sentAt} ms`;
      if (isLineOpen) rewrite?.();
      write(line);
      isLineOpen = true;
    },
  };
}
