// W1: what people are told is a text for people, and what programs sort it by is there.
import type { Notice } from '../../src/trader/state/turn.ts';
import type { CheckContext, Checker } from '../checks/context.ts';

/** What a program prints by mistake. */
const NOT_FOR_PEOPLE = /\bundefined\b|\bNaN\b|\[object |\bInfinity\b|=>/;
/** Two spaces, or a space before a stop: something that should stand there is missing. */
const GAP = / {2}|\s[.,;](?:\s|$)|\(\)|\(\s|\s\)|^\s|\s$/;
const NAME = /^[a-z]+(?:-[a-z]+)*$/;

export function wordChecks(): Checker {
  return {
    noticed(context, notice) {
      const flaw = flawOfNotice(context, notice);
      if (flaw !== null) context.violated('W1', `The notice ${notice.op} ${flaw}: ${JSON.stringify(notice)}`);
    },
  };
}

function flawOfNotice({ journal }: CheckContext, { op, message, symbol, intentId }: Notice): string | null {
  if (!NAME.test(op)) return 'has no name';
  const intent = intentId === undefined ? undefined : journal.intents.get(intentId);
  if (intentId !== undefined && intent === undefined) return 'is about an intent that no record has';
  if (intent !== undefined && symbol !== intent.symbol) return 'is about an intent of another symbol';
  return flawOfText(message);
}

/** What is wrong with a text, as the end of a sentence; null where nothing is. */
function flawOfText(text: string): string | null {
  if (!/\S\s\S/.test(text)) return 'has a text of one word or none';
  // What the exchange said is quoted as it came.
  const own = text.replaceAll(/"[^"]*"|'[^']*'/g, '"…"');
  if (NOT_FOR_PEOPLE.test(own)) return 'says what no person reads';
  return GAP.test(own) ? 'has a gap' : null;
}
