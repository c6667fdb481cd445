// When each list was last read: the basis of decisions.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { Answered, CheckContext } from '../checks/context.ts';

/** A decision may be a second old when it is sent, and a lane may hold it briefly. */
export const DECISION_SLACK_MS: DurationMs = 2 * SECOND;

/**
 * How much earlier another read may have left that is answered later (F36; seed 42000, busy): a greater difference is a
 * clock that was set back.
 */
const LATEST_MS: DurationMs = MINUTE;

export interface LastReads {
  /** By endpoint and symbol: when the latest answered read left, by the bot's clock. */
  at: Map<string, EpochMs>;
  /** The same for the previous process: records found at a start were decided there. */
  before: ReadonlyMap<string, EpochMs>;
}

export const noReads = (): LastReads => ({ at: new Map(), before: new Map() });

/** The symbols that an answer is about: none if its endpoint could not give it, an empty one for the wallet. */
export function symbolsRead(
  { settings }: CheckContext,
  { endpoint, status, query, text }: Answered,
): readonly string[] {
  if (status !== 200 || !isAnswer(endpoint, text)) return [];
  if (endpoint === 'wallet') return [''];
  const symbol = query.get('symbol');
  return symbol === null ? settings.runs.map(({ instrument }) => instrument.symbol) : [symbol];
}

export function rememberRead(reads: LastReads, context: CheckContext, message: Answered): void {
  for (const symbol of symbolsRead(context, message)) {
    const key = `${message.endpoint} ${symbol}`;
    const newerByMs = (reads.at.get(key) ?? message.sentAt) - message.sentAt;
    if (newerByMs <= 0 || newerByMs > LATEST_MS) reads.at.set(key, message.sentAt);
  }
}

/** The bot ended: the next process does not know its reads. */
export function forgetReads(reads: LastReads): void {
  reads.before = reads.at;
  reads.at = new Map();
}

/** Whether the body belongs to the endpoint: an error page does not, nor does another endpoint's answer. */
function isAnswer(endpoint: Answered['endpoint'], text: string): boolean {
  switch (endpoint) {
    case 'order-book':
      return text.startsWith('{') && text.includes('"bids"');
    case 'open-orders':
      return text.startsWith('[') && (text === '[]' || text.includes('"origQty"'));
    case 'wallet':
      return text.startsWith('[') && text.includes('"free"');
    default:
      return true;
  }
}
