// W1: what people are told is a sentence, and what programs sort it by is there.
import type { Notice } from '../../src/trader/state/turn.ts';
import type { CheckContext, Checker } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';
import { flawOfSentence, flawOfText } from './sentence.ts';

const LEVELS: readonly string[] = ['debug', 'info', 'warn', 'page'] satisfies readonly Notice['level'][];
const NAME = /^[a-z]+(?:-[a-z]+)*$/;
const FIELDS = ['level', 'op', 'message', 'symbol', 'intentId', 'orderId'];

/** Of which fields of a record people are shown the text. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  'symbol-halted': ['reason'],
  paused: ['reason'],
  'cancel-sent': ['why'],
  suspense: ['why'],
};

export function wordChecks(): Checker {
  return {
    noticed(context, notice) {
      const flaw = flawOfNotice(context, notice);
      if (flaw !== null) context.violated('W1', `The notice ${notice.op} ${flaw}: ${JSON.stringify(notice)}`);
    },
    recorded(context, told) {
      for (const field of SENTENCES[told.type] ?? []) {
        const flaw = flawOfSentence(told.payload[field]);
        if (flaw !== null)
          context.violated('W1', `${field} of record ${told.seq} (${told.type}) ${flaw}: ${words(told)}`);
      }
    },
  };
}

const words = ({ payload }: Told): string => JSON.stringify(payload).slice(0, 200);

function flawOfNotice(context: CheckContext, notice: Notice): string | null {
  const { level, op, message, symbol, intentId, orderId } = notice;
  if (!LEVELS.includes(level)) return `has the level "${level}"`;
  if (typeof op !== 'string' || !NAME.test(op)) return 'has no name';
  const odd = Object.keys(notice).find((field) => !FIELDS.includes(field));
  if (odd !== undefined) return `has a field ${odd}`;
  if (symbol !== undefined && !/^[A-Z0-9]+\/[A-Z0-9]+$/.test(symbol)) return `is about "${symbol}"`;
  const intent = intentId === undefined ? undefined : context.journal.intents.get(intentId);
  if (intentId !== undefined && intent === undefined) return 'is about an intent that no record has';
  if (intent !== undefined && symbol !== intent.symbol) return 'is about an intent of another symbol';
  if (orderId !== undefined && intent?.orderId != null && intent.orderId !== orderId) return 'is about another order';
  const flaw = flawOfText(message) ?? (/\S\s\S/.test(message) ? null : 'is one word');
  return flaw === null ? null : `has a text that ${flaw}`;
}
